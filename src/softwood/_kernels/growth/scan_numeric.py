"""The best cut of one numeric column of one node.

A scan walks the entries of a node in order of rank and moves one case at a time
from the right side to the left. Between two different ranks it may cut.
"""

import numpy as np

from softwood._kernels._jit import borrowing, hot
from softwood._kernels.growth.columns import CASE_MASK, RANK_SHIFT, class_of
from softwood._kernels.impurity import ENTROPY, SMALL, TWOING, twoing, xlog2, xlog2_of, xlog2_step

TIE = 1e-12  # a later cut must be better by more than rounding could make it
MIN_GAP = 1e-5  # J48 does not cut between values closer than this


SLACK = 1e-9  # thirds of a case may add up to a little less than the case


@borrowing
def allowed(left_size, right_size, left_weight, right_weight, rules):
    """Whether both sides have the cases and the weight that CART's rules ask for."""
    enough = min(left_size, right_size) + SLACK >= rules.min_leaf
    return enough and left_weight >= rules.min_weight and right_weight >= rules.min_weight


@hot
def size_of(line, start, stop, cases, unit):
    """Return how many cases a segment holds, parts of cases added up."""
    if unit:
        return float(stop - start)
    size = 0.0
    for i in range(start, stop):
        size += cases.share[line[i] & CASE_MASK]
    return size


@hot
def best_cut_of_classes(line, start, stop, cases, total, total_sum, weight, unit, rules, left):
    """Return ``(gain, cut)`` of the purest cut; ``cut`` entries go left, 0 is no cut.

    The gain is the decrease of weighted impurity over the known cases. It is followed
    through ``sum_c f(q_c)`` of both sides, f being the square for gini and q log q for
    entropy; ``total_sum`` is that sum before any cut. ``left`` is room for the class
    weights of the left side.
    """
    criterion = rules.criterion
    table = cases.xlogs
    for c in range(left.size):
        left[c] = 0.0
    left_sum, right_sum = 0.0, total_sum
    left_weight, right_weight = 0.0, weight
    best, best_cut = -np.inf, 0
    tolerance = TIE * weight
    size, left_size = size_of(line, start, stop, cases, unit), 0.0
    entry = line[start]
    for i in range(start, stop - 1):
        case = entry & CASE_MASK
        c = class_of(entry)
        w = 1.0 if unit else cases.weight[case]
        left_size += 1.0 if unit else cases.share[case]
        before = left[c]
        after = before + w
        right_before = total[c] - before
        left[c] = after
        if criterion == ENTROPY:
            left_sum += xlog2_step(before, w, table, unit)
            right_sum -= xlog2_step(right_before - w, w, table, unit)
        else:
            left_sum += w * (before + after)
            right_sum += w * (w - right_before - right_before)
        left_weight += w
        right_weight -= w
        following = line[i + 1]
        if (entry ^ following) >> RANK_SHIFT:
            if allowed(left_size, size - left_size, left_weight, right_weight, rules):
                if criterion == TWOING:
                    value = twoing(left, total, left_weight, right_weight)
                elif criterion == ENTROPY:
                    value = left_sum - xlog2_of(left_weight, table, unit)
                    value += right_sum - xlog2_of(right_weight, table, unit)
                else:
                    value = left_sum / left_weight + right_sum / right_weight
                if value > best + tolerance:
                    best, best_cut = value, i + 1 - start
        entry = following
    if best_cut == 0:
        return 0.0, 0
    uncut = 0.0
    if criterion == ENTROPY:
        uncut = total_sum - xlog2(weight)
    elif criterion != TWOING:
        uncut = total_sum / weight
    return max(best - uncut, 0.0), best_cut


