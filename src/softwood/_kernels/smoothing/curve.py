"""The answers of a forest under many lambdas, in one pass over its trees and the rows.

What goes down a tree are pairs of a row and a lambda, a block of them at a time: at a node all
pairs that reach it are dealt with one after the other, as in
:mod:`softwood._kernels.flow.spread_blocks`, whose slots and notes these are.
"""

import math
from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, long_kernel, pasted
from softwood._kernels.branch import branch_of, branch_share, value_of
from softwood._kernels.flow.divide_mass import (
    HIGH,
    LOW,
    MASS,
    N_COLUMNS,
    RowArray,
    add_response,
    divide_between_leaves,
    divide_block,
    divide_from_leaf,
)
from softwood._kernels.flow.gates import part_of_category
from softwood._kernels.nodes import LEAF, NOMINAL, NUMERIC, NodeTable
from softwood._kernels.normal import CDF_STEPS, CDF_TOP
from softwood._kernels.smoothing.layout import Layout
from softwood._kernels.stopping import stop_requested
from softwood._types import BoolArray, FloatArray, IndexArray

OWN = LOW  # below a test that draws anew: the part of the row's own category
PARTS = 4  # of the Taylor series: what is left out is less than 1e-8
LEAST_SD = 1e-300
BLOCK = 1024  # pairs


class Pairs(NamedTuple):
    """A block of pairs of a row and a lambda."""

    row: IndexArray
    slope: FloatArray  # one over lambda
    chance: FloatArray  # that a category is drawn anew


class CurveScratch(NamedTuple):
    """Room for one block of pairs, as ``BlockScratch`` has it for one of rows."""

    pairs: Pairs
    stack: IndexArray
    n_there: IndexArray
    rows: RowArray
    notes: FloatArray
    share: FloatArray
    sums: FloatArray
    parts: FloatArray  # of the row's own category, first and second child


@borrowing
def part_below(z: float, table: FloatArray) -> float:
    """Return the normal distribution function of ``z``, to 1e-8."""
    # Of NaN, too, so that it leads to no place outside of the table: nobody uses what comes of it.
    distance = abs(z) if abs(z) < CDF_TOP else CDF_TOP
    step = np.uint32(int(distance * CDF_STEPS + 0.5))
    rest = distance - step / CDF_STEPS
    value = table[step, PARTS - 1]
    for part in range(PARTS - 2, -1, -1):
        value = value * rest + table[step, part]
    return 0.5 + math.copysign(value, z)


@borrowing
def share_of_gap(nodes, node, branch, lower):
    """Return the part of a row with a gap that goes to child ``lower``; ``branch`` may be -1."""
    if branch < 0:
        return branch_share(nodes, node, lower)
    return 1.0 if branch == lower else 0.0


@pasted
def write_noisy_shares(nodes, layout, node, X, columns, home, scratch, table):
    """Write the part of all noise that keeps each pair of a node below its threshold."""
    here, pairs, share = layout.slot[node], scratch.pairs, scratch.share
    rows, threshold, sd = scratch.rows[here], nodes.threshold[node], layout.sd[node]
    is_numeric, feature = nodes.kind[node] == NUMERIC, nodes.feature[node]
    by_sd = 1.0 / math.copysign(max(abs(sd), LEAST_SD), sd)
    for i in range(scratch.n_there[here]):
        pair = rows[i]
        row = pairs.row[pair]
        value = columns[feature, row] if is_numeric else value_of(nodes, node, X[row])
        share[pair] = part_below((threshold - value) * by_sd * pairs.slope[pair], table)
        if np.isnan(value):  # of what the interval holds, so much
            lower = 0 if sd > 0.0 else 1
            part = share_of_gap(nodes, node, nodes.missing_child[node], lower)
            start, end = home[LOW, pair], home[HIGH, pair]
            share[pair] = start + part * (end - start)


