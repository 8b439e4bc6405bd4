"""Values as JSON: what parameters and fitted attributes may hold, and how it is written.

None, text, booleans, numbers and lists are written as they are. Everything else is an
object with one key, which says what it is::

    {"float": "nan"}    {"bytes": "00ff"}    {"tuple": [...]}    {"dict": [[key, value], ...]}
    {"array": {"dtype": "<f8", "shape": [2], "values": [...]}}
    {"tree": 0}         {"flow": {"name": "Ramp", "fields": {...}}}
    {"schema": [{"name": "size", "categories": null, "is_date": false}, ...]}
    {"estimator": {"class": "CARTClassifier", "parameters": {...}}}
    {"method": {"name": "Gradient", "options": {...}}}
    {"forest": {"trees": [0, 100], "output": ..., "factor": ..., "link": "softmax", ...}}
    {"forest": {"packed": 0, "output": ..., ...}}
    {"record": {"name": "RowReader", "fields": {...}}}

A tree is a number: trees are kept apart, and the number is its place among them. The trees
of a forest stand together there: it says the first place, and how many they are. A packed
forest has a number of its own.
"""

from __future__ import annotations

import dataclasses
import math
from functools import singledispatch
from typing import Any

import numpy as np

from softwood._types import AnyArray
from softwood.data.schema import Feature, Schema
from softwood.flow import Gaussian, Hard, Ramp, Sampled
from softwood.forest import Forest
from softwood.forest.packed import PackedTrees
from softwood.persist.kept import Kept
from softwood.persist.preparation import encode_preparation
from softwood.persist.registry import is_method, is_record, is_registered
from softwood.tree import Tree

FLOWS = (Hard, Ramp, Gaussian, Sampled)
Scalar = str | int | float | bool | bytes
UNSAVED_FIELDS = ("bootstrap_indices",)  # they point to training rows, which the file has not
GENERATORS = (np.random.RandomState, np.random.Generator, np.random.SeedSequence)


def encode_parameters(model: Any) -> dict[str, Any]:
    """Return the parameters of an estimator as JSON can hold them."""
    name = type(model).__name__
    values = model.get_params(deep=False)
    for parameter in getattr(model, "_foreign_parameters", ()):
        if hasattr(values[parameter], "predict") and not is_registered(values[parameter]):
            values[parameter] = None
    for parameter in getattr(model, "_local_parameters", ()):
        values[parameter] = None
    return {
        parameter: encode(value, f"the parameter {parameter!r} of {name}", Kept())
        for parameter, value in values.items()
    }


@singledispatch
def encode(value: Any, where: str, kept: Kept) -> Any:
    """Return ``value`` as JSON can hold it; append the trees it holds to those that are kept.

    Parameters
    ----------
    value : object
        What to write.
    where : str
        What to call it if it cannot be written.
    kept : Kept
        Trees and forests written so far.

    Returns
    -------
    object
        Made of dicts with text keys, lists, text, finite numbers, booleans and None.

    Examples
    --------
    >>> from softwood.persist.kept import Kept
    >>> from softwood.persist.values import encode
    >>> encode({1: (0.5, float("inf"))}, "the parameter 'costs'", Kept())
    {'dict': [[1, {'tuple': [0.5, {'float': 'inf'}]}]]}
    """
    if is_registered(value):
        parameters = encode_parameters(value)
        return {"estimator": {"class": type(value).__name__, "parameters": parameters}}
    if is_method(value):
        options = {name: encode(option, where, kept) for name, option in value.get_params().items()}
        return {"method": {"name": type(value).__name__, "options": options}}
    if is_record(value):
        return {"record": _named_fields(value, where, kept)}
    raise TypeError(
        f"{where} holds {value!r}, of type {type(value).__name__}, which a model file cannot hold; "
        "it can hold text, numbers, booleans, None, arrays, and lists, tuples and dicts of them"
    )


@encode.register(type(None))
def _(value: None, where: str, kept: Kept) -> None:
    return None


@encode.register
def _(value: str, where: str, kept: Kept) -> str:
    return str.__str__(value)  # plain text, of an enumeration too


@encode.register
def _(value: bool, where: str, kept: Kept) -> bool:
    return value


@encode.register
def _(value: int, where: str, kept: Kept) -> int:
    return int(value)


@encode.register
def _(value: float, where: str, kept: Kept) -> Any:
    return float(value) if math.isfinite(value) else {"float": str(float(value))}


