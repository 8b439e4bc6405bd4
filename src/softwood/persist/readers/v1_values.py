"""Values of format 1: JSON back to what it was, or a complaint.

See :mod:`softwood.persist.values` for the tags.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from softwood._types import AnyArray
from softwood.data.schema import Feature, Schema
from softwood.errors import ModelFileError
from softwood.flow import Flow, Gaussian, Hard, Ramp, Sampled
from softwood.forest import Forest
from softwood.forest.packed import PackedTrees
from softwood.persist.kept import Kept
from softwood.persist.preparation import decode_preparation
from softwood.persist.readers.v1_records import (
    FOREST,
    RECORDS,
    made_forest,
    made_record,
)
from softwood.persist.registry import constructed, method_named
from softwood.tree import Tree

SCALARS = (str, int, float, bool, bytes)
REDRAW = {"redraw": float, "marginals": tuple}
FLOWS: dict[str, tuple[Any, dict[str, Any]]] = {
    "Hard": (Hard, {}),
    "Ramp": (Ramp, {"drop": float, "shape": str}),
    "Gaussian": (Gaussian, {"scale": (float, tuple), "exact": bool, "drop": float, **REDRAW}),
    "Sampled": (Sampled, {"scale": (float, tuple), "n": int, "random_state": int, **REDRAW}),
}
DTYPE = re.compile(r"\|b1|\|[iu]1|[<>][iu][248]|[<>]f[248]|[<>]U\d{1,6}|\|O")
ITEMS: dict[str, type] = {"b": bool, "i": int, "u": int, "f": float, "U": str}
MAX_ARRAY = 2**28  # bytes; short texts could otherwise claim any width


def decode(said: Any, where: str, kept: Kept) -> Any:
    """Return the value that ``said`` describes.

    Parameters
    ----------
    said : object
        What the JSON holds.
    where : str
        What to call it in a complaint.
    kept : Kept
        The trees and forests of the file.

    Returns
    -------
    object
    """
    if isinstance(said, list):
        return [decode(item, where, kept) for item in said]
    if not isinstance(said, dict):
        return said
    if len(said) != 1:
        raise ModelFileError(f"{where} has an object with keys {sorted(said)}")
    ((tag, content),) = said.items()
    if tag not in _READERS:
        raise ModelFileError(f"{where} holds a {tag!r}, which this softwood does not know")
    return _READERS[tag](content, where, kept)


def decode_parameters(said: Any, where: str) -> dict[str, Any]:
    """Return the parameters of an estimator."""
    if not isinstance(said, dict):
        raise ModelFileError(f"{where} must be an object")
    return {name: decode(value, f"the parameter {name!r}", Kept()) for name, value in said.items()}


def expect(said: Any, kind: type, where: str) -> Any:
    """Return ``said`` if it is of exactly this type."""
    if type(said) is not kind:
        raise ModelFileError(f"{where} must be of type {kind.__name__}; got {str(said)[:80]!r}")
    return said


def _keys(said: Any, keys: set[str], where: str) -> dict[str, Any]:
    if set(expect(said, dict, where)) != keys:
        raise ModelFileError(f"{where} must have the keys {sorted(keys)}; got {sorted(said)}")
    return dict(said)


def _float(said: Any, where: str, kept: Kept) -> float:
    if said not in ("nan", "inf", "-inf"):
        raise ModelFileError(f"{where} holds the odd number {str(said)[:80]!r}")
    return float(said)


def _bytes(said: Any, where: str, kept: Kept) -> bytes:
    try:
        return bytes.fromhex(expect(said, str, where))
    except ValueError as error:
        raise ModelFileError(f"{where} holds bytes that are not hexadecimal") from error


def _tuple(said: Any, where: str, kept: Kept) -> tuple[Any, ...]:
    return tuple(decode(expect(said, list, where), where, kept))


def _dict(said: Any, where: str, kept: Kept) -> dict[Any, Any]:
    made = {}
    for pair in expect(said, list, where):
        if len(expect(pair, list, where)) != 2:
            raise ModelFileError(f"{where} must hold pairs of key and value")
        made[_scalar(pair[0], where)] = decode(pair[1], where, kept)
    return made


def _scalar(said: Any, where: str) -> Any:
    value = decode(said, where, Kept())
    if not isinstance(value, SCALARS):
        raise ModelFileError(f"{where} must be text, a number or a boolean; got {str(said)[:80]!r}")
    return value


def _array(said: Any, where: str, kept: Kept) -> AnyArray:
    parts = _keys(said, {"dtype", "shape", "values"}, where)
    values = expect(decode(parts["values"], where, kept), list, where)
    shape = expect(parts["shape"], list, where)
    if any(type(size) is not int or size < 0 for size in shape) or math.prod(shape) != len(values):
        raise ModelFileError(f"{where} has {len(values)} values, but its shape is {shape}")
    if not DTYPE.fullmatch(expect(parts["dtype"], str, where)):
        raise ModelFileError(f"{where} has the odd dtype {parts['dtype'][:80]!r}")
    dtype = np.dtype(parts["dtype"])
    if dtype.itemsize * len(values) > MAX_ARRAY:
        raise ModelFileError(f"{where} would be larger than {MAX_ARRAY} bytes")
    return _filled(values, dtype, where).reshape(shape)


def _filled(values: list[Any], dtype: np.dtype[Any], where: str) -> AnyArray:
    array = np.empty(len(values), dtype)
    if dtype.kind != "O" and any(type(value) is not ITEMS[dtype.kind] for value in values):
        raise ModelFileError(f"{where} has values that are not of dtype {dtype}")
    try:
        for i, value in enumerate(values):  # one by one: a list could become a row
            array[i] = value
    except (OverflowError, ValueError) as error:
        raise ModelFileError(f"{where} has values that do not fit {dtype}: {error}") from error
    if dtype.kind in "fU" and any(
        a != b and a == a for a, b in zip(values, array.tolist(), strict=True)
    ):
        raise ModelFileError(f"{where} has values that do not fit {dtype}")
    return array


def _tree(said: Any, where: str, kept: Kept) -> Tree:
    tree: Tree = _numbered(said, where, kept.trees, "tree")
    return tree


def _forest(said: Any, where: str, kept: Kept) -> Forest:
    is_packed = "packed" in expect(said, dict, where)
    parts = _keys(said, {"packed" if is_packed else "trees", *FOREST}, where)
    trees: Sequence[Tree]
    if is_packed:
        trees = PackedTrees(_numbered(parts.pop("packed"), where, kept.forests, "forest"))
    else:
        trees = _in_line(parts.pop("trees"), where, kept.trees)
    fields = {name: decode(value, where, Kept()) for name, value in parts.items()}
    return made_forest(trees, fields, where)


def _in_line(said: Any, where: str, trees: Sequence[Tree]) -> Sequence[Tree]:
    place = expect(said, list, where)
    if len(place) != 2 or any(type(number) is not int for number in place):
        raise ModelFileError(f"{where} must say the first tree of its forest, and how many")
    first, n_trees = place
    if first < 0 or n_trees < 1 or first + n_trees > len(trees):
        raise ModelFileError(f"{where} names {n_trees} trees from {first} on, of {len(trees)}")
    return tuple(trees[first : first + n_trees])


def _numbered(said: Any, where: str, things: Sequence[Any], what: str) -> Any:
    place: int = expect(said, int, where)
    if not 0 <= place < len(things):
        raise ModelFileError(f"{where} names {what} {place} of {len(things)}")
    return things[place]


def _record(said: Any, where: str, kept: Kept) -> Any:
    parts = _keys(said, {"name", "fields"}, where)
    name = expect(parts["name"], str, where)
    if name not in RECORDS:
        raise ModelFileError(f"{where} holds a {name!r}, which this softwood does not know")
    fields = _keys(parts["fields"], set(RECORDS[name]), where)
    made = {field: decode(value, where, kept) for field, value in fields.items()}
    return made_record(name, made, where)


def _flow(said: Any, where: str, kept: Kept) -> Flow:
    parts = _keys(said, {"name", "fields"}, where)
    if not isinstance(parts["name"], str) or parts["name"] not in FLOWS:
        raise ModelFileError(f"{where} is a flow that this softwood does not know")
    kind, types = FLOWS[parts["name"]]
    fields = _keys(parts["fields"], set(types), where)
    made = {name: decode(value, where, Kept()) for name, value in fields.items()}
    for name, value in made.items():
        kinds = types[name] if isinstance(types[name], tuple) else (types[name],)
        if type(value) not in kinds or not _holds_floats(value):  # True is no 1 to a generator
            raise ModelFileError(f"{where} has a {name} of the wrong type")
    try:
        flow: Flow = kind(**made)
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"{where} is wrong: {error}") from error
    return flow


def _holds_floats(value: Any) -> bool:
    """Whether a tuple holds floats alone, or tuples of them; what is no tuple will do."""
    items = value if isinstance(value, tuple) else ()
    return all(type(item) is float or isinstance(item, tuple) for item in items) and all(
        _holds_floats(item) for item in items
    )


def _schema(said: Any, where: str, kept: Kept) -> Schema:
    preparation = None
    if isinstance(said, dict):
        parts = _keys(said, {"features", "preparation"}, where)
        said, preparation = parts["features"], decode_preparation(parts["preparation"], where)
    features = tuple(_feature(feature, where) for feature in expect(said, list, where))
    if preparation is not None and preparation.features != [f.name for f in features]:
        raise ModelFileError(f"{where}: the columns do not become the features of the model")
    return Schema(features, preparation)


def _feature(said: Any, where: str) -> Feature:
    parts = _keys(said, {"name", "categories", "is_date"}, where)
    name = expect(parts["name"], str, where)
    where = f"the feature {name!r}"
    is_date = expect(parts["is_date"], bool, where)
    if parts["categories"] is None:
        return Feature(name, is_date=is_date)
    if is_date:
        raise ModelFileError(f"{where} must hold either categories or dates")
    said = expect(parts["categories"], list, where)
    missing = [None] if said and said[-1] is None else []  # missing values are a category
    known = said[: len(said) - len(missing)]
    categories = (*(_scalar(item, where) for item in known), *missing)
    if any(category != category for category in categories):
        raise ModelFileError(f"{where} has NaN for a category")
    if len(set(categories)) != len(categories):
        raise ModelFileError(f"{where} has a category twice")
    return Feature(name, categories)


def _estimator(said: Any, where: str, kept: Kept) -> Any:
    parts = _keys(said, {"class", "parameters"}, where)
    return constructed(parts["class"], decode_parameters(parts["parameters"], where))


def _method(said: Any, where: str, kept: Kept) -> Any:
    parts = _keys(said, {"name", "options"}, where)
    made, options = method_named(parts["name"])(), decode_parameters(parts["options"], where)
    try:
        return made.set_params(**options)
    except ValueError as error:
        raise ModelFileError(str(error)) from error


_READERS: dict[str, Callable[[Any, str, Kept], Any]] = {
    "float": _float,
    "bytes": _bytes,
    "tuple": _tuple,
    "dict": _dict,
    "array": _array,
    "tree": _tree,
    "forest": _forest,
    "record": _record,
    "flow": _flow,
    "schema": _schema,
    "estimator": _estimator,
    "method": _method,
}
