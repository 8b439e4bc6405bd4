"""What the tests of a tree compare with their thresholds, for the rows that reach them."""

import numpy as np

from softwood._kernels._jit import kernel
from softwood._kernels.branch import value_of
from softwood._kernels.nodes import NUMERIC, OBLIQUE, NodeTable
from softwood._types import AnyArray, FloatArray, IndexArray


@kernel
def values_at_nodes(
    nodes: NodeTable, start: AnyArray, row: IndexArray, X: FloatArray, out: FloatArray
) -> None:
    """Write the value of row ``row[i]`` at node k to ``out[i]``, for i from ``start[k]`` on.

    NaN is missing, or a node that compares no number. The sums are those of routing, to the
    last bit.
    """
    for node in range(nodes.kind.size):
        compares = nodes.kind[node] == NUMERIC or nodes.kind[node] == OBLIQUE
        for i in range(start[node], start[node + 1]):
            out[i] = value_of(nodes, node, X[row[i]]) if compares else np.nan
