"""What must hold of the arrays of a tree, and the message when it does not.

Kernels trust a tree: every index they follow is checked here, once, when the tree
is made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._kernels.nodes import LEAF, NOMINAL, NUMERIC, OBLIQUE
from softwood._types import AnyArray, IndexArray
from softwood.errors import MalformedTreeError

DTYPES: dict[str, type[np.generic]] = {
    "n_children": np.int32,
    "kind": np.int8,
    "feature": np.int32,
    "threshold": np.float64,
    "below": np.float64,
    "above": np.float64,
    "missing_child": np.int32,
    "weight": np.float64,
    "response": np.float64,
    "term_start": np.int32,
    "term_feature": np.int32,
    "term_weight": np.float64,
    "set_start": np.int32,
    "set_child": np.int32,
}
PER_NODE = ("kind", "feature", "threshold", "below", "above", "missing_child", "weight")


def canonical_arrays(arrays: dict[str, Any]) -> dict[str, Any]:
    """Return own, contiguous copies with the declared dtypes."""
    made = {"n_features": int(arrays["n_features"])}
    for name, dtype in DTYPES.items():
        given = np.asarray(arrays[name])
        made[name] = array = np.array(given, dtype=dtype, order="C")  # type: ignore[assignment]
        if given.dtype != dtype and not np.array_equal(
            given, array, equal_nan=given.dtype.kind == "f"
        ):
            raise MalformedTreeError(f"{name} does not fit {np.dtype(dtype)}; got {given.dtype}")
    return made


def check_tree(arrays: dict[str, Any]) -> IndexArray:
    """Raise MalformedTreeError unless the arrays form a tree; return ``first_child``."""
    _check_shapes(arrays)
    first_child = _check_numbering(arrays["n_children"])
    _check_kinds(arrays)
    _check_features(arrays)
    _check_numbers(arrays)
    _check_branches(arrays)
    return first_child


def _complain(message: str, nodes: AnyArray | None = None) -> None:
    where = ""
    if nodes is not None:
        shown = ", ".join(str(node) for node in nodes[:5])
        where = f" (nodes {shown}{', ...' if len(nodes) > 5 else ''})"
    raise MalformedTreeError(message + where)


def _check_shapes(arrays: dict[str, Any]) -> None:
    n_children = arrays["n_children"]
    if n_children.ndim != 1 or n_children.size == 0:
        _complain(f"n_children must be 1-D and hold a root; got shape {n_children.shape}")
    n_nodes = n_children.size
    for name in PER_NODE:
        if arrays[name].shape != (n_nodes,):
            _complain(f"{name} must have shape ({n_nodes},); got {arrays[name].shape}")
    response = arrays["response"]
    if response.ndim != 2 or response.shape[0] != n_nodes or response.shape[1] == 0:
        _complain(f"response must have shape ({n_nodes}, n_outputs); got {response.shape}")
    for start_name, flat_names in (
        ("term_start", ("term_feature", "term_weight")),
        ("set_start", ("set_child",)),
    ):
        start = arrays[start_name]
        if start.shape != (n_nodes + 1,) or start[0] != 0 or np.any(np.diff(start) < 0):
            _complain(f"{start_name} must be {n_nodes + 1} ascending offsets from 0")
        for name in flat_names:
            if arrays[name].shape != (start[-1],):
                _complain(
                    f"{name} must have the {start[-1]} entries that {start_name} ends with; "
                    f"got shape {arrays[name].shape}"
                )
    if arrays["n_features"] < 0:
        _complain(f"n_features must not be negative; got {arrays['n_features']}")


def _check_numbering(n_children: IndexArray) -> IndexArray:
    n_nodes = n_children.size
    if np.any(n_children < 0) or np.any(n_children == 1):
        _complain(
            "n_children must be 0 at a leaf and at least 2 elsewhere",
            np.flatnonzero((n_children < 0) | (n_children == 1)),
        )
    ends = 1 + np.cumsum(n_children, dtype=np.int64)
    if ends[-1] != n_nodes:
        _complain(
            f"{n_nodes} nodes need {n_nodes - 1} places as a child; "
            f"n_children sums to {ends[-1] - 1}"
        )
    first_child = ends - n_children
    late = np.flatnonzero((n_children > 0) & (first_child <= np.arange(n_nodes)))
    if late.size:
        _complain(
            "a parent must come before its children in breadth-first order; "
            "Tree.from_nodes renumbers nodes",
            late,
        )
    return np.where(n_children > 0, first_child, -1).astype(np.int32)


def _check_kinds(arrays: dict[str, Any]) -> None:
    kind, n_children = arrays["kind"], arrays["n_children"]
    wrong = np.flatnonzero((kind < LEAF) | (kind > OBLIQUE))
    if wrong.size:
        _complain(f"kind must be 0 to 3; got {kind[wrong[0]]}", wrong)
    wrong = np.flatnonzero((kind == LEAF) != (n_children == 0))
    if wrong.size:
        _complain("kind is LEAF exactly where n_children is 0", wrong)
    binary = (kind == NUMERIC) | (kind == OBLIQUE)
    wrong = np.flatnonzero(binary & (n_children != 2))
    if wrong.size:
        _complain("numeric and oblique tests have two children", wrong)
    for name, owner in (("term_start", OBLIQUE), ("set_start", NOMINAL)):
        wrong = np.flatnonzero((np.diff(arrays[name]) > 0) != (kind == owner))
        if wrong.size:
            _complain(
                f"{name} gives entries to nodes of kind {owner}, all of them and no others", wrong
            )


def _check_features(arrays: dict[str, Any]) -> None:
    kind, feature, n_features = arrays["kind"], arrays["feature"], arrays["n_features"]
    tested = (kind == NUMERIC) | (kind == NOMINAL)
    wrong = np.flatnonzero(np.where(tested, (feature < 0) | (feature >= n_features), feature != -1))
    if wrong.size:
        _complain(
            f"feature must be in 0..{n_features - 1} at numeric and nominal tests, "
            f"and -1 elsewhere; got {feature[wrong[0]]}",
            wrong,
        )
    terms = arrays["term_feature"]
    if np.any((terms < 0) | (terms >= n_features)):
        _complain(f"term_feature must be in 0..{n_features - 1}; got {terms.min()}..{terms.max()}")


def _check_numbers(arrays: dict[str, Any]) -> None:
    for name in ("threshold", "below", "above", "weight", "response", "term_weight"):
        finite = np.isfinite(arrays[name])
        if not finite.all():
            _complain(f"{name} must be finite", np.unique(np.argwhere(~finite)[:, 0]))
    for name in ("below", "above", "weight"):
        if np.any(arrays[name] < 0):
            _complain(f"{name} must not be negative", np.flatnonzero(arrays[name] < 0))
    has_cut = (arrays["kind"] == NUMERIC) | (arrays["kind"] == OBLIQUE)
    for name in ("threshold", "below", "above"):
        wrong = np.flatnonzero(~has_cut & (arrays[name] != 0))
        if wrong.size:
            _complain(f"{name} belongs to numeric and oblique tests and is 0 elsewhere", wrong)


def _check_branches(arrays: dict[str, Any]) -> None:
    n_children, missing = arrays["n_children"], arrays["missing_child"]
    wrong = np.flatnonzero((missing < -1) | ((missing != -1) & (missing >= n_children)))
    if wrong.size:
        _complain("missing_child must be -1 or one of the node's branches", wrong)
    owners = np.repeat(np.arange(n_children.size), np.diff(arrays["set_start"]))
    branch = arrays["set_child"]
    outside = (branch < -1) | (branch >= n_children[owners])
    if outside.any():
        _complain("set_child must be -1 or one of the node's branches", np.unique(owners[outside]))
