"""Tests of two methods by paired scores: over splits of one data set, or over data sets.

Differences are ``a - b``, and lower scores are better: a negative statistic speaks for
the first method. The alternative ``"less"`` says that ``a`` is lower, so better.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from softwood._types import FloatArray
from softwood.statistics._checks import (
    ALTERNATIVES,
    Alternative,
    check_choice,
    check_count,
    check_fraction,
    paired_differences,
)

MOST_EXACT = 50  # differences up to which Wilcoxon's p-value is exact


@dataclass(frozen=True, slots=True, eq=False)
class TTestResult:
    """What a paired t-test found.

    Attributes
    ----------
    statistic : float
        Mean difference in standard errors; infinite if all differences are one number
        other than 0.
    pvalue : float
        Chance of a statistic as extreme if the methods were alike.
    df : int
        Degrees of freedom.
    difference : float
        Mean of ``a - b``.
    standard_error : float
        Standard error of that mean.
    """

    statistic: float
    pvalue: float
    df: int
    difference: float
    standard_error: float

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the interval of the difference, two-sided."""
        from scipy.stats import t

        check_fraction("confidence", confidence)
        half = float(t.isf((1.0 - confidence) / 2.0, self.df)) * self.standard_error
        return self.difference - half, self.difference + half


@dataclass(frozen=True, slots=True, eq=False)
class WilcoxonResult:
    """What Wilcoxon's signed-rank test found.

    Attributes
    ----------
    statistic : float
        The smaller of the two rank sums if two-sided, else that of the positive
        differences, as SciPy has it.
    pvalue : float
        Exact, ties or not, for up to 50 differences other than zero; normal beyond.
    z : float
        The rank sum in its standard deviations, if every sign were a coin; negative if
        ``a`` is better. Ties are allowed for.
    n_nonzero : int
        How many differences are not zero.
    """

    statistic: float
    pvalue: float
    z: float
    n_nonzero: int


def wilcoxon_test(
    a: Any,
    b: Any | None = None,
    *,
    zero_method: Literal["wilcox", "pratt", "zsplit"] = "wilcox",
    alternative: Alternative = "two-sided",
) -> WilcoxonResult:
    """Test two methods by the signed ranks of their differences (Wilcoxon 1945).

    Parameters
    ----------
    a, b : array-like of shape (n_scores,)
        Scores of both methods, in the same order; or the differences in ``a`` alone.
    zero_method : {"wilcox", "pratt", "zsplit"}, default="wilcox"
        What becomes of zero differences: dropped; dropped after ranking; or their ranks
        split between both sides, as Demšar (2006) has it.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        What is to be shown; ``"less"`` that ``a`` is lower, so better.

    Returns
    -------
    WilcoxonResult
        Statistic, p-value and normal score. With no difference at all the p-value is 1.

    Notes
    -----
    Differences equal but for rounding count as ties.

    Examples
    --------
    >>> from softwood.statistics import wilcoxon_test
    >>> result = wilcoxon_test([0.21, 0.30, 0.14, 0.25, 0.08], [0.22, 0.35, 0.17, 0.29, 0.06])
    >>> print(f"{result.statistic:.0f} {result.pvalue:.4f}")
    2 0.1875
    """
    check_choice("zero_method", zero_method, ("wilcox", "pratt", "zsplit"))
    check_choice("alternative", alternative, ALTERNATIVES)
    differences = paired_differences(a, b)
    n_nonzero = int(np.count_nonzero(differences))
    if n_nonzero == 0:
        return WilcoxonResult(0.0, 1.0, 0.0, 0)
    if zero_method == "wilcox":
        differences = differences[differences != 0.0]
    signed = signed_ranks(differences)
    positive, negative = float(signed[signed > 0].sum()), float(-signed[signed < 0].sum())
    z = (positive - negative) / float(np.sqrt(np.sum(signed**2)))
    if n_nonzero <= MOST_EXACT:
        pvalue = _exact_pvalue(signed[signed != 0.0], positive, alternative)
    else:
        pvalue = _normal_pvalue(z, alternative)
    if zero_method == "zsplit":
        zeros = signed.size * (signed.size + 1) / 2.0 - positive - negative
        positive, negative = positive + zeros / 2.0, negative + zeros / 2.0
    statistic = min(positive, negative) if alternative == "two-sided" else positive
    return WilcoxonResult(statistic, pvalue, z, n_nonzero)


def signed_ranks(differences: FloatArray) -> FloatArray:
    """Return the ranks of the sizes of differences, with their signs; 0 for a zero."""
    from scipy.stats import rankdata

    sizes = np.abs(differences)
    # Differences of decimal numbers that look equal rarely are, to the last bit.
    leveled = np.round(sizes / max(sizes.max(initial=0.0), np.finfo(float).tiny), 12)
    return np.asarray(np.sign(differences) * rankdata(leveled))


