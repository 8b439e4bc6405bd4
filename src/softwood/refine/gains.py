"""What every split gains, read off the tree alone: the leaves to keep, importances of features."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from softwood._types import FloatArray
from softwood.tree import OBLIQUE, Tree


def split_gain(
    tree: Tree, criterion: str = "gini", response: FloatArray | None = None
) -> FloatArray:
    """Return the decrease of weighted impurity at each inner node, 0 at leaves.

    Because every node keeps its response, no data are needed: for gini and for squared
    error the decrease is the spread of the children's responses about their parent's,
    for entropy their divergence from it. ``response`` is used instead of the tree's own.
    """
    parent = tree.parent[1:]
    own = tree.response if response is None else response
    response, above = own[1:], own[parent]
    if criterion == "entropy":
        # What answers a class that its parent has not seen holds no rows of it.
        both = (response > 0) & (above > 0)
        ratio = np.divide(response, above, out=np.ones_like(response), where=both)
        distance = np.sum(response * np.log2(ratio), axis=1)
    else:
        distance = np.sum((response - above) ** 2, axis=1)
    gain = np.zeros(tree.n_nodes)
    np.add.at(gain, parent, tree.weight[1:] * distance)
    return gain


@dataclass(frozen=True, slots=True)
class KeepBestLeaves:
    """Open nodes in the order of their gain until there are ``max_leaves`` leaves.

    What a node chooses does not depend on when it is opened, so taking nodes of the
    full tree in this order gives the tree that best-first growth would have grown.
    """

    max_leaves: int
    criterion: str = "gini"

    def refine(self, tree: Tree) -> Tree:
        """Return a new tree."""
        gain = split_gain(tree, self.criterion)
        closed = np.ones(tree.n_nodes, dtype=bool)
        n_leaves, candidates = 1, [(-gain[0], 0)]
        while candidates:
            _, node = heappop(candidates)
            more = int(tree.n_children[node]) - 1
            if more < 1 or n_leaves + more > self.max_leaves:
                continue
            closed[node] = False
            n_leaves += more
            for child in tree.children(node):
                heappush(candidates, (-gain[child], child))
        return tree.compact(leaves=closed)


def answers_of(tree: Tree) -> FloatArray:
    """Return the response of each node, or that of all leaves below it if they answer alike.

    Small leaves of variable-random trees answer as a node above them does. Below such a node
    the tests decide nothing, whatever rows they part.

    Examples
    --------
    >>> from softwood.refine.gains import answers_of
    >>> from softwood.tree import Tree
    >>> tree = Tree.from_nodes(
    ...     n_features=1, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[1, 0, 0],
    ...     feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0], weight=[4.0, 1.0, 3.0],
    ...     response=[[0.0, 1.0], [0.5, 0.5], [0.5, 0.5]],
    ... )
    >>> answers_of(tree).tolist()
    [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]
    """
    response, alike = tree.response.copy(), tree.is_leaf.copy()
    parent = tree.parent
    for start, stop in reversed(list(tree.levels())[1:]):
        nodes, at = np.unique(parent[start:stop], return_index=True)
        first = tree.first_child[parent[start:stop]]
        same = alike[start:stop] & np.all(response[start:stop] == response[first], axis=1)
        nodes = nodes[np.logical_and.reduceat(same, at)]
        alike[nodes] = True
        response[nodes] = response[tree.first_child[nodes]]
    return response


def feature_importances(
    tree: Tree, criterion: str = "gini", deviation: FloatArray | None = None
) -> FloatArray:
    """Return the share of each feature in the total decrease of impurity.

    An oblique test divides its share among its features by the size of their terms, in
    units of ``deviation``, one for each feature, if it is given.
    """
    total = by_feature(tree, split_gain(tree, criterion, answers_of(tree)), deviation)
    everything = total.sum()
    return total / everything if everything > 0 else total


def by_feature(tree: Tree, gain: FloatArray, deviation: FloatArray | None = None) -> FloatArray:
    """Return the sum of what the tests on each feature have gained.

    Parameters
    ----------
    tree : Tree
        The tree.
    gain : ndarray of shape (n_nodes,)
        What each test has gained.
    deviation : ndarray of shape (n_features,), optional
        Units in which the terms of oblique tests are compared.
    """
    unit = np.ones(tree.n_features) if deviation is None else deviation
    total = np.zeros(tree.n_features)
    tested = np.flatnonzero(tree.feature >= 0)
    np.add.at(total, tree.feature[tested], gain[tested])
    for node in np.flatnonzero(tree.kind == OBLIQUE):
        features, weights = tree.terms(int(node))
        size = np.abs(weights) * unit[features]
        if size.any():
            np.add.at(total, features, gain[node] * size / size.sum())
    return total
