"""Leaves estimated from rows that nobody holds as a whole: sums of batches, added up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Hard
from softwood.forest import Forest
from softwood.forest.builder import packed_tree
from softwood.forest.one_hot import OneHotColumns
from softwood.forest.packed import PackedForest, PackedTrees
from softwood.forest.sums import blocks
from softwood.learn.refresh import Refresher
from softwood.refine.refresh import Refreshed
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood._kernels.packing.packed import Packed

ROWS_IN_BLOCK = 1 << 16  # whose leaves are known at once
HARD = Hard()

Sums = list[FloatArray]  # of each tree: leaves by the outputs, and the weight at last


class FromSums(NamedTuple):
    """A forest whose leaves follow from sums, and how many leaves no row has reached."""

    forest: Forest
    n_unreached: int


def sums_of_rows(forest: Forest, data: TrainingSet) -> Sums:
    """Return what some rows add to the leaves of each tree.

    A row with gaps spreads by the weights that the tree has.
    """
    packed, wanted = forest.packed, _columns(data)
    if packed is None:
        return [_spread_sums(tree, data.X, wanted) for tree in forest.trees]
    complete = packed.are_complete(data.X)
    gaps = np.flatnonzero(~complete)
    whole, of_whole = (data.X, wanted) if not gaps.size else (data.X[complete], wanted[complete])
    sums = [np.zeros((int(size), wanted.shape[1])) for size in np.diff(packed.root)]
    for rows in blocks(len(whole), ROWS_IN_BLOCK):
        leaf = packed.leaves(whole[rows])
        for number, found in enumerate(sums):
            _add_at(found, leaf[:, number], of_whole[rows])
    for number, tree in enumerate(forest.trees):
        sums[number] = sums[number][tree.leaves]
        if gaps.size:
            sums[number] += _spread_sums(tree, data.X[gaps], wanted[gaps])
    return sums


def added(total: Sums | None, more: Sums) -> Sums:
    """Return the sums of two batches, tree by tree."""
    if total is None:
        return more
    return [one + other for one, other in zip(total, more, strict=True)]


def with_leaves_of(forest: Forest, sums: Sums, refresher: Refresher) -> FromSums:
    """Return the forest whose leaves follow from the sums of all batches.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.forest import Forest
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.learn.leaf_sums import added, sums_of_rows, with_leaves_of
    >>> from softwood.learn.refresh import Refresher
    >>> X = np.arange(6.0)[:, None]
    >>> tree = GreedyGrower(Cart()).grow(TrainingSet.of_classes(X, [0, 0, 0, 1, 1, 1]))
    >>> forest, sums = Forest.average([tree]), None
    >>> for rows, label in ((X[:3], [0, 0, 1]), (X[3:], [1, 1, 1])):
    ...     newer = TrainingSet.of_classes(rows, label, n_classes=2)
    ...     sums = added(sums, sums_of_rows(forest, newer))
    >>> found = with_leaves_of(forest, sums, Refresher())
    >>> found.forest.trees[0].response[1].round(3).tolist()
    [0.667, 0.333]
    """
    plain = [
        refresher.leaves.of_sums(tree, found[:, -1], found[:, :-1])
        for tree, found in zip(forest.trees, sums, strict=True)
    ]
    n_unreached = sum(int(np.count_nonzero(~one.reached)) for one in plain)
    if isinstance(forest.trees, PackedTrees) and not refresher.laplace:
        trees = _packed(plain, refresher, forest.trees.packed)
        return FromSums(forest.replace(trees=trees), n_unreached)
    least = refresher.curtail_of_trees(forest.n_trees)
    new = [refresher.corrected(*pair).tree for pair in zip(plain, least, strict=True)]
    return FromSums(forest.replace(trees=new), n_unreached)


def _packed(plain: Iterable[Refreshed], refresher: Refresher, old: PackedForest) -> PackedTrees:
    """Return the trees packed as the old ones; leaves that answer as above keep their own."""
    columns = old.one_hot or OneHotColumns.of(np.zeros(old.n_features, dtype=np.int32))

    def packed(found: Refreshed, curtail: float | None) -> Packed:
        tree, own = packed_tree(refresher.corrected(found, curtail).tree, columns), found.tree
        differs = np.flatnonzero((own.response[own.leaves] != tree.table).any(axis=1))
        places = np.column_stack([own.leaves[differs], own.n_leaves + np.arange(differs.size)])
        table = np.concatenate([tree.table, own.response[own.leaves[differs]]])
        return tree._replace(own=places.astype(np.int32), table=table)

    trees = map(packed, plain, refresher.curtail_of_trees(old.n_trees))
    return PackedTrees(
        PackedForest.of_packed(trees, columns.n_columns, True, old.n_trees, old.one_hot)
    )


def _columns(data: TrainingSet) -> FloatArray:
    """Return what each row adds to its leaf: its weight at its class, or times its number."""
    if data.is_regression:
        return np.column_stack([data.weight * data.target, data.weight])
    columns = np.zeros((data.n_rows, data.n_classes + 1))
    columns[np.arange(data.n_rows), data.label] = data.weight
    columns[:, -1] = data.weight
    return columns


def _add_at(sums: FloatArray, leaf: AnyArray, columns: FloatArray) -> None:
    for k in range(columns.shape[1]):
        sums[:, k] += np.bincount(leaf, columns[:, k], minlength=len(sums))


def _spread_sums(tree: Tree, X: FloatArray, columns: FloatArray) -> FloatArray:
    return np.asarray(HARD.spread(tree, X).T @ columns)
