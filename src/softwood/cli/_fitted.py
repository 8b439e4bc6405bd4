"""Tables for a fitted model: the columns it reads, and the one it predicts."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from softwood._types import AnyArray
from softwood.cli._screen import note
from softwood.cli._training import rows_of
from softwood.data.columns.apply import UnreadValueError, columns_of, prepared
from softwood.data.columns.plan import CATEGORY, ColumnPlan
from softwood.data.identity import places
from softwood.data.readers.options import ReadOptions
from softwood.data.readers.plain import table_of_rows
from softwood.data.readers.rows import BATCH, opened
from softwood.data.schema import as_nominal, first_unread, read_numbers
from softwood.data.table import Column, Table

if TYPE_CHECKING:
    import polars as pl

    from softwood.data.schema import Schema


@dataclass(frozen=True)
class Batch:
    """Some rows: as the file has them, and as the model reads them."""

    frame: Any
    X: Table


@contextmanager
def batches_for(
    fitted: Any, data: Sequence[str], options: ReadOptions, size: int = BATCH
) -> Iterator[tuple[list[str], Iterator[Batch]]]:
    """Open files for a model; yield their columns, and their rows, some at a time."""
    schema: Schema = fitted.schema_
    read = _reader(schema)
    with opened(data, _with_own_marks(schema, options), _as_text(schema)) as rows:
        for said in rows.notes:
            note(said)
        _check_columns(schema, rows.names, str(rows.parts[0].called))
        yield rows.names, _read_in_turn(rows.batches(size), read)


def _read_in_turn(
    frames: Iterator[pl.DataFrame], read: Callable[[pl.DataFrame], Table]
) -> Iterator[Batch]:
    done = 0
    for frame in frames:
        try:
            X = read(frame)
        except UnreadValueError as error:  # which counts rows of this batch alone
            raise error.at(done + error.row) from None
        done += frame.height
        yield Batch(frame, X)


def columns_and_target(
    fitted: Any, data: Sequence[str], target: str | None, options: ReadOptions | None = None
) -> tuple[Table, Any]:
    """Return the columns of the model and its target, for the rows whose target is known.

    Without a name, the target is the one the model was fitted to, or else the one column that
    the model does not read.
    """
    schema: Schema = fitted.schema_
    options = _with_own_marks(schema, options or ReadOptions())
    frame, own, _ = rows_of(data, options, AllBut(_numbers_read(schema)))
    name = target or _target_name(schema, frame.columns, own, data[0])
    frame = _with_known_target([schema], frame, name, data[0])
    return _reader(schema)(frame), _target_values(schema, _classes_of([fitted]), frame[name])


def _with_known_target(
    schemas: Sequence[Schema], frame: pl.DataFrame, name: str, where: str
) -> pl.DataFrame:
    """Return the rows with a known target."""
    _check_target(schemas, frame, name, where)
    known = frame[name].is_not_null()
    if not known.any():
        raise ValueError(f"column {name!r} is empty in every row")
    if not known.all():
        note(f"{(~known).sum()} of {frame.height} rows have no {name!r} and are left out")
        frame = frame.filter(known)
    return frame


def _check_target(schemas: Sequence[Schema], frame: pl.DataFrame, name: str, where: str) -> None:
    if any(name in columns_read(schema) for schema in schemas):
        raise ValueError(f"the model reads the column {name!r}; it cannot be its target too")
    if name not in frame.columns:
        raise ValueError(f"no column {name!r}; the columns are {', '.join(frame.columns)}")
    for schema in schemas:
        _check_columns(schema, frame.columns, where)


def columns_and_known_target(
    fitted: Any, data: Sequence[str], target: str | None, options: ReadOptions
) -> tuple[Table, Any, str | None]:
    """Return the columns of the model, its target and how that is called; both None if unknown.

    A file without the target will do: its rows can be looked at, and answered.
    """
    schema: Schema = fitted.schema_
    with batches_for(fitted, data, options) as (names, batches):
        has_target = target is not None or _possible_target(schema, names) is not None
        if not has_target:
            return _one_table([batch.X for batch in batches]), None, None
    X, y = columns_and_target(fitted, data, target, options)
    return X, y, target or _possible_target(schema, names)


class SameRows(NamedTuple):
    """The same rows as each of several models reads them."""

    tables: list[Table]
    y: Any  # None if the target is not there
    number: AnyArray  # of each row in the files, from 1


def tables_for_each(
    models: Sequence[Any], data: Sequence[str], target: str | None, options: ReadOptions
) -> SameRows:
    """Return the rows as each model reads them: all, or those whose target is known.

    The files are read once, and what is text to one of the models is text.
    """
    schemas: list[Schema] = [fitted.schema_ for fitted in models]
    for schema in schemas:
        options = _with_own_marks(schema, options)
    numbers = set.intersection(*(set(_numbers_read(schema)) for schema in schemas))
    frame, own, _ = rows_of(data, options, AllBut(numbers))
    possible = (_possible_target(schema, frame.columns) for schema in schemas)
    name = target or own or next(filter(None, possible), None)
    number, y = np.arange(frame.height) + 1, None
    if name is None:
        for schema in schemas:
            _check_columns(schema, frame.columns, data[0])
    else:
        known = _with_known_target(schemas, frame, name, data[0])
        number = number[frame[name].is_not_null().to_numpy()]
        frame, y = known, _target_values(schemas[0], _classes_of(models), known[name])
    return SameRows([_reader(schema)(frame) for schema in schemas], y, number)


def _possible_target(schema: Schema, names: Sequence[str]) -> str | None:
    """Return the column that can only be the target, if there is one."""
    preparation = schema.preparation
    if preparation is not None and preparation.target is not None:
        return preparation.target.name if preparation.target.name in names else None
    others = [name for name in names if name not in schema.names]
    return others[0] if len(others) == 1 else None


def _one_table(parts: Sequence[Table]) -> Table:
    """Return the rows of several tables of one schema, one after the other."""
    from softwood.data.schema import recoded

    columns = []
    for same in zip(*(part.columns for part in parts), strict=True):
        categories = tuple(dict.fromkeys(c for column in same for c in column.categories or ()))
        if same[0].categories is None:
            values = np.concatenate([column.values for column in same])
            columns.append(replace(same[0], values=values))
        else:
            codes = np.concatenate([recoded(column, categories) for column in same])
            columns.append(replace(same[0], values=codes, categories=categories))
    return Table(tuple(columns), parts[0].preparation)


class AllBut(Container[str]):
    """All names but some: what may be the target is read as the file writes it."""

    def __init__(self, names: Container[str]) -> None:
        self.names = names

    def __contains__(self, name: object) -> bool:
        return name not in self.names


def _numbers_read(schema: Schema) -> list[str]:
    """Names of the columns that are numbers and nothing else."""
    return [name for name in columns_read(schema) if name not in _as_text(schema)]


def columns_read(schema: Schema) -> list[str]:
    """Names of the columns that files must have."""
    preparation = schema.preparation
    return schema.names if preparation is None else [plan.name for plan in preparation.used]


def _as_text(schema: Schema) -> list[str]:
    """Columns in which 1.10 is not 1.1."""
    if schema.preparation is not None:
        return schema.preparation.as_text
    return [f.name for f in schema.features if f.is_nominal or f.is_date]


def _reader(schema: Schema) -> Callable[[pl.DataFrame], Table]:
    """Return what makes features of rows, as they were made when the model was fitted."""
    preparation = schema.preparation
    if preparation is not None:
        return lambda frame: prepared(preparation, frame)
    return lambda frame: table_of_rows(frame.select(schema.names), as_text=_as_text(schema))


def _with_own_marks(schema: Schema, options: ReadOptions) -> ReadOptions:
    """Return options by which ``?``, ``NA`` and the like are categories where training had them."""
    own = {category for f in schema.features for category in f.categories or ()}
    kept = tuple(mark for mark in options.missing if not mark or mark not in own)
    return options if len(kept) == len(options.missing) else replace(options, missing=kept)


def _check_columns(schema: Schema, names: Sequence[str], where: str) -> None:
    absent = [name for name in columns_read(schema) if name not in names]
    if absent:
        raise ValueError(
            f"{where} lacks the column{'s' if len(absent) > 1 else ''} "
            f"{', '.join(map(repr, absent))} that the model was fitted on"
        )


def _target_name(schema: Schema, names: Sequence[str], own: str | None, where: str) -> str:
    preparation = schema.preparation
    if preparation is not None and preparation.target is not None:
        return preparation.target.name
    if own is not None:
        return own
    others = [name for name in names if name not in schema.names]
    if len(others) == 1:
        return others[0]
    if not others:
        raise ValueError(f"{where} has no column besides those that the model reads")
    raise ValueError(f"give the column to predict by --target: one of {', '.join(others)}")


def _classes_of(models: Sequence[Any]) -> AnyArray | None:
    """Return the classes of the first model, then others; None if it answers numbers."""
    if not hasattr(models[0], "classes_"):
        return None
    classes = np.asarray(models[0].classes_)
    for fitted in models[1:]:
        own = np.asarray(getattr(fitted, "classes_", ()), dtype=object)
        new = np.array(places(own.tolist(), classes.tolist(), unknown=-1), dtype=int) < 0
        if new.any():
            classes = np.concatenate([classes.astype(object), own[new]])
    return classes


def _target_values(schema: Schema, classes: AnyArray | None, series: pl.Series) -> Any:
    """Return numbers, or the classes that the column's values stand for."""
    plan = None if schema.preparation is None else schema.preparation.target
    if classes is None:
        if plan is not None:
            return columns_of(plan, series)[0].values
        return _numbers(table_of_rows(series.to_frame()).columns[0])
    column = columns_of(plan or ColumnPlan(series.name, CATEGORY), series)[0]
    column = as_nominal(column)
    own = places(column.categories or (), classes.tolist(), unknown=-1)
    place = np.array(own)[column.values]
    if (place < 0).any():
        seen = column.as_objects()[int(np.argmax(place < 0))]
        raise ValueError(
            f"column {column.name!r} has {seen!r}, which the model never saw; its classes are "
            f"{', '.join(map(str, classes.tolist()))}"
        )
    return classes[place]


def class_of_text(fitted: Any, text: str) -> Any:
    """Return the class that a text stands for, read as the target of training was."""
    import polars as pl

    preparation = fitted.schema_.preparation
    plan = None if preparation is None else preparation.target
    column = columns_of(plan or ColumnPlan("target", CATEGORY), pl.Series([text]))[0]
    seen = as_nominal(column).as_objects()[0]
    classes = fitted.classes_.tolist()
    place = places([seen], classes, unknown=-1)[0]
    if place < 0:
        raise ValueError(f"{text!r} is no class; those are {', '.join(map(str, classes))}")
    return classes[place]


def _numbers(column: Column) -> Any:
    values = read_numbers(column)
    row = first_unread(column, values)
    if row is not None:
        raise ValueError(
            f"the model predicts a number, and column {column.name!r} has "
            f"{column.as_objects()[row]!r} (row {row})"
        )
    return values
