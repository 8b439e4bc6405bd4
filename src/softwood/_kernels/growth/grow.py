"""Greedy growth of an axis-parallel tree, one compiled loop for every policy.

The policy (how a node chooses its test, and when it stops) is in
:mod:`softwood._kernels.growth.choose`; this file makes the children, sends the cases on, and
keeps the buffers.
"""

import numpy as np

from softwood._kernels._jit import borrowing, hot, long_kernel
from softwood._kernels.growth.choose import Cases, Columns, Scratch, choose_test
from softwood._kernels.growth.columns import (
    ALL_BRANCHES,
    CASE_BITS,
    CASE_MASK,
    RANK_SHIFT,
    child_lengths,
    note_side,
    partition_in_many,
    partition_in_two,
    with_longer_lines,
    with_more_rows,
)
from softwood._kernels.growth.missing import share_weights, spread_missing
from softwood._kernels.growth.node_buffers import (
    FEATURE,
    FIRST_CHILD,
    KIND,
    N_CHILDREN,
    N_NODE_COLUMNS,
    SET_AT,
    THRESHOLD,
    Grown,
    NodeBuffers,
    add_case,
    clear,
    count_live,
    weigh_cases,
)
from softwood._kernels.growth.policy import (
    Growth,
    categories_to_branches,
    may_split,
    step_to_training_value,
)
from softwood._kernels.nodes import LEAF, NOMINAL, NUMERIC
from softwood._kernels.stopping import stop_requested
from softwood._types import AnyArray, IndexArray

# Columns of the book of waiting nodes; then the active features, then where the
# segment of every line starts, and where it stops.
NODE, DEPTH, N_CASES, UNIT, N_ACTIVE, ACTIVE = 0, 1, 2, 3, 4, 5


def node_buffers(n_features: int, n_lines: int, length: int, n_columns: int) -> NodeBuffers:
    """Return empty buffers for a table with lines of ``length`` entries."""
    room, width = 64, ACTIVE + n_features + 2 * n_lines
    return NodeBuffers(
        node=np.zeros((room, N_NODE_COLUMNS), dtype=np.int64),
        cut=np.zeros((room, 1)),
        value=np.zeros((room, n_columns)),
        branch=np.zeros((room, 1), dtype=np.int64),
        waiting=np.zeros((room, width), dtype=np.int64),
        parent=np.zeros((1, width), dtype=np.int64),
        spare=np.zeros((1, length), dtype=np.int64),
        held=np.zeros((1, length if n_lines > n_features else 1)),
    )


@borrowing
def drop_constant(entries, start, stop, frame, n_active):
    """Drop the features that are constant in this node, and so in all below it."""
    kept = 0
    for a in range(n_active):
        f = frame[ACTIVE + a]
        if stop[f] - start[f] < 2:
            continue
        if (entries[f, start[f]] ^ entries[f, stop[f] - 1]) >> RANK_SHIFT:
            frame[ACTIVE + kept] = f
            kept += 1
    return kept


@hot
def fill_children(
    line, start, stop, cut, numeric, scratch, cases, growth, value, unit, by_bits
):  # fmt: skip
    """Give every known case its side, and add it to the value of that child."""
    for i in range(start, stop):
        case = line[i] & CASE_MASK
        level = line[i] >> RANK_SHIFT
        b = (0 if i - start < cut else 1) if numeric else scratch.branch_of_level[level]
        if by_bits:
            note_side(scratch.bits, case, b)
        else:
            scratch.side[case] = b
        scratch.n_child[b] += 1
        scratch.size[b] += 1.0 if unit else cases.share[case]
        w = 1.0 if unit else cases.weight[case]
        add_case(value[b], line[i], cases, w, growth.regression)


