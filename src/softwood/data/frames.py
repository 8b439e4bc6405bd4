"""Frames of pandas, polars and others become tables, column by column."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.data.dates import date_text, days_of_datetimes, days_of_object
from softwood.data.objects import codes_of, column_of_objects
from softwood.data.table import MISSING_CODE, Column, Table

_INSTEAD = {
    "duration": "turn durations into numbers, such as series.dt.total_seconds()",
    "time": "turn times of day into numbers, such as hours",
    "complex": "make two columns of it: the real and the imaginary parts",
    "interval": "use the middle of the intervals, or turn them into text",
}
PLAIN_NUMBERS = {"Float64", "Float32", "Int64", "Int32", "Int16", "Int8", "UInt32", "UInt8"}
FEW_TEXTS = 16  # so few are read one by one before polars has made a type for them


def table_of_frame(X: Any) -> Table:
    """Return a frame as a table: numbers, dates, and categories of text and booleans."""
    if _is_pandas(X):
        return Table(tuple(_column_of_pandas(name, series) for name, series in X.items()))
    if _is_native(X, "polars"):
        return Table(tuple(_column_of_polars(series) for series in X.get_columns()))
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    return Table(tuple(_column_of_series(series, nw) for series in frame.iter_columns()))


def matrix_of_frame(X: Any) -> FloatArray | None:
    """Return a frame of nothing but plain numbers as a matrix, all columns at once.

    Parameters
    ----------
    X : frame
        Of any library.

    Returns
    -------
    ndarray of shape (n_rows, n_columns), or None
        None if some column is no plain number, or the library is not known: then columns are
        to be asked one by one, by :func:`table_of_frame`.

    Examples
    --------
    >>> import pandas as pd
    >>> from softwood.data.frames import matrix_of_frame
    >>> matrix_of_frame(pd.DataFrame({"size": [1, 2], "weight": [0.5, None]}))
    array([[1. , 0.5],
           [2. , nan]])
    >>> matrix_of_frame(pd.DataFrame({"colour": ["red"]})) is None
    True
    """
    if _is_pandas(X):
        if all(isinstance(kind, np.dtype) and kind.kind in "iuf" for kind in set(X.dtypes)):
            return np.array(X, dtype=np.float64, order="C")
    elif _is_native(X, "polars"):
        import polars as pl

        kinds = {type(kind).__name__ for kind in set(X.dtypes)}
        if kinds <= PLAIN_NUMBERS:
            numbers = X if kinds == {"Float64"} else X.cast(pl.Float64)
            return np.ascontiguousarray(numbers.to_numpy())
    return None


def _is_native(X: Any, library: str) -> bool:
    """Whether ``X`` is the very frame of a library, and not one that builds upon it."""
    kind = type(X)
    return kind.__name__ == "DataFrame" and kind.__module__.partition(".")[0] == library


def _is_pandas(X: Any) -> bool:
    return _is_native(X, "pandas") and bool(X.columns.is_unique)


def _column_of_pandas(name: Any, series: Any) -> Column:
    """Return a column of pandas; its usual types need no narwhals, which takes long to ask."""
    values, dtype = series.values, series.dtype
    if isinstance(dtype, np.dtype):
        if dtype.kind in "iuf":
            return Column(str(name), values.astype(np.float64))
        if dtype.kind in "Ob":
            return column_of_objects(str(name), values.astype(object))
    elif type(dtype).__name__ == "CategoricalDtype":
        categories = _plain(tuple(dtype.categories.tolist()))
        return Column(str(name), values.codes.astype(np.int32), categories, is_declared=True)
    import narwhals.stable.v2 as nw

    return _column_of_series(nw.from_native(series, series_only=True), nw)


def _column_of_polars(series: Any) -> Column:
    """Return a column of polars, likewise."""
    kind = type(series.dtype).__name__
    if kind == "Float64":
        return Column(series.name, series.to_numpy().astype(np.float64))
    if kind == "String" and len(series) <= FEW_TEXTS:
        return column_of_objects(series.name, np.array(series.to_list(), dtype=object))
    if kind in ("String", "Enum"):
        return _column_of_texts(series, is_declared=kind == "Enum")
    import narwhals.stable.v2 as nw

    return _column_of_series(nw.from_native(series, series_only=True), nw)


def _column_of_series(series: Any, nw: Any) -> Column:
    name, dtype = str(series.name), series.dtype
    if dtype.is_numeric():
        return Column(name, series.cast(nw.Float64).to_numpy().astype(np.float64))
    if dtype == nw.Categorical or dtype == nw.Enum:
        return _column_of_categories(series, nw)
    if dtype == nw.Boolean or dtype == nw.String or dtype == nw.Object:
        return column_of_objects(name, np.array(series.to_list(), dtype=object))
    if dtype == nw.Datetime or dtype == nw.Date:
        return _column_of_dates(series, nw)
    if series.implementation.is_pandas():
        return _column_of_rare_type(series, nw)
    raise _no_column(name, str(dtype))


def _column_of_texts(series: Any, is_declared: bool) -> Column:
    """Return texts of polars as codes into their categories, sorted unless they were declared."""
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
    if set(map(type, categories)) <= {str, int, float, bool}:
        return categories
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


def _column_of_rare_type(series: Any, nw: Any) -> Column:
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
