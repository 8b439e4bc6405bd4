"""Numbers that are legal and awkward: very large, very small, or adding up to a little over 1."""

import sys
from numbers import Integral, Real

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris

from softwood import (
    CARTClassifier,
    CARTRegressor,
    EvolvedTreeClassifier,
    VRForestClassifier,
    VRTreeClassifier,
    save,
)
from softwood.estimators._sklearn_compat import Interval
from tests import every_estimator
from tests.every_estimator import every_model, one_of_each
from tests.strategies import WITHOUT_JIT

SEED = {"random_state": 0}
FOLDS = {
    "cart cv, a standard error": CARTRegressor(
        pruning="cv", n_standard_errors=1, n_folds=3, **SEED
    ),
    "cart holdout": CARTRegressor(pruning="holdout", n_standard_errors=1, **SEED),
}
REGRESSORS = every_model(every_estimator.REGRESSORS | FOLDS)
KINDS = one_of_each(every_estimator.CLASSIFIERS) + one_of_each(every_estimator.REGRESSORS)


# -- pruning by folds ------------------------------------------------------------------


@st.composite
def small_tables(draw):
    n_rows = draw(st.integers(1, 9))
    X = draw(st.lists(st.integers(0, 2), min_size=n_rows, max_size=n_rows))
    y = draw(st.lists(st.integers(0, 4), min_size=n_rows, max_size=n_rows))
    weights = st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.7, 1.0])
    weight = draw(st.none() | st.lists(weights, min_size=n_rows, max_size=n_rows))
    return np.array(X, dtype=float)[:, None], np.array(y), weight


@given(table=small_tables(), n_folds=st.integers(2, 4), seed=st.integers(0, 9))
def test_folds_of_small_tables_choose_a_tree(table, n_folds, seed):
    X, y, weight = table
    for model in (CARTClassifier, CARTRegressor):
        for pruning in ("cv", "holdout"):
            options = {"pruning": pruning, "n_folds": n_folds, "random_state": seed}
            if pruning == "holdout" and len(y) < 3:
                continue
            model(n_standard_errors=1, **options).fit(X, y, sample_weight=weight)


def test_a_share_of_errors_that_adds_up_to_more_than_one():
    weight = [0.1, 0.2, 0.3, 0.4, 0.7]
    model = CARTClassifier(pruning="cv", n_standard_errors=1, n_folds=2, random_state=0)
    model.fit([[0.0]] * 5, [0, 1, 2, 3, 4], sample_weight=weight)
    assert model.get_n_leaves() == 1


# -- targets ---------------------------------------------------------------------------


def made(n_rows=60):
    X = np.random.default_rng(0).random((n_rows, 2))
    return X, np.where(X[:, 0] > 0.5, 1.0, -1.0) + X[:, 1]


@pytest.mark.parametrize("power", [-300, -40, 40, 300])
@pytest.mark.parametrize("model", REGRESSORS)
def test_the_unit_of_a_target_says_nothing(model, power):
    X, y = made()
    unit = 2.0**power  # which changes no digit
    one, other = clone(model).fit(X, y), clone(model).fit(X, y * unit)
    np.testing.assert_allclose(other.predict(X) / unit, one.predict(X), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("unit", [1e-310, 1e-160, 1e150, 1e154, 1e300, 1.7e308])
@pytest.mark.parametrize("model", REGRESSORS)
def test_targets_whose_squares_are_no_numbers_are_refused(model, unit):
    X, y = made()
    with pytest.raises(ValueError, match=r"y is too (large|small) for squares"):
        clone(model).fit(X, y / np.abs(y).max() * unit)


def test_a_target_of_zeros_is_a_target():
    X, y = made()
    assert not CARTRegressor().fit(X, 0.0 * y).predict(X).any()


# -- parameters ------------------------------------------------------------------------


def ranges(model):
    for name, constraints in type(model)._parameter_constraints.items():
        for constraint in constraints:
            if isinstance(constraint, Interval) and constraint.type in (Integral, Real):
                yield name


@pytest.mark.parametrize("model", KINDS)
def test_no_parameter_may_be_larger_than_a_number(model):
    X, y = made(12)
    y = (y > 0).astype(int)
    for name in ranges(model):
        with pytest.raises(ValueError, match=rf"'{name}' parameter|{name} must not be larger"):
            clone(model).set_params(**{name: 10**400}).fit(X, y)


LIMITED = {
    f"{name}, {limit}": (model, limit)
    for name, model in every_estimator.CLASSIFIERS.items()
    if not (WITHOUT_JIT and name in every_estimator.SLOW_WITHOUT_JIT)
    for limit in ("max_depth", "max_leaf_nodes")
    if limit in model.get_params() and not isinstance(model, EvolvedTreeClassifier)
}


@pytest.mark.parametrize("case", LIMITED)
def test_large_limits_are_none(case):
    model, name = LIMITED[case]
    X, y = made(30)
    y = (y > 0).astype(int)
    plain = clone(model).set_params(**{name: None}).fit(X, y)
    for large in (2**31, sys.maxsize):
        limited = clone(model).set_params(**{name: large}).fit(X, y)
        assert (limited.predict_proba(X) == plain.predict_proba(X)).all()
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        clone(model).set_params(**{name: 2**63}).fit(X, y)


@pytest.mark.skipif(WITHOUT_JIT, reason="evolution in plain Python takes minutes")
@pytest.mark.parametrize("sigma2", [5e-324, 1e-300, 1e-100, 1e-99, 1e-30])
def test_noise_next_to_none_is_none(sigma2):
    X, y = load_iris(return_X_y=True)
    options = {"n_iter": 200, "population_size": 20, "random_state": 0}
    vicinal = EvolvedTreeClassifier(sigma2=sigma2, **options).fit(X, y)
    empirical = EvolvedTreeClassifier(risk="empirical", **options).fit(X, y)
    assert vicinal.risk_ == empirical.risk_
    assert vicinal.tree_ == empirical.tree_


# -- importances -----------------------------------------------------------------------


@pytest.mark.parametrize("curtail", [0, 1, 3, 20, 1000])
@pytest.mark.parametrize("alpha", [0.0, 0.5])
def test_importances_of_curtailed_trees_are_numbers(alpha, curtail):
    X, y = load_iris(return_X_y=True)
    options = {"alpha": alpha, "min_samples_split": 2, "curtail": curtail, **SEED}
    for model in (VRTreeClassifier(**options), VRForestClassifier(3, **options)):
        share = model.fit(X, y).feature_importances_
        assert (share >= 0.0).all()
        assert share.sum() == pytest.approx(0.0 if curtail == 1000 else 1.0)


# Others scale columns, and refuse those whose spread is no number.
CUTTING = {
    name: every_estimator.CLASSIFIERS[name]
    for name in ("cart", "c4.5", "vr tree", "vr forest", "coalescence", "bagged")
}


@pytest.mark.parametrize("model", every_model(CUTTING))
def test_cuts_between_numbers_without_a_sum_are_finite(model, tmp_path):
    low = -np.finfo(float).max
    X = np.tile([[low], [0.9 * low], [0.8 * low], [1.0]], (10, 1))
    with np.errstate(all="ignore"):
        fitted = clone(model).fit(X, np.arange(40) % 2)
    for tree in getattr(fitted, "trees_", None) or [fitted.tree_]:
        assert np.isfinite(tree.threshold).all()
    save(fitted, tmp_path / "model")
