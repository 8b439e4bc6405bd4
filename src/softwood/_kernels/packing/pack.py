"""Packing a tree as the growth loop leaves it; see :mod:`softwood._kernels.packing.packed`."""

import numpy as np

from softwood._kernels._jit import borrowing, long_kernel
from softwood._kernels.growth.node_buffers import FEATURE, FIRST_CHILD, KIND
from softwood._kernels.nodes import LEAF
from softwood._kernels.packing.keys import key_of_bits
from softwood._kernels.packing.packed import LEAF_KEY, Packed
from softwood._types import AnyArray, FloatArray


@borrowing
def weight_and_class(value, regression):
    """Return what a node weighs, and its one class, or -1; an empty node has none."""
    if regression:
        return value[0], -1
    weight, found, n_found = 0.0, 0, 0
    for c in range(value.size):
        weight += value[c]
        found = c if value[c] > 0.0 else found
        n_found += 1 if value[c] > 0.0 else 0
    return weight, found if n_found == 1 else -1


@borrowing
def write_answer(value, regression, offset, row):
    """Write class frequencies, or the mean of the target."""
    if regression:
        row[0] = value[1] / value[0] + offset
        return
    weight = 0.0
    for c in range(value.size):
        weight += value[c]
    for c in range(value.size):
        row[c] = value[c] / weight if value[c] > 0.0 else 0.0


@long_kernel
def pack_tree(
    book: AnyArray, threshold: FloatArray, value: FloatArray, regression: bool, offset: float,
    curtail: float, bits: int,
) -> Packed:  # fmt: skip
    """Pack a tree of numeric tests as the growth loop leaves it.

    A leaf that weighs no more than ``curtail`` answers as the nearest node above that does.
    """
    n_nodes = book.shape[0]
    n_outputs = 1 if regression else value.shape[1]
    n_pure = 0 if regression else n_outputs
    cut = np.empty(n_nodes)
    key = cut.view(np.uint64)
    link, weight = np.zeros(n_nodes, np.uint64), np.empty(n_nodes)
    anchor, row_of = np.zeros(n_nodes, np.int32), np.full(n_nodes, -1, np.int32)
    n_rows, n_curtailed = 0, 0
    for k in range(n_nodes):
        weight[k], pure = weight_and_class(value[k], regression)
        if weight[k] > curtail or k == 0:
            anchor[k] = k
        if book[k, KIND] != LEAF:
            first = book[k, FIRST_CHILD]
            cut[k] = threshold[k, 0] + 0.0
            key[k] = key_of_bits(key[k])
            link[k] = (first - k) << bits | book[k, FEATURE]
            anchor[first], anchor[first + 1] = anchor[k], anchor[k]
            continue
        for source in (k, np.int64(anchor[k])):
            if source != k:
                pure = weight_and_class(value[source], regression)[1]
            if pure >= 0:
                row_of[source] = pure
            elif row_of[source] < 0:
                row_of[source] = n_pure + n_rows
                n_rows += 1
        key[k] = LEAF_KEY | np.uint64(row_of[anchor[k]])
        n_curtailed += row_of[k] != row_of[anchor[k]]
    table = np.empty((n_rows, n_outputs))
    for k in range(n_nodes):
        if row_of[k] >= n_pure:
            write_answer(value[k], regression, offset, table[row_of[k] - n_pure])
    own = np.empty((n_curtailed, 2), np.int32)
    n_curtailed = 0
    for k in range(n_nodes):
        if book[k, KIND] == LEAF and row_of[k] != row_of[anchor[k]]:
            own[n_curtailed, 0], own[n_curtailed, 1] = k, row_of[k]
            n_curtailed += 1
    return Packed(key, link, weight, own, table)
