"""Binary trees as other libraries store them, two child pointers per node, become ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.tree import LEAF, NOMINAL, NUMERIC, Tree

NO_CHILD = -1


@dataclass(frozen=True, slots=True, eq=False)
class BinaryNodes:
    """A binary tree whose leaves answer one number; one entry per node, node 0 is the root.

    Attributes
    ----------
    left, right : ndarray of int of shape (n_nodes,)
        Children; -1 at leaves.
    feature, threshold : ndarray of shape (n_nodes,)
        The test ``x[feature] <= threshold`` sends left. Anything at leaves, and a
        threshold may be infinite.
    missing_left : ndarray of bool of shape (n_nodes,)
        Where missing values go.
    weight, value : ndarray of shape (n_nodes,)
        Training weight and answer; only those of leaves are read.
    goes_left : mapping of node to ndarray of bool
        The categories that go left, for nodes that test a nominal feature.
    """

    left: AnyArray
    right: AnyArray
    feature: AnyArray
    threshold: FloatArray
    missing_left: AnyArray
    weight: FloatArray
    value: FloatArray
    goes_left: Mapping[int, BoolArray] = field(default_factory=dict)


def tree_of_nodes(nodes: BinaryNodes, n_features: int) -> Tree:
    """Return the tree; inner nodes get the weight and the mean answer of their leaves."""
    order = breadth_first(nodes.left, nodes.right)
    is_leaf = nodes.left[order] == NO_CHILD
    sets = [nodes.goes_left.get(int(node), np.zeros(0, dtype=bool)) for node in order]
    sizes = np.array([one.size for one in sets])
    kind = np.where(is_leaf, LEAF, np.where(sizes > 0, NOMINAL, NUMERIC))
    limit = np.finfo(np.float64).max  # beyond every number that a table may hold
    threshold = np.clip(nodes.threshold[order], -limit, limit)
    tree = Tree.from_nodes(
        n_features=n_features,
        first_child=first_children(is_leaf),
        n_children=np.where(is_leaf, 0, 2),
        kind=kind,
        feature=np.where(is_leaf, -1, nodes.feature[order]),
        threshold=np.where(kind == NUMERIC, threshold, 0.0),
        missing_child=np.where(is_leaf, -1, np.where(nodes.missing_left[order], 0, 1)),
        weight=np.where(is_leaf, nodes.weight[order], 0.0),
        response=np.where(is_leaf, nodes.value[order], 0.0)[:, None],
        set_start=np.concatenate(([0], np.cumsum(sizes))),
        set_child=np.where(np.concatenate(sets), 0, 1),
    )
    return with_mean_answers(tree.replace(weight=added_up(tree, tree.weight)))


def breadth_first(left: AnyArray, right: AnyArray) -> AnyArray:
    """Return the nodes level by level, siblings side by side."""
    levels = [np.zeros(1, dtype=np.int64)]
    while levels[-1].size:
        inner = levels[-1][left[levels[-1]] != NO_CHILD]
        levels.append(np.column_stack([left[inner], right[inner]]).ravel())
    return np.concatenate(levels)


def first_children(is_leaf: BoolArray) -> AnyArray:
    """Return where the two children of each node start, in breadth-first order."""
    return np.where(is_leaf, NO_CHILD, 2 * np.cumsum(~is_leaf) - 1)


def with_mean_answers(tree: Tree) -> Tree:
    """Return the tree whose inner nodes answer the mean of the leaves below, by weight.

    Boosting libraries keep something else there, or nothing. Where no leaf below has any
    weight, all count alike.
    """
    total = added_up(tree, tree.weight)
    # A subtree without weight counts its leaves instead.
    alike = (total == 0.0)[:, None]
    n_leaves = added_up(tree, np.ones(tree.n_nodes))[:, None]
    weighted = added_up(tree, tree.weight[:, None] * tree.response)
    mean = np.where(
        alike,
        added_up(tree, tree.response) / n_leaves,
        weighted / np.where(alike, 1.0, total[:, None]),
    )
    return tree.replace(response=np.where(tree.is_leaf[:, None], tree.response, mean))


def added_up(tree: Tree, at_leaves: FloatArray) -> FloatArray:
    """Return the sum over the leaves below each node."""
    total = np.where(tree.is_leaf.reshape(-1, *[1] * (at_leaves.ndim - 1)), at_leaves, 0.0)
    parent = tree.parent
    for start, stop in reversed(list(tree.levels())[1:]):
        np.add.at(total, parent[start:stop], total[start:stop])
    return total
