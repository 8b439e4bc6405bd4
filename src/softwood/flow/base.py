"""What every flow can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from softwood._types import FloatArray
from softwood.flow import spreading as parts
from softwood.tree import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from softwood._kernels.flow.gates import Gates


class Flow(Protocol):
    """What every flow can do, given a tree and rows ``X`` of shape (n_rows, n_features).

    NaN is missing; nominal columns hold category codes, and any code that a node does
    not list is a category it has never seen.
    """

    def spread(self, tree: Tree, X: Any) -> csr_array:
        """Return the mass of each row at each leaf.

        Returns
        -------
        scipy.sparse.csr_array of shape (n_rows, n_leaves)
            Column j belongs to node ``tree.leaves[j]``; rows sum to 1.
        """

    def predict(self, tree: Tree, X: Any, response: FloatArray | None = None) -> FloatArray:
        """Return the mean response of the leaves, by mass.

        Parameters
        ----------
        tree, X
            The tree and the rows.
        response : ndarray of shape (n_nodes, n_outputs), optional
            Responses to use in place of the tree's.

        Returns
        -------
        ndarray of shape (n_rows, n_outputs)
            Leaf mass @ leaf response.
        """

    def reach(self, tree: Tree, X: Any) -> csr_array:
        """Return the mass of each row at each node: that of the leaves below it.

        Returns
        -------
        scipy.sparse.csr_array of shape (n_rows, n_nodes)
            Column k belongs to node k.
        """


class Spreading(ABC):
    """A flow that can spread knows the mass of every node."""

    __slots__ = ()

    @abstractmethod
    def spread(self, tree: Tree, X: Any) -> csr_array:
        """Return the mass of each row at each leaf; see :meth:`Flow.spread`."""

    def reach(self, tree: Tree, X: Any) -> csr_array:
        """Return the mass of each row at each node; see :meth:`Flow.reach`."""
        spread = self.spread(tree, X)
        reached = spread @ parts.leaves_to_nodes(tree, np.unique(spread.indices))
        reached.sort_indices()
        return reached


class Gated(Spreading):
    """A flow in which each test divides the mass: gates say how."""

    __slots__ = ()

    @abstractmethod
    def _gates(self, tree: Tree) -> Gates:
        """Return what the tests of ``tree`` become."""

    def spread(self, tree: Tree, X: Any) -> csr_array:
        """Return the mass of each row at each leaf; see :meth:`Flow.spread`."""
        X = parts.checked_rows(tree, X)
        return parts.spread_softly(tree, self._gates(tree), X)

    def predict(self, tree: Tree, X: Any, response: FloatArray | None = None) -> FloatArray:
        """Return the mean response of the leaves, by mass; see :meth:`Flow.predict`."""
        X, response = parts.checked_rows(tree, X), parts.checked_response(tree, response)
        return parts.predict_softly(tree, self._gates(tree), X, response)
