"""Columns as their plans say: frames in, tables of features out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.data.columns.moments import (
    COMPACT,
    days_of_moments,
    days_of_texts,
    hours_of_texts,
    part_of,
)
from softwood.data.columns.numbers import NumberFormat, number_format, numbers_of
from softwood.data.columns.plan import CATEGORY, DATE, TIME, YES_NO, ColumnPlan, Preparation
from softwood.data.columns.polars import as_polars
from softwood.data.encode import is_frame, names_of
from softwood.data.frames import table_of_frame
from softwood.data.schema import Schema, as_nominal
from softwood.data.table import Column, Table

if TYPE_CHECKING:
    import polars as pl

_HOUR = 3_600_000_000_000  # nanoseconds


class UnreadValueError(ValueError):
    """A value that cannot be read as its plan says, and the row that it is in."""

    def __init__(self, name: str, value: str, what: str, row: int) -> None:
        self.name, self.value, self.what, self.row = name, value, what, row
        super().__init__(
            f"column {name!r} holds {value!r} (row {row}), which cannot be read as {what} as the "
            "model expects; mend it, or name it by --na if it stands for a missing value"
        )

    def at(self, row: int) -> UnreadValueError:
        """Return the same of another row: that of the whole file."""
        return UnreadValueError(self.name, self.value, self.what, row)


def prepared(preparation: Preparation, frame: pl.DataFrame) -> Table:
    """Return the features of a frame.

    Raises
    ------
    ValueError
        If a column is not there, or holds what cannot be read as its plan says.
    """
    absent = [plan.name for plan in preparation.used if plan.name not in frame.columns]
    if absent:
        raise ValueError(
            f"the table lacks the column{'s' if len(absent) > 1 else ''} "
            f"{', '.join(map(repr, absent))} that the model was fitted on"
        )
    columns = [c for plan in preparation.used for c in columns_of(plan, frame[plan.name])]
    return Table(tuple(columns), preparation)


def prepared_rows(schema: Schema, X: Any) -> Any:
    """Return the rows of a frame as a model reads them; what is prepared already, as it is.

    Arrays hold features, not columns of the user's table.
    """
    preparation = schema.preparation
    if preparation is None or isinstance(X, Table) or not is_frame(X):
        return X
    has_parts = any(plan.parts for plan in preparation.used)
    if has_parts and set(schema.names) <= set(names_of(X)):
        return X
    return prepared(preparation, as_polars(X))


def columns_of(plan: ColumnPlan, series: pl.Series) -> list[Column]:
    """Return the features that a column becomes."""
    if plan.kind == DATE:
        days = _days(plan, series)
        main = Column(plan.name, _floats(days), is_date=True)
        own = [Column(f"{plan.name}.{p}", _floats(part_of(days, p))) for p in plan.parts]
        return [main, *own]
    if plan.kind == TIME:
        return [Column(plan.name, _floats(_hours(plan, series)))]
    if plan.is_number:
        return [Column(plan.name, _floats(_numbers(plan, series)))]
    return [_categories(plan, series)]


def _floats(series: pl.Series) -> FloatArray:
    import polars as pl

    values = series.cast(pl.Float64).fill_null(float("nan")).to_numpy()
    return np.ascontiguousarray(values, dtype=np.float64)


def _numbers(plan: ColumnPlan, series: pl.Series) -> pl.Series:
    import polars as pl

    if series.dtype == pl.Duration:
        return series.dt.total_microseconds().cast(pl.Float64) / 86_400_000_000
    if series.dtype == pl.Boolean or series.dtype.is_numeric():
        return series.cast(pl.Float64)
    if series.dtype == pl.Null:
        return series.cast(pl.Float64)
    text = _without(series.cast(pl.String), plan)
    found = numbers_of(text, plan.number or NumberFormat())
    if not _unread(text, found).len():
        return found
    # Written in another way than the file was that the model was fitted to.
    other = number_format(text.drop_nulls().unique(), (plan.number or NumberFormat()).decimal)
    if other is not None and other[0].unit in ("", (plan.number or NumberFormat()).unit):
        found = numbers_of(text, other[0])
        text = text.set(text.is_in(list(other[1])), None)
    return _all_read(plan, text, found, "a number")


def _days(plan: ColumnPlan, series: pl.Series) -> pl.Series:
    import polars as pl

    if series.dtype in (pl.Date, pl.Datetime):
        return days_of_moments(series)
    if plan.formats == (COMPACT,) and series.dtype.is_numeric():
        series = series.cast(pl.Int64)
    text = _without(series.cast(pl.String), plan)
    found = days_of_texts(text, plan.formats) if plan.formats else _from_iso(text)
    if plan.formats and found.null_count() > text.null_count():
        found = pl.select(pl.coalesce(found, _from_iso(text))).to_series().alias(series.name)
    return _all_read(plan, text, found, "a date")


def _from_iso(text: pl.Series) -> pl.Series:
    """Return dates that are written as frames of dates are when they become text."""
    forms = ("%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.f")
    return days_of_texts(text, (*forms, "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"))


def _hours(plan: ColumnPlan, series: pl.Series) -> pl.Series:
    import polars as pl

    if series.dtype == pl.Time:
        return series.cast(pl.Int64) / _HOUR
    text = _without(series.cast(pl.String), plan)
    forms = plan.formats or ("%H:%M:%S",)
    return _all_read(plan, text, hours_of_texts(text, forms[0]), "a time of day")


def _categories(plan: ColumnPlan, series: pl.Series) -> Column:
    import polars as pl

    if series.dtype == pl.Null:
        series = series.cast(pl.String)
    if plan.spellings and series.dtype == pl.String:
        folded = series.str.to_lowercase().str.replace_all(r"\s+", " ")
        old = [word for word, _ in plan.spellings]
        series = folded.replace_strict(old, [word for _, word in plan.spellings], default=series)
    column = table_of_frame(pl.DataFrame([series])).columns[0]
    if column.is_nominal and not column.is_declared and plan.kind in (CATEGORY, YES_NO):
        return replace(column, is_declared=True)  # looked at already: these are no dates
    if column.is_nominal:
        return column
    return as_nominal(column)


def _without(text: pl.Series, plan: ColumnPlan) -> pl.Series:
    """Return texts without the words that stand for a missing value."""
    return text.set(text.is_in(list(plan.missing)), None) if plan.missing else text


def _unread(text: pl.Series, found: pl.Series) -> pl.Series:
    return (text.is_not_null() & found.is_null()).arg_true()


def _all_read(plan: ColumnPlan, text: pl.Series, found: pl.Series, what: str) -> pl.Series:
    unread = _unread(text, found)
    if unread.len():
        row = int(unread[0])
        raise UnreadValueError(plan.name, str(text[row]), what, row)
    return found
