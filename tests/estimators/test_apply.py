"""``apply`` tells the leaf that gets most of a row, whatever the flow."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from softwood import (
    BaggedTreesClassifier,
    CARTClassifier,
    CoalescenceClassifier,
    Gradient,
    SoftTreeClassifier,
    SoftTreeRegressor,
    VRForestClassifier,
    VRForestRegressor,
    soften,
)
from softwood.flow import Gaussian, Hard, Ramp, Sampled, leaf_of


def heaviest(flow, tree, X):
    """Return the first of the heaviest leaves of each row."""
    return tree.leaves[flow.spread(tree, X).toarray().argmax(axis=1)]


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True)


def test_a_smoothed_tree_names_the_heaviest_leaf(wine):
    """Rows were given the leaf of the hard tree, also where another gets more of them."""
    X, y = wine
    model = SoftTreeClassifier(method="perturb", smoothing=0.5, random_state=0).fit(X, y)
    assert_array_equal(model.apply(X), heaviest(model.flow_, model.tree_, X))
    assert np.count_nonzero(model.apply(X) != leaf_of(model.tree_, X)) > 0


@pytest.mark.parametrize(
    "flow", [Hard(), Ramp(), Ramp(shape="normal"), Gaussian(0.5), Sampled(0.5, n=8)]
)
def test_every_flow_names_the_first_of_its_heaviest_leaves(flow, wine):
    X, y = wine
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.05, np.nan, X)
    tree = (
        SoftTreeClassifier(method=Gradient(teacher=0, n_epochs=2), random_state=0).fit(X, y).tree_
    )
    assert_array_equal(leaf_of(tree, X, flow), heaviest(flow, tree, X))
    assert leaf_of(tree, X[:0], flow).shape == (0,)


def test_of_two_halves_the_first_is_named():
    model = SoftTreeClassifier(CARTClassifier(), method="perturb", smoothing=0.5)
    model.fit([[0.0], [1.0]], [0, 1])
    assert_array_equal(model.apply([[0.5]]), [1])


@pytest.mark.parametrize(
    "ensemble",
    [
        BaggedTreesClassifier(3, smoothing=0.5, random_state=0),
        VRForestClassifier(3, smoothing=0.5, random_state=0),
        CoalescenceClassifier(3, smoothing=0.5, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_ensembles_follow_their_flow(ensemble, wine):
    X, y = wine
    ensemble.fit(X, y)
    found = ensemble.apply(X)
    for j, tree in enumerate(ensemble.trees_):
        assert_array_equal(found[:, j], heaviest(ensemble.flow_, tree, X))
    assert (found != np.column_stack([leaf_of(tree, X) for tree in ensemble.trees_])).any()


def test_regressors_follow_their_flow():
    X, y = load_diabetes(return_X_y=True)
    tree = SoftTreeRegressor(method="perturb", smoothing=0.3, random_state=0).fit(X, y)
    assert_array_equal(tree.apply(X), heaviest(tree.flow_, tree.tree_, X))
    forest = VRForestRegressor(2, smoothing=0.3, random_state=0).fit(X, y)
    expected = [heaviest(forest.flow_, tree, X) for tree in forest.trees_]
    assert_array_equal(forest.apply(X), np.column_stack(expected))


def test_softened_models_of_others_follow_their_flow(wine):
    X, y = wine
    single = soften(DecisionTreeClassifier(random_state=0).fit(X, y), X, y, smoothing=0.5)
    assert_array_equal(single.apply(X), heaviest(single.flow_, single.tree_, X))
    forest = RandomForestClassifier(3, random_state=0).fit(X, y)
    several = soften(forest, X, y, smoothing=0.5)
    expected = [heaviest(several.flow_, tree, X) for tree in several.trees_]
    assert_array_equal(several.apply(X), np.column_stack(expected))
