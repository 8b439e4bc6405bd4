r"""NodeBuffers of trees, the pool of their columns, and the path of a sweep.

A tree stands in a line of a book, parents before children, a subtree in one piece::

    node     0  1  2  3  4          0
    size     5  1  3  1  1         / \
                                  1   2
                                     / \
                                    3   4

The left child of node k is k + 1, and the right one follows when the left subtree ends.
"""

from typing import NamedTuple

import numpy as np

from softwood._kernels.vicinal.columns import N_GROUPS, ShareArray
from softwood._types import AnyArray, FloatArray, IndexArray

NO_TEST = -1  # in place of a feature
NO_SLOT = -1
NOTHING, EVERYTHING, N_FIXED = 0, 1, 2  # slots of the columns of zeros and of ones
LOW, HIGH = 0, 1  # bounds of a feature
# What is known of the masses of a node: all below it, only its own, or nothing.
CLEAN, ABOVE, FRESH = np.uint8(0), np.uint8(1), np.uint8(2)
NODE, STAGE, SLOT, HELD_SLOT, N_MARKS = 0, 1, 2, 3, 4  # what a path notes at each depth


class Book(NamedTuple):
    """Trees, a line for each; entries behind ``n_nodes`` mean nothing."""

    n_nodes: IndexArray  # (n_lines,)
    size: IndexArray  # (n_lines, width) nodes of the subtree
    feature: IndexArray  # NO_TEST at a leaf
    cut: FloatArray  # of a numeric test
    subset: AnyArray  # of a nominal test: these categories go left
    slot: IndexArray  # of a numeric test: where its shares are kept, or NO_SLOT
    label: IndexArray  # of a leaf
    mass: AnyArray  # (n_lines, width, n_classes) of every node, in units of 1 / UNIT
    flat_mass: AnyArray  # (n_lines, width * n_classes) the same memory, to be copied in one piece
    risk: FloatArray  # (n_lines,)


class Pool(NamedTuple):
    """Columns of shares that tests of many trees refer to.

    Behind the slots there is a column for each depth, for tests that found no free slot.
    """

    column: ShareArray  # (n_slots + max_depth + 1, n_rows)
    n_uses: IndexArray  # (n_slots,)
    free: IndexArray  # (n_slots,) a stack of free slots
    n_free: IndexArray  # (1,)


class Path(NamedTuple):
    """Where a sweep is, and what the tests above have left of each feature."""

    mark: IndexArray  # (max_depth + 2, N_MARKS)
    reach: ShareArray  # (max_depth + 2, n_rows) mass of each row
    total: AnyArray  # (max_depth + 2, n_classes) sums of ``reach``
    slot: IndexArray  # (n_features, 2) shares of the nearest cuts above, LOW and HIGH
    cut: FloatArray  # (n_features, 2) these cuts
    held_cut: FloatArray  # (max_depth + 2,) the bound that the test has replaced
    groups: AnyArray  # (n_features,) categories that are left
    held_groups: AnyArray  # (max_depth + 2,)
    part_of_group: ShareArray  # (N_GROUPS,)


def open_path(n_features: int, n_rows: int, n_classes: int, max_depth: int) -> Path:
    """Return the room of a sweep over trees of at most this depth."""
    levels = max_depth + 2
    return Path(
        mark=np.zeros((levels, N_MARKS), np.int32),
        reach=np.zeros((levels, n_rows), np.float32),
        total=np.zeros((levels, n_classes), np.int64),
        slot=np.tile(np.array([NOTHING, EVERYTHING], np.int32), (n_features, 1)),
        cut=np.tile([-np.inf, np.inf], (n_features, 1)),
        held_cut=np.zeros(levels),
        groups=np.full(n_features, 2**64 - 1, np.uint64),
        held_groups=np.zeros(levels, np.uint64),
        part_of_group=np.zeros(N_GROUPS, np.float32),
    )