@long_kernel
def grow_tree(
    entries: AnyArray,
    lengths: IndexArray,
    columns: Columns,
    cases: Cases,
    growth: Growth,
    buffers: NodeBuffers,
    scratch: Scratch,
    rules: object,
) -> Grown:
    """Grow a tree depth first; ``entries`` and the weights of cases are overwritten.

    The loop is long because it is in one piece: every helper that the buffers are handed to
    makes the first fit wait some seconds more for its compilation.
    """
    n_features, n_lines = columns.n_levels.size, entries.shape[0]
    n_cases, has_missing = cases.label.size, entries.shape[0] > columns.n_levels.size
    starts, stops = ACTIVE + n_features, ACTIVE + n_features + n_lines

    node_book, cut_book, value, branch_book = (
        buffers.node,
        buffers.cut,
        buffers.value,
        buffers.branch,
    )
    waiting, parent, spare, held = buffers.waiting, buffers.parent, buffers.spare, buffers.held
    n_nodes, n_branches_kept = 1, 0
    side, branch_of_level, n_child, size = (
        scratch.side,
        scratch.branch_of_level,
        scratch.n_child,
        scratch.size,
    )
    share, length, position, live = scratch.share, scratch.length, scratch.position, scratch.live

    clear(value[0], growth.regression)
    node_book[0, FEATURE] = -1
    root_size = 0.0
    for case in range(n_cases):
        word = (np.int64(cases.label[case]) << CASE_BITS) | case
        add_case(value[0], word, cases, cases.weight[case], growth.regression)
        root_size += cases.share[case]
        if has_missing:
            held[0, case] = cases.weight[case]
    n_waiting = 0
    if may_split(rules, value[0], root_size, 0):
        n_waiting = 1
        waiting[0, N_CASES], waiting[0, UNIT], waiting[0, N_ACTIVE] = (
            n_cases,
            growth.unit,
            n_features,
        )
        for f in range(n_features):
            waiting[0, ACTIVE + f] = f
        for line in range(n_lines):
            waiting[0, stops + line] = lengths[line]

    while n_waiting > 0 and not stop_requested():
        n_waiting -= 1
        frame = waiting[n_waiting]
        start, stop = frame[starts:stops], frame[stops:]
        node, depth, unit = frame[NODE], frame[DEPTH], frame[UNIT] == 1
        if has_missing:
            weigh_cases(entries[n_features], start[n_features], stop[n_features], held[0], cases)
        n_active = drop_constant(entries, start, stop, frame, frame[N_ACTIVE])
        active = frame[ACTIVE : ACTIVE + n_active]
        f, cut, _ = choose_test(
            rules, entries, start, stop, active, columns, cases, value[node], frame[N_CASES], unit,
            scratch,
        )  # fmt: skip
        if f < 0:
            continue

        numeric = not columns.is_nominal[f]
        n_branches = 2
        if not numeric:
            n_levels = columns.n_levels[f]
            n_branches = categories_to_branches(
                rules, entries[f], start[f], stop[f], cases, value[node], unit,
                branch_of_level[:n_levels],
            )  # fmt: skip
            if n_branches_kept + n_levels > branch_book.shape[0]:
                branch_book = with_more_rows(branch_book, 2 * (n_branches_kept + n_levels))
            for level in range(n_levels):
                branch_book[n_branches_kept + level, 0] = branch_of_level[level]
        first = n_nodes
        n_nodes += n_branches
        if n_nodes > value.shape[0]:
            node_book = with_more_rows(node_book, 2 * n_nodes)
            cut_book = with_more_rows(cut_book, 2 * n_nodes)
            value = with_more_rows(value, 2 * n_nodes)
        book = node_book[node]
        book[FIRST_CHILD], book[N_CHILDREN], book[FEATURE] = first, n_branches, f
        if numeric:
            book[KIND] = NUMERIC
            at = columns.value_start[f]
            lower = at + (entries[f, start[f] + cut - 1] >> RANK_SHIFT)
            upper = at + (entries[f, start[f] + cut] >> RANK_SHIFT)
            cut_book[node, THRESHOLD] = step_to_training_value(rules, columns.values, lower, upper)
        else:
            book[KIND], book[SET_AT] = NOMINAL, n_branches_kept
            n_branches_kept += columns.n_levels[f]
        for b in range(n_branches):
            child = node_book[first + b]
            child[FIRST_CHILD], child[N_CHILDREN], child[KIND], child[FEATURE] = -1, 0, LEAF, -1
            cut_book[first + b, THRESHOLD] = 0.0
            clear(value[first + b], growth.regression)
            n_child[b], size[b] = 0, 0.0

        by_bits = n_branches == 2 and not has_missing
        some_missing = stop[f] - start[f] < frame[N_CASES]
        if some_missing:
            for i in range(start[n_features], stop[n_features]):
                side[entries[n_features, i] & CASE_MASK] = ALL_BRANCHES
        fill_children(
            entries[f], start[f], stop[f], cut, numeric, scratch, cases, growth,
            value[first : first + n_branches], unit, by_bits,
        )  # fmt: skip
        if some_missing:
            spread_missing(
                entries[n_features], start[n_features], stop[n_features], cases, side, growth,
                value[first : first + n_branches], n_child, size, share[:n_branches], unit,
            )  # fmt: skip
        n_live = count_live(value[first : first + n_branches], size, depth + 1, rules, live)
        if n_live == 0:
            continue
        if n_waiting + n_live > waiting.shape[0]:
            waiting = with_more_rows(waiting, 2 * (n_waiting + n_live))
        for column in range(waiting.shape[1]):  # its place is taken by the first child
            parent[0, column] = waiting[n_waiting, column]
        frame = parent[0]
        start, stop = frame[starts:stops], frame[stops:]
        slot = n_waiting
        for b in range(n_branches):
            if live[b]:
                waiting[slot, NODE], waiting[slot, DEPTH] = first + b, depth + 1
                waiting[slot, N_CASES], waiting[slot, N_ACTIVE] = n_child[b], n_active
                waiting[slot, UNIT] = 1 if unit and not some_missing else 0
                for a in range(n_active):
                    waiting[slot, ACTIVE + a] = frame[ACTIVE + a]
                slot += 1

        # Each line of the node becomes the lines of its children, in the same place.
        for a in range(n_active + 1 if has_missing else n_active):
            line = frame[ACTIVE + a] if a < n_active else n_features
            if stop_requested():
                break
            begin, end = start[line], stop[line]
            if by_bits:
                length[0], length[1] = partition_in_two(
                    entries[line], begin, end, scratch.bits, spare[0], live[0], live[1]
                )
            else:
                room = child_lengths(entries[line], begin, end, side, live[:n_branches], length)
                if begin + room > entries.shape[1]:
                    entries = with_longer_lines(entries, (begin + room) * 3 // 2)
                    held = with_longer_lines(held, entries.shape[1])
                    spare = with_longer_lines(spare, entries.shape[1])
                if line == n_features:
                    total = begin
                    for b in range(n_branches):
                        position[b] = total
                        total += length[b]
                    share_weights(
                        entries[line], begin, end, side, cases, live[:n_branches], share, position,
                        held[0],
                    )  # fmt: skip
                partition_in_many(
                    entries[line], begin, end, side, live[:n_branches], length, position, spare[0]
                )
            slot = n_waiting
            for b in range(n_branches):
                if live[b]:
                    waiting[slot, starts + line] = begin
                    begin += length[b]
                    waiting[slot, stops + line] = begin
                    slot += 1
        n_waiting += n_live
    return Grown(
        node_book[:n_nodes], cut_book[:n_nodes], value[:n_nodes], branch_book[:n_branches_kept]
    )
