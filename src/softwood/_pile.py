"""A pile of packed trees, one after the other in one set of arrays, never in memory twice.

The first tree says how much room all of them may take. Room that has not been written to is
only a promise of the operating system, and what is left over is given back.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._kernels.packing.packed import ANSWER_AT, CHILD_AT, Packed
from softwood._types import AnyArray

LARGEST = 2**31 - 1  # nodes, and answers: their numbers are of 32 bits
TO_SPARE = 1.1  # of the room that trees like the first one would take
GROWTH = 1.5
# Of the weights of nodes: most are counts of cases.
WEIGHTS = (np.dtype(np.uint16), np.dtype(np.float32), np.dtype(np.float64))


class _Growing:
    """An array with room at its end, at first for so many parts like the first one."""

    def __init__(self, shape: tuple[int, ...], dtype: Any, n_parts: int) -> None:
        self.size, self.n_parts = 0, n_parts
        self.array: AnyArray = np.empty((0, *shape), dtype)

    def add(self, rows: AnyArray) -> AnyArray:
        """Append rows; return where they are now."""
        end = self.size + len(rows)
        if end > len(self.array):
            expected = TO_SPARE * self.n_parts * len(rows) if not self.size else GROWTH * end
            self._move(np.empty((max(end, int(expected)), *rows.shape[1:]), self.array.dtype))
        here = self.array[self.size : end]
        here[...] = rows
        self.size = end
        return here

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


def _holds(dtype: Any, weight: AnyArray) -> bool:
    """Whether a type holds every weight exactly."""
    if dtype == np.uint16 and not weight.max() <= np.iinfo(dtype).max:
        return False
    return bool(np.all(weight.astype(dtype) == weight))


class Pile:
    """Packed trees that are stacked, one after the other.

    Parameters
    ----------
    n_outputs : int
        Columns of their tables.
    is_regression : bool
        Whether they answer numbers: then there are no pure classes.
    n_trees : int, default=1
        How many there may be.
    """

    def __init__(self, n_outputs: int, is_regression: bool, n_trees: int = 1) -> None:
        self.n_pure = 0 if is_regression else n_outputs
        self.root = [0]
        self._pure = np.eye(n_outputs)[: self.n_pure]
        self._node = _Growing((2,), np.float64, n_trees)
        self._weight = _Growing((), WEIGHTS[0], n_trees)
        self._own = _Growing((2,), np.int32, n_trees)
        self._table = _Growing((n_outputs,), np.float64, n_trees)

    def add(self, tree: Packed) -> None:
        """Put a tree on top; nothing of it is kept."""
        below, is_first = self.root[-1], len(self.root) == 1
        answers = np.vstack([self._pure, tree.table]) if is_first else tree.table
        shift = 0 if is_first else self._table.size - self.n_pure
        if max(below + len(tree.node), self._table.size + len(answers)) > LARGEST:
            raise ValueError(f"a forest can hold {LARGEST} nodes; these trees have more")
        link = self._node.add(tree.node).view(np.uint32)
        leaf = np.flatnonzero(link[:, CHILD_AT] == np.arange(len(link)))
        mixed = leaf[link[leaf, ANSWER_AT] >= self.n_pure]
        link[mixed, ANSWER_AT] += np.uint32(shift)
        link[:, CHILD_AT] += np.uint32(below)
        self._add_weight(tree.weight)
        own = self._own.add(tree.own)
        own[:, 1] += np.where(own[:, 1] < self.n_pure, 0, shift).astype(np.int32)
        own[:, 0] += below
        self._table.add(answers)
        self.root.append(below + len(tree.node))

    def _add_weight(self, weight: AnyArray) -> None:
        """Add the weights, all of them in the smallest type that holds each exactly."""
        here = WEIGHTS.index(self._weight.array.dtype)
        fitting = next(k for k in range(here, len(WEIGHTS)) if _holds(WEIGHTS[k], weight))
        if fitting > here:
            self._weight.widen(WEIGHTS[fitting])
        self._weight.add(weight)

    def arrays(self) -> dict[str, Any]:
        """Return the arrays of the stack; the pile is finished."""
        return {
            "node": self._node.finished(),
            "root": np.array(self.root, dtype=np.int64),
            "weight": self._weight.finished(),
            "own": self._own.finished(),
            "table": self._table.finished(),
            "n_pure": self.n_pure,
        }
