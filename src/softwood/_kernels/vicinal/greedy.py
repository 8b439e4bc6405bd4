"""Greedy growth of a tree on blurred rows, and how a test divides their masses.

A row is in every node that its cloud touches, with the mass that is there. The rows of
the waiting nodes lie in one stack; the children of a node take the place of its own::

    rows   ... | rows of the node |
    rows   ... | of the first child | of the second child |

Nodes are finished by ever smaller masses, so the stack stays a few tables high.
"""

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, long_kernel
from softwood._kernels.growth.columns import with_longer_lines, with_more_rows
from softwood._kernels.growth.node_buffers import (
    FEATURE,
    FIRST_CHILD,
    KIND,
    N_CHILDREN,
    N_NODE_COLUMNS,
    SET_AT,
    THRESHOLD,
    Grown,
)
from softwood._kernels.growth.scan_numeric import SLACK
from softwood._kernels.nodes import LEAF, NOMINAL, NUMERIC
from softwood._kernels.normal import LAST_Z, mass_between, tail_of
from softwood._kernels.stopping import stop_requested
from softwood._kernels.vicinal.greedy_scan import (
    BOX,
    DEPTH,
    NODE,
    START,
    STOP,
    Blurred,
    VicinalRules,
    VicinalScratch,
    choose_blurred_test,
    edges_of,
    high_of,
    low_of,
    n_cuts_of,
    place_of,
)
from softwood._types import AnyArray, FloatArray, IndexArray

MISSING = -1.0  # the part of a row that has no value


class VicinalNodeBuffers(NamedTuple):
    """The buffers, as the caller opens them; those that get full are copied to larger ones."""

    node: AnyArray
    cut: FloatArray
    value: FloatArray  # class masses
    branch: AnyArray
    waiting: AnyArray  # a frame for each node that waits for its test
    parent: AnyArray  # the frame of the node that is being split
    rows: IndexArray  # (1, room) the stack
    mass: FloatArray  # (1, room)


def vicinal_node_buffers(blurred: Blurred, n_classes: int) -> VicinalNodeBuffers:
    """Return buffers in which the root waits for its test."""
    n_rows, n_features = blurred.X.shape
    room, width = 64, BOX + 2 * n_features + int(blurred.category_start[-1])
    buffers = VicinalNodeBuffers(
        node=np.zeros((room, N_NODE_COLUMNS), dtype=np.int64),
        cut=np.zeros((room, 1)),
        value=np.zeros((room, n_classes)),
        branch=np.zeros((room, 1), dtype=np.int64),
        waiting=np.zeros((room, width), dtype=np.int64),
        parent=np.zeros((1, width), dtype=np.int64),
        rows=np.zeros((1, 4 * n_rows), dtype=np.int32),
        mass=np.ones((1, 4 * n_rows)),
    )
    buffers.node[0, FEATURE] = -1
    buffers.value[0] = np.bincount(blurred.label, blurred.weight, n_classes)
    buffers.rows[0, :n_rows] = np.arange(n_rows)
    buffers.waiting[0, STOP] = n_rows
    box = buffers.waiting[0, BOX:]
    box[1 : 2 * n_features : 2] = np.diff(blurred.cut_start)
    box[2 * n_features :] = 1
    return buffers


@borrowing
def worth_splitting(value, size, depth, rules):
    """Whether a node is large and mixed enough; no test can gain more than the impurity."""
    weight, squares = 0.0, 0.0
    for c in range(value.size):
        weight += value[c]
        squares += value[c] * value[c]
    large = depth < rules.max_depth and size + SLACK >= rules.min_split and weight > 0.0
    return large and weight - squares / weight > rules.min_gain + 1e-12 * weight


@borrowing
def tail_at(blurred, f, cut, x):
    """Return the tail, as in normal, of the distance from a row to a cut."""
    z = (blurred.cut[blurred.cut_start[f] + cut] - x) / blurred.sd[f]
    return tail_of(max(-LAST_Z, min(z, LAST_Z)))


