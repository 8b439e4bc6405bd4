"""Leaves drawn towards the nodes above them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.training import TrainingSet
from softwood.flow import Hard
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.refine.shrink import best_shrunk, shrunk


def grown(seed, n_rows=60, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 3))
    y = (X[:, 0] > 0) ^ (rng.random(n_rows) < noise)
    data = TrainingSet.of_classes(X, y.astype(int))
    return GreedyGrower(Cart()).grow(data), data


def by_paths(tree, strength):
    """The sum over each path, as the paper prints it."""
    response = {}
    for leaf in tree.leaves:
        path = [leaf]
        while path[0] != 0:
            path.insert(0, next(v for v in range(tree.n_nodes) if path[0] in tree.children(v)))
        total = tree.response[0].copy()
        for above, below in pairwise(path):
            step = tree.response[below] - tree.response[above]
            total += step / (1 + strength / tree.weight[above])
        response[int(leaf)] = total
    return response


@given(st.integers(0, 20), st.floats(0.01, 100.0))
def test_leaves_are_the_sums_along_their_paths(seed, strength):
    tree, _ = grown(seed)
    found = shrunk(tree, strength)
    for leaf, wanted in by_paths(tree, strength).items():
        np.testing.assert_allclose(found.response[leaf], wanted, atol=1e-12)
    np.testing.assert_allclose(found.response.sum(axis=1), 1.0)
    assert found.response.min() >= -1e-12


def test_nothing_and_everything():
    tree, _ = grown(0)
    assert shrunk(tree, 0.0) is tree
    flat = shrunk(tree, 1e12)
    np.testing.assert_allclose(flat.response, np.tile(tree.response[0], (tree.n_nodes, 1)))


@pytest.mark.parametrize("noise", [0.0, 0.4])
def test_as_far_as_those_say_who_have_not_seen_the_rows(noise):
    tree, data = grown(1, noise=noise)
    truth = np.where(data.X[:, :1] > 0, 1.0 - noise, noise)
    found = best_shrunk(tree, Hard(), data, np.hstack([1.0 - truth, truth]))
    assert (found is tree) == (noise == 0.0)


def test_heavy_rows_do_not_count_as_many():
    tree, data = grown(2, noise=0.4)
    answers = np.full((data.n_rows, 2), 0.5)
    heavy = TrainingSet.of_classes(data.X, data.label, weight=np.full(data.n_rows, 7.0))
    same = best_shrunk(tree.replace(weight=7.0 * tree.weight), Hard(), heavy, answers)
    np.testing.assert_allclose(
        same.response, best_shrunk(tree, Hard(), data, answers).response, atol=1e-12
    )
