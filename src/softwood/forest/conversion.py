"""A tree to a packed one, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from softwood._kernels.packing.packed import ANSWER, LEAF_KEY, Packed, feature_bits, keys_of
from softwood.forest.builder import counted_weights
from softwood.forest.one_hot import OneHotColumns
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood.forest.packed import PackedForest

MIDDLE = 0.5  # the cut of an indicator


def packed_tree(tree: Tree, one_hot: OneHotColumns) -> Packed:
    """Pack a tree whose tests fit; its table has a row for each leaf."""
    leaf, column = tree.is_leaf, one_hot.column_of_tests(tree)
    key = keys_of(np.where(one_hot.is_indicator[column], MIDDLE, tree.threshold))
    key[leaf] = LEAF_KEY | np.arange(np.count_nonzero(leaf), dtype=np.uint64)
    steps = tree.first_child.astype(np.int64) - np.arange(tree.n_nodes)
    link = np.where(leaf, 0, steps << feature_bits(one_hot.n_columns) | column)
    return Packed(
        key, link.astype(np.uint64), tree.weight, np.empty((0, 2), np.int32), tree.response[leaf]
    )


def unpacked(forest: PackedForest, j: int) -> Tree:
    """Return a tree of a packed forest on its own."""
    from softwood._kernels.packing.unpack import room_for_tree, unpack_tree

    first, last = forest.root[j], forest.root[j + 1]
    own = forest.own[slice(*np.searchsorted(forest.own[:, 0], (first, last)))]
    weight = forest.weight[first:last].astype(np.float64)
    nodes = (forest.key[first:last], forest.link[first:last], forest.bits, weight)
    arrays = room_for_tree(int(last - first), forest.table.shape[1])
    unpack_tree(*nodes, own, int(first), forest.table, arrays)
    tree = Tree.of_numeric_tests(forest.n_columns, **arrays._asdict())
    return tree if forest.one_hot is None else forest.one_hot.tree(tree)


def packed_forest(forest: PackedForest) -> Packed:
    """Return all trees of a forest as if they were one that is to be added to another forest."""
    leaf_key = LEAF_KEY | (forest.key & ANSWER)  # without the count of cases
    key = np.where(forest.link == 0, leaf_key, forest.key)
    weight = forest.weight.astype(np.float64)
    if not weight.size:
        weight = counted_weights(forest.key, forest.link, forest.bits)
    link = forest.link.astype(np.uint64)
    return Packed(key, link, weight, forest.own.copy(), forest.table[forest.n_pure :])
