"""Passes over all rows set the leaves of a soft tree that learnt its tests from some of them.

Every partition adds up what comes to each leaf. The sums are small, and are added up on their way,
in an order that depends on the partitions alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.dask.running import computed
from softwood.data.training import TrainingSet
from softwood.flow import Flow
from softwood.forest.sums import blocks
from softwood.learn.fitted import Fitted
from softwood.refine.refresh import PRIOR, TINY
from softwood.tree import Tree

PASSES = 3  # of EM, for classes: the first brings most of what there is to gain
AT_ONCE = 8  # sums that are added up in one task
ROWS_IN_BLOCK = 1 << 16

Sums = tuple[FloatArray, FloatArray]


def with_leaves_of_all(fitted: Fitted, parts: Sequence[Any]) -> Fitted:
    """Return a soft tree whose leaves answer what makes all rows most likely, under its flow.

    Parameters
    ----------
    fitted : Fitted
        One tree. Half a row at each leaf says what it has answered so far.
    parts : sequence of Delayed
        The partitions, a training set each; they are read once for numbers, and three times
        for classes.
    """
    tree, flow = fitted.tree, fitted.flow
    leaves = tree.leaves
    before = tree.response[leaves]
    if leaves.size == 1:
        return fitted
    if tree.response.shape[1] == 1:
        inner, totals = _summed(square_sums, parts, tree, flow)
        inner[np.diag_indices_from(inner)] += PRIOR
        answer = np.asarray(np.linalg.solve(inner, totals + PRIOR * before), np.float64)
        return Fitted.of_tree(_with_answers(tree, answer), flow, **fitted.facts)
    for _ in range(PASSES):
        _, sums = _summed(expected_counts, parts, tree, flow)
        sums = sums + PRIOR * before
        tree = _with_answers(tree, sums / sums.sum(axis=1, keepdims=True))
    return Fitted.of_tree(tree, flow, **fitted.facts)


def expected_counts(tree: Tree, flow: Flow, data: TrainingSet) -> Sums:
    """Return how many rows of each class there are at each leaf, as its answers share them out."""
    share = tree.response[tree.leaves]
    counts = np.zeros_like(share)
    for rows in blocks(data.n_rows, ROWS_IN_BLOCK):
        spread = flow.spread(tree, data.X[rows])
        target = np.eye(data.n_classes)[data.label[rows]] * data.weight[rows, None]
        counts += share * (spread.T @ (target / np.maximum(spread @ share, TINY)))
    return np.zeros((0, 0)), counts


def square_sums(tree: Tree, flow: Flow, data: TrainingSet) -> Sums:
    """Return the sums of squares of the masses at leaves, and of these with the numbers."""
    inner, sums = np.zeros((tree.n_leaves, tree.n_leaves)), np.zeros((tree.n_leaves, 1))
    for rows in blocks(data.n_rows, ROWS_IN_BLOCK):
        spread = flow.spread(tree, data.X[rows])
        weighted = spread.multiply(data.weight[rows, None]).tocsr()
        inner += (weighted.T @ spread).toarray()
        sums += weighted.T @ data.target[rows, None]
    return inner, sums


def added(parts: Sequence[Sums]) -> Sums:
    """Return the sums of sums."""
    first, second = parts[0]
    for one, other in parts[1:]:
        first, second = first + one, second + other
    return first, second


def _summed(task: Any, parts: Sequence[Any], tree: Tree, flow: Flow) -> Sums:
    from dask import delayed

    sent = delayed((tree, flow), traverse=False)
    tasks = [delayed(task)(sent[0], sent[1], part) for part in parts]
    while len(tasks) > 1:
        groups = [tasks[start : start + AT_ONCE] for start in range(0, len(tasks), AT_ONCE)]
        tasks = [delayed(added)(group) for group in groups]
    (sums,) = computed(tasks, "leaves")
    found: Sums = sums
    return found


def _with_answers(tree: Tree, answer: FloatArray) -> Tree:
    """Return the tree with these answers; inner nodes say what is below them, by weight."""
    response = tree.response.copy()
    response[tree.leaves] = answer
    sums, parent = tree.weight[:, None] * response, tree.parent
    below = np.zeros_like(sums)
    below[tree.leaves] = sums[tree.leaves]
    for start, stop in reversed(list(tree.levels())[1:]):
        np.add.at(below, parent[start:stop], below[start:stop])
    inner = (tree.n_children > 0) & (tree.weight > 0.0)
    response[inner] = below[inner] / tree.weight[inner, None]
    return tree.replace(response=response)
