"""Hard routing: the leaf of every row, or the news that the row has to spread."""

import numpy as np

from softwood._kernels._jit import borrowing, inlined, kernel
from softwood._kernels.branch import branch_of
from softwood._kernels.nodes import LEAF, NUMERIC, NodeTable
from softwood._kernels.packing.walk import ABREAST, Trees, list_rows, walk_to_leaves
from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray

# A row that walks abreast gains about what it costs to pack this many nodes.
NODES_PER_ROW = 64
BLOCK_ROWS = 4096  # that walk together: the nodes stay in the cache, and so do they


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
def pack_numeric(nodes: NodeTable, bits: int, cut: FloatArray, link: AnyArray) -> None:
    """Pack numeric tests; whatever is none leads to itself, so that a row which got there stays.

    It has no step to a child, and no x is above its cut.
    """
    for node in range(link.size):
        cut[node], link[node] = np.inf, 0
        if nodes.kind[node] == NUMERIC:
            cut[node] = nodes.threshold[node]
            link[node] = (nodes.first_child[node] - node) << bits | nodes.feature[node]


@inlined
def walk_numeric(nodes: NodeTable, X: FloatArray, out: IndexArray) -> bool:
    """Lead rows down numeric tests as far as it goes; return whether all are at their leaves."""
    n_rows, n_nodes, bits = X.shape[0], nodes.kind.size, 0
    while 1 << bits < X.shape[1]:
        bits += 1
    cut, link = np.empty(n_nodes), np.empty(n_nodes, np.uint64)
    pack_numeric(nodes, bits, cut, link)
    trees = Trees(cut, link, np.uint64(bits), np.uint64((1 << bits) - 1))
    size = min(n_rows, BLOCK_ROWS)
    at, walking = np.empty(size, np.uint64), np.empty(size + ABREAST, np.uint64)
    arrived = True
    for start in range(0, n_rows, BLOCK_ROWS):
        block = X[start : start + BLOCK_ROWS]
        at[:] = 0
        x, width = block.reshape(-1), np.uint64(X.shape[1])
        n_walking = list_rows(len(block), walking)
        walk_to_leaves(trees, n_nodes, x, width, walking, n_walking, at)
        for i in range(len(block)):
            out[start + i] = at[i]
            arrived &= nodes.kind[at[i]] == LEAF
    return bool(arrived)


@kernel
def leaf_of_rows(nodes: NodeTable, X: FloatArray, out: IndexArray) -> int:
    """Write the leaf of each row to ``out``, -1 where it spreads; return how many do."""
    out[:] = 0
    if nodes.kind[0] == NUMERIC and X.shape[0] * NODES_PER_ROW > nodes.kind.size:
        if walk_numeric(nodes, X, out):
            return 0
    return finish(nodes, X, out)


@kernel
def answers_of_trees(
    nodes: NodeTable,
    root: IndexArray,
    answer: IndexArray,
    response: FloatArray,
    factor: FloatArray,
    X: FloatArray,
    out: FloatArray,
    spreads: BoolArray,
) -> None:
    """Write what each tree adds for each row, or note that the row has to spread there."""
    for i in range(len(X)):
        row = X[i]
        for tree in range(root.size):
            node: int = np.int64(root[tree])  # type: ignore[assignment]
            while nodes.kind[node] != LEAF:
                branch = branch_of(nodes, node, row)
                if branch < 0:
                    spreads[i, tree] = True
                    break
                node = nodes.first_child[node] + branch
            for j in range(out.shape[2]):
                out[i, tree, j] = factor[tree] * response[answer[node], j]
