"""Trees as members of a model file: all trees of a model share one set of arrays.

Node after node, tree after tree. Offsets into ragged arrays would be the only entries
that depend on where a tree stands, so counts are written in their place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.errors import MalformedTreeError, ModelFileError
from softwood.tree import RAGGED, Tree

FOLDER = "trees/"
PER_NODE = {
    "n_children": "<i4",
    "kind": "|i1",
    "feature": "<i4",
    "threshold": "<f8",
    "below": "<f8",
    "above": "<f8",
    "missing_child": "<i4",
    "weight": "<f8",
    "response": "<f8",
    "term_count": "<i4",
    "set_count": "<i4",
}
PER_ENTRY = {"term_feature": "<i4", "term_weight": "<f8", "set_child": "<i4"}
COLUMNS = {**PER_NODE, **PER_ENTRY}
FREQUENCY_TOLERANCE = 1e-6


def trees_to_members(trees: Sequence[Tree]) -> tuple[dict[str, Any] | None, dict[str, bytes]]:
    """Return what JSON should say of the trees, if there are any, and their arrays as bytes."""
    if not trees:
        return None, {}
    shapes = {(tree.n_features, tree.n_outputs) for tree in trees}
    if len(shapes) != 1:
        raise ValueError(
            "all trees of a model must read the same features and give the same outputs; "
            f"got (n_features, n_outputs) of {sorted(shapes)}"
        )
    n_features, n_outputs = shapes.pop()
    layout = {
        "n_features": n_features,
        "n_outputs": n_outputs,
        "n_nodes": [tree.n_nodes for tree in trees],
    }
    columns = {name: np.concatenate([_column(tree, name) for tree in trees]) for name in COLUMNS}
    members = {
        FOLDER + name: columns[name].astype(dtype, copy=False).tobytes()
        for name, dtype in COLUMNS.items()
    }
    return layout, members


def _column(tree: Tree, name: str) -> AnyArray:
    if name.endswith("_count"):
        return np.diff(getattr(tree, name.replace("_count", "_start")))
    column: AnyArray = getattr(tree, name)
    return column


def trees_from_members(layout: Any, members: Mapping[str, bytes]) -> list[Tree]:
    """Return the trees, every array of them checked."""
    if layout is None and not members:
        return []
    n_features, n_outputs, n_nodes = _checked_layout(layout)
    if set(members) != {FOLDER + name for name in COLUMNS}:
        raise ModelFileError(f"the arrays of its trees must be {sorted(COLUMNS)}")
    columns = {name: _array(name, members[FOLDER + name]) for name in COLUMNS}
    total = sum(n_nodes)
    for name in PER_NODE:
        expected = total * n_outputs if name == "response" else total
        if columns[name].size != expected:
            raise ModelFileError(f"{name} has {columns[name].size} entries, not {expected}")
    columns["response"] = columns["response"].reshape(total, n_outputs)
    starts = {prefix: _starts(columns, prefix) for prefix in RAGGED}
    trees, first = [], 0
    for size in n_nodes:
        trees.append(_tree(n_features, columns, starts, slice(first, first + size)))
        first += size
    return trees


def are_frequencies(response: FloatArray) -> bool:
    """Whether each row is one of class frequencies, which sum to 1."""
    # Sums of fractional weights are right only to the last bits.
    off = max(-response.min(), response.max() - 1.0, np.abs(response.sum(axis=1) - 1.0).max())
    return bool(off <= FREQUENCY_TOLERANCE)


def _checked_layout(layout: Any) -> tuple[int, int, list[int]]:
    if not isinstance(layout, dict) or set(layout) != {"n_features", "n_outputs", "n_nodes"}:
        raise ModelFileError("what it says of its trees has the wrong keys")
    n_features, n_outputs, n_nodes = (layout[key] for key in ("n_features", "n_outputs", "n_nodes"))
    if not isinstance(n_nodes, list) or not n_nodes:
        raise ModelFileError("n_nodes must list the sizes of its trees")
    if any(type(n) is not int or not 0 < n < 2**31 for n in (n_features, n_outputs, *n_nodes)):
        raise ModelFileError("n_features, n_outputs and n_nodes of its trees must be positive")
    return n_features, n_outputs, n_nodes


def _array(name: str, data: bytes) -> AnyArray:
    dtype = np.dtype(COLUMNS[name])
    if len(data) % dtype.itemsize:
        raise ModelFileError(f"{name} has {len(data)} bytes, not a multiple of {dtype.itemsize}")
    return np.frombuffer(data, dtype)


def _starts(columns: Mapping[str, AnyArray], prefix: str) -> AnyArray:
    counts = columns[f"{prefix}_count"]
    if counts.min() < 0:
        raise ModelFileError(f"{prefix}_count must not be negative")
    starts = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    for name in RAGGED[prefix]:
        if columns[name].size != starts[-1]:
            raise ModelFileError(f"{name} has {columns[name].size} entries, not {starts[-1]}")
    return starts


def _tree(
    n_features: int, columns: Mapping[str, AnyArray], starts: Mapping[str, AnyArray], nodes: slice
) -> Tree:
    arrays = {name: columns[name][nodes] for name in PER_NODE if not name.endswith("_count")}
    for prefix, names in RAGGED.items():
        start = starts[prefix][nodes.start : nodes.stop + 1]
        arrays[f"{prefix}_start"] = start - start[0]
        arrays |= {name: columns[name][start[0] : start[-1]] for name in names}
    try:
        return Tree(n_features=n_features, **arrays)
    except MalformedTreeError as error:
        raise ModelFileError(f"its tree is malformed: {error}") from error
