"""Tables for a fitted model: the columns it reads, and the one it predicts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from softwood.cli import _tables
from softwood.data.identity import places
from softwood.data.readers import MISSING
from softwood.data.schema import Feature, as_nominal, first_unread, read_numbers
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
    if name in table.names and hasattr(fitted, "classes_") and not table[name].is_nominal:
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
    # Categories that look like numbers in this file: 1.10 is not 1.1.
    worded = [feature.name for feature in features if feature.is_nominal or feature.is_date]
    misread = [name for name in (*worded, *nominal) if not table[name].is_nominal]
    table = _tables.read(path, misread) if misread else table
    return _with_marks_that_are_categories(table, features, path)


def _with_marks_that_are_categories(table: Table, features: Iterable[Feature], path: Path) -> Table:
    """Return the table with ``?``, ``NA`` and the like as categories where training had them so."""
    columns = {column.name: column for column in table.columns}
    for feature in features:
        own = {mark for mark in MISSING if mark and mark in (feature.categories or ())}
        if own:
            marks = [mark for mark in MISSING if mark not in own]
            columns[feature.name] = _tables.read(path, [feature.name], marks)[feature.name]
    return Table(tuple(columns.values()))


def _features(fitted: Any, table: Table) -> Table:
    return Table(tuple(table[feature.name] for feature in fitted.schema_.features))


def _target_name(fitted: Any, table: Table, path: Path) -> str:
    others = [name for name in table.names if name not in fitted.schema_.names]
    if len(others) == 1:
        return others[0]
    if not others:
        raise ValueError(f"{path} has no column besides those that the model reads")
    raise ValueError(f"give the column to predict by --target: one of {', '.join(others)}")


def _target_values(fitted: Any, column: Column) -> Any:
    """Return numbers, or the classes of the model that the column's values stand for."""
    classes = getattr(fitted, "classes_", None)
    if classes is None:
        return _numbers(column)
    column = as_nominal(column)
    own = places(column.categories or (), classes.tolist(), unknown=-1)
    place = np.array(own)[column.values]
    if (place < 0).any():
        seen = column.as_objects()[int(np.argmax(place < 0))]
        raise ValueError(
            f"column {column.name!r} has {seen!r}, which the model never saw; its classes are "
            f"{', '.join(map(str, classes.tolist()))}"
        )
    return np.asarray(classes)[place]


def _numbers(column: Column) -> Any:
    values = read_numbers(column)
    row = first_unread(column, values)
    if row is not None:
        raise ValueError(
            f"the model predicts a number, and column {column.name!r} has "
            f"{column.as_objects()[row]!r} (row {row})"
        )
    return values
