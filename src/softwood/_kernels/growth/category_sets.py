"""Two sets of categories, where there are so many categories that some fit by chance.

If every one of k categories has a branch, chance alone takes (k - 1) / (n - 1) of the impurity
of n cases off, exactly so for gini and squared error, and two sets that are chosen by the same
cases keep much of that. So the gain of two sets is multiplied by the part of what all categories
tell that is clearly more than chance; if there is none, there is no test. The first few
categories are free: a numeric column, too, is judged by the best of its many cuts. A category
of a single case says nothing of the next one: such categories share a side.

Columns of few categories are judged as CART always did.
"""

import numpy as np

from softwood._kernels._jit import borrowing, inlined
from softwood._kernels.growth.columns import CASE_MASK
from softwood._kernels.growth.scan_nominal import best_subset, tabulate
from softwood._kernels.growth.scan_numeric import SLACK
from softwood._kernels.impurity import SQUARED_ERROR, class_sum
from softwood._types import FEW_CATEGORIES

N_DEVIATIONS = 2.0  # by which categories must tell more than chance does in the mean
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
def impurity_of_classes(total, weight):
    """Return the gini impurity of a node times its weight."""
    return weight - class_sum(total, False) / weight


@borrowing
def part_told(table, total, weight, impurity, regression):
    """Return the part of gini impurity, or squared error, that a branch per group takes off."""
    after = 0.0
    for k in range(table.shape[0]):
        squares, of_group = 0.0, 0.0
        if regression:
            squares, of_group = table[k, 1] * table[k, 1], table[k, 0]
        else:
            for c in range(table.shape[1]):
                squares += table[k, c] * table[k, c]
                of_group += table[k, c]
        after += squares / of_group
    before = total[1] * total[1] if regression else class_sum(total, False)
    return (after - before / weight) / impurity if impurity > 0.0 else 0.0


@borrowing
def part_beyond_chance(told, n_groups, n_cases):
    """Return how much of what groups tell is not chance's, 0 to 1."""
    n_free = n_groups - FEW_CATEGORIES
    if n_free <= 0:
        return 1.0
    deviation = np.sqrt(2.0 * n_free * max(n_cases - 1.0 - n_free, 0.0) / (n_cases + 1.0))
    by_chance = (n_free + N_DEVIATIONS * deviation) / (n_cases - 1.0)
    return 1.0 - by_chance / told if told > by_chance else 0.0


@inlined
def best_sets(
    table, size, total, weight, scale, impurity, case_size, n_levels, rules, goes_left
):  # fmt: skip
    """Return ``(gain, kept, found)`` of the best two sets of the categories that are present.

    ``kept`` is the part of the gain that is not chance's, and no more is returned. ``impurity``
    is the squared error or gini impurity times weight, ``n_levels`` how many categories the
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
    n_cases = 0.0
    for k in range(n_present):
        pooled_size[group_of[k]] += size[k]
        n_cases += size[k] / case_size
        for c in range(n_columns):
            pooled[group_of[k], c] += table[k, c]
    told = part_told(pooled, total, weight, impurity, rules.criterion == SQUARED_ERROR)
    kept = part_beyond_chance(told, n_groups, n_cases)
    if kept <= 0.0:  # before the search, which takes longer
        return 0.0, 0.0, 0
    to_left = np.empty(n_groups, dtype=np.int64)
    gain, found = best_subset(pooled, pooled_size, total, weight, scale, rules, to_left)
    for k in range(n_present):
        goes_left[k] = to_left[group_of[k]]
    return kept * gain, kept, found


@borrowing
def impurity_of_known(line, start, stop, cases, known, weight, unit, regression):
    """Return gini impurity times weight, or squared error, of the cases known on a column."""
    if not regression:
        return impurity_of_classes(known, weight)
    squares = 0.0
    for i in range(start, stop):
        case = line[i] & CASE_MASK
        squares += (1.0 if unit else cases.weight[case]) * cases.target[case] ** 2
    return max(squares - known[1] * known[1] / weight, 0.0)


@inlined
def choose_subset(rules, line, start, stop, cases, total, unit, branch_of_level):
    """Write which of two branches each level of a nominal test takes, -1 where none occurs."""
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
    impurity = 0.0
    if n_levels > FEW_CATEGORIES:
        impurity = impurity_of_known(line, start, stop, cases, known, weight, unit, regression)
    _, _, found = best_sets(
        table[:n_present], size, known, weight, cases.scale, impurity, 1.0, n_levels, rules,
        goes_left,
    )  # fmt: skip
    if not found:
        # The test was chosen, by sums in another order: of weights from 5e-324 to 1e300 they may
        # tell otherwise. Any two sides will do, but both must have cases.
        for k in range(n_present):
            goes_left[k] = 1 if k == 0 else 0
    for level in range(n_levels):
        branch_of_level[level] = -1
    for k in range(n_present):
        branch_of_level[level_of[k]] = 1 - goes_left[k]
    return 2
