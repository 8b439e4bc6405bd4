"""Random tests: one, or the best of a few.

A random test is a feature drawn from those that can be tested here, and a cut half way between
the values of two random cases, or a branch per category. A node may draw several and take the
one that tells most: less random than one, and far cheaper than the best test there is.
"""

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.growth.columns import CASE_MASK, RANK_SHIFT, class_of
from softwood._kernels.growth.scan_keys import count_of
from softwood._kernels.impurity import xlog2_of
from softwood._kernels.randomness import below

MANY_BRANCHES = 64  # a test of more needs cases enough
CASES_PER_BRANCH = 2  # in the mean: C4.5 asks for as many in two branches, at least
MOST_JUDGES = 256  # cases of a node that judge random tests
UNCOUNTED = (1 << RANK_SHIFT) - 1  # an entry but for how often it counts


class Chosen(NamedTuple):
    """The test of a node: at most ``rank`` goes left; feature -1 makes it a leaf."""

    feature: int
    rank: int
    threshold: float


@borrowing
def middle_of(values, at, lower, upper):
    """Return the cut half way between two ranks of a column, and the last rank below it."""
    low, high = values[at + lower], values[at + upper]
    middle = low + (high - low) / 2.0
    if not (low <= middle < high):  # too far apart or too close for halves
        middle = low
    while upper - lower > 1:
        rank = (lower + upper) // 2
        if values[at + rank] <= middle:
            lower = rank
        else:
            upper = rank
    return middle, lower


@borrowing
def drop_feature(active, a, n_active):
    """Drop one of the active features, and keep the others in order."""
    for k in range(a, n_active - 1):
        active[k] = active[k + 1]
    return n_active - 1


@borrowing
def count_others(line, rank, first):
    """Return how many known cases have another rank than ``first``."""
    n_others = 0
    for i in range(line.size):
        r = rank[line[i] & CASE_MASK]
        n_others += 1 if (r != first) & (r >= 0) else 0
    return n_others


@borrowing
def other_rank(line, rank, first, wanted):
    """Return the rank of one of those cases."""
    for i in range(line.size):
        r = np.int64(rank[line[i] & CASE_MASK])
        if r != first and r >= 0:
            if wanted == 0:
                return r
            wanted -= 1
    return np.int64(-1)


@borrowing
def has_rank(line, rank, wanted):
    """Whether any case of a node has this rank."""
    i = 0
    while i < line.size and rank[line[i] & CASE_MASK] != wanted:
        i += 1
    return i < line.size


@borrowing
def draw_two_ranks(line, rank, n_levels, state):
    """Return the ranks of two cases: any, and any whose rank differs; -1 if there is none.

    Most nodes are done with two draws. Only if these agree, or hit a missing value, all
    cases are looked at; of two levels the other one is known, and looked for.
    """
    first = np.int64(rank[line[below(state, line.size)] & CASE_MASK])
    second = np.int64(rank[line[below(state, line.size)] & CASE_MASK])
    if first >= 0 and n_levels == 2 and (second < 0 or first == second):
        if not has_rank(line, rank, 1 - first):
            return np.int64(-1), np.int64(-1)
        below(state, 1)  # which of them does not matter, but that one was drawn does
        second = 1 - first
    elif first < 0 or second < 0 or first == second:
        if first < 0:
            n_known = count_others(line, rank, first)
            if n_known == 0:
                return np.int64(-1), np.int64(-1)
            first = other_rank(line, rank, first, below(state, n_known))
        n_others = count_others(line, rank, first)
        if n_others == 0:
            return np.int64(-1), np.int64(-1)
        second = other_rank(line, rank, first, below(state, n_others))
    return min(first, second), max(first, second)


@borrowing
def has_two_levels(line, rank):
    """Whether the known cases of a node have more than one category."""
    first = np.int64(-1)
    for i in range(line.size):
        r = np.int64(rank[line[i] & CASE_MASK])
        if first < 0:
            first = r
        elif r >= 0 and r != first:
            return True
    return False


@borrowing
def fills_branches(n_cases, n_levels):
    """Whether a node has cases enough for a branch of each category: else all are by chance."""
    return n_levels <= MANY_BRANCHES or n_cases >= CASES_PER_BRANCH * n_levels


@borrowing
def random_test(line, start, stop, active, n_active, ranks, columns, state):
    """Return a random test, and how many features remain that are not constant here."""
    here = line[start:stop]
    while n_active > 0:
        a = below(state, n_active)
        f = active[a]
        if columns.is_nominal[f]:
            if fills_branches(here.size, columns.n_levels[f]) and has_two_levels(here, ranks[f]):
                return Chosen(f, 0, 0.0), n_active
        else:
            lower, upper = draw_two_ranks(here, ranks[f], columns.n_levels[f], state)
            if lower >= 0:
                threshold, rank = middle_of(columns.values, columns.value_start[f], lower, upper)
                return Chosen(f, rank, threshold), n_active
        n_active = drop_feature(active, a, n_active)
    return Chosen(-1, 0, 0.0), n_active


@borrowing
def per_entropy(before, after, of_test):
    """Return the information of a test over the entropies of class and test, 0 to a half.

    Tests of many branches do not win by their number, as they do by gain, nor tests that cut
    off next to nothing, as they may by its ratio.
    """
    entropies = before + of_test
    return (before - after) / entropies if entropies > 0.0 else 0.0


