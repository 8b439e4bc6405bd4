"""Short numbers: what lies just behind a cut is written with as few digits as will do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from softwood._types import FloatArray
from softwood.explain.counterfactual.domain import Domain

NEAR = 1e-6  # of the scale of a column: how much farther a shorter number may be
MOST_DIGITS = 17


def rounded(domain: Domain, row: FloatArray, accepts: Callable[[FloatArray], bool]) -> FloatArray:
    """Return a row whose changed numbers have few digits, if it is still accepted.

    Numbers go no more than a millionth of the scale of their column farther from the row.

    Parameters
    ----------
    domain : Domain
        The row, and what may become of it.
    row : ndarray of shape (n_columns,)
        What was found.
    accepts : callable
        Takes a row, and returns whether it is answered as is wanted.
    """
    changed = domain.is_changed(row[None])[0] & ~domain.is_nominal & (domain.per_unit == 0.0)
    columns = np.flatnonzero(changed & ~np.isnan(row))
    shorter = row.copy()
    for j in columns.tolist():
        start = domain.middle[j] if np.isnan(domain.row[j]) else domain.row[j]
        shorter[j] = _short(domain, j, float(row[j]), up=bool(row[j] >= start))
    if np.array_equal(shorter, row, equal_nan=True) or accepts(shorter):
        return shorter
    best = row
    for j in columns.tolist():
        tried = best.copy()
        tried[j] = shorter[j]
        if accepts(tried):
            best = tried
    return best


def _short(domain: Domain, j: int, value: float, up: bool) -> float:
    low, high = float(domain.low[j]), float(domain.high[j])
    room = NEAR * float(domain.scale[j])
    if up:
        return shortest_between(value, min(value + room, high), nearest=value)
    return shortest_between(max(value - room, low), value, nearest=value)


def shortest_between(low: float, high: float, nearest: float) -> float:
    """Return the number with the fewest digits from ``low`` to ``high``, the nearest of them.

    Examples
    --------
    >>> from softwood.explain.counterfactual.rounding import shortest_between
    >>> shortest_between(75.00000000000001, 75.00002, nearest=75.0)
    75.00001
    >>> shortest_between(74.9999, 75.0, nearest=75.0), shortest_between(0.3, 0.3, nearest=0.3)
    (75.0, 0.3)
    """
    for digits in range(-2, MOST_DIGITS):
        unit = 10.0**digits
        with np.errstate(over="ignore"):
            count = np.ceil(low * unit) if nearest <= low else np.floor(high * unit)
        # Division by a power of ten gives the number that is written so.
        found = float(count / unit) if digits >= 0 else float(count * 10.0**-digits)
        if low <= found <= high:
            return found
    return nearest
