"""What weights mean: rows are counted, weights weigh, and their scale says nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone, is_regressor
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor
from sklearn.model_selection import cross_val_score

from softwood import (
    Anneal,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CoalescenceClassifier,
    EvolvedTreeClassifier,
    Gradient,
    SoftenedClassifier,
    SoftTreeClassifier,
    VRForestClassifier,
    VRTreeClassifier,
    VRTreeRegressor,
)
from tests import every_estimator
from tests.every_estimator import every_model
from tests.strategies import WITHOUT_JIT

SEED = {"random_state": 0}
QUICK = {"method": Gradient(teacher=0, n_epochs=3), "max_leaf_nodes": 8, **SEED}
EVOLVED = EvolvedTreeClassifier(n_iter=300, population_size=20, **SEED)
SANN = Anneal("sann", n_candidates=2)
MORE = {
    "cart, fractions": CARTClassifier("entropy", min_weight_fraction_leaf=0.05),
    "cart cv, a standard error": CARTClassifier(pruning="cv", n_standard_errors=1, **SEED),
    "cart holdout, a price": CARTClassifier(pruning="holdout", ccp_alpha=0.01, **SEED),
    "softened confidence": SoftenedClassifier(CARTClassifier(max_depth=3), "confidence", **SEED),
    "vr forest oob": VRForestClassifier(
        3, sampling="bootstrap", smoothing="oob", oob_score=True, **SEED
    ),
    **({} if WITHOUT_JIT else {"sann": SoftTreeClassifier(method=SANN, **SEED)}),
}
MORE_REGRESSORS = {
    "cart cv, a standard error": CARTRegressor(pruning="cv", n_standard_errors=1, **SEED)
}


def has_cases(model):
    """Whether a row of weight 3 is three cases to a model."""
    return getattr(model, "_counts_weights", False)


def has_none(model):
    return not has_cases(model)


CLASSIFIERS = every_model(every_estimator.CLASSIFIERS | MORE)
REGRESSORS = every_model(every_estimator.REGRESSORS | MORE_REGRESSORS)
WITHOUT_SCALE = [  # whatever the weights are multiplied by
    *every_model(every_estimator.CLASSIFIERS | MORE, has_none),
    *every_model(every_estimator.REGRESSORS | MORE_REGRESSORS, has_none),
]


def table_of(model):
    if is_regressor(model):
        X, y = load_diabetes(return_X_y=True)
        return X[:150].copy(), y[:150]
    X, y = load_iris(return_X_y=True)
    return X, y


def answers(model, X):
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("model", CLASSIFIERS + REGRESSORS)
def test_weights_that_are_all_the_same_are_none(model, missing):
    X, y = table_of(model)
    if missing:
        X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    plain = clone(model).fit(X, y)
    weighed = clone(model).fit(X, y, sample_weight=np.full(len(y), 1 / len(y)))
    np.testing.assert_allclose(answers(weighed, X), answers(plain, X), rtol=0, atol=1e-12)
    if hasattr(plain, "oob_score_"):
        assert weighed.oob_score_ == pytest.approx(plain.oob_score_)
    if hasattr(plain, "feature_importances_"):
        mine, theirs = weighed.feature_importances_, plain.feature_importances_
        np.testing.assert_allclose(mine, theirs, atol=1e-12)


@pytest.mark.parametrize("factor", [1e-300, 3.7, 1e300], ids=str)
@pytest.mark.parametrize("model", CLASSIFIERS + REGRESSORS)
def test_the_scale_of_weights_says_nothing(model, factor):
    X, y = table_of(model)
    weight = np.random.default_rng(0).choice([0.25, 0.5, 1.0, 1.75], len(y))
    one = clone(model).fit(X, y, sample_weight=weight)
    other = clone(model).fit(X, y, sample_weight=weight * factor)
    # Roundings grow in the descent of oblique tests.
    np.testing.assert_allclose(answers(other, X), answers(one, X), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("model", WITHOUT_SCALE)
def test_nor_does_it_if_weights_are_whole(model):
    X, y = table_of(model)
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    one = clone(model).fit(X, y, sample_weight=weight)
    other = clone(model).fit(X, y, sample_weight=7 * weight)
    # Roundings grow in the descent of oblique tests.
    np.testing.assert_allclose(answers(other, X), answers(one, X), rtol=1e-5, atol=1e-5)


def test_trees_have_the_weights_of_the_user():
    X, y = load_iris(return_X_y=True)
    for weight in (np.arange(150) % 4, np.linspace(0.1, 0.7, 150)):
        compiled = [] if WITHOUT_JIT else [SoftTreeClassifier(**QUICK), EVOLVED]
        for model in (CARTClassifier(), SoftTreeClassifier(method="perturb"), *compiled):
            tree = clone(model).fit(X, y, sample_weight=weight).tree_
            assert tree.weight[0] == pytest.approx(weight.sum(), rel=1e-4)
            assert tree.weight[tree.leaves].sum() == pytest.approx(weight.sum(), rel=1e-4)


def test_whole_weights_are_cases_to_c45():
    X, y = load_iris(return_X_y=True)
    times = np.random.default_rng(0).integers(1, 4, len(y))
    repeated = C45Classifier().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert C45Classifier().fit(X, y, sample_weight=times).tree_ == repeated.tree_


# -- boosting --------------------------------------------------------------------------


@pytest.mark.skipif(WITHOUT_JIT, reason="in plain Python it takes minutes")
def test_boosted_stumps_of_c45_are_as_good_as_those_of_cart():
    X, y = load_breast_cancer(return_X_y=True)
    scores = [
        cross_val_score(AdaBoostClassifier(stump, random_state=0), X, y, cv=3).mean()
        for stump in (C45Classifier(max_depth=1), CARTClassifier(max_depth=1))
    ]
    assert min(scores) > 0.95
    assert abs(scores[0] - scores[1]) < 0.02


@pytest.mark.parametrize("model", CLASSIFIERS)
def test_every_classifier_can_be_boosted(model):
    X, y = load_iris(return_X_y=True)
    boosted = AdaBoostClassifier(clone(model), n_estimators=3, random_state=0).fit(X, y)
    assert boosted.score(X, y) > 0.9


@pytest.mark.parametrize("model", REGRESSORS)
def test_every_regressor_can_be_boosted(model):
    X, y = table_of(model)
    boosted = AdaBoostRegressor(clone(model), n_estimators=3, random_state=0).fit(X, y)
    assert boosted.score(X, y) > 0.3


# -- rows are counted ------------------------------------------------------------------


@st.composite
def weighted_tables(draw):
    """A table with ties, and weights that are not whole."""
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    n_rows = draw(st.integers(2, 60))
    X = rng.integers(0, draw(st.integers(2, 30)), (n_rows, 2)).astype(float)
    y = rng.integers(0, 3, n_rows)
    weight = rng.exponential(size=n_rows) ** draw(st.sampled_from([1, 4, 40])) + 1e-9
    return X, y, weight


@given(table=weighted_tables(), least=st.integers(1, 6))
def test_leaves_hold_as_many_rows_as_they_must(table, least):
    X, y, weight = table
    limit = {"min_samples_leaf": least}
    for model in (
        CARTClassifier(**limit),
        CARTRegressor(**limit),
        C45Classifier(**limit, pruning=None, collapse=False, mdl_correction=False),
        VRTreeClassifier(1.0, **limit, min_samples_split=2 * least, **SEED),
        VRTreeRegressor(1.0, **limit, min_samples_split=2 * least, **SEED),
    ):
        model.fit(X, y, sample_weight=weight)
        held = np.bincount(model.apply(X), minlength=model.tree_.n_nodes)[model.tree_.leaves]
        assert held.min() >= least or model.get_n_leaves() == 1


@given(table=weighted_tables(), least=st.integers(2, 12))
def test_nodes_that_are_split_hold_as_many_rows_as_they_must(table, least):
    X, y, weight = table
    limit = {"min_samples_split": least}
    for model in (
        CARTClassifier(**limit),
        CARTRegressor(**limit),
        VRTreeClassifier(0.5, **limit, **SEED),
        VRTreeRegressor(0.5, **limit, **SEED),
    ):
        model.fit(X, y, sample_weight=weight)
        held = np.ravel(model.decision_path(X).sum(axis=0))
        assert held[~model.tree_.is_leaf].min(initial=least) >= least


# -- weights that are hardly numbers ---------------------------------------------------


@given(
    seed=st.integers(0, 99),
    powers=st.sampled_from([(0, 155), (-300, 300), (-320, -310), (-20, 0), (300, 308)]),
)
def test_weights_of_any_size_make_trees(seed, powers):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 5, (30, 2)).astype(float), rng.integers(0, 3, 30)
    weight = 10.0 ** rng.integers(*powers, 30, endpoint=True)
    for model in (
        CARTClassifier(),
        CARTClassifier("entropy"),
        CARTRegressor(),
        C45Classifier(),
        VRTreeClassifier(**SEED),
        VRTreeRegressor(0.9, **SEED),
    ):
        model.fit(X, y, sample_weight=weight)
        assert np.isfinite(answers(model, X)).all()
        assert np.isfinite(model.feature_importances_).all()
        assert np.isfinite(model.tree_.weight).all()


@pytest.mark.parametrize("size", [1e155, 1e300, 1e308])
def test_large_weights_are_no_reason_for_a_leaf(size):
    X, y = load_iris(return_X_y=True)
    for model in (CARTClassifier(), CARTRegressor(), C45Classifier(), VRTreeRegressor(**SEED)):
        plain = clone(model).fit(X, y)
        assert clone(model).fit(X, y, np.full(150, size)).tree_ == plain.tree_


@pytest.mark.parametrize("factor", [0, -1, np.nan, np.inf, "two", 10**400])
def test_class_weights_must_be_finite_and_positive(factor):
    X, y = load_iris(return_X_y=True)
    for model in (CARTClassifier, C45Classifier, CoalescenceClassifier, SoftTreeClassifier):
        with pytest.raises(ValueError, match=r"class_weight must be finite and positive.*class 1"):
            model(class_weight={0: 1.0, 1: factor, 2: 1.0}).fit(X, y)


def test_products_of_weights_may_be_larger_than_numbers():
    X, y = load_iris(return_X_y=True)
    for size in (1e-300, 1e300):
        factors = {c: (c + 1.0) * size for c in range(3)}
        one = CARTClassifier(class_weight=factors).fit(X, y, np.full(150, size))
        other = CARTClassifier(class_weight={0: 1, 1: 2, 2: 3}).fit(X, y)
        np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X))
