"""The mean response of many rows at once: blocks of rows go down the tree together.

At a node the rows of a block that reach it are dealt with one after the other, without a
branch that the processor could guess wrong. So this is some times faster than following
one row after the other, but for complete rows and binary tests only.

The tree is walked depth first. What is noted of a node lives in a slot: two for each
depth, because of the nodes that are alive at a time there are never more than two
siblings at each::

    slot       0
             2   3
               4   5

Where many tests compare the same feature with the same threshold, as they do on columns
of few values, the shares of all rows of a block are computed once for each such *cut*.
"""

import math
from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.branch import value_of
from softwood._kernels.flow.divide_mass import (
    HIGH,
    LOW,
    MASS,
    N_COLUMNS,
    RowArray,
    add_response,
    divide_between_leaves,
    divide_block,
    divide_from_leaf,
)
from softwood._kernels.flow.gates import Gates
from softwood._kernels.nodes import LEAF, NUMERIC, NodeTable
from softwood._kernels.normal import CDF_PARTS, CDF_STEPS, CDF_TOP
from softwood._types import BoolArray, FloatArray, IndexArray

FEW_ROWS = 64  # are done before the cuts are sorted
TESTS_PER_CUT = 3  # with fewer, most rows of a cut would be computed in vain
BLOCK_ROWS = 1000  # many, so that the work on a node itself weighs little
LEAST_SD = 1e-300  # what is less has no reciprocal


class BlockScratch(NamedTuple):
    """What is known of the nodes, and room for one block of rows."""

    slot: IndexArray  # per node
    is_home: BoolArray
    only: IndexArray  # see only_responses
    stack: IndexArray  # nodes to be visited
    n_there: IndexArray  # rows per slot
    rows: RowArray
    notes: FloatArray  # and what is noted of them
    columns: FloatArray  # the block, column by column
    shares: FloatArray  # per cut; the last one is for nodes that have none
    sums: FloatArray  # per response


@borrowing
def distribution(z: float, table: FloatArray) -> float:
    """Return the normal distribution function of ``z``, to 1e-15."""
    distance = min(abs(z), CDF_TOP)
    step = np.uint32(int(distance * CDF_STEPS + 0.5))
    rest = distance - step / CDF_STEPS
    value = table[step, CDF_PARTS - 1]
    for part in range(CDF_PARTS - 2, -1, -1):
        value = value * rest + table[step, part]
    return 0.5 + math.copysign(value, z)


@borrowing
def write_shares_of_cut(
    threshold: float, sd: float, column: FloatArray, table: FloatArray, share: FloatArray
) -> None:
    """Write the part of all noise that keeps each value of a column below a cut."""
    slope = 1.0 / max(sd, LEAST_SD)
    for row in range(column.size):
        share[row] = distribution((threshold - column[row]) * slope, table)


@borrowing
def write_shares(
    nodes: NodeTable,
    gates: Gates,
    node: int,
    X: FloatArray,
    columns: FloatArray,
    rows: RowArray,
    n_rows: int,
    table: FloatArray,
    share: FloatArray,
) -> None:
    """Write the part of all noise that sends each row of a node to the first child."""
    sd, threshold = gates.sd[node], nodes.threshold[node]
    if sd == 0.0:
        for i in range(n_rows):
            goes_first = value_of(nodes, node, X[rows[i]]) <= threshold
            share[rows[i]] = 1.0 if goes_first else 0.0
    elif nodes.kind[node] == NUMERIC:
        feature, slope = nodes.feature[node], 1.0 / max(sd, LEAST_SD)
        for i in range(n_rows):
            value = columns[feature, rows[i]]
            share[rows[i]] = distribution((threshold - value) * slope, table)
    else:
        for i in range(n_rows):
            value = value_of(nodes, node, X[rows[i]])
            share[rows[i]] = distribution((threshold - value) / sd, table)


@borrowing
def open_block(nodes, gates, X, table, node_of_cut, scratch):
    """Put all rows of a block in the root, and write the shares of the cuts."""
    n_rows = X.shape[0]
    for row in range(n_rows):
        scratch.rows[0, row] = np.uint32(row)
        scratch.notes[0, LOW, row], scratch.notes[0, HIGH, row], scratch.notes[0, MASS, row] = (
            0.0,
            1.0,
            1.0,
        )
        for feature in range(X.shape[1]):
            scratch.columns[feature, row] = X[row, feature]
    scratch.sums[:, :] = 0.0
    for cut in range(node_of_cut.size):
        node = node_of_cut[cut]
        column = scratch.columns[nodes.feature[node], :n_rows]
        write_shares_of_cut(
            nodes.threshold[node], gates.sd[node], column, table, scratch.shares[cut]
        )
    scratch.n_there[0], scratch.stack[0] = n_rows, 0


