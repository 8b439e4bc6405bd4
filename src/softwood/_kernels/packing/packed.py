"""Packed trees: a node in 12 bytes, and its answer by number.

Forests hold hundreds of thousands of nodes, most of them leaves of a few cases and one
class. Here a node is the key of its cut, and a link of so many bits for the feature and the rest
for the steps to its first child::

    key   8 bytes            link   4 bytes: | steps to the first child | feature |

Keys are whole numbers in the order of the numbers that they stand for: they are compared in
less time. A leaf leads to itself: its first child is no step away, and its key is above that of
every number. Most bits of such a key are free. They hold the answer: the row of a table whose
first rows are the pure classes, which serve all pure leaves. They may hold the weight of the leaf
as well, if it is a count of cases; then inner nodes weigh as much as their children together::

    key of a leaf:   | 12 ones | 20 bits: 1 + count | 32 bits: answer |

A link has 8 bytes where it would not fit into 4, and in a tree that is not in a forest yet.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from softwood._types import FloatArray, IndexArray

KeyArray = npt.NDArray[np.uint64]
LEAF_KEY = np.uint64(0xFFF00001_00000000)  # and count, and answer; infinity is one less above
ANSWER = np.uint64(0x00000000_FFFFFFFF)
COUNT_AT, LARGEST_COUNT = np.uint64(32), 2**20 - 2
SIGN, ALL_BITS, SIGN_AT = np.uint64(1 << 63), np.uint64(2**64 - 1), np.uint64(63)


class Packed(NamedTuple):
    """One tree, nodes in order of creation: siblings adjacent, a parent before its children."""

    key: KeyArray  # (n_nodes,) see above
    link: KeyArray  # (n_nodes,)
    weight: FloatArray  # (n_nodes,)
    own: IndexArray  # (n_curtailed, 2) leaves that answer as a node above: leaf, its own row
    table: FloatArray  # (n_rows, n_outputs) rows after those of the pure classes


def keys_of(numbers: FloatArray) -> KeyArray:
    """Return the keys of numbers.

    Examples
    --------
    >>> numbers = np.array([-np.inf, -2.5, -1.0, 0.0, 1e-300, 3.0, np.inf])
    >>> bool(np.all(np.diff(keys_of(numbers).astype(object)) > 0))
    True
    >>> numbers_of(keys_of(numbers)).tolist() == numbers.tolist()
    True
    """
    bits = (numbers + 0.0).view(np.uint64)  # the zero with a sign becomes the other one
    return bits ^ np.where(bits >> SIGN_AT, ALL_BITS, SIGN)


def numbers_of(keys: KeyArray) -> FloatArray:
    """Return the numbers that keys stand for."""
    return (keys ^ np.where(keys >> SIGN_AT, SIGN, ALL_BITS)).view(np.float64)


def feature_bits(n_features: int) -> int:
    """Return how many bits of a link are the feature.

    Examples
    --------
    >>> [feature_bits(n) for n in (1, 2, 3, 57, 64, 65)]
    [0, 1, 2, 6, 6, 7]
    """
    return (n_features - 1).bit_length()