@hot
def best_cut_of_target(line, start, stop, cases, target_sum, weight, unit, rules):
    """Return ``(gain, cut)`` of the cut that takes off most squared error."""
    left_sum, left_weight = 0.0, 0.0
    best, best_cut = -np.inf, 0
    uncut = target_sum * target_sum / weight
    tolerance = TIE * cases.scale * weight
    size, left_size = size_of(line, start, stop, cases, unit), 0.0
    entry = line[start]
    for i in range(start, stop - 1):
        case = entry & CASE_MASK
        w = 1.0 if unit else cases.weight[case]
        left_size += 1.0 if unit else cases.share[case]
        left_sum += w * cases.target[case]
        left_weight += w
        following = line[i + 1]
        if (entry ^ following) >> RANK_SHIFT:
            if allowed(left_size, size - left_size, left_weight, weight - left_weight, rules):
                right_sum = target_sum - left_sum
                value = left_sum * left_sum / left_weight
                value += right_sum * right_sum / (weight - left_weight)
                if value > best + tolerance:
                    best, best_cut = value, i + 1 - start
        entry = following
    if best_cut == 0:
        return 0.0, 0
    return max(best - uncut, 0.0), best_cut


@hot
def class_sums(left, total, table, unit):
    """Return the sums over classes of ``q log q``, of the left side and of the right."""
    left_sum, right_sum = 0.0, 0.0
    for c in range(left.size):
        left_sum += xlog2_of(left[c], table, unit)
        right_sum += xlog2_of(total[c] - left[c], table, unit)
    return left_sum, right_sum


@hot
def best_cut_of_gain(
    line, start, stop, cases, values, at, coarse, total, total_sum, known, weight, unit, rules, left
):
    """Return ``(gain, ratio, cut)`` of a numeric attribute as C4.5 judges it.

    The column's distinct values begin at ``values[at]``; where they are few, ``coarse``,
    sums over classes are made afresh at every cut. ``known`` is the weight of the
    entries, ``weight`` that of the whole node. Follows J48: gains are compared with a
    tolerance, a cut needs a gap and enough cases on both sides, and the gain of the best
    cut pays for the number of cuts it was chosen from.
    """
    table = cases.xlogs
    size, left_size = size_of(line, start, stop, cases, unit), 0.0
    min_split = 0.1 * size / total.size
    if min_split - rules.min_leaf < SMALL:
        min_split = rules.min_leaf
    elif min_split - 25.0 > SMALL:
        min_split = 25.0
    if 2.0 * min_split - size > 2.0 * SMALL:
        return 0.0, 0.0, 0
    for c in range(left.size):
        left[c] = 0.0
    left_sum, right_sum = 0.0, total_sum
    left_weight, right_weight = 0.0, known
    entropy = xlog2(known) - right_sum
    share_known = 1.0 - (weight - known) / weight
    best, best_cut, best_left, n_candidates = 0.0, 0, 0.0, 0
    entry = line[start]
    for i in range(start, stop - 1):
        case = entry & CASE_MASK
        c = class_of(entry)
        w = 1.0 if unit else cases.weight[case]
        before = left[c]
        left[c] = before + w
        if not coarse:
            left_sum += xlog2_step(before, w, table, unit)
            right_sum -= xlog2_step(total[c] - before - w, w, table, unit)
        left_weight += w
        right_weight -= w
        if not unit:
            left_size += cases.share[case]
        following = line[i + 1]
        if (entry ^ following) >> RANK_SHIFT:
            here, there = left_size, size - left_size
            if unit:  # then weights are sizes
                here, there = left_weight, right_weight
            enough = min_split - here < SMALL and min_split - there < SMALL
            lower, upper = at + (entry >> RANK_SHIFT), at + (following >> RANK_SHIFT)
            if enough and values[lower] + MIN_GAP < values[upper]:
                n_candidates += 1
                if coarse:
                    left_sum, right_sum = class_sums(left, total, table, unit)
                after = xlog2_of(left_weight, table, unit) - left_sum
                after += xlog2_of(right_weight, table, unit) - right_sum
                gain = share_known * (entropy - after)
                gain = 0.0 if abs(gain) < SMALL else gain / known
                if gain - best > SMALL:
                    best, best_cut, best_left = gain, i + 1 - start, left_weight
        entry = following
    if n_candidates == 0 or best_cut == 0:
        return 0.0, 0.0, 0
    if rules.mdl_correction:
        best -= np.log2(n_candidates) / weight
    if best < SMALL:
        return 0.0, 0.0, 0
    unknown = weight - known
    split_info = xlog2(weight) - xlog2(best_left) - xlog2(known - best_left) - xlog2(unknown)
    ratio = 0.0 if abs(split_info) < SMALL else best / (split_info / weight)
    return best, ratio, best_cut
