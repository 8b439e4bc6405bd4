"""What so many runs could have shown: differences, counts and ranks that a test is sure of."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import FloatArray

LEVEL = 0.05
CHANCE = 0.8  # of showing an effect that is there
FEWEST = 6  # pairs with which Wilcoxon's test can be sure at all


def smallest_shown(gain: FloatArray, ratio: float | None = None) -> float:
    """Return the mean difference that so many pairs show with four chances of five.

    Examples
    --------
    >>> import numpy as np
    >>> round(smallest_shown(np.arange(20.0)), 1)
    3.9
    """
    from scipy.stats import t

    n = gain.size
    if n < 2:
        return float("inf")
    quantiles = t.ppf(1 - LEVEL / 2, n - 1) + t.ppf(CHANCE, n - 1)
    return float(quantiles * gain.std(ddof=1) * np.sqrt(1 / n + (ratio or 0.0)))


def rank_power(n: int, n_methods: int, printed_gap: float | None = None) -> tuple[str, bool | None]:
    """Return which difference of mean ranks so many sets tell, and whether the paper's is one."""
    from softwood.statistics import critical_difference

    least = critical_difference(n_methods, n)
    told = f"{n} sets tell mean ranks apart that differ by {least:.2f}"
    if printed_gap is None:
        return told, None
    return f"{told}; in the paper they differ by {printed_gap:.2f}", bool(printed_gap >= least)


def power_of_pairs(
    gain: FloatArray, unit: str, ratio: float | None, expected: float | None
) -> tuple[str, bool | None]:
    """Return which mean difference so many pairs show, and whether the paper's is one."""
    if ratio is None and gain.size < FEWEST:
        return too_few(gain.size, unit), False
    least = smallest_shown(gain, ratio)
    told = f"{gain.size} {unit} show a mean of {short(least)} or more"
    if expected is None:
        return told, None
    return f"{told}; the paper's is {short(expected)}", bool(expected >= least)


def sign_test_needs(n: int) -> int | None:
    """Return how many of n have to agree for a sign test to be sure; None if all are too few."""
    from scipy.stats import binom

    sure = [k for k in range(n // 2 + 1, n + 1) if 2 * binom.sf(k - 1, n, 0.5) < LEVEL]
    return sure[0] if sure else None


def too_few(n: int, unit: str) -> str:
    """Say that so many units cannot tell."""
    return f"{n} {unit} are too few for any test to be sure"


def short(value: Any) -> str:
    """Return a number in four digits."""
    return f"{float(value):.4g}"
