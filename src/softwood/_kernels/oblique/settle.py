"""A hyperplane becomes the test of a node: in the units of the table, its rows sent by it.

The test is computed here exactly as :mod:`softwood._kernels.branch` does later, and rows go
where it says, so that a fitted tree leads its training rows to the leaves they made.
"""

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.nodes import NOMINAL, NUMERIC, OBLIQUE
from softwood._kernels.oblique.objective import MOC2, banded_objective
from softwood._kernels.oblique.scratch import (
    FEATURE,
    KIND,
    LEVELS,
    MEAN,
    PLANE,
    ROW,
    SCALE,
    SIDE_OF_MISSING,
    THRESHOLD,
    TRIAL,
    UNSEEN,
)


@borrowing
def known_value(table, frame, row, j):
    """Return a value of a row; a missing one counts as the mean of the node."""
    x = table.X[row, table.usable[j]]
    return frame.by_feature[MEAN, j] if np.isnan(x) else x


@borrowing
def divisor_of(rules, node, scale, scratch, value):
    """Return by what the coefficients are divided: the largest becomes 1.

    MOC2 keeps its scale, on which its band ends at 1.
    """
    if rules.objective == MOC2:
        if not rules.scaled:
            return 1.0
        return banded_objective(node, value, True, scratch)[1]
    largest = 0.0
    for j in range(scale.size):
        largest = max(largest, abs(scratch.planes[PLANE, j] / scale[j]))
    return largest


@borrowing
def write_test(rules, table, frame, node, finding, scratch, value):
    """Write kind, feature and weights of the test in the units of the table; return the kind.

    A test of one feature is numeric, or, if that is nominal, one of two sets of categories.
    """
    scale = frame.by_feature[SCALE]
    divisor = divisor_of(rules, node, scale, scratch, value)
    n_terms, last = 0, 0
    for j in range(scale.size):
        finding.weight[j] = scratch.planes[PLANE, j] / scale[j] / divisor
        if finding.weight[j] != 0.0:
            n_terms, last = n_terms + 1, j
    finding.test[KIND], finding.test[FEATURE] = OBLIQUE, -1
    if n_terms == 1:
        finding.test[KIND], finding.test[FEATURE] = NUMERIC, table.usable[last]
        if frame.by_feature[LEVELS, last] > 0.0:
            write_sets(table, frame, finding, value)
            return NOMINAL
        if finding.weight[last] < 0.0:  # the low values of a numeric test go left
            for i in range(value.size):
                value[i] = -1.0 if value[i] >= 0.0 else 1.0
        for j in range(scale.size):
            finding.weight[j] = 1.0 if j == last else 0.0
    return finding.test[KIND]


@borrowing
def write_sets(table, frame, finding, value):
    """Write which side each category is on; those that no row has are on none."""
    for level in range(finding.branch.size):
        finding.branch[level] = UNSEEN
    for i in range(value.size):
        side = 0 if value[i] < 0.0 else 1
        code = table.X[frame.by_row[ROW, i], finding.test[FEATURE]]
        if np.isnan(code):
            finding.test[SIDE_OF_MISSING] = side
        else:
            finding.branch[int(code)] = side


@borrowing
def send_by_value(table, frame, finding, scratch, value, rows):
    """Put the cut between the sides and the rows in order; return how many go left."""
    own = scratch.by_row[TRIAL]
    low, high = -np.inf, np.inf
    for i in range(value.size):
        own[i] = 0.0
        for j in range(finding.weight.size):
            if finding.weight[j] != 0.0:
                own[i] += finding.weight[j] * known_value(table, frame, frame.by_row[ROW, i], j)
        if value[i] < 0.0:
            low = max(low, own[i])
        else:
            high = min(high, own[i])
    cut = low + (high - low) / 2.0
    if low < high <= cut:
        cut = low
    finding.number[THRESHOLD] = cut
    for i in range(value.size):
        value[i] = -1.0 if own[i] <= cut else 1.0
    return send(table, frame, finding, value, rows)


@borrowing
def send_by_category(table, frame, finding, rows, value):
    """Put the rows in the order of a nominal test; return how many go left."""
    feature, side_of_missing = finding.test[FEATURE], finding.test[SIDE_OF_MISSING]
    finding.test[KIND], finding.number[THRESHOLD] = NOMINAL, 0.0
    for i in range(value.size):
        code = table.X[frame.by_row[ROW, i], feature]
        side = side_of_missing if np.isnan(code) else finding.branch[int(code)]
        value[i] = -1.0 if side == 0 else 1.0
    return send(table, frame, finding, value, rows)


@borrowing
def send(table, frame, finding, value, rows):
    """Put the rows of negative value first, and sum the classes of both sides."""
    for c in range(finding.side.shape[1]):
        finding.side[0, c], finding.side[1, c] = 0.0, 0.0
    n_left = 0
    for i in range(value.size):
        if value[i] < 0.0:
            rows[n_left] = frame.by_row[ROW, i]
            n_left += 1
    at = n_left
    for i in range(value.size):
        row = frame.by_row[ROW, i]
        finding.side[0 if value[i] < 0.0 else 1, table.label[row]] += frame.weight[i]
        if not value[i] < 0.0:
            rows[at] = row
            at += 1
    return n_left if n_left < value.size else 0
