"""Tables for a fitted model: the columns it reads, and the one it predicts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from softwood.cli import _tables
from softwood.data.table import Column, Table


def columns_for(fitted: Any, path: Path) -> Table:
    """Return the columns the model was fitted on, in its order; others are ignored."""
    return _features(fitted, _read(fitted, path))


def columns_and_target(fitted: Any, path: Path, target: str | None) -> tuple[Table, Any]:
    """Return the columns of the model and its target, for the rows whose target is known.

    Without a name, the target is the one column that the model does not read.
    """
    table = _read(fitted, path)
    name = _target_name(fitted, table, path) if target is None else target
    if name in fitted.schema_.names:
        raise ValueError(f"the model reads the column {name!r}; it cannot be its target too")
    if name in table.names and _classes_are_text(fitted) and not table[name].is_nominal:
        table = _read(fitted, path, [name])
    kept, column = _tables.split_target(table, name)
    return _features(fitted, kept), _target_values(fitted, column)


def _read(fitted: Any, path: Path, nominal: Iterable[str] = ()) -> Table:
    table = _tables.read(path)
    features = fitted.schema_.features
    absent = [feature.name for feature in features if feature.name not in table.names]
    if absent:
        raise ValueError(
            f"{path} lacks the column{'s' if len(absent) > 1 else ''} "
            f"{', '.join(map(repr, absent))} that the model was fitted on"
        )
    # Categories that look like numbers in this file: 007 is not 7.
    misread = [f.name for f in features if f.is_nominal and not table[f.name].is_nominal]
    misread += nominal
    return _tables.read(path, misread) if misread else table


def _features(fitted: Any, table: Table) -> Table:
    return Table(tuple(table[feature.name] for feature in fitted.schema_.features))


def _target_name(fitted: Any, table: Table, path: Path) -> str:
    others = [name for name in table.names if name not in fitted.schema_.names]
    if len(others) == 1:
        return others[0]
    if not others:
        raise ValueError(f"{path} has no column besides those that the model reads")
    raise ValueError(f"give the column to predict by --target: one of {', '.join(others)}")


def _classes_are_text(fitted: Any) -> bool:
    return hasattr(fitted, "classes_") and np.asarray(fitted.classes_).dtype.kind in "OSU"


def _target_values(fitted: Any, column: Column) -> Any:
    """Return numbers, or the classes of the model that the column's values stand for."""
    classes = getattr(fitted, "classes_", None)
    values = column.as_objects()
    if classes is None:
        if column.is_nominal:
            raise ValueError(
                f"the model predicts a number, and column {column.name!r} has {values[0]!r}"
            )
        return column.values
    known = {_text(label): place for place, label in enumerate(classes.tolist())}
    places = [known.get(_text(value), -1) for value in values.tolist()]
    if -1 in places:
        raise ValueError(
            f"column {column.name!r} has {_text(values[places.index(-1)])!r}, which the model "
            f"never saw; its classes are {', '.join(known)}"
        )
    return np.asarray(classes)[places]


def _text(value: Any) -> str:
    """Return how a file would write a class; numbers need no decimals to be equal."""
    return f"{value:.17g}" if isinstance(value, float) else str(value)
