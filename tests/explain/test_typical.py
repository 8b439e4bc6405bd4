"""The most typical tree, against the definition."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import GradientBoostingClassifier

from softwood import (
    BaggedTreesClassifier,
    BaggedTreesRegressor,
    CARTClassifier,
    CoalescenceClassifier,
)
from softwood.explain import typical_tree
from softwood.flow import leaf_of
from softwood.forest import Forest
from softwood.interop import import_model

X, Y = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def forest():
    return CoalescenceClassifier(30, random_state=0).fit(X, Y)


def test_on_given_rows_it_is_the_nearest_of_all(forest):
    truth = forest.predict_proba(X)
    distance = [((forest.flow_.predict(tree, X) - truth) ** 2).sum() for tree in forest.trees_]
    assert typical_tree(forest, X) == int(np.argmin(distance))


def test_without_rows_it_is_among_the_better_half_on_the_real_ones(forest):
    truth = forest.predict_proba(X)
    distance = [((forest.flow_.predict(tree, X) - truth) ** 2).sum() for tree in forest.trees_]
    assert distance[typical_tree(forest)] <= np.median(distance)


def test_it_is_the_same_every_time(forest):
    assert typical_tree(forest) == typical_tree(forest)


def test_one_good_tree_is_found_among_odd_ones():
    good = CARTClassifier(max_depth=3).fit(X, Y).tree_
    odd = [CARTClassifier(max_depth=3).fit(X, np.roll(Y, 37 * k)).tree_ for k in (1, 2)]
    mean = Forest.average([odd[0], good, good, good, odd[1]])
    assert typical_tree(mean) == 1
    assert typical_tree(mean, X) == 1


def test_of_numbers():
    table, target = load_diabetes(return_X_y=True)
    model = BaggedTreesRegressor(8, random_state=0).fit(table, target)
    distance = [
        ((tree_answer(model, j, table) - model.predict(table)) ** 2).mean() for j in range(8)
    ]
    assert typical_tree(model, table) == int(np.argmin(distance))


def tree_answer(model, j, rows):
    return model.flow_.predict(model.trees_[j], rows)[:, 0]


def test_of_a_sum_it_is_the_one_that_varies_most_with_the_score():
    boosted = GradientBoostingClassifier(n_estimators=10, max_depth=2).fit(X, Y)
    imported = import_model(boosted)
    forest = imported.forest
    raw = forest.raw(X)
    covariance = [
        forest.factor[j] * np.cov(tree.response[apply(tree)][:, 0], raw[:, forest.output[j]])[0, 1]
        for j, tree in enumerate(forest.trees)
    ]
    assert typical_tree(imported, X) == int(np.argmax(covariance))


def apply(tree):
    return leaf_of(tree, X)


def test_what_has_no_trees_is_refused():
    with pytest.raises(TypeError, match="expected a fitted ensemble; got CARTClassifier"):
        typical_tree(CARTClassifier().fit(X, Y))
    with pytest.raises(ValueError, match="not fitted"):
        typical_tree(BaggedTreesClassifier())
    with pytest.raises(ValueError, match="at least one row"):
        typical_tree(Forest.average([CARTClassifier().fit(X, Y).tree_]), X[:0])
