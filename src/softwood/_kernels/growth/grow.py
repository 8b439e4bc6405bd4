"""Greedy growth of an axis-parallel tree, one compiled loop for every policy.

The policy (how a node chooses its test, and when it stops) is in
:mod:`softwood._kernels.growth.choose`; this file makes the children, sends the cases on, and
keeps the books.
"""

import numpy as np

from softwood._kernels._jit import borrowing, inlined, kernel
from softwood._kernels.growth.books import (
    FEATURE,
    KIND,
    N_NODE_COLUMNS,
    NOMINAL,
    NUMERIC,
    SET_AT,
    THRESHOLD,
    Books,
    Grown,
    add_case,
    clear,
    count_live,
    note_children,
    weigh_cases,
    with_longer_books,
    with_more_branches,
    with_more_nodes,
    with_more_waiting,
)
from softwood._kernels.growth.choose import Cases, Columns, Workspace, choose_test, may_split
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
)
from softwood._kernels.growth.missing import share_weights, spread_missing
from softwood._kernels.growth.policy import Growth, categories_to_branches, step_to_training_value
from softwood._types import AnyArray, IndexArray

# Columns of the book of waiting nodes; then the active features, then where the
# segment of every line starts, and where it stops.
NODE, DEPTH, N_CASES, UNIT, N_ACTIVE, ACTIVE = 0, 1, 2, 3, 4, 5


