"""One row, however users hold it, becomes a table of one row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from softwood.data.columns.apply import prepared, prepared_rows
from softwood.data.columns.polars import frame_of_row
from softwood.data.encode import column_of_objects, is_frame, table_of
from softwood.data.schema import Feature, Schema
from softwood.data.table import Column, Table


def one_row(estimator: Any, x: Any) -> Table:
    """Return ``x`` as a table with the columns that ``estimator`` was fitted with."""
    x = _with_raw_values(estimator.schema_, x)
    if is_frame(x):
        table = table_of(x)
        if len(table) != 1:
            raise ValueError(f"x must be one row; got a table of {len(table)} rows")
        return table
    schema: Schema = estimator.schema_
    features = schema.features
    if isinstance(x, Mapping):
        values = _by_name(list(x), list(x.values()), estimator)
    elif hasattr(x, "index") and hasattr(x, "to_dict"):  # a pandas Series
        values = _by_name(list(x.index), list(x), estimator)
    else:
        values = _by_place(x)
    if len(values) != len(features):
        raise ValueError(f"x has {len(values)} values, but the model has {len(features)} features")
    if isinstance(x, np.ndarray) and x.dtype.kind in "iuf":  # as in predict, dates are in days
        return schema.table_of_matrix(np.array([values], dtype=np.float64))
    return Table(tuple(_column(f, value) for f, value in zip(features, values, strict=True)))


def _with_raw_values(schema: Schema, x: Any) -> Any:
    """Return values of the user's own columns, if the model knows them, as its features."""
    if schema.preparation is None:
        return x
    if hasattr(x, "index") and hasattr(x, "to_dict") and not is_frame(x):
        x = x.to_dict()
    if not isinstance(x, Mapping):
        return prepared_rows(schema, x)
    if set(x) == set(schema.names) and set(x) != {plan.name for plan in schema.preparation.used}:
        return x
    return prepared(schema.preparation, frame_of_row(x))


def _by_name(labels: list[Any], values: list[Any], estimator: Any) -> list[Any]:
    names = getattr(estimator, "feature_names_in_", None)
    if names is None or labels == list(names) or not any(isinstance(n, str) for n in labels):
        return values
    lookup = dict(zip(labels, values, strict=True))
    lacking = [name for name in names if name not in lookup]
    surplus = [label for label in labels if label not in set(names)]
    if lacking or surplus:
        raise ValueError(
            f"x must have the features of the training table; missing are {lacking}, "
            f"and not among them {surplus}"
        )
    return [lookup[name] for name in names]


def _by_place(x: Any) -> list[Any]:
    if isinstance(x, np.ndarray) and x.dtype.kind == "M":
        x = x.astype("datetime64[us]")  # finer units would become plain integers
    values = np.asarray(x, dtype=object)
    if values.ndim == 2 and values.shape[0] == 1:
        values = values[0]
    if values.ndim != 1:
        raise ValueError(f"x must be one row; got an array of shape {values.shape}")
    return list(values)


def _column(feature: Feature, value: Any) -> Column:
    if not feature.is_nominal and isinstance(value, bool | np.bool_):
        value = float(value)  # arrays of numbers may hold booleans
    cell = np.empty(1, dtype=object)
    cell[0] = value
    return column_of_objects(feature.name, cell)
