"""Trees between the buffers of evolution and the rest of the library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.data.training import TrainingSet
from softwood.grow.evolve_rows import groups_of
from softwood.tree import LEAF, NOMINAL, NUMERIC, Tree

if TYPE_CHECKING:
    from softwood._kernels.vicinal.node_buffers import Book

ENDS = -1  # a leaf, in place of a feature


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One tree of a book: parents before children, a subtree in one piece.

    Attributes
    ----------
    feature : ndarray of shape (n_nodes,)
        -1 at a leaf.
    cut, subset : ndarray of shape (n_nodes,)
        The test: values up to the cut, or categories whose bits are set, go left.
    label : ndarray of shape (n_nodes,)
        Class of a leaf.
    """

    feature: IndexArray
    cut: FloatArray
    subset: AnyArray
    label: IndexArray

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return int(self.feature.size)

    @property
    def right(self) -> AnyArray:
        """Right child of each test; the left one is the next node. 0 at a leaf."""
        size = np.ones(self.n_nodes, np.int64)
        right = np.zeros(self.n_nodes, np.int64)
        for node in np.flatnonzero(self.feature != ENDS)[::-1]:
            right[node] = node + 1 + size[node + 1]
            size[node] += size[node + 1] + size[right[node]]
        return right


def read_line(book: Book, line: int) -> Line:
    """Return a copy of one tree of a book."""
    n_nodes = int(book.n_nodes[line])
    return Line(
        feature=book.feature[line, :n_nodes].copy(),
        cut=book.cut[line, :n_nodes].copy(),
        subset=book.subset[line, :n_nodes].copy(),
        label=book.label[line, :n_nodes].copy(),
    )


def write_line(book: Book, line: int, tree: Line) -> None:
    """Write a tree to a line of a book; its masses are unknown."""
    from softwood._kernels.vicinal.node_buffers import NO_SLOT

    nodes = slice(0, tree.n_nodes)
    book.n_nodes[line] = tree.n_nodes
    book.slot[line, nodes] = NO_SLOT
    for name in ("feature", "cut", "subset", "label"):
        getattr(book, name)[line, nodes] = getattr(tree, name)
    size = np.ones(tree.n_nodes, np.int32)
    right = tree.right
    for node in np.flatnonzero(tree.feature != ENDS)[::-1]:
        size[node] += size[node + 1] + size[right[node]]
    book.size[line, nodes] = size


def as_tree(line: Line, mass: FloatArray, data: TrainingSet) -> Tree:
    """Return a tree whose weights and class frequencies are the masses of its leaves.

    Parameters
    ----------
    line : Line
        The tree.
    mass : ndarray of shape (n_nodes, n_classes)
        Training weight of each class at the leaves.
    data : TrainingSet
        What it was grown on.

    Returns
    -------
    Tree
        A leaf that nothing reaches answers with its class, an inner node as its leaves.
    """
    is_test, right = line.feature != ENDS, line.right
    inner = np.flatnonzero(is_test)
    weight, answer = _answers(line, mass, inner, right)
    # Siblings are to be adjacent: children of the m-th test get the ids 2 m + 1 and 2 m + 2.
    place = np.zeros(line.n_nodes, np.int64)
    place[inner + 1] = 2 * np.arange(inner.size) + 1
    place[right[inner]] = place[inner + 1] + 1
    order = np.argsort(place)
    first_child = np.full(line.n_nodes, -1)
    first_child[inner] = place[inner + 1]
    is_nominal = is_test & (data.n_categories[line.feature] > 0)
    is_numeric = is_test & ~is_nominal
    sets = [
        _branches(data, line, int(node)) if is_nominal[node] else np.zeros(0, np.int32)
        for node in order
    ]
    return Tree.from_nodes(
        n_features=data.X.shape[1],
        first_child=first_child[order],
        n_children=np.where(is_test, 2, 0)[order],
        kind=np.select([is_nominal, is_numeric], [NOMINAL, NUMERIC], LEAF)[order],
        feature=line.feature[order],
        threshold=np.where(is_numeric, line.cut, 0.0)[order],
        weight=weight[order],
        response=answer[order],
        set_start=np.concatenate(([0], np.cumsum([branches.size for branches in sets]))),
        set_child=np.concatenate(sets),
    )


def _answers(
    line: Line, mass: FloatArray, inner: AnyArray, right: AnyArray
) -> tuple[FloatArray, FloatArray]:
    """Return weight and class frequencies of every node."""
    mass = np.where((line.feature == ENDS)[:, None], mass, 0.0)
    for node in inner[::-1]:
        mass[node] = mass[node + 1] + mass[right[node]]
    weight = mass.sum(axis=1)
    answer = np.eye(mass.shape[1])[line.label]
    answer[weight > 0.0] = mass[weight > 0.0] / weight[weight > 0.0, None]
    for node in inner[::-1]:
        if weight[node] == 0.0:
            answer[node] = 0.5 * (answer[node + 1] + answer[right[node]])
    return weight, answer


def _branches(data: TrainingSet, line: Line, node: int) -> IndexArray:
    """Return the branch of every category at a nominal test."""
    bits, subset = groups_of(data, int(line.feature[node])), int(line.subset[node])
    return np.array([1 - (subset >> int(bit) & 1) for bit in bits], dtype=np.int32)
