"""The memory of a run of evolution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from softwood._kernels.evolve.run import Farm, Rules
    from softwood._kernels.evolve.tests import Tests
    from softwood._kernels.randomness import StateArray
    from softwood._kernels.vicinal.columns import Rows
    from softwood._kernels.vicinal.node_buffers import Book, Pool

MOST_NODES = 2047  # of a tree: what a depth of ten allows
LEAST_NODES = 255  # that a tree may have however many trees and classes there are
BOOK_BYTES = 2**28  # beyond this, trees are allowed fewer nodes
NODE_BYTES, CLASS_BYTES = 37, 8
POOL_BYTES = 2**26  # columns that are kept at once; a test without a place is computed each time
LEAST_SLOTS = 64
N_CHILDREN, N_SPARE = 2, 3  # lines behind those of the members


def open_farm(rows: Rows, tests: Tests, rules: Rules, state: StateArray) -> Farm:
    """Return the memory of a run, with a population that is yet to be founded."""
    from softwood._kernels.evolve.ranks import Herd
    from softwood._kernels.evolve.run import N_COUNTS, Farm, Scratch
    from softwood._kernels.vicinal.node_buffers import open_path

    n_lines = rules.n_members + N_CHILDREN
    n_classes = rows.whole.size
    affordable = BOOK_BYTES // ((n_lines + N_SPARE) * (NODE_BYTES + CLASS_BYTES * n_classes))
    width = min(2 ** (rules.max_depth + 1) - 1, MOST_NODES, max(LEAST_NODES, affordable))
    book = open_book(n_lines + N_SPARE, width, n_classes)
    return Farm(
        rows=rows,
        tests=tests,
        rules=rules,
        book=book,
        pool=open_pool(rows, n_lines * (width // 2), rules.max_depth),
        path=open_path(rows.scale.size, rows.mass.size, n_classes, rules.max_depth),
        herd=Herd(
            is_member=np.zeros(n_lines, np.bool_),
            n_better=np.zeros(n_lines, np.int32),
            born=np.zeros(n_lines, np.int64),
            risk=book.risk,
            n_nodes=book.n_nodes,
        ),
        scratch=Scratch(
            stale=np.zeros((n_lines + N_SPARE, width), np.uint8),
            level=np.zeros(width + 2, np.int32),
            counts=np.zeros(N_COUNTS, np.int64),
            state=state,
        ),
    )


def open_book(n_lines: int, width: int, n_classes: int) -> Book:
    """Return a book without trees."""
    from softwood._kernels.vicinal.node_buffers import NO_SLOT, Book

    shape = (n_lines, width)
    mass = np.zeros((*shape, n_classes), np.int64)
    return Book(
        n_nodes=np.zeros(n_lines, np.int32),
        size=np.zeros(shape, np.int32),
        feature=np.zeros(shape, np.int32),
        cut=np.zeros(shape),
        subset=np.zeros(shape, np.uint64),
        slot=np.full(shape, NO_SLOT, np.int32),
        label=np.zeros(shape, np.int32),
        mass=mass,
        flat_mass=mass.reshape(n_lines, -1),
        risk=np.zeros(n_lines),
    )


def open_pool(rows: Rows, n_wanted: int, max_depth: int) -> Pool:
    """Return a pool with room for ``n_wanted`` columns, or as many as memory should hold."""
    from softwood._kernels.vicinal.node_buffers import EVERYTHING, N_FIXED, Pool

    n_rows = rows.mass.size
    n_slots = N_FIXED + min(n_wanted, max(LEAST_SLOTS, POOL_BYTES // (4 * n_rows)))
    column = np.empty((n_slots + max_depth + 1, n_rows), np.float32)
    column[:N_FIXED] = 0.0
    column[EVERYTHING] = 1.0
    return Pool(
        column=column,
        n_uses=np.zeros(n_slots, np.int32),
        free=np.arange(n_slots - 1, -1, -1, dtype=np.int32),
        n_free=np.array([n_slots - N_FIXED], dtype=np.int32),
    )
