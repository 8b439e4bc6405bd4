"""Softening models that are fitted already, ours and everybody else's."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import (
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from softwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    SoftenedClassifier,
    SoftenedRegressor,
    harden,
    soften,
)
from softwood.flow import Hard

CLASSIFIERS = [
    CARTClassifier(),
    C45Classifier(),
    DecisionTreeClassifier(random_state=0),
    RandomForestClassifier(8, random_state=0),
    ExtraTreesClassifier(8, random_state=0),
    BaggingClassifier(DecisionTreeClassifier(), 8, random_state=0),
    GradientBoostingClassifier(n_estimators=10, random_state=0),
    HistGradientBoostingClassifier(max_iter=10),
]
REGRESSORS = [
    CARTRegressor(min_samples_leaf=5),
    DecisionTreeRegressor(random_state=0),
    RandomForestRegressor(8, random_state=0),
    GradientBoostingRegressor(n_estimators=10, random_state=0),
    HistGradientBoostingRegressor(max_iter=10),
]


@pytest.fixture(scope="module")
def tumours():
    X, y = load_breast_cancer(return_X_y=True)
    names = np.array(["malignant", "benign"])[y]
    return train_test_split(X[:, :8], names, random_state=0)


@pytest.fixture(scope="module")
def diabetes():
    return train_test_split(*load_diabetes(return_X_y=True), random_state=0)


@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda m: type(m).__name__)
def test_smoothing_zero_is_the_model_bit_for_bit(model, tumours):
    X, X_test, y, _ = tumours
    model.fit(X, y)
    before = pickle.dumps(model)
    soft = soften(model, X, y, smoothing=0.0)
    np.testing.assert_array_equal(soft.predict_proba(X_test), model.predict_proba(X_test))
    np.testing.assert_array_equal(soft.predict(X_test), model.predict(X_test))
    assert pickle.dumps(model) == before


@pytest.mark.parametrize("model", REGRESSORS, ids=lambda m: type(m).__name__)
def test_smoothing_zero_is_the_regressor(model, diabetes):
    X, X_test, y, _ = diabetes
    soft = soften(model.fit(X, y), X, y, smoothing=0.0)
    np.testing.assert_array_equal(soft.predict(X_test), model.predict(X_test))


@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda m: type(m).__name__)
def test_lambda_is_tuned_for_every_model(model, tumours):
    X, X_test, y, y_test = tumours
    soft = soften(model.fit(X, y), X, y, random_state=0)
    assert soft.smoothing_ >= 0
    assert soft.smoothing_path_.losses.min() <= soft.smoothing_path_.losses[0]
    np.testing.assert_allclose(soft.predict_proba(X_test).sum(axis=1), 1.0)
    assert soft.score(X_test, y_test) > model.score(X_test, y_test) - 0.05
    assert list(soft.classes_) == ["benign", "malignant"]


@pytest.mark.parametrize("model", REGRESSORS, ids=lambda m: type(m).__name__)
def test_regressors_gain(model, diabetes):
    X, X_test, y, y_test = diabetes
    model.fit(X, y)
    soft = soften(model, X, y, random_state=0)
    assert soft.score(X_test, y_test) > model.score(X_test, y_test) - 0.02


@pytest.mark.parametrize("method", ["gradient", "anneal", "confidence"])
def test_single_trees_by_other_methods(method, tumours):
    X, X_test, y, y_test = tumours
    tree = DecisionTreeClassifier(max_leaf_nodes=8, random_state=0).fit(X, y)
    quick = {"n_epochs": 5, "teacher": 5} if method == "gradient" else {}
    soft = soften(tree, X, y, method, random_state=0, **quick)
    assert soft.tree_.n_leaves == 8
    assert np.any(soft.tree_.below > 0)
    assert soft.score(X_test, y_test) > 0.85
    assert "Predicted" in str(soft.explain(X_test[0]))
    assert harden(soft, X_test).flow_ == Hard()


def test_it_can_be_fitted_and_cloned(tumours):
    X, X_test, y, y_test = tumours
    soft = clone(SoftenedClassifier(DecisionTreeClassifier(random_state=0), random_state=0))
    assert soft.fit(X, y).score(X_test, y_test) > 0.85


def test_out_of_bag_needs_bags(tumours):
    X, _, y, _ = tumours
    with pytest.raises(ValueError, match="smoothing='oob' needs the bootstrap samples"):
        soften(CARTClassifier().fit(X, y), X, y, smoothing="oob")
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="rows that the model was fitted to"):
        soften(forest, X[:50], y[:50], smoothing="oob")
    assert soften(forest, X[:50], y[:50], smoothing="holdout").smoothing_ >= 0


def test_only_perturbation_softens_ensembles(tumours):
    X, _, y, _ = tumours
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="method='gradient' softens single trees"):
        soften(forest, X, y, "gradient")
    with pytest.raises(AttributeError, match="see trees_"):
        _ = soften(forest, X, y, smoothing=0.1).tree_


def test_bad_input_is_named(tumours):
    X, _, y, _ = tumours
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    with pytest.raises(NotFittedError):
        soften(DecisionTreeClassifier(), X, y)
    with pytest.raises(TypeError, match="LogisticRegression"):
        soften(LogisticRegression(max_iter=5000).fit(X, y), X, y)
    for wrong in (-1.0, float("nan"), "often"):
        with pytest.raises(ValueError, match="'smoothing' parameter"):
            soften(tree, X, y, smoothing=wrong)
    with pytest.raises(ValueError, match=r"columns|features"):
        soften(tree, X[:, :3], y, smoothing=0.1)
    with pytest.raises(ValueError, match="label 'maybe', which the model never saw"):
        soften(tree, X, np.full(len(y), "maybe"), smoothing=0.1)
    with pytest.raises(ValueError, match="one label per row"):
        soften(tree, X, y[:-1], smoothing=0.1)
    with pytest.raises(ValueError, match="X must have rows"):
        soften(tree, X[:0], y[:0], smoothing=0.1)


@pytest.mark.parametrize("method", ["perturb", "gradient", "anneal", "confidence"])
def test_one_leaf_and_constant_columns(method):
    X = np.column_stack([np.ones(20), np.arange(20.0)])
    leaf = DecisionTreeClassifier().fit(X, np.zeros(20))
    soft = soften(leaf, X, np.zeros(20), method)
    np.testing.assert_array_equal(soft.predict(X), np.zeros(20))
    y = (X[:, 1] > 9.5).astype(int)
    stump = DecisionTreeClassifier().fit(X, y)
    p = soften(stump, X, y, method, random_state=0).predict_proba(X)
    assert np.isfinite(p).all()


# -- as estimators ---------------------------------------------------------------------


def test_without_a_model_it_softens_a_pruned_tree(tumours, diabetes):
    X, X_test, y, y_test = tumours
    soft = SoftenedClassifier(random_state=0).fit(X, y)
    pruned = CARTClassifier(pruning="cv", random_state=0)
    assert soft.tree_.n_leaves < CARTClassifier().fit(X, y).tree_.n_leaves
    assert soft.score(X_test, y_test) > pruned.fit(X, y).score(X_test, y_test) - 0.03
    X, X_test, y, y_test = diabetes
    assert SoftenedRegressor(random_state=0).fit(X, y).score(X_test, y_test) > 0.25
    assert SoftenedRegressor().fit(X[:1], y[:1]).predict(X_test[:2]).tolist() == [y[0]] * 2


class Careless(DecisionTreeClassifier):
    """A classifier that takes no weights."""

    def fit(self, X, y):
        return super().fit(X, y)


def test_weights_reach_the_model_and_the_softening(tumours):
    X, _, y, _ = tumours
    twice = np.where(y == "benign", 2.0, 1.0)
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    weighted = SoftenedClassifier(model, smoothing=0.2).fit(X, y, twice)
    rows = np.repeat(np.arange(len(y)), twice.astype(int))
    repeated = SoftenedClassifier(model, smoothing=0.2).fit(X[rows], y[rows])
    assert weighted.tree_ == repeated.tree_
    np.testing.assert_allclose(weighted.flow_.scale, repeated.flow_.scale, rtol=2e-3)
    plain = SoftenedClassifier(model, smoothing=0.2).fit(X, y)
    assert not np.allclose(weighted.flow_.scale, plain.flow_.scale, rtol=2e-3)
    careless = SoftenedClassifier(Careless(), smoothing=0.2).fit(X, y, twice)
    assert careless.flow_ == weighted.flow_


@pytest.mark.parametrize("smoothing", ["cv", "holdout", 0.2])
def test_rows_of_weight_zero_are_not_there(smoothing, tumours):
    X, _, y, _ = tumours
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
    weight = np.arange(len(y)) % 3.0
    kept = weight > 0
    with_zeros = soften(tree, X, y, smoothing=smoothing, sample_weight=weight, random_state=0)
    without = soften(
        tree, X[kept], y[kept], smoothing=smoothing, sample_weight=weight[kept], random_state=0
    )
    assert with_zeros.flow_ == without.flow_
    if smoothing != 0.2:
        losses = with_zeros.smoothing_path_.losses
        np.testing.assert_array_equal(losses, without.smoothing_path_.losses)


def test_out_of_bag_errors_are_those_of_scikit_learn(tumours):
    X, _, y, _ = tumours
    forest = RandomForestClassifier(40, oob_score=True, random_state=0).fit(X, y)
    wrong = forest.classes_[forest.oob_decision_function_.argmax(axis=1)] != y
    weight = np.where(np.arange(len(y)) < 50, 0.0, 1.0)
    for given, expected in ((None, wrong.mean()), (weight, wrong[50:].mean())):
        soft = soften(forest, X, y, sample_weight=given)
        assert soft.smoothing_path_.losses[0] == pytest.approx(expected, abs=1e-12)


def test_weights_count_when_lambda_is_chosen(tumours):
    X, _, y, _ = tumours
    tree = DecisionTreeClassifier(random_state=0).fit(X[:200], y[:200])
    rows = np.repeat(np.arange(200, 400), 1 + np.arange(200) % 3)
    weight = 1.0 + np.arange(200) % 3
    weighted = soften(
        tree, X[200:400], y[200:400], smoothing="holdout", sample_weight=weight, scale=np.ones(8)
    )
    repeated = soften(tree, X[rows], y[rows], smoothing="holdout", scale=np.ones(8))
    assert weighted.smoothing_ == repeated.smoothing_
    np.testing.assert_allclose(weighted.smoothing_path_.losses, repeated.smoothing_path_.losses)


def test_softened_models_complain_clearly(tumours):
    X, X_test, y, _ = tumours
    soft = SoftenedClassifier(CARTClassifier(max_depth=2), smoothing=0.2)
    for ask in (soft.predict, soft.predict_proba, soft.apply):
        with pytest.raises(NotFittedError, match="not fitted"):
            ask(X)
    assert not hasattr(soft, "tree_")
    assert not hasattr(soft, "classes_")
    soft.fit(X, y)
    with pytest.raises(ValueError, match="X has 3 features, but SoftenedClassifier is expecting 8"):
        soft.predict(X_test[:, :3])
    with pytest.raises(ValueError, match="Reshape your data"):
        soft.predict(X_test[0])
    with pytest.raises(TypeError, match="predicts classes; use SoftenedClassifier"):
        SoftenedRegressor(DecisionTreeClassifier()).fit(X, np.arange(len(y)) % 2)
    with pytest.raises(TypeError, match="predicts numbers; use SoftenedRegressor"):
        SoftenedClassifier(DecisionTreeRegressor()).fit(X, (y == "benign").astype(int))
    with pytest.raises(ValueError, match="sample_weight"):
        soft.fit(X, y, np.ones(3))

    class Booster:
        def predict(self, X):
            return X

    with pytest.raises(TypeError, match="model must be an estimator, to be fitted; got Booster"):
        SoftenedClassifier(Booster()).fit(X, y)


def test_a_failed_fit_leaves_nothing_half_fitted(tumours):
    X, _, y, _ = tumours
    soft = SoftenedClassifier(RandomForestClassifier(2, random_state=0), "gradient")
    with pytest.raises(ValueError, match="softens single trees"):
        soft.fit(X, y)
    assert set(vars(soft)) == set(soft.get_params(deep=False))
    soft.set_params(method="perturb", smoothing=0.1).fit(X, y)
    before = dict(vars(soft))
    with pytest.raises(ValueError, match="inconsistent"):
        soft.fit(X[:, :3], y[:-1])
    assert vars(soft) == before


def test_another_fit_forgets_the_lambda_of_the_first(tumours):
    X, _, y, _ = tumours
    soft = SoftenedClassifier(CARTClassifier(max_depth=2), smoothing=0.1).fit(X, y)
    assert soft.smoothing_ == 0.1
    assert not hasattr(soft.set_params(method="confidence").fit(X, y), "smoothing_")


def test_what_was_softened_can_be_softened_again(tumours):
    X, X_test, y, _ = tumours
    model = GradientBoostingClassifier(n_estimators=5, random_state=0).fit(X, y)
    soft = soften(model, X, y, smoothing=0.5)
    again = soften(soft, X, y, smoothing=0.0)
    np.testing.assert_array_equal(again.predict_proba(X_test), model.predict_proba(X_test))
    np.testing.assert_array_equal(again.predict(X_test), model.predict(X_test))
