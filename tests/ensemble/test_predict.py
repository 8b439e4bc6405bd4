import numpy as np
import pytest

from softwood.data.training import TrainingSet
from softwood.ensemble import predict
from softwood.ensemble.jobs import Jobs
from softwood.flow import Gaussian, Hard, leaf_of
from softwood.forest import Forest
from softwood.grow.greedy import Cart, GreedyGrower
from tests.ensemble.test_alphas import stumps


@pytest.fixture(scope="module")
def forest():
    return Forest.average(stumps()[0])


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(700, 3))
    X[rng.random(X.shape) < 0.1] = np.nan
    return X


@pytest.mark.parametrize("flow", [Hard(), Gaussian(0.3)])
def test_answers_do_not_depend_on_the_number_of_parts(forest, rows, flow):
    use = np.random.default_rng(2).random((700, forest.n_trees)) < 0.5
    for mask in (None, use):
        expected = forest.predict(rows, flow, mask)
        for n_jobs in (1, 2):
            found = predict.predict(forest, rows, flow, Jobs(n_jobs), mask)
            assert np.array_equal(found, expected, equal_nan=True)


@pytest.mark.parametrize("flow", [Hard(), Gaussian(0.3)])
def test_leaves_stand_tree_beside_tree(forest, rows, flow):
    found = predict.leaves(forest, rows, flow, Jobs(2))
    assert found.shape == (700, forest.n_trees)
    for j, tree in enumerate(forest.trees):
        assert np.array_equal(found[:, j], leaf_of(tree, rows, flow))
    assert np.array_equal(found, predict.leaves(forest, rows, [flow] * forest.n_trees, Jobs()))


def test_paths_begin_at_every_root_and_end_in_the_leaves(forest, rows):
    path, start = predict.paths(forest, rows, Hard(), Jobs())
    assert start.tolist() == np.cumsum([0, *(tree.n_nodes for tree in forest.trees)]).tolist()
    dense = path.toarray()
    assert dense.shape == (700, start[-1])
    assert (dense[:, start[:-1]] == 1).all()
    at = predict.leaves(forest, rows, Hard(), Jobs()) + start[:-1]
    assert (np.take_along_axis(dense, at, axis=1) == 1).all()


@pytest.mark.parametrize("flow", [Hard(), Gaussian(0.3)])
def test_masses_times_responses_are_the_answers(forest, rows, flow):
    mass = predict.masses(forest, rows, flow, Jobs(2))
    responses = np.concatenate([tree.response[tree.leaves] for tree in forest.trees])
    np.testing.assert_allclose(mass.sum(axis=1), 1.0, atol=1e-9)
    np.testing.assert_allclose(mass @ responses, forest.predict(rows, flow), atol=1e-9)


def constant(number):
    """A tree that answers the same to all rows."""
    data = TrainingSet.of_target(np.zeros((2, 1)), [number, number])
    return GreedyGrower(Cart("squared_error")).grow(data)


def test_the_scatter_of_all_trees_where_those_that_scatter_are_asked_more_often():
    # Trees that are but a leaf answer a number each: small and large samples, so to speak.
    rng = np.random.default_rng(0)
    numbers = np.concatenate([rng.normal(scale=3.0, size=300), rng.normal(size=300)])
    forest = Forest.average([constant(number) for number in numbers])
    X = np.zeros((400, 1))
    use = rng.random((400, 600)) < np.repeat([0.4, 0.1], 300)
    asked = predict.scatter(forest, X, Hard(), Jobs(), use)
    of_all = predict.scatter(forest, X[:1], Hard(), Jobs())[0]
    found = predict.scatter_of_all(forest, X, Hard(), Jobs(), use)
    assert found < 0.9
    assert np.sqrt(np.mean(asked**2)) * found == pytest.approx(of_all, rel=0.01)


def test_trees_that_agree_scatter_alike():
    forest = Forest.average([constant(2.0)] * 3)
    use = np.array([[True, True, False], [False, True, True]])
    assert predict.scatter_of_all(forest, np.zeros((2, 1)), Hard(), Jobs(), use) == 1.0
    nobody = np.zeros((2, 3), dtype=bool)
    assert predict.scatter_of_all(forest, np.zeros((2, 1)), Hard(), Jobs(), nobody) == 1.0