def open_books(n_features: int, n_lines: int, length: int, n_columns: int) -> Books:
    """Return empty books for a table with lines of ``length`` entries."""
    room, width = 64, ACTIVE + n_features + 2 * n_lines
    return Books(
        node=np.zeros((room, N_NODE_COLUMNS), dtype=np.int64),
        cut=np.zeros((room, 1)),
        value=np.zeros((room, n_columns)),
        branch=np.zeros((room, 1), dtype=np.int64),
        waiting=np.zeros((room, width), dtype=np.int64),
        parent=np.zeros((1, width), dtype=np.int64),
        scratch=np.zeros((1, length), dtype=np.int64),
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


@borrowing
def fill_children(
    line, start, stop, cut, numeric, work, cases, growth, value, unit, by_bits
):  # fmt: skip
    """Give every known case its side, and add it to the value of that child."""
    for i in range(start, stop):
        case = line[i] & CASE_MASK
        level = line[i] >> RANK_SHIFT
        b = (0 if i - start < cut else 1) if numeric else work.branch_of_level[level]
        if by_bits:
            note_side(work.bits, case, b)
        else:
            work.side[case] = b
        work.n_child[b] += 1
        work.size[b] += 1.0 if unit else cases.share[case]
        w = 1.0 if unit else cases.weight[case]
        add_case(value[b], line[i], cases, w, growth.regression)


@borrowing
def open_root(lengths, columns, cases, growth, books, rules):
    """Enter the root in the books; return 1 if it waits for a test, 0 if it stays a leaf."""
    n_features, n_cases = columns.n_levels.size, cases.label.size
    has_missing = lengths.size > n_features
    clear(books.value[0], growth.regression)
    books.node[0, FEATURE] = -1
    for case in range(n_cases):
        word = (np.int64(cases.label[case]) << CASE_BITS) | case
        add_case(books.value[0], word, cases, cases.weight[case], growth.regression)
        if has_missing:
            books.held[0, case] = cases.weight[case]
    if not may_split(books.value[0], float(n_cases), 0, rules):
        return 0
    frame, stops = books.waiting[0], ACTIVE + n_features + lengths.size
    frame[N_CASES], frame[UNIT], frame[N_ACTIVE] = n_cases, growth.unit, n_features
    for f in range(n_features):
        frame[ACTIVE + f] = f
    for line in range(lengths.size):
        frame[stops + line] = lengths[line]
    return 1


@inlined
def test_of_node(frame, entries, columns, cases, books, work, rules):
    """Return the feature and the cut of a waiting node, or -1; forget features constant here."""
    n_features, n_lines = columns.n_levels.size, entries.shape[0]
    starts, stops = ACTIVE + n_features, ACTIVE + n_features + n_lines
    start, stop = frame[starts:stops], frame[stops:]
    if n_lines > n_features:
        line = entries[n_features]
        weigh_cases(line, start[n_features], stop[n_features], books.held[0], cases)
    frame[N_ACTIVE] = drop_constant(entries, start, stop, frame, frame[N_ACTIVE])
    f, cut, _ = choose_test(
        rules, entries, start, stop, frame[ACTIVE : ACTIVE + frame[N_ACTIVE]], columns, cases,
        books.value[frame[NODE]], frame[N_CASES], frame[UNIT] == 1, work,
    )  # fmt: skip
    return f, cut


@borrowing
def note_test(frame, f, cut, first, n_branches, n_categories, line, start, columns, books, work,
              rules, growth):  # fmt: skip
    """Write the test of a node and its new children to the books."""
    node = frame[NODE]
    note_children(node, first, n_branches, f, books, growth.regression)
    book = books.node[node]
    if columns.is_nominal[f]:
        book[KIND], book[SET_AT] = NOMINAL, n_categories
        for level in range(columns.n_levels[f]):
            books.branch[n_categories + level, 0] = work.branch_of_level[level]
    else:
        at = columns.value_start[f]
        lower = at + (line[start + cut - 1] >> RANK_SHIFT)
        upper = at + (line[start + cut] >> RANK_SHIFT)
        book[KIND] = NUMERIC
        books.cut[node, THRESHOLD] = step_to_training_value(rules, columns.values, lower, upper)


@borrowing
def send_cases(frame, f, cut, first, n_branches, entries, columns, cases, growth, books, work,
               by_bits):  # fmt: skip
    """Give every case its side, and add it to that child; return whether some go to all."""
    n_features, n_lines = columns.n_levels.size, entries.shape[0]
    starts, stops = ACTIVE + n_features, ACTIVE + n_features + n_lines
    unit, value = frame[UNIT] == 1, books.value[first : first + n_branches]
    some_missing = frame[stops + f] - frame[starts + f] < frame[N_CASES]
    for b in range(n_branches):
        work.n_child[b], work.size[b] = 0, 0.0
    if some_missing:
        for i in range(frame[starts + n_features], frame[stops + n_features]):
            work.side[entries[n_features, i] & CASE_MASK] = ALL_BRANCHES
    fill_children(
        entries[f], frame[starts + f], frame[stops + f], cut, not columns.is_nominal[f], work,
        cases, growth, value, unit, by_bits,
    )  # fmt: skip
    if some_missing:
        spread_missing(
            entries[n_features], frame[starts + n_features], frame[stops + n_features], cases,
            work.side, growth, value, work.n_child, work.size, work.share[:n_branches], unit,
        )  # fmt: skip
    return some_missing


@borrowing
def let_wait(frame, first, n_branches, still_unit, n_waiting, books, work):
    """Enter the live children among the waiting nodes; their lines come later."""
    slot = n_waiting
    for b in range(n_branches):
        if work.live[b]:
            child = books.waiting[slot]
            child[NODE], child[DEPTH] = first + b, frame[DEPTH] + 1
            child[N_CASES], child[N_ACTIVE] = work.n_child[b], frame[N_ACTIVE]
            child[UNIT] = 1 if still_unit else 0
            for a in range(frame[N_ACTIVE]):
                child[ACTIVE + a] = frame[ACTIVE + a]
            slot += 1


@borrowing
def part_line(number, begin, end, n_branches, by_bits, is_of_cases, entries, cases, books, work):
    """Make one line of a node the lines of its children, in the same place."""
    line, live = entries[number], work.live[:n_branches]
    if by_bits:
        work.length[0], work.length[1] = partition_in_two(
            line, begin, end, work.bits, books.scratch[0], live[0], live[1]
        )
        return
    if is_of_cases:
        total = begin
        for b in range(n_branches):
            work.position[b] = total
            total += work.length[b]
        share_weights(
            line, begin, end, work.side, cases, live, work.share, work.position, books.held[0]
        )
    partition_in_many(
        line, begin, end, work.side, live, work.length, work.position, books.scratch[0]
    )


@borrowing
def note_segments(number, begin, n_branches, n_waiting, starts, stops, books, work):
    """Note where the line of each live child starts and stops."""
    slot = n_waiting
    for b in range(n_branches):
        if work.live[b]:
            books.waiting[slot, starts + number] = begin
            begin += work.length[b]
            books.waiting[slot, stops + number] = begin
            slot += 1


@kernel
def grow_tree(
    entries: AnyArray,
    lengths: IndexArray,
    columns: Columns,
    cases: Cases,
    growth: Growth,
    books: Books,
    work: Workspace,
    rules: object,
) -> Grown:
    """Grow a tree depth first; ``entries`` and the weights of cases are overwritten."""
    n_features, n_lines = columns.n_levels.size, entries.shape[0]
    has_missing = n_lines > n_features
    starts, stops = ACTIVE + n_features, ACTIVE + n_features + n_lines
    n_nodes, n_categories = 1, 0
    n_waiting = open_root(lengths, columns, cases, growth, books, rules)
    while n_waiting > 0:
        n_waiting -= 1
        frame = books.waiting[n_waiting]
        f, cut = test_of_node(frame, entries, columns, cases, books, work, rules)
        if f < 0:
            continue
        n_branches, n_levels = 2, 0
        if columns.is_nominal[f]:
            n_levels = columns.n_levels[f]
            n_branches = categories_to_branches(
                rules, entries[f], frame[starts + f], frame[stops + f], cases,
                books.value[frame[NODE]], frame[UNIT] == 1, work.branch_of_level[:n_levels],
            )  # fmt: skip
        first = n_nodes
        n_nodes += n_branches
        if n_categories + n_levels > books.branch.shape[0]:
            books = with_more_branches(books, 2 * (n_categories + n_levels))
        if n_nodes > books.node.shape[0]:
            books = with_more_nodes(books, 2 * n_nodes)
        note_test(
            frame, f, cut, first, n_branches, n_categories, entries[f], frame[starts + f],
            columns, books, work, rules, growth,
        )  # fmt: skip
        n_categories += n_levels
        by_bits = n_branches == 2 and not has_missing
        some_missing = send_cases(
            frame, f, cut, first, n_branches, entries, columns, cases, growth, books, work, by_bits
        )
        n_live = count_live(first, n_branches, frame[DEPTH] + 1, books.value, rules, work)
        if n_live == 0:
            continue
        if n_waiting + n_live > books.waiting.shape[0]:
            books = with_more_waiting(books, 2 * (n_waiting + n_live))
        for column in range(books.waiting.shape[1]):  # its place is taken by the first child
            books.parent[0, column] = books.waiting[n_waiting, column]
        frame = books.parent[0]
        still_unit = frame[UNIT] == 1 and not some_missing
        let_wait(frame, first, n_branches, still_unit, n_waiting, books, work)
        n_active = frame[N_ACTIVE]
        for a in range(n_active + 1 if has_missing else n_active):
            line = frame[ACTIVE + a] if a < n_active else n_features
            begin, end = frame[starts + line], frame[stops + line]
            if not by_bits:
                live = work.live[:n_branches]
                length = begin + child_lengths(
                    entries[line], begin, end, work.side, live, work.length
                )
                if length > entries.shape[1]:
                    entries = with_longer_lines(entries, length * 3 // 2)
                    books = with_longer_books(books, entries.shape[1])
            part_line(
                line, begin, end, n_branches, by_bits, line == n_features, entries, cases, books,
                work,
            )  # fmt: skip
            note_segments(line, begin, n_branches, n_waiting, starts, stops, books, work)
        n_waiting += n_live
    return Grown(
        books.node[:n_nodes], books.cut[:n_nodes], books.value[:n_nodes],
        books.branch[:n_categories],
    )  # fmt: skip
