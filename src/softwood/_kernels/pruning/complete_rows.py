"""Pessimistic pruning where every case ends in one leaf.

The cases lie in one line, sorted by leaf, so the cases of any node are together. Nodes
are visited from the bottom up; one that takes over its largest branch sends its cases
down again and has everything below it visited once more.
"""

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, long_kernel
from softwood._kernels.branch import branch_of
from softwood._kernels.impurity import SMALL
from softwood._kernels.nodes import NodeTable
from softwood._kernels.pruning.pessimistic import (
    MAKE_LEAF,
    MARGIN,
    RAISE,
    Pruned,
    branch_totals,
    expected_errors,
    verdict,
)
from softwood._kernels.stopping import stop_requested
from softwood._types import AnyArray, CodeArray, FloatArray


@borrowing
def leaf_below(nodes, source, first_child, n_children, node, row):
    """Send a row from ``node`` down the tree as it now is; -1 if it would spread."""
    while n_children[node] > 0:
        b = branch_of(nodes, source[node], row)
        if b < 0:
            return -1
        node = first_child[node] + b
    return node


@borrowing
def lay_out(
    nodes, X, label, weight, first_child, n_children, source, listed, n_listed,
    start, stop, line, leaf_at, scratch, seg_start, seg_stop, value,
):  # fmt: skip
    """Sort the cases ``line[start:stop]`` of ``listed[0]`` by leaf, and weigh all nodes below.

    ``listed`` has a node before its children. Returns False if a case would spread.
    """
    for j in range(n_listed):
        seg_stop[listed[j]] = 0
        for c in range(value.shape[1]):
            value[listed[j], c] = 0.0
    for i in range(start, stop):
        row = line[i]
        leaf = leaf_below(nodes, source, first_child, n_children, listed[0], X[row])
        if leaf < 0:
            return False
        leaf_at[i] = leaf
        seg_stop[leaf] += 1
        value[leaf, label[row]] += weight[row]
    for j in range(n_listed - 1, -1, -1):
        node = listed[j]
        for child in range(first_child[node], first_child[node] + n_children[node]):
            seg_stop[node] += seg_stop[child]
            for c in range(value.shape[1]):
                value[node, c] += value[child, c]
    seg_start[listed[0]] = start
    for j in range(n_listed):  # from counts to ends, parents first
        node = listed[j]
        at = seg_start[node]
        seg_stop[node] += at
        for child in range(first_child[node], first_child[node] + n_children[node]):
            seg_start[child] = at
            at += seg_stop[child]
    for i in range(start, stop):  # the start of a leaf serves as its next free place
        scratch[seg_start[leaf_at[i]]] = line[i]
        seg_start[leaf_at[i]] += 1
    for i in range(start, stop):
        seg_start[leaf_at[i]] -= 1
        line[i] = scratch[i]
    return True


@borrowing
def most_and_errors(value):
    """Return the weight of the heaviest class, and that of all others."""
    total, most = 0.0, 0.0
    for c in range(value.size):
        total += value[c]
        most = max(most, value[c])
    return most, total - most


@borrowing
def errors_with_siblings(
    nodes, X, label, weight, first_child, n_children, source, node, largest, line,
    seg_start, seg_stop, value, expected, added, most, errors, marked, touched,
    limit, confidence, z,
):  # fmt: skip
    """Return the errors expected of ``largest`` with all cases of ``node``; -1 if one spreads.

    Only the cases of the other branches are new to it, and only the leaves they reach
    change. Cases never lower what a leaf expects, which is never less than what it
    gets wrong: once that is beyond ``limit`` the answer is infinity.
    """
    n_touched, at_least, spreads = 0, expected[largest], False
    for sibling in range(first_child[node], first_child[node] + n_children[node]):
        if sibling == largest:
            continue
        for i in range(seg_start[sibling], seg_stop[sibling]):
            row = line[i]
            leaf = leaf_below(nodes, source, first_child, n_children, largest, X[row])
            if leaf < 0:
                spreads = True
                break
            if marked[leaf] == 0:
                marked[leaf] = 1
                touched[n_touched] = leaf
                n_touched += 1
                most[leaf], errors[leaf] = most_and_errors(value[leaf])
            c = label[row]
            added[leaf, c] += weight[row]
            before = max(errors[leaf], expected[leaf])
            gained = max(value[leaf, c] + added[leaf, c] - most[leaf], 0.0)
            most[leaf] += gained
            errors[leaf] += weight[row] - gained
            at_least += max(errors[leaf], expected[leaf]) - before
            if at_least > limit:
                break
        if spreads or at_least > limit:
            break
    total = expected[largest]
    hopeless = spreads or at_least > limit
    for t in range(n_touched):
        leaf = touched[t]
        marked[leaf] = 0
        if not hopeless:
            for c in range(value.shape[1]):
                added[leaf, c] += value[leaf, c]
            total += expected_errors(added[leaf], confidence, z) - expected[leaf]
        for c in range(value.shape[1]):
            added[leaf, c] = 0.0
    if spreads:
        return -1.0
    return np.inf if hopeless else total


