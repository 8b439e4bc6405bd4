"""The stack: all trees of a forest in one set of arrays, 16 bytes a node.

Only binary numeric tests fit. That is most of what forests are made of, and what has to be
fast; a forest of other trees simply has no stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from softwood._kernels.packing.packed import CHILD_AT, FEATURE_AT, Packed
from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.tree import LEAF, NUMERIC, Tree

MANY_OUTPUTS = 8
LARGEST = 2**32 - 1  # children are numbered in 32 bits


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """Packed trees end to end; see :mod:`softwood._kernels.packing.packed`.

    Attributes
    ----------
    n_features : int
        Columns of the tables that the trees read.
    node : ndarray of shape (n_nodes, 2)
        Cut, feature and first child of each node of each tree.
    root : ndarray of shape (n_trees + 1,)
        Where each tree begins.
    weight : ndarray of shape (n_nodes,)
        Training weight of each node.
    own, answer : ndarray of shape (n_nodes,)
        Rows of the table: what a leaf holds, and what it answers; -1 at inner nodes.
    table : ndarray of shape (n_answers, n_outputs)
        The answers.
    n_pure : int
        How many of them, at the beginning, are pure classes.
    """

    n_features: int
    node: FloatArray
    root: AnyArray
    weight: FloatArray
    own: IndexArray
    answer: IndexArray
    table: FloatArray
    n_pure: int

    @classmethod
    def of_packed(cls, trees: list[Packed], n_features: int, is_regression: bool) -> Stack:
        """Stack trees that have just grown.

        Parameters
        ----------
        trees : list of Packed
            At least one. The list is emptied as the stack grows: both need not be in memory.
        n_features : int
            Columns of their table.
        is_regression : bool
            Whether they answer numbers: then no row of the tables is shared.
        """
        n_outputs = trees[0].table.shape[1]
        n_pure = 0 if is_regression else n_outputs
        root = np.cumsum([0, *(tree.node.shape[0] for tree in trees)], dtype=np.int64)
        if root[-1] > LARGEST:
            raise ValueError(f"a forest can hold {LARGEST} nodes; these trees have {root[-1]}")
        row = n_pure + np.cumsum([0, *(tree.table.shape[0] for tree in trees)])
        node, table = np.empty((root[-1], 2)), np.empty((row[-1], n_outputs))
        weight = np.empty(root[-1])
        own, answer = np.empty(root[-1], np.int32), np.empty(root[-1], np.int32)
        table[:n_pure] = np.eye(n_outputs)[:n_pure]
        trees.reverse()
        for j in range(root.size - 1):
            tree, here = trees.pop(), slice(root[j], root[j + 1])
            node[here], weight[here] = tree.node, tree.weight
            node[here].view(np.uint32)[:, CHILD_AT] += np.uint32(root[j])
            table[row[j] : row[j + 1]] = tree.table
            for given, stacked in ((tree.own, own), (tree.answer, answer)):
                stacked[here] = np.where(given < n_pure, given, given + (row[j] - n_pure))
        return cls(n_features, node, root, weight, own, answer, table, n_pure)

    @classmethod
    def of_trees(cls, trees: Sequence[Tree]) -> Stack | None:
        """Stack trees; None if some test does not fit."""
        if any(not _fits(tree) for tree in trees):
            return None
        if sum(tree.n_nodes for tree in trees) > LARGEST:
            return None
        return cls.of_packed([_packed(tree) for tree in trees], trees[0].n_features, True)

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return int(self.root.size - 1)

    def add_answers(self, X: FloatArray, factor: FloatArray, total: FloatArray) -> None:
        """Add what all trees answer to ``total``; rows have no missing values.

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
        # Which leaves are pure cannot be guessed: for few outputs it is cheaper not to ask.
        n_pure = self.n_pure if self.n_pure >= MANY_OUTPUTS else 0
        add_answers(self.node, self.root, factor, self.answer, self.table, n_pure, X, total)

    def tree(self, j: int) -> Tree:
        """Return a tree on its own."""
        from softwood._kernels.packing.pack import fill_inner

        here = slice(self.root[j], self.root[j + 1])
        link = self.node[here].view(np.uint32)
        child = link[:, CHILD_AT].astype(np.int64) - self.root[j]
        leaf = child == np.arange(child.size)
        first_child = np.where(leaf, -1, child).astype(np.int32)
        response = np.zeros((child.size, self.table.shape[1]))
        response[leaf] = self.table[self.own[here][leaf]]
        fill_inner(first_child, self.weight[here], response)
        response[leaf] = self.table[self.answer[here][leaf]]
        return Tree.from_nodes(
            n_features=self.n_features,
            first_child=first_child,
            n_children=np.where(leaf, 0, 2),
            kind=np.where(leaf, LEAF, NUMERIC),
            feature=np.where(leaf, -1, link[:, FEATURE_AT].astype(np.int64)),
            threshold=np.where(leaf, 0.0, self.node[here, 0]),
            weight=self.weight[here],
            response=response,
        )


class StackedTrees(Sequence[Tree]):
    """The trees of a stack as a sequence; each is made when it is first asked for."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self._made: dict[int, Tree] = {}

    def __len__(self) -> int:
        return self.stack.n_trees

    @overload
    def __getitem__(self, j: int) -> Tree: ...
    @overload
    def __getitem__(self, j: slice) -> tuple[Tree, ...]: ...
    def __getitem__(self, j: Any) -> Any:
        if isinstance(j, slice):
            return tuple(self[k] for k in range(*j.indices(len(self))))
        number = range(len(self))[j]
        if number not in self._made:
            self._made[number] = self.stack.tree(number)
        return self._made[number]

    def __iter__(self) -> Iterator[Tree]:
        return (self[j] for j in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return StackedTrees, (self.stack,)


def _fits(tree: Tree) -> bool:
    """Whether a tree has numeric tests only."""
    return bool(np.isin(tree.kind, (LEAF, NUMERIC)).all())


def _packed(tree: Tree) -> Packed:
    """Pack a tree of numeric tests; its table has a row for each leaf."""
    leaf = tree.is_leaf
    node = np.empty((tree.n_nodes, 2))
    node[:, 0] = np.where(leaf, np.inf, tree.threshold)
    link = node.view(np.uint32)
    link[:, FEATURE_AT] = np.maximum(tree.feature, 0)
    link[:, CHILD_AT] = np.where(leaf, np.arange(tree.n_nodes), tree.first_child)
    row = np.where(leaf, np.cumsum(leaf) - 1, -1).astype(np.int32)
    return Packed(node, tree.weight, row, row, tree.response[leaf])
