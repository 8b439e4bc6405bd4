"""Growth of variable-random trees: cases travel down the tree, columns are sorted on demand.

Where most tests are random it does not pay to lead every sorted column down the tree, as
:mod:`softwood._kernels.growth.grow` does. Here a node has the list of its cases only; a node that
chooses by gain sorts the columns for itself, and with ``alpha`` 1 the two agree to the bit.
"""

from typing import Any

import numpy as np

from softwood._kernels._jit import borrowing, inlined
from softwood._kernels.growth.choose import Cases, Columns, Scratch
from softwood._kernels.growth.columns import (
    ALL_BRANCHES,
    CASE_MASK,
    RANK_SHIFT,
    child_lengths,
    class_of,
    partition_in_many,
    with_longer_lines,
)
from softwood._kernels.growth.missing import share_weights, spread_missing
from softwood._kernels.growth.node_buffers import (
    KIND,
    SET_AT,
    THRESHOLD,
    Grown,
    NodeBuffers,
    add_case,
    count_live,
    note_children,
    weigh_cases,
    with_longer_buffers,
    with_more_branches,
    with_more_nodes,
    with_more_waiting,
)
from softwood._kernels.growth.policy import Growth
from softwood._kernels.growth.random_buffers import (
    ACTIVE,
    BY_GAIN,
    DEPTH,
    N_ACTIVE,
    N_BRANCHES,
    N_NODES,
    N_WAITING,
    NODE,
    START,
    STOP,
    UNIT,
    open_root,
)
from softwood._kernels.growth.random_split import SortScratch, best_test
from softwood._kernels.growth.random_tests import best_random_test
from softwood._kernels.growth.scan_keys import count_of
from softwood._kernels.nodes import NOMINAL, NUMERIC
from softwood._kernels.randomness import StateArray, uniform
from softwood._kernels.stopping import stop_requested
from softwood._types import AnyArray, IndexArray


@borrowing
def part_counted_cases(line, rank, last, spare, tally, parent_value, value):
    """Part counted cases by rank, stably, and count classes; return how many go left.

    Those on the right wait in ``spare``. Classes are counted in two places by turns: the
    processor need not wait for one count to add to the next.
    """
    n_classes, right = parent_value.size, 0
    for c in range(2 * n_classes):
        tally[c] = 0
    for i in range(line.size):
        entry = line[i]
        side = 1 if rank[entry & CASE_MASK] > last else 0
        line[i - right] = entry
        spare[right] = entry
        tally[(i & 1) * n_classes + class_of(entry)] += side * count_of(entry, RANK_SHIFT)
        right += side
    for c in range(n_classes):
        value[1, c] = float(tally[c] + tally[n_classes + c])
        value[0, c] = parent_value[c] - value[1, c]
    return line.size - right


@borrowing
def part_any_cases(line, rank, last, spare, cases, regression, value, unit, size):
    """Do the same for cases of any weight, or with a target."""
    right = 0
    for i in range(line.size):
        entry = line[i]
        case = entry & CASE_MASK
        side = 1 if rank[case] > last else 0
        line[i - right] = entry
        spare[right] = entry
        right += side
        add_case(value[side], entry, cases, cases.weight[case], regression)
        size[side] += 1.0 if unit else cases.share[case]
    return line.size - right


@borrowing
def side_of_cases(line, start, stop, rank, last, numeric, cases, growth, value, unit, scratch):
    """Note the side of every case, and fill the children; return how many have no side."""
    n_missing = 0
    for i in range(start, stop):
        case = line[i] & CASE_MASK
        r = rank[case]
        if r < 0:
            scratch.side[case] = ALL_BRANCHES
            n_missing += 1
            continue
        b = (1 if r > last else 0) if numeric else np.int64(r)
        scratch.side[case] = b
        scratch.n_child[b] += 1
        scratch.size[b] += 1.0 if unit else cases.share[case]
        w = 1.0 if unit else cases.weight[case]
        add_case(value[b], line[i], cases, w, growth.regression)
    return n_missing


@borrowing
def note_test(node, first, n_branches, test, by_gain, columns, counts, buffers, regression):
    """Write the test of a node and its new children to the buffers."""
    f = test.feature
    note_children(node, first, n_branches, f, buffers, regression)
    for child in range(first, first + n_branches):
        buffers.node[child, BY_GAIN] = 0
    book = buffers.node[node]
    book[BY_GAIN] = 1 if by_gain else 0
    if columns.is_nominal[f]:
        book[KIND], book[SET_AT] = NOMINAL, counts[N_BRANCHES]
        for level in range(columns.n_levels[f]):
            buffers.branch[counts[N_BRANCHES] + level, 0] = level
        counts[N_BRANCHES] += columns.n_levels[f]
    else:
        book[KIND], buffers.cut[node, THRESHOLD] = NUMERIC, test.threshold


