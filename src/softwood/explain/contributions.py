"""What each column adds to an answer, along the way of a row through all trees.

At each test the answer of the trees moves from that of the node to those of its children,
weighted by the mass that goes there. The moves of all tests, added up by column, are the
prediction minus the average: whatever the flow, and without any data.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from softwood._types import FloatArray
from softwood.explain._ensembles import Ensemble
from softwood.flow import Flow
from softwood.tree import OBLIQUE, Tree


class Moves(NamedTuple):
    """How the raw scores of a row come about.

    Attributes
    ----------
    base : ndarray of shape (n_outputs,)
        The scores before any test: those of the roots.
    by_column : ndarray of shape (n_features, n_outputs)
        What each column adds; with ``base`` it sums to the raw scores.
    answers : ndarray of shape (n_trees, n_outputs)
        What each tree answers; NaN where it has nothing to say.
    roots : ndarray of shape (n_trees, n_outputs)
        What each tree would answer without a test.
    """

    base: FloatArray
    by_column: FloatArray
    answers: FloatArray
    roots: FloatArray


def moves_of(ensemble: Ensemble, row: FloatArray) -> Moves:
    """Return what each column adds to the raw scores of one row.

    An oblique test divides its move among its columns by the size of their terms
    ``|w * x|``; where some of them are missing, these share it.

    Parameters
    ----------
    ensemble : Ensemble
        The trees and how they add up.
    row : ndarray of shape (n_features,)
        The row, as the trees read it.

    Returns
    -------
    Moves

    References
    ----------
    .. [1] A. Saabas (2014). Interpreting random forests. For hard trees and means it is this.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood import BaggedTreesRegressor
    >>> from softwood.explain._ensembles import ensemble_of
    >>> from softwood.explain.contributions import moves_of
    >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [1.0, 2.0, 5.0, 10.0]
    >>> model = BaggedTreesRegressor(5, random_state=0).fit(X, y)
    >>> moves = moves_of(ensemble_of(model), np.array([1.0, 1.0]))
    >>> total = moves.base + moves.by_column.sum(axis=0)
    >>> bool(np.isclose(total, model.predict([[1.0, 1.0]])).all())
    True
    """
    forest = ensemble.forest
    base, by_column = forest.base.copy(), np.zeros((forest.n_features, forest.n_outputs))
    answers, roots = np.full((2, forest.n_trees, forest.n_outputs), np.nan)
    shares, flows = ensemble.shares(), ensemble.flows
    for j, (tree, flow) in enumerate(zip(forest.trees, flows, strict=True)):
        columns = ensemble.columns(j)
        moved, answer = _moves_in_tree(tree, flow, row)
        base[columns] += shares[j] * tree.response[0]
        by_column[:, columns] += shares[j] * moved
        answers[j, columns], roots[j, columns] = answer, tree.response[0]
    return Moves(base, by_column, answers, roots)


def _moves_in_tree(tree: Tree, flow: Flow, row: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what each column adds to the answer of one tree, and that answer."""
    reach = flow.reach(tree, row[None])
    nodes, said = reach.indices, reach.data[:, None] * tree.response[reach.indices]
    is_leaf = tree.n_children[nodes] == 0
    move = np.zeros((tree.n_nodes, tree.n_outputs))
    move[nodes[~is_leaf]] -= said[~is_leaf]
    below = nodes > 0
    np.add.at(move, tree.parent[nodes[below]], said[below])
    moved = np.zeros((tree.n_features, tree.n_outputs))
    tests = nodes[~is_leaf]
    plain = tests[tree.kind[tests] != OBLIQUE]
    np.add.at(moved, tree.feature[plain], move[plain])
    for node in tests[tree.kind[tests] == OBLIQUE].tolist():
        features, weights = tree.terms(node)
        np.add.at(moved, features, _parts(weights * row[features])[:, None] * move[node])
    return moved, said[is_leaf].sum(axis=0)


def _parts(terms: FloatArray) -> FloatArray:
    """Return the share of each term of an oblique test in what the test does."""
    missing = np.isnan(terms)
    size = missing.astype(np.float64) if missing.any() else np.abs(terms)
    return size / size.sum() if size.sum() > 0.0 else np.full(size.size, 1.0 / size.size)
