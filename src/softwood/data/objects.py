"""Columns of Python objects: numbers, dates, booleans or anything that can be a category."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from softwood._types import AnyArray
from softwood.data.dates import days_of_object, is_date
from softwood.data.table import MISSING_CODE, Column

_TEXT = (str, bytes)
_NUMBERS = (int, float, np.integer, np.floating)
_BOOLEANS = (False, True)
_LARGEST = sys.float_info.max
_OTHERS = (np.timedelta64, np.complexfloating)  # numbers to numpy, and not to a tree


def column_of_objects(name: str, values: AnyArray) -> Column:
    """Return a column of Python objects: numeric if all are numbers or dates, else nominal."""
    kinds = set(map(type, values)) - {type(None)}
    if kinds == {str}:  # most columns of text have nothing else
        words = tuple(sorted(set(values) - {None}))
        return Column(name, codes_of(values, words), words)
    if kinds == {bool}:
        return Column(name, codes_of(values, _BOOLEANS), _BOOLEANS)
    missing = np.array([is_missing(value) for value in values], dtype=bool)
    known = [value for value, gone in zip(values, missing, strict=True) if not gone]
    if known and all(isinstance(value, bool | np.bool_) for value in known):
        return Column(name, codes_of(values, _BOOLEANS), _BOOLEANS)
    if all(_is_number(value) for value in known):
        return Column(name, _floats(name, values, missing))
    if all(is_date(value) for value in known):
        days = np.full(len(values), np.nan)
        days[~missing] = [days_of_object(value) for value in known]
        return Column(name, days, is_date=True)
    for row, value in enumerate(values):
        if not missing[row] and not isinstance(value, _TEXT) and not _is_number(value):
            raise _no_value(name, row, value)
    categories = tuple(sorted(set(known), key=lambda value: (str(type(value)), value)))
    return Column(name, codes_of(values, categories), categories)


def _is_number(value: Any) -> bool:
    return isinstance(value, (*_NUMBERS, np.bool_)) and not isinstance(value, _OTHERS)


def _floats(name: str, values: AnyArray, missing: AnyArray) -> AnyArray:
    floats = np.full(len(values), np.nan)
    known = np.flatnonzero(~missing)
    try:
        floats[known] = [float(values[row]) for row in known]
    except OverflowError:
        row = next(row for row in known if abs(values[row]) > _LARGEST)
        raise ValueError(
            f"column {name!r} holds a number beyond {_LARGEST:.4g} (row {row}), the largest that a "
            "float can be; rescale the column, or use None for a missing value"
        ) from None
    return floats


def _no_value(name: str, row: int, value: Any) -> TypeError:
    kind = type(value).__name__
    return TypeError(
        f"column {name!r} holds {value!r} (row {row}); argument must be a string or a real number, "
        f"not {kind!r}{_instead(kind)}"
    )


def _instead(kind: str) -> str:
    kind = kind.lower()
    if kind.startswith("timedelta"):
        return "; turn durations into numbers, such as value.total_seconds()"
    if kind.startswith("complex"):
        return "; make two columns of it, such as value.real and value.imag"
    if kind == "time":
        return "; turn times of day into numbers, such as hours"
    if kind in ("date", "datetime", "timestamp", "datetime64", "period"):
        return "; in a column of dates all values must be dates, or None"
    return ""


def is_missing(value: Any) -> bool:
    """Whether ``value`` is None, NaN, or a frame library's own missing value."""
    if value is None:
        return True
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    if isinstance(value, np.datetime64 | np.timedelta64):
        return bool(np.isnat(value))
    return type(value).__name__ in ("NAType", "NaTType")


def codes_of(values: Any, categories: Sequence[Any]) -> AnyArray:
    """Return the position of each value; all that are not missing are among the categories."""
    position = {category: code for code, category in enumerate(categories)}
    return np.array([position.get(value, MISSING_CODE) for value in values], dtype=np.int32)
