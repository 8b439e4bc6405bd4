"""Widening the margins of fitted models, ours and those of others."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from softwood import (
    BaggedTreesClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    VRForestClassifier,
    VRTreeClassifier,
    load,
    save,
    soften,
    widen_margins,
)
from softwood.evaluate import margins
from softwood.flow import Hard
from softwood.refine.widen import node_margins, widen_tree
from softwood.tree import NUMERIC, OBLIQUE
from tests.persist.models import mixed_model, mixed_table

MODELS = [
    CARTClassifier(random_state=0),
    C45Classifier(),
    VRTreeClassifier(random_state=0),
    VRForestClassifier(5, random_state=0),
    BaggedTreesClassifier(n_estimators=5, random_state=0),
    DecisionTreeClassifier(random_state=0),
    RandomForestClassifier(5, random_state=0),
    GradientBoostingClassifier(n_estimators=5, random_state=0),
]


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def names(model):
    return type(model).__name__


@pytest.mark.parametrize("axis", ["auto", "turn"])
@pytest.mark.parametrize("model", MODELS, ids=names)
def test_answers_for_the_rows_stay(iris, model, axis):
    X, y = iris
    model.fit(X, y)
    before = model.predict_proba(X)
    wide = widen_margins(model, X, y, axis=axis)
    assert_array_equal(wide.predict(X), model.predict(X))
    assert_array_equal(wide.predict_proba(X), before)
    trees = wide.trees_ if hasattr(wide, "trees_") else [wide.tree_]
    turned = any(np.any(tree.kind == OBLIQUE) for tree in trees)
    assert turned == (axis == "turn")
    assert_array_equal(model.predict_proba(X), before)  # the model is as it was


def test_regression_trees_are_widened_too():
    X, y = load_diabetes(return_X_y=True)
    for model in CARTRegressor(max_depth=3), DecisionTreeRegressor(max_depth=3):
        wide = widen_margins(model.fit(X, y), X, y, axis="turn")
        assert_array_equal(wide.predict(X), model.predict(X))


@pytest.mark.parametrize("kind", [C45Classifier, CARTClassifier])
@pytest.mark.parametrize("axis", ["turn", "keep"])
def test_categories_and_gaps(kind, axis):
    model, table = mixed_model(kind)
    wide = widen_margins(model, table, mixed_table()[1], axis=axis)
    assert_array_equal(wide.predict_proba(table), model.predict_proba(table))
    before, after = margins(model, table), margins(wide, table)
    assert np.all(after.margin >= before.margin)
    # The one numeric column is all that a plane may use.
    assert not np.any(wide.tree_.kind == OBLIQUE)


def test_trees_with_oblique_tests_turn_all_their_tests(iris):
    X, y = iris
    model = CARTClassifier().fit(X, y)
    own = model.tree_
    model.tree_ = widen_tree(own, X).replace()
    kind = model.tree_.kind
    assert {NUMERIC, OBLIQUE} <= {int(k) for k in kind}
    wide = widen_margins(model, X, y)
    assert wide.tree_ == widen_tree(model.tree_, X, axis="turn")


def test_oblique_trees_turn_all_their_tests(iris):
    X, y = iris
    parameters = {"pruning": None, "max_depth": 1, "random_state": 0}
    model = ObliqueTreeClassifier(**parameters).fit(X, y)
    assert model.tree_.kind[0] == NUMERIC  # one feature is enough to part the first class
    wide = widen_margins(model, X, y)
    assert wide.tree_ == ObliqueTreeClassifier(widen=True, **parameters).fit(X, y).tree_
    assert wide.tree_.kind[0] == OBLIQUE
    assert wide.margins_[0] > model.margins_[0]


def test_noted_margins_are_renewed(iris):
    X, y = iris
    model = C45Classifier().fit(X, y)
    assert not hasattr(widen_margins(model, X, y), "margins_")
    model.margins_ = node_margins(model.tree_, X)
    wide = widen_margins(model, X, y)
    assert_array_equal(wide.margins_, node_margins(wide.tree_, X))
    assert wide.margins_[0] > model.margins_[0]


def test_soft_models_stay_soft(iris):
    X, y = iris
    model = SoftTreeClassifier(C45Classifier(), method="perturb", smoothing=0.2).fit(X, y)
    for soft in model, soften(C45Classifier().fit(X, y), X, y, smoothing=0.2):
        wide = widen_margins(soft, X, y)
        assert wide.flow_ == soft.flow_
        assert wide.tree_ == widen_tree(soft.tree_, X, axis="keep")


def test_a_foreign_model_becomes_one_of_ours_that_is_hard(iris, tmp_path):
    X, y = iris
    wide = widen_margins(DecisionTreeClassifier(random_state=0).fit(X, y), X, y, axis="turn")
    assert wide.flow_ == Hard()
    save(wide, tmp_path / "wide.softwood")
    assert_array_equal(load(tmp_path / "wide.softwood").predict_proba(X), wide.predict_proba(X))


def test_scores_out_of_the_bag_do_not_outlive_the_old_trees(iris):
    X, y = iris
    model = BaggedTreesClassifier(n_estimators=5, oob_score=True, random_state=0).fit(X, y)
    assert not hasattr(widen_margins(model, X, y), "oob_score_")
    assert hasattr(model, "oob_score_")


def test_what_cannot_be_widened_is_named(iris):
    X, y = iris
    with pytest.raises(TypeError, match="cannot import a LogisticRegression"):
        widen_margins(LogisticRegression(max_iter=500).fit(X, y), X, y)
    with pytest.raises(NotFittedError):
        widen_margins(CARTClassifier(), X, y)
    with pytest.raises(NotFittedError):
        widen_margins(DecisionTreeClassifier(), X, y)
    model = CARTClassifier().fit(X, y)
    with pytest.raises(ValueError, match="axis must be one of auto, turn, keep; got 'free'"):
        widen_margins(model, X, y, axis="free")
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        widen_margins(model, X, y[:-1])
    with pytest.raises(ValueError, match="X has 2 features"):
        widen_margins(model, X[:, :2], y)