@borrowing
def list_below(node, first_child, n_children, listed):
    """List ``node`` and all below it, parents first; return how many."""
    listed[0] = node
    n_listed, done = 1, 0
    while done < n_listed:
        first = first_child[listed[done]]
        for child in range(first, first + n_children[listed[done]]):
            listed[n_listed] = child
            n_listed += 1
        done += 1
    return n_listed


class PruningBuffers(NamedTuple):
    """Working memory, opened by the caller."""

    node: AnyArray  # eight lines of whole numbers per node
    case: AnyArray  # three per case
    visits: AnyArray
    expected: FloatArray
    value: FloatArray
    added: FloatArray
    most: FloatArray
    errors: FloatArray


def pruning_buffers(n_nodes: int, n_rows: int, n_classes: int) -> PruningBuffers:
    """Return empty buffers for a tree and its cases."""
    return PruningBuffers(
        node=np.zeros((8, n_nodes), dtype=np.int64),
        case=np.zeros((3, n_rows), dtype=np.int64),
        visits=np.zeros(2 * n_nodes, dtype=np.int64),
        expected=np.zeros(n_nodes),
        value=np.zeros((n_nodes, n_classes)),
        added=np.zeros((n_nodes, n_classes)),
        most=np.zeros(n_nodes),
        errors=np.zeros(n_nodes),
    )


@long_kernel
def prune_whole_cases(
    nodes: NodeTable,
    X: FloatArray,
    label: CodeArray,
    weight: FloatArray,
    buffers: PruningBuffers,
    confidence: float,
    z: float,
    raising: bool,
) -> tuple[bool, Pruned]:
    """Prune by expected errors; the flag is False if a case would spread, and all is void."""
    n_nodes, n_rows = nodes.kind.size, label.size
    first_child, n_children, source, listed = (
        buffers.node[0],
        buffers.node[1],
        buffers.node[2],
        buffers.node[3],
    )
    seg_start, seg_stop, touched, marked = (
        buffers.node[4],
        buffers.node[5],
        buffers.node[6],
        buffers.node[7],
    )
    line, scratch, leaf_at = buffers.case[0], buffers.case[1], buffers.case[2]
    value, added, expected, visits = buffers.value, buffers.added, buffers.expected, buffers.visits
    for k in range(n_nodes):
        first_child[k], n_children[k] = nodes.first_child[k], nodes.n_children[k]
        source[k] = listed[k] = visits[k] = k
    for i in range(n_rows):
        line[i] = i
    whole = lay_out(
        nodes, X, label, weight, first_child, n_children, source, listed, n_nodes,
        seg_start[0], n_rows, line, leaf_at, scratch, seg_start, seg_stop, value,
    )  # fmt: skip
    n_visits = n_nodes
    while whole and n_visits > 0 and not stop_requested():
        n_visits -= 1
        node = visits[n_visits]
        as_leaf = expected_errors(value[node], confidence, z)
        expected[node] = as_leaf
        if n_children[node] == 0:
            continue
        as_tree, largest = branch_totals(first_child[node], n_children[node], value, expected)
        as_branch = np.inf
        if raising:
            # Beyond this much the verdict no longer depends on it.
            limit = as_tree + MARGIN + 2.0 * SMALL
            as_branch = errors_with_siblings(
                nodes, X, label, weight, first_child, n_children, source, node, largest, line,
                seg_start, seg_stop, value, expected, added, buffers.most, buffers.errors,
                marked, touched, limit, confidence, z,
            )  # fmt: skip
            whole = as_branch >= 0.0
        decision = verdict(as_leaf, as_tree, as_branch)
        if decision == MAKE_LEAF:
            n_children[node] = 0
        elif decision == RAISE:
            first_child[node], n_children[node] = first_child[largest], n_children[largest]
            source[node] = source[largest]
            n_children[largest] = 0  # out of the tree: its branches have a new parent
            n_listed = list_below(node, first_child, n_children, listed)
            whole = whole and lay_out(
                nodes, X, label, weight, first_child, n_children, source, listed, n_listed,
                seg_start[node], seg_stop[node], line, leaf_at, scratch, seg_start, seg_stop, value,
            )  # fmt: skip
            for j in range(n_listed):  # a node before its children: visited after them
                visits[n_visits + j] = listed[j]
            n_visits += n_listed
        else:
            expected[node] = as_tree
    return whole, Pruned(first_child, n_children, source, value)
