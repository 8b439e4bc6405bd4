"""The classes that a model file may name, and how estimators are made from parameters."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from softwood.errors import ModelFileError

# A file names a class; only these are ever imported. A new estimator adds its line here.
ESTIMATORS = {
    "C45Classifier": "softwood.estimators",
    "CARTClassifier": "softwood.estimators",
    "CARTRegressor": "softwood.estimators",
    "SoftTreeClassifier": "softwood.estimators.soft",
    "SoftTreeRegressor": "softwood.estimators.soft",
    "SoftenedClassifier": "softwood.estimators.softened",
    "SoftenedRegressor": "softwood.estimators.softened",
    "ObliqueTreeClassifier": "softwood.estimators.oblique",
    "EvolvedTreeClassifier": "softwood.estimators.evolved",
    "VRTreeClassifier": "softwood.estimators.vr_tree",
    "VRTreeRegressor": "softwood.estimators.vr_tree",
    "VRForestClassifier": "softwood.estimators.vr_forest",
    "VRForestRegressor": "softwood.estimators.vr_forest",
    "CoalescenceClassifier": "softwood.estimators.coalescence",
    "CoalescenceRegressor": "softwood.estimators.coalescence",
    "BaggedTreesClassifier": "softwood.estimators.bagged",
    "BaggedTreesRegressor": "softwood.estimators.bagged",
}
# Frozen dataclasses that fitted attributes may hold; the reader knows the types of their fields.
RECORDS = {
    "Calibration": "softwood.conformal.calibration",
    "Imported": "softwood.interop.imported",
    "Perturbation": "softwood.refine.perturbation",
    "RowReader": "softwood.interop._rows",
    "SmoothingPath": "softwood.refine.smoothing",
}
# Ways to soften, which parameters may hold.
METHODS = ("Gradient", "Anneal", "Perturb", "Confidence")


def class_named(name: Any) -> Any:
    """Return the estimator class that a file calls ``name``."""
    if not isinstance(name, str) or name not in ESTIMATORS:
        raise ModelFileError(f"it holds a {name!r}, which this softwood does not know")
    return getattr(import_module(ESTIMATORS[name]), name)


def is_registered(model: Any) -> bool:
    """Whether ``model`` is of exactly one of the known classes, not of a subclass."""
    name = type(model).__name__
    return name in ESTIMATORS and type(model) is class_named(name)


def is_method(value: Any) -> bool:
    """Whether ``value`` is of exactly one of the ways to soften."""
    name = type(value).__name__
    return name in METHODS and type(value) is method_named(name)


def method_named(name: Any) -> Any:
    """Return the way to soften that a file calls ``name``."""
    if name not in METHODS:
        raise ModelFileError(f"it holds a method {name!r}, which this softwood does not know")
    return getattr(import_module("softwood.learn.soften"), name)


def record_named(name: str) -> Any:
    """Return the class of a record."""
    return getattr(import_module(RECORDS[name]), name)


def is_record(value: Any) -> bool:
    """Whether ``value`` is of exactly one of the classes of records."""
    name = type(value).__name__
    return name in RECORDS and type(value) is record_named(name)


def constructed(name: Any, parameters: Mapping[str, Any]) -> Any:
    """Return an unfitted estimator; parameters the file does not mention keep their defaults."""
    kind = class_named(name)
    unknown = sorted(set(parameters) - set(kind._get_param_names()))
    if unknown:
        raise ModelFileError(f"{name} has no parameter {unknown[0]!r}")
    # A stranger must not choose where a later fit writes.
    local = dict.fromkeys(set(parameters) & set(getattr(kind, "_local_parameters", ())))
    model = kind(**{**parameters, **local})
    try:
        model._validate_params()
    except (TypeError, ValueError) as error:
        raise ModelFileError(str(error)) from error
    if getattr(model, "n_jobs", None) == 0:
        raise ModelFileError(f"the parameter 'n_jobs' of {name} must not be 0")
    return model
