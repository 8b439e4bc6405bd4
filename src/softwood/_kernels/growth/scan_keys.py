"""C4.5's best cut of a numeric column, for cases that are counted and all known.

This is :func:`softwood._kernels.growth.scan_numeric.best_cut_of_gain` for the nodes that are
most of a forest. Cases weigh 1, or as often as a bootstrap has drawn them; classes are counted in
whole numbers, logarithms looked up. Gains are compared as sums, so that nothing is divided.
"""

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, kernel, pasted
from softwood._kernels.growth.columns import CASE_MASK, RANK_SHIFT, class_of
from softwood._kernels.growth.scan_numeric import MIN_GAP
from softwood._kernels.growth.sort_keys import (
    KeyArray,
    all_keys,
    keys_above_lowest,
    range_of_keys,
    sort_keys,
)
from softwood._kernels.impurity import SMALL
from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray

N_CASES, N_KEYS, N_HELD, CLASS_BITS = 0, 1, 2, 3
COUNT_BITS = 4  # of a key, for how often its case counts; what is more has several keys
MOST_COUNTED = 1 << COUNT_BITS


class Quick(NamedTuple):
    """Tables and room for the quick scan."""

    xlogs: FloatArray  # k log2 k
    values: FloatArray  # distinct ones, column after column
    reach: AnyArray  # see reach_of_columns
    fits: bool  # whether every rank, count and class fits a key
    is_sparse: BoolArray  # columns in which many cases have the lowest value
    here: AnyArray  # of a node: its cases, how many keys they have, its classes, bits of a class
    held: AnyArray  # cases of each of its classes; it has no others
    code: KeyArray  # number of each class among those
    case: KeyArray  # the cases of a node, and their classes
    label: KeyArray  # with their counts
    keys: KeyArray
    other: KeyArray
    bins: IndexArray
    left: AnyArray  # per class
    right: AnyArray


class Cut(NamedTuple):
    """The best cut: between which ranks it is; gain 0 is no cut."""

    gain: float
    ratio: float
    lower: int
    upper: int


@kernel
def reach_of_columns(values: FloatArray, value_start: AnyArray, reach: AnyArray) -> None:
    """Write for each column how many ranks apart two values must be for any cut between them."""
    for f in range(reach.size):
        at, end = value_start[f], value_start[f + 1]
        other, reach[f] = at, 1
        for i in range(at, end):
            while other < end and not (values[i] + MIN_GAP < values[other]):
                other += 1
            reach[f] = max(reach[f], other - i)


@borrowing
def least_branch(n_cases, n_classes, min_leaf):
    """Return the least size of a branch, by C4.5's rule."""
    least = 0.1 * n_cases / n_classes
    least = min_leaf if least - min_leaf < SMALL else min(least, 25.0)
    return max(least - SMALL, 0.5)


@borrowing
def may_part(values, lower, upper):
    """Whether two values are far enough apart for a cut between them."""
    return values[lower] + MIN_GAP < values[upper]


@borrowing
def count_of(word, at):
    """Return how often a case counts, from the bits above ``at``."""
    return ((np.int64(word) >> at) & (MOST_COUNTED - 1)) + 1


@pasted
def cut_of_keys(keys, n_keys, n_lowest, total_sum, least, quick, at, reach):
    """Return ``(score, n_left, lower, upper, n_candidates)`` of the best cut of sorted keys.

    ``n_lowest`` cases of rank 0 without a key are on the left already. The score is the sum
    that the entropy after the cut is the negative of.
    """
    xlogs, left, right = quick.xlogs, quick.left, quick.right
    n_cases, class_bits = quick.here[N_CASES], quick.here[CLASS_BITS]
    mask, left_sum, right_sum, n_left = (1 << class_bits) - 1, 0.0, 0.0, n_lowest
    for c in range(quick.here[N_HELD]):
        left_sum += xlogs[left[c]]
        right_sum += xlogs[right[c]]
    best = total_sum - xlogs[n_cases] + SMALL * n_cases
    best_left, best_lower, best_upper, n_candidates = 0, 0, 0, 0
    lower = 0
    for i in range(n_keys):
        key = np.int64(keys[i])
        upper = key >> (class_bits + COUNT_BITS)
        if lower != upper and n_left >= least and n_cases - n_left >= least:
            if upper - lower >= reach or may_part(quick.values, at + lower, at + upper):
                n_candidates += 1
                score = left_sum + right_sum - xlogs[n_left] - xlogs[n_cases - n_left]
                if score > best:
                    best, best_left = score + SMALL * n_cases, n_left
                    best_lower, best_upper = lower, upper
        lower = upper
        c, count = key & mask, count_of(key, class_bits)
        before, after = left[c], right[c]
        left[c], right[c] = before + count, after - count
        left_sum += xlogs[before + count] - xlogs[before]
        right_sum -= xlogs[after] - xlogs[after - count]
        n_left += count
    return best - SMALL * n_cases, best_left, best_lower, best_upper, n_candidates


