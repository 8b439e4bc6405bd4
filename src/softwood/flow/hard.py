"""The hard flow: a row goes to one leaf, unless a value is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray, IndexArray
from softwood.flow import spreading as parts
from softwood.flow.base import Flow, Gated
from softwood.tree import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from softwood._kernels.flow.gates import Gates


@dataclass(frozen=True, slots=True)
class Hard(Gated):
    """All mass to one child: every classical tree.

    Only a row that meets a missing value, or a category the node has never seen,
    spreads over several leaves.
    """

    def _gates(self, tree: Tree) -> Gates:
        from softwood._kernels.flow.gates import hard_gates

        return hard_gates(tree.nodes)

    def spread(self, tree: Tree, X: Any) -> csr_array:
        """Return the mass of each row at each leaf; see :meth:`Flow.spread`."""
        return parts.spread_hard(tree, parts.checked_rows(tree, X))

    def predict(self, tree: Tree, X: Any, response: FloatArray | None = None) -> FloatArray:
        """Return the response of each row's leaf; see :meth:`Flow.predict`."""
        X, response = parts.checked_rows(tree, X), parts.checked_response(tree, response)
        leaf, n_spreading = parts.leaf_or_none(tree, X)
        predicted: FloatArray = response.take(leaf, axis=0)
        if n_spreading:
            rows = np.flatnonzero(leaf < 0)  # for these, take has taken anything
            X = parts.frozen(X[rows])
            predicted[rows] = parts.predict_softly(tree, self._gates(tree), X, response)
        return predicted


def leaf_of(tree: Tree, X: Any, flow: Flow | None = None) -> IndexArray:
    """Return the node id of the leaf that each row ends in.

    Parameters
    ----------
    tree : Tree
        The tree.
    X : array-like of shape (n_rows, n_features)
        Rows; NaN is missing, nominal columns hold codes.
    flow : Flow, optional
        How rows spread; hard by default.

    Returns
    -------
    ndarray of int32 of shape (n_rows,)
        A row that spreads gets the leaf with the largest mass, the lowest id among equals.

    Examples
    --------
    Blurred, the value is rather below 0 than in the narrow part where it stands:

    >>> from softwood.flow import Gaussian, leaf_of
    >>> from softwood.tree import Tree
    >>> chain = Tree.from_nodes(
    ...     n_features=1, first_child=[1, -1, 3, -1, -1], n_children=[2, 0, 2, 0, 0],
    ...     kind=[1, 0, 1, 0, 0], feature=[0, -1, 0, -1, -1],
    ...     threshold=[0.0, 0.0, 0.2, 0.0, 0.0], weight=[3.0, 1.0, 2.0, 1.0, 1.0],
    ...     response=[[0.0]] * 5,
    ... )
    >>> leaf_of(chain, [[0.1]]), leaf_of(chain, [[0.1]], Gaussian(scale=1.0))
    (array([3], dtype=int32), array([1], dtype=int32))
    """
    X = parts.checked_rows(tree, X)
    if flow is not None and not isinstance(flow, Hard):
        blocks = (
            X[start : start + parts.BLOCK_ROWS] for start in range(0, len(X), parts.BLOCK_ROWS)
        )
        found = [tree.leaves[parts.heaviest(flow.spread(tree, rows))] for rows in blocks]
        return np.concatenate([np.empty(0, np.int32), *found])
    leaf, n_spreading = parts.leaf_or_none(tree, X)
    if n_spreading:
        rows = np.flatnonzero(leaf < 0)
        mass = parts.spread_hard(tree, parts.frozen(X[rows]))
        leaf[rows] = tree.leaves[parts.heaviest(mass)]
    return leaf
