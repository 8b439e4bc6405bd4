"""Many rows down many packed trees; see :mod:`softwood._kernels.packing.packed`."""

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.packing.packed import CHILD_AT, FEATURE_AT, LinkArray
from softwood._types import AnyArray, FloatArray, IndexArray

ABREAST = 8  # rows that walk together: while one waits for its node, the others compute
UNSEEN_STEPS = 3  # between two looks whether all have arrived; those that have, stay


@borrowing
def step(cut: FloatArray, link: LinkArray, node: int, row: FloatArray) -> int:
    """Return the child that a row goes to; a leaf is its own."""
    return link[node, CHILD_AT] + np.uint32(row[link[node, FEATURE_AT]] > cut[node, 0])  # type: ignore[return-value]


@borrowing
def walk_abreast(
    cut: FloatArray, link: LinkArray, root: int, rows: FloatArray, at: AnyArray
) -> None:
    """Lead the rows of a group from the root to their leaves."""
    for i in range(ABREAST):
        at[i] = root
    moved = True
    while moved:
        for _ in range(UNSEEN_STEPS):
            for i in range(ABREAST):
                at[i] = step(cut, link, at[i], rows[i])
        moved = False
        for i in range(ABREAST):
            node = at[i]
            at[i] = step(cut, link, node, rows[i])
            moved |= at[i] != node


@borrowing
def walk_alone(cut: FloatArray, link: LinkArray, root: int, row: FloatArray) -> int:
    """Lead one row from the root to its leaf."""
    node = np.uint64(root)
    while True:
        child = np.uint64(step(cut, link, node, row))  # type: ignore[arg-type]
        if child == node:
            return node  # type: ignore[return-value]
        node = child


@borrowing
def add_answer(table: FloatArray, entry: int, n_pure: int, factor: float, sums: FloatArray) -> None:
    """Add a row of the table; of a pure class there is only one number to add."""
    if entry < n_pure:
        sums[entry] += factor
    else:
        for k in range(sums.size):
            sums[k] += factor * table[entry, k]


@kernel
def add_answers(
    cut: FloatArray,
    root: AnyArray,
    factor: FloatArray,
    answer: IndexArray,
    table: FloatArray,
    n_pure: int,
    X: FloatArray,
    total: FloatArray,
) -> None:
    """Add the answers of trees, in their order, to each row of ``total``; rows are complete.

    The first ``n_pure`` rows of the table are pure classes.
    """
    link, at = cut.view(np.uint32), np.empty(ABREAST, np.uint64)
    n_rows = total.shape[0]
    in_groups = n_rows - n_rows % ABREAST
    for tree in range(factor.size):
        for start in range(0, in_groups, ABREAST):
            walk_abreast(cut, link, root[tree], X[start : start + ABREAST], at)
            for i in range(ABREAST):
                add_answer(table, answer[at[i]], n_pure, factor[tree], total[start + i])
        for row in range(in_groups, n_rows):
            leaf = walk_alone(cut, link, root[tree], X[row])
            add_answer(table, answer[leaf], n_pure, factor[tree], total[row])