@pasted
def cut_of_two_classes(keys, n_keys, n_lowest, total_sum, least, quick, at, reach):
    """Do the same as :func:`cut_of_keys` where cases are of two classes, as in most small nodes.

    Nothing but two counts is carried from key to key, so that the processor can look ahead.
    Numbers without a sign need not be checked for being below 0 where they are an index.
    """
    xlogs, one, last_count = quick.xlogs, np.uint64(1), np.uint64(MOST_COUNTED - 1)
    n, wide = np.uint64(quick.here[N_CASES]), np.uint64(reach)
    n_second, second = np.uint64(quick.left[1] + quick.right[1]), np.uint64(quick.left[1])
    left, lower, first = np.uint64(n_lowest), np.uint64(0), np.uint64(np.ceil(least))
    last = n - first if n > first else np.uint64(0)
    best, slack = total_sum - xlogs[n] + SMALL * quick.here[N_CASES], SMALL * quick.here[N_CASES]
    best_left, best_lower, best_upper, n_candidates = left, lower, lower, 0
    found = False
    for i in range(n_keys):
        key = np.uint64(keys[i])
        upper = key >> np.uint64(1 + COUNT_BITS)
        if lower != upper and left >= first and left <= last:
            if upper - lower >= wide or may_part(
                quick.values, at + np.int64(lower), at + np.int64(upper)
            ):
                n_candidates += 1
                right, right_second = n - left, n_second - second
                score = (xlogs[second] + xlogs[left - second]) - (xlogs[left] + xlogs[right])
                score += xlogs[right_second] + xlogs[right - right_second]
                if score > best:
                    best, found = score + slack, True
                    best_left, best_lower, best_upper = left, lower, upper
        lower = upper
        count = ((key >> one) & last_count) + one
        second += (key & one) * count
        left += count
    n_left = np.int64(best_left) if found else 0
    return best - slack, n_left, np.int64(best_lower), np.int64(best_upper), n_candidates


@pasted
def count_keys(keys, n_keys, most, quick):
    """Count the cases of each rank and class, up to rank ``most``."""
    bins, class_bits = quick.bins, quick.here[CLASS_BITS]
    mask = (1 << class_bits) - 1
    for k in range((most + 1) << class_bits):
        bins[k] = 0
    for i in range(n_keys):
        key = np.int64(keys[i])
        rank = key >> (class_bits + COUNT_BITS)
        bins[(rank << class_bits) | (key & mask)] += count_of(key, class_bits)


@pasted
def cut_of_counts(most, n_lowest, total_sum, least, quick, at, reach):
    """Do the same as :func:`cut_of_keys` where the keys were counted, up to rank ``most``."""
    xlogs, bins, left, right = quick.xlogs, quick.bins, quick.left, quick.right
    n_cases, n_classes, n_left = quick.here[N_CASES], quick.here[N_HELD], n_lowest
    best = total_sum - xlogs[n_cases] + SMALL * n_cases
    best_left, best_lower, best_upper, n_candidates = 0, 0, 0, 0
    lower = 0
    for upper in range(most + 1):
        row = upper << quick.here[CLASS_BITS]
        here = 0
        for c in range(n_classes):
            here += bins[row + c]
        if here == 0:
            continue
        if n_left >= least and n_cases - n_left >= least:
            if upper - lower >= reach or may_part(quick.values, at + lower, at + upper):
                n_candidates += 1
                score = -xlogs[n_left] - xlogs[n_cases - n_left]
                for c in range(n_classes):
                    score += xlogs[left[c]] + xlogs[right[c]]
                if score > best:
                    best, best_left = score + SMALL * n_cases, n_left
                    best_lower, best_upper = lower, upper
        for c in range(n_classes):
            left[c] += bins[row + c]
            right[c] -= bins[row + c]
        n_left += here
        lower = upper
    return best - SMALL * n_cases, best_left, best_lower, best_upper, n_candidates


