"""The nodes of all trees of a forest in one table, end to end, for kernels that need them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._kernels.nodes import LEAF, NOMINAL, NUMERIC, NodeTable
from softwood._kernels.packing.packed import ANSWER, numbers_of
from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.forest.one_hot import AS_IT_IS, OneHotColumns
from softwood.forest.packed import PackedForest, PackedTrees
from softwood.tree import NONE, Tree


@dataclass(frozen=True, slots=True, eq=False)
class EndToEnd:
    """One table of nodes: children are numbered over all trees.

    Attributes
    ----------
    nodes : NodeTable
        The nodes; a parent comes before its children.
    root : ndarray of shape (n_trees,)
        Where each tree begins.
    answer : ndarray of shape (n_nodes,)
        Row of ``response`` that a leaf answers.
    response : ndarray of shape (n_answers, n_outputs)
        What leaves answer.
    """

    nodes: NodeTable
    root: IndexArray
    answer: IndexArray
    response: FloatArray

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> EndToEnd:
        """Return the nodes of trees; those of a packed forest are not unpacked one by one."""
        if isinstance(trees, PackedTrees):
            return _of_packed(trees.packed)
        return _of_trees(trees)


def _of_trees(trees: Sequence[Tree]) -> EndToEnd:
    sizes = [tree.n_nodes for tree in trees]
    root = np.concatenate(([0], np.cumsum(sizes)))[:-1]
    arrays = {
        name: np.concatenate([getattr(tree, name) for tree in trees])
        for name in NodeTable._fields
        if name not in ("first_child", "term_start", "set_start")
    }
    first_child = np.concatenate(
        [
            np.where(tree.is_leaf, NONE, tree.first_child + at)
            for tree, at in zip(trees, root, strict=True)
        ]
    )
    starts = {
        name: _starts([getattr(tree, name) for tree in trees])
        for name in ("term_start", "set_start")
    }
    nodes = _checked_types({**arrays, "first_child": first_child, **starts})
    answer = np.arange(first_child.size, dtype=np.int32)
    response = np.ascontiguousarray(np.concatenate([tree.response for tree in trees]))
    return EndToEnd(nodes, root.astype(np.int32), answer, _frozen(response))


def _starts(parts: Sequence[AnyArray]) -> AnyArray:
    """Return where the entries of each node begin, lists of trees being laid end to end."""
    counts = np.concatenate([np.diff(part) for part in parts])
    return np.concatenate(([0], np.cumsum(counts)))


def _of_packed(packed: PackedForest) -> EndToEnd:
    n_nodes, link = packed.key.size, packed.link.astype(np.int64)
    inner = link != 0
    column = link & ((1 << packed.bits) - 1)
    one_hot = packed.one_hot or OneHotColumns.of(np.zeros(packed.n_columns, np.int32))
    category = np.where(inner, one_hot.category[column], AS_IT_IS)
    feature = np.where(inner, one_hot.feature[column], NONE)
    is_one = category != AS_IT_IS
    size = np.where(is_one, one_hot.n_categories[feature], 0)
    set_start = np.concatenate(([0], np.cumsum(size)))
    set_child = np.zeros(set_start[-1], np.int32)
    set_child[set_start[:-1][is_one] + category[is_one]] = 1
    zeros = np.zeros(n_nodes)
    nodes = _checked_types(
        dict(
            first_child=np.where(inner, np.arange(n_nodes) + (link >> packed.bits), NONE),
            n_children=np.where(inner, 2, 0),
            kind=np.where(inner, np.where(is_one, NOMINAL, NUMERIC), LEAF),
            feature=feature,
            threshold=np.where(inner & ~is_one, numbers_of(packed.key), 0.0),
            below=zeros,
            above=zeros,
            missing_child=np.full(n_nodes, NONE),
            weight=_weights(packed),
            term_start=np.zeros(n_nodes + 1),
            term_feature=np.zeros(0),
            term_weight=zeros[:0],
            set_start=set_start,
            set_child=set_child,
        )
    )
    answer = np.where(inner, 0, packed.key & ANSWER).astype(np.int32)
    return EndToEnd(nodes, packed.root[:-1].astype(np.int32), answer, _frozen(packed.table))


def _weights(packed: PackedForest) -> FloatArray:
    """Return the weights of nodes; those of inner ones are sums, where keys of leaves count."""
    if packed.weight.size:
        return packed.weight.astype(np.float64)
    from softwood._kernels.packing.append import read_counts

    weight = np.empty(packed.key.size)
    read_counts(packed.key, packed.link, packed.bits, weight)
    return weight


def _frozen(array: FloatArray) -> FloatArray:
    """Return a read-only view: writable arrays would need kernels of their own."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def _checked_types(arrays: dict[str, AnyArray]) -> NodeTable:
    """Return the table with the types that kernels are compiled for."""
    made: dict[str, Any] = {}
    for name, array in arrays.items():
        dtype = np.float64 if name in FLOATS else np.int8 if name == "kind" else np.int32
        made[name] = np.ascontiguousarray(array, dtype=dtype)
        made[name].flags.writeable = False
    return NodeTable(**made)


FLOATS = ("threshold", "below", "above", "weight", "term_weight")