@pasted
def write_drawn_shares(nodes, layout, node, columns, scratch):
    """Write the part of each pair that goes to the first child where categories are drawn anew.

    The parts of the row's own category are kept for those below.
    """
    here, home = layout.slot[node], layout.slot[layout.home[node]]
    rows, pairs, first = scratch.rows[here], scratch.pairs, nodes.first_child[node]
    drawn, other_drawn = layout.drawn[first], layout.drawn[first + 1]
    last, own, other = -1, 0.0, 0.0
    for i in range(scratch.n_there[here]):
        pair = rows[i]
        code = columns[nodes.feature[node], pairs.row[pair]]
        if np.isnan(code):
            scratch.share[pair] = share_of_gap(nodes, node, nodes.missing_child[node], 0)
            continue
        if pairs.row[pair] != last:  # pairs of one row come one after the other
            last = pairs.row[pair]
            own = part_of_category(nodes, node, 0, code)
            other = part_of_category(nodes, node, 1, code)
        inherited = 1.0 if home == 0 else scratch.notes[home, OWN, pair]
        chance = pairs.chance[pair]
        part = (1.0 - chance) * inherited * own + chance * drawn
        rest = (1.0 - chance) * inherited * other + chance * other_drawn
        scratch.share[pair] = part / (part + rest) if part + rest > 0.0 else 0.5
        scratch.parts[0, pair], scratch.parts[1, pair] = inherited * own, inherited * other


@pasted
def write_hard_shares(nodes, layout, node, X, scratch):
    """Write 1 for the pairs that go to the first child, 0 for the others, parts for gaps."""
    here = layout.slot[node]
    for i in range(scratch.n_there[here]):
        pair = scratch.rows[here, i]
        branch = branch_of(nodes, node, X[scratch.pairs.row[pair]])
        scratch.share[pair] = share_of_gap(nodes, node, branch, 0)


@borrowing
def note_own_parts(layout, child, branch, scratch):
    """Note at a child what is left of the rows' own categories, if some test below asks."""
    if not layout.is_home[child]:
        return
    slot = layout.slot[child]
    for i in range(scratch.n_there[slot]):
        pair = scratch.rows[slot, i]
        scratch.notes[slot, OWN, pair] = scratch.parts[branch, pair]


@pasted
def divide_pairs(nodes, layout, node, home, swapped, drop, response, scratch, top):
    """Divide the pairs of a node between its children; return the new top of the stack."""
    first, here = nodes.first_child[node], layout.slot[node]
    lower, upper = (first + 1, first) if swapped else (first, first + 1)
    count, rows, notes, sums = scratch.n_there, scratch.rows, scratch.notes, scratch.sums
    only_lower, only_upper = -1, -1
    if nodes.kind[lower] == LEAF:
        only_lower = layout.only[layout.answer[lower]]
    if nodes.kind[upper] == LEAF:
        only_upper = layout.only[layout.answer[upper]]
    if only_lower >= 0 and only_upper >= 0:
        divide_between_leaves(
            count[here], rows[here], scratch.share, notes[here], home,
            response[layout.answer[lower], only_lower], response[layout.answer[upper], only_upper],
            sums[only_lower], sums[only_upper],
        )  # fmt: skip
        count[layout.slot[lower]] = count[layout.slot[upper]] = 0
        return top
    if only_lower >= 0 or only_upper >= 0:
        leaf, inner = (lower, upper) if only_lower >= 0 else (upper, lower)
        only, at = max(only_lower, only_upper), layout.slot[inner]
        if only_lower >= 0:
            only = only_lower
        count[layout.slot[leaf]] = 0
        count[at] = divide_from_leaf(
            drop, count[here], rows[here], scratch.share, notes[here], home, leaf == lower,
            response[layout.answer[leaf], only], sums[only], notes[at], rows[at],
            layout.is_home[inner],
        )  # fmt: skip
        scratch.stack[top] = inner
        return top + 1 if count[at] > 0 else top
    one, other = layout.slot[lower], layout.slot[upper]
    count[one], count[other] = divide_block(
        drop, count[here], rows[here], scratch.share, notes[here], home, notes[one], notes[other],
        rows[one], rows[other], layout.is_home[lower], layout.is_home[upper],
    )  # fmt: skip
    for child in range(first + 1, first - 1, -1):
        if count[layout.slot[child]] > 0:
            scratch.stack[top] = child
            top += 1
    return top


