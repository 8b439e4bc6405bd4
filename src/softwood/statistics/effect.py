"""How large a difference is, apart from whether it is significant.

Scores are lower-is-better, and effects are those of ``a - b``: negative ones speak for
the first method.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from softwood._types import FloatArray
from softwood.statistics._checks import check_fraction, finite_array, paired_differences
from softwood.statistics.paired import signed_ranks

LARGE_T = 100.0  # beyond it SciPy's inverse of the noncentral t is slow, and may never end


class Effect(NamedTuple):
    """An effect and its confidence interval.

    Attributes
    ----------
    value : float
        The effect.
    low, high : float
        Ends of the interval.
    """

    value: float
    low: float
    high: float


def cohen_d(a: Any, b: Any | None = None, *, confidence: float = 0.95) -> Effect:
    """Return the mean of paired differences in their standard deviations.

    Parameters
    ----------
    a, b : array-like of shape (n_scores,)
        Scores of both methods, in the same order; or the differences in ``a`` alone.
    confidence : float, default=0.95
        Confidence of the interval, which inverts the noncentral t distribution.

    Returns
    -------
    Effect
        Cohen's d of paired scores and its interval. If all differences are zero, d is 0;
        if all are one other number it is infinite; the interval is then a point.

    Examples
    --------
    >>> from softwood.statistics import cohen_d
    >>> effect = cohen_d([0.21, 0.30, 0.14, 0.25], [0.22, 0.35, 0.17, 0.29])
    >>> print(f"{effect.value:.2f} in [{effect.low:.2f}, {effect.high:.2f}]")
    -1.90 in [-3.62, -0.13]
    """
    check_fraction("confidence", confidence)
    differences = paired_differences(a, b)
    if np.ptp(differences) == 0.0:
        first = float(differences[0])
        point = float(np.copysign(np.inf, first)) if first != 0 else 0.0
        return Effect(point, point, point)
    value = float(differences.mean() / differences.std(ddof=1))
    root = float(np.sqrt(differences.size))
    tail = (1.0 - confidence) / 2.0
    low, high = (
        _noncentrality(value * root, differences.size - 1, share) / root
        for share in (1.0 - tail, tail)
    )
    return Effect(value, low, high)


def _noncentrality(statistic: float, df: int, share: float) -> float:
    """Return the noncentrality under which ``share`` of all t lie below ``statistic``."""
    from scipy.special import chdtri, nctdtrinc

    if abs(statistic) > LARGE_T:
        # The normal numerator is as good as constant, and only the chi below it varies.
        chi_square = chdtri(df, share if statistic > 0 else 1.0 - share)
        return statistic * float(np.sqrt(chi_square / df))
    return float(nctdtrinc(df, share, statistic))


def rank_biserial(a: Any, b: Any | None = None) -> float:
    """Return the matched-pairs rank-biserial correlation (Kerby 2014).

    Parameters
    ----------
    a, b : array-like of shape (n_scores,)
        Scores of both methods, in the same order; or the differences in ``a`` alone.

    Returns
    -------
    float
        Share of Wilcoxon's ranks with positive differences less that with negative ones:
        -1 if ``a`` is always lower, 1 if always higher. Zero differences are dropped;
        with none left it is 0.

    Examples
    --------
    >>> from softwood.statistics import rank_biserial
    >>> print(f"{rank_biserial([0.21, 0.30, 0.14, 0.25], [0.22, 0.35, 0.17, 0.20]):.2f}")
    -0.30
    """
    differences = paired_differences(a, b, least=1)
    ranks = signed_ranks(differences[differences != 0.0])
    return float(ranks.sum() / np.abs(ranks).sum()) if ranks.size else 0.0


def vargha_delaney(a: Any, b: Any, *, confidence: float = 0.95) -> Effect:
    """Return the chance that a score of ``a`` exceeds one of ``b`` (Vargha, Delaney 2000).

    Parameters
    ----------
    a, b : array-like of shape (n_a,) and (n_b,)
        Scores of both methods, not paired.
    confidence : float, default=0.95
        Confidence of the interval, that of :func:`cliff_delta`.

    Returns
    -------
    Effect
        The measure A, ties counted half, and its interval: 0.5 if neither is larger.

    Examples
    --------
    >>> from softwood.statistics import vargha_delaney
    >>> vargha_delaney([1, 2, 3, 4], [2, 3, 5, 6]).value
    0.25
    """
    return Effect(*((1.0 + delta) / 2.0 for delta in cliff_delta(a, b, confidence=confidence)))


def cliff_delta(a: Any, b: Any, *, confidence: float = 0.95) -> Effect:
    """Return how much more often scores of ``a`` are above those of ``b`` than below.

    Parameters
    ----------
    a, b : array-like of shape (n_a,) and (n_b,)
        Scores of both methods, not paired; at least two of each.
    confidence : float, default=0.95
        Confidence of the interval, the asymmetric one of Feng and Cliff (2004).

    Returns
    -------
    Effect
        Cliff's delta, from -1 (all of ``a`` lower) to 1 (all higher), and its interval.

    Examples
    --------
    >>> from softwood.statistics import cliff_delta
    >>> effect = cliff_delta([1, 2, 3, 4], [2, 3, 5, 6])
    >>> print(f"{effect.value:.2f} in [{effect.low:.2f}, {effect.high:.2f}]")
    -0.50 in [-0.88, 0.27]
    """
    from scipy.stats import norm

    check_fraction("confidence", confidence)
    first, second = finite_array("a", a), finite_array("b", b)
    for name, array in (("a", first), ("b", second)):
        if array.size < 2:
            raise ValueError(f"{name} must hold at least 2 values; got {array.size}")
    dominance = np.sign(np.subtract.outer(first, second))
    delta = float(dominance.mean())
    z = float(norm.isf((1.0 - confidence) / 2.0))
    if abs(delta) == 1.0:
        # Wilson's bound for as many successes out of as many trials, as delta = 2 p - 1.
        n = min(dominance.shape)
        inner = (n - z**2) / (n + z**2)
        return Effect(delta, *((inner, 1.0) if delta > 0 else (-1.0, -inner)))
    variance = _dominance_variance(dominance)
    half = z * np.sqrt(variance * ((1.0 - delta**2) ** 2 + z**2 * variance))
    scale = 1.0 - delta**2 + z**2 * variance
    middle = delta - delta**3
    return Effect(delta, float((middle - half) / scale), float((middle + half) / scale))


def _dominance_variance(dominance: FloatArray) -> float:
    """Return the unbiased variance of the mean dominance, kept from falling too low."""
    n, m = dominance.shape
    delta = dominance.mean()
    rows = np.sum((dominance.mean(axis=1) - delta) ** 2)
    columns = np.sum((dominance.mean(axis=0) - delta) ** 2)
    cells = np.sum((dominance - delta) ** 2)
    unbiased = (m**2 * rows + n**2 * columns - cells) / (n * m * (n - 1) * (m - 1))
    return float(max(unbiased, (1.0 - delta**2) / (n * m - 1)))
