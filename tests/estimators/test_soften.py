"""Softening models that are fitted already, ours and everybody else's."""

import pickle

import numpy as np
import pytest
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

from softwood import C45Classifier, CARTClassifier, CARTRegressor, harden, soften
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
    soft = soften(tree, X, y, method, n_epochs=5, teacher=5, random_state=0)
    assert soft.tree_.n_leaves == 8
    assert np.any(soft.tree_.below > 0)
    assert soft.score(X_test, y_test) > 0.85
    assert "Predicted" in str(soft.explain(X_test[0]))
    assert harden(soft, X_test).flow_ == Hard()


def test_it_can_be_fitted_and_cloned(tumours):
    from sklearn.base import clone

    from softwood import SoftenedClassifier

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
