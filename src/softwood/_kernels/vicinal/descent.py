"""Descent: the tests of one tree move, one at a time, while its risk falls."""

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.evolve.tests import all_groups
from softwood._kernels.evolve.trees import copy_nodes
from softwood._kernels.stopping import stop_requested
from softwood._kernels.vicinal.node_buffers import FRESH, NO_SLOT, NO_TEST
from softwood._kernels.vicinal.sweep import NO_BIT, ONE_BIT, risk_of, sweep

FIRST_STEP, LAST_STEP = 1.0, 0.05  # of a cut, in deviations of the noise
HARD_STEP = 3.0  # where there is no noise, in small steps of mutation


@borrowing
def relabel(feature, label, mass, n_nodes):
    """Give every leaf the class of most of its mass, of equal ones the first."""
    for node in range(n_nodes):
        most = np.int64(0)
        for c in range(mass.shape[1]):
            if feature[node] == NO_TEST and mass[node, c] > most:
                label[node], most = c, mass[node, c]


@borrowing
def propose(rows, tests, book, line, node, k, step):
    """Write the k-th other test of a node; return whether there is such a one.

    A cut moves up or down by a step, and each category moves to the other side.
    """
    feature = book.feature[line, node]
    n_groups = rows.n_groups[feature]
    book.slot[line, node] = NO_SLOT
    if n_groups > 0:
        subset = book.subset[line, node] ^ (ONE_BIT << np.uint64(k))
        book.subset[line, node] = subset
        return subset != NO_BIT and subset != all_groups(n_groups)
    unit = rows.scale[feature]
    if unit == 0.0:
        unit = HARD_STEP * tests.step[feature]
    book.cut[line, node] += (step if k == 0 else -step) * unit
    return unit > 0.0


@borrowing
def descend(rows, tests, book, line, spare, pool, path, stale, max_rounds, may_stop):
    """Move the tests of a tree while its risk falls, in steps that get smaller.

    What a move replaces stands in the line ``spare`` until it is known to be better.
    """
    n_nodes = np.int64(book.n_nodes[line])
    step = FIRST_STEP
    for _ in range(max_rounds):
        has_moved = False
        for node in range(n_nodes):
            feature = book.feature[line, node]
            if feature == NO_TEST or (may_stop and stop_requested()):
                continue
            stop = node + book.size[line, node]
            n_groups = rows.n_groups[feature]
            for k in range(n_groups if n_groups > 0 else 2):
                copy_nodes(book, spare, node, line, node, stop)
                before = book.risk[line]
                if propose(rows, tests, book, line, node, k, step):
                    stale[node + 1 : stop] = FRESH
                    sweep(rows, book, line, stale, pool, path)
                    if book.risk[line] < before:
                        has_moved = True
                        continue
                copy_nodes(book, line, node, spare, node, stop)
                book.risk[line] = before
        relabel(book.feature[line], book.label[line], book.mass[line], n_nodes)
        if not has_moved:
            step *= 0.5
            if step < LAST_STEP:
                break
    relabel(book.feature[line], book.label[line], book.mass[line], n_nodes)
    book.risk[line] = risk_of(
        rows.whole, book.feature[line], book.label[line], book.mass[line], n_nodes
    )
