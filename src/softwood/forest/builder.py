"""A packed forest while it is built: trees end to end, and never in memory twice.

The first tree says how much room all of them may take. Room that has not been written to is
only a promise of the operating system, and what is left over is given back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._kernels.packing.packed import ANSWER, LEAF_KEY, Packed, feature_bits, keys_of
from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.forest.one_hot import OneHotColumns
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood.forest.packed import PackedForest

LARGEST = 2**31 - 1  # nodes, and answers: their numbers are of 32 bits
TO_SPARE = 1.1  # of the room that trees like the first one would take
MIDDLE = 0.5  # the cut of an indicator
WEIGHTS = (np.dtype(np.float32), np.dtype(np.float64))  # the first one that is exact


class _GrowingArray:
    """An array with room at its end, at first for so many parts like the first one."""

    def __init__(
        self, shape: tuple[int, ...], dtype: Any, n_parts: int, growth: float = 1.5
    ) -> None:
        self.size, self.n_parts, self.growth = 0, n_parts, growth
        self.array: AnyArray = np.empty((0, *shape), dtype)

    def add(self, rows: AnyArray) -> AnyArray:
        """Append rows; return where they are now."""
        end = self.size + len(rows)
        self.reserve(end)
        here = self.array[self.size : end]
        here[...] = rows
        self.size = end
        return here

    def reserve(self, end: int) -> None:
        """Make room for so many rows, and some more."""
        if end > len(self.array):
            expected = self.growth * end if self.size else TO_SPARE * self.n_parts * end
            self._move(np.empty((max(end, int(expected)), *self.array.shape[1:]), self.array.dtype))

    def widen(self, dtype: Any) -> None:
        """Turn to another type."""
        self._move(np.empty(self.array.shape, dtype))

    def finished(self) -> AnyArray:
        """Return the array, without room to spare."""
        # Nobody else has a view of it: those that are handed out live for a line.
        self.array.resize((self.size, *self.array.shape[1:]), refcheck=False)
        return self.array

    def _move(self, room: AnyArray) -> None:
        room[: self.size] = self.array[: self.size]
        self.array = room


class _AnswerTable:
    """What leaves answer: classes in a table without repetition, numbers as they come.

    Most mixed leaves hold a handful of cases, so few frequencies of classes occur, but often.
    """

    def __init__(self, n_outputs: int, is_regression: bool, n_trees: int) -> None:
        self.n_pure = 0 if is_regression else n_outputs
        # How many differ is not known from the first tree.
        self._table = _GrowingArray((n_outputs,), np.float64, n_trees, growth=4.0)
        self._slots = np.empty(0, dtype=np.int32)
        if not is_regression:
            self.enter(np.eye(n_outputs))

    @property
    def size(self) -> int:
        """How many there are."""
        return self._table.size

    def enter(self, rows: AnyArray) -> IndexArray:
        """Enter rows; return their numbers."""
        if not self.n_pure:
            number = np.arange(self.size, self.size + len(rows), dtype=np.int32)
            self._table.add(rows)
            return number
        from softwood._kernels.packing.append import number_answers

        number = np.empty(len(rows), dtype=np.int32)
        self._make_room(self.size + len(rows))
        table = self._table.array.view(np.uint64)
        bits = np.ascontiguousarray(rows).view(np.uint64)
        self._table.size = number_answers(bits, table, self.size, self._slots, number)
        return number

    def _make_room(self, size: int) -> None:
        """Make room for so many different answers, and for half of the slots to stay empty."""
        from softwood._kernels.packing.append import number_answers

        self._table.reserve(size)
        if 2 * size > self._slots.size:
            self._slots = np.full(1 << (8 * size).bit_length(), -1, dtype=np.int32)
            known = self._table.array[: self.size].view(np.uint64)
            number_answers(known, known, 0, self._slots, np.empty(self.size, dtype=np.int32))

    def finished(self) -> AnyArray:
        """Return the table."""
        return self._table.finished()


def counted_weights(key: AnyArray, link: AnyArray, bits: int) -> FloatArray:
    """Return weights that are kept in keys, of one tree or of many from the first on."""
    from softwood._kernels.packing.append import read_counts

    weight = np.empty(key.size)
    read_counts(key, link, bits, weight)
    return weight


class PackedForestBuilder:
    """Packed trees that are added to a forest, one after the other.

    Parameters
    ----------
    n_features : int
        Columns of the table that they read.
    n_outputs : int
        Columns of their tables of answers.
    is_regression : bool
        Whether they answer numbers: then there are no pure classes.
    n_trees : int, default=1
        How many there may be.
    """

    def __init__(
        self, n_features: int, n_outputs: int, is_regression: bool, n_trees: int = 1
    ) -> None:
        self.root, self._bits = [0], feature_bits(n_features)
        self._key = _GrowingArray((), np.uint64, n_trees)
        self._link = _GrowingArray((), np.uint32, n_trees)
        self._weight: _GrowingArray | None = None  # counts are kept in the keys
        self._n_trees = n_trees
        self._own = _GrowingArray((2,), np.int32, n_trees)
        self._answers = _AnswerTable(n_outputs, is_regression, n_trees)

    def add(self, tree: Packed, ends: Sequence[int] = ()) -> None:
        """Add a tree, or several that end at these nodes; nothing of it is kept."""
        from softwood._kernels.packing.append import are_counts, enter_counts, renumber

        below, n_pure = self.root[-1], self._answers.n_pure
        if max(below + len(tree.key), self._answers.size + len(tree.table)) > LARGEST:
            raise ValueError(f"a forest can hold {LARGEST} nodes; these trees have more")
        if tree.link.max() > np.iinfo(self._link.array.dtype).max:
            self._link.widen(np.uint64)
        number = self._answers.enter(tree.table)
        key, own = self._key.add(tree.key), self._own.add(tree.own)
        link = self._link.add(tree.link)
        renumber(key, link, own, number, n_pure, below)
        if self._weight is None and are_counts(tree.weight, link, self._bits):
            enter_counts(key, link, tree.weight)
        else:
            self._add_weights(tree.weight, below)
        self.root.extend(below + end for end in ends or [len(tree.key)])

    def _add_weights(self, weight: FloatArray, below: int) -> None:
        """Add weights, all of them in the smallest type that holds each exactly."""
        if self._weight is None:
            self._weight = _GrowingArray((), WEIGHTS[0], self._n_trees)
            key, link = self._key.array[:below], self._link.array[:below]
            self._add_weights(counted_weights(key, link, self._bits), below)
        if np.any(weight.astype(self._weight.array.dtype) != weight):
            self._weight.widen(WEIGHTS[-1])
        self._weight.add(weight)

    def arrays(self) -> dict[str, Any]:
        """Return the arrays of the packed forest; the builder is finished."""
        return {
            "key": self._key.finished(),
            "link": self._link.finished(),
            "root": np.array(self.root, dtype=np.int64),
            "weight": np.empty(0) if self._weight is None else self._weight.finished(),
            "own": self._own.finished(),
            "table": self._answers.finished(),
            "n_pure": self._answers.n_pure,
        }


# -- what is added ----------------------------------------------------------------


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


def packed_forest(forest: PackedForest) -> Packed:
    """Return all trees of a forest as if they were one that is to be added to another forest."""
    leaf_key = LEAF_KEY | (forest.key & ANSWER)  # without the count of cases
    key = np.where(forest.link == 0, leaf_key, forest.key)
    weight = forest.weight.astype(np.float64)
    if not weight.size:
        weight = counted_weights(forest.key, forest.link, forest.bits)
    link = forest.link.astype(np.uint64)
    return Packed(key, link, weight, forest.own.copy(), forest.table[forest.n_pure :])
