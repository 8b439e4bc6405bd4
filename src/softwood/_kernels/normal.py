"""The normal distribution in tails, so that small masses keep their digits.

A point z is held as its *tail*: the mass below it if z < 0, and minus the mass above it
otherwise. 0 is minus infinity as a lower bound and plus infinity as an upper one::

    z      -inf    -3      -1       0       1       3     inf
    tail     0   .0013   .1587    -.5    -.1587  -.0013    0
"""

import math
from functools import cache

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._types import FloatArray

SQRT_HALF = math.sqrt(0.5)
CDF_STEPS, CDF_TOP, CDF_PARTS = 32, 8.5, 7  # grid of the table of the distribution function
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


@cache
def cdf_table() -> FloatArray:
    """Return the Taylor series of Phi(z) - 1/2 around the points of a grid, z not negative.

    Row i holds the coefficients at ``i / CDF_STEPS``. With half a step to go at most, what
    is left out is less than 1e-15.
    """
    z = np.arange(int(CDF_TOP * CDF_STEPS) + 1) / CDF_STEPS
    table = np.empty((z.size, CDF_PARTS))
    table[:, 0] = [0.5 * math.erf(point * SQRT_HALF) for point in z]
    density = np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
    # The k-th derivative of the density is (-1)^k He_k(z) times the density.
    last, hermite = np.zeros_like(z), np.ones_like(z)
    for k in range(1, CDF_PARTS):
        table[:, k] = (-1.0) ** (k - 1) * hermite * density / math.factorial(k)
        last, hermite = hermite, z * hermite - (k - 1) * last
    return table
