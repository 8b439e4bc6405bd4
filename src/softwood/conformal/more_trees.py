"""What scores would be if as many trees had been asked as answer new rows.

A row of training asks the trees that have not seen it, a new row asks all. The mean of fewer
trees is noisier, so the scores of training are too large, and sets and intervals too: they hold
the truth more often than was asked for. What half of the trees say tells how much the noise does,
and from there one goes the other way: the quantiles of scores move, to first order, with the
variance of the noise, which is inverse to the number of trees.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from softwood._types import AnyArray, FloatArray


class Halves(NamedTuple):
    """What halves of the trees said that have not seen a row.

    Attributes
    ----------
    scores : tuple of ndarray of shape (n_rows,)
        Of each half; NaN where it is empty.
    spreads : tuple of ndarray of shape (n_rows,)
        How far apart its trees are; none for classes.
    share : float
        How many of all trees have not seen a row, on average.
    """

    scores: tuple[FloatArray, ...]
    spreads: tuple[FloatArray, ...]
    share: float

    def of_rows(self, rows: AnyArray) -> Self:
        """Return what was said of some of the rows."""
        scores, spreads = (tuple(one[rows] for one in part) for part in self[:2])
        return self._replace(scores=scores, spreads=spreads)


def as_of_more_trees(
    scores: FloatArray, fewer: Sequence[FloatArray], weight: FloatArray, share: float
) -> FloatArray:
    r"""Return scores with the distribution that answers of all trees would have.

    With :math:`q_m` a quantile of the scores of m trees, that of B trees is
    :math:`q_m + (1 - m / B) (q_m - q_{m/2})`: Richardson's extrapolation, in :math:`1/m`.

    Parameters
    ----------
    scores : ndarray of shape (n_rows,)
        Of the trees that have not seen the row.
    fewer : sequence of ndarray of shape (n_rows,)
        Of halves of those trees; NaN where a half is empty.
    weight : ndarray of shape (n_rows,)
        Weights of the rows.
    share : float
        How many of all trees have not seen a row, on average: m / B.

    Returns
    -------
    ndarray of shape (n_rows,)
        In the order of the rows: a row with a larger score keeps a larger one, or the same.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.conformal import as_of_more_trees
    >>> scores, halves = np.array([1.0, 3.0, 2.0]), np.array([1.2, 3.6, 2.4])
    >>> as_of_more_trees(scores, [halves], np.ones(3), share=0.5).round(6).tolist()
    [0.9, 2.7, 1.8]
    >>> as_of_more_trees(scores, [halves], np.ones(3), share=1.0).tolist()
    [1.0, 3.0, 2.0]
    """
    from scipy.optimize import isotonic_regression

    if not all(np.any(~np.isnan(half)) for half in fewer):
        return scores  # no row, or none that two trees have not seen
    order = np.argsort(scores, kind="stable")
    at = _places(weight[order])
    noisier = np.mean([_quantiles(half, weight, at) for half in fewer], axis=0)
    moved = scores[order] + (1.0 - share) * (scores[order] - noisier)
    found = np.empty_like(scores)
    level = isotonic_regression(moved, weights=weight[order]).x
    found[order] = np.maximum(level, 0.0)
    return found


def _quantiles(scores: FloatArray, weight: FloatArray, at: FloatArray) -> FloatArray:
    there = np.flatnonzero(~np.isnan(scores))
    order = there[np.argsort(scores[there], kind="stable")]
    return np.interp(at, _places(weight[order]), scores[order])


def _places(weight: FloatArray) -> FloatArray:
    """Return the share of the weight up to the middle of each row."""
    return np.asarray((np.cumsum(weight) - 0.5 * weight) / weight.sum())