@borrowing
def part_below(blurred, frame, f, cut, x):
    """Return the part of a row's mass in the node that lies below a cut."""
    if blurred.sd[f] == 0.0:
        return 1.0 if x <= blurred.cut[blurred.cut_start[f] + cut] else 0.0
    low, high = low_of(frame, f), high_of(frame, f)
    n_cuts = n_cuts_of(blurred, f)
    here = tail_at(blurred, f, cut, x)
    under = mass_between(tail_at(blurred, f, low - 1, x) if low > 0 else 0.0, here)
    over = mass_between(here, tail_at(blurred, f, high, x) if high < n_cuts else 0.0)
    return under / (under + over) if under + over > 0.0 else 0.5


@borrowing
def parts_of_values(blurred, frame, f, cut, share):
    """Write the part of each level that lies below a cut, as the scan has seen it."""
    for level in range(blurred.n_levels[f]):
        under, over = edges_of(blurred, frame, f, level)
        here = blurred.below[blurred.level_start[f] + level, cut]
        share[level] = (here - under) / (over - under) if over > under else 0.5


@borrowing
def parts_of_categories(blurred, frame, f, branch, share):
    """Write the part of each category that takes the first branch; see ``blur_categories``."""
    chance, at = blurred.redraw[f], blurred.category_start[f]
    drawn, drawn_left = 0.0, 0.0
    for v in range(blurred.n_levels[f]):
        if frame[place_of(blurred, f, v)]:
            drawn += blurred.drawn[at + v]
            drawn_left += blurred.drawn[at + v] if branch[v] == 0 else 0.0
    for v in range(blurred.n_levels[f]):
        if frame[place_of(blurred, f, v)]:
            kept = 1.0 - chance if branch[v] == 0 else 0.0
            share[v] = (kept + chance * drawn_left) / (1.0 - chance + chance * drawn)
        else:
            share[v] = drawn_left / drawn if drawn > 0.0 else 0.0


@borrowing
def parts_of_rows(blurred, frame, f, cut, rows, mass, scratch):
    """Write the part of each row that takes the first branch; return that of missing values."""
    if blurred.is_nominal[f]:
        parts_of_categories(blurred, frame, f, scratch.chosen, scratch.share)
    elif not blurred.is_grouped[f]:
        parts_of_values(blurred, frame, f, cut, scratch.share)
    first, second = 0.0, 0.0
    for i in range(frame[START], frame[STOP]):
        row = rows[i]
        part, level = MISSING, blurred.level[f, row]
        if level >= 0:
            if blurred.is_grouped[f]:
                part = part_below(blurred, frame, f, cut, blurred.X[row, f])
            else:
                part = scratch.share[level]
            weight = mass[i] * blurred.weight[row]
            first += weight * part
            second += weight * (1.0 - part)
        scratch.part[i - frame[START]] = part
    return first / (first + second)


@borrowing
def divide_rows(
    blurred, frame, missing_part, part, rows, mass, drop, first_value, second_value, held
):
    """Give the rows of a node to its children; return where those of each child stop.

    A child that would get next to nothing of a row gets nothing, and the other one all.
    """
    start, stop = frame[START], frame[STOP]
    held[0], held[1] = 0.0, 0.0
    kept, end = start, stop
    for i in range(start, stop):
        row, whole = rows[i], mass[i]
        share = part[i - start] if part[i - start] != MISSING else missing_part
        first, second = whole * share, whole * (1.0 - share)
        if first < drop:
            first, second = 0.0, whole
        elif second < drop:
            first, second = whole, 0.0
        first_value[blurred.label[row]] += first * blurred.weight[row]
        second_value[blurred.label[row]] += second * blurred.weight[row]
        held[0] += first
        held[1] += second
        if second > 0.0:
            rows[end], mass[end] = row, second
            end += 1
        if first > 0.0:
            rows[kept], mass[kept] = row, first
            kept += 1
    for i in range(stop, end):
        rows[kept + i - stop], mass[kept + i - stop] = rows[i], mass[i]
    return kept, kept + end - stop


