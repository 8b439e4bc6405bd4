"""Bounds of the score inside a bucket of events, from the weights of its events alone.

Merit is the square of the deviation of the classes by the balance of the sides (see
:mod:`softwood._kernels.oblique.score`). The deviation is linear in the weights on the left, so
it moves no further than the events of a bucket can push it; the balance is least where all that
leave have left, or all that come have come.
"""

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.impurity import TWOING
from softwood._kernels.oblique.score import EMPTY
from softwood._kernels.oblique.scratch import (
    CELL,
    DENOMINATOR,
    LEFT,
    NUMERATOR,
    SCORE,
    SLACK,
    STATE,
)


@borrowing
def note_cell(top, score, place):
    """Note a cell if it is among the best; of equal ones the first."""
    at = top.shape[1] - 1
    if not score > top[SCORE, at]:
        return
    while at > 0 and score > top[SCORE, at - 1]:
        top[SCORE, at], top[CELL, at] = top[SCORE, at - 1], top[CELL, at - 1]
        at -= 1
    top[SCORE, at], top[CELL, at] = score, place


@borrowing
def bound_two_classes(criterion, total, whole, n_buckets, scratch):
    """Bound the buckets of two classes, whose deviations are the same; note cells in between."""
    n0, n1 = total[0], total[1]
    factor = whole * whole * (1.0 if criterion == TWOING else 0.5)
    empty = EMPTY * whole * whole
    tally, first = scratch.tally, scratch.by_bucket[STATE:, 0]
    numerator, denominator = scratch.by_bucket[NUMERATOR], scratch.by_bucket[DENOMINATOR]
    left, deviation = first[0] + first[1], n1 * first[0] - n0 * first[1]
    for b in range(n_buckets):
        at = 4 * b
        out0, out1, in0, in1 = tally[at], tally[at + 1], tally[at + 2], tally[at + 3]
        rise, fall = n1 * in0 + n0 * out1, n1 * out0 + n0 * in1
        least, most = left - out0 - out1, left + in0 + in1
        numerator[b] = max(deviation + rise, fall - deviation)
        balance = min(least * (whole - least), most * (whole - most))
        denominator[b] = factor * max(balance, 0.0)
        left = least + most - left
        deviation += rise - fall
        balance = left * (whole - left)
        if balance > empty and rise + fall > 0.0:
            note_cell(scratch.top, deviation * deviation / (factor * balance), float(b))


@borrowing
def slack_of_classes(is_twoing, total, whole, slack):
    """Write how much the deviation can change when one unit of a class changes side."""
    squares = 0.0
    for c in range(total.size):
        squares += total[c] * total[c]
    for c in range(total.size):
        others = whole - total[c]
        if is_twoing:
            slack[c] = 2.0 * others
        else:
            slack[c] = np.sqrt(others * others + squares - total[c] * total[c])


@borrowing
def deviation_at(is_twoing, total, whole, left, left_weight):
    """Return how far the classes on the left are from those of the node."""
    result = 0.0
    for c in range(total.size):
        d = whole * left[c] - total[c] * left_weight
        result += abs(d) if is_twoing else d * d
    return result if is_twoing else np.sqrt(result)


@borrowing
def bound_buckets(criterion, total, whole, n_buckets, scratch):
    """Bound the buckets of any number of classes; note the cells between buckets."""
    left, slack_of, tally = scratch.by_class[LEFT], scratch.by_class[SLACK], scratch.tally
    numerator, denominator = scratch.by_bucket[NUMERATOR], scratch.by_bucket[DENOMINATOR]
    n_classes, is_twoing = total.size, criterion == TWOING
    factor = whole * whole * (4.0 if is_twoing else 1.0)
    empty = EMPTY * whole * whole
    slack_of_classes(is_twoing, total, whole, slack_of)
    weight = 0.0
    for c in range(n_classes):
        left[c] = scratch.by_bucket[STATE + c, 0]
        weight += left[c]
    deviation = deviation_at(is_twoing, total, whole, left, weight)
    for b in range(n_buckets):
        leaving, coming, slack = 0.0, 0.0, 0.0
        for c in range(n_classes):
            out = tally[2 * b * n_classes + c]
            into = tally[(2 * b + 1) * n_classes + c]
            leaving += out
            coming += into
            slack += slack_of[c] * (out + into)
            left[c] += into - out
        least, most = weight - leaving, weight + coming
        balance = min(least * (whole - least), most * (whole - most))
        numerator[b] = deviation + slack
        denominator[b] = factor * max(balance, 0.0)
        weight = least + coming
        deviation = deviation_at(is_twoing, total, whole, left, weight)
        balance = weight * (whole - weight)
        if balance > empty and leaving + coming > 0.0:
            note_cell(scratch.top, deviation * deviation / (factor * balance), float(b))
