"""Growth on samples: against trees grown from the samples themselves."""

import numpy as np
import pytest
from joblib import parallel_config

from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.ensemble.sampling import SAMPLINGS, Sampling, rows_in_bag, seed_of_tree
from softwood.ensemble.shared_data import SharedTrainingData, grow_trees
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.grow.random import RandomGrower, VariableRandom
from softwood.learn.bagging import CartOfSample
from tests.strategies import WITHOUT_JIT


def mixed(n_rows=80, missing=0.1, seed=0, **options):
    """Two numeric columns and a nominal one, some values missing."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(n_rows, 2)).round(1), rng.integers(0, 4, n_rows)])
    label = (X[:, 0] > 0).astype(int) + (X[:, 2] == 2)
    X[rng.random(X.shape) < missing] = np.nan
    return TrainingSet.of_classes(X, label, n_categories=[0, 0, 4], **options)


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_cart_trees_are_those_of_the_sample(missing):
    data, grower = mixed(missing=missing), CartOfSample(Cart("gini"))
    shared = SharedTrainingData.of(data, Sampling("bootstrap"), seed=3)
    trees = grow_trees([grower] * 4, shared)
    for tree, rows in zip(trees, rows_in_bag(shared.sampling, 3, 4, data.weight), strict=True):
        assert tree == GreedyGrower(Cart("gini")).grow(data.take(np.sort(rows)))


def test_a_bootstrap_sample_is_a_table_with_whole_weights():
    data = mixed(missing=0.0)
    shared = SharedTrainingData.of(data, Sampling("bootstrap"), seed=0)
    (tree,) = grow_trees([CartOfSample(Cart("gini"))], shared)
    counts = np.bincount(rows_in_bag(shared.sampling, 0, 1, data.weight)[0], minlength=80)
    drawn = np.flatnonzero(counts)
    weighted = TrainingSet.of_classes(
        data.X[drawn], data.label[drawn], weight=counts[drawn], n_categories=data.n_categories
    )
    expected = GreedyGrower(Cart("gini")).grow(weighted)
    np.testing.assert_array_equal(tree.feature, expected.feature)
    np.testing.assert_array_equal(tree.threshold, expected.threshold)
    np.testing.assert_allclose(tree.weight, expected.weight)
    np.testing.assert_allclose(tree.response, expected.response)


def test_deterministic_trees_are_those_of_the_sample():
    data, grower = mixed(), RandomGrower(VariableRandom(alpha=1.0))
    shared = SharedTrainingData.of(data, Sampling("bootstrap"), seed=5)
    trees = grow_trees([grower] * 3, shared)
    for tree, rows in zip(trees, rows_in_bag(shared.sampling, 5, 3, data.weight), strict=True):
        alone = grower.grow(data.take(np.sort(rows)), np.random.SeedSequence(0))
        np.testing.assert_array_equal(tree.feature, alone.feature)
        np.testing.assert_allclose(tree.response, alone.response)


def test_a_tree_tests_nothing_outside_of_its_subspace():
    data = mixed(missing=0.0)
    shared = SharedTrainingData.of(data, Sampling("subspace", 1), seed=0)
    for number, tree in enumerate(grow_trees([RandomGrower(VariableRandom(0.5))] * 9, shared)):
        (allowed,) = shared.sampling.features([seed_of_tree(0, number)], 3)
        assert set(tree.feature[tree.feature >= 0].tolist()) <= set(allowed.tolist())


def test_trees_see_the_weights_unless_these_chose_the_rows():
    data = mixed(weight=np.random.default_rng(1).uniform(0.5, 3.0, 80))
    for kind in ("all", "bootstrap"):
        shared = SharedTrainingData.of(data, Sampling(kind), seed=0)
        (tree,) = grow_trees([RandomGrower(VariableRandom(0.5))], shared)
        assert tree.weight[0] == pytest.approx(data.weight.sum())


@pytest.mark.parametrize("kind", SAMPLINGS)
def test_the_bits_do_not_depend_on_threads_or_on_where_one_starts(kind):
    data = mixed()
    shared = SharedTrainingData.of(data, Sampling(kind), seed=0)
    growers = [RandomGrower(VariableRandom(alpha)) for alpha in (0.0, 0.3, 0.7, 1.0)]
    trees = grow_trees(growers, shared)
    assert grow_trees(growers, shared, Jobs(2)) == trees
    assert grow_trees(growers[2:], shared, first=2) == trees[2:]
    other = SharedTrainingData.of(data, Sampling(kind), seed=1)
    assert grow_trees(growers[:1], other) != trees[:1]


def test_other_processes_grow_the_same_trees():
    # So many rows that joblib maps the table into their memory, to be read only.
    data = mixed(n_rows=500 if WITHOUT_JIT else 45_000, missing=0.01)
    shared = SharedTrainingData.of(data, Sampling("bootstrap"), seed=0)
    growers = [RandomGrower(VariableRandom(0.0, max_depth=4))] * 2 + [
        CartOfSample(Cart("gini", max_depth=3))
    ]
    with parallel_config(backend="loky", n_jobs=2):
        trees = grow_trees(growers, shared, Jobs(2))
    assert trees == grow_trees(growers, shared)
