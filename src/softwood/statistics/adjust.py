"""Adjustment of p-values for the number of hypotheses that were tested.

An adjusted p-value is the least level at which its hypothesis is rejected by the
procedure as a whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.statistics._checks import finite_array


def adjust_bonferroni(pvalues: Any) -> FloatArray:
    """Multiply each p-value by their number; the plainest adjustment.

    Parameters
    ----------
    pvalues : array-like of shape (n_hypotheses,)
        Unadjusted p-values.

    Returns
    -------
    ndarray of shape (n_hypotheses,)
        Adjusted p-values, at most 1.

    Examples
    --------
    >>> from softwood.statistics import adjust_bonferroni
    >>> adjust_bonferroni([0.01, 0.03, 0.5])
    array([0.03, 0.09, 1.  ])
    """
    p = _checked(pvalues)
    return np.minimum(1.0, p.size * p)


def adjust_holm(pvalues: Any) -> FloatArray:
    """Adjust by stepping down from the smallest p-value (Holm 1979).

    Never less powerful than Bonferroni's adjustment, and as safe.

    Parameters
    ----------
    pvalues : array-like of shape (n_hypotheses,)
        Unadjusted p-values.

    Returns
    -------
    ndarray of shape (n_hypotheses,)
        Adjusted p-values, in the order given.

    Examples
    --------
    >>> from softwood.statistics import adjust_holm
    >>> adjust_holm([0.01, 0.03, 0.5])
    array([0.03, 0.06, 0.5 ])
    """
    p = _checked(pvalues)
    order = np.argsort(p, kind="stable")
    factors = np.arange(p.size, 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(factors * p[order]))
    return adjusted


def adjust_hochberg(pvalues: Any) -> FloatArray:
    """Adjust by stepping up from the largest p-value (Hochberg 1988).

    Never less powerful than Holm's adjustment; it needs independent or positively
    dependent tests, as comparisons with one control are.

    Parameters
    ----------
    pvalues : array-like of shape (n_hypotheses,)
        Unadjusted p-values.

    Returns
    -------
    ndarray of shape (n_hypotheses,)
        Adjusted p-values, in the order given.

    Examples
    --------
    >>> from softwood.statistics import adjust_hochberg
    >>> adjust_hochberg([0.02, 0.03, 0.04])
    array([0.04, 0.04, 0.04])
    """
    p = _checked(pvalues)
    order = np.argsort(-p, kind="stable")
    factors = np.arange(1, p.size + 1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum.accumulate(factors * p[order])
    return adjusted


def _checked(pvalues: Any) -> FloatArray:
    p = finite_array("pvalues", pvalues)
    if p.size and not (p.min() >= 0.0 and p.max() <= 1.0):
        worst = p[(p < 0.0) | (p > 1.0)][0]
        raise ValueError(f"pvalues must lie between 0 and 1; got {worst}")
    return p
