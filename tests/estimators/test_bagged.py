"""Bagging: CART and C4.5 trees of bootstrap samples."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import BaggingClassifier

from softwood import (
    BaggedTreesClassifier,
    BaggedTreesRegressor,
    CARTClassifier,
    CARTRegressor,
    ObliqueTreeClassifier,
    VRForestClassifier,
)
from softwood.datasets import make_friedman1
from tests.strategies import WITHOUT_JIT


@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing"])
def test_trees_are_those_of_the_samples(criterion):
    X, y = load_iris(return_X_y=True)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    options = {"criterion": criterion, "max_depth": 4, "min_samples_leaf": 2}
    model = BaggedTreesClassifier(4, random_state=0, **options).fit(X, y)
    for tree, rows in zip(model.trees_, model.estimators_samples_, strict=True):
        rows = np.sort(rows)
        alone = CARTClassifier(**options).fit(X[rows], y[rows])
        assert tree == alone.tree_


def test_so_it_is_with_numbers():
    X, y = make_friedman1(120, random_state=0)
    model = BaggedTreesRegressor(3, min_samples_split=5, random_state=0).fit(X, y)
    for tree, rows in zip(model.trees_, model.estimators_samples_, strict=True):
        rows = np.sort(rows)
        alone = CARTRegressor(min_samples_split=5).fit(X[rows], y[rows]).tree_
        np.testing.assert_array_equal(tree.threshold, alone.threshold)
        np.testing.assert_allclose(tree.response, alone.response)


def test_classes_missing_from_a_sample_keep_their_place():
    X = np.arange(12.0)[:, None]
    y = np.array([0] * 11 + [1])
    model = BaggedTreesClassifier(10, random_state=0).fit(X, y)
    assert {tree.n_outputs for tree in model.trees_} == {2}
    without = [11 not in rows for rows in model.estimators_samples_]
    assert any(without)
    assert [tree.n_nodes == 1 for tree in model.trees_] == without


def test_by_gain_ratio_it_is_the_other_end_of_the_spectrum():
    X, y = load_iris(return_X_y=True)
    ours = BaggedTreesClassifier(
        4, criterion="gain_ratio", min_samples_split=4, min_samples_leaf=2, random_state=0
    ).fit(X, y)
    theirs = VRForestClassifier(4, alpha=1.0, sampling="bootstrap", curtail=0.0, random_state=0)
    assert ours.forest_ == theirs.fit(X, y).forest_


def test_it_is_about_as_good_as_scikit_learns():
    X, y = load_breast_cancer(return_X_y=True)
    train = np.arange(len(y)) % 2 == 0
    scores = [
        model.fit(X[train], y[train]).score(X[~train], y[~train])
        for model in (BaggedTreesClassifier(30, random_state=0), BaggingClassifier(n_estimators=30))
    ]
    assert scores[0] == pytest.approx(scores[1], abs=0.03)


@pytest.mark.skipif(WITHOUT_JIT, reason="takes long without compilation, and shows no more")
def test_soft_bagging_errs_less_where_the_truth_is_smooth():
    X, y = make_friedman1(150, random_state=0)
    test = make_friedman1(500, random_state=1)
    hard, soft = (
        BaggedTreesRegressor(15, smoothing=smoothing, random_state=0).fit(X, y)
        for smoothing in (None, "oob")
    )
    assert soft.forest_ == hard.forest_
    assert soft.score(*test) > hard.score(*test) + 0.005
    assert 0.1 < soft.smoothing_ < 0.5  # the paper finds 0.2


def test_bags_are_all_there_is_to_choose():
    X, y = load_iris(return_X_y=True)
    model = BaggedTreesClassifier(20, oob_score=True, random_state=0).fit(X, y)
    assert model.oob_score_ > 0.9
    assert not hasattr(model, "alphas_")
    found = model.permutation_importances(X, y).importances_mean
    assert set(np.argsort(found)[-2:]) == {2, 3}  # the petals


def test_frames_with_categories():
    rng = np.random.default_rng(0)
    colour = pd.Categorical(rng.choice(["red", "green", "blue"], 150))
    X = pd.DataFrame({"colour": colour, "size": rng.normal(size=150)})
    model = BaggedTreesClassifier(10, random_state=0).fit(X, np.asarray(colour == "red"))
    assert model.score(X, np.asarray(colour == "red")) == 1.0
    assert model.feature_importances_.tolist() == [1.0, 0.0]


def test_weights_choose_the_rows():
    X, y = load_iris(return_X_y=True)
    weight = np.where(y == 2, 0.0, np.where(y == 1, 9.0, 1.0))
    model = BaggedTreesClassifier(20, random_state=0).fit(X, y, weight)
    roots = np.array([tree.response[0] for tree in model.trees_])
    assert roots.mean(axis=0) == pytest.approx([0.1, 0.9, 0.0], abs=0.03)
    assert {float(tree.weight[0]) for tree in model.trees_} == {500.0}


@pytest.mark.parametrize(
    ("parameter", "value"),
    [("criterion", "squared_error"), ("min_samples_split", 1), ("max_depth", 0), ("n_jobs", "two")],
)
def test_bad_parameters_are_named(parameter, value):
    with pytest.raises(ValueError, match=f"'{parameter}' parameter"):
        BaggedTreesClassifier(2, **{parameter: value}).fit([[1.0], [2.0]], [0, 1])


def test_what_oblique_trees_fill_gaps_with_counts_out_of_bag_and_is_forgotten_with_them():
    X, y = load_iris(return_X_y=True)
    X[::7, 2] = np.nan
    model = BaggedTreesClassifier(3, ObliqueTreeClassifier(n_restarts=1), random_state=0)
    model.set_params(oob_score=True).fit(X, y)
    filled = np.where(np.isnan(X), model.fill_values_, X)
    votes = np.zeros((len(X), 3))
    for tree, rows in zip(model.trees_, model.estimators_samples_, strict=True):
        unseen = np.setdiff1d(np.arange(len(X)), rows)
        votes[unseen] += model.flow_.predict(tree, filled[unseen])
    judged = votes.any(axis=1)
    right = votes[judged].argmax(axis=1) == y[judged]
    assert model.oob_score_ == pytest.approx(right.mean())
    again = model.set_params(estimator=None).fit(X, y).predict_proba(X)
    assert not hasattr(model, "fill_values_")
    new = BaggedTreesClassifier(3, random_state=0).fit(X, y)
    np.testing.assert_array_equal(again, new.predict_proba(X))
