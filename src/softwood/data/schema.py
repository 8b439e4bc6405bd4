"""The schema: what the columns of the training table were, so that others can be read alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.data.table import MISSING_CODE, UNKNOWN_CODE, Column, Table

HANDLE_UNKNOWN = ("spread", "missing", "error")
HANDLE_MISSING = ("spread", "category")


@dataclass(frozen=True, slots=True)
class Feature:
    """One column as it was in training: its name, and its categories if nominal.

    Where missing values are a category of their own, that is None, the last one.
    """

    name: str
    categories: tuple[Any, ...] | None = None

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
    ...     Column("colour", np.array([0, 1], dtype=np.int32), ("green", "red")),
    ... ))
    >>> schema.encode(later)  # green was not seen in training
    array([[ 1.5, -2. ],
           [ nan,  1. ]])
    """

    features: tuple[Feature, ...]

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
        return cls(tuple(Feature(column.name, column.categories) for column in table.columns))

    def encode(self, table: Table, handle_unknown: str = "spread") -> FloatArray:
        """Return the matrix of ``table``: numbers, codes, NaN for missing.

        Parameters
        ----------
        table : Table
            Columns in the order of the schema.
        handle_unknown : {"spread", "missing", "error"}, default="spread"
            What becomes of a category that was not seen in training: the code
            ``UNKNOWN_CODE``, NaN, or an error that names it.

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
        for j, (feature, column) in enumerate(zip(self.features, table.columns, strict=True)):
            matrix[:, j] = _encoded(feature, column, handle_unknown)
        return matrix


def _encoded(feature: Feature, column: Column, handle_unknown: str) -> FloatArray:
    if feature.categories is None:
        if column.is_nominal:
            raise _not_numeric(column)
        return column.values
    column = as_nominal(column, feature.categories)
    codes = recoded(column, feature.categories)
    unknown = codes == UNKNOWN_CODE
    if unknown.any() and handle_unknown == "error":
        row = int(np.argmax(unknown))
        raise ValueError(
            f"column {feature.name!r} has the category {column.as_objects()[row]!r} (row {row}), "
            f"which was not seen in training; seen were {_some(feature.categories)}. "
            'Use handle_unknown="spread" or "missing" to accept it.'
        )
    missing = codes == MISSING_CODE
    if handle_unknown == "missing":
        missing |= unknown
    floats = codes.astype(np.float64)
    has_own = None in feature.categories
    floats[missing] = len(feature.categories) - 1 if has_own else np.nan
    return floats


def _not_numeric(column: Column) -> ValueError:
    seen = next((value for value in column.as_objects() if value is not None), None)
    return ValueError(
        f"column {column.name!r} is numeric in this model, but holds {seen!r}; "
        "give numbers, or refit with the column among categorical_features"
    )


def _some(categories: Sequence[Any], limit: int = 8) -> str:
    shown = ", ".join(repr(category) for category in categories[:limit])
    return f"{shown}, ..." if len(categories) > limit else shown


def recoded(column: Column, categories: tuple[Any, ...]) -> AnyArray:
    """Return codes into ``categories``; a category not among them is ``UNKNOWN_CODE``."""
    if column.categories == categories:
        return column.values
    position = {category: code for code, category in enumerate(categories)}
    own = column.categories or ()
    lookup = np.array([position.get(c, UNKNOWN_CODE) for c in own] + [MISSING_CODE], dtype=np.int32)
    return np.asarray(lookup[column.values])  # code -1 picks the last entry


def with_missing_as_category(table: Table) -> Table:
    """Return the table with None as the last category of nominal columns that lack values."""
    return Table(tuple(_with_none(column) for column in table.columns))


def _with_none(column: Column) -> Column:
    gone = column.values == MISSING_CODE
    if column.categories is None or not gone.any():
        return column
    codes = np.where(gone, len(column.categories), column.values).astype(np.int32)
    return Column(column.name, codes, (*column.categories, None))


def as_nominal(column: Column, categories: tuple[Any, ...] | None = None) -> Column:
    """Return the column as a nominal one: distinct numbers become categories, ascending.

    Where known ``categories`` are text, numbers are matched by how they are written.
    """
    if column.is_nominal:
        return column
    distinct, codes = np.unique(column.values, return_inverse=True)
    n_known = int(np.count_nonzero(~np.isnan(distinct)))
    codes = np.where(codes < n_known, codes, MISSING_CODE).astype(np.int32)
    values: tuple[Any, ...] = tuple(
        int(value) if value.is_integer() else float(value) for value in distinct[:n_known].tolist()
    )
    if categories and isinstance(categories[0], str):
        values = tuple(str(value) for value in values)
    return Column(column.name, codes, values)