@pasted
def scored(score, n_left, lower, upper, n_candidates, n_cases, total_sum, rules, xlogs):
    """Return the cut with its gain and gain ratio; the gain pays for having been chosen."""
    if n_left == 0:
        return Cut(0.0, 0.0, 0, 0)
    gain = xlogs[n_cases] - total_sum + score
    if rules.mdl_correction:
        gain -= xlogs[n_candidates] / n_candidates  # log2 of it
    if gain < SMALL * n_cases:
        return Cut(0.0, 0.0, 0, 0)
    split_info = xlogs[n_cases] - xlogs[n_left] - xlogs[n_cases - n_left]
    ratio = 0.0 if split_info < SMALL else gain / split_info
    return Cut(gain / n_cases, ratio, lower, upper)


@pasted
def unpack_cases(line, start, stop, total, quick):
    """Write the cases of a node, their classes and counts, for all columns to be scanned.

    Small nodes hold few of many classes: only these are numbered.
    """
    here, held, n_held = quick.here, quick.held, 0
    here[N_CASES], here[N_KEYS] = 0, stop - start
    for c in range(total.size):
        quick.code[c], held[n_held] = n_held, int(total[c])
        here[N_CASES] += held[n_held]
        n_held += 1 if held[n_held] > 0 else 0
    class_bits = 1
    while n_held > 1 << class_bits:
        class_bits += 1
    here[N_HELD], here[CLASS_BITS] = n_held, class_bits
    for i in range(start, stop):
        quick.case[i - start] = line[i] & CASE_MASK
        count = (line[i] >> RANK_SHIFT) << class_bits
        quick.label[i - start] = count | quick.code[class_of(line[i])]


@pasted
def fill_sides(n_keys, has_all, quick):
    """Count the classes of both sides before any key has gone left; return the left's size."""
    left, right, held, class_bits = quick.left, quick.right, quick.held, quick.here[CLASS_BITS]
    if has_all:
        for c in range(quick.here[N_HELD]):
            left[c], right[c] = 0, held[c]
        return 0
    n_left, mask = quick.here[N_CASES], (1 << class_bits) - 1
    for c in range(quick.here[N_HELD]):
        left[c], right[c] = held[c], 0
    for i in range(n_keys):
        c, count = quick.keys[i] & mask, count_of(quick.keys[i], class_bits)
        left[c] -= count
        right[c] += count
        n_left -= count
    return n_left


@pasted
def best_cut_of_cases(rules, rank, f, columns, total_sum, quick):
    """Return ``(is_constant, Cut)`` of a numeric column of the unpacked cases."""
    n_cases, n_keys, class_bits = quick.here[N_CASES], quick.here[N_KEYS], quick.here[CLASS_BITS]
    keys, low_bits, has_all = quick.keys, class_bits + COUNT_BITS, True
    if quick.is_sparse[f]:
        n_keys = keys_above_lowest(quick.case, quick.label, n_keys, rank, low_bits, keys)
        has_all = n_keys == quick.here[N_KEYS]
        if n_keys == 0:
            return True, Cut(0.0, 0.0, 0, 0)
    else:
        all_keys(quick.case, quick.label, n_keys, rank, low_bits, keys)
    least, most = range_of_keys(keys, n_keys)
    least, most = least >> low_bits, most >> low_bits
    if has_all and least == most:
        return True, Cut(0.0, 0.0, 0, 0)
    n_lowest = fill_sides(n_keys, has_all, quick)
    smallest = least_branch(n_cases, quick.code.size, rules.min_leaf)
    if n_lowest > 0 and n_cases - n_lowest < smallest:  # no cut leaves enough on the right
        return False, Cut(0.0, 0.0, 0, 0)
    at, reach = columns.value_start[f], quick.reach[f]
    if (most + 1) << class_bits <= n_keys:
        count_keys(keys, n_keys, most, quick)
        found = cut_of_counts(most, n_lowest, total_sum, smallest, quick, at, reach)
    else:
        in_other = sort_keys(keys, quick.other, n_keys, least, most, low_bits, quick.bins)
        ordered = quick.other if in_other else keys
        if quick.here[N_HELD] == 2:
            found = cut_of_two_classes(
                ordered, n_keys, n_lowest, total_sum, smallest, quick, at, reach
            )
        else:
            found = cut_of_keys(ordered, n_keys, n_lowest, total_sum, smallest, quick, at, reach)
    score, n_left, lower, upper, n_candidates = found
    return False, scored(
        score, n_left, lower, upper, n_candidates, n_cases, total_sum, rules, quick.xlogs
    )
