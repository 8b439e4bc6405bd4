"""Tests and intervals for counts of successes, such as data sets won."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from softwood.statistics._checks import (
    ALTERNATIVES,
    Alternative,
    check_choice,
    check_count,
    check_fraction,
    paired_differences,
)


@dataclass(frozen=True, slots=True)
class SignTestResult:
    """What a sign test found.

    Attributes
    ----------
    statistic : int
        How often the first method was better.
    n : int
        Out of how many comparisons.
    pvalue : float
        Chance of a count as extreme if either method were as likely to be better.
    """

    statistic: int
    n: int
    pvalue: float


def sign_test(
    a: Any,
    b: Any | None = None,
    *,
    ties: Literal["drop", "split"] = "drop",
    alternative: Alternative = "two-sided",
) -> SignTestResult:
    """Test two methods by how often each is better, no matter by how much.

    Parameters
    ----------
    a, b : array-like of shape (n_scores,)
        Scores of both methods, lower is better; or the differences in ``a`` alone.
    ties : {"drop", "split"}, default="drop"
        Whether equal scores are left out, or shared evenly between both methods. Of an
        odd number of them one is left out.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        What is to be shown; ``"less"`` that ``a`` is lower, so better.

    Returns
    -------
    SignTestResult
        Wins of ``a``, comparisons counted, and the exact binomial p-value.

    Examples
    --------
    >>> from softwood.statistics import sign_test
    >>> result = sign_test([1, 1, 2, 1, 3, 1], [2, 2, 3, 4, 3, 5])
    >>> result.statistic, result.n, result.pvalue
    (5, 5, 0.0625)
    """
    from scipy.stats import binomtest

    check_choice("ties", ties, ("drop", "split"))
    check_choice("alternative", alternative, ALTERNATIVES)
    differences = paired_differences(a, b, least=1)
    wins, losses = int(np.sum(differences < 0)), int(np.sum(differences > 0))
    if ties == "split":
        half = (differences.size - wins - losses) // 2
        wins, losses = wins + half, losses + half
    n = wins + losses
    if n == 0:
        return SignTestResult(0, 0, 1.0)
    # Lower scores are wins, so "less" asks for many of them.
    side = {"less": "greater", "greater": "less"}.get(alternative, alternative)
    return SignTestResult(wins, n, float(binomtest(wins, n, alternative=side).pvalue))


def binomial_interval(
    n_successes: int,
    n_trials: int,
    confidence: float = 0.95,
    *,
    alternative: Alternative = "two-sided",
) -> tuple[float, float]:
    """Return the exact interval of a probability (Clopper and Pearson 1934).

    Parameters
    ----------
    n_successes, n_trials : int
        How many of how many trials succeeded.
    confidence : float, default=0.95
        Chance, at least, that the interval holds the true probability.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Whether to bound both sides, or only above (``"less"``) or below (``"greater"``).

    Returns
    -------
    low, high : float
        Ends of the interval.

    Examples
    --------
    >>> from softwood.statistics import binomial_interval
    >>> low, high = binomial_interval(4, 7)
    >>> print(f"{low:.3f} {high:.3f}")
    0.184 0.901
    """
    from scipy.stats import beta

    check_count("n_trials", n_trials, 1)
    check_count("n_successes", n_successes, 0)
    if n_successes > n_trials:
        raise ValueError(
            f"n_successes must not exceed n_trials; got {n_successes!r} of {n_trials!r}"
        )
    check_fraction("confidence", confidence)
    check_choice("alternative", alternative, ALTERNATIVES)
    tail = (1.0 - confidence) / (2.0 if alternative == "two-sided" else 1.0)
    n_failures = n_trials - n_successes
    low, high = 0.0, 1.0
    if alternative != "less" and n_successes > 0:
        low = float(beta.ppf(tail, n_successes, n_failures + 1))
    if alternative != "greater" and n_failures > 0:
        high = float(beta.isf(tail, n_successes + 1, n_failures))
    return low, high
