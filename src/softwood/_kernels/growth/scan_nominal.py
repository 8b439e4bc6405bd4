"""The gain of splitting one nominal column of one node.

C4.5 gives every category a branch; CART puts the categories in two sets.
"""

import numpy as np

from softwood._kernels._jit import borrowing, inlined
from softwood._kernels.growth.columns import CASE_MASK, RANK_SHIFT, class_of
from softwood._kernels.growth.scan_numeric import TIE, allowed
from softwood._kernels.impurity import (
    ENTROPY,
    SMALL,
    SQUARED_ERROR,
    TWOING,
    class_sum,
    twoing,
    xlog2,
)

MAX_ENUMERATED = 8  # up to 2^7 - 1 ways to halve the categories are tried one by one


@borrowing
def gain_of_categories(line, start, stop, cases, total_sum, known, weight, unit, min_leaf, bag):
    """Return ``(gain, ratio, valid)`` of one branch per category, as C4.5 judges it."""
    entropy = xlog2(known) - total_sum
    split_info = xlog2(weight) - xlog2(weight - known)
    after, n_large, i = 0.0, 0, start
    while i < stop:
        for c in range(bag.size):
            bag[c] = 0.0
        bag_weight, bag_size = 0.0, 0.0
        level = line[i] >> RANK_SHIFT
        while i < stop and line[i] >> RANK_SHIFT == level:
            case = line[i] & CASE_MASK
            w = 1.0 if unit else cases.weight[case]
            bag[class_of(line[i])] += w
            bag_weight += w
            bag_size += 1.0 if unit else cases.share[case]
            i += 1
        after += xlog2(bag_weight) - class_sum(bag, True)
        split_info -= xlog2(bag_weight)
        if min_leaf - bag_size < SMALL:
            n_large += 1
    if n_large < 2:
        return 0.0, 0.0, 0
    gain = (1.0 - (weight - known) / weight) * (entropy - after)
    gain = 0.0 if abs(gain) < SMALL else gain / known
    ratio = 0.0 if abs(split_info) < SMALL else gain / (split_info / weight)
    return gain, ratio, 1


@borrowing
def tabulate(line, start, stop, cases, unit, regression, table, size, level_of):
    """Fill ``table`` with the class weights (or weight and sum) of each category present.

    Returns the number of categories present; ``level_of`` names them and ``size``
    counts their cases.
    """
    n_present, i = 0, start
    while i < stop:
        level = line[i] >> RANK_SHIFT
        for c in range(table.shape[1]):
            table[n_present, c] = 0.0
        size[n_present] = 0.0
        while i < stop and line[i] >> RANK_SHIFT == level:
            case = line[i] & CASE_MASK
            w = 1.0 if unit else cases.weight[case]
            if regression:
                table[n_present, 0] += w
                table[n_present, 1] += w * cases.target[case]
            else:
                table[n_present, class_of(line[i])] += w
            size[n_present] += 1.0 if unit else cases.share[case]
            i += 1
        level_of[n_present] = level
        n_present += 1
    return n_present


@inlined
def principal_direction(table, direction):
    """Find the direction in which the class shares of the categories vary most.

    Power iteration on their weighted covariance. For two classes this is the share
    of either class, and ordering by it is exact.
    """
    n_present, n_classes = table.shape
    mean, step = np.zeros(n_classes), np.empty(n_classes)
    weight = np.zeros(n_present)
    everything = 0.0
    for k in range(n_present):
        for c in range(n_classes):
            weight[k] += table[k, c]
            mean[c] += table[k, c]
        everything += weight[k]
    for c in range(n_classes):
        mean[c] /= everything
        direction[c] = 1.0 if c == 0 else -1.0 / (c + 1.0)
    for _ in range(64):
        for c in range(n_classes):
            step[c] = 0.0
        for k in range(n_present):
            along = 0.0
            for c in range(n_classes):
                along += (table[k, c] / weight[k] - mean[c]) * direction[c]
            for c in range(n_classes):
                step[c] += weight[k] * along * (table[k, c] / weight[k] - mean[c])
        length = 0.0
        for c in range(n_classes):
            length += step[c] * step[c]
        if length <= 0.0:
            return
        for c in range(n_classes):
            direction[c] = step[c] / np.sqrt(length)


