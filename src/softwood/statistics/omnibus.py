"""Tests of whether any of several methods differs: Friedman's and its relatives.

All three compare how far the methods' rank sums lie apart with how far they would by
chance. They differ in what is ranked, and in the distribution that is consulted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.statistics.ranks import aligned_ranks, rank_methods


@dataclass(frozen=True, slots=True, eq=False)
class OmnibusResult:
    """What a test of all methods at once found.

    Attributes
    ----------
    statistic : float
        The test's statistic.
    pvalue : float
        Chance of a statistic at least as large if all methods were alike.
    ranks : ndarray of shape (n_methods,)
        Mean rank of each method; the lowest is the best.
    df : tuple of int
        Degrees of freedom: one number for chi-square, two for F.
    """

    statistic: float
    pvalue: float
    ranks: FloatArray
    df: tuple[int, ...]


def friedman_test(scores: Any, *, tie_correction: bool = False) -> OmnibusResult:
    """Test whether the mean ranks of the methods differ (Friedman 1937).

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods)
        Scores, lower is better.
    tie_correction : bool, default=False
        Whether to allow for tied ranks, as SciPy does. The usual formula of the field
        (Demšar 2006) does not, and is then a little too small.

    Returns
    -------
    OmnibusResult
        Statistic, chi-square with ``k - 1`` degrees of freedom for ``k`` methods; its
        p-value; mean ranks. If every method ties everywhere, 0 and 1.

    See Also
    --------
    iman_davenport_test : The same ranks, and a test less timid.
    holm, nemenyi : Which methods differ.

    Examples
    --------
    >>> from softwood.statistics import friedman_test
    >>> result = friedman_test([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]])
    >>> result.ranks
    array([1.25, 2.  , 2.75])
    >>> print(f"{result.statistic:.2f} {result.pvalue:.4f}")
    4.50 0.1054
    """
    from scipy.stats import chi2

    ranks = rank_methods(scores)
    between, total = _spread_between(ranks), _spread_within(ranks, tie_correction)
    freedom = ranks.shape[1] - 1
    statistic = freedom * between / total if between > 0 else 0.0
    return OmnibusResult(
        statistic, float(chi2.sf(statistic, freedom)), ranks.mean(axis=0), (freedom,)
    )


def iman_davenport_test(scores: Any, *, tie_correction: bool = False) -> OmnibusResult:
    """Test whether the mean ranks of the methods differ (Iman and Davenport 1980).

    This is Friedman's test with an F distribution, which holds better for the numbers
    of data sets that one has.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods)
        Scores, lower is better.
    tie_correction : bool, default=False
        As in :func:`friedman_test`.

    Returns
    -------
    OmnibusResult
        Statistic, F with ``k - 1`` and ``(k - 1)(N - 1)`` degrees of freedom for ``k``
        methods and ``N`` data sets; its p-value; mean ranks. If all data sets rank the
        methods alike the statistic is infinite and the p-value 0; if every method ties
        everywhere they are 0 and 1.

    Examples
    --------
    >>> from softwood.statistics import iman_davenport_test
    >>> result = iman_davenport_test([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]])
    >>> result.df
    (2, 6)
    >>> print(f"{result.statistic:.2f} {result.pvalue:.4f}")
    3.86 0.0837
    """
    from scipy.stats import f

    ranks = rank_methods(scores)
    n_datasets, n_methods = ranks.shape
    between, total = _spread_between(ranks), _spread_within(ranks, tie_correction)
    # Ranks are halves of integers, so this difference is 0 exactly when it should be.
    rest = n_datasets * total - between
    statistic = 0.0
    if between > 0:
        statistic = (n_datasets - 1) * between / rest if rest > 0 else np.inf
    df = (n_methods - 1, (n_methods - 1) * (n_datasets - 1))
    return OmnibusResult(statistic, float(f.sf(statistic, *df)), ranks.mean(axis=0), df)


def aligned_ranks_test(scores: Any) -> OmnibusResult:
    """Test whether the aligned ranks of the methods differ (Hodges and Lehmann 1962).

    Sharper than Friedman's test if there are few methods, because it also weighs by how
    much one is better. The scores must then be of one kind on all data sets.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods)
        Scores, lower is better.

    Returns
    -------
    OmnibusResult
        Statistic, chi-square with ``k - 1`` degrees of freedom for ``k`` methods; its
        p-value; mean aligned ranks, which lie between 1 and the number of scores. Ties
        are allowed for. If every method ties everywhere, 0 and 1.

    See Also
    --------
    aligned_ranks : The ranks themselves.

    Examples
    --------
    >>> from softwood.statistics import aligned_ranks_test
    >>> result = aligned_ranks_test([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]])
    >>> result.ranks
    array([3.5, 6.5, 9.5])
    >>> print(f"{result.statistic:.2f} {result.pvalue:.4f}")
    4.50 0.1054
    """
    from scipy.stats import chi2

    ranks = aligned_ranks(scores)
    between, within = _spread_between(ranks), _spread_within(ranks, tie_correction=True)
    freedom = ranks.shape[1] - 1
    statistic = freedom * between / within if between > 0 else 0.0
    return OmnibusResult(
        statistic, float(chi2.sf(statistic, freedom)), ranks.mean(axis=0), (freedom,)
    )


def _spread_between(ranks: FloatArray) -> float:
    """Return the sum of squared deviations of the methods' rank sums."""
    sums = ranks.sum(axis=0)
    return float(np.sum((sums - ranks.sum() / ranks.shape[1]) ** 2))


def _spread_within(ranks: FloatArray, tie_correction: bool) -> float:
    """Return the sum of squared deviations of ranks from the means of their rows.

    Without correction it is what ranks from 1 to k would have if none were tied.
    """
    n_datasets, n_methods = ranks.shape
    if not tie_correction:
        return float(n_datasets * n_methods * (n_methods**2 - 1) / 12)
    return float(np.sum((ranks - ranks.mean(axis=1, keepdims=True)) ** 2))
