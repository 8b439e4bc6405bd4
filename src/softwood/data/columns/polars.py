"""Frames of any library as frames of polars, which can look at text quickly."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood.data.encode import is_frame, table_of
from softwood.data.objects import is_missing
from softwood.data.table import Table

if TYPE_CHECKING:
    import polars as pl


def as_polars(frame: Any) -> pl.DataFrame:
    """Return a frame, array or table as a frame of polars, without blanks around texts."""
    import polars as pl

    if isinstance(frame, Table) or not is_frame(frame):
        from softwood.data.readers.formats import frame_of_table

        return frame_of_table(table_of(frame))
    if not isinstance(frame, pl.DataFrame):
        frame = _from_other(frame)
    text = pl.col(pl.String).str.strip_chars()
    return frame.with_columns(pl.when(text != "").then(text).name.keep())


def _from_other(frame: Any) -> pl.DataFrame:
    import narwhals.stable.v2 as nw
    import polars as pl

    known = nw.from_native(frame, eager_only=True)
    return pl.DataFrame([_series(known[:, j], nw) for j in range(known.shape[1])])


def _series(series: Any, nw: Any) -> pl.Series:
    import polars as pl

    name, dtype = str(series.name), series.dtype
    if dtype.is_numeric():
        return pl.Series(
            name, series.cast(nw.Float64).to_numpy().astype(np.float64), nan_to_null=True
        )
    values = [None if is_missing(value) else value for value in series.to_list()]
    if dtype == nw.Datetime or dtype == nw.Date:
        kind = pl.Date if dtype == nw.Date else None
        return pl.Series(name, values, dtype=kind or pl.Datetime("us", _zone(dtype)))
    if dtype == nw.Categorical or dtype == nw.Enum:
        texts = [None if value is None else str(value) for value in values]
        categories = [str(value) for value in series.cat.get_categories().to_list()]
        return pl.Series(name, texts, dtype=pl.Enum(list(dict.fromkeys(categories))))
    return _of_objects(name, values)


def _zone(dtype: Any) -> str | None:
    """Return the zone in which moments are kept: Greenwich, if they have one."""
    return None if getattr(dtype, "time_zone", None) is None else "UTC"


def frame_of_row(values: Mapping[Any, Any]) -> pl.DataFrame:
    """Return the values of one row, by the names of their columns, as a frame."""
    import polars as pl

    row = {str(name): None if is_missing(value) else value for name, value in values.items()}
    return as_polars(pl.DataFrame([_of_objects(name, [value]) for name, value in row.items()]))


def _of_objects(name: str, values: list[Any]) -> pl.Series:
    """Return numbers, booleans and dates as they are, and all else as text."""
    import polars as pl

    kinds = {type(value) for value in values if value is not None}
    if kinds <= {bool} or kinds <= {int, float} or kinds <= {date} or kinds <= {datetime}:
        return pl.Series(name, values, strict=False)
    if kinds and all(issubclass(kind, np.integer | np.floating) for kind in kinds):
        return pl.Series(name, [None if v is None else float(v) for v in values])
    return pl.Series(name, [None if value is None else str(value) for value in values], pl.String)