@encode.register
def _(value: bytes, where: str, kept: Kept) -> dict[str, str]:
    return {"bytes": value.hex()}


@encode.register
def _(value: np.generic, where: str, kept: Kept) -> Any:
    plain = value.item()
    if isinstance(plain, np.generic):  # numpy's long double has no Python number
        raise TypeError(f"{where} holds {value!r}, which a model file cannot hold; use float64")
    return encode(plain, where, kept)


@encode.register
def _(value: list, where: str, kept: Kept) -> list[Any]:  # type: ignore[type-arg]
    return [encode(item, where, kept) for item in value]


@encode.register
def _(value: tuple, where: str, kept: Kept) -> dict[str, Any]:  # type: ignore[type-arg]
    return {"tuple": [encode(item, where, kept) for item in value]}


@encode.register
def _(value: dict, where: str, kept: Kept) -> dict[str, Any]:  # type: ignore[type-arg]
    return {
        "dict": [
            [_scalar(key, f"a key of {where}"), encode(item, where, kept)]
            for key, item in value.items()
        ]
    }


@encode.register
def _(value: np.ndarray, where: str, kept: Kept) -> dict[str, Any]:
    kind, size = value.dtype.kind, value.dtype.itemsize
    if kind not in "biufUO" or (kind == "f" and size > 8):
        raise TypeError(f"{where} is an array of {value.dtype}, which a model file cannot hold")
    return {
        "array": {
            "dtype": value.dtype.str,
            "shape": list(value.shape),
            "values": [encode(item, where, kept) for item in _flat(value)],
        }
    }


def _flat(array: AnyArray) -> list[Any]:
    items: list[Any] = array.ravel().tolist()
    return items


@encode.register
def _(value: Tree, where: str, kept: Kept) -> dict[str, int]:
    kept.trees.append(value)
    return {"tree": len(kept.trees) - 1}


@encode.register
def _(value: Forest, where: str, kept: Kept) -> dict[str, Any]:
    fields = {
        field.name: encode(getattr(value, field.name), where, Kept())
        for field in dataclasses.fields(value)
        if field.name != "trees"
    }
    if isinstance(value.trees, PackedTrees):
        kept.forests.append(value.trees.packed)
        return {"forest": {"packed": len(kept.forests) - 1, **fields}}
    first = len(kept.trees)
    kept.trees.extend(value.trees)
    return {"forest": {"trees": [first, value.n_trees], **fields}}


@encode.register
def _(value: Schema, where: str, kept: Kept) -> dict[str, Any]:
    features = [_feature(feature) for feature in value.features]
    if value.preparation is None:
        return {"schema": features}
    prepared = encode_preparation(value.preparation)
    return {"schema": {"features": features, "preparation": prepared}}


def _feature(feature: Feature) -> dict[str, Any]:
    categories = _categories(feature.name, feature.categories)
    return {
        "name": str(feature.name),
        "categories": categories,
        "is_date": bool(feature.is_date),
    }


def _categories(name: str, categories: tuple[Any, ...] | None) -> list[Any] | None:
    if categories is None:
        return None
    missing = [None] if categories and categories[-1] is None else []  # its own category
    known = categories[: len(categories) - len(missing)]
    return [*(_scalar(category, f"the feature {name!r}") for category in known), *missing]


def _scalar(value: Any, where: str) -> Any:
    if not isinstance(value, Scalar | np.generic):
        raise TypeError(
            f"{where} holds {value!r}, of type {type(value).__name__}, which a model file cannot "
            "hold; turn it into text or a number"
        )
    return encode(value, where, Kept())


def _encode_flow(value: Any, where: str, kept: Kept) -> dict[str, Any]:
    return {"flow": _named_fields(value, where, kept)}


def _named_fields(value: Any, where: str, kept: Kept) -> dict[str, Any]:
    fields = {
        field.name: encode(getattr(value, field.name), where, kept)
        for field in dataclasses.fields(value)
        if field.name not in UNSAVED_FIELDS
    }
    return {"name": type(value).__name__, "fields": fields}


def _encode_generator(value: Any, where: str, kept: Kept) -> None:
    return None  # the model is fitted: nothing will be drawn from it again


for _flow in FLOWS:
    encode.register(_flow, _encode_flow)
for _generator in GENERATORS:
    encode.register(_generator, _encode_generator)
