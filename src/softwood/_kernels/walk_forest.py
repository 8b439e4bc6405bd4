"""Many rows down many packed trees; see :mod:`softwood._kernels.packed`."""

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.packed import CHILD_AT, FEATURE_AT, LinkArray
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


@kernel
def add_answers(
    cut: FloatArray,
    root: AnyArray,
    factor: FloatArray,
    answer: IndexArray,
    table: FloatArray,
    X: FloatArray,
    total: FloatArray,
) -> None:
    """Add the answers of trees, in their order, to each row of ``total``; rows are complete."""
    link, at = cut.view(np.uint32), np.empty(ABREAST, np.uint64)
    n_rows, n_outputs = total.shape
    in_groups = n_rows - n_rows % ABREAST
    for tree in range(factor.size):
        for start in range(0, in_groups, ABREAST):
            walk_abreast(cut, link, root[tree], X[start : start + ABREAST], at)
            for i in range(ABREAST):
                entry = answer[at[i]]
                for k in range(n_outputs):
                    total[start + i, k] += factor[tree] * table[entry, k]
        for row in range(in_groups, n_rows):
            entry = answer[walk_alone(cut, link, root[tree], X[row])]
            for k in range(n_outputs):
                total[row, k] += factor[tree] * table[entry, k]
