"""Rows with gaps down many packed trees.

Where a test meets a missing value, a row goes to both children, in proportion to their training
weight; a category that was never seen counts as missing. Masses and the order of sums are
those of :mod:`softwood._kernels.flow.spread`, to the last bit: nodes are taken from the front of a
queue and their children put at its end, so that leaves are met level by level.
"""

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, inlined, long_kernel
from softwood._kernels.branch import share_of
from softwood._kernels.packing.append import read_counts
from softwood._kernels.packing.keys import key_of_bits
from softwood._kernels.packing.packed import ALL_BITS, ANSWER, KeyArray
from softwood._kernels.packing.walk import Trees
from softwood._kernels.packing.walk_forest import number_breadth_first
from softwood._kernels.stopping import stop_requested
from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray

MISSING = ALL_BITS  # above the key of every number


class SpreadScratch(NamedTuple):
    """Room for one tree: its weights, and the nodes that a row has reached."""

    weight: FloatArray
    queue: KeyArray
    mass: FloatArray


@inlined
def keys_with_gaps(X):
    """Return the keys of all values, row after row; what is missing has one of its own."""
    number = X.reshape(-1) + 0.0  # there is one zero only
    key = number.view(np.uint64)
    for i in range(key.size):
        key[i] = key_of_bits(key[i]) if number[i] == number[i] else MISSING
    return key


@inlined
def scratch_for(root):
    """Return room for the largest tree."""
    most = np.diff(root).max()
    return SpreadScratch(np.empty(most), np.empty(most, np.uint64), np.empty(most))


@borrowing
def fill_weights(trees, weight, bits, first, last, scratch):
    """Fill the weights of a tree's nodes, from their array or from the keys of leaves."""
    if weight.size > 0:
        for node in range(first, last):
            scratch.weight[node - first] = weight[node]
    else:
        read_counts(trees.key[first:last], trees.link[first:last], bits, scratch.weight)


@borrowing
def walk_to_gap(trees, x, begin, node):
    """Return the leaf of a row, or the first test on its way that meets a gap."""
    while trees.link[node] != 0:
        link = np.uint64(trees.link[node])
        value = x[begin + (link & trees.mask)]
        if value == MISSING:
            break
        node += (link >> trees.bits) + np.uint64(value > trees.key[node])
    return node


@borrowing
def spread_from(trees, x, begin, start, first, scratch):
    """List the nodes that a row reaches from a node on, and their masses; return how many."""
    queue, mass, weight = scratch.queue, scratch.mass, scratch.weight
    queue[0], mass[0] = start, 1.0
    front, end = 0, 1
    while front < end:
        node, whole = queue[front], mass[front]
        front += 1
        link = np.uint64(trees.link[node])
        if link == 0:
            continue
        child = node + (link >> trees.bits)
        value = x[begin + (link & trees.mask)]
        if value != MISSING:
            queue[end], mass[end] = child + np.uint64(value > trees.key[node]), whole
            end += 1
            continue
        total = weight[child - first] + weight[child + np.uint64(1) - first]
        for side in range(2):
            part = whole * share_of(weight[child + np.uint64(side) - first], total, 2)
            if part > 0.0:
                queue[end], mass[end] = child + np.uint64(side), part
                end += 1
    return end


@borrowing
def add_row(trees, table, factor, n_reached, scratch, answer, total):
    """Add what the leaves that a row has reached answer, by their masses."""
    answer[:] = 0.0
    for position in range(n_reached):
        node = scratch.queue[position]
        if trees.link[node] == 0:
            entry = np.int64(trees.key[node] & ANSWER)
            for k in range(answer.size):
                answer[k] += scratch.mass[position] * table[entry, k]
    for k in range(answer.size):
        total[k] += factor * answer[k]


@long_kernel
def add_spread_answers(
    key: KeyArray,
    link: AnyArray,
    bits: int,
    root: AnyArray,
    weight: FloatArray,
    factor: FloatArray,
    table: FloatArray,
    X: FloatArray,
    use: BoolArray,
    total: FloatArray,
) -> None:
    """Add the answers of trees, in their order, to each row of ``total``; rows may have gaps.

    Weights are those of all nodes, or none if they are in the keys. A row asks the trees that
    ``use`` says, rows by trees, or all if it is empty.
    """
    width, x = np.uint64(X.shape[1]), keys_with_gaps(X)
    trees = Trees(key, link, np.uint64(bits), np.uint64((1 << bits) - 1))
    scratch, answer = scratch_for(root), np.empty(table.shape[1])
    for tree in range(factor.size):
        if stop_requested():
            return
        first, is_weighed = np.uint64(root[tree]), False
        for row in range(total.shape[0]):
            if use.size > 0 and not use[row, tree]:
                continue
            begin = np.uint64(row) * width
            node = walk_to_gap(trees, x, begin, first)
            if trees.link[node] == 0:
                entry = np.int64(key[node] & ANSWER)
                for k in range(answer.size):
                    total[row, k] += factor[tree] * table[entry, k]
                continue
            if not is_weighed:
                fill_weights(trees, weight, bits, root[tree], root[tree + 1], scratch)
                is_weighed = True
            n_reached = spread_from(trees, x, begin, node, first, scratch)
            add_row(trees, table, factor[tree], n_reached, scratch, answer, total[row])


@long_kernel
def write_heaviest_leaves(
    key: KeyArray,
    link: AnyArray,
    bits: int,
    root: AnyArray,
    weight: FloatArray,
    X: FloatArray,
    out: IndexArray,
) -> None:
    """Write the leaf of the largest mass of each row in each tree, the first among equals."""
    width, x = np.uint64(X.shape[1]), keys_with_gaps(X)
    trees = Trees(key, link, np.uint64(bits), np.uint64((1 << bits) - 1))
    scratch, number = scratch_for(root), np.empty(np.diff(root).max(), np.int32)
    for tree in range(root.size - 1):
        if stop_requested():
            return
        first = np.uint64(root[tree])
        fill_weights(trees, weight, bits, root[tree], root[tree + 1], scratch)
        number_breadth_first(trees, root[tree], number, scratch.queue)
        for row in range(out.shape[0]):
            begin = np.uint64(row) * width
            node = walk_to_gap(trees, x, begin, first)
            most, heaviest = 0.0, node
            for position in range(spread_from(trees, x, begin, node, first, scratch)):
                node = scratch.queue[position]
                if trees.link[node] == 0 and scratch.mass[position] > most:
                    most, heaviest = scratch.mass[position], node
            out[row, tree] = number[heaviest - first]
