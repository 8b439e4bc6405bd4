"""Many rows down many packed trees; see :mod:`softwood._kernels.packing.packed`.

A step waits for memory, so eight rows walk abreast, each in variables of its own: while one
waits for its node, the others compute. None looks whether it has arrived, for that cannot be
guessed; a leaf leads to itself. After some steps those that are still on their way are
gathered, and go on together: paths differ in length by much, above all in random trees.

Before any row sets out, its tree is read from end to end. That is quick, for the memory knows
what comes next; nodes met one by one, in no order, would each be waited for.
"""

from typing import Any, NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.packing.keys import keys_of_rows
from softwood._kernels.packing.packed import ANSWER, KeyArray
from softwood._types import AnyArray, FloatArray

ABREAST = 8
STEPS_BEYOND = 3  # of the first round, beyond the depth of a balanced tree
STEPS_MORE = 4  # of every further round
FEW_CLASSES = 8
KEYS_IN_LINE = 8  # of the cache


class Trees(NamedTuple):
    """What rows need to know of all trees."""

    key: KeyArray
    link: AnyArray
    bits: Any  # of a link that are the feature
    mask: Any  # what they are


@borrowing
def step(trees, x, node, begin):
    """Return the child that the row that begins at this value goes to; a leaf is its own."""
    link = np.uint64(trees.link[node])
    above = np.uint64(x[begin + (link & trees.mask)] > trees.key[node])
    return node + (link >> trees.bits) + above


@borrowing
def keep_walking(trees, node, row, is_there, kept, walking):
    """Keep a row that is not at a leaf; return how many are kept. What is not there is not kept."""
    walking[kept] = row
    return kept + (1 if is_there & (trees.link[node] != 0) else 0)


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
        kept = keep_walking(trees, n0, r0, True, kept, walking)
        kept = keep_walking(trees, n1, r1, i + 1 <= last, kept, walking)
        kept = keep_walking(trees, n2, r2, i + 2 <= last, kept, walking)
        kept = keep_walking(trees, n3, r3, i + 3 <= last, kept, walking)
        kept = keep_walking(trees, n4, r4, i + 4 <= last, kept, walking)
        kept = keep_walking(trees, n5, r5, i + 5 <= last, kept, walking)
        kept = keep_walking(trees, n6, r6, i + 6 <= last, kept, walking)
        kept = keep_walking(trees, n7, r7, i + 7 <= last, kept, walking)
    return kept


@borrowing
def read_ahead(trees, first, last):
    """Bring nodes into the cache; what is returned only proves that they were read."""
    seen = np.uint64(0)
    for node in range(first, last, KEYS_IN_LINE):
        seen ^= np.uint64(trees.link[node]) ^ trees.key[node]
    return seen


@borrowing
def walk_to_leaves(trees, x, width, n_steps, walking, at):
    """Lead all rows from where they are to their leaves."""
    n_rows = at.size
    for i in range(n_rows):
        walking[i] = i
    n_walking = n_rows
    while n_walking > 0:
        n_walking = walk_abreast(trees, x, width, n_steps, walking, n_walking, at)
        n_steps = STEPS_MORE


@borrowing
def add_tree(key, table, n_pure, factor, at, total):
    """Add what the leaves answer; of a pure class there is only one number to add.

    With few classes it is quicker to add the zeros than to guess whether the class is pure.
    """
    few = total.shape[1] <= FEW_CLASSES
    for row in range(at.size):
        entry = np.int64(key[at[row]] & ANSWER)
        if entry < n_pure and not few:
            total[row, entry] += factor
        else:
            for k in range(total.shape[1]):
                total[row, k] += factor * table[entry, k]


@kernel
def add_answers(
    key: KeyArray,
    link: AnyArray,
    bits: int,
    root: AnyArray,
    factor: FloatArray,
    table: FloatArray,
    n_pure: int,
    X: FloatArray,
    total: FloatArray,
) -> int:
    """Add the answers of trees, in their order, to each row of ``total``; rows are complete.

    The first ``n_pure`` rows of the table are pure classes. What is returned means nothing:
    see :func:`read_ahead`.
    """
    n_rows, width = total.shape[0], np.uint64(X.shape[1])
    x = keys_of_rows(X)
    trees = Trees(key, link, np.uint64(bits), np.uint64((1 << bits) - 1))
    # The last group may write, and not keep, what only fills it up.
    at, walking = np.empty(n_rows, np.uint64), np.empty(n_rows + ABREAST, np.uint64)
    seen = np.uint64(0)
    for tree in range(factor.size):
        seen ^= read_ahead(trees, root[tree], root[tree + 1])
        at[:] = root[tree]
        n_steps = np.int64(np.log2(root[tree + 1] - root[tree])) + STEPS_BEYOND
        walk_to_leaves(trees, x, width, n_steps, walking, at)
        add_tree(key, table, n_pure, factor[tree], at, total)
    return seen  # type: ignore[return-value]