@borrowing
def divide_node(nodes, gates, node, share, response, scratch, top):
    """Divide the rows of a node between its children; return the new top of the stack.

    A leaf with one response that is not zero takes its rows at once, without a slot.
    """
    first, here, slot, only = (
        nodes.first_child[node],
        scratch.slot[node],
        scratch.slot,
        scratch.only,
    )
    count, rows, notes, home = (
        scratch.n_there,
        scratch.rows,
        scratch.notes,
        scratch.slot[gates.home[node]],
    )
    # Where the deviation is negative, small noise means the second child.
    one = slot[first] if gates.sd[node] >= 0.0 else slot[first] + 1
    other = 2 * slot[first] + 1 - one
    lower, upper = first + one % 2, first + other % 2
    if only[lower] >= 0 and only[upper] >= 0:
        divide_between_leaves(
            count[here], rows[here], share, notes[here], notes[home],
            response[lower, only[lower]], response[upper, only[upper]],
            scratch.sums[only[lower]], scratch.sums[only[upper]],
        )  # fmt: skip
        return top
    if only[lower] >= 0 or only[upper] >= 0:
        leaf, inner = (lower, upper) if only[lower] >= 0 else (upper, lower)
        at = slot[inner]
        count[at] = divide_from_leaf(
            gates.drop, count[here], rows[here], share, notes[here], notes[home], leaf == lower,
            response[leaf, only[leaf]], scratch.sums[only[leaf]], notes[at], rows[at],
            scratch.is_home[inner],
        )  # fmt: skip
        scratch.stack[top] = inner
        return top + 1 if count[at] > 0 else top
    count[one], count[other] = divide_block(
        gates.drop, count[here], rows[here], share, notes[here], notes[home], notes[one],
        notes[other], rows[one], rows[other], scratch.is_home[lower], scratch.is_home[upper],
    )  # fmt: skip
    for child in range(first + 1, first - 1, -1):
        if count[slot[child]] > 0:
            scratch.stack[top] = child
            top += 1
    return top


@borrowing
def predict_block(nodes, gates, X, response, table, cut_of_node, node_of_cut, scratch, out):
    """Do the work of :func:`predict_blocks` for one block."""
    open_block(nodes, gates, X, table, node_of_cut, scratch)
    top = 1
    while top > 0:
        top -= 1
        node = scratch.stack[top]
        here = scratch.slot[node]
        rows, n_rows = scratch.rows[here], scratch.n_there[here]
        if nodes.kind[node] == LEAF:
            add_response(scratch.notes[here], rows, n_rows, response[node], scratch.sums)
            continue
        share = scratch.shares[cut_of_node[node]]
        if cut_of_node[node] == node_of_cut.size:
            write_shares(nodes, gates, node, X, scratch.columns, rows, n_rows, table, share)
        top = divide_node(nodes, gates, node, share, response, scratch, top)
    for row in range(X.shape[0]):
        for k in range(scratch.sums.shape[0]):
            out[row, k] = scratch.sums[k, row]


def shared_cuts(nodes: NodeTable, sd: FloatArray, n_rows: int) -> tuple[IndexArray, IndexArray]:
    """Return the cut of every node and a node of every cut, where that saves work.

    The cut of a node that has none is one more than the last.
    """
    soft = np.flatnonzero((nodes.kind == NUMERIC) & (sd > 0.0) & (n_rows >= FEW_ROWS))
    order = soft[np.lexsort((nodes.threshold[soft], nodes.feature[soft]))]
    feature, threshold = nodes.feature[order], nodes.threshold[order]
    begins = np.ones(order.size, dtype=np.bool_)
    begins[1:] = (feature[1:] != feature[:-1]) | (threshold[1:] != threshold[:-1])
    node_of_cut = order[begins].astype(np.int32)
    if node_of_cut.size * TESTS_PER_CUT > order.size:
        node_of_cut = node_of_cut[:0]
    cut_of_node = np.full(nodes.kind.size, node_of_cut.size, dtype=np.int32)
    if node_of_cut.size:
        cut_of_node[order] = np.cumsum(begins) - 1
    return cut_of_node, node_of_cut


@kernel
def only_responses(nodes: NodeTable, response: FloatArray) -> IndexArray:
    """Return the one response of each leaf that is not zero, or -1."""
    only = np.full(nodes.kind.size, -1, np.int32)
    for node in range(nodes.kind.size):
        if nodes.kind[node] == LEAF:
            n_found = 0
            for k in range(response.shape[1]):
                if response[node, k] != 0.0:
                    only[node] = k
                    n_found += 1
            if n_found != 1:
                only[node] = -1
    return only


@kernel
def predict_blocks(
    nodes: NodeTable,
    gates: Gates,
    X: FloatArray,
    response: FloatArray,
    table: FloatArray,
    cut_of_node: IndexArray,
    node_of_cut: IndexArray,
    out: FloatArray,
) -> None:
    """Write the mean response of the leaves, by mass, to each row of ``out``.

    Tests are numeric or oblique, rows complete, and gates are those of noise. For the
    cuts see :func:`shared_cuts`.
    """
    n_nodes = nodes.kind.size
    slot, is_home = np.zeros(n_nodes, np.int32), np.zeros(n_nodes, np.bool_)
    for node in range(n_nodes):
        is_home[gates.home[node]] = True
        if nodes.kind[node] != LEAF:
            below = 2 * (slot[node] // 2 + 1)
            slot[nodes.first_child[node]] = below
            slot[nodes.first_child[node] + 1] = below + 1
    only = only_responses(nodes, response)
    n_slots = slot[n_nodes - 1] + 2
    size = min(BLOCK_ROWS, X.shape[0])
    scratch = BlockScratch(
        slot=slot,
        is_home=is_home,
        only=only,
        stack=np.empty(n_slots + 1, np.int32),
        n_there=np.zeros(n_slots, np.int32),
        rows=np.empty((n_slots, size), np.uint32),
        notes=np.empty((n_slots, N_COLUMNS, size)),
        columns=np.empty((X.shape[1], size)),
        shares=np.empty((node_of_cut.size + 1, size)),
        sums=np.empty((response.shape[1], size)),
    )
    for start in range(0, X.shape[0], BLOCK_ROWS):
        end = min(start + BLOCK_ROWS, X.shape[0])
        predict_block(
            nodes, gates, X[start:end], response, table, cut_of_node, node_of_cut, scratch,
            out[start:end],
        )  # fmt: skip
