"""Tests of two methods by five replications of two-fold cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.statistics._checks import paired_differences

SHAPE = (5, 2)


@dataclass(frozen=True, slots=True)
class FiveByTwoResult:
    """What a 5x2 test found.

    Attributes
    ----------
    statistic : float
        F or t; infinite if the folds of every replication agree on one difference.
    pvalue : float
        Chance of a statistic as extreme if the methods were alike.
    df : tuple of int
        Degrees of freedom, two for F and one for t.
    """

    statistic: float
    pvalue: float
    df: tuple[int, ...]


def five_by_two_f_test(a: Any, b: Any | None = None) -> FiveByTwoResult:
    """Test two methods by all ten differences of 5x2 cross-validation (Alpaydin 1999).

    Parameters
    ----------
    a, b : array-like of shape (5, 2)
        Scores of both methods, one row for each replication, one column for each fold;
        or the differences in ``a`` alone.

    Returns
    -------
    FiveByTwoResult
        Statistic, F with 10 and 5 degrees of freedom, and its p-value. If all
        differences are zero, 0 and 1.

    See Also
    --------
    five_by_two_t_test : The older test, of which this one is the steadier successor.

    Examples
    --------
    >>> from softwood.statistics import five_by_two_f_test
    >>> result = five_by_two_f_test([[1, 3], [2, 2], [3, 1], [2, 3], [1, 2]])
    >>> print(f"{result.statistic:.1f} {result.pvalue:.4f}")
    4.6 0.0530
    """
    from scipy.stats import f

    differences = _differences(a, b)
    statistic = _ratio(float(np.sum(differences**2)), 2.0 * float(np.sum(_variances(differences))))
    return FiveByTwoResult(statistic, float(f.sf(statistic, 10, 5)), (10, 5))


def five_by_two_t_test(a: Any, b: Any | None = None) -> FiveByTwoResult:
    """Test two methods by the first difference of 5x2 cross-validation (Dietterich 1998).

    Only the first fold of the first replication is the numerator, so another order of
    replications gives another answer. :func:`five_by_two_f_test` has no such luck in it.

    Parameters
    ----------
    a, b : array-like of shape (5, 2)
        Scores of both methods, one row for each replication, one column for each fold;
        or the differences in ``a`` alone.

    Returns
    -------
    FiveByTwoResult
        Statistic, t with 5 degrees of freedom, and its two-sided p-value.

    Examples
    --------
    >>> from softwood.statistics import five_by_two_t_test
    >>> result = five_by_two_t_test([[1, 3], [2, 2], [3, 1], [2, 3], [1, 2]])
    >>> print(f"{result.statistic:.1f} {result.pvalue:.4f}")
    1.0 0.3632
    """
    from scipy.stats import t

    differences = _differences(a, b)
    first, spread = float(differences[0, 0]), float(np.sqrt(_variances(differences).mean()))
    statistic = float(np.copysign(_ratio(abs(first), spread), first))
    return FiveByTwoResult(statistic, min(1.0, 2.0 * float(t.sf(abs(statistic), 5))), (5,))


def _differences(a: Any, b: Any | None) -> FloatArray:
    differences = paired_differences(a, b, n_dimensions=2)
    if differences.shape != SHAPE:
        raise ValueError(
            f"a must have shape {SHAPE}, five replications of two folds; got {differences.shape}"
        )
    return differences


def _variances(differences: FloatArray) -> FloatArray:
    """Return the variance of each replication, two squared deviations from its mean."""
    return np.asarray((differences[:, 0] - differences[:, 1]) ** 2 / 2.0)


def _ratio(numerator: float, denominator: float) -> float:
    if denominator > 0:
        return numerator / denominator
    return np.inf if numerator > 0 else 0.0
