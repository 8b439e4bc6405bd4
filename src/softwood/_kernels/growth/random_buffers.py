"""The buffers of a variable-random tree, and its root."""

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.growth.columns import CASE_BITS, CASE_MASK, RANK_SHIFT
from softwood._kernels.growth.node_buffers import (
    FEATURE,
    FIRST_CHILD,
    N_NODE_COLUMNS,
    THRESHOLD,
    NodeBuffers,
    add_case,
    clear,
)
from softwood._kernels.growth.policy import may_split
from softwood._kernels.growth.scan_keys import count_of

# The book of nodes has one column more: whether the test was chosen by gain.
BY_GAIN = N_NODE_COLUMNS
# Columns of the book of waiting nodes; then the active features.
NODE, DEPTH, START, STOP, UNIT, N_ACTIVE, ACTIVE = 0, 1, 2, 3, 4, 5, 6
N_NODES, N_BRANCHES, N_WAITING = 0, 1, 2  # what is counted


def random_node_buffers(
    n_features: int, length: int, n_columns: int, has_missing: bool
) -> NodeBuffers:
    """Return empty buffers for ``length`` cases."""
    room, width = 64, ACTIVE + n_features
    # Most trees need no more nodes; what is not written to costs nothing, moving it would.
    n_nodes = max(room, length)
    return NodeBuffers(
        node=np.empty((n_nodes, N_NODE_COLUMNS + 1), dtype=np.int64),
        cut=np.empty((n_nodes, 1)),
        value=np.empty((n_nodes, n_columns)),
        branch=np.zeros((room, 1), dtype=np.int64),
        waiting=np.zeros((room, width), dtype=np.int64),
        parent=np.zeros((1, width), dtype=np.int64),
        spare=np.zeros((1, length), dtype=np.int64),
        held=np.zeros((1, length if has_missing else 1)),
    )


@borrowing
def open_root(line, active, cases, growth, buffers, rules, has_missing, counts):
    """Enter the root in the buffers; it waits, if it may be split."""
    clear(buffers.value[0], growth.regression)
    book = buffers.node[0]
    for column in range(book.size):
        book[column] = 0
    book[FIRST_CHILD], book[FEATURE] = -1, -1
    buffers.cut[0, THRESHOLD] = 0.0
    size = 0.0
    for i in range(line.size):
        case, count = line[i] & CASE_MASK, count_of(line[i], RANK_SHIFT)
        line[i] |= np.int64(cases.label[case]) << CASE_BITS
        add_case(buffers.value[0], line[i], cases, count * cases.weight[case], growth.regression)
        size += count * cases.share[case]
        if has_missing:
            buffers.held[0, i] = cases.weight[case]
    if may_split(rules, buffers.value[0], size, 0):
        frame = buffers.waiting[0]
        frame[NODE], frame[DEPTH], frame[START], frame[STOP] = 0, 0, 0, line.size
        frame[UNIT], frame[N_ACTIVE] = 1 if growth.unit else 0, active.size
        for a in range(active.size):
            frame[ACTIVE + a] = active[a]
        counts[N_WAITING] = 1
