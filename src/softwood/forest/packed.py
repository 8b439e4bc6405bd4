"""The packed forest: all trees of a forest in one set of arrays, 12 bytes a node and little more.

Only cuts of numbers fit, and tests of one category against all others, which are cuts of
one_hot. That is most of what forests are made of, and what has to be fast; a forest of other
trees simply is not packed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from softwood._kernels.packing.packed import (
    ANSWER,
    LEAF_KEY,
    KeyArray,
    Packed,
    feature_bits,
    keys_of,
    numbers_of,
)
from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray
from softwood.forest.builder import LARGEST, PackedForestBuilder, counted_weights
from softwood.forest.one_hot import OneHotColumns
from softwood.tree import LEAF, NUMERIC, Tree

MANY_OUTPUTS = 8
MIDDLE = 0.5  # the cut of an indicator


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

    @classmethod
    def of_packed(
        cls,
        trees: Iterable[Packed],
        n_columns: int,
        is_regression: bool,
        n_trees: int = 1,
        one_hot: OneHotColumns | None = None,
    ) -> PackedForest:
        """PackedForest trees, one after the other.

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
        """PackedForest trees; None if some test does not fit."""
        one_hot = OneHotColumns.of_trees(trees)
        if one_hot is None or sum(tree.n_nodes for tree in trees) > LARGEST:
            return None
        packed = (_packed(tree, one_hot) for tree in trees)
        kept = one_hot if one_hot.is_indicator.any() else None
        return cls.of_packed(packed, one_hot.n_columns, True, len(trees), kept)

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

    def can_answer(self, X: FloatArray) -> BoolArray:
        """Return which rows the packed forest can answer: those that no test would spread."""
        complete = np.asarray(~np.isnan(X).any(axis=1))
        return complete if self.one_hot is None else complete & self.one_hot.are_known(X)

    def add_answers(self, X: FloatArray, factor: FloatArray, total: FloatArray) -> None:
        """Add what all trees answer to ``total``; they can answer all of the rows.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_features)
            Complete rows, in C order.
        factor : ndarray of shape (n_trees,)
            What the answer of each tree is multiplied by.
        total : ndarray of shape (n_rows, n_outputs)
            What they are added to.
        """
        from softwood._kernels.packing.walk_forest import add_answers

        if X.shape[1] != self.n_features:
            raise ValueError(f"X has {X.shape[1]} columns, but the trees read {self.n_features}")
        if self.one_hot is not None:
            X = self.one_hot.expanded(X)
        # Which leaves are pure cannot be guessed: for few outputs it is cheaper not to ask.
        n_pure = self.n_pure if self.n_pure >= MANY_OUTPUTS else 0
        add_answers(self.key, self.link, self.bits, self.root, factor, self.table, n_pure, X, total)

    def tree(self, j: int) -> Tree:
        """Return a tree on its own."""
        from softwood._kernels.packing.pack import fill_inner

        here, table = slice(self.root[j], self.root[j + 1]), self.table
        key, link = self.key[here], self.link[here].astype(np.int64)
        leaf = link == 0
        first_child = np.arange(link.size) + (link >> self.bits)
        first_child = np.where(leaf, -1, first_child).astype(np.int32)
        response = np.zeros((link.size, table.shape[1]))
        answer = table[(key[leaf] & ANSWER).astype(np.int64)]
        weight = self.weight[here].astype(np.float64)
        if not self.weight.size:
            weight = counted_weights(key, self.link[here], self.bits)
        of_tree = slice(*np.searchsorted(self.own[:, 0], self.root[j : j + 2]))
        response[leaf] = answer
        response[self.own[of_tree, 0] - self.root[j]] = table[self.own[of_tree, 1]]
        fill_inner(first_child, weight, response)
        response[leaf] = answer
        tree = Tree.from_nodes(
            n_features=self.n_columns,
            first_child=first_child,
            n_children=np.where(leaf, 0, 2),
            kind=np.where(leaf, LEAF, NUMERIC),
            feature=np.where(leaf, -1, link & ((1 << self.bits) - 1)),
            threshold=np.where(leaf, 0.0, numbers_of(key)),
            weight=weight,
            response=response,
        )
        return tree if self.one_hot is None else self.one_hot.tree(tree)


class PackedTrees(Sequence[Tree]):
    """The trees of a packed forest as a sequence; each is made when it is first asked for."""

    def __init__(self, packed: PackedForest) -> None:
        self.packed = packed
        self._made: dict[int, Tree] = {}

    def __len__(self) -> int:
        return self.packed.n_trees

    @overload
    def __getitem__(self, j: int) -> Tree: ...
    @overload
    def __getitem__(self, j: slice) -> tuple[Tree, ...]: ...
    def __getitem__(self, j: Any) -> Any:
        if isinstance(j, slice):
            return tuple(self[k] for k in range(*j.indices(len(self))))
        number = range(len(self))[j]
        if number not in self._made:
            self._made[number] = self.packed.tree(number)
        return self._made[number]

    def __iter__(self) -> Iterator[Tree]:
        return (self[j] for j in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedTrees, (self.packed,)


def _packed(tree: Tree, one_hot: OneHotColumns) -> Packed:
    """Pack a tree whose tests fit; its table has a row for each leaf."""
    leaf, column = tree.is_leaf, one_hot.column_of_tests(tree)
    key = keys_of(np.where(one_hot.is_indicator[column], MIDDLE, tree.threshold))
    key[leaf] = LEAF_KEY | np.arange(np.count_nonzero(leaf), dtype=np.uint64)
    steps = tree.first_child.astype(np.int64) - np.arange(tree.n_nodes)
    link = np.where(leaf, 0, steps << feature_bits(one_hot.n_columns) | column)
    return Packed(
        key, link.astype(np.uint64), tree.weight, np.empty((0, 2), np.int32), tree.response[leaf]
    )
