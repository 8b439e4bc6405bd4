import itertools

import numpy as np
import pytest

from softwood.flow import Hard, Ramp
from softwood.refine.reduced_error import PruneReducedError
from softwood.tree import NUMERIC
from tests.refine.test_gradient import classes, grown, numbers


def loss(tree, data):
    answers = Hard().predict(tree, data.X)
    if data.is_regression:
        return float(np.sum(data.weight * (answers[:, 0] - data.target) ** 2))
    return float(data.weight[answers.argmax(axis=1) != data.label].sum())


@pytest.mark.parametrize("make", [classes, numbers])
def test_it_is_the_smallest_of_the_best_of_all_pruned_trees(make):
    """Against the obvious way: try every set of nodes that may become leaves."""
    tree = grown(make(60), leaf=9)
    held_out = make(80, seed=5)
    inner = np.flatnonzero(~tree.is_leaf)
    assert 3 <= inner.size <= 10
    tried = []
    for chosen in itertools.product([False, True], repeat=inner.size):
        leaves = np.zeros(tree.n_nodes, dtype=bool)
        leaves[inner[list(chosen)]] = True
        pruned = tree.compact(leaves=leaves)
        tried.append((round(loss(pruned, held_out), 6), pruned.n_leaves))
    found = PruneReducedError().refine(tree, held_out)
    assert (round(loss(found, held_out), 6), found.n_leaves) == min(tried)


def test_soft_trees_are_judged_as_they_answer():
    data = classes(80)
    tree = grown(data, leaf=9)
    width = np.where(tree.kind == NUMERIC, 1.0, 0.0)
    soft = tree.replace(below=width, above=width)
    pruned = PruneReducedError(Ramp()).refine(soft, classes(80, seed=3))
    assert pruned.n_leaves < soft.n_leaves
    assert pruned.below[pruned.kind == NUMERIC].all()
