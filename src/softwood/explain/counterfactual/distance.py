"""How far one row is from another: the one distance by which nearest rows are found.

The distance from a row x to a row z is the sum over columns of

- ``|z - x| / scale`` for a column of numbers or of dates, in days;
- 1 for a nominal column if the category is another one, else 0;
- 1 for a column of any kind if one of both lacks the value and the other has it.

The scale of a column is its standard deviation in training, where the model has kept it;
otherwise it is guessed from the cuts of the trees, see :func:`spread_of_cuts`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from softwood._types import FloatArray, IndexArray
from softwood.tree import NUMERIC, Tree

FILL = 1.0  # what it costs to fill a gap: as much as another category


def distances(
    row: FloatArray, rows: FloatArray, scale: FloatArray, n_categories: IndexArray
) -> FloatArray:
    """Return how far rows are from one row.

    Parameters
    ----------
    row : ndarray of shape (n_columns,)
        Numbers, codes of categories, NaN for what is missing.
    rows : ndarray of shape (n_rows, n_columns)
        The others.
    scale : ndarray of shape (n_columns,)
        What counts as a distance of 1 in each column of numbers.
    n_categories : ndarray of shape (n_columns,)
        Number of categories of nominal columns, 0 for others.

    Returns
    -------
    ndarray of shape (n_rows,)

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.explain.counterfactual.distance import distances
    >>> row, others = np.array([1.0, 0.0, np.nan]), np.array([[2.0, 1.0, 7.0], [1.0, 0.0, np.nan]])
    >>> distances(row, others, np.array([4.0, 1.0, 1.0]), np.array([0, 3, 0])).tolist()
    [2.25, 0.0]
    """
    return np.asarray(parts_of_distances(row, rows, scale, n_categories).sum(axis=1))


def parts_of_distances(
    row: FloatArray, rows: FloatArray, scale: FloatArray, n_categories: IndexArray
) -> FloatArray:
    """Return what each column adds to the distance, rows by columns."""
    parts = np.where(n_categories > 0, rows != row, np.abs(rows - row) / scale)
    gap, gaps = np.isnan(row), np.isnan(rows)
    return np.where(gap | gaps, FILL * (gap != gaps), parts)


def spread_of_rows(rows: FloatArray, n_categories: IndexArray) -> FloatArray:
    """Return the standard deviation of each column of numbers; 1 where there is none."""
    spread = np.ones(rows.shape[1])
    for j in np.flatnonzero(n_categories == 0):
        known = rows[~np.isnan(rows[:, j]), j]
        with np.errstate(over="ignore", invalid="ignore"):
            spread[j] = known.std() if known.size else 1.0
    return usable(spread)


def spread_of_cuts(trees: Iterable[Tree], n_features: int) -> FloatArray:
    """Return how much the cuts of each column scatter: a guess at how much the column does.

    It is the standard deviation of the cuts, each weighted by the training weight that came there.
    Of a column that is cut at one place only, it is the size of that cut; 1 if that is 0, and
    for columns that no test cuts.

    Parameters
    ----------
    trees : iterable of Tree
        The trees.
    n_features : int
        Number of columns.

    Returns
    -------
    ndarray of shape (n_features,)
    """
    columns: list[Any] = [np.empty(0, np.int64)]
    cuts, weights = [np.empty(0)], [np.empty(0)]
    for tree in trees:
        tests = np.flatnonzero(tree.kind == NUMERIC)
        columns.append(tree.feature[tests])
        cuts.append(tree.threshold[tests])
        weights.append(tree.weight[tests])
    column, cut, weight = (np.concatenate(part) for part in (columns, cuts, weights))
    spread = np.ones(n_features)
    for j in np.unique(column):
        mine = column == j
        spread[j] = _spread(cut[mine], weight[mine])
    return usable(spread)


def _spread(cut: FloatArray, weight: FloatArray) -> float:
    if np.unique(cut).size == 1:
        return abs(float(cut[0]))
    weight = weight if weight.sum() > 0.0 else np.ones(cut.size)
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.average(cut, weights=weight)
        spread = float(np.sqrt(np.average((cut - mean) ** 2, weights=weight)))
    return spread or float(np.ptp(cut))  # all of the weight may be at one of them


def usable(spread: FloatArray) -> FloatArray:
    """Return scales to divide by: 1 in place of what is 0, infinite or not a number.

    Examples
    --------
    >>> import numpy as np
    >>> usable(np.array([0.5, 0.0, np.inf, np.nan])).tolist()
    [0.5, 1.0, 1.0, 1.0]
    """
    return np.where(np.isfinite(spread) & (spread > 0.0), spread, 1.0)
