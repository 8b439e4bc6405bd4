"""Cases whose value is missing: every branch gets a part of them, by its share of the others."""

from softwood._kernels._jit import borrowing
from softwood._kernels.growth.columns import ALL_BRANCHES, CASE_MASK
from softwood._kernels.growth.node_buffers import add_case
from softwood._kernels.impurity import SMALL


@borrowing
def spread_missing(line, start, stop, cases, side, growth, value, n_child, size, share, unit):
    """Add the cases without a side to all children by their share; return their number."""
    known = 0.0
    for b in range(share.size):
        share[b] = 0.0
        for c in range(1 if growth.regression else value.shape[1]):
            share[b] += value[b, c]
        known += share[b]
    n_missing = 0
    for i in range(start, stop):
        case = line[i] & CASE_MASK
        if side[case] == ALL_BRANCHES:
            n_missing += 1
            for b in range(share.size):
                if share[b] / known > SMALL:
                    w = cases.weight[case] * share[b] / known
                    add_case(value[b], line[i], cases, w, growth.regression)
                    n_child[b] += 1
                    size[b] += share[b] / known * (1.0 if unit else cases.share[case])
    for b in range(share.size):
        share[b] /= known
    return n_missing


@borrowing
def share_weights(line, start, stop, side, cases, live, share, position, held):
    """Write the weight of every case in every live child, in the order of its entries.

    ``position`` is where each child's segment of the line of all cases begins.
    """
    for i in range(start, stop):
        case = line[i] & CASE_MASK
        s = side[case]
        first, last = (0, live.size - 1) if s == ALL_BRANCHES else (s, s)
        for b in range(first, last + 1):
            if live[b]:
                fraction = share[b] if s == ALL_BRANCHES else 1.0
                held[position[b]] = cases.weight[case] * fraction
                position[b] += 1
