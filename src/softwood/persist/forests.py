"""Packed forests as members of a model file: their arrays as they are, all of them checked.

A kernel follows every link and every number of an answer without a look. So each is looked at
here, once, when a file is read; see :mod:`softwood._kernels.packing.packed` for what they mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from softwood._kernels.packing.packed import (
    ANSWER,
    LEAF_KEY,
    KeyArray,
    feature_bits,
    keys_of,
    numbers_of,
)
from softwood._types import AnyArray
from softwood.errors import ModelFileError
from softwood.forest.builder import LARGEST
from softwood.forest.one_hot import AS_IT_IS, MOST_CATEGORIES, OneHotColumns
from softwood.forest.packed import PackedForest

FOLDER = "forests/"
# By the bytes of an entry; of weights there may be none.
DTYPES: dict[str, dict[int, str]] = {
    "key": {8: "<u8"},
    "link": {4: "<u4", 8: "<u8"},
    "weight": {0: "<f8", 4: "<f4", 8: "<f8"},
    "own": {8: "<i4"},
    "table": {8: "<f8"},
}
KEYS = {"n_columns", "n_outputs", "n_pure", "n_nodes", "n_answers", "n_own", "one_hot"}
ONE_HOT = ("n_categories", "feature", "category")


def forests_to_members(
    forests: Sequence[PackedForest],
) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """Return what JSON should say of packed forests, and their arrays as bytes."""
    members = {
        f"{FOLDER}{place}/{name}": _little_endian(getattr(forest, name)).tobytes()
        for place, forest in enumerate(forests)
        for name in DTYPES
    }
    return [_layout(forest) for forest in forests], members


def _layout(forest: PackedForest) -> dict[str, Any]:
    one_hot = forest.one_hot
    return {
        "n_columns": forest.n_columns,
        "n_outputs": int(forest.table.shape[1]),
        "n_pure": forest.n_pure,
        "n_nodes": np.diff(forest.root).tolist(),
        "n_answers": len(forest.table),
        "n_own": len(forest.own),
        "one_hot": one_hot and {name: getattr(one_hot, name).tolist() for name in ONE_HOT},
    }


def _little_endian(array: AnyArray) -> AnyArray:
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def forests_from_members(said: Any, members: Mapping[str, bytes]) -> list[PackedForest]:
    """Return the packed forests, every array of them checked."""
    if not isinstance(said, list):
        raise ModelFileError("what it says of its forests must be a list")
    names = {f"{FOLDER}{place}/{name}" for place in range(len(said)) for name in DTYPES}
    if set(members) != names:
        raise ModelFileError(f"the arrays of each of its forests must be {sorted(DTYPES)}")
    return [
        _forest(layout, {name: members[f"{FOLDER}{place}/{name}"] for name in DTYPES})
        for place, layout in enumerate(said)
    ]


def _forest(said: Any, members: Mapping[str, bytes]) -> PackedForest:
    layout = _checked_layout(said)
    root = np.concatenate(([0], np.cumsum(layout["n_nodes"], dtype=np.int64)))
    if root[-1] > LARGEST:
        raise ModelFileError(f"a forest can hold {LARGEST} nodes; it has {root[-1]}")
    counts = dict.fromkeys(("key", "link", "weight"), int(root[-1]))
    counts |= {"own": layout["n_own"], "table": layout["n_answers"] * layout["n_outputs"]}
    arrays: dict[str, Any] = {name: _array(name, members[name], counts[name]) for name in DTYPES}
    arrays["own"] = arrays["own"].reshape(layout["n_own"], 2)
    arrays["table"] = arrays["table"].reshape(layout["n_answers"], layout["n_outputs"])
    _check_answers(arrays["table"], layout["n_pure"])
    is_leaf = _check_links(arrays["link"], root, layout["n_columns"])
    _check_keys(arrays["key"], is_leaf, layout["n_answers"])
    _check_weights(arrays["weight"], root)
    _check_own(arrays["own"], is_leaf, layout["n_answers"])
    one_hot = _one_hot(layout["one_hot"], layout["n_columns"])
    forest = PackedForest(layout["n_columns"], root=root, n_pure=layout["n_pure"], **arrays)
    return forest if one_hot is None else _on_one_hot_columns(forest, one_hot, is_leaf)


# -- sizes -------------------------------------------------------------------------


def _checked_layout(said: Any) -> dict[str, Any]:
    if not isinstance(said, dict) or set(said) != KEYS:
        raise ModelFileError("what it says of a forest has the wrong keys")
    if not _are_counts(said["n_nodes"], 1) or not said["n_nodes"]:
        raise ModelFileError("n_nodes must list the sizes of the trees of a forest")
    sizes = [said[name] for name in ("n_columns", "n_outputs", "n_answers")]
    if not (_are_counts(sizes, 1) and _are_counts([said["n_own"], said["n_pure"]], 0)):
        raise ModelFileError("the sizes of a forest must be whole numbers that are not negative")
    if said["n_pure"] not in (0, said["n_outputs"]) or said["n_pure"] > said["n_answers"]:
        raise ModelFileError("n_pure of a forest must be 0, or the number of its outputs")
    return said


def _are_counts(said: Any, least: int) -> bool:
    return isinstance(said, list) and all(type(n) is int and least <= n < 2**31 for n in said)


def _array(name: str, data: bytes, count: int) -> AnyArray:
    """Return a member as an array of its own, of the type that its size tells."""
    size = len(data) // max(count, 1)
    if size * count != len(data) or (count and size not in DTYPES[name]):
        raise ModelFileError(f"{name} of a forest has {len(data)} bytes for {count} entries")
    dtype = np.dtype(DTYPES[name].get(size, "<i4"))
    return np.frombuffer(data, dtype).astype(dtype.newbyteorder("="))


# -- contents ----------------------------------------------------------------------


def _check_answers(table: AnyArray, n_pure: int) -> None:
    if not np.isfinite(table).all():
        raise ModelFileError("the answers of a forest must be finite")
    if n_pure and not np.array_equal(table[:n_pure], np.eye(n_pure)):
        raise ModelFileError("the first answers of a forest must be its pure classes")


def _check_links(link: AnyArray, root: AnyArray, n_columns: int) -> AnyArray:
    """Complain unless each tree is one: every node but its root is the child of one before it."""
    bits, node = np.uint64(feature_bits(n_columns)), np.arange(link.size)
    is_leaf = link == 0
    inner = np.flatnonzero(~is_leaf)
    wide = link[inner].astype(np.uint64)
    steps, column = wide >> bits, wide & np.uint64((1 << int(bits)) - 1)
    if np.any(column >= n_columns):
        raise ModelFileError(f"a forest tests column {column.max()} of {n_columns}")
    last = np.repeat(root[1:], np.diff(root))[inner] - 1
    if np.any(steps == 0) or np.any(steps > (last - 1 - inner).clip(0).astype(np.uint64)):
        raise ModelFileError("a forest has a test whose children are not in its tree, after it")
    first = inner + steps.astype(np.int64)
    n_parents = np.bincount(np.concatenate([first, first + 1]), minlength=node.size)
    n_parents[root[:-1]] += 1
    if np.any(n_parents != 1):
        raise ModelFileError("a forest has a node that is not the child of one test")
    return np.asarray(is_leaf)


def _check_keys(key: KeyArray, is_leaf: AnyArray, n_answers: int) -> None:
    leaf, cut = key[is_leaf], key[~is_leaf]
    if np.any(leaf < LEAF_KEY) or np.any((leaf & ANSWER) >= n_answers):
        raise ModelFileError(f"a leaf of a forest must have one of its {n_answers} answers")
    number = numbers_of(cut)
    if not np.isfinite(number).all() or np.any(keys_of(number) != cut):
        raise ModelFileError("the thresholds of a forest must be finite")


def _check_weights(weight: AnyArray, root: AnyArray) -> None:
    if not weight.size:
        return
    if not (weight >= 0.0).all():
        raise ModelFileError("the weights of a forest must not be negative")
    if not np.isfinite(np.add.reduceat(weight.astype(np.float64), root[:-1])).all():
        raise ModelFileError("the weights of a tree must have a finite sum")


def _check_own(own: AnyArray, is_leaf: AnyArray, n_answers: int) -> None:
    node, answer = own[:, 0], own[:, 1]
    inside = (node >= 0) & (node < is_leaf.size) & (answer >= 0) & (answer < n_answers)
    if not inside.all() or not is_leaf[node].all() or np.any(np.diff(node) <= 0):
        raise ModelFileError("small leaves of a forest must be leaves, ascending, with an answer")


def _one_hot(said: Any, n_columns: int) -> OneHotColumns | None:
    if said is None:
        return None
    if not isinstance(said, dict) or set(said) != set(ONE_HOT):
        raise ModelFileError("the columns of a forest have the wrong keys")
    if not all(_are_counts(said[name], AS_IT_IS) for name in ONE_HOT):
        raise ModelFileError("the columns of a forest must be whole numbers")
    one_hot = OneHotColumns(*(np.array(said[name], dtype=np.int32) for name in ONE_HOT))
    feature, category = one_hot.feature, one_hot.category
    if feature.size != n_columns or category.size != n_columns or one_hot.n_categories.min() < 0:
        raise ModelFileError(f"a forest must say what each of its {n_columns} columns stands for")
    if feature.min() < 0 or feature.max() >= one_hot.n_features:
        raise ModelFileError("a column of a forest stands for no feature")
    n_categories = one_hot.n_categories[feature]
    if np.any(category >= n_categories) and np.any(category[category >= n_categories] != AS_IT_IS):
        raise ModelFileError("a column of a forest stands for no category of its feature")
    # Each test of a category is written out for all of them when a tree is made.
    if np.any((category != AS_IT_IS) & (n_categories > MOST_CATEGORIES)):
        raise ModelFileError(f"columns of categories are for features of {MOST_CATEGORIES} at most")
    return one_hot


def _on_one_hot_columns(
    forest: PackedForest, one_hot: OneHotColumns, is_leaf: AnyArray
) -> PackedForest:
    from dataclasses import replace

    column = forest.tested_columns
    cut = numbers_of(forest.key[~is_leaf])
    if np.any(one_hot.is_indicator[column] & ((cut < 0.0) | (cut >= 1.0))):
        raise ModelFileError("a test of a category must tell 0 from 1")
    return replace(forest, one_hot=one_hot)
