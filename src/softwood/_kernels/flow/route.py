"""Hard routing: the leaf of every row, or the news that the row has to spread."""

import numpy as np

from softwood._kernels._jit import borrowing, inlined, kernel
from softwood._kernels.branch import LEAF, NUMERIC, branch_of
from softwood._kernels.nodes import NodeTable
from softwood._types import AnyArray, FloatArray, IndexArray

# Eight rows walk abreast: while one waits for its node to arrive from the cache, seven
# others compute. Sixteen are no faster, and four are a third slower.
ABREAST = 8
# A row that walks abreast gains about what it costs to pack this many nodes.
NODES_PER_ROW = 64


@borrowing
def finish(nodes: NodeTable, X: FloatArray, out: IndexArray) -> int:
    """Lead every row on from the node in ``out`` to its leaf; count those that spread."""
    n_spreading = 0
    for i in range(len(X)):
        row = X[i]
        node: int = np.int64(out[i])  # type: ignore[assignment]
        while node >= 0 and nodes.kind[node] != LEAF:
            branch = branch_of(nodes, node, row)
            node = nodes.first_child[node] + branch if branch >= 0 else -1
        n_spreading += node < 0
        out[i] = node
    return n_spreading


@borrowing
def pack_numeric(nodes: NodeTable, cut: FloatArray, link: AnyArray) -> bool:
    """Fill two views of one table, a node in 16 bytes; return whether all tests are numeric.

    ::

        byte    0 ........ 8 ........ 12 ........... 16
        cut    | cut[k, 0] |                          |
        link   |           | link[k, 2]  link[k, 3]   |
                             feature     first child

    Whatever is not a numeric test leads to itself, so that a row which got there stays:
    it is its own first child, and no x is above its cut.
    """
    all_numeric = True
    for node in range(cut.shape[0]):
        if nodes.kind[node] == NUMERIC:
            cut[node, 0] = nodes.threshold[node]
            link[node, 2] = nodes.feature[node]
            link[node, 3] = nodes.first_child[node]
        else:
            cut[node, 0] = np.inf
            link[node, 2] = 0
            link[node, 3] = node
            all_numeric &= nodes.kind[node] == LEAF
    return all_numeric


@inlined
def walk_abreast(cut: FloatArray, link: AnyArray, X: FloatArray, out: IndexArray) -> bool:
    """Lead groups of rows down numeric tests as far as it goes; return whether to trust it.

    No branch depends on the data, which is what makes it fast. A missing value slips to
    the left unnoticed, so a flag remembers whether any was read, and the whole group
    is left at the root; so are the last rows, too few for a group.
    """
    at = np.empty(ABREAST, np.uint64)  # unsigned: an index that needs no sign test
    n_rows = X.shape[0]
    complete = n_rows % ABREAST == 0
    for start in range(0, n_rows - ABREAST + 1, ABREAST):
        rows = X[start : start + ABREAST]
        at[:] = 0
        moved, missing = True, False
        while moved:
            moved = False
            for i in range(ABREAST):
                node = at[i]
                x = rows[i, link[node, 2]]
                child = link[node, 3] + np.uint32(x > cut[node, 0])
                at[i] = child
                moved |= child != node
                missing |= x != x
        for i in range(ABREAST):
            out[start + i] = 0 if missing else at[i]
        complete &= not missing
    return bool(complete)


@kernel
def leaf_of_rows(nodes: NodeTable, X: FloatArray, out: IndexArray) -> int:
    """Write the leaf of each row to ``out``, -1 where it spreads; return how many do."""
    out[:] = 0
    n_nodes = nodes.kind.size
    if nodes.kind[0] == NUMERIC and X.shape[0] * NODES_PER_ROW > n_nodes:
        cut = np.empty((n_nodes, 2))
        link = cut.view(np.uint32)
        all_numeric = pack_numeric(nodes, cut, link)
        if walk_abreast(cut, link, X, out) and all_numeric:
            return 0
    return finish(nodes, X, out)
