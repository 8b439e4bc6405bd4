"""Asking all trees: answers, leaves and paths of rows, in parts that run side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray
from softwood.ensemble.jobs import Jobs
from softwood.flow import Flow, Hard, leaf_of
from softwood.forest import Forest
from softwood.forest.packed import PackedTrees
from softwood.forest.sums import flow_of_trees

if TYPE_CHECKING:
    from scipy.sparse import csr_array

WORTH_A_TASK = 256  # rows; fewer are answered before another thread has started


def predict(
    forest: Forest, X: FloatArray, flow: Flow, jobs: Jobs, use: BoolArray | None = None
) -> FloatArray:
    """Return what the forest answers.

    Parameters
    ----------
    forest : Forest
        The trees.
    X : ndarray of shape (n_rows, n_features)
        Rows.
    flow : Flow
        How they flow.
    jobs : Jobs
        How many parts of the rows are answered at once. The bits do not depend on it.
    use : ndarray of bool of shape (n_rows, n_trees), optional
        Which trees a row asks.

    Returns
    -------
    ndarray of shape (n_rows, n_answers)
    """
    parts = jobs.parts(X.shape[0], WORTH_A_TASK)
    if len(parts) == 1:
        return forest.predict(X, flow, use)

    def answer(rows: slice) -> FloatArray:
        return forest.predict(X[rows], flow, None if use is None else use[rows])

    return np.concatenate(jobs.each(answer, parts))


def scatter(
    forest: Forest, X: FloatArray, flow: Flow, jobs: Jobs, use: BoolArray | None = None
) -> FloatArray:
    """Return the standard deviation of the trees' answers to each row; 0 for one tree or none.

    Parameters
    ----------
    forest, X, flow, jobs, use
        As in :func:`predict`. Trees answer a number, and count alike.

    Returns
    -------
    ndarray of shape (n_rows,)
    """

    def deviation(rows: slice) -> FloatArray:
        asked = None if use is None else use[rows]
        mean = forest.predict(X[rows], flow, asked)[:, 0]
        squares = np.zeros(mean.size)
        for number, tree in enumerate(forest.trees_at_hand):
            distance = flow.predict(tree, X[rows])[:, 0] - mean
            squares += distance**2 if asked is None else np.where(asked[:, number], distance**2, 0)
        n_trees = forest.n_trees if asked is None else asked.sum(axis=1)
        return np.asarray(np.sqrt(squares / np.maximum(np.asarray(n_trees) - 1, 1)))

    return np.concatenate(jobs.each(deviation, jobs.parts(X.shape[0], WORTH_A_TASK)))


def scatter_of_all(forest: Forest, X: FloatArray, flow: Flow, jobs: Jobs, use: BoolArray) -> float:
    """Return how far apart all trees would be on average, in units of those that rows ask.

    Rows out of bag ask trees of small samples more often than trees of large ones, and small
    samples make trees that differ more. New rows ask all.

    Parameters
    ----------
    forest, X, flow, jobs, use
        As in :func:`scatter`.

    Returns
    -------
    float
        1 if no two trees differ.
    """
    mean = predict(forest, X, flow, jobs, use)[:, 0]
    n_asked = use.sum(axis=1)
    squares, n_rows = np.zeros(forest.n_trees), np.zeros(forest.n_trees)
    for number, tree in enumerate(forest.trees_at_hand):
        rows = np.flatnonzero(use[:, number] & (n_asked > 1))
        distance = flow.predict(tree, X[rows])[:, 0] - mean[rows]
        squares[number] = np.sum(distance**2 * (n_asked[rows] / (n_asked[rows] - 1)))
        n_rows[number] = rows.size
    if not squares.any():
        return 1.0
    is_asked = n_rows > 0
    of_all = np.mean(squares[is_asked] / n_rows[is_asked])
    return float(np.sqrt(of_all / (squares.sum() / n_rows.sum())))


def leaves(forest: Forest, X: FloatArray, flow: Flow | Sequence[Flow], jobs: Jobs) -> IndexArray:
    """Return the leaf that gets most of each row, rows by trees."""
    if isinstance(forest.trees, PackedTrees) and isinstance(flow, Hard):
        parts = jobs.parts(X.shape[0], WORTH_A_TASK)
        packed, rows = forest.trees.packed, np.ascontiguousarray(X)
        return np.concatenate(jobs.each(lambda part: packed.leaves(rows[part]), parts))
    pairs = zip(forest.trees, flow_of_trees(flow, forest.n_trees), strict=True)
    return np.stack(jobs.each(lambda pair: leaf_of(pair[0], X, pair[1]), pairs), axis=1)


def paths(forest: Forest, X: FloatArray, flow: Flow, jobs: Jobs) -> tuple[csr_array, AnyArray]:
    """Return which nodes each row passes, tree after tree, and where each tree begins."""
    from scipy.sparse import hstack

    reached = jobs.each(lambda tree: flow.reach(tree, X), forest.trees)
    path = hstack(reached, format="csr")
    path.data = np.ones_like(path.data, dtype=np.int64)
    return path, np.cumsum([0, *(part.shape[1] for part in reached)])


def masses(forest: Forest, X: FloatArray, flow: Flow, jobs: Jobs) -> csr_array:
    """Return how each row spreads over the leaves of all trees; every tree has its share."""
    from scipy.sparse import hstack

    spread = jobs.each(lambda tree: flow.spread(tree, X), forest.trees)
    return hstack(spread, format="csr") / forest.n_trees
