"""Pessimistic pruning where cases with missing values go to several branches.

One depth-first walk carries the cases down and decides on the way up. The cases of the
nodes on the current path lie in one arena, a segment per node, children above their
parents; a node that takes over its largest branch is entered again with the same
segment, which brings all distributions below it up to date. Shares of the branches are
those of the cases at hand, so whole segments have to be split, node by node.
"""

import numpy as np

from softwood._kernels._jit import borrowing, inlined, long_kernel
from softwood._kernels.branch import branch_of
from softwood._kernels.growth.columns import with_more_rows
from softwood._kernels.impurity import SMALL
from softwood._kernels.nodes import NodeTable
from softwood._kernels.pruning.pessimistic import (
    MAKE_LEAF,
    RAISE,
    Pruned,
    branch_totals,
    expected_errors,
    verdict,
)
from softwood._kernels.stopping import stop_requested
from softwood._types import CodeArray, FloatArray

NODE, NEXT, START, STOP, ABOVE = 0, 1, 2, 3, 4  # columns of the path
ENTER = -1


@borrowing
def find_sides(nodes, test, X, arena_row, arena_weight, start, stop, side, bag):
    """Write the branch of every case of a segment, and weigh the branches."""
    for b in range(bag.size):
        bag[b] = 0.0
    n_spread = 0
    known = 0.0
    for i in range(start, stop):
        b = branch_of(nodes, test, X[arena_row[i]])
        side[i - start] = b
        if b >= 0:
            bag[b] += arena_weight[i]
            known += arena_weight[i]
        else:
            n_spread += 1
    for b in range(bag.size):  # with nothing known, all branches alike
        bag[b] = bag[b] / known if known > 0.0 else 1.0 / bag.size
    return n_spread


@borrowing
def split_segment(arena_row, arena_weight, start, stop, side, share, position, top):
    """Append the children's segments from ``top`` on; ``position`` ends where each ends."""
    for b in range(share.size):
        position[b] = 0
    for i in range(stop - start):
        if side[i] >= 0:
            position[side[i]] += 1
        else:
            for b in range(share.size):
                position[b] += 1 if share[b] > SMALL else 0
    at = top
    for b in range(share.size):
        count = position[b]
        position[b] = at
        at += count
    for i in range(start, stop):
        s = side[i - start]
        first, last = (0, share.size - 1) if s < 0 else (s, s)
        for b in range(first, last + 1):
            if s >= 0 or share[b] > SMALL:
                arena_row[position[b]] = arena_row[i]
                arena_weight[position[b]] = arena_weight[i] * (1.0 if s >= 0 else share[b])
                position[b] += 1


@borrowing
def weigh_classes(label, arena_row, arena_weight, start, stop, value):
    """Sum the class weights of a segment."""
    for c in range(value.size):
        value[c] = 0.0
    for i in range(start, stop):
        value[label[arena_row[i]]] += arena_weight[i]


