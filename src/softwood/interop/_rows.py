"""How a model reads its rows: the columns it knows, and its habits with what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.encode import is_frame, names_of, table_of
from softwood.data.schema import HANDLE_UNKNOWN, Feature, Schema, encoded
from softwood.data.table import UNKNOWN_CODE, Column
from softwood.data.unknown import Unknown, tell_unknown

LARGEST = np.finfo(np.float64).max
OTHER = "(other)"
UNKNOWN = (*HANDLE_UNKNOWN, "other")


@dataclass(frozen=True, slots=True)
class RowReader:
    """Turns users' rows into the matrix that imported trees read, as the original did.

    Parameters
    ----------
    schema : Schema
        The columns; nominal ones with their categories.
    checks_names : bool, default=False
        Whether the columns of a frame must be called as in training.
    codes_above : float, optional
        Numbers in a nominal column are codes, rounded towards zero, if they are above this.
        By default they are names of categories.
    unnamed : tuple of int, default=()
        Nominal columns whose categories have no names: the codes of a frame's own
        categories are taken as they are.
    unknown : {"spread", "missing", "error", "other"}, default="missing"
        What becomes of unknown categories; "other" gives them the last code.
    missing_value : float, default=nan
        A number that stands for a missing value, besides NaN; compared as float32.
    zero : float, default=0.0
        Numbers up to this size are read as 0.
    zero_is_missing : tuple of int, default=()
        Columns in which 0 is a missing value.
    rounds_integers : bool, default=False
        Whether an array of integers is rounded to float32.
    fill : tuple of float, default=()
        What a missing value counts as, for each column; if empty it stays missing. With it,
        unknown categories that have a code of their own become missing: trees that fill
        gaps read codes as numbers, too.
    """

    schema: Schema
    checks_names: bool = False
    codes_above: float | None = None
    unnamed: tuple[int, ...] = ()
    unknown: str = "missing"
    missing_value: float = float("nan")
    zero: float = 0.0
    zero_is_missing: tuple[int, ...] = ()
    rounds_integers: bool = False
    fill: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.unknown not in UNKNOWN:
            raise ValueError(f"unknown must be one of {', '.join(UNKNOWN)}; got {self.unknown!r}")
        if not 0.0 <= self.zero < np.inf:
            raise ValueError(f"zero must be finite and not negative; got {self.zero!r}")
        n_features = len(self.schema.features)
        for name in ("unnamed", "zero_is_missing"):
            for column in getattr(self, name):
                if isinstance(column, bool) or not 0 <= index(column) < n_features:
                    raise ValueError(
                        f"{name} must hold columns in 0..{n_features - 1}; got {column!r}"
                    )
        if len(self.fill) not in (0, n_features) or not np.isfinite(self.fill).all():
            raise ValueError(
                f"fill must hold a number for each of {n_features} columns, or be empty; "
                f"got {self.fill!r}"
            )

    def encode(self, X: Any) -> FloatArray:
        """Return rows as the trees read them: numbers, codes, NaN for missing.

        Parameters
        ----------
        X : array-like or frame of shape (n_rows, n_features)
            What the original model would be given. Infinite values become the largest
            finite ones, which is on the same side of every threshold.

        Returns
        -------
        ndarray of float64 of shape (n_rows, n_features)
        """
        matrix = self._matrix(X)
        if self.zero > 0.0:
            matrix[np.abs(matrix) <= self.zero] = 0.0
        for j in self.zero_is_missing:
            matrix[matrix[:, j] == 0.0, j] = np.nan
        if self.fill:
            matrix = np.where(np.isnan(matrix), self.fill, matrix)
            matrix[(matrix == UNKNOWN_CODE) & (self.schema.n_categories > 0)] = np.nan
        return np.clip(matrix, -LARGEST, LARGEST)

    def _matrix(self, X: Any) -> FloatArray:
        """Return a matrix of our own, in which only zeros may still have to go."""
        if hasattr(X, "toarray"):
            raise TypeError(f"X must be dense; got {type(X).__name__}, so pass X.toarray()")
        self._check_names(X)
        table = X if is_frame(X) else np.asarray(X)
        if isinstance(table, np.ndarray):
            self._check_shape(table)
            if table.dtype.kind in "biuf":
                table = self._rounded(table)
            if self.schema.all_numeric and table.dtype.kind == "f":
                return self._blanked(np.array(table, dtype=np.float64, order="C"))
            made = (
                self.schema.table_of_matrix(table) if table.dtype.kind == "f" else table_of(table)
            )
        else:
            made = table_of(table)
        self._check_width(made.shape[1])
        unknown: list[Unknown] = []
        pairs = zip(self.schema.features, made.columns, strict=True)
        columns = [self._column(j, *pair, unknown) for j, pair in enumerate(pairs)]
        tell_unknown(unknown, self.unknown)
        return np.column_stack(columns)

    def _blanked(self, values: FloatArray) -> FloatArray:
        """Return numbers with NaN for every missing value."""
        if np.isnan(self.missing_value):
            return values
        with np.errstate(over="ignore"):
            missing = values.astype(np.float32) == np.float32(self.missing_value)
        return np.where(missing, np.nan, values)

    def _rounded(self, array: AnyArray) -> AnyArray:
        if array.dtype.kind == "f":
            return array
        return array.astype(np.float32 if self.rounds_integers else np.float64)

    def _column(
        self, j: int, feature: Feature, column: Column, unknown: list[Unknown]
    ) -> FloatArray:
        is_truth = not feature.is_nominal and column.categories == (False, True)
        if is_truth or (j in self.unnamed and column.is_nominal):
            column = Column(column.name, column.as_floats())
        if not (column.is_nominal or column.is_date):
            column = Column(column.name, self._blanked(column.values))
            if self.codes_above is not None and feature.categories is not None:
                return _codes(column.values, len(feature.categories), self.codes_above)
        return self._match(feature, column, unknown)

    def _match(self, feature: Feature, column: Column, unknown: list[Unknown]) -> FloatArray:
        """Return numbers, or the codes of categories found by their names."""
        codes = encoded(feature, column, self.unknown, unknown)
        if feature.is_nominal and self.unknown == "other":
            codes[codes == UNKNOWN_CODE] = len(feature.categories or ()) - 1
        return codes

    def _check_names(self, X: Any) -> None:
        if not (self.checks_names and is_frame(X)):
            return
        names = names_of(X)
        if names != self.schema.names:
            raise ValueError(
                f"the columns must be those of training, {self.schema.names}; got {names}"
            )

    def _check_shape(self, array: AnyArray) -> None:
        if array.ndim != 2:
            raise ValueError(f"X must be 2-D, rows by features; got shape {array.shape}")
        self._check_width(array.shape[1])

    def _check_width(self, n_columns: int) -> None:
        if n_columns != len(self.schema.features):
            raise ValueError(
                f"X has {n_columns} features, but the model was fitted with "
                f"{len(self.schema.features)}"
            )


def _codes(values: FloatArray, n_categories: int, above: float) -> FloatArray:
    """Return whole codes; the last one stands for all that are out of range."""
    codes = np.trunc(values)
    outside = (values <= above) | (codes >= n_categories)
    return np.where(outside, n_categories - 1.0, codes)


def numeric_schema(n_features: int, names: Any = None) -> Schema:
    """Return the schema of columns of numbers."""
    names = [f"x{j}" for j in range(n_features)] if names is None else names
    return Schema(tuple(Feature(str(name)) for name in names))


def with_other(categories: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the categories and one more, which stands for every other."""
    if all(isinstance(category, int) for category in categories):
        return (*categories, max(categories, default=-1) + 1)
    return (*categories, OTHER)


def with_categories(
    features: list[Feature], highest: Mapping[int, int], named: Mapping[int, tuple[Any, ...]]
) -> Schema:
    """Return the schema of columns some of which are nominal.

    Parameters
    ----------
    features : list of Feature
        All columns, as if they were numeric.
    highest : mapping
        The largest code that the trees know of each nominal column.
    named : mapping
        The categories of those that have any; the others have codes for names.
    """
    columns = list(features)
    for j, code in highest.items():
        categories = named.get(j, tuple(range(code + 1)))
        columns[j] = Feature(features[j].name, with_other(categories))
    return Schema(tuple(columns))
