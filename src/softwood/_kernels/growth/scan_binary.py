"""The one cut of a column of two values, which needs no sorting: one pass counts both sides.

Categories that are tested one against the rest are such columns. What is returned is what
:func:`softwood._kernels.growth.scan_keys.best_cut_of_cases` would, to the last bit: sums of
logarithms are added up in the order that it has for as many keys.
"""

import numpy as np

from softwood._kernels._jit import pasted
from softwood._kernels.growth.scan_keys import (
    CLASS_BITS,
    N_CASES,
    N_HELD,
    N_KEYS,
    Cut,
    best_cut_of_cases,
    least_branch,
    may_part,
    scored,
)
from softwood._kernels.impurity import SMALL


@pasted
def count_upper_cases(rank, quick):
    """Count the classes of the cases of rank 1; return how many keys they have.

    Classes are counted in two places by turns: the processor need not wait for one count to
    add to the next. Of two classes, as in most small nodes, nothing is written to memory.
    """
    case, label, left, right = quick.case, quick.label, quick.left, quick.right
    n_keys, n_held, class_bits = quick.here[N_KEYS], quick.here[N_HELD], quick.here[CLASS_BITS]
    one, n_upper = np.uint64(1), np.uint64(0)
    if n_held == 2:
        n_right, second = np.uint64(0), np.uint64(0)
        for i in range(n_keys):
            word, upper = np.uint64(label[i]), np.uint64(rank[case[i]])
            here = upper * ((word >> one) + one)
            n_upper += upper
            n_right += here
            second += here * (word & one)
        right[0], right[1] = n_right - second, second
        return np.int64(n_upper)
    for c in range(n_held):
        left[c], right[c] = 0, 0
    mask = (1 << class_bits) - 1
    for i in range(n_keys):
        key, side = np.int64(label[i]), np.int64(rank[case[i]])
        count = side * ((key >> class_bits) + 1)
        if i & 1:
            left[key & mask] += count
        else:
            right[key & mask] += count
        n_upper += np.uint64(side)
    for c in range(n_held):
        right[c] += left[c]
    return np.int64(n_upper)


@pasted
def score_of_sides(n_left, is_counted, quick):
    """Return the sum that the entropy after the cut is the negative of."""
    xlogs, left, right = quick.xlogs, quick.left, quick.right
    n_held, n_right = quick.here[N_HELD], quick.here[N_CASES] - n_left
    if is_counted:
        score = -xlogs[n_left] - xlogs[n_right]
        for c in range(n_held):
            score += xlogs[left[c]] + xlogs[right[c]]
        return score
    if n_held == 2:
        score = (xlogs[left[1]] + xlogs[left[0]]) - (xlogs[n_left] + xlogs[n_right])
        return score + (xlogs[right[1]] + xlogs[right[0]])
    left_sum, right_sum = 0.0, 0.0
    for c in range(n_held):
        left_sum += xlogs[left[c]]
        right_sum += xlogs[right[c]]
    return left_sum + right_sum - xlogs[n_left] - xlogs[n_right]


@pasted
def cut_between_two(rules, rank, f, columns, total_sum, quick):
    """Return ``(is_constant, Cut)`` of a column of two values."""
    n_cases, n_keys, n_held = quick.here[N_CASES], quick.here[N_KEYS], quick.here[N_HELD]
    n_upper = count_upper_cases(rank, quick)
    if n_upper == 0 or n_upper == n_keys:
        return True, Cut(0.0, 0.0, 0, 0)
    n_right = 0
    for c in range(n_held):
        quick.left[c] = quick.held[c] - quick.right[c]
        n_right += quick.right[c]
    n_left, least = n_cases - n_right, least_branch(n_cases, quick.code.size, rules.min_leaf)
    at = columns.value_start[f]
    if n_left < least or n_right < least:
        return False, Cut(0.0, 0.0, 0, 0)
    if quick.reach[f] > 1 and not may_part(quick.values, at, at + 1):
        return False, Cut(0.0, 0.0, 0, 0)
    n_sorted = n_upper if quick.is_sparse[f] else n_keys
    score = score_of_sides(n_left, 2 << quick.here[CLASS_BITS] <= n_sorted, quick)
    slack = SMALL * n_cases
    if not score > total_sum - quick.xlogs[n_cases] + slack:
        return False, Cut(0.0, 0.0, 0, 0)
    score = (score + slack) - slack
    return False, scored(score, n_left, 0, 1, 1, n_cases, total_sum, rules, quick.xlogs)


@pasted
def best_cut_of_column(rules, rank, f, columns, total_sum, quick):
    """Return ``(is_constant, Cut)`` of a numeric column of the unpacked cases.

    A dense column of a node of few cases and many classes is left to the keys, which add up
    in the order of the cases.
    """
    few = not quick.is_sparse[f] and 2 << quick.here[CLASS_BITS] > quick.here[N_KEYS]
    if columns.n_levels[f] == 2 and (quick.here[N_HELD] == 2 or not few):
        return cut_between_two(rules, rank, f, columns, total_sum, quick)
    return best_cut_of_cases(rules, rank, f, columns, total_sum, quick)
