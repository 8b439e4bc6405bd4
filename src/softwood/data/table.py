"""A plain table of numeric and nominal columns: what every reader and frame becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.errors import missing_extra

if TYPE_CHECKING:
    from softwood.data.columns.plan import Preparation

MISSING_CODE = -1
UNKNOWN_CODE = -2
PER_DAY = 86_400_000_000  # microseconds


@dataclass(frozen=True, eq=False)
class Column:
    """One column: numbers, or codes into ``categories``.

    Attributes
    ----------
    name : str
        How users call it.
    values : ndarray
        float64 with NaN for missing where ``categories`` is None; otherwise int32
        codes, with ``MISSING_CODE`` (-1) for missing.
    categories : tuple or None
        The declared values of a nominal column, in declared order.
    is_date : bool
        Whether the numbers are dates, in days since 1970-01-01.
    is_declared : bool
        Whether somebody has said that the values are categories: then texts that look
        like dates stay as they are.
    """

    name: str
    values: AnyArray
    categories: tuple[Any, ...] | None = None
    is_date: bool = False
    is_declared: bool = False

    @property
    def is_nominal(self) -> bool:
        """Whether the column holds categories and not numbers."""
        return self.categories is not None

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: AnyArray) -> Column:
        """Return the column restricted to ``rows`` (indices or mask)."""
        return replace(self, values=self.values[rows])

    def as_objects(self) -> AnyArray:
        """Return the values as users wrote them: floats, or categories with None for missing."""
        if self.categories is None:
            return self.values
        lookup = np.empty(len(self.categories) + 1, dtype=object)
        lookup[: len(self.categories)] = self.categories
        return lookup[self.values]  # code -1 picks the trailing None

    def as_floats(self) -> FloatArray:
        """Return numbers, or codes as floats with NaN for missing."""
        values = self.values.astype(np.float64)
        if self.categories is not None:
            values[self.values == MISSING_CODE] = np.nan
        return values


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length.

    Attributes
    ----------
    columns : tuple of Column
        Of one length.
    preparation : Preparation or None
        How the columns were made of those of the user's table; models keep it.
    """

    columns: tuple[Column, ...]
    preparation: Preparation | None = None

    def __post_init__(self) -> None:
        lengths = {column.name: len(column) for column in self.columns}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"columns must have one length; got {lengths}")

    @property
    def names(self) -> list[str]:
        """Column names, in order."""
        return [column.name for column in self.columns]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        n_rows = len(self.columns[0]) if self.columns else 0
        return n_rows, len(self.columns)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(f"no column {name!r}; the columns are {self.names}")

    def drop(self, names: Sequence[str]) -> Table:
        """Return the table without the named columns."""
        return replace(self, columns=tuple(c for c in self.columns if c.name not in names))

    def take(self, rows: AnyArray) -> Table:
        """Return the rows at ``rows`` (indices or mask)."""
        return replace(self, columns=tuple(column.take(rows) for column in self.columns))

    def to_pandas(self) -> Any:
        """Return a pandas frame; nominal columns have dtype ``category``, dates ``datetime``."""
        try:
            import pandas as pd
        except ImportError:
            raise missing_extra("pandas", "data") from None
        series = {}
        for column in self.columns:
            if column.is_date:
                days = pd.Series(column.values)
                microseconds = (days * PER_DAY).round().astype("Int64")
                series[column.name] = pd.to_datetime(microseconds, unit="us")
            elif column.categories is None:
                series[column.name] = pd.Series(column.values)
            else:
                codes = pd.Categorical.from_codes(column.values, categories=list(column.categories))
                series[column.name] = pd.Series(codes)
        return pd.DataFrame(series)
