"""Ranges of parameters: all of them end, so that what no kernel can hold is refused by name."""

from __future__ import annotations

import sys
from numbers import Integral, Real
from typing import Any

from softwood.estimators._sklearn_compat import Interval

MOST_MADE = 2**31 - 1
NO_LIMIT = sys.maxsize  # what many write for "no limit"; kernels hold it


def number_of(least: int) -> Any:
    """Return the range of a number of things that take time or memory, each of them.

    Examples
    --------
    >>> from softwood.estimators._limits import number_of
    >>> 10 in number_of(1), 2**31 in number_of(1)
    (True, False)
    """
    return Interval(Integral, least, MOST_MADE, closed="both")


def limit_of(least: int) -> Any:
    """Return the range of a limit, which may be as large as if there were none.

    Examples
    --------
    >>> import sys
    >>> from softwood.estimators._limits import limit_of
    >>> sys.maxsize in limit_of(1), 2**63 in limit_of(1)
    (True, False)
    """
    return Interval(Integral, least, NO_LIMIT, closed="both")


def real_from(least: float) -> Any:
    """Return the range of a finite number that may be ``least``.

    Examples
    --------
    >>> from softwood.estimators._limits import real_from
    >>> 0 in real_from(0.0), 10**400 in real_from(0.0)
    (True, False)
    """
    return Interval(Real, least, sys.float_info.max, closed="both")


def real_above(least: float) -> Any:
    """Return the range of a finite number that must be larger.

    Examples
    --------
    >>> from softwood.estimators._limits import real_above
    >>> 0 in real_above(0.0), 0.5 in real_above(0.0)
    (False, True)
    """
    return Interval(Real, least, sys.float_info.max, closed="right")
