"""Lines of numbers in single precision, worked on in lanes.

A sum in one variable makes every addition wait for the last. Sixteen lanes, added up at the end
in a fixed order, do not, and become vector instructions whose digits are the same on every
processor. So is the curve below: no library's exponential is.
"""

import math

import numpy as np

from softwood._kernels._jit import borrowing, pasted

LANES = 16
PER_LOG_TWO = np.float32(1.0 / math.log(2.0))
LOG_TWO_HIGH = np.float32(0.693359375)  # few bits, so that multiples are exact
LOG_TWO_LOW = np.float32(math.log(2.0) - 0.693359375)
C2, C3, C4, C5, C6 = (np.float32(1.0 / math.factorial(k)) for k in range(2, 7))
MOST = np.float32(20.0)  # beyond it the curve is as good as flat, and products stay ordinary
ONE, HALF, NOTHING = np.float32(1.0), np.float32(0.5), np.float32(0.0)
BIAS, EXPONENT_AT = np.int32(127), np.int32(23)


@pasted
def decline(x):
    """Return ``1 / (1 + exp(x))`` to single precision; NaN gives any number."""
    x = min(max(x, -MOST), MOST)
    n = np.float32(math.floor(x * PER_LOG_TWO + HALF))
    r = x - n * LOG_TWO_HIGH - n * LOG_TWO_LOW
    power = ONE + r * (ONE + r * (C2 + r * (C3 + r * (C4 + r * (C5 + r * C6)))))
    two_to_n = np.int32((np.int32(n) + BIAS) << EXPONENT_AT).view(np.float32)
    return ONE / (ONE + power * two_to_n)


@borrowing
def fill_zero(line, size):
    """Set the first numbers of a line to 0."""
    for i in range(size):
        line[i] = NOTHING


@pasted
def sum_of_lanes(lanes):
    """Return the sum of the lanes: of halves, of quarters, and so on."""
    for lane in range(8):
        lanes[lane] += lanes[lane + 8]
    for lane in range(4):
        lanes[lane] += lanes[lane + 4]
    return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])


@borrowing
def product_of_lines(a, b, size, lanes):
    """Return the sum of the products of two lines."""
    fill_zero(lanes, LANES)
    whole = size - size % LANES
    for start in range(0, whole, LANES):
        for lane in range(LANES):
            lanes[lane] += a[start + lane] * b[start + lane]
    for i in range(whole, size):
        lanes[i - whole] += a[i] * b[i]
    return sum_of_lanes(lanes)


@borrowing
def total_of_line(a, size, lanes):
    """Return the sum of a line."""
    fill_zero(lanes, LANES)
    whole = size - size % LANES
    for start in range(0, whole, LANES):
        for lane in range(LANES):
            lanes[lane] += a[start + lane]
    for i in range(whole, size):
        lanes[i - whole] += a[i]
    return sum_of_lanes(lanes)
