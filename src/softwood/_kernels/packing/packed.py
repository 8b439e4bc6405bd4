"""Packed trees: a node in 16 bytes, and its answer by number.

Forests hold hundreds of thousands of nodes, most of them leaves of a few cases and one
class. Here a node is its cut, its feature and its first child::

    byte    0 ........ 8 ........ 12 ........... 16
           |    cut    |  feature  |  first child  |

A leaf leads to itself: it is its own first child, and its cut is not a number, so that nothing
is above it. Such a cut has four bytes to spare. They hold the answer: the row of a table whose
first rows are the pure classes, which serve all pure leaves.
"""

import sys
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from softwood._types import FloatArray, IndexArray

LinkArray = npt.NDArray[np.uint32]
# In a row of four 32-bit words. Of a cut, one word says that it is no number.
ANSWER_AT, NO_CUT_AT = (0, 1) if sys.byteorder == "little" else (1, 0)
FEATURE_AT, CHILD_AT = 2, 3
NO_CUT = 0x7FF80000  # the upper half of a quiet NaN


class Packed(NamedTuple):
    """One tree, nodes in order of creation: siblings adjacent, a parent before its children."""

    node: FloatArray  # (n_nodes, 2), see above
    weight: FloatArray  # (n_nodes,)
    own: IndexArray  # (n_curtailed, 2) leaves that answer as a node above: leaf, its own row
    table: FloatArray  # (n_rows, n_outputs) rows after those of the pure classes