@borrowing
def send_in_two(line, frame, test, ranks, cases, growth, buffers, scratch, sorting, first, unit):
    """Send complete cases to the two children of a numeric test."""
    start, stop = frame[START], frame[STOP]
    here, rank = line[start:stop], ranks[test.feature]
    value = buffers.value[first : first + 2]
    scratch.size[0], scratch.size[1] = 0.0, 0.0
    if unit and not growth.regression:
        left = part_counted_cases(
            here,
            rank,
            test.rank,
            buffers.spare[0],
            sorting.tally,
            buffers.value[frame[NODE]],
            value,
        )
        for c in range(value.shape[1]):  # an entry may count several times
            scratch.size[0] += value[0, c]
            scratch.size[1] += value[1, c]
    else:
        left = part_any_cases(
            here, rank, test.rank, buffers.spare[0], cases, growth.regression, value, unit,
            scratch.size,
        )  # fmt: skip
    for i in range(left, stop - start):
        here[i] = buffers.spare[0, i - left]
    scratch.length[0], scratch.length[1] = left, stop - start - left


@borrowing
def send_in_parts(line, frame, test, ranks, columns, cases, growth, buffers, scratch, first, unit):
    """Note the side of each case, fill the children; return how many cases go to all of them."""
    f, start, stop = test.feature, frame[START], frame[STOP]
    numeric = not columns.is_nominal[f]
    n_branches = 2 if numeric else columns.n_levels[f]
    value = buffers.value[first : first + n_branches]
    for b in range(n_branches):
        scratch.n_child[b], scratch.size[b] = 0, 0.0
    n_missing = side_of_cases(
        line, start, stop, ranks[f], test.rank, numeric, cases, growth, value, unit, scratch
    )
    if n_missing > 0:
        spread_missing(
            line, start, stop, cases, scratch.side, growth, value, scratch.n_child, scratch.size,
            scratch.share[:n_branches], unit,
        )  # fmt: skip
    return n_missing


@borrowing
def regroup(line, frame, n_branches, has_missing, cases, buffers, scratch):
    """Make the cases of a node the lists of its live children, in the same place."""
    start, stop = frame[START], frame[STOP]
    live = scratch.live[:n_branches]
    child_lengths(line, start, stop, scratch.side, live, scratch.length)
    if has_missing:
        total = start
        for b in range(n_branches):
            scratch.position[b] = total
            total += scratch.length[b]
        share_weights(
            line,
            start,
            stop,
            scratch.side,
            cases,
            live,
            scratch.share,
            scratch.position,
            buffers.held[0],
        )
    partition_in_many(
        line, start, stop, scratch.side, live, scratch.length, scratch.position, buffers.spare[0]
    )


@borrowing
def let_wait(frame, first, n_branches, n_active, drops, unit, keeps_dead, counts, buffers, scratch):
    """Put the live children on the list of waiting nodes, without the feature ``drops``."""
    begin = frame[START]
    for b in range(n_branches):
        if scratch.live[b]:
            child = buffers.waiting[counts[N_WAITING]]
            child[NODE], child[DEPTH] = first + b, frame[DEPTH] + 1
            child[START], child[STOP] = begin, begin + scratch.length[b]
            child[UNIT] = 1 if unit else 0
            n_kept = 0
            for a in range(n_active):
                child[ACTIVE + n_kept] = frame[ACTIVE + a]
                n_kept += 1 if frame[ACTIVE + a] != drops else 0
            child[N_ACTIVE] = n_kept
            counts[N_WAITING] += 1
        if scratch.live[b] or keeps_dead:
            begin += scratch.length[b]


