"""How much every split tells apart, read off the tree alone."""

from __future__ import annotations

import numpy as np

from softwood._types import FloatArray
from softwood.tree import OBLIQUE, Tree


def split_gain(tree: Tree, criterion: str = "gini") -> FloatArray:
    """Return the decrease of weighted impurity at each inner node, 0 at leaves.

    Because every node keeps its response, no data are needed: for gini and for squared
    error the decrease is the spread of the children's responses about their parent's,
    for entropy their divergence from it.
    """
    parent = tree.parent[1:]
    response, above = tree.response[1:], tree.response[parent]
    if criterion == "entropy":
        ratio = np.divide(response, above, out=np.ones_like(response), where=response > 0)
        distance = np.sum(response * np.log2(ratio), axis=1)
    else:
        distance = np.sum((response - above) ** 2, axis=1)
    gain = np.zeros(tree.n_nodes)
    np.add.at(gain, parent, tree.weight[1:] * distance)
    return gain


def feature_importances(
    tree: Tree, criterion: str = "gini", deviation: FloatArray | None = None
) -> FloatArray:
    """Return the share of each feature in the total decrease of impurity.

    An oblique test divides its share among its features by the size of their terms, in
    units of ``deviation``, one for each feature, if it is given.
    """
    total = by_feature(tree, split_gain(tree, criterion), deviation)
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