def _exact_pvalue(signed: FloatArray, positive: float, alternative: str) -> float:
    """Return the p-value of a rank sum if each sign is a fair coin, tied ranks as they are."""
    # Tied ranks are halves of whole numbers: twice the rank sum is a place in an array.
    doubled = np.rint(2.0 * np.abs(signed)).astype(int)
    mass = np.zeros(doubled.sum() + 1)
    mass[0] = 1.0
    for rank in doubled:
        mass /= 2.0
        mass[rank:] += mass[:-rank].copy()
    place = round(2.0 * positive)
    lower, upper = float(mass[: place + 1].sum()), float(mass[place:].sum())
    both = 2.0 * min(lower, upper)
    return min(1.0, {"less": lower, "greater": upper, "two-sided": both}[alternative])


def _normal_pvalue(z: float, alternative: str) -> float:
    from scipy.stats import norm

    tail = {"less": norm.cdf(z), "greater": norm.sf(z), "two-sided": 2.0 * norm.sf(abs(z))}
    return float(tail[alternative])


def paired_t_test(
    a: Any, b: Any | None = None, *, alternative: Alternative = "two-sided"
) -> TTestResult:
    """Test two methods by the mean of their differences (Student 1908).

    For independent pairs. Scores over splits of one data set share training cases: take
    :func:`corrected_t_test` for them.

    Parameters
    ----------
    a, b : array-like of shape (n_scores,)
        Scores of both methods, in the same order; or the differences in ``a`` alone.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        What is to be shown; ``"less"`` that ``a`` is lower, so better.

    Returns
    -------
    TTestResult
        Statistic, p-value, mean difference and its error. If all differences are zero,
        0 and 1.

    Examples
    --------
    >>> from softwood.statistics import paired_t_test
    >>> result = paired_t_test([0.21, 0.30, 0.14, 0.25], [0.22, 0.35, 0.17, 0.29])
    >>> print(f"{result.statistic:.3f} {result.pvalue:.4f}")
    -3.806 0.0319
    """
    return _t_test(paired_differences(a, b), 0.0, alternative)


def corrected_t_test(
    a: Any,
    b: Any | None = None,
    *,
    test_over_train: float | None = None,
    n_train: int | None = None,
    n_test: int | None = None,
    alternative: Alternative = "two-sided",
) -> TTestResult:
    """Test two methods over splits of one data set (Nadeau and Bengio 2003).

    The training sets of the splits overlap, so the differences vary less than those of
    independent samples would. The variance of their mean is corrected by the ratio of
    test to training cases.

    Parameters
    ----------
    a, b : array-like of shape (n_splits,)
        Scores of both methods on the same splits; or the differences in ``a`` alone.
    test_over_train : float, optional
        Number of test cases over that of training cases. For ``K``-fold cross-validation,
        once or repeated, it is ``1 / (K - 1)``.
    n_train, n_test : int, optional
        The two numbers, in place of their ratio.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        What is to be shown; ``"less"`` that ``a`` is lower, so better.

    Returns
    -------
    TTestResult
        Statistic, p-value, mean difference and its corrected error. If all differences
        are zero, 0 and 1; if all are one other number, the p-value is that of an
        infinite statistic.

    See Also
    --------
    bayes_correlated_t_test : The same assumptions, answered with probabilities.

    Examples
    --------
    >>> from softwood.statistics import corrected_t_test
    >>> a, b = [0.21, 0.30, 0.14, 0.25], [0.22, 0.35, 0.17, 0.29]
    >>> result = corrected_t_test(a, b, n_train=90, n_test=30)
    >>> print(f"{result.statistic:.3f} {result.pvalue:.4f}")
    -2.492 0.0884
    """
    ratio = split_ratio(test_over_train, n_train, n_test)
    return _t_test(paired_differences(a, b), ratio, alternative)


def split_ratio(test_over_train: float | None, n_train: int | None, n_test: int | None) -> float:
    """Return the ratio of test to training cases, however it was given."""
    given = [value is not None for value in (test_over_train, n_train, n_test)]
    if given not in ([True, False, False], [False, True, True]):
        raise ValueError(
            "give either test_over_train, or both n_train and n_test; got "
            f"test_over_train={test_over_train!r}, n_train={n_train!r}, n_test={n_test!r}"
        )
    if n_train is not None and n_test is not None:
        return check_count("n_test", n_test, 1) / check_count("n_train", n_train, 1)
    if test_over_train is None or not 0.0 <= test_over_train < np.inf:
        raise ValueError(f"test_over_train must be 0 or more; got {test_over_train!r}")
    return float(test_over_train)


def _t_test(differences: FloatArray, ratio: float, alternative: str) -> TTestResult:
    check_choice("alternative", alternative, ALTERNATIVES)
    n = differences.size
    mean = float(differences.mean())
    error = float(np.sqrt((1.0 / n + ratio) * differences.var(ddof=1)))
    if np.ptp(differences) == 0.0:
        mean, error = float(differences[0]), 0.0
    if error > 0:
        statistic = mean / error
    else:
        statistic = float(np.copysign(np.inf, mean)) if mean != 0 else 0.0
    return TTestResult(statistic, _t_pvalue(statistic, n - 1, alternative), n - 1, mean, error)


def _t_pvalue(statistic: float, df: int, alternative: str) -> float:
    from scipy.stats import t

    if alternative == "less":
        return float(t.cdf(statistic, df))
    if alternative == "greater":
        return float(t.sf(statistic, df))
    return min(1.0, 2.0 * float(t.sf(abs(statistic), df)))
