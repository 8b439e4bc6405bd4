"""Packed trees: a node in 16 bytes, and its answer by number.

Forests hold hundreds of thousands of nodes, most of them leaves of a few cases and one
class. Here a node is its cut, its feature and its first child::

    byte    0 ........ 8 ........ 12 ........... 16
           |    cut    |  feature  |  first child  |

A leaf leads to itself: it is its own first child, and nothing is above its cut. Answers are
rows of a table; its first rows are the pure classes, which serve all pure leaves.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from softwood._types import FloatArray, IndexArray

LinkArray = npt.NDArray[np.uint32]
FEATURE_AT, CHILD_AT = 2, 3  # in a row of four 32-bit words


class Packed(NamedTuple):
    """One tree, nodes in order of creation: siblings adjacent, a parent before its children."""

    node: FloatArray  # (n_nodes, 2), see above
    weight: FloatArray  # (n_nodes,)
    own: IndexArray  # (n_nodes,) row of the table that describes a leaf; -1 elsewhere
    answer: IndexArray  # (n_nodes,) row of the table that a leaf answers; -1 elsewhere
    table: FloatArray  # (n_rows, n_outputs) rows after those of the pure classes
