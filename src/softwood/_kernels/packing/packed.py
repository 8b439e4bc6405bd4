"""Packed trees: a node in 12 bytes, and its answer by number.

Forests hold hundreds of thousands of nodes, most of them leaves of a few cases and one
class. Here a node is its cut, and a link of so many bits for the feature and the rest for the
steps to its first child::

    cut   8 bytes            link   4 bytes: | steps to the first child | feature |

A leaf leads to itself: its first child is no step away, and its cut is not a number, so that
nothing is above it. Such a cut has four bytes to spare. They hold the answer: the row of a table
whose first rows are the pure classes, which serve all pure leaves.

Trees so large, or of so many features, that a link would not fit have links of 8 bytes.
"""

import sys
from typing import Any, NamedTuple

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray

# Of a cut, as two words of 32 bits: one says that it is no number, the other is free.
ANSWER_AT, NO_CUT_AT = (0, 1) if sys.byteorder == "little" else (1, 0)
NO_CUT = 0x7FF80000  # the upper half of a quiet NaN


class Packed(NamedTuple):
    """One tree, nodes in order of creation: siblings adjacent, a parent before its children."""

    cut: FloatArray  # (n_nodes,) see above
    link: AnyArray  # (n_nodes,)
    weight: FloatArray  # (n_nodes,)
    own: IndexArray  # (n_curtailed, 2) leaves that answer as a node above: leaf, its own row
    table: FloatArray  # (n_rows, n_outputs) rows after those of the pure classes


def feature_bits(n_features: int) -> int:
    """Return how many bits of a link are the feature.

    Examples
    --------
    >>> [feature_bits(n) for n in (1, 2, 3, 57, 64, 65)]
    [0, 1, 2, 6, 6, 7]
    """
    return (n_features - 1).bit_length()


def link_type(n_nodes: int, n_features: int) -> Any:
    """Return the smallest type that holds every link of such a tree."""
    return np.uint32 if n_nodes << feature_bits(n_features) <= 2**32 else np.uint64
