"""Many rows down one packed tree.

A step waits for memory, so eight rows walk abreast, each in variables of its own: while one
waits for its node, the others compute. None looks whether it has arrived, for that cannot be
guessed; a leaf leads to itself. After some steps those that are still on their way are
gathered, and go on together: paths differ in length by much, above all in random trees.

Values and cuts may be keys, as forests have them (see :mod:`softwood._kernels.packing.packed`), or
the numbers themselves. A row stays where a number is missing; a key never is, so that looking
for it costs nothing there.
"""

from typing import Any, NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._types import AnyArray

ABREAST = 8
STEPS_BEYOND = 3  # of the first round, beyond the depth of a balanced tree
STEPS_MORE = 4  # of every further round


class Trees(NamedTuple):
    """What rows need to know of a tree, or of many end to end."""

    key: AnyArray  # or the cuts themselves
    link: AnyArray
    bits: Any  # of a link that are the feature
    mask: Any  # what they are


@borrowing
def step(trees, x, node, begin):
    """Return the child that the row that begins at this value goes to; a leaf is its own."""
    link = np.uint64(trees.link[node])
    value = x[begin + (link & trees.mask)]
    child = (link >> trees.bits) + np.uint64(value > trees.key[node])
    return node + child * np.uint64(value == value)


@borrowing
def keep_walking(trees, x, node, begin, row, is_there, kept, walking):
    """Keep a row that can go on; return how many are kept. What is not there is not kept."""
    walking[kept] = row
    link = np.uint64(trees.link[node])
    value = x[begin + (link & trees.mask)]
    return kept + (1 if is_there & (link != 0) & (value == value) else 0)


@borrowing
def walk_abreast(trees, x, width, n_steps, walking, n_walking, at):
    """Lead rows some steps on, eight at a time; keep those that have not arrived, return how many.

    The last group is filled up with its last row. Rows are kept where rows were read before.
    """
    last, kept = n_walking - 1, 0
    for i in range(0, n_walking, ABREAST):
        r0, r1 = walking[i], walking[min(i + 1, last)]
        r2, r3 = walking[min(i + 2, last)], walking[min(i + 3, last)]
        r4, r5 = walking[min(i + 4, last)], walking[min(i + 5, last)]
        r6, r7 = walking[min(i + 6, last)], walking[min(i + 7, last)]
        b0, b1, b2, b3 = r0 * width, r1 * width, r2 * width, r3 * width
        b4, b5, b6, b7 = r4 * width, r5 * width, r6 * width, r7 * width
        n0, n1, n2, n3 = at[r0], at[r1], at[r2], at[r3]
        n4, n5, n6, n7 = at[r4], at[r5], at[r6], at[r7]
        for _ in range(n_steps):
            n0, n1 = step(trees, x, n0, b0), step(trees, x, n1, b1)
            n2, n3 = step(trees, x, n2, b2), step(trees, x, n3, b3)
            n4, n5 = step(trees, x, n4, b4), step(trees, x, n5, b5)
            n6, n7 = step(trees, x, n6, b6), step(trees, x, n7, b7)
        at[r0], at[r1], at[r2], at[r3] = n0, n1, n2, n3
        at[r4], at[r5], at[r6], at[r7] = n4, n5, n6, n7
        kept = keep_walking(trees, x, n0, b0, r0, True, kept, walking)
        kept = keep_walking(trees, x, n1, b1, r1, i + 1 <= last, kept, walking)
        kept = keep_walking(trees, x, n2, b2, r2, i + 2 <= last, kept, walking)
        kept = keep_walking(trees, x, n3, b3, r3, i + 3 <= last, kept, walking)
        kept = keep_walking(trees, x, n4, b4, r4, i + 4 <= last, kept, walking)
        kept = keep_walking(trees, x, n5, b5, r5, i + 5 <= last, kept, walking)
        kept = keep_walking(trees, x, n6, b6, r6, i + 6 <= last, kept, walking)
        kept = keep_walking(trees, x, n7, b7, r7, i + 7 <= last, kept, walking)
    return kept


@borrowing
def list_rows(n_rows, walking):
    """List all rows; return how many they are."""
    for row in range(n_rows):
        walking[row] = row
    return n_rows


@borrowing
def walk_to_leaves(trees, n_nodes, x, width, walking, n_walking, at):
    """Lead the rows that are listed from where they are to their leaves.

    The tree has so many nodes. The list has room for :data:`ABREAST` rows more, which the last
    group may write, and not keep; nothing of it is left.
    """
    n_steps: int = np.int64(np.log2(n_nodes)) + STEPS_BEYOND  # type: ignore[assignment]
    while n_walking > 0:
        n_walking = walk_abreast(trees, x, width, n_steps, walking, n_walking, at)
        n_steps = STEPS_MORE
