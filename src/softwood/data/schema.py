"""The schema: what the columns of the training table were, so that others can be read alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.data.columns.plan import Preparation
from softwood.data.dates import as_date_texts, as_dates, date_text
from softwood.data.identity import number_of, places, text_of
from softwood.data.table import MISSING_CODE, UNKNOWN_CODE, Column, Table
from softwood.data.unknown import Unknown, tell_unknown

HANDLE_UNKNOWN = ("spread", "missing", "error")
HANDLE_MISSING = ("spread", "category")
MAX_WHOLE = 2.0**53


@dataclass(frozen=True, slots=True)
class Feature:
    """One column as it was in training: its name, and its categories if nominal.

    Where missing values are a category of their own, that is None, the last one. Dates are
    numbers, in days since 1970-01-01.
    """

    name: str
    categories: tuple[Any, ...] | None = None
    is_date: bool = False

    @property
    def is_nominal(self) -> bool:
        """Whether the column holds categories and not numbers."""
        return self.categories is not None


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of a training table.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.schema import Feature, Schema
    >>> from softwood.data.table import Column, Table
    >>> schema = Schema((Feature("size"), Feature("colour", ("blue", "red"))))
    >>> later = Table((
    ...     Column("size", np.array([1.5, np.nan])),
    ...     Column("colour", np.array([0, 1], dtype=np.int32), ("red", "blue")),
    ... ))
    >>> schema.encode(later)
    array([[1.5, 1. ],
           [nan, 0. ]])
    """

    features: tuple[Feature, ...]
    preparation: Preparation | None = None  # how features were made of the user's columns

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return [feature.name for feature in self.features]

    @property
    def n_categories(self) -> IndexArray:
        """Number of categories of each nominal column, 0 for numeric ones."""
        sizes = [len(feature.categories or ()) for feature in self.features]
        return np.array(sizes, dtype=np.int32)

    @property
    def all_numeric(self) -> bool:
        """Whether no column is nominal."""
        return not any(feature.is_nominal for feature in self.features)

    @classmethod
    def of(cls, table: Table) -> Schema:
        """Return the schema of ``table``."""
        columns = table.columns
        features = tuple(Feature(c.name, c.categories, c.is_date) for c in columns)
        return cls(features, table.preparation)

    def table_of_matrix(self, matrix: FloatArray) -> Table:
        """Return numbers as a table: dates are in days, categories are named by numbers."""
        matrix = np.asarray(matrix, dtype=np.float64)
        return Table(
            tuple(
                Column(feature.name, matrix[:, j], is_date=feature.is_date)
                for j, feature in enumerate(self.features)
            )
        )

    def encode(self, table: Table, handle_unknown: str = "spread") -> FloatArray:
        """Return the matrix of ``table``: numbers, codes, NaN for missing.

        What is the same category is decided by :mod:`softwood.data.identity`.

        Parameters
        ----------
        table : Table
            Columns in the order of the schema.
        handle_unknown : {"spread", "missing", "error"}, default="spread"
            What becomes of a category that was not seen in training: the code
            ``UNKNOWN_CODE`` or NaN, and a warning; or an error that names it.

        Returns
        -------
        ndarray of shape (n_rows, n_features)
        """
        if len(table.columns) != len(self.features):
            raise ValueError(
                f"X has {len(table.columns)} features, but the model was fitted with "
                f"{len(self.features)}"
            )
        matrix = np.empty(table.shape, order="C")
        unknown: list[Unknown] = []
        for j, (feature, column) in enumerate(zip(self.features, table.columns, strict=True)):
            matrix[:, j] = encoded(feature, column, handle_unknown, unknown)
        tell_unknown(unknown, handle_unknown)
        return matrix


def encoded(
    feature: Feature, column: Column, handle_unknown: str, found: list[Unknown]
) -> FloatArray:
    """Return one column of the matrix; note in ``found`` what was not seen in training."""
    if feature.is_date:
        return as_dates(column).values
    if feature.categories is None:
        return _numbers(column)
    column = as_nominal(column)
    codes = recoded(column, feature.categories)
    if codes.size and codes.min() >= 0:  # most columns: nothing is missing or unknown
        return codes.astype(np.float64)
    unknown = codes == UNKNOWN_CODE
    if unknown.any():
        if handle_unknown == "error":
            raise _never_seen(feature, column, int(np.argmax(unknown)))
        found.append(Unknown.of(replace(column, name=feature.name), unknown))
    missing = codes == MISSING_CODE
    if handle_unknown == "missing":
        missing |= unknown
    floats = codes.astype(np.float64)
    has_own = None in feature.categories
    floats[missing] = len(feature.categories) - 1 if has_own else np.nan
    return floats


