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
def xlog2_steps(n: int) -> FloatArray:
    """Return ``xlog2(k + 1) - xlog2(k)`` for k below n.

    Class counts of unit cases are whole numbers, so moving a case from one side to
    the other changes the sum of ``xlog2`` by two entries of this table.
    """
    steps = np.empty(n, dtype=np.float64)
    before = 0.0
    for k in range(n):
        after = xlog2(float(k + 1))
        steps[k] = after - before
        before = after
    return steps


@borrowing
def class_sum(counts, logarithmic):
    """Return the sum over classes of q log q, or of squares."""
    total = 0.0
    for c in range(counts.size):
        q = counts[c]
        total += xlog2(q) if logarithmic else q * q
    return total


@borrowing
def merit(criterion, left_sum, right_sum, left_weight, right_weight):
    """Return minus the weighted impurity of two sides, up to a constant of the node.

    For gini this is ``sum_c l_c^2 / l + sum_c r_c^2 / r``; for entropy the sum of
    ``q log q`` over both sides and all classes, less that of the two totals.
    """
    if criterion == ENTROPY:
        return left_sum + right_sum - xlog2(left_weight) - xlog2(right_weight)
    return left_sum / left_weight + right_sum / right_weight


@borrowing
def twoing(left, total, left_weight, right_weight):
    """Return the twoing value times the node's weight: ``(l r / 4w) (sum |p_l - p_r|)^2``."""
    difference = 0.0
    for c in range(left.size):
        difference += abs(left[c] / left_weight - (total[c] - left[c]) / right_weight)
    weight = left_weight + right_weight
    return left_weight * right_weight / weight * difference * difference / 4.0
