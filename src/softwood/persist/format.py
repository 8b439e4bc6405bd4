"""What a model file holds, in the format this softwood writes.

::

    manifest.json   version, sizes, checksum: see softwood.persist.container
    model.json      class, parameters, fitted attributes, shape of the trees and forests
    trees/...       the arrays of all trees, little-endian: see softwood.persist.trees
    forests/0/...   those of a packed forest: see softwood.persist.forests

An estimator plugs in by being in :data:`softwood.persist.registry.ESTIMATORS` and by
keeping to this:

- its fitted state is :data:`ATTRIBUTES`, of which ``tree_`` or ``trees_`` (a list) is
  there, and what it declares in a class attribute ``_saved_attributes``, a tuple of
  names. A declared attribute may hold anything that :mod:`softwood.persist.values`
  can write, trees and forests included, and need not be there;
- a declared ``imported_`` (see :class:`softwood.interop.Imported`) may stand for trees,
  flow, schema and classes, if the estimator has these as properties;
- what it names in ``_late_attributes`` is there only when asked for, and asked for;
- what it names in ``_unsaved_attributes`` tells how the fit went and is left out;
- parameters that it names in ``_foreign_parameters`` may hold models of other libraries,
  which are written as None;
- parameters that it names in ``_local_parameters`` are places on the user's machine: they
  are written as None, and not taken from a file;
- what is no model but stands on one says in ``_how_to_save`` what to save in its place;
- ``_frequency_trees = False`` at class level says that its trees do not hold class
  frequencies, though it is a classifier;
- a method ``_check_restored()``, if there is one, is called after loading and raises
  ValueError if the declared attributes do not fit together.
"""

from __future__ import annotations

from typing import Any

from softwood.persist.container import json_bytes
from softwood.persist.forests import forests_to_members
from softwood.persist.kept import Kept
from softwood.persist.registry import ESTIMATORS, is_registered
from softwood.persist.trees import trees_to_members
from softwood.persist.values import encode, encode_parameters

VERSION = 1
MODEL = "model.json"
ATTRIBUTES = (
    "tree_",
    "trees_",
    "flow_",
    "schema_",
    "classes_",
    "n_features_in_",
    "feature_names_in_",
    "column_scales_",
    "whole_columns_",
    "calibration_",
)
UNSAVED = ("refreshed_",)  # how softwood.refresh went, of any model


def members_of(model: Any) -> dict[str, bytes]:
    """Return the members of the file of ``model``."""
    name = type(model).__name__
    if isinstance(model, type) or not is_registered(model):
        how = getattr(model, "_how_to_save", "")
        raise TypeError(
            f"save takes a fitted softwood estimator, one of {', '.join(ESTIMATORS)}; "
            f"got {model!r} of type {name}{how and ': '}{how}"
        )
    if not model.__sklearn_is_fitted__():
        raise ValueError(f"this {name} is not fitted yet; call fit before save")
    kept = Kept()
    attributes = {
        attribute: encode(value, f"the attribute {attribute!r} of {name}", kept)
        for attribute, value in sorted(fitted_attributes(model).items())
    }
    trees, members_of_trees = trees_to_members(kept.trees)
    forests, members_of_forests = forests_to_members(kept.forests)
    said = {
        "class": name,
        "parameters": encode_parameters(model),
        "attributes": attributes,
        "trees": trees,
        "forests": forests,
    }
    return {MODEL: json_bytes(said), **members_of_trees, **members_of_forests}


def declared_attributes(kind: type) -> tuple[str, ...]:
    """Return the names of the fitted attributes that a file of ``kind`` may hold."""
    return (*ATTRIBUTES, *getattr(kind, "_saved_attributes", ()))


def fitted_attributes(model: Any) -> dict[str, Any]:
    """Return the public fitted attributes of ``model``; none may be lost by oversight."""
    for name in getattr(model, "_late_attributes", ()):
        getattr(model, name, None)
    fitted = {
        name: value
        for name, value in vars(model).items()
        if name.endswith("_") and not name.startswith("_")
    }
    for name in (*UNSAVED, *getattr(model, "_unsaved_attributes", ())):
        fitted.pop(name, None)
    undeclared = sorted(set(fitted) - set(declared_attributes(type(model))))
    if undeclared:
        raise TypeError(
            f"{type(model).__name__} has the attribute {undeclared[0]!r}, which model files do "
            "not keep; delete it, or declare it in _saved_attributes"
        )
    return fitted
