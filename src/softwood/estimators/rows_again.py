"""Rows of our matrices as the user's tables have them, for models of others."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.schema import Feature, Schema
from softwood.data.table import MISSING_CODE, Column, Table
from softwood.estimators._sklearn_compat import take_rows

DAY = np.timedelta64(86_400_000_000, "us")


def rows_again(X: Any, schema: Schema, matrix: FloatArray) -> Any:
    """Return a table like ``X`` with the values of a matrix.

    Parameters
    ----------
    X : array-like or frame
        The table that was read: what the matrix does not tell is taken from it.
    schema : Schema
        How it was read.
    matrix : ndarray of shape (k * n_rows, n_features)
        The rows, or changed copies of all of them, one after the other.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from softwood.data.schema import Feature, Schema
    >>> from softwood.estimators.rows_again import rows_again
    >>> X = pd.DataFrame({"size": [1, 2], "colour": ["red", "blue"]})
    >>> schema = Schema((Feature("size"), Feature("colour", ("blue", "red"))))
    >>> rows_again(X, schema, np.array([[1.5, 0.0], [2.5, 0.0]]))
       size colour
    0   1.5   blue
    1   2.5   blue
    """
    features = schema.features
    if isinstance(X, Table):
        made_of = (_column(feature, matrix[:, j]) for j, feature in enumerate(features))
        return Table(tuple(made_of), X.preparation)
    if not hasattr(X, "columns"):
        if schema.all_numeric:
            return matrix
        columns = [_values(feature, matrix[:, j]) for j, feature in enumerate(features)]
        return np.column_stack([column.astype(object) for column in columns])
    if len(X.columns) != len(features):
        raise ValueError(
            f"X must have the {len(features)} columns that are read of it; got {len(X.columns)}"
        )
    places = np.tile(np.arange(len(X)), len(matrix) // len(X))
    rows = take_rows(X, places)
    made = {
        name: _values(feature, matrix[:, j])
        for j, (name, feature) in enumerate(zip(X.columns, features, strict=True))
    }
    if hasattr(rows, "with_columns"):  # polars
        import polars as pl

        return rows.with_columns(
            pl.Series(name, _listed(values), dtype=_kept_type(rows[name], values), strict=False)
            for name, values in made.items()
        )
    rows = rows.reset_index(drop=True)
    for name, values in made.items():
        is_kept = str(rows[name].dtype) in ("category", "bool", "boolean")
        rows[name] = rows[name].__class__(values).astype(rows[name].dtype) if is_kept else values
    return rows


def _column(feature: Feature, numbers: FloatArray) -> Column:
    if feature.categories is None:
        return Column(feature.name, numbers, is_date=feature.is_date)
    # Where missing values are a category of their own, that is the last one.
    known = feature.categories[:-1] if feature.categories[-1:] == (None,) else feature.categories
    is_known = (numbers >= 0) & (numbers < len(known))
    codes = np.where(is_known, numbers, MISSING_CODE).astype(np.int32)
    return Column(feature.name, codes, known, is_declared=True)


def _values(feature: Feature, numbers: FloatArray) -> AnyArray:
    if feature.categories is None:
        if not feature.is_date:
            return numbers
        days = np.where(np.isnan(numbers), 0.0, numbers)
        dates = np.datetime64(0, "us") + (days * DAY.astype(np.int64)).astype("timedelta64[us]")
        dates[np.isnan(numbers)] = np.datetime64("NaT")
        return np.asarray(dates)
    words = np.array([*feature.categories, None], dtype=object)
    codes = np.where(np.isnan(numbers), -1, numbers).astype(np.int64)
    return np.asarray(words[codes])


def _listed(values: AnyArray) -> Any:
    return values.tolist() if values.dtype == object else values


def _kept_type(column: Any, values: AnyArray) -> Any:
    return None if values.dtype.kind == "f" else column.dtype
