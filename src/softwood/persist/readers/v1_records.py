"""Records of format 1: what their fields must be, and what must hold between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from softwood.data.schema import Schema
from softwood.errors import ModelFileError
from softwood.flow import Gaussian, Hard, Ramp, Sampled
from softwood.forest import Forest
from softwood.persist.registry import record_named
from softwood.refine.losses import OF_CLASSES
from softwood.tree import Tree

LOSSES = (*OF_CLASSES, "squared_error")
FLOATS, CODES, COUNTS = np.dtype("f8"), np.dtype("i4"), np.dtype("i8")
NONE = type(None)

# An array is told by the dtype of its entries, a record by its name.
FOREST: dict[str, tuple[Any, ...]] = {
    "output": (CODES,),
    "factor": (FLOATS,),
    "base": (FLOATS,),
    "link": (str,),
    "slope": (float,),
    "is_mean": (bool,),
}
RECORDS: dict[str, dict[str, tuple[Any, ...]]] = {
    "Calibration": {
        "scores": (FLOATS,),
        "weights": (FLOATS,),
        "counts": (COUNTS,),
        "n_scores": (COUNTS,),
        "method": (str,),
        "spread": (float,),
        "blur": (Gaussian, NONE),
    },
    "Imported": {
        "forest": (Forest,),
        "reader": ("RowReader",),
        "classes": (np.ndarray, NONE),
        "kind": (str,),
        "is_single_tree": (bool,),
        "flow": (Hard, Ramp, Gaussian, Sampled),
        "rule": (str,),
    },
    "Perturbation": {
        "scale": (tuple,),
        "marginals": (tuple,),
        "flow": (str,),
        "n": (int,),
        "random_state": (int,),
    },
    "RowReader": {
        "schema": (Schema,),
        "checks_names": (bool,),
        "codes_above": (float, NONE),
        "unnamed": (tuple,),
        "unknown": (str,),
        "missing_value": (float,),
        "zero": (float,),
        "zero_is_missing": (tuple,),
        "rounds_integers": (bool,),
        "fill": (tuple,),
    },
    "SmoothingPath": {
        "smoothing": (float,),
        "lambdas": (FLOATS,),
        "losses": (FLOATS,),
        "standard_errors": (FLOATS,),
        "loss_name": (str,),
        "best": (float,),
        "parsimonious": (float,),
        "perturbation": ("Perturbation",),
    },
}


def made_forest(trees: Sequence[Tree], fields: Mapping[str, Any], where: str) -> Forest:
    """Return the forest of ``trees``, whose other fields are to be checked."""
    _check_types(fields, FOREST, where)
    forest: Forest = _made(lambda: Forest(trees, **fields), where)
    return forest


def made_record(name: str, fields: Mapping[str, Any], where: str) -> Any:
    """Return the record that a file calls ``name``, whose fields are to be checked."""
    _check_types(fields, RECORDS[name], where)
    record = _made(lambda: record_named(name)(**fields), where)
    if name == "SmoothingPath":
        _check_path(record, where)
    if name == "RowReader" and not np.isfinite(record.codes_above or 0.0):
        raise ModelFileError(f"{where} must have a finite limit of codes")
    return record


def _made(make: Callable[[], Any], where: str) -> Any:
    try:
        return make()
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"{where} is wrong: {error}") from error


def _check_types(
    fields: Mapping[str, Any], wanted: Mapping[str, tuple[Any, ...]], where: str
) -> None:
    for name, value in fields.items():
        if not any(_is(value, kind) for kind in wanted[name]):
            raise ModelFileError(f"{where} has a field {name!r} of the wrong type")


def _is(value: Any, kind: Any) -> bool:
    if isinstance(kind, np.dtype):
        return isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype == kind
    return type(value) is (record_named(kind) if isinstance(kind, str) else kind)


def _check_path(path: Any, where: str) -> None:
    """Complain unless the curve has a loss for every lambda, and its choices are on it."""
    lambdas = path.lambdas
    if lambdas.size == 0 or not np.all(np.diff(lambdas) > 0.0) or not np.isfinite(lambdas).all():
        raise ModelFileError(f"{where} must have finite lambdas that ascend")
    if not lambdas.shape == path.losses.shape == path.standard_errors.shape:
        raise ModelFileError(f"{where} must have a loss, and its error, for every lambda")
    numbers = np.concatenate([path.losses, path.standard_errors])
    if lambdas[0] < 0.0 or np.isnan(numbers).any() or numbers.min() < 0.0:
        raise ModelFileError(f"{where} must have lambdas and losses that are not negative")
    if path.loss_name not in LOSSES:
        raise ModelFileError(f"{where} has the loss {path.loss_name[:80]!r}, which is unknown")
    if not np.isin([path.smoothing, path.best, path.parsimonious], lambdas).all():
        raise ModelFileError(f"{where} has chosen a lambda that was not tried")
    _made(lambda: path.flow, where)
