"""The soft thresholds of C5.0 and C4.5 release 8, one step at a time."""

import itertools
import math


def c50_zone(value, weight, left_errs, right_errs, cut, errors):
    """Walk from the cut to either side; the last row of a side is never passed."""
    n, total = len(value), sum(weight)
    limit = math.sqrt(errors * max(total - errors, 0.0) / (total + 0.001))
    s = max(i for i in range(n) if value[i] <= cut)
    middle = (value[s] + value[s + 1]) / 2

    j, wrong_if_moved, wrong_now = s, 0.0, 0.0
    for i in range(s, 0, -1):
        wrong_if_moved += weight[i] * right_errs[i]
        wrong_now += weight[i] * left_errs[i]
        if value[i - 1] < value[i]:
            if wrong_if_moved > 2 * wrong_now + 1 or wrong_if_moved - wrong_now > limit:
                break
            j = i - 1
    low = min(middle, value[j])

    j, wrong_if_moved, wrong_now = s + 1, 0.0, 0.0
    for i in range(s + 1, n - 1):
        wrong_if_moved += weight[i] * left_errs[i]
        wrong_now += weight[i] * right_errs[i]
        if value[i] < value[i + 1]:
            if wrong_if_moved > 2 * wrong_now + 1 or wrong_if_moved - wrong_now > limit:
                break
            j = i + 1
    return low, middle, max(middle, value[j])


def c45_bounds(value, weight, left_errs, right_errs, cut):
    """Try every value as the cut, count errors from scratch, and look where they cross."""
    rows = range(len(value))

    def errors(at):
        return sum(weight[i] * (left_errs[i] if value[i] <= at else right_errs[i]) for i in rows)

    base, total = errors(cut), sum(weight)
    limit = base + math.sqrt((base + 0.5) * (total - base + 0.5) / (total + 1))
    distinct = sorted(set(value))
    low, high, found = min(cut, distinct[0]), max(cut, distinct[-1]), False
    for before, after in itertools.pairwise(distinct):
        e, f = errors(before), errors(after)
        if not found and e > limit >= f and after <= cut:
            low, found = after - (after - before) * (limit - f) / (e - f), True
        elif e <= limit < f and after > cut:
            high = max(cut, before + (after - before) * (limit - e) / (f - e))
    return low, high