@borrowing
def split_node(
    line, ranks, columns, cases, growth, buffers, scratch, sorting, rules, alpha, state,
    has_missing, counts,
):  # fmt: skip
    """Split the last waiting node, or leave it a leaf; the buffers have space for it."""
    counts[N_WAITING] -= 1
    frame = buffers.parent[0]
    for column in range(frame.size):  # its place is taken by the first child
        frame[column] = buffers.waiting[counts[N_WAITING], column]
    node, start, stop, unit = frame[NODE], frame[START], frame[STOP], frame[UNIT] == 1
    if has_missing:
        weigh_cases(line, start, stop, buffers.held[0], cases)
    by_gain = uniform(state) < alpha
    if by_gain:
        test, n_active = best_test(
            rules, line, start, stop, frame[ACTIVE:], frame[N_ACTIVE], ranks, columns, cases,
            buffers.value[node], unit, not has_missing, scratch, sorting, state,
        )  # fmt: skip
    else:
        test, n_active = best_random_test(
            rules.n_random, line, start, stop, frame[ACTIVE:], frame[N_ACTIVE], ranks, columns,
            cases, buffers.value[node], growth, unit, not has_missing, sorting, state,
        )  # fmt: skip
    f = test.feature
    if f < 0:
        return
    numeric = not columns.is_nominal[f]
    n_branches = 2 if numeric else columns.n_levels[f]
    first = counts[N_NODES]
    counts[N_NODES] += n_branches
    note_test(node, first, n_branches, test, by_gain, columns, counts, buffers, growth.regression)
    in_two, n_missing = numeric and not has_missing, 0
    if in_two:
        send_in_two(line, frame, test, ranks, cases, growth, buffers, scratch, sorting, first, unit)
    else:
        n_missing = send_in_parts(
            line, frame, test, ranks, columns, cases, growth, buffers, scratch, first, unit
        )
    value = buffers.value[first : first + n_branches]
    if count_live(value, scratch.size, frame[DEPTH] + 1, rules, scratch.live) == 0:
        return
    if not in_two:
        regroup(line, frame, n_branches, has_missing, cases, buffers, scratch)
    drops = -1 if numeric else f
    still_unit = unit and n_missing == 0
    let_wait(
        frame, first, n_branches, n_active, drops, still_unit, in_two, counts, buffers, scratch
    )


@borrowing
def length_needed(buffers, counts, most):
    """Return how far the children of the last waiting node may reach on the line of cases."""
    frame = buffers.waiting[counts[N_WAITING] - 1]
    return frame[START] + most * (frame[STOP] - frame[START])


@borrowing
def split_while_room(
    line, ranks, columns, cases, growth, buffers, scratch, sorting, rules, alpha, state,
    has_missing, counts,
):  # fmt: skip
    """Split waiting nodes until none is left, or the buffers may not have room for the next."""
    most = scratch.live.size
    while counts[N_WAITING] > 0 and not stop_requested():
        split_node(
            line, ranks, columns, cases, growth, buffers, scratch, sorting, rules, alpha, state,
            has_missing, counts,
        )  # fmt: skip
        full = counts[N_NODES] + most > buffers.node.shape[0]
        full |= counts[N_WAITING] + most > buffers.waiting.shape[0]
        full |= counts[N_BRANCHES] + most > buffers.branch.shape[0]
        if full or (has_missing and counts[N_WAITING] > 0):
            return


@inlined
def grown_so_far(buffers, n_nodes, n_branches):
    """Return the nodes of a tree in the buffers."""
    return Grown(
        buffers.node[:n_nodes],
        buffers.cut[:n_nodes],
        buffers.value[:n_nodes],
        buffers.branch[:n_branches],
    )


@inlined
def grow_random(
    line: AnyArray,
    active: AnyArray,
    ranks: IndexArray,
    columns: Columns,
    cases: Cases,
    growth: Growth,
    buffers: NodeBuffers,
    scratch: Scratch,
    sorting: SortScratch,
    rules: Any,
    alpha: float,
    state: StateArray,
    has_missing: bool,
) -> tuple[Grown, NodeBuffers]:
    """Grow a tree depth first from the cases of ``line``, testing ``active`` features only.

    A node takes the best test with probability ``alpha``, else a random one.
    Cases may occur several times, or say above ``RANK_SHIFT`` how many times more they count
    than once, if the quick scan can read that. ``line`` and the weights of cases are
    overwritten. The buffers come back, perhaps larger: the next tree writes over them.
    """
    counts = np.zeros(3, np.int64)
    counts[N_NODES] = 1
    open_root(line[0], active, cases, growth, buffers, rules, has_missing, counts)
    most = scratch.live.size  # branches of a test
    while counts[N_WAITING] > 0 and not stop_requested():
        # All that a node may need is there before it is split: so the rest allocates nothing.
        n_nodes, n_waiting = counts[N_NODES] + most, counts[N_WAITING] + most
        if n_nodes > buffers.node.shape[0]:
            buffers = with_more_nodes(buffers, 2 * n_nodes)
        if n_waiting > buffers.waiting.shape[0]:
            buffers = with_more_waiting(buffers, 2 * n_waiting)
        if counts[N_BRANCHES] + most > buffers.branch.shape[0]:
            buffers = with_more_branches(buffers, 2 * (counts[N_BRANCHES] + most))
        if has_missing and length_needed(buffers, counts, most) > line.shape[1]:
            line = with_longer_lines(line, length_needed(buffers, counts, most) * 3 // 2)
            buffers = with_longer_buffers(buffers, line.shape[1])
        split_while_room(
            line[0], ranks, columns, cases, growth, buffers, scratch, sorting, rules, alpha, state,
            has_missing, counts,
        )  # fmt: skip
    return grown_so_far(buffers, counts[N_NODES], counts[N_BRANCHES]), buffers
