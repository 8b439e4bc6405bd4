"""What a hyperplane of a node is worth: score alone (OC1), or score and margin (MOC1, MOC2)."""

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.oblique.line import ROUNDING, count_buckets, sort_places, usual_size
from softwood._kernels.oblique.score import impurity_of, score_of, unsplit_score
from softwood._kernels.oblique.scratch import CODE, KEY, LEFT, OFF_LEFT, OFF_RIGHT, PLACE, POINT

OC1, MOC1, MOC2 = 0, 1, 2


@borrowing
def count_left(node, value, left):
    """Write the class weights of the points on the left."""
    for c in range(node.total.size):
        weight = 0.0
        for i in range(node.start[c], node.start[c + 1]):
            weight += node.weight[i] if value[i] < 0.0 else 0.0
        left[c] = weight


@borrowing
def margin_between(value):
    """Return the gap between the sides, in units of the value; infinite if one is empty.

    Points are looked at by twos: each comparison waits for the one before it.
    """
    lower, upper, other_lower, other_upper = -np.inf, np.inf, -np.inf, np.inf
    half = value.size // 2
    first, second = value[:half], value[half : 2 * half]
    for i in range(half):
        v, w = first[i], second[i]
        lower = v if (v < 0.0) & (v > lower) else lower
        upper = v if (v >= 0.0) & (v < upper) else upper
        other_lower = w if (w < 0.0) & (w > other_lower) else other_lower
        other_upper = w if (w >= 0.0) & (w < other_upper) else other_upper
    if value.size % 2 == 1:
        v = value[value.size - 1]
        lower = v if (v < 0.0) & (v > lower) else lower
        upper = v if (v >= 0.0) & (v < upper) else upper
    return min(upper, other_upper) - max(lower, other_lower)


@borrowing
def difference_of_sides(node, left):
    """Return how much the class shares of the two sides differ, summed over the classes."""
    left_weight, difference = 0.0, 0.0
    for c in range(node.total.size):
        left_weight += left[c]
    right_weight = node.whole - left_weight
    for c in range(node.total.size):
        difference += abs(left[c] / left_weight - (node.total[c] - left[c]) / right_weight)
    return difference


@borrowing
def difference_off_band(by_class, n_classes, n_left, n_right):
    """Return the same off the band, times the weights of the sides there."""
    difference = 0.0
    for c in range(n_classes):
        difference += abs(by_class[OFF_LEFT, c] * n_right - by_class[OFF_RIGHT, c] * n_left)
    return difference


@borrowing
def most_off_band(node, left):
    """Return a bound of MOC2's objective, whatever points are off the band.

    Off the band, no class weighs more on a side than it does there altogether.
    """
    left_weight, most = 0.0, 0.0
    for c in range(node.total.size):
        left_weight += left[c]
    right_weight = node.whole - left_weight
    for c in range(node.total.size):
        right = node.total[c] - left[c]
        most += max(left[c] * (right_weight - right), right * (left_weight - left[c]))
    return most * difference_of_sides(node, left) / (node.whole * node.whole)


@borrowing
def sort_by_distance(value, scratch):
    """Sort the points that are not on the plane, the farthest first; return their number."""
    n_buckets, usual = count_buckets(value.size), usual_size(value)
    place, code = scratch.by_row[PLACE], scratch.points[CODE]
    for i in range(value.size):
        place[i] = n_buckets * (usual / (abs(value[i]) + usual))
        code[i] = 2 * np.int32(place[i])
    return sort_places(value.size, n_buckets, scratch)


@borrowing
def banded_objective(node, value, is_scaled, scratch):
    """Return ``(objective, band)`` of MOC2: twoing, one factor of it by points off the band.

    As it stands, the band reaches to a value of 1. Scaled, it is the best of all that end at
    a point; of equal ones the widest. The class weights on the left have been counted.
    """
    by_class, key, point = scratch.by_class, scratch.by_row[KEY], scratch.points[POINT]
    for c in range(node.total.size):
        by_class[OFF_LEFT, c], by_class[OFF_RIGHT, c] = 0.0, 0.0
    n_left, n_right, best, band = 0.0, 0.0, 0.0, 1.0
    n_points, n_classes = sort_by_distance(value, scratch), node.total.size
    for k in range(n_points):
        i = point[k]
        if not is_scaled and abs(value[i]) < 1.0:
            break
        if value[i] < 0.0:
            by_class[OFF_LEFT, node.label[i]] += node.weight[i]
            n_left += node.weight[i]
        else:
            by_class[OFF_RIGHT, node.label[i]] += node.weight[i]
            n_right += node.weight[i]
        if is_scaled and (k + 1 == n_points or key[k + 1] > key[k]):
            difference = difference_off_band(by_class, n_classes, n_left, n_right)
            if difference > best:
                best, band = difference, abs(value[i])
    if not is_scaled:
        best = difference_off_band(by_class, n_classes, n_left, n_right)
    return best * difference_of_sides(node, by_class[LEFT]) / (node.whole * node.whole), band


@borrowing
def objective_of(rules, node, value, norm, least, scratch):
    """Return what a hyperplane is worth, more being better, and count the classes on its left.

    ``norm`` is the length of its normal vector. What is certainly worth no more than ``least``
    may be called worth nothing.
    """
    left = scratch.by_class[LEFT]
    count_left(node, value, left)
    score = score_of(rules.criterion, left, node.total, node.whole)
    if rules.objective == OC1:
        return score
    if rules.objective == MOC2 and most_off_band(node, left) * (1.0 + ROUNDING) <= least:
        return -np.inf
    gap = margin_between(value)
    if not 0.0 < gap < np.inf or not norm > 0.0:
        return -np.inf
    if rules.objective == MOC1:
        impurity = impurity_of(rules.criterion, score, node.total, node.whole)
        price = rules.margin_weight * np.log(10.0 * value.size) * norm / gap
        return -(1.0 - rules.margin_weight) * impurity - price
    return banded_objective(node, value, rules.scaled, scratch)[0]


@borrowing
def least_score(rules, node, objective):
    """Return the score that a hyperplane must exceed to be worth more than ``objective``.

    A margin, however wide, takes nothing off the impurity in MOC1. The part of MOC2 that is
    off the band is at most 2, and the rest at most the root of the score.
    """
    if rules.objective == OC1:
        return objective
    bar = unsplit_score(rules.criterion, node.total, node.whole)
    if rules.objective == MOC2:
        return max(bar, objective * objective / 4.0) if objective > 0.0 else bar
    if objective == -np.inf or rules.margin_weight == 1.0:
        return bar
    impurity = -objective / (1.0 - rules.margin_weight)
    return max(bar, impurity_of(rules.criterion, impurity, node.total, node.whole))


@borrowing
def cost_of(rules, node, objective):
    """Return the objective as OC1 prints it, less being better."""
    if rules.objective == OC1:
        return impurity_of(rules.criterion, objective, node.total, node.whole)
    if rules.objective == MOC1:
        return -objective
    return 1.0 / objective if objective > 0.0 else np.inf
