"""What every subtree of a soft tree answers to every row, kept while widths change."""

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.branch import branch_of, branch_share, value_of
from softwood._kernels.flow.spread import ramp_share
from softwood._kernels.nodes import NOMINAL, NUMERIC, NodeTable
from softwood._types import CodeArray, FloatArray, IndexArray


class SoftOutputs(NamedTuple):
    """A tree whose widths change, its rows, and the answers of its subtrees.

    An answer is one number, the probability of the row's own class. Answers of inner nodes
    are kept in ``output[slot[node]]``, also for rows that do not reach the node: a wider
    ramp above may send them there. The root, which must not be a leaf, has slot 0.
    """

    nodes: NodeTable
    parent: IndexArray
    response: FloatArray
    slot: IndexArray  # (n_nodes,) row of ``output``; -1 at leaves
    width: FloatArray  # (n_nodes, 2) below and above, in place of those of ``nodes``
    X: FloatArray
    column: FloatArray  # X again, (n_features, n_rows): each value of a feature by the next
    label: CodeArray
    weight: FloatArray  # (n_rows,)
    output: FloatArray  # (n_inner, n_rows)


@borrowing
def output_of(soft: SoftOutputs, node: int, i: int) -> float:
    """Return the answer of the subtree at ``node`` to row ``i``."""
    slot = soft.slot[node]
    if slot < 0:
        return soft.response[node, soft.label[i]]
    return soft.output[slot, i]


@borrowing
def missing_share(nodes: NodeTable, node: int) -> float:
    """Return the share of the left child when the value of a binary test is missing."""
    branch = nodes.missing_child[node]
    if branch < 0:
        return branch_share(nodes, node, 0)
    return 1.0 if branch == 0 else 0.0


@borrowing
def share_of_branch(soft: SoftOutputs, node: int, branch: int, row: FloatArray) -> float:
    """Return the share of the mass at ``node`` that goes to ``branch``, for any kind of test."""
    nodes = soft.nodes
    if nodes.kind[node] == NOMINAL:
        taken = branch_of(nodes, node, row)
        if taken < 0:
            return branch_share(nodes, node, branch)
        return 1.0 if taken == branch else 0.0
    value = value_of(nodes, node, row)
    if np.isnan(value):
        left = missing_share(nodes, node)
    else:
        over = value - nodes.threshold[node]
        left = ramp_share(over, soft.width[node, 0], soft.width[node, 1])
    return left if branch == 0 else 1.0 - left


@borrowing
def numeric_share(soft: SoftOutputs, node: int, i: int) -> float:
    """Return the share of the left child at a numeric test, of row ``i``."""
    value = soft.column[soft.nodes.feature[node], i]
    if np.isnan(value):
        return missing_share(soft.nodes, node)
    over = value - soft.nodes.threshold[node]
    return ramp_share(over, soft.width[node, 0], soft.width[node, 1])


@borrowing
def pass_down(soft: SoftOutputs, child: int, n: int, rows: IndexArray, mass: FloatArray) -> int:
    """Of the ``n`` rows at the parent of ``child`` keep those that go on; return how many."""
    node = soft.parent[child]
    branch = child - soft.nodes.first_child[node]
    numeric = soft.nodes.kind[node] == NUMERIC
    n_kept = 0
    for position in range(n):
        i = rows[position]
        if numeric:
            share = numeric_share(soft, node, i)
            share = share if branch == 0 else 1.0 - share
        else:
            share = share_of_branch(soft, node, branch, soft.X[i])
        if share > 0.0:
            rows[n_kept], mass[n_kept] = i, share * mass[position]
            n_kept += 1
    return n_kept


@borrowing
def list_reaching(
    soft: SoftOutputs, node: int, path: IndexArray, rows: IndexArray, mass: FloatArray
) -> int:
    """List the rows that reach ``node`` and their masses there; return how many these are."""
    depth = 0
    while node > 0:
        path[depth] = node
        node = soft.parent[node]
        depth += 1
    n = soft.weight.size
    for i in range(n):
        rows[i], mass[i] = i, 1.0
    while depth > 0:
        depth -= 1
        n = pass_down(soft, path[depth], n, rows, mass)
    return n


@borrowing
def renew(soft: SoftOutputs, node: int) -> None:
    """Answer for ``node`` again, from the answers of its children."""
    first, n_children = soft.nodes.first_child[node], soft.nodes.n_children[node]
    output = soft.output[soft.slot[node]]
    numeric = soft.nodes.kind[node] == NUMERIC
    for i in range(output.size):
        if numeric:
            left = numeric_share(soft, node, i)
            answer = left * output_of(soft, first, i) + (1.0 - left) * output_of(soft, first + 1, i)
        else:
            answer = 0.0
            for branch in range(n_children):
                share = share_of_branch(soft, node, branch, soft.X[i])
                answer += share * output_of(soft, first + branch, i)
        output[i] = answer


@borrowing
def renew_upwards(soft: SoftOutputs, node: int) -> None:
    """Answer again for ``node`` and everything above it."""
    while node >= 0:
        renew(soft, node)
        node = soft.parent[node]


@borrowing
def total_cost(soft: SoftOutputs, alpha: float) -> float:
    r"""Return the sum of :math:`w \exp(-\alpha T_y)`, T_y being the answer of the root."""
    cost = 0.0
    for i in range(soft.weight.size):
        cost += soft.weight[i] * np.exp(-alpha * soft.output[0, i])
    return cost


@kernel
def fill_outputs(soft: SoftOutputs, alpha: float) -> float:
    """Answer for every node, from the leaves up; return the cost of the whole tree."""
    for node in range(soft.slot.size - 1, -1, -1):
        if soft.slot[node] >= 0:
            renew(soft, node)
    return total_cost(soft, alpha)
