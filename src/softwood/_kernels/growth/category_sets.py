"""Two sets of categories, where there are so many categories that some fit by chance.

Of k categories, chance alone takes (k - 1) / (n - 1) of the impurity of n cases off, if every
category has a branch; two sets that are chosen by the same cases keep most of that. So what
chance would give is subtracted before a nominal column is compared with others, and what is
left must be more than nothing. The first few categories are free: a numeric column, too, is
judged by the best of its many cuts. A category of a single case says nothing of the next one:
such categories share a side.

Columns of few categories are judged as CART always did.
"""

import numpy as np

from softwood._kernels._jit import borrowing, inlined
from softwood._kernels.growth.scan_nominal import best_subset, tabulate
from softwood._kernels.growth.scan_numeric import SLACK, TIE
from softwood._kernels.impurity import ENTROPY, SQUARED_ERROR, TWOING, class_sum, xlog2
from softwood._types import FEW_CATEGORIES

LEAST_CASES = 2.0  # a category with fewer has no side of its own


@borrowing
def group_categories(size, n_present, case_size, group_of):
    """Give every category a group of its own, or the last one if it is rare; return how many.

    ``case_size`` is what one case adds to a size.
    """
    least, n_groups = LEAST_CASES * case_size - SLACK, 0
    for k in range(n_present):
        group_of[k] = n_groups
        n_groups += 1 if size[k] >= least else 0
    n_alone = n_groups
    for k in range(n_present):
        if size[k] < least:
            group_of[k] = n_alone
            n_groups = n_alone + 1
    return n_groups


@borrowing
def most_to_gain(criterion, total, weight):
    """Return what a test would gain that tells the class of every case."""
    if criterion == ENTROPY:
        return xlog2(weight) - class_sum(total, True)
    mixed = weight - class_sum(total, False) / weight
    return min(mixed / 2.0, weight / 4.0) if criterion == TWOING else mixed


@inlined
def best_sets(
    table, size, total, weight, scale, to_gain, case_size, n_levels, rules, goes_left
):  # fmt: skip
    """Return ``(gain, kept, found)`` of the best two sets of the categories that are present.

    The gain is what is left without that of chance, ``kept`` its part of the whole gain.
    ``to_gain`` is what a test could gain at most, and ``n_levels`` how many categories the
    column has; for the rest see :func:`best_subset`.
    """
    n_present, n_columns = table.shape
    if n_levels <= FEW_CATEGORIES or n_present <= 2:
        gain, found = best_subset(table, size, total, weight, scale, rules, goes_left)
        return gain, 1.0, found
    group_of = np.empty(n_present, dtype=np.int64)
    n_groups = group_categories(size, n_present, case_size, group_of)
    if n_groups < 2:
        return 0.0, 0.0, 0
    pooled, pooled_size = np.zeros((n_groups, n_columns)), np.zeros(n_groups)
    to_left, n_cases = np.empty(n_groups, dtype=np.int64), 0.0
    for k in range(n_present):
        pooled_size[group_of[k]] += size[k]
        n_cases += size[k] / case_size
        for c in range(n_columns):
            pooled[group_of[k], c] += table[k, c]
    gain, found = best_subset(pooled, pooled_size, total, weight, scale, rules, to_left)
    for k in range(n_present):
        goes_left[k] = to_left[group_of[k]]
    n_distrusted = n_groups - FEW_CATEGORIES
    if n_distrusted <= 0 or found == 0:
        return gain, 1.0, found
    left = gain - to_gain * n_distrusted / (n_cases - 1.0)
    if left <= TIE * weight * scale:
        return 0.0, 0.0, 0
    return left, left / gain, 1


@inlined
def choose_subset(line, start, stop, cases, total, unit, rules, branch_of_level):
    """Write the branch of every level of the chosen nominal test; -1 where none occurs."""
    n_levels = branch_of_level.size
    regression = rules.criterion == SQUARED_ERROR
    n_columns = 2 if regression else total.size
    most = min(n_levels, stop - start)
    table, size = np.empty((most, n_columns)), np.empty(most)
    level_of, goes_left = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    n_present = tabulate(line, start, stop, cases, unit, regression, table, size, level_of)
    known, weight = np.zeros(n_columns), 0.0
    for k in range(n_present):
        for c in range(n_columns):
            known[c] += table[k, c]
            weight += table[k, c] if c == 0 or not regression else 0.0
    best_sets(
        table[:n_present], size, known, weight, cases.scale, 0.0, 1.0, n_levels, rules, goes_left
    )
    for level in range(n_levels):
        branch_of_level[level] = -1
    for k in range(n_present):
        branch_of_level[level_of[k]] = 1 - goes_left[k]
