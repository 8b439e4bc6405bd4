"""Rows in the form that users have given them, with some values exchanged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.dates import date_text
from softwood.data.encode import is_frame, names_of
from softwood.data.objects import is_missing
from softwood.data.schema import Schema
from softwood.data.table import PER_DAY, Column, Table


@dataclass(frozen=True, slots=True, eq=False)
class RowForm:
    """One row as the user holds it.

    Attributes
    ----------
    given : object
        The row: an array, list, mapping, pandas Series, or a frame of one row.
    schema : Schema
        The columns that the model was fitted with.
    """

    given: Any
    schema: Schema

    @property
    def is_array(self) -> bool:
        """Whether it is an array, of one dimension or two."""
        return isinstance(self.given, np.ndarray)

    @property
    def is_table(self) -> bool:
        """Whether models take it as it is."""
        return (is_frame(self.given) and not isinstance(self.given, Table)) or self.is_array

    def values(self) -> list[Any]:
        """Return what the row has in each column of the schema, as given; None if unknown."""
        names = self.schema.names
        if is_frame(self.given) and not isinstance(self.given, Table):
            by_name = dict(zip(names_of(self.given), _cells(self.given), strict=True))
            return self._by_name(by_name, names)
        if isinstance(self.given, Table):
            by_name = {column.name: _cell_of_column(column) for column in self.given.columns}
            return [by_name.get(name) for name in names]
        if isinstance(self.given, Mapping):
            return self._by_name(dict(self.given), names)
        if hasattr(self.given, "index") and hasattr(self.given, "to_dict"):  # a pandas Series
            return self._by_name(dict(self.given.to_dict()), names)
        return list(np.asarray(self.given, dtype=object).ravel())

    def _by_name(self, given: dict[Any, Any], names: list[str]) -> list[Any]:
        if any(name in given for name in names):
            return [given.get(name) for name in names]
        return list(given.values()) if len(given) == len(names) else [None] * len(names)

    def changed(self, row: FloatArray, is_changed: AnyArray, is_whole: AnyArray) -> Any:
        """Return the row with other values where it is changed.

        Parameters
        ----------
        row : ndarray of shape (n_features,)
            Numbers and codes, as the trees read them.
        is_changed, is_whole : ndarray of bool of shape (n_features,)
            Which columns to exchange, and which have whole numbers.
        """
        own = self.values()
        new = {
            j: self.value(j, float(row[j]), own[j] if j < len(own) else None, bool(is_whole[j]))
            for j in np.flatnonzero(is_changed).tolist()
        }
        if self.is_array:
            return self._array(new)
        if isinstance(self.given, Table):
            values = dict(zip(self.schema.names, own, strict=True))
            return values | {self.schema.names[j]: value for j, value in new.items()}
        if is_frame(self.given):
            return self._frame(new)
        if isinstance(self.given, Mapping):
            return dict(self.given) | {self._label(list(self.given), j): v for j, v in new.items()}
        if hasattr(self.given, "index") and hasattr(self.given, "to_dict"):
            series = self.given.astype(object)
            for j, value in new.items():
                series[self._label(list(series.index), j)] = value
            return series.infer_objects()
        listed = list(np.asarray(self.given, dtype=object).ravel())
        for j, value in new.items():
            listed[j] = value
        return listed

    def value(self, j: int, code: float, own: Any, is_whole: bool) -> Any:
        """Return a number or code as users write it; ``own`` is what the row has in that place."""
        feature = self.schema.features[j]
        if feature.categories is not None:
            category = feature.categories[int(code)]
            is_number = self.is_array and self.given.dtype.kind in "iuf"
            return float(category) if is_number else category
        if feature.is_date:
            return self._date(code, own)
        return int(code) if is_whole and float(code).is_integer() else float(code)

    def _date(self, days: float, own: Any) -> Any:
        if isinstance(own, int | float | np.number) and not is_missing(own):
            return days
        if isinstance(own, str):
            return date_text(days, exact=True)
        moment = np.datetime64(round(days * PER_DAY), "us")
        if isinstance(own, date) and not isinstance(own, datetime) and days.is_integer():
            return moment.astype(date).date()
        return moment if isinstance(own, np.datetime64) else moment.astype(datetime)

    def _label(self, labels: list[Any], j: int) -> Any:
        name = self.schema.names[j]
        return name if name in labels else labels[j]

    def _array(self, new: dict[int, Any]) -> AnyArray:
        given: AnyArray = self.given
        fits = {"f": (int, float), "O": (object,), "M": (np.datetime64, datetime, date)}
        if given.dtype.kind in "iu":
            kept = all(float(value).is_integer() for value in new.values())
            array = given.copy() if kept else given.astype(np.float64)
        else:
            wanted = fits.get(given.dtype.kind, ())
            array = given.astype(given.dtype if wanted else object)
        flat = array.reshape(-1)
        for j, value in new.items():
            flat[j] = value
        return flat.reshape(given.shape)

    def _frame(self, new: dict[int, Any]) -> Any:
        names = names_of(self.given)
        if hasattr(self.given, "iloc"):
            frame = self.given.copy()
            for j, value in new.items():
                frame = _with_cell(frame, self._place(names, j), value)
            return frame
        if hasattr(self.given, "with_columns"):
            import polars as pl

            series = [pl.Series(names[self._place(names, j)], [value]) for j, value in new.items()]
            return self.given.with_columns(series)
        values = dict(zip(names, _cells(self.given), strict=True))
        return values | {names[self._place(names, j)]: value for j, value in new.items()}

    def _place(self, names: list[str], j: int) -> int:
        name = self.schema.names[j]
        return names.index(name) if name in names else j


def _cell_of_column(column: Column) -> Any:
    """Return the only value of a column; dates as texts, since numbers are read as no dates."""
    value = column.as_objects()[0]
    return date_text(float(value), exact=True) if column.is_date and value == value else value


def _cells(frame: Any) -> list[Any]:
    """Return the values of a frame of one row, each of the type of its column."""
    if hasattr(frame, "iloc"):
        return [frame.iloc[0, place] for place in range(frame.shape[1])]
    import narwhals.stable.v2 as nw

    return list(nw.from_native(frame, eager_only=True).row(0))


def _with_cell(frame: Any, place: int, value: Any) -> Any:
    """Return a pandas frame of one row with another value, of the same type if that fits."""
    import pandas as pd

    column = frame.iloc[:, place]
    try:
        series = pd.Series([value], index=frame.index, dtype=column.dtype, name=column.name)
        fits = series.iloc[0] == value
    except (TypeError, ValueError):
        fits = False
    if not fits:
        series = pd.Series([value], index=frame.index, name=column.name)
    parts = [frame.iloc[:, :place], series, frame.iloc[:, place + 1 :]]
    return pd.concat(parts, axis=1)
