"""Frames of pandas, polars and others become tables, column by column."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np

from softwood.data.dates import date_text, days_of_datetimes, days_of_object
from softwood.data.objects import codes_of, column_of_objects
from softwood.data.table import MISSING_CODE, Column, Table

_INSTEAD = {
    "duration": "turn durations into numbers, such as series.dt.total_seconds()",
    "time": "turn times of day into numbers, such as hours",
    "complex": "make two columns of it: the real and the imaginary parts",
    "interval": "use the middle of the intervals, or turn them into text",
}


def table_of_frame(X: Any) -> Table:
    """Return a frame as a table: numbers, dates, and categories of text and booleans."""
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    return Table(tuple(_column_of_series(frame[:, j], nw) for j in range(frame.shape[1])))


def _column_of_series(series: Any, nw: Any) -> Column:
    name, dtype = str(series.name), series.dtype
    if series.implementation.is_polars() and (dtype == nw.String or dtype == nw.Enum):
        return _column_of_polars(series.to_native(), is_declared=dtype == nw.Enum)
    if dtype.is_numeric():
        return Column(name, series.cast(nw.Float64).to_numpy().astype(np.float64))
    if dtype == nw.Categorical or dtype == nw.Enum:
        return _column_of_categories(series, nw)
    if dtype == nw.Boolean or dtype == nw.String or dtype == nw.Object:
        return column_of_objects(name, np.array(series.to_list(), dtype=object))
    if dtype == nw.Datetime or dtype == nw.Date:
        return _column_of_dates(series, nw)
    if series.implementation.is_pandas():
        return _column_of_pandas(series, nw)
    raise _no_column(name, str(dtype))


def _column_of_polars(series: Any, is_declared: bool) -> Column:
    """Return texts as codes into their categories, sorted unless they were declared, at once."""
    import polars as pl

    if not is_declared:
        series = series.cast(pl.Enum(series.drop_nulls().unique().sort()))
    words = tuple(series.dtype.categories.to_list())
    codes = series.to_physical().cast(pl.Int32).fill_null(MISSING_CODE).to_numpy()
    return Column(series.name, np.ascontiguousarray(codes), words, is_declared=is_declared)


def _column_of_categories(series: Any, nw: Any) -> Column:
    name, dtype = str(series.name), series.dtype
    categories = tuple(series.cat.get_categories().to_list())
    if dtype == nw.Categorical and series.implementation.is_polars():
        categories = tuple(sorted(categories))  # in order of appearance: nobody declared it
    if series.implementation.is_pandas():  # knows the codes, and has -1 for what is missing
        codes = series.to_native().cat.codes.to_numpy().astype(np.int32)
    else:
        codes = codes_of(series.to_list(), categories)
    return Column(name, codes, _plain(categories), is_declared=True)


def _plain(categories: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return intervals, periods and the like as texts: what a file of them would hold."""
    texts = tuple(_text(value) for value in categories)
    return texts if len(set(texts)) == len(texts) else categories


def _text(value: Any) -> Any:
    if isinstance(value, str | bytes | int | float | np.generic):
        return value
    return date_text(days_of_object(value), exact=True) if isinstance(value, date) else str(value)


def _column_of_dates(series: Any, nw: Any) -> Column:
    if getattr(series.dtype, "time_zone", None) is not None:
        series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    values = series.to_numpy()
    if values.dtype.kind != "M":
        return replace(column_of_objects(str(series.name), values), is_date=True)
    return Column(str(series.name), days_of_datetimes(values), is_date=True)


def _column_of_pandas(series: Any, nw: Any) -> Column:
    """Return a column of a type that only pandas has."""
    native = series.to_native()
    kind = type(native.dtype).__name__
    if kind == "SparseDtype":
        dense = nw.from_native(native.sparse.to_dense(), series_only=True)
        return _column_of_series(dense, nw)
    if kind == "PeriodDtype":
        starts = native.dt.to_timestamp(how="start").to_numpy()
        return Column(str(series.name), days_of_datetimes(starts), is_date=True)
    raise _no_column(str(series.name), str(native.dtype))


def _no_column(name: str, dtype: str) -> TypeError:
    kind = dtype.lower().replace("timedelta", "duration")
    ways = [way for word, way in _INSTEAD.items() if kind.startswith(word)]
    instead = ways[0] if ways else "turn it into one of these"
    return TypeError(
        f"column {name!r} has dtype {dtype}, which is neither a number, a category, text nor a "
        f"date; {instead}"
    )
