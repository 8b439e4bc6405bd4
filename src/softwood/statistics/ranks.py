"""Ranks of methods on each data set, from which most comparisons start."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import FloatArray


def score_matrix(scores: Any) -> FloatArray:
    """Check a table of scores and return it as an array.

    Parameters
    ----------
    scores : array-like or frame of shape (n_datasets, n_methods)
        Scores, one row for each data set. Lower is better: pass errors or losses, or
        accuracies with the sign turned.

    Returns
    -------
    ndarray of shape (n_datasets, n_methods)
        The scores as floats.

    Raises
    ------
    ValueError
        If there are fewer than two methods or data sets, or a score is missing or
        infinite. The message says which.

    Examples
    --------
    >>> from softwood.statistics import score_matrix
    >>> score_matrix([[1, 2], [3, 4]]).shape
    (2, 2)
    """
    try:
        matrix = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            "scores must hold numbers only, in rows of equal length; keep names of data sets "
            "out of the columns"
        ) from error
    if matrix.ndim != 2:
        raise ValueError(
            f"scores must have one row for each data set and one column for each method; "
            f"got shape {matrix.shape}"
        )
    for what, count in zip(("data sets (rows)", "methods (columns)"), matrix.shape, strict=True):
        if count < 2:
            raise ValueError(f"scores must hold at least 2 {what}; got {count}")
    bad = np.argwhere(~np.isfinite(matrix))
    if bad.size:
        row, column = (int(i) for i in bad[0])
        raise ValueError(
            f"scores must be finite; got {matrix[row, column]} in row "
            f"{_label(scores, 'index', row)}, column {_label(scores, 'columns', column)}; "
            "drop that data set or that method"
        )
    return matrix


def _label(frame: Any, axis: str, position: int) -> str:
    """Return a position, and what a frame calls it."""
    names = getattr(frame, axis, None)
    # A list also has an attribute ``index``, but it is a method.
    if names is None or callable(names):
        return str(position)
    return f"{position} ({names[position]!r})"


def rank_methods(scores: Any) -> FloatArray:
    """Return the rank of each method on each data set; 1 is the best.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods)
        Scores, lower is better.

    Returns
    -------
    ndarray of shape (n_datasets, n_methods)
        Ranks within the rows. Equal scores share the mean of their ranks.

    See Also
    --------
    mean_ranks : The means of these over the data sets.

    Examples
    --------
    >>> from softwood.statistics import rank_methods
    >>> rank_methods([[0.15, 0.16, 0.15], [0.3, 0.2, 0.1]])
    array([[1.5, 3. , 1.5],
           [3. , 2. , 1. ]])
    """
    from scipy.stats import rankdata

    return np.asarray(rankdata(score_matrix(scores), axis=1), dtype=np.float64)


def mean_ranks(scores: Any) -> FloatArray:
    """Return the mean rank of each method over all data sets.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods)
        Scores, lower is better.

    Returns
    -------
    ndarray of shape (n_methods,)
        Mean ranks. They sum to ``k (k + 1) / 2`` for ``k`` methods.

    Examples
    --------
    >>> from softwood.statistics import mean_ranks
    >>> mean_ranks([[0.15, 0.16, 0.15], [0.3, 0.2, 0.1]])
    array([2.25, 2.5 , 1.25])
    """
    return np.asarray(rank_methods(scores).mean(axis=0))


def aligned_ranks(scores: Any) -> FloatArray:
    """Return the rank of each score among all scores, data sets made level first.

    The mean of its row is taken from each score, and then all are ranked together. So a
    large win counts for more than a small one, which ranks within rows cannot show.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods)
        Scores, lower is better.

    Returns
    -------
    ndarray of shape (n_datasets, n_methods)
        Ranks from 1 to the number of scores; equal ones share the mean of their ranks.

    Examples
    --------
    >>> from softwood.statistics import aligned_ranks
    >>> aligned_ranks([[0.1, 0.2], [0.3, 0.7]])
    array([[2., 3.],
           [1., 4.]])
    """
    from scipy.stats import rankdata

    matrix = score_matrix(scores)
    aligned = matrix - matrix.mean(axis=1, keepdims=True)
    # Equal deviations of two data sets differ in the last bits: ties need rounding.
    largest = np.abs(matrix).max()
    if largest > 0:
        aligned = np.round(aligned / largest, 12)
    return np.asarray(rankdata(aligned), dtype=np.float64).reshape(matrix.shape)
