"""Which child a row goes to: the rule of a hard test of any kind.

Two quicker ways decide cuts of numbers for themselves, and tests hold them to this rule: the
walk of many rows abreast (:mod:`softwood._kernels.packing.walk`), and that of rows with gaps
through packed trees (:mod:`softwood._kernels.packing.spread_forest`).
"""

import numpy as np

from softwood._kernels._jit import borrowing, pasted
from softwood._kernels.nodes import NOMINAL, NUMERIC, NodeTable
from softwood._types import FloatArray, IndexArray

SPREADS = -1  # not one branch but all of them, in proportion to their training weight
SHRINK = 2.0**-520  # of both factors of a term: then no sum of finite terms overflows


@borrowing
def sum_of_terms(
    feature: IndexArray, weight: FloatArray, start: int, stop: int, row: FloatArray
) -> float:
    """Return what an oblique test compares: infinite only if it is, NaN if a term is missing."""
    value = 0.0
    for term in range(start, stop):
        value += weight[term] * row[feature[term]]
    if np.isfinite(value):
        return value
    # Infinite terms of both signs make NaN, and a complete row would pass for one with gaps.
    value = 0.0
    for term in range(start, stop):
        value += (weight[term] * SHRINK) * (row[feature[term]] * SHRINK)
    return value / SHRINK / SHRINK


@pasted
def value_of(nodes: NodeTable, node: int, row: FloatArray) -> float:
    """Return what a numeric or oblique test compares with its threshold; NaN is missing."""
    if nodes.kind[node] == NUMERIC:
        return row[nodes.feature[node]]  # type: ignore[no-any-return]
    start, stop = nodes.term_start[node], nodes.term_start[node + 1]
    return sum_of_terms(nodes.term_feature, nodes.term_weight, start, stop, row)


@pasted
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
def total_of(weight: FloatArray, first: int, n_children: int) -> float:
    """Return the training weight of adjacent nodes together."""
    total = 0.0
    for child in range(first, first + n_children):
        total += weight[child]
    return total


@borrowing
def share_of(weight: float, total: float, n_children: int) -> float:
    """Return the share of a child: by weight, or the same for all if none has any."""
    return weight / total if total > 0.0 else 1.0 / n_children


@borrowing
def branch_share(nodes: NodeTable, node: int, branch: int) -> float:
    """Return the part of a spreading row that ``branch`` gets; the parts sum to one."""
    first, n_children = nodes.first_child[node], nodes.n_children[node]
    total = total_of(nodes.weight, first, n_children)
    return share_of(nodes.weight[first + branch], total, n_children)
