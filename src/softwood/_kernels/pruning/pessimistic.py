"""C4.5's pessimistic errors: how many to expect of a leaf, and what to make of a node."""

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.impurity import SMALL
from softwood._types import AnyArray, FloatArray

MARGIN = 0.1  # a simpler tree may have this many more expected errors
KEEP, MAKE_LEAF, RAISE = 0, 1, 2


class Pruned(NamedTuple):
    """The shape that is left, and which old node's test each node now makes."""

    first_child: AnyArray
    n_children: AnyArray
    source: AnyArray
    value: FloatArray  # class weights


@borrowing
def extra_errors(n, e, confidence, z):
    """Return how many more errors than ``e`` in ``n`` to expect (J48's addErrs)."""
    if e < 1.0:
        base = n * (1.0 - confidence ** (1.0 / n))
        if e == 0.0:
            return base
        one = n - 1.0
        if n > 1.5:
            one = upper_limit(n, 1.0, z) - 1.0
        elif one < 0.0:
            one = 0.0
        return base + e * (one - base)
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    return upper_limit(n, e, z) - e


@borrowing
def upper_limit(n, e, z):
    """Return the upper confidence limit of the number of errors, normal approximation."""
    f = (e + 0.5) / n
    root = np.sqrt(f / n - f * f / n + z * z / (4.0 * n * n))
    return (f + z * z / (2.0 * n) + z * root) / (1.0 + z * z / n) * n


@borrowing
def expected_errors(value, confidence, z):
    """Return the pessimistic number of errors of a leaf with class weights ``value``."""
    total, most = 0.0, 0.0
    for c in range(value.size):
        total += value[c]
        if value[c] - most > SMALL:
            most = value[c]
    if abs(total) < SMALL:
        return 0.0
    e = total - most
    return e + extra_errors(total, e, confidence, z)


@borrowing
def verdict(as_leaf, as_tree, as_branch):
    """Return what a node becomes, from the errors expected of it in three shapes."""
    if as_leaf - (as_tree + MARGIN) < SMALL and as_leaf - (as_branch + MARGIN) < SMALL:
        return MAKE_LEAF
    return RAISE if as_branch - (as_tree + MARGIN) < SMALL else KEEP


@borrowing
def branch_totals(first, n_branches, value, expected):
    """Return the errors expected of all branches, and the heaviest; of equal ones the last."""
    total, heaviest, most = 0.0, first, 0.0
    for child in range(first, first + n_branches):
        total += expected[child]
        weight = 0.0
        for c in range(value.shape[1]):
            weight += value[child, c]
        if most - weight < SMALL:
            heaviest, most = child, weight
    return total, heaviest
