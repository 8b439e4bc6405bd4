"""Checks of arguments that several tests share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from softwood._types import FloatArray

Alternative = Literal["two-sided", "less", "greater"]
ALTERNATIVES = ("two-sided", "less", "greater")

# Scores that differ by less than this, relative to their size, are equal but for rounding.
ROUNDING = 8 * np.finfo(np.float64).eps


def check_fraction(name: str, value: float) -> float:
    """Return ``value`` if it lies strictly between 0 and 1."""
    if not 0.0 < value < 1.0:
        raise ValueError(f"{name} must lie between 0 and 1, both excluded; got {value!r}")
    return float(value)


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Refuse a value that is not one of ``choices``."""
    if value not in choices:
        known = ", ".join(repr(choice) for choice in choices)
        raise ValueError(f"{name} must be one of {known}; got {value!r}")


def check_count(name: str, value: int, least: int) -> int:
    """Return ``value`` as an int if it is a whole number of at least ``least``."""
    if isinstance(value, bool) or int(value) != value or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}; got {value!r}")
    return int(value)


def check_control(control: int, n_methods: int) -> int:
    """Return the column of the control method if there is such a column."""
    if isinstance(control, bool) or not isinstance(control, int | np.integer):
        raise ValueError(f"control must be the column number of a method; got {control!r}")
    if not 0 <= control < n_methods:
        raise ValueError(
            f"control must be a column from 0 to {n_methods - 1}, as there are "
            f"{n_methods} methods; got {control!r}"
        )
    return int(control)


def finite_array(name: str, values: Any, n_dimensions: int = 1) -> FloatArray:
    """Return ``values`` as a float array of the given dimensions, all of it finite."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers only, in rows of equal length") from error
    if array.ndim != n_dimensions:
        raise ValueError(f"{name} must have {n_dimensions} dimension(s); got shape {array.shape}")
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        place = ", ".join(str(i) for i in bad[0])
        raise ValueError(f"{name} must be finite; got {array[tuple(bad[0])]} at position {place}")
    return array


def paired_differences(a: Any, b: Any | None, least: int = 2, n_dimensions: int = 1) -> FloatArray:
    """Return ``a - b``, or ``a`` itself if it holds the differences already.

    A difference that is nothing but rounding becomes zero: two methods that agree must
    not come out as different with certainty.
    """
    first = finite_array("a", a, n_dimensions)
    if first.shape[0] < least:
        raise ValueError(f"a must hold at least {least} values; got {first.shape[0]}")
    if b is None:
        return first
    second = finite_array("b", b, n_dimensions)
    if first.shape != second.shape:
        raise ValueError(
            f"a and b must be paired, so of equal shape; got {first.shape} and {second.shape}"
        )
    difference = first - second
    size = np.maximum(np.abs(first), np.abs(second))
    return np.where(np.abs(difference) <= ROUNDING * size, 0.0, difference)