@borrowing
def write_parts(nodes, layout, node, pair, code, scratch):
    """Write the parts of a pair at all children of a nominal test; return sum and largest."""
    here, home = layout.slot[layout.home[node]], layout.home[node]
    first, chance, inherited = nodes.first_child[node], 0.0, 1.0
    if layout.is_drawn[node] and not np.isnan(code):
        chance = scratch.pairs.chance[pair]
        inherited = 1.0 if here == 0 else scratch.notes[layout.slot[home], OWN, pair]
    total, largest = 0.0, 0.0
    for child in range(first, first + nodes.n_children[node]):
        if np.isnan(code):
            own = share_of_gap(nodes, node, nodes.missing_child[node], child - first)
        else:
            own = inherited * part_of_category(nodes, node, child - first, code)
        part = (1.0 - chance) * own + chance * layout.drawn[child]
        slot = layout.slot[child]
        scratch.notes[slot, MASS, pair], scratch.notes[slot, OWN, pair] = part, own
        total += part
        largest = max(largest, part)
    return total, largest


@borrowing
def divide_among_many(nodes, layout, node, columns, drop, scratch, top):
    """Divide the pairs of a nominal test of more than two branches; return the stack's new top."""
    here, first = layout.slot[node], nodes.first_child[node]
    count, notes, n_children = scratch.n_there, scratch.notes, nodes.n_children[node]
    for child in range(first, first + n_children):
        count[layout.slot[child]] = 0
    for i in range(count[here]):
        pair = scratch.rows[here, i]
        whole = notes[here, MASS, pair]
        code = columns[nodes.feature[node], scratch.pairs.row[pair]]
        total, largest = write_parts(nodes, layout, node, pair, code, scratch)
        least, kept = min(drop * total / whole, largest), 0.0
        for child in range(first, first + n_children):
            part = notes[layout.slot[child], MASS, pair]
            kept += part if part >= least else 0.0
        for child in range(first, first + n_children):
            slot = layout.slot[child]
            part = notes[slot, MASS, pair]
            if part >= least and part > 0.0:
                notes[slot, MASS, pair] = whole * (part / kept)
                scratch.rows[slot, count[slot]] = pair
                count[slot] += 1
    for child in range(first + n_children - 1, first - 1, -1):
        if count[layout.slot[child]] > 0:
            scratch.stack[top] = child
            top += 1
    return top


@pasted
def divide_node(nodes, layout, node, X, columns, drop, response, table, scratch, top):
    """Divide the pairs of a test as it says; return the new top of the stack."""
    first = nodes.first_child[node]
    if nodes.n_children[node] > 2:
        return divide_among_many(nodes, layout, node, columns, drop, scratch, top)
    if nodes.kind[node] != NOMINAL and layout.sd[node] != 0.0:
        home = scratch.notes[layout.slot[layout.home[node]]]
        write_noisy_shares(nodes, layout, node, X, columns, home, scratch, table)
        swapped = layout.sd[node] < 0.0
        return divide_pairs(nodes, layout, node, home, swapped, drop, response, scratch, top)
    home = scratch.notes[0]  # where the interval is from 0 to 1
    if not layout.is_drawn[node]:
        write_hard_shares(nodes, layout, node, X, scratch)
        return divide_pairs(nodes, layout, node, home, False, drop, response, scratch, top)
    write_drawn_shares(nodes, layout, node, columns, scratch)
    top = divide_pairs(nodes, layout, node, home, False, drop, response, scratch, top)
    for branch in range(2):
        note_own_parts(layout, first + branch, branch, scratch)
    return top


