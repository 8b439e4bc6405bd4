"""Format 1: members to a fitted model, everything in them checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.conformal import Calibration
from softwood.data.schema import Schema
from softwood.errors import ModelFileError
from softwood.flow import Gaussian, Hard, Ramp, Sampled
from softwood.forest.packed import PackedForest
from softwood.persist.container import parse_json
from softwood.persist.forests import FOLDER, forests_from_members
from softwood.persist.format import MODEL, declared_attributes
from softwood.persist.kept import Kept
from softwood.persist.readers.v1_values import decode, decode_parameters, expect
from softwood.persist.registry import class_named, constructed
from softwood.persist.trees import are_frequencies, trees_from_members
from softwood.refine.perturbation import Perturbation
from softwood.refine.smoothing import SmoothingPath
from softwood.tree import NOMINAL, NUMERIC, Tree

MOST_NUMBERS = 2**27  # that the copies of one row may hold together: a gibibyte


def read(members: Mapping[str, bytes]) -> Any:
    """Return the model that the members of a file describe."""
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused in words
        return _read(dict(members))


def _read(members: dict[str, bytes]) -> Any:
    if MODEL not in members:
        raise ModelFileError(f"it has no {MODEL}")
    said = expect(parse_json(members.pop(MODEL), MODEL), dict, MODEL)
    if set(said) != {"class", "parameters", "attributes", "trees", "forests"}:
        raise ModelFileError(f"{MODEL} has the wrong keys: {sorted(said)}")
    kind = class_named(said["class"])
    model = constructed(said["class"], decode_parameters(said["parameters"], "parameters"))
    kept = _kept(said, members)
    attributes = {
        name: decode(value, f"the attribute {name!r}", kept)
        for name, value in expect(said["attributes"], dict, "attributes").items()
    }
    _check_names(kind, attributes)
    known = {**attributes, **_known_of_imported(attributes.get("imported_"))}
    _check_attributes(kind, known)
    for noise in _noises(list(known.values())):
        _check_noise(noise, known["schema_"])
    for tree in kept.trees:
        _check_features(tree, known["schema_"])
        _check_weights(tree)
        _check_responses(tree.response, kind, known)
    for forest in kept.forests:
        _check_columns(forest, known["schema_"])
        _check_responses(forest.table, kind, known)
    vars(model).update(attributes)
    _check_model(model)
    return model


def _kept(said: Mapping[str, Any], members: Mapping[str, bytes]) -> Kept:
    of_forests = {name: members[name] for name in members if name.startswith(FOLDER)}
    of_trees = {name: members[name] for name in members if name not in of_forests}
    return Kept(
        trees_from_members(said["trees"], of_trees),
        forests_from_members(said["forests"], of_forests),
    )


def _check_names(kind: Any, attributes: Mapping[str, Any]) -> None:
    for name in sorted(attributes):
        is_computed = isinstance(getattr(kind, name, None), property)
        if is_computed or name not in declared_attributes(kind):
            raise ModelFileError(f"{kind.__name__} has no attribute {name!r}")


def _known_of_imported(imported: Any) -> dict[str, Any]:
    """Return what an imported model says under the names that our own models have for it."""
    if type(imported).__name__ != "Imported":
        return {}
    known = {"schema_": imported.schema, "flow_": imported.flow}
    return known if imported.classes is None else {**known, "classes_": imported.classes}


def _check_attributes(kind: Any, attributes: Mapping[str, Any]) -> None:
    for name in ("schema_", "flow_", "n_features_in_"):
        if name not in attributes:
            raise ModelFileError(f"the attribute {name!r} is missing")
    for name, (is_right, wanted) in _WANTED.items():
        if name in attributes and not is_right(attributes[name]):
            raise ModelFileError(f"the attribute {name!r} must be {wanted}")
    if ("classes_" in attributes) != hasattr(kind, "predict_proba"):
        raise ModelFileError("a classifier, and no other model, must have classes")
    _check_calibration(attributes)
    names = attributes["schema_"].names
    if attributes["n_features_in_"] != len(names):
        raise ModelFileError(f"n_features_in_ must be {len(names)}, as the schema has it")
    if "feature_names_in_" not in attributes:
        return
    # Others may have changed the names: LightGBM knows no blanks in them.
    seen = attributes["feature_names_in_"].tolist()
    if len(seen) != len(names) or ("imported_" not in attributes and seen != names):
        raise ModelFileError("feature_names_in_ must be the names in the schema")


def _check_calibration(attributes: Mapping[str, Any]) -> None:
    calibration, n_classes = attributes.get("calibration_"), len(attributes.get("classes_", [None]))
    if calibration is not None and calibration.n_classes != n_classes:
        raise ModelFileError(f"the calibration is of {calibration.n_classes} classes")


def _noises(value: Any) -> Iterator[Any]:
    """Yield every flow, and all else that perturbs rows, wherever it stands."""
    if isinstance(value, Gaussian | Sampled | Perturbation):
        yield value
    elif isinstance(value, SmoothingPath):
        yield value.perturbation
    elif isinstance(value, Calibration):
        yield from _noises((value.blur,))
    elif isinstance(value, dict):
        yield from _noises(list(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _noises(item)


def _check_noise(noise: Any, schema: Schema) -> None:
    """Complain about deviations and shares that are not those of the columns."""
    n_features = len(schema.features)
    if isinstance(noise.scale, tuple) and len(noise.scale) != n_features:
        raise ModelFileError(f"the flow has {len(noise.scale)} scales for {n_features} features")
    if noise.marginals and len(noise.marginals) != n_features:
        raise ModelFileError(
            f"the flow has {len(noise.marginals)} marginals for {n_features} features"
        )
    if getattr(noise, "n", 0) * n_features > MOST_NUMBERS:
        raise ModelFileError(f"the flow draws {noise.n} copies of rows of {n_features} features")
    for shares, n_categories in zip(noise.marginals, schema.n_categories, strict=False):
        if shares and len(shares) != n_categories:
            raise ModelFileError(f"the flow has {len(shares)} shares for {n_categories} categories")


def _is_vector(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 1


def _are_classes(value: Any) -> bool:
    if not _is_vector(value) or value.size == 0:
        return False
    items = value.tolist()
    is_text = all(isinstance(item, str) for item in items)
    is_number = all(isinstance(item, int | float) and np.isfinite(item) for item in items)
    return (is_text or is_number) and len(set(items)) == len(items)


def _are_names(value: Any) -> bool:
    return _is_vector(value) and all(isinstance(name, str) for name in value.tolist())


def _are_trees(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(tree, Tree) for tree in value) and bool(value)


_WANTED: dict[str, tuple[Any, str]] = {
    "tree_": (lambda value: isinstance(value, Tree), "a tree"),
    "trees_": (_are_trees, "a list of trees"),
    "flow_": (lambda value: isinstance(value, Hard | Ramp | Gaussian | Sampled), "a flow"),
    "schema_": (lambda value: isinstance(value, Schema), "a schema"),
    "classes_": (_are_classes, "distinct classes"),
    "n_features_in_": (lambda value: type(value) is int, "a whole number"),
    "feature_names_in_": (_are_names, "a list of names"),
    "calibration_": (lambda value: isinstance(value, Calibration), "a calibration"),
    "imported_": (lambda value: type(value).__name__ == "Imported", "an imported model"),
    "smoothing_": (lambda value: type(value) is float and 0.0 <= value < np.inf, "a lambda"),
    "smoothing_path_": (
        lambda value: value is None or isinstance(value, SmoothingPath),
        "a curve of losses",
    ),
}


def _check_features(tree: Tree, schema: Schema) -> None:
    n_categories = _n_categories(schema, tree.n_features)
    for kind, wanted in ((NUMERIC, False), (NOMINAL, True)):
        _check_kind(tree.feature[tree.kind == kind], wanted, schema)
    nodes = np.flatnonzero(tree.kind == NOMINAL)
    if np.any(np.diff(tree.set_start)[nodes] != n_categories[tree.feature[nodes]]):
        raise ModelFileError("a tree has a test that does not fit the categories of its feature")


def _check_columns(forest: PackedForest, schema: Schema) -> None:
    n_categories = _n_categories(schema, forest.n_features)
    tested, one_hot = np.unique(forest.tested_columns), forest.one_hot
    if one_hot is None:
        _check_kind(tested, False, schema)
        return
    for wanted in (False, True):
        columns = tested[one_hot.is_indicator[tested] == wanted]
        _check_kind(one_hot.feature[columns], wanted, schema)
    if np.any(one_hot.n_categories != n_categories):
        raise ModelFileError("a forest has columns that do not fit the categories of its features")


def _n_categories(schema: Schema, n_features: int) -> IndexArray:
    if n_features != schema.n_categories.size:
        raise ModelFileError(f"a tree reads {n_features} features of {schema.n_categories.size}")
    return schema.n_categories


def _check_kind(features: AnyArray, is_nominal: bool, schema: Schema) -> None:
    if any(schema.features[f].is_nominal != is_nominal for f in np.unique(features).tolist()):
        raise ModelFileError("a tree has a test that does not fit the kind of its feature")


def _check_weights(tree: Tree) -> None:
    """Complain about weights by which a row with a missing value could not be divided."""
    if not np.isfinite(tree.weight.sum()):
        raise ModelFileError("the weights of a tree must have a finite sum")


def _check_responses(response: FloatArray, kind: Any, attributes: Mapping[str, Any]) -> None:
    if not getattr(kind, "_frequency_trees", True):
        return
    n_outputs = len(attributes.get("classes_", [None]))
    found = response.shape[1]
    if found != n_outputs:
        raise ModelFileError(f"a tree gives {found} outputs, but {n_outputs} are wanted")
    if "classes_" in attributes and not are_frequencies(response):
        raise ModelFileError("a tree has class frequencies that are negative or do not sum to 1")


def _check_model(model: Any) -> None:
    if not model.__sklearn_is_fitted__():
        raise ModelFileError(f"what it holds does not make a fitted {type(model).__name__}")
    check = getattr(model, "_check_restored", None)
    if check is not None:
        try:
            check()
        except ValueError as error:
            raise ModelFileError(str(error)) from error
