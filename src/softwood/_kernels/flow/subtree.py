"""What a part of a tree answers by itself, also to rows that would not get there."""

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.branch import branch_of, branch_share
from softwood._kernels.nodes import LEAF, NodeTable
from softwood._types import AnyArray, FloatArray, IndexArray


@borrowing
def add_answer(
    nodes: NodeTable,
    response: FloatArray,
    row: FloatArray,
    queue: IndexArray,
    mass: FloatArray,
    answer: FloatArray,
) -> None:
    """Add up the responses of the leaves that ``row`` reaches from node ``queue[0]``."""
    answer[:] = 0.0
    mass[queue[0]] = 1.0
    front, end = 0, 1
    while front < end:
        node = queue[front]
        front += 1
        if nodes.kind[node] == LEAF:
            for k in range(answer.size):
                answer[k] += mass[node] * response[node, k]
            continue
        first, branch = nodes.first_child[node], branch_of(nodes, node, row)
        for other in range(nodes.n_children[node]):
            share = 1.0 if other == branch else 0.0
            if branch < 0:
                share = branch_share(nodes, node, other)
            if share > 0.0:
                mass[first + other] = mass[node] * share
                queue[end] = first + other
                end += 1


@kernel
def class_from(
    nodes: NodeTable,
    response: FloatArray,
    start: int,
    X: FloatArray,
    rows: AnyArray,
    out: IndexArray,
) -> None:
    """Write the class that the hard subtree at ``start`` gives to each of ``rows``."""
    n_nodes = nodes.kind.size
    queue, mass = np.empty(n_nodes, np.int32), np.empty(n_nodes)
    answer = np.empty(response.shape[1])
    for i in range(rows.size):
        queue[0] = start
        add_answer(nodes, response, X[rows[i]], queue, mass, answer)
        out[i] = answer.argmax()
