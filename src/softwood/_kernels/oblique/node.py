"""The rows of one node, gathered: a line per feature, classes together, nothing missing."""

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.oblique.scratch import (
    ABSENT,
    HERE,
    LABEL,
    LEVELS,
    MEAN,
    N_ACTIVE,
    N_CLASSES,
    ROW,
    SCALE,
    SHIFT,
    SPREAD,
    START,
)


@borrowing
def group_classes(table, rows, frame):
    """Put the rows of a class together; classes without rows do not count."""
    start, here, total = frame.by_class[START], frame.by_class[HERE], frame.total
    for c in range(total.size):
        here[c] = 0
    for k in range(rows.size):
        here[table.label[rows[k]]] += 1
    n_classes, at = 0, 0
    for c in range(total.size):
        if here[c] == 0:
            here[c] = ABSENT
            continue
        n_rows = here[c]
        here[c], start[n_classes], total[n_classes] = n_classes, at, 0.0
        at += n_rows
        n_classes += 1
    for k in range(rows.size):
        c = here[table.label[rows[k]]]
        i = start[c]
        frame.by_row[ROW, i], frame.by_row[LABEL, i] = rows[k], c
        frame.weight[i] = table.weight[rows[k]]
        total[c] += table.weight[rows[k]]
        start[c] += 1
    for c in range(n_classes, 0, -1):
        start[c] = start[c - 1]
    start[0] = 0
    frame.size[N_CLASSES] = n_classes


@borrowing
def moments(line, weight):
    """Return mean, standard deviation, least and most of the known values of a line."""
    known, total, least, most = 0.0, 0.0, np.inf, -np.inf
    for i in range(line.size):
        if not np.isnan(line[i]):
            known += weight[i]
            total += weight[i] * line[i]
            least, most = min(least, line[i]), max(most, line[i])
    if not least < most:
        return (least if least == most else 0.0), 0.0, least, most
    mean, span = min(max(total / known, least), most), most - least
    squares = 0.0
    for i in range(line.size):
        if not np.isnan(line[i]):
            squares += weight[i] * ((line[i] - mean) / span) ** 2  # which cannot overflow
    return mean, np.sqrt(squares / known) * span, least, most


@borrowing
def gather(table, rows, rules, frame):
    """Fill the frame of a node.

    Lines are centred for the exact search; OC1 shifts only those that have negative values.
    """
    group_classes(table, rows, frame)
    row, about = frame.by_row[ROW], frame.by_feature
    n_usable, n_active = table.usable.size, 0
    for j in range(n_usable):
        line, f = frame.lines[j], table.usable[j]
        for i in range(rows.size):
            line[i] = table.X[row[i], f]
        mean, deviation, least, _ = moments(line, frame.weight)
        varies = 0.0 < deviation < np.inf
        about[MEAN, j], about[SPREAD, j], about[LEVELS, j] = mean, deviation, table.n_levels[f]
        about[SHIFT, j] = mean if rules.exact else min(least, 0.0)
        about[SCALE, j] = deviation if rules.scaled and varies else 1.0
        if varies:
            frame.active[n_active] = j
            n_active += 1
        shift, factor = about[SHIFT, j], 1.0 / about[SCALE, j]
        for i in range(rows.size):
            line[i] = ((mean if np.isnan(line[i]) else line[i]) - shift) * factor
    ones = frame.lines[n_usable]
    for i in range(rows.size):
        ones[i] = 1.0
    frame.active[n_active] = n_usable
    frame.size[N_ACTIVE] = n_active + 1


@borrowing
def total_weight(frame):
    """Return the weight of a node."""
    whole = 0.0
    for c in range(frame.size[N_CLASSES]):
        whole += frame.total[c]
    return whole
