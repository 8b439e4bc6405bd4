"""Impurity by class weights, and the comparisons that Weka makes with a tolerance."""

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._types import FloatArray

GINI, ENTROPY, TWOING, SQUARED_ERROR = 0, 1, 2, 3
SMALL = 1e-6  # Weka's tolerance in every comparison of reals


@borrowing
def xlog2(q):
    """Return ``q * log2(q)``, and 0 where q is next to nothing."""
    return q * np.log2(q) if q >= SMALL else 0.0


@kernel
def xlog2_table(n: int) -> FloatArray:
    """Return ``xlog2(k)`` for k up to n.

    Class counts of unit cases are whole numbers, so scans look logarithms up.
    """
    table = np.empty(n + 1, dtype=np.float64)
    for k in range(n + 1):
        table[k] = xlog2(float(k))
    return table


@borrowing
def xlog2_of(q, table, unit):
    """Return ``xlog2(q)``, looked up where q is a whole number of unit cases."""
    return table[int(q)] if unit else xlog2(q)


@borrowing
def xlog2_step(q, w, table, unit):
    """Return ``xlog2(q + w) - xlog2(q)``; w is 1 where q counts unit cases."""
    if unit:
        k = int(q)
        return table[k + 1] - table[k]
    return xlog2(q + w) - xlog2(q)


@borrowing
def class_sum(counts, logarithmic):
    """Return the sum over classes of q log q, or of squares."""
    total = 0.0
    for c in range(counts.size):
        q = counts[c]
        total += xlog2(q) if logarithmic else q * q
    return total


@borrowing
def twoing(left, total, left_weight, right_weight):
    """Return the twoing value times the node's weight: ``(l r / 4w) (sum |p_l - p_r|)^2``."""
    difference = 0.0
    for c in range(left.size):
        difference += abs(left[c] / left_weight - (total[c] - left[c]) / right_weight)
    weight = left_weight + right_weight
    return left_weight * right_weight / weight * difference * difference / 4.0