@borrowing
def narrow_box(blurred, f, cut, branch, second, frame):
    """Narrow the box of a frame to one side of a test."""
    if not blurred.is_nominal[f]:
        frame[BOX + 2 * f + (0 if second else 1)] = cut + (1 if second else 0)
        return
    for v in range(blurred.n_levels[f]):
        if branch[v] != (1 if second else 0):
            frame[place_of(blurred, f, v)] = 0


@long_kernel
def grow_vicinal(
    blurred: Blurred,
    buffers: VicinalNodeBuffers,
    scratch: VicinalScratch,
    rules: VicinalRules,
    drop: float,
) -> Grown:
    """Grow a tree depth first on blurred rows; masses below ``drop`` are not followed."""
    node_book, cut_book, value, branch_book = (
        buffers.node,
        buffers.cut,
        buffers.value,
        buffers.branch,
    )
    waiting, rows, mass, frame = buffers.waiting, buffers.rows, buffers.mass, buffers.parent[0]
    n_nodes, n_branches_kept = 1, 0
    n_waiting = 1 if worth_splitting(value[0], float(blurred.label.size), 0, rules) else 0
    while n_waiting > 0 and not stop_requested():
        n_waiting -= 1
        for column in range(frame.size):  # its place is taken by the first child
            frame[column] = waiting[n_waiting, column]
        f, cut = choose_blurred_test(blurred, frame, rows[0], mass[0], scratch, rules)
        if f < 0:
            continue

        nominal = blurred.is_nominal[f]
        n_levels = blurred.n_levels[f] if nominal else 0
        if n_branches_kept + n_levels > branch_book.shape[0]:
            branch_book = with_more_rows(branch_book, 2 * (n_branches_kept + n_levels))
        for v in range(n_levels):
            branch_book[n_branches_kept + v, 0] = scratch.chosen[v]
        first = n_nodes
        n_nodes += 2
        if n_nodes > value.shape[0]:
            node_book = with_more_rows(node_book, 2 * n_nodes)
            cut_book = with_more_rows(cut_book, 2 * n_nodes)
            value = with_more_rows(value, 2 * n_nodes)
        book = node_book[frame[NODE]]
        book[FIRST_CHILD], book[N_CHILDREN], book[FEATURE] = first, 2, f
        book[KIND], book[SET_AT] = NOMINAL if nominal else NUMERIC, n_branches_kept
        n_branches_kept += n_levels
        if not nominal:
            cut_book[frame[NODE], THRESHOLD] = blurred.cut[blurred.cut_start[f] + cut]
        for child in range(first, first + 2):
            book = node_book[child]
            book[FIRST_CHILD], book[N_CHILDREN], book[KIND], book[FEATURE] = -1, 0, LEAF, -1
            book[SET_AT], cut_book[child, THRESHOLD] = 0, 0.0
            value[child, :] = 0.0

        if 2 * frame[STOP] - frame[START] > rows.shape[1]:
            rows, mass = (
                with_longer_lines(rows, 3 * frame[STOP]),
                with_longer_lines(mass, 3 * frame[STOP]),
            )
        missing_part = parts_of_rows(blurred, frame, f, cut, rows[0], mass[0], scratch)
        middle, end = divide_rows(
            blurred, frame, missing_part, scratch.part, rows[0], mass[0], drop, value[first],
            value[first + 1], scratch.held,
        )  # fmt: skip
        if n_waiting + 2 > waiting.shape[0]:
            waiting = with_more_rows(waiting, 2 * (n_waiting + 2))
        for b in range(2):
            if not worth_splitting(value[first + b], scratch.held[b], frame[DEPTH] + 1, rules):
                continue
            slot = waiting[n_waiting]
            for column in range(frame.size):
                slot[column] = frame[column]
            slot[NODE], slot[DEPTH] = first + b, frame[DEPTH] + 1
            slot[START], slot[STOP] = (frame[START], middle) if b == 0 else (middle, end)
            narrow_box(blurred, f, cut, scratch.chosen, b == 1, slot)
            n_waiting += 1
    return Grown(
        node_book[:n_nodes], cut_book[:n_nodes], value[:n_nodes], branch_book[:n_branches_kept]
    )
