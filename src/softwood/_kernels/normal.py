"""The normal distribution in tails, so that small masses keep their digits.

A point z is held as its *tail*: the mass below it if z < 0, and minus the mass above it
otherwise. 0 is minus infinity as a lower bound and plus infinity as an upper one::

    z      -inf    -3      -1       0       1       3     inf
    tail     0   .0013   .1587    -.5    -.1587  -.0013    0
"""

import math

from softwood._kernels._jit import borrowing

SQRT_HALF = math.sqrt(0.5)
LAST_Z = 38.0  # a little further out the mass underflows, and 0 would be taken for infinity


@borrowing
def tail_of(z: float) -> float:
    """Return the tail of ``z``."""
    return math.copysign(0.5 * math.erfc(abs(z) * SQRT_HALF), -z)


@borrowing
def mass_between(low: float, high: float) -> float:
    """Return the mass between two tails, ``low`` being left of ``high``."""
    zero_lies_between = (low >= 0.0) & (high <= 0.0)
    return high - low + (1.0 if zero_lies_between else 0.0)


def span_of(drop: float) -> float:
    """Return a z beyond which the mass is at most ``drop``: Phi(-z) <= exp(-z^2 / 2) / 2."""
    return min(math.sqrt(-2.0 * math.log(2.0 * drop)), LAST_Z)
