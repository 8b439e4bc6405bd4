"""A tree of a packed forest on its own: nodes breadth first, and what its inner nodes answer."""

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.nodes import LEAF, NUMERIC
from softwood._kernels.packing.packed import (
    ALL_BITS,
    ANSWER,
    COUNT_AT,
    LEAF_KEY,
    SIGN,
    SIGN_AT,
    KeyArray,
)
from softwood._types import AnyArray, ByteArray, FloatArray, IndexArray


class Unpacked(NamedTuple):
    """Arrays of a :class:`softwood.tree.Tree` of numeric tests."""

    first_child: IndexArray
    n_children: IndexArray
    kind: ByteArray
    feature: IndexArray
    threshold: FloatArray
    weight: FloatArray
    response: FloatArray


def room_for_tree(n_nodes: int, n_outputs: int) -> Unpacked:
    """Return arrays for a tree."""
    return Unpacked(
        first_child=np.empty(n_nodes, np.int32),
        n_children=np.empty(n_nodes, np.int32),
        kind=np.empty(n_nodes, np.int8),
        feature=np.empty(n_nodes, np.int32),
        threshold=np.empty(n_nodes),
        weight=np.empty(n_nodes),
        response=np.empty((n_nodes, n_outputs)),
    )


@borrowing
def unpack_nodes(key, link, bits, order, number, tree):
    """Write all but weight and response of the nodes, in the order in which they are met."""
    cut, mask = tree.threshold.view(np.uint64), (1 << bits) - 1
    order[0], end = 0, 1
    for node in range(link.size):
        packed = order[node]
        number[packed] = node
        tree.kind[node], tree.feature[node], tree.n_children[node] = LEAF, -1, 0
        tree.first_child[node], tree.threshold[node] = -1, 0.0
        if link[packed] != 0:
            child = packed + np.int64(link[packed] >> bits)
            order[end], order[end + 1] = child, child + 1
            tree.kind[node], tree.n_children[node], tree.first_child[node] = NUMERIC, 2, end
            tree.feature[node] = np.int64(link[packed]) & mask
            cut[node] = key[packed] ^ (SIGN if key[packed] >> SIGN_AT else ALL_BITS)
            end += 2


@borrowing
def copy_answer(table, entry, response, node):
    """Copy a row of the table."""
    for k in range(table.shape[1]):
        response[node, k] = table[entry, k]


@borrowing
def fill_upwards(key, weight, order, tree):
    """Fill the weights of all nodes, and give inner ones the mean response of their children."""
    for node in range(order.size - 1, -1, -1):
        first, is_leaf = tree.first_child[node], tree.kind[node] == LEAF
        if weight.size > 0:
            tree.weight[node] = weight[order[node]]
        elif is_leaf:
            tree.weight[node] = float((key[order[node]] - LEAF_KEY) >> COUNT_AT)
        else:
            tree.weight[node] = tree.weight[first] + tree.weight[first + 1]
        if is_leaf:
            continue
        one, other = tree.weight[first], tree.weight[first + 1]
        if one + other == 0.0:
            one, other = 1.0, 1.0
        for c in range(tree.response.shape[1]):
            both = one * tree.response[first, c] + other * tree.response[first + 1, c]
            tree.response[node, c] = both / (one + other)


@kernel
def unpack_tree(
    key: KeyArray,
    link: AnyArray,
    bits: int,
    weight: FloatArray,
    own: IndexArray,
    below: int,
    table: FloatArray,
    tree: Unpacked,
) -> None:
    """Fill the arrays of a tree; ``below`` nodes of other trees come before it.

    Small leaves answer as a node above them, but it is their own answers, the second entry of
    ``own``, that make up the answers of inner nodes.
    """
    order, number = np.empty(link.size, np.int64), np.empty(link.size, np.int64)
    unpack_nodes(key, link, bits, order, number, tree)
    for node in range(link.size):
        if tree.kind[node] == LEAF:
            copy_answer(table, np.int64(key[order[node]] & ANSWER), tree.response, node)
    for i in range(own.shape[0]):
        copy_answer(table, np.int64(own[i, 1]), tree.response, number[own[i, 0] - below])
    fill_upwards(key, weight, order, tree)
    for i in range(own.shape[0]):
        packed = own[i, 0] - below
        copy_answer(table, np.int64(key[packed] & ANSWER), tree.response, number[packed])
