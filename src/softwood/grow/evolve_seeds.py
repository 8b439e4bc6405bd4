"""Grown trees as members of a population to begin with."""

from __future__ import annotations

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.grow.evolve_rows import groups_of
from softwood.grow.evolve_trees import ENDS, Line
from softwood.tree import NOMINAL, Tree


def as_line(tree: Tree, data: TrainingSet, max_depth: int) -> Line:
    """Return a tree of binary tests that answers as ``tree`` does.

    A test with a branch for each of several categories becomes a chain of tests. What lies
    deeper than ``max_depth`` is cut off. A cut that is the value of a row moves half way to
    the next: noise would send half of that row to either side.

    Parameters
    ----------
    tree : Tree
        Numeric and nominal tests.
    data : TrainingSet
        What it was grown on.
    max_depth : int
        Most tests on a path.
    """
    known = [np.unique(column[~np.isnan(column)]) for column in data.X.T]
    nodes: list[tuple[int, float, int, int]] = []
    # A node to come, the branches of it that are still to be told apart, and its depth.
    todo: list[tuple[int, list[int], int]] = [(0, [], 0)]
    while todo:
        node, branches, depth = todo.pop()
        n_children = int(tree.n_children[node])
        answer = int(tree.response[node].argmax())
        if n_children == 0 or depth >= max_depth:
            nodes.append((ENDS, 0.0, 0, answer))
            continue
        branches = branches or list(range(n_children))
        feature, first = int(tree.feature[node]), int(tree.first_child[node])
        head, *rest = branches
        cut, subset = 0.0, 0
        if tree.kind[node] == NOMINAL:
            subset = _bits(tree.branch_of_category(node) == head, groups_of(data, feature))
        else:
            cut = _off_the_values(float(tree.threshold[node]), known[feature])
        nodes.append((feature, cut, subset, 0))
        alone = len(rest) == 1
        todo.append((first + rest[0] if alone else node, [] if alone else rest, depth + 1))
        todo.append((first + head, [], depth + 1))
    columns = list(zip(*nodes, strict=True))
    return Line(
        feature=np.array(columns[0], dtype=np.int32),
        cut=np.array(columns[1]),
        subset=np.array(columns[2], dtype=np.uint64),
        label=np.array(columns[3], dtype=np.int32),
    )


def _bits(goes: AnyArray, groups: AnyArray) -> int:
    """Return the word of the categories that take a branch."""
    word = 0
    for bit in np.unique(groups[goes]):
        word |= 1 << int(bit)
    return word


def _off_the_values(cut: float, values: FloatArray) -> float:
    at = int(np.searchsorted(values, cut, side="right"))
    if 0 < at < values.size and values[at - 1] == cut:
        return float(cut + 0.5 * (values[at] - cut))
    return cut
