"""The packed forest: all trees of a forest in one set of arrays, 12 bytes a node and little more.

Only cuts of numbers fit, and tests of one category against all others, which are cuts of
one-hot columns. That is most of what forests are made of, and what has to be fast; a forest of
other trees simply is not packed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np

from softwood._kernels.packing.packed import KeyArray, Packed, feature_bits
from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray
from softwood.forest.builder import LARGEST, PackedForestBuilder, packed_forest, packed_tree
from softwood.forest.one_hot import OneHotColumns
from softwood.tree import NONE, Tree


@dataclass(frozen=True, slots=True, eq=False)
class PackedForest:
    """Packed trees end to end; see :mod:`softwood._kernels.packing.packed`.

    Attributes
    ----------
    n_columns : int
        Columns that the trees test.
    key : ndarray of shape (n_nodes,)
        Cut or answer of each node of each tree.
    link : ndarray of shape (n_nodes,)
        Feature and first child of each.
    root : ndarray of shape (n_trees + 1,)
        Where each tree begins.
    weight : ndarray of shape (n_nodes,) or (0,)
        Training weight of each node, in the smallest type that is exact; nothing if the keys of
        leaves hold it.
    own : ndarray of shape (n_curtailed, 2)
        Leaves that answer as a node above them, and the row of the table with what they hold.
    table : ndarray of shape (n_answers, n_outputs)
        The answers.
    n_pure : int
        How many of them, at the beginning, are pure classes.
    one_hot : OneHotColumns, optional
        What the columns stand for; by default they are the features.
    spreads_missing : bool, default=True
        Whether a missing value goes to both children, by weight. If not, some trees send it to one
        of them, which is not known here: then only complete rows can be answered.
    """

    n_columns: int
    key: KeyArray
    link: AnyArray
    root: AnyArray
    weight: FloatArray
    own: IndexArray
    table: FloatArray
    n_pure: int
    one_hot: OneHotColumns | None = None
    spreads_missing: bool = True

    @classmethod
    def of_packed(
        cls,
        trees: Iterable[Packed],
        n_columns: int,
        is_regression: bool,
        n_trees: int = 1,
        one_hot: OneHotColumns | None = None,
    ) -> PackedForest:
        """Return a forest of packed trees, one after the other.

        Parameters
        ----------
        trees : iterable of Packed
            At least one. Each may be forgotten when the next one comes.
        n_columns : int
            Columns that they test.
        is_regression : bool
            Whether they answer numbers: then no row of the tables is shared.
        n_trees : int, default=1
            For how many there should be room.
        one_hot : OneHotColumns, optional
            What the columns stand for.
        """
        builder: PackedForestBuilder | None = None
        for tree in trees:
            builder = builder or PackedForestBuilder(
                n_columns, tree.table.shape[1], is_regression, n_trees
            )
            builder.add(tree)
        assert builder is not None
        return cls(n_columns, **builder.arrays(), one_hot=one_hot)

    @classmethod
    def of_trees(cls, trees: Sequence[Tree]) -> PackedForest | None:
        """Return a forest of trees; None if some test does not fit."""
        one_hot = OneHotColumns.of_trees(trees)
        if one_hot is None or sum(tree.n_nodes for tree in trees) > LARGEST:
            return None
        packed = (packed_tree(tree, one_hot) for tree in trees)
        kept = one_hot if one_hot.is_indicator.any() else None
        forest = cls.of_packed(packed, one_hot.n_columns, True, len(trees), kept)
        spreads_missing = all((tree.missing_child == NONE).all() for tree in trees)
        return forest if spreads_missing else replace(forest, spreads_missing=False)

    @classmethod
    def of_forests(cls, forests: Sequence[PackedForest]) -> PackedForest:
        """Return the trees of several forests on the same columns as one forest."""
        first = forests[0]
        n_outputs, is_regression = first.table.shape[1], first.n_pure == 0
        builder = PackedForestBuilder(first.n_columns, n_outputs, is_regression, len(forests))
        for forest in forests:
            builder.add(packed_forest(forest), forest.root[1:].tolist())
        return cls(first.n_columns, **builder.arrays(), one_hot=first.one_hot)

    @property
    def n_features(self) -> int:
        """Columns of the tables that the trees read."""
        return self.n_columns if self.one_hot is None else self.one_hot.n_features

    @property
    def bits(self) -> int:
        """How many bits of a link are the column."""
        return feature_bits(self.n_columns)

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return int(self.root.size - 1)

    @property
    def tested_columns(self) -> AnyArray:
        """The column of each test, test after test."""
        link = self.link[self.link != 0]
        return np.asarray(link & link.dtype.type((1 << self.bits) - 1)).astype(np.int64)

    @property
    def has_tests(self) -> bool:
        """Whether some tree is more than a leaf."""
        return bool((np.diff(self.root) > 1).any())

    def are_complete(self, X: FloatArray) -> BoolArray:
        """Return which rows no test spreads: nothing is missing, and no category unknown."""
        complete = np.asarray(~np.isnan(X).any(axis=1))
        return complete if self.one_hot is None else complete & self.one_hot.are_known(X)

    def add_answers(
        self, X: FloatArray, factor: FloatArray, total: FloatArray, use: BoolArray | None = None
    ) -> None:
        """Add what all trees answer to ``total``.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_features)
            Rows, in C order. One with a gap spreads as in :class:`softwood.flow.Hard`.
        factor : ndarray of shape (n_trees,)
            What the answer of each tree is multiplied by.
        total : ndarray of shape (n_rows, n_outputs)
            What they are added to.
        use : ndarray of bool of shape (n_rows, n_trees), optional
            Which trees a row asks; by default all.
        """
        complete = self._checked_complete(X)
        if complete.all():
            self._add_complete(X, factor, total, use)
            return
        for rows, add in ((complete, self._add_complete), (~complete, self._add_spread)):
            part = total[rows]
            add(X[rows], factor, part, None if use is None else use[rows])
            total[rows] = part

    def _checked_complete(self, X: FloatArray) -> BoolArray:
        if X.shape[1] != self.n_features:
            raise ValueError(f"X has {X.shape[1]} columns, but the trees read {self.n_features}")
        return self.are_complete(X)

    def _add_complete(
        self, X: FloatArray, factor: FloatArray, total: FloatArray, use: BoolArray | None
    ) -> None:
        from softwood._kernels.packing.walk_forest import add_answers

        X = X if self.one_hot is None else self.one_hot.expanded(X)
        trees = (self.key, self.link, self.bits, self.root)
        add_answers(*trees, factor, self.table, self.n_pure, X, _mask(use), total)

    def _add_spread(
        self, X: FloatArray, factor: FloatArray, total: FloatArray, use: BoolArray | None
    ) -> None:
        from softwood._kernels.packing.spread_forest import add_spread_answers

        assert self.spreads_missing
        X = X if self.one_hot is None else self.one_hot.expanded_with_gaps(X)
        trees = (self.key, self.link, self.bits, self.root, self._kernel_weight())
        add_spread_answers(*trees, factor, self.table, X, _mask(use), total)

    def _kernel_weight(self) -> FloatArray:
        """Return the weights in the one type that kernels are compiled for."""
        return self.weight.astype(np.float64, copy=False)

    def leaves(self, X: FloatArray) -> IndexArray:
        """Return the leaf that gets most of each row, rows by trees, as numbered by :meth:`tree`.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_features)
            Rows, in C order; they may have gaps.
        """
        from softwood._kernels.packing.spread_forest import write_heaviest_leaves
        from softwood._kernels.packing.walk_forest import write_leaves

        complete, one_hot = self._checked_complete(X), self.one_hot
        leaf = np.empty((X.shape[0], self.n_trees), dtype=np.int32)
        trees = (self.key, self.link, self.bits, self.root)
        whole = X[complete]
        found = np.empty((len(whole), self.n_trees), dtype=np.int32)
        write_leaves(*trees, whole if one_hot is None else one_hot.expanded(whole), found)
        leaf[complete] = found
        if not complete.all():
            rest = X[~complete] if one_hot is None else one_hot.expanded_with_gaps(X[~complete])
            found = np.empty((len(rest), self.n_trees), dtype=np.int32)
            write_heaviest_leaves(*trees, self._kernel_weight(), rest, found)
            leaf[~complete] = found
        return leaf

    def tree(self, j: int) -> Tree:
        """Return a tree on its own."""
        from softwood._kernels.packing.unpack import room_for_tree, unpack_tree

        first, last = self.root[j], self.root[j + 1]
        own = self.own[slice(*np.searchsorted(self.own[:, 0], (first, last)))]
        weight = self.weight[first:last].astype(np.float64)
        nodes = (self.key[first:last], self.link[first:last], self.bits, weight)
        arrays = room_for_tree(int(last - first), self.table.shape[1])
        unpack_tree(*nodes, own, int(first), self.table, arrays)
        tree = Tree.of_numeric_tests(self.n_columns, **arrays._asdict())
        return tree if self.one_hot is None else self.one_hot.tree(tree)


class PackedTrees(Sequence[Tree]):
    """The trees of a packed forest as a sequence; each is made when it is asked for, and not kept.

    A tree takes five times as many bytes on its own.
    """

    def __init__(self, packed: PackedForest) -> None:
        self.packed = packed

    @property
    def n_features(self) -> int:
        """Columns of the tables that they read."""
        return self.packed.n_features

    @property
    def n_outputs(self) -> int:
        """Length of their responses."""
        return int(self.packed.table.shape[1])

    def __len__(self) -> int:
        return self.packed.n_trees

    @overload
    def __getitem__(self, j: int) -> Tree: ...
    @overload
    def __getitem__(self, j: slice) -> tuple[Tree, ...]: ...
    def __getitem__(self, j: Any) -> Any:
        if isinstance(j, slice):
            return tuple(self[k] for k in range(*j.indices(len(self))))
        return self.packed.tree(range(len(self))[j])

    def __iter__(self) -> Iterator[Tree]:
        return (self[j] for j in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(self) != len(other):
            return False
        return all(one == same for one, same in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedTrees, (self.packed,)


def joined(first: Sequence[Tree], second: Sequence[Tree]) -> Sequence[Tree]:
    """Return two sequences of trees as one; packed trees on the same columns stay packed."""
    if not (first and second):
        return first or second
    if isinstance(first, PackedTrees) and isinstance(second, PackedTrees):
        one, other = first.packed, second.packed
        if (one.n_columns, one.one_hot) == (other.n_columns, other.one_hot):
            return PackedTrees(PackedForest.of_forests([one, other]))
    return [*first, *second]


def _mask(use: BoolArray | None) -> BoolArray:
    """Return which trees each row asks as kernels want it."""
    return np.empty((0, 0), dtype=np.bool_) if use is None else np.array(use, order="C")