@pasted
def spread_block(nodes, layout, root, n_pairs, X, columns, drop, response, table, scratch):
    """Add up what the leaves of one tree answer to a block of pairs."""
    for pair in range(n_pairs):
        scratch.rows[0, pair] = np.uint32(pair)
        scratch.notes[0, LOW, pair] = 0.0
        scratch.notes[0, HIGH, pair] = scratch.notes[0, MASS, pair] = 1.0
    scratch.sums[:, :n_pairs] = 0.0
    scratch.n_there[0], scratch.stack[0] = n_pairs, root
    top = 1
    while top > 0:
        top -= 1
        node = scratch.stack[top]
        if nodes.kind[node] == LEAF:
            here = layout.slot[node]
            add_response(
                scratch.notes[here], scratch.rows[here], scratch.n_there[here],
                response[layout.answer[node]], scratch.sums,
            )  # fmt: skip
            continue
        top = divide_node(nodes, layout, node, X, columns, drop, response, table, scratch, top)


@borrowing
def fill_block(use, tree, row, n_rows, n_lambdas, slope, chance, pairs):
    """Fill a block with the pairs of the next rows that ask a tree; return the row after them."""
    n_pairs = 0
    while row < n_rows and n_pairs + n_lambdas <= pairs.row.size:
        if use.size == 0 or use[row, tree]:
            for i in range(n_lambdas):
                pairs.row[n_pairs + i] = row
                pairs.slope[n_pairs + i], pairs.chance[n_pairs + i] = slope[i], chance[i]
            n_pairs += n_lambdas
        row += 1
    return row, n_pairs


@borrowing
def add_trees(
    nodes, layout, root, factor, X, columns, use, response, slope, chance, drop, table, scratch,
    total,
):  # fmt: skip
    """Do the work of :func:`add_curves`, in memory that it has allocated."""
    for tree in range(root.size):
        if stop_requested():
            return
        row = 0
        while row < X.shape[0]:
            row, n_pairs = fill_block(
                use, tree, row, X.shape[0], slope.size, slope, chance, scratch.pairs
            )
            spread_block(
                nodes, layout, root[tree], n_pairs, X, columns, drop, response, table, scratch
            )
            for pair in range(n_pairs):
                at = scratch.pairs.row[pair]
                for k in range(total.shape[2]):
                    total[at, pair % slope.size, k] += factor[tree] * scratch.sums[k, pair]


@long_kernel
def add_curves(
    nodes: NodeTable,
    layout: Layout,
    n_slots: int,
    root: IndexArray,
    factor: FloatArray,
    X: FloatArray,
    columns: FloatArray,
    use: BoolArray,
    response: FloatArray,
    slope: FloatArray,
    chance: FloatArray,
    drop: float,
    table: FloatArray,
    total: FloatArray,
) -> None:
    """Add the answers of trees to ``total``, rows by lambdas by responses.

    ``columns`` are the columns of ``X`` as rows. A row asks the trees that ``use`` says, rows by
    trees, or all if it is empty. ``slope`` is one over each lambda, ``chance`` how likely it
    draws a category anew.
    """
    size = max(BLOCK, slope.size)
    scratch = CurveScratch(
        Pairs(np.empty(size, np.int32), np.empty(size), np.empty(size)),
        np.empty(n_slots + 1, np.int32),
        np.empty(n_slots, np.int32),
        np.empty((n_slots, size), np.uint32),
        np.empty((n_slots, N_COLUMNS, size)),
        np.empty(size),
        np.empty((response.shape[1], size)),
        np.empty((2, size)),
    )
    add_trees(
        nodes, layout, root, factor, X, columns, use, response, slope, chance, drop, table,
        scratch, total,
    )  # fmt: skip
