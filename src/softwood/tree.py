r"""The tree: one frozen structure of arrays, whoever grew it.

Nodes are numbered breadth first, so the children of a node are contiguous and
``n_children`` alone fixes the shape: the blocks of children tile ``1..n_nodes-1`` in
the order of their parents::

    n_children   2  0  3  0  0  0        0
    first_child  1  .  3  .  .  .       / \
                                       1   2
                                          /|\
                                         3 4 5

Every node, not only a leaf, carries its response and its training weight, so that
pruning, missing values and explanations never need the data again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from softwood._kernels.nodes import LEAF as LEAF
from softwood._kernels.nodes import NOMINAL as NOMINAL
from softwood._kernels.nodes import NUMERIC as NUMERIC
from softwood._kernels.nodes import OBLIQUE as OBLIQUE
from softwood._kernels.nodes import NodeTable
from softwood._tree_checks import canonical_arrays, check_tree
from softwood._types import AnyArray, BoolArray, ByteArray, FloatArray, IndexArray
from softwood.errors import MalformedTreeError

KIND_NAMES = ("leaf", "numeric", "nominal", "oblique")
RAGGED = {"term": ("term_feature", "term_weight"), "set": ("set_child",)}
NONE = -1  # no feature, no child of its own: the mass spreads


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tree:
    """A decision tree as parallel arrays, one entry per node; node 0 is the root.

    A row at node ``k`` goes to child ``first_child[k] + branch``, where the branch is

    ========  ====================================================================
    leaf      none
    numeric   0 if ``x[feature] <= threshold`` else 1
    nominal   ``set_child[set_start[k] + code]``; -1 spreads over all children
    oblique   0 if ``w @ x <= threshold`` else 1, w being the terms of node ``k``
    ========  ====================================================================

    A nominal node with one child per category and one that splits the categories
    into two sets differ only in ``set_child``.

    Parameters
    ----------
    n_features : int
        Columns of the tables this tree reads.
    n_children : ndarray of shape (n_nodes,)
        0 at a leaf.
    kind : ndarray of shape (n_nodes,)
        ``LEAF``, ``NUMERIC``, ``NOMINAL`` or ``OBLIQUE``.
    feature : ndarray of shape (n_nodes,)
        Column tested; -1 at leaves and oblique nodes.
    threshold : ndarray of shape (n_nodes,)
        Cut of a numeric or oblique test; 0 elsewhere.
    below, above : ndarray of shape (n_nodes,)
        Half-widths of the ramp under and over the threshold; 0 is a hard split.
    missing_child : ndarray of shape (n_nodes,)
        Branch of a missing value, or -1: to all children, by training weight.
    weight : ndarray of shape (n_nodes,)
        Training weight that reached the node.
    response : ndarray of shape (n_nodes, n_outputs)
        Class frequencies, or the mean of the target.
    term_start, term_feature, term_weight : ndarray
        Oblique terms of node ``k`` are ``[term_start[k], term_start[k + 1])``.
    set_start, set_child : ndarray
        Branch of every category of node ``k``, by the same scheme.

    Examples
    --------
    >>> from softwood.tree import Tree
    >>> stump = Tree.from_nodes(
    ...     n_features=1,
    ...     first_child=[1, -1, -1],
    ...     n_children=[2, 0, 0],
    ...     kind=[1, 0, 0],
    ...     feature=[0, -1, -1],
    ...     threshold=[0.5, 0.0, 0.0],
    ...     weight=[4.0, 1.0, 3.0],
    ...     response=[[0.25, 0.75], [1.0, 0.0], [0.0, 1.0]],
    ... )
    >>> stump
    Tree(n_nodes=3, n_leaves=2, depth=1, n_features=1, n_outputs=2)
    """

    n_features: int
    n_children: IndexArray
    kind: ByteArray
    feature: IndexArray
    threshold: FloatArray
    below: FloatArray
    above: FloatArray
    missing_child: IndexArray
    weight: FloatArray
    response: FloatArray
    term_start: IndexArray
    term_feature: IndexArray
    term_weight: FloatArray
    set_start: IndexArray
    set_child: IndexArray
    first_child: IndexArray = field(init=False)

    def __post_init__(self) -> None:
        arrays = canonical_arrays({f.name: getattr(self, f.name) for f in fields(self) if f.init})
        first_child = check_tree(arrays)
        for name, array in {**arrays, "first_child": first_child}.items():
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
            object.__setattr__(self, name, array)

    @classmethod
    def from_nodes(
        cls,
        *,
        n_features: int,
        first_child: AnyArray | list[int],
        n_children: AnyArray | list[int],
        root: int = 0,
        **columns: Any,
    ) -> Tree:
        """Build a tree from nodes in any order that keeps siblings adjacent.

        Nodes that cannot be reached from the root are left out. Columns that are not
        given take their neutral value: hard splits, missing values spread, no terms
        and no category sets.

        Parameters
        ----------
        n_features : int
            Columns of the tables this tree reads.
        first_child, n_children : array-like of shape (n_nodes,)
            The block of children of each node; a leaf has ``n_children`` 0.
        root : int, default=0
            Node to start from; it becomes node 0.
        **columns : array-like
            The other arrays of :class:`Tree`.

        Returns
        -------
        Tree
            The same nodes, renumbered breadth first.
        """
        sizes = np.asarray(n_children, dtype=np.int32)
        order = breadth_first(np.asarray(first_child, dtype=np.int64), sizes, root)
        arrays = {**_neutral(sizes.size), **columns, "n_children": sizes}
        taken: dict[str, Any] = {}
        for prefix, names in RAGGED.items():
            start, picks = take_ragged(np.asarray(arrays.pop(f"{prefix}_start")), order)
            taken[f"{prefix}_start"] = start
            for name in names:
                taken[name] = np.asarray(arrays.pop(name))[picks]
        for name, array in arrays.items():
            taken[name] = np.asarray(array)[order]
        return cls(n_features=n_features, **taken)

    @classmethod
    def of_numeric_tests(cls, n_features: int, **arrays: AnyArray) -> Tree:
        """Return a tree of hard numeric tests whose arrays need no check: a forest has made them.

        Parameters
        ----------
        n_features : int
            Columns of the tables this tree reads.
        **arrays : ndarray
            Those that :meth:`from_nodes` would not fill in, with their dtypes; nodes are breadth
            first. They are the tree's from now on.

        Returns
        -------
        Tree
        """
        tree, n_nodes = object.__new__(cls), arrays["kind"].size
        arrays |= _neutral(n_nodes)
        for array in arrays.values():
            array.flags.writeable = False
        for name, value in {"n_features": n_features, **arrays}.items():
            object.__setattr__(tree, name, value)
        return tree

    # -- shape ---------------------------------------------------------------

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return int(self.n_children.size)

    @property
    def n_outputs(self) -> int:
        """Length of a response: the number of classes, or 1 for regression."""
        return int(self.response.shape[1])

    @property
    def is_leaf(self) -> BoolArray:
        """Mask of the leaves."""
        return np.asarray(self.n_children == 0)

    @property
    def leaves(self) -> IndexArray:
        """Ids of the leaves, ascending."""
        return np.flatnonzero(self.is_leaf).astype(np.int32)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.is_leaf))

    @property
    def parent(self) -> IndexArray:
        """Id of each node's parent; -1 at the root."""
        inner = np.flatnonzero(self.n_children)
        return np.concatenate(([NONE], np.repeat(inner, self.n_children[inner]))).astype(np.int32)

    @property
    def term_owner(self) -> AnyArray:
        """Node of each term of the oblique tests."""
        return np.repeat(np.arange(self.n_nodes), np.diff(self.term_start))

    @property
    def node_depth(self) -> IndexArray:
        """Number of tests above each node."""
        depth = np.zeros(self.n_nodes, dtype=np.int32)
        for level, (start, stop) in enumerate(self.levels()):
            depth[start:stop] = level
        return depth

    @property
    def depth(self) -> int:
        """Number of tests on the longest path."""
        return sum(1 for _ in self.levels()) - 1

    def levels(self) -> Iterator[tuple[int, int]]:
        """Yield the range of node ids of each level, from the root down."""
        start, stop = 0, 1
        while start < stop:
            yield start, stop
            start, stop = stop, stop + int(self.n_children[start:stop].sum())

    def children(self, node: int) -> range:
        """Return the ids of the children of ``node``; empty at a leaf."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node]))

    def walk(self, node: int = 0) -> Iterator[tuple[int, int]]:
        """Yield ``(node, depth)`` below ``node``, parents first, left to right."""
        stack = [(node, 0)]
        while stack:
            current, depth = stack.pop()
            yield current, depth
            stack.extend((child, depth + 1) for child in reversed(self.children(current)))

    def path(self, node: int) -> list[int]:
        """Return the ids from the root down to ``node``."""
        parent = self.parent
        ids = [node]
        while parent[ids[-1]] != NONE:
            ids.append(int(parent[ids[-1]]))
        return ids[::-1]

    # -- tests ---------------------------------------------------------------

    @property
    def nodes(self) -> NodeTable:
        """The arrays that kernels read."""
        return NodeTable(*(getattr(self, name) for name in NodeTable._fields))

    def terms(self, node: int) -> tuple[IndexArray, FloatArray]:
        """Return the features and weights of an oblique test."""
        part = slice(int(self.term_start[node]), int(self.term_start[node + 1]))
        return self.term_feature[part], self.term_weight[part]

    def branch_of_category(self, node: int) -> IndexArray:
        """Return the branch of every category code at a nominal test."""
        return self.set_child[self.set_start[node] : self.set_start[node + 1]]

    # -- new trees from this one ---------------------------------------------

    def replace(self, **changes: Any) -> Tree:
        """Return a copy with some arrays exchanged; this tree stays as it is."""
        arrays = {f.name: getattr(self, f.name) for f in fields(self) if f.init}
        return Tree(**{**arrays, **changes})

    def compact(self, leaves: BoolArray | None = None, root: int = 0) -> Tree:
        """Turn nodes into leaves, drop what hangs below them, and renumber.

        Parameters
        ----------
        leaves : ndarray of bool of shape (n_nodes,), optional
            Nodes that become leaves. Leaves stay leaves whatever it says.
        root : int, default=0
            Node that becomes the root.

        Returns
        -------
        Tree
            A new tree.
        """
        cut = self.is_leaf.copy() if leaves is None else (np.asarray(leaves, bool) | self.is_leaf)
        blank: dict[str, Any] = {"kind": LEAF, "feature": NONE, "threshold": 0.0}
        blank |= {"below": 0.0, "above": 0.0, "missing_child": NONE}
        columns = {name: np.where(cut, value, getattr(self, name)) for name, value in blank.items()}
        for prefix, names in RAGGED.items():
            counts = np.diff(getattr(self, f"{prefix}_start"))
            kept = np.repeat(~cut, counts)
            starts = np.concatenate(([0], np.cumsum(np.where(cut, 0, counts))))
            columns[f"{prefix}_start"] = starts
            columns |= {name: getattr(self, name)[kept] for name in names}
        return Tree.from_nodes(
            n_features=self.n_features,
            first_child=self.first_child,
            n_children=np.where(cut, 0, self.n_children),
            root=root,
            weight=self.weight,
            response=self.response,
            **columns,
        )

    def subtree(self, node: int) -> Tree:
        """Return the tree that hangs below ``node``, with ``node`` as its root."""
        if not 0 <= node < self.n_nodes:
            raise IndexError(f"node must be in 0..{self.n_nodes - 1}; got {node}")
        return self.compact(root=node)

    # -- housekeeping --------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"Tree(n_nodes={self.n_nodes}, n_leaves={self.n_leaves}, depth={self.depth}, "
            f"n_features={self.n_features}, n_outputs={self.n_outputs})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickle through the constructor: checked again, read-only again.
        return Tree, tuple(getattr(self, f.name) for f in fields(self) if f.init)


def _neutral(n_nodes: int) -> dict[str, AnyArray]:
    """Return hard splits, missing values that spread, no terms and no category sets."""
    return {
        "below": np.zeros(n_nodes),
        "above": np.zeros(n_nodes),
        "missing_child": np.full(n_nodes, NONE, dtype=np.int32),
        "term_start": np.zeros(n_nodes + 1, dtype=np.int32),
        "term_feature": np.zeros(0, dtype=np.int32),
        "term_weight": np.zeros(0),
        "set_start": np.zeros(n_nodes + 1, dtype=np.int32),
        "set_child": np.zeros(0, dtype=np.int32),
    }


def breadth_first(first_child: AnyArray, n_children: AnyArray, root: int = 0) -> AnyArray:
    """Return the ids reached from ``root``, level by level, siblings in order."""
    n_nodes = n_children.size
    level = np.full(1, root, dtype=np.int64)
    levels, n_reached = [level], 1
    while True:
        inner = level[n_children[level] > 0]
        if inner.size == 0:
            return np.concatenate(levels)
        level = _concatenated_ranges(first_child[inner], n_children[inner])
        n_reached += level.size
        if n_reached > n_nodes or level.min() < 0 or level.max() >= n_nodes:
            raise MalformedTreeError(
                f"first_child and n_children must describe a tree of {n_nodes} nodes; following "
                f"them from node {root} leads outside of it, or to a node twice"
            )
        levels.append(level)


def take_ragged(start: AnyArray, order: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Return ``(start, picks)`` that reorder a ragged array by ``order`` of its owners."""
    counts = np.diff(start)[order]
    picks = _concatenated_ranges(start[:-1][order], counts)
    return np.concatenate(([0], np.cumsum(counts))), picks


def _concatenated_ranges(starts: AnyArray, counts: AnyArray) -> AnyArray:
    ends = np.cumsum(counts)
    total = int(ends[-1]) if ends.size else 0
    return np.asarray(np.arange(total) + np.repeat(starts - (ends - counts), counts))
