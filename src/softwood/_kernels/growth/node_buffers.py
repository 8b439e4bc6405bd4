"""The buffers of a tree that grows: its nodes, those that wait for a test, and room for more.

They are matrices of one dtype, a row per node or per waiting node, because every further type
of array costs compilation time.
"""

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, inlined
from softwood._kernels.growth.columns import (
    CASE_MASK,
    class_of,
    with_longer_lines,
    with_more_rows,
)
from softwood._kernels.growth.policy import may_split
from softwood._kernels.nodes import LEAF
from softwood._types import AnyArray, FloatArray

# Columns of the book of nodes.
FIRST_CHILD, N_CHILDREN, KIND, FEATURE, SET_AT = 0, 1, 2, 3, 4
N_NODE_COLUMNS = 5
THRESHOLD = 0


class Grown(NamedTuple):
    """Nodes in order of creation: siblings adjacent, a parent before its children."""

    node: AnyArray  # FIRST_CHILD, N_CHILDREN, KIND, FEATURE, SET_AT
    cut: FloatArray  # THRESHOLD
    value: FloatArray  # class weights, or weight and sum of the target (and its range)
    branch_of_level: AnyArray  # of every nominal node, from its SET_AT on


class NodeBuffers(NamedTuple):
    """The buffers, as the caller opens them; those that get full are copied to larger ones."""

    node: AnyArray
    cut: FloatArray
    value: FloatArray
    branch: AnyArray  # of each category of each nominal node
    waiting: AnyArray
    parent: AnyArray  # the waiting node that is being split
    spare: AnyArray  # a line of entries
    held: FloatArray  # weights by position in the line of all cases: a case may wait twice


@inlined
def with_more_nodes(buffers, n_nodes):
    """Return buffers with room for more nodes."""
    return NodeBuffers(
        with_more_rows(buffers.node, n_nodes), with_more_rows(buffers.cut, n_nodes),
        with_more_rows(buffers.value, n_nodes), buffers.branch, buffers.waiting, buffers.parent,
        buffers.spare, buffers.held,
    )  # fmt: skip


@inlined
def with_more_waiting(buffers, n_waiting):
    """Return buffers with room for more waiting nodes."""
    return NodeBuffers(
        buffers.node, buffers.cut, buffers.value, buffers.branch,
        with_more_rows(buffers.waiting, n_waiting), buffers.parent, buffers.spare, buffers.held,
    )  # fmt: skip


@inlined
def with_more_branches(buffers, n_branches):
    """Return buffers with room for more categories."""
    return NodeBuffers(
        buffers.node, buffers.cut, buffers.value, with_more_rows(buffers.branch, n_branches),
        buffers.waiting, buffers.parent, buffers.spare, buffers.held,
    )  # fmt: skip


@inlined
def with_longer_buffers(buffers, length):
    """Return buffers with room for more cases in parts, if there is not enough yet."""
    if buffers.spare.shape[1] >= length:
        return buffers
    return NodeBuffers(
        buffers.node, buffers.cut, buffers.value, buffers.branch, buffers.waiting, buffers.parent,
        with_longer_lines(buffers.spare, length), with_longer_lines(buffers.held, length),
    )  # fmt: skip


@borrowing
def add_case(value, entry, cases, w, regression):
    """Add a case of weight ``w`` to the class weights, or to weight, sum and range, of a node."""
    if regression:
        target = cases.target[entry & CASE_MASK]
        value[0] += w
        value[1] += w * target
        value[2] = min(value[2], target)
        value[3] = max(value[3], target)
    else:
        value[class_of(entry)] += w


@borrowing
def clear(value, regression):
    """Make the value of a node that has no cases yet."""
    for c in range(value.size):
        value[c] = 0.0
    if regression:
        value[2], value[3] = np.inf, -np.inf


@borrowing
def note_children(node, first, n_branches, f, buffers, regression):
    """Enter the feature of a node's test, and its children: leaves without cases, so far."""
    book = buffers.node[node]
    book[FIRST_CHILD], book[N_CHILDREN], book[FEATURE] = first, n_branches, f
    for child in range(first, first + n_branches):
        book = buffers.node[child]
        book[FIRST_CHILD], book[N_CHILDREN], book[KIND], book[FEATURE] = -1, 0, LEAF, -1
        book[SET_AT] = 0
        buffers.cut[child, THRESHOLD] = 0.0
        clear(buffers.value[child], regression)


@borrowing
def weigh_cases(line, start, stop, held, cases):
    """Give the cases of a node the weights that they have there."""
    for i in range(start, stop):
        case = line[i] & CASE_MASK
        cases.weight[case] = held[i]
        cases.share[case] = held[i] / cases.origin[case]


@borrowing
def count_live(value, size, depth, rules, live):
    """Note which children may be split further; return how many."""
    n_live = 0
    for b in range(value.shape[0]):
        live[b] = may_split(rules, value[b], size[b], depth)
        n_live += 1 if live[b] else 0
    return n_live
