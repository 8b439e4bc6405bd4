"""Which rows reach which node, and what they show the test there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.flow import Hard
from softwood.flow.spreading import checked_rows
from softwood.tree import NUMERIC, OBLIQUE, Tree


@dataclass(frozen=True, slots=True, eq=False)
class NodeRows:
    """The rows that reach each node of a hard tree.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
        The rows.
    start : ndarray of shape (n_nodes + 1,)
        The rows of node k are ``row[start[k]:start[k + 1]]``.
    row : ndarray
        Ascending for each node. A row that spreads is at all nodes that get some of it.
    """

    X: FloatArray
    start: AnyArray
    row: IndexArray

    @classmethod
    def of(cls, tree: Tree, X: Any) -> NodeRows:
        """Send rows through a tree.

        Examples
        --------
        >>> from softwood import CARTClassifier
        >>> model = CARTClassifier().fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
        >>> rows = NodeRows.of(model.tree_, [[1.0], [2.0], [3.0], [float("nan")]])
        >>> [rows.at(node).tolist() for node in range(3)]
        [[0, 1, 2, 3], [0, 1, 3], [2, 3]]
        """
        X = checked_rows(tree, X)
        reach = Hard().reach(tree, X).tocsc()
        return cls(X, reach.indptr.astype(np.int64), reach.indices.astype(np.int32))

    def part(self, node: int) -> slice:
        """Return where the entries of a node are."""
        return slice(int(self.start[node]), int(self.start[node + 1]))

    def at(self, node: int) -> IndexArray:
        """Return the rows that reach a node."""
        return self.row[self.part(node)]

    def values(self, tree: Tree) -> FloatArray:
        """Return what the tests of a tree of the same shape compare with their thresholds.

        Parameters
        ----------
        tree : Tree
            The tree, or one with other tests that divide the rows in the same way.

        Returns
        -------
        ndarray
            One value for each entry of ``row``. NaN where it is missing, and at leaves and
            nominal tests.
        """
        from softwood._kernels.flow.node_values import values_at_nodes

        values = np.empty(self.row.size)
        values_at_nodes(tree.nodes, self.start, self.row, self.X, values)
        return values


def compared(tree: Tree) -> list[int]:
    """Return the nodes whose tests compare a number with a threshold."""
    tests: list[int] = np.flatnonzero((tree.kind == NUMERIC) | (tree.kind == OBLIQUE)).tolist()
    return tests


def weights_of(tree: Tree, node: int) -> FloatArray:
    """Return by how much each feature counts in a numeric or oblique test."""
    weights = np.zeros(tree.n_features)
    if tree.kind[node] == NUMERIC:
        weights[tree.feature[node]] = 1.0
    else:
        np.add.at(weights, *tree.terms(node))
    return weights
