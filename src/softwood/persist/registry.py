"""The classes that a model file may name, and how they are made from parameters."""

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
}


def class_named(name: Any) -> Any:
    """Return the estimator class that a file calls ``name``."""
    if not isinstance(name, str) or name not in ESTIMATORS:
        raise ModelFileError(f"it holds a {name!r}, which this softwood does not know")
    return getattr(import_module(ESTIMATORS[name]), name)


def is_registered(model: Any) -> bool:
    """Whether ``model`` is of exactly one of the known classes, not of a subclass."""
    name = type(model).__name__
    return name in ESTIMATORS and type(model) is class_named(name)


def constructed(name: Any, parameters: Mapping[str, Any]) -> Any:
    """Return an unfitted estimator; parameters the file does not mention keep their defaults."""
    kind = class_named(name)
    unknown = sorted(set(parameters) - set(kind._get_param_names()))
    if unknown:
        raise ModelFileError(f"{name} has no parameter {unknown[0]!r}")
    model = kind(**parameters)
    try:
        model._validate_params()
    except (TypeError, ValueError) as error:
        raise ModelFileError(str(error)) from error
    return model
