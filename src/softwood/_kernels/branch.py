"""Which child a row goes to: the one place where a hard test is decided."""

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.nodes import NodeTable
from softwood._types import FloatArray

LEAF, NUMERIC, NOMINAL, OBLIQUE = 0, 1, 2, 3
SPREADS = -1  # not one branch but all of them, in proportion to their training weight


@borrowing
def value_of(nodes: NodeTable, node: int, row: FloatArray) -> float:
    """Return what a numeric or oblique test compares with its threshold; NaN is missing."""
    if nodes.kind[node] == NUMERIC:
        return row[nodes.feature[node]]  # type: ignore[no-any-return]
    value = 0.0
    for term in range(nodes.term_start[node], nodes.term_start[node + 1]):
        value += nodes.term_weight[term] * row[nodes.term_feature[term]]
    return value


@borrowing
def branch_of(nodes: NodeTable, node: int, row: FloatArray) -> int:
    """Return the branch ``row`` takes at an inner node, or ``SPREADS``."""
    if nodes.kind[node] != NOMINAL:
        value = value_of(nodes, node, row)
        if np.isnan(value):
            return nodes.missing_child[node]  # type: ignore[no-any-return]
        return 0 if value <= nodes.threshold[node] else 1
    code = row[nodes.feature[node]]
    if np.isnan(code):
        return nodes.missing_child[node]  # type: ignore[no-any-return]
    start = nodes.set_start[node]
    if code < 0 or code >= nodes.set_start[node + 1] - start:
        return SPREADS  # a category the node has never heard of
    return nodes.set_child[start + int(code)]  # type: ignore[no-any-return]


@borrowing
def weight_of_children(nodes: NodeTable, node: int) -> float:
    """Return the training weight of the children of ``node`` together."""
    first = nodes.first_child[node]
    total = 0.0
    for child in range(first, first + nodes.n_children[node]):
        total += nodes.weight[child]
    return total


@borrowing
def share_of(nodes: NodeTable, node: int, branch: int, total: float) -> float:
    """Return :func:`branch_share`, given :func:`weight_of_children`."""
    if total > 0.0:
        return nodes.weight[nodes.first_child[node] + branch] / total  # type: ignore[no-any-return]
    return 1.0 / nodes.n_children[node]  # type: ignore[no-any-return]


@borrowing
def branch_share(nodes: NodeTable, node: int, branch: int) -> float:
    """Return the part of a spreading row that ``branch`` gets; the parts sum to one."""
    return share_of(nodes, node, branch, weight_of_children(nodes, node))