def _never_seen(feature: Feature, column: Column, row: int) -> ValueError:
    return ValueError(
        f"column {feature.name!r} has the category {column.as_objects()[row]!r} (row {row}), "
        f"which was not seen in training; seen were {_some(feature.categories or ())}. "
        'Use handle_unknown="spread" or "missing" to accept it.'
    )


def _numbers(column: Column) -> FloatArray:
    """Return the numbers of a column, or what its texts write; name the first that is none."""
    values = read_numbers(column)
    row = first_unread(column, values)
    if row is None:
        return values
    seen = date_text(column.values[row]) if column.is_date else column.as_objects()[row]
    raise ValueError(
        f"column {column.name!r} is numeric in this model, but holds {seen!r} (row {row}); give "
        "numbers, or refit with the column among categorical_features"
    )


def read_numbers(column: Column) -> FloatArray:
    """Return the numbers of a column, or what its values write; NaN where there is none."""
    if column.is_date:
        return np.full(len(column), np.nan)
    if column.categories is None:
        return column.values
    numbers = np.array([*map(_number, column.categories), np.nan])  # code -1 picks the last
    return np.asarray(numbers[column.values])


def first_unread(column: Column, values: FloatArray) -> int | None:
    """Return the first row in which a column has a value and ``values`` has none."""
    if column.categories is None and not column.is_date:
        return None
    known = column.values != MISSING_CODE if column.is_nominal else ~np.isnan(column.values)
    unread = np.flatnonzero(known & np.isnan(values))
    return int(unread[0]) if unread.size else None


def _number(value: Any) -> float:
    """Return the number that a value is or writes, be it with leading zeros; NaN if none."""
    text = text_of(value)
    try:
        if text is not None:
            return float(text) if text.isascii() and "_" not in text else np.nan
        number = number_of(value)
        return np.nan if number is None else float(number)
    except (OverflowError, ValueError):
        return np.nan


def _some(categories: Sequence[Any], limit: int = 8) -> str:
    shown = ", ".join(repr(category) for category in categories[:limit])
    return f"{shown}, ..." if len(categories) > limit else shown


def recoded(column: Column, categories: tuple[Any, ...]) -> AnyArray:
    """Return codes into ``categories``; a category not among them is ``UNKNOWN_CODE``."""
    if column.categories == categories:
        return column.values
    own = places(column.categories or (), categories, UNKNOWN_CODE)
    lookup = np.array([*own, MISSING_CODE], dtype=np.int32)
    return np.asarray(lookup[column.values])  # code -1 picks the last entry


def with_missing_as_category(table: Table) -> Table:
    """Return the table with None as the last category of nominal columns that lack values."""
    return replace(table, columns=tuple(_with_none(column) for column in table.columns))


def _with_none(column: Column) -> Column:
    gone = column.values == MISSING_CODE
    if column.categories is None or not gone.any():
        return column
    codes = np.where(gone, len(column.categories), column.values).astype(np.int32)
    return replace(column, values=codes, categories=(*column.categories, None))


def as_nominal(column: Column) -> Column:
    """Return the column as a nominal one: distinct numbers become categories, ascending."""
    if column.is_nominal:
        return column
    if column.is_date:
        return as_date_texts(column)
    distinct, codes = np.unique(column.values, return_inverse=True)
    n_known = int(np.count_nonzero(~np.isnan(distinct)))
    codes = np.where(codes < n_known, codes, MISSING_CODE).astype(np.int32)
    return Column(column.name, codes, tuple(map(plain_number, distinct[:n_known].tolist())))


def plain_number(value: float) -> int | float:
    """Return a whole number as one, unless it is so large that floats skip some."""
    return int(value) if value.is_integer() and abs(value) < MAX_WHOLE else value
