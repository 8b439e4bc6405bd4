"""CART's trees and cost-complexity tables against rpart 4.1.19.

Three things are known to differ, and nothing else may: rpart sends ``x < cut`` left and
we send ``x <= cut`` (test rows that lie on a cut); rpart's complexities are a one-level
approximation of Breiman's (tests/oracles/rpart_complexity.py); and on *vehicle* rpart
breaks exact ties between mirrored splits by rounding noise.
"""

import numpy as np
import pytest

from softwood.data.training import TrainingSet
from softwood.flow import Hard
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.refine.collapse import leaf_errors
from softwood.refine.cost_complexity import pruning_sequence
from tests.golden import RPART_SETS, read_j48, read_rpart
from tests.oracles.rpart_complexity import rpart_table

SAME_TREES = [name for name in RPART_SETS if name != "vehicle"]


def full_tree(name):
    golden, record = read_j48(name), read_rpart(name)
    rows = record["train_rows"]
    data = TrainingSet.of_classes(golden.X[rows], golden.label[rows], n_classes=len(golden.classes))
    return GreedyGrower(Cart("gini")).grow(data), golden, record


def strictly_less(tree):
    """The same tree under rpart's convention: a row on the cut goes right."""
    cuts = np.where(tree.is_leaf, 0.0, np.nextafter(tree.threshold, -np.inf))
    return tree.replace(threshold=cuts)


def test_error(tree, golden, rows):
    predicted = Hard().predict(strictly_less(tree), golden.X[rows]).argmax(axis=1)
    return np.mean(predicted != golden.label[rows])


test_error.__test__ = False


@pytest.mark.parametrize("name", SAME_TREES)
def test_the_full_tree_gives_rparts_table(name):
    tree, _, record = full_tree(name)
    assert tree.n_leaves == record["n_leaves_full"]
    ours = rpart_table(tree, np.rint(leaf_errors(tree)))
    theirs = [(row["CP"], row["nsplit"]) for row in record["cptable"].values()]
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", SAME_TREES)
def test_trees_of_the_same_size_make_the_same_test_errors(name):
    tree, golden, record = full_tree(name)
    sequence = pruning_sequence(tree)
    ours = {
        pruned.n_leaves - 1: pruned for pruned in (sequence.at(alpha) for alpha in sequence.alphas)
    }
    shared = 0
    for row, error in zip(record["cptable"].values(), record["test_error_of_pruned"], strict=True):
        if row["nsplit"] in ours:
            pruned = ours[row["nsplit"]]
            # Printed to eleven digits; a row is at least 1/2000.
            assert test_error(pruned, golden, record["test_rows"]) == pytest.approx(error, abs=1e-9)
            shared += 1
    assert shared >= len(record["cptable"]) - 4


@pytest.mark.parametrize("name", RPART_SETS)
def test_alphas_agree_wherever_both_sequences_have_the_step(name):
    tree, _, record = full_tree(name)
    sequence = pruning_sequence(tree)
    root = leaf_errors(tree)[0] / tree.weight[0]
    ours = np.column_stack([sequence.alphas / root, sequence.n_leaves() - 1])
    theirs = np.array([(row["CP"], row["nsplit"]) for row in record["cptable"].values()])
    # Ours never keeps more splits than rpart for a dearer leaf: it is the optimum.
    for cp, n_splits in theirs:
        pruned = sequence.at(cp * root)
        cost = leaf_errors(pruned)[pruned.is_leaf].sum() / tree.weight[0]
        relative = {row["nsplit"]: row["rel error"] for row in record["cptable"].values()}[n_splits]
        best = cost / root + cp * (pruned.n_leaves - 1)
        assert best <= relative + cp * n_splits + 1e-9
    if name in ("bupa", "iris", "wisconsin"):
        np.testing.assert_allclose(ours[::-1], theirs, rtol=1e-9, atol=1e-12)