@borrowing
def classes_held(total, held):
    """Write the classes that a node has, and return how many: many nodes have few of many."""
    n_held = 0
    for c in range(total.size):
        held[n_held] = c
        n_held += 1 if total[c] > 0.0 else 0
    return n_held


@borrowing
def gain_of_counted_cut(line, rank, last, n_classes, held, xlogs, tally):
    """Return the gain of a cut for cases that are counted and all known."""
    for c in held:
        tally[c], tally[n_classes + c] = 0, 0
    for i in range(line.size):
        entry = line[i]
        side = 1 if rank[entry & CASE_MASK] > last else 0
        tally[side * n_classes + class_of(entry)] += count_of(entry, RANK_SHIFT)
    n_left, n_right, of_all, of_parts = 0, 0, 0.0, 0.0
    for c in held:
        left, right = tally[c], tally[n_classes + c]
        n_left += left
        n_right += right
        of_all += xlogs[left + right]
        of_parts += xlogs[left] + xlogs[right]
    of_sides, of_test = xlogs[n_left] + xlogs[n_right], xlogs[n_left + n_right]
    return per_entropy(of_test - of_all, of_sides - of_parts, of_test - of_sides)


@borrowing
def fill_parts(line, rank, last, n_parts, n_columns, cases, regression, unit, parts):
    """Add up what each branch of a test would hold: classes, or weight and sum of the target.

    The weight of all cases is returned, those with it whose value is missing.
    """
    whole = 0.0
    for k in range(n_parts * n_columns):
        parts[k] = 0.0
    for i in range(line.size):
        case = line[i] & CASE_MASK
        w = 1.0 if unit else cases.weight[case]
        whole += w
        r = np.int64(rank[case])
        if r < 0:
            continue
        b = (1 if r > last else 0) if last >= 0 else r
        if regression:
            parts[2 * b] += w
            parts[2 * b + 1] += w * cases.target[case]
        else:
            parts[b * n_columns + class_of(line[i])] += w
    return whole


@borrowing
def gain_of_classes(parts, n_parts, n_classes, whole, xlogs, unit):
    """Return the gain of a test whose branches hold ``parts``; missing cases tell nothing."""
    known, before = 0.0, 0.0
    for c in range(n_classes):
        of_class = 0.0
        for b in range(n_parts):
            of_class += parts[b * n_classes + c]
        known += of_class
        before -= xlog2_of(of_class, xlogs, unit)
    before += xlog2_of(known, xlogs, unit)
    after, of_test = 0.0, xlog2_of(known, xlogs, unit)
    for b in range(n_parts):
        of_part = 0.0
        for c in range(n_classes):
            of_part += parts[b * n_classes + c]
            after -= xlog2_of(parts[b * n_classes + c], xlogs, unit)
        after += xlog2_of(of_part, xlogs, unit)
        of_test -= xlog2_of(of_part, xlogs, unit)
    return per_entropy(before, after, of_test) * (known / whole)


@borrowing
def gain_of_target(parts, n_parts):
    """Return how much squared error a test takes off."""
    weight, target_sum, after = 0.0, 0.0, 0.0
    for b in range(n_parts):
        if parts[2 * b] > 0.0:
            weight += parts[2 * b]
            target_sum += parts[2 * b + 1]
            after += parts[2 * b + 1] ** 2 / parts[2 * b]
    return after - target_sum**2 / weight if weight > 0.0 else 0.0


@borrowing
def gain_of_test(test, line, ranks, columns, cases, total, n_held, growth, unit, sorting):
    """Return how good a random test is, for comparison with others at the same node."""
    f, regression, parts = test.feature, growth.regression, sorting.parts
    nominal = columns.is_nominal[f]
    if n_held > 0 and not nominal:
        held = sorting.held[:n_held]
        return gain_of_counted_cut(
            line, ranks[f], test.rank, total.size, held, cases.xlogs, sorting.tally
        )
    n_parts = columns.n_levels[f] if nominal else 2
    last = -1 if nominal else test.rank
    n_columns = 2 if regression else total.size
    whole = fill_parts(line, ranks[f], last, n_parts, n_columns, cases, regression, unit, parts)
    if regression:
        return gain_of_target(parts, n_parts)
    return gain_of_classes(parts, n_parts, n_columns, whole, cases.xlogs, unit)


@borrowing
def draw_judges(line, state, judges):
    """Draw some of the cases, each for itself: which of a few tests is better shows on these."""
    for i in range(MOST_JUDGES):
        judges[i] = line[below(state, line.size)] & UNCOUNTED


@borrowing
def best_random_test(
    n_random, line, start, stop, active, n_active, ranks, columns, cases, total, growth, unit,
    complete, sorting, state,
):  # fmt: skip
    """Return the best of some random tests, and how many features are not known as constant."""
    test, n_active = random_test(line, start, stop, active, n_active, ranks, columns, state)
    if n_random == 1 or test.feature < 0:
        return test, n_active
    here = line[start:stop]
    if here.size > MOST_JUDGES:
        draw_judges(here, state, sorting.words)
        here = sorting.words[:MOST_JUDGES]
    counted = complete and unit and not growth.regression
    n_held = classes_held(total, sorting.held) if counted else 0
    best = gain_of_test(test, here, ranks, columns, cases, total, n_held, growth, unit, sorting)
    for _ in range(n_random - 1):
        other, n_active = random_test(line, start, stop, active, n_active, ranks, columns, state)
        gain = gain_of_test(
            other, here, ranks, columns, cases, total, n_held, growth, unit, sorting
        )
        if gain > best:
            test, best = other, gain
    return test, n_active