@inlined
def with_room(arena_row, arena_weight, size):
    """Return both lines of the arena, long enough."""
    if size <= arena_row.shape[0]:
        return arena_row, arena_weight
    return with_more_rows(arena_row, size * 3 // 2), with_more_rows(arena_weight, size * 3 // 2)


@inlined
def errors_of_branch(
    nodes, X, label, shape, branch, start, stop, top, limits, side, pending, position, share,
    leaf_value, arena_row, arena_weight,
):  # fmt: skip
    """Return the expected errors if all cases of a segment went through ``branch``.

    Also returns the working memory, which may have had to grow.
    """
    first_child, n_children, source = shape
    confidence, z = limits
    total, n_pending = 0.0, 1
    pending[0, 0], pending[0, 1], pending[0, 2] = branch, start, stop
    while n_pending > 0:
        n_pending -= 1
        k, s, e = pending[n_pending, 0], pending[n_pending, 1], pending[n_pending, 2]
        width = n_children[k]
        if width == 0:
            weigh_classes(label, arena_row[:, 0], arena_weight[:, 0], s, e, leaf_value)
            total += expected_errors(leaf_value, confidence, z)
            continue
        if e - s > side.size:
            side = np.zeros(e - s, dtype=np.int64)
        n_spread = find_sides(
            nodes, source[k], X, arena_row[:, 0], arena_weight[:, 0], s, e, side, share[:width]
        )
        above = top if s == start else e
        room = above + e - s + n_spread * (width - 1)
        arena_row, arena_weight = with_room(arena_row, arena_weight, room)
        split_segment(
            arena_row[:, 0], arena_weight[:, 0], s, e, side, share[:width], position, above
        )
        if n_pending + width > pending.shape[0]:
            pending = with_more_rows(pending, 2 * (n_pending + width))
        for b in range(width):
            pending[n_pending, 0] = first_child[k] + b
            pending[n_pending, 1], pending[n_pending, 2] = above, position[b]
            above = position[b]
            n_pending += 1
    return total, side, pending, arena_row, arena_weight


@long_kernel
def prune_spread_cases(
    nodes: NodeTable,
    X: FloatArray,
    label: CodeArray,
    weight: FloatArray,
    n_classes: int,
    confidence: float,
    z: float,
    raising: bool,
) -> Pruned:
    """Prune a tree by expected errors; see the notes of this module."""
    n_nodes, n_rows = nodes.kind.size, label.size
    first_child, n_children = np.zeros(n_nodes, dtype=np.int64), np.zeros(n_nodes, dtype=np.int64)
    source = np.zeros(n_nodes, dtype=np.int64)
    seg_start, seg_stop = np.zeros(n_nodes, dtype=np.int64), np.zeros(n_nodes, dtype=np.int64)
    value, expected = np.zeros((n_nodes, n_classes)), np.zeros(n_nodes)
    most = 2
    for k in range(n_nodes):
        first_child[k], n_children[k], source[k] = nodes.first_child[k], nodes.n_children[k], k
        most = max(most, nodes.n_children[k])
    side, position = np.zeros(n_rows, dtype=np.int64), np.zeros(most, dtype=np.int64)
    share, leaf_value = np.zeros(most), np.zeros(n_classes)
    arena_row, arena_weight = np.zeros((4 * n_rows, 1), dtype=np.int64), np.zeros((4 * n_rows, 1))
    for i in range(n_rows):
        arena_row[i, 0], arena_weight[i, 0] = i, weight[i]
    path, pending = np.zeros((64, 5), dtype=np.int64), np.zeros((64, 3), dtype=np.int64)
    depth = 1
    path[0, NEXT], path[0, STOP] = ENTER, n_rows

    while depth > 0 and not stop_requested():
        frame = path[depth - 1]
        node, start, stop = frame[NODE], frame[START], frame[STOP]
        n_branches = n_children[node]
        if frame[NEXT] == ENTER:
            weigh_classes(label, arena_row[:, 0], arena_weight[:, 0], start, stop, value[node])
            if n_branches == 0:
                expected[node] = expected_errors(value[node], confidence, z)
                depth -= 1
                continue
            if stop - start > side.size:
                side = np.zeros(stop - start, dtype=np.int64)
            n_spread = find_sides(
                nodes, source[node], X, arena_row[:, 0], arena_weight[:, 0], start, stop, side,
                share[:n_branches],
            )  # fmt: skip
            top = path[depth - 2, ABOVE] if depth > 1 else stop
            room = top + stop - start + n_spread * (n_branches - 1)
            arena_row, arena_weight = with_room(arena_row, arena_weight, room)
            split_segment(
                arena_row[:, 0], arena_weight[:, 0], start, stop, side, share[:n_branches],
                position, top,
            )  # fmt: skip
            for b in range(n_branches):
                child = first_child[node] + b
                seg_start[child] = top
                seg_stop[child] = top = position[b]
            frame[NEXT], frame[ABOVE] = 0, top
        if frame[NEXT] < n_branches:
            child = first_child[node] + frame[NEXT]
            frame[NEXT] += 1
            if depth == path.shape[0]:
                path = with_more_rows(path, 2 * depth)
            path[depth, NODE], path[depth, NEXT] = child, ENTER
            path[depth, START], path[depth, STOP] = seg_start[child], seg_stop[child]
            depth += 1
            continue

        # All branches are pruned: decide what becomes of this node.
        as_tree, largest = branch_totals(first_child[node], n_branches, value, expected)
        as_leaf = expected_errors(value[node], confidence, z)
        as_branch = np.inf
        if raising:
            as_branch, side, pending, arena_row, arena_weight = errors_of_branch(
                nodes, X, label, (first_child, n_children, source), largest, start, stop,
                frame[ABOVE], (confidence, z), side, pending, position, share, leaf_value,
                arena_row, arena_weight,
            )  # fmt: skip
        decision = verdict(as_leaf, as_tree, as_branch)
        if decision == RAISE:
            first_child[node], n_children[node] = first_child[largest], n_children[largest]
            source[node] = source[largest]
            n_children[largest] = 0  # out of the tree: its branches have a new parent
            frame[NEXT] = ENTER
            continue
        expected[node] = as_tree
        if decision == MAKE_LEAF:
            n_children[node], expected[node] = 0, as_leaf
        depth -= 1
    return Pruned(first_child, n_children, source, value)
