"""The node table: the arrays of a tree, bundled because they always travel together."""

from typing import NamedTuple

from softwood._types import ByteArray, FloatArray, IndexArray

# What a node does with a row: the entries of ``kind``.
LEAF, NUMERIC, NOMINAL, OBLIQUE = 0, 1, 2, 3


class NodeTable(NamedTuple):
    """What a kernel needs to know of a tree; see :class:`softwood.tree.Tree`."""

    first_child: IndexArray
    n_children: IndexArray
    kind: ByteArray
    feature: IndexArray
    threshold: FloatArray
    below: FloatArray
    above: FloatArray
    missing_child: IndexArray
    weight: FloatArray
    term_start: IndexArray
    term_feature: IndexArray
    term_weight: FloatArray
    set_start: IndexArray
    set_child: IndexArray