@inlined
def order_categories(table, regression, order):
    """Write the order in which the categories are cut in two: by mean, or by class shares."""
    n_present, n_columns = table.shape
    score, direction = np.empty(n_present), np.empty(n_columns)
    if not regression:
        principal_direction(table, direction)
    for k in range(n_present):
        along, weight = 0.0, 0.0
        for c in range(n_columns):
            along += direction[c] * table[k, c]
            weight += table[k, c]
        score[k] = table[k, 1] / table[k, 0] if regression else along / weight
    gap = n_present  # Shell's sort: short, and quick enough for thousands of categories
    while gap > 1:
        gap = 1 if gap == 2 else gap * 5 // 11
        for k in range(gap, n_present):
            moved, place = order[k], k
            while place >= gap and score[order[place - gap]] > score[moved]:
                order[place] = order[place - gap]
                place -= gap
            order[place] = moved


@borrowing
def value_of_sides(criterion, left, total, weight):
    """Return the gain of a left side with class weights (or weight and sum) ``left``."""
    if criterion == SQUARED_ERROR:
        right_sum = total[1] - left[1]
        return left[1] * left[1] / left[0] + right_sum * right_sum / (weight - left[0])
    left_weight, left_sum, right_sum = 0.0, 0.0, 0.0
    for c in range(left.size):
        left_weight += left[c]
        right = total[c] - left[c]
        left_sum += xlog2(left[c]) if criterion == ENTROPY else left[c] * left[c]
        right_sum += xlog2(right) if criterion == ENTROPY else right * right
    right_weight = weight - left_weight
    if criterion == TWOING:
        return twoing(left, total, left_weight, right_weight)
    if criterion == ENTROPY:
        return left_sum + right_sum - xlog2(left_weight) - xlog2(right_weight)
    return left_sum / left_weight + right_sum / right_weight


@inlined
def best_subset(table, size, total, weight, scale, rules, goes_left):
    """Return ``(gain, found)`` of the best split of the categories into two sets.

    Exact for two classes and for squared error, where ordering by the mean suffices
    (unless the least size of a branch bites), and for up to ``MAX_ENUMERATED``
    categories; beyond that the categories are ordered along their principal direction.
    ``goes_left`` receives 1 for the winning set.
    """
    n_present, n_columns = table.shape
    criterion = rules.criterion
    regression = criterion == SQUARED_ERROR
    by_order = regression or n_columns == 2 or n_present > MAX_ENUMERATED
    everything = 0.0
    order = np.empty(n_present, dtype=np.int64)
    for k in range(n_present):
        everything += size[k]
        order[k] = k
    n_codes = 1 << (n_present - 1)
    if by_order:
        order_categories(table, regression, order)
        n_codes = n_present
    left, left_size = np.zeros(n_columns), 0.0
    best, best_code, tolerance = -np.inf, 0, TIE * weight * scale
    # A code is a prefix of the order, or a set of bits in which the last category,
    # always on the right, has none: a set and its complement are one split.
    for code in range(1, n_codes):
        first = code - 1 if by_order else 0
        if not by_order:
            left_size = 0.0
            for c in range(n_columns):
                left[c] = 0.0
        for place in range(first, code if by_order else n_present - 1):
            if by_order or (code >> place) & 1 == 1:
                left_size += size[order[place]]
                for c in range(n_columns):
                    left[c] += table[order[place], c]
        left_weight = 0.0
        for c in range(1 if regression else n_columns):
            left_weight += left[c]
        if allowed(left_size, everything - left_size, left_weight, weight - left_weight, rules):
            value = value_of_sides(criterion, left, total, weight)
            if value > best + tolerance:
                best, best_code = value, code
    for place in range(n_present):
        inside = (place < best_code) if by_order else ((best_code >> place) & 1 == 1)
        goes_left[order[place]] = 1 if inside else 0
    if best_code == 0:
        return 0.0, 0
    uncut = 0.0
    if regression:
        uncut = total[1] * total[1] / total[0]
    elif criterion == ENTROPY:
        uncut = class_sum(total, True) - xlog2(weight)
    elif criterion != TWOING:
        uncut = class_sum(total, False) / weight
    return max(best - uncut, 0.0), 1
