"""Users' tables become :class:`Table`: arrays, frames of any kind, and lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from softwood._types import AnyArray, BoolArray
from softwood.data.schema import as_nominal
from softwood.data.table import MISSING_CODE, Column, Table


def is_frame(X: Any) -> bool:
    """Whether ``X`` is a table with named, typed columns, and not an array or list."""
    return isinstance(X, Table) or (hasattr(X, "columns") and hasattr(X, "__getitem__"))


def table_of(X: Any) -> Table:
    """Return ``X`` as a table; columns of text, categories and booleans are nominal."""
    if isinstance(X, Table):
        return X
    if is_frame(X):
        return _table_of_frame(X)
    return _table_of_array(np.asarray(X))


def _table_of_array(array: AnyArray) -> Table:
    names = [f"x{j}" for j in range(array.shape[1])]
    if array.dtype.kind in "iuf":
        floats = array.astype(np.float64, copy=False)
        return Table(tuple(Column(names[j], floats[:, j]) for j in range(len(names))))
    return Table(tuple(column_of_objects(names[j], array[:, j]) for j in range(len(names))))


def _table_of_frame(X: Any) -> Table:
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    return Table(tuple(_column_of_series(frame[:, j], nw) for j in range(frame.shape[1])))


def _column_of_series(series: Any, nw: Any) -> Column:
    name, dtype = str(series.name), series.dtype
    if dtype.is_numeric():
        return Column(name, series.cast(nw.Float64).to_numpy().astype(np.float64))
    if dtype == nw.Categorical or dtype == nw.Enum:
        categories = tuple(series.cat.get_categories().to_list())
        if dtype == nw.Categorical and series.implementation.is_polars():
            categories = tuple(sorted(categories))  # in order of appearance: nobody declared it
        if series.implementation.is_pandas():  # knows the codes, and has -1 for what is missing
            codes = series.to_native().cat.codes.to_numpy()
            return Column(name, codes.astype(np.int32), categories)
        return Column(name, _codes(series.to_list(), categories), categories)
    if dtype == nw.Boolean or dtype == nw.String or dtype == nw.Object:
        return column_of_objects(name, np.array(series.to_list(), dtype=object))
    raise TypeError(
        f"column {name!r} has dtype {dtype}, which is neither a number nor a category; "
        "turn it into one (for a date, the number of days since some date)"
    )


def column_of_objects(name: str, values: AnyArray) -> Column:
    """Return a column of Python objects: numeric if all are numbers, else nominal."""
    if str in (kinds := set(map(type, values))) and kinds <= {str, type(None)}:
        words = tuple(sorted(set(values) - {None}))  # most columns of text have nothing else
        return Column(name, _codes(values, words), words)
    missing = np.array([is_missing(value) for value in values], dtype=bool)
    known = [value for value, gone in zip(values, missing, strict=True) if not gone]
    if all(isinstance(value, bool | np.bool_) for value in known) and known:
        known_kinds: tuple[Any, ...] = (False, True)
        return Column(name, _codes(values, known_kinds), known_kinds)
    if all(isinstance(value, int | float | np.number) for value in known):
        floats = np.full(len(values), np.nan)
        floats[~missing] = [float(value) for value in known]
        return Column(name, floats)
    for value in known:
        if not isinstance(value, str | bytes | int | float | bool | np.generic):
            raise TypeError(
                f"column {name!r} holds {value!r}; argument must be a string or a real number, "
                f"not {type(value).__name__!r}"
            )
    categories = tuple(sorted(set(known), key=lambda value: (str(type(value)), value)))
    return Column(name, _codes(values, categories), categories)


def is_missing(value: Any) -> bool:
    """Whether ``value`` is None, NaN, or a frame library's own missing value."""
    if value is None:
        return True
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    return type(value).__name__ in ("NAType", "NaTType")


def _codes(values: Any, categories: tuple[Any, ...]) -> AnyArray:
    """Return the position of each value; all that are not missing are among the categories."""
    position = {category: code for code, category in enumerate(categories)}
    return np.array([position.get(value, MISSING_CODE) for value in values], dtype=np.int32)


def with_nominal(table: Table, categorical_features: Any) -> Table:
    """Return the table with exactly the chosen columns nominal.

    Parameters
    ----------
    table : Table
        What :func:`table_of` made.
    categorical_features : "from_dtype", None, or sequence of names, indices or a mask
        Which columns are nominal. "from_dtype" keeps what the columns' types say.

    Returns
    -------
    Table
    """
    if isinstance(categorical_features, str) and categorical_features == "from_dtype":
        return table
    chosen = _mask(categorical_features, table.names)
    columns = []
    for column, nominal in zip(table.columns, chosen, strict=True):
        if column.is_nominal and not nominal:
            seen = next((value for value in column.as_objects() if value is not None), None)
            raise ValueError(
                f"column {column.name!r} holds {seen!r}, which is not a number, and is not among "
                "categorical_features; add it there, or encode it as numbers"
            )
        columns.append(as_nominal(column) if nominal else column)
    return Table(tuple(columns))


def _mask(chosen: Any, names: Sequence[str]) -> BoolArray:
    mask = np.zeros(len(names), dtype=bool)
    if chosen is None:
        return mask
    if isinstance(chosen, str) or not np.iterable(chosen):
        raise ValueError(
            'categorical_features must be "from_dtype", None, or a sequence of column names, '
            f"indices or a mask; got {chosen!r}"
        )
    picks = list(chosen)
    if picks and all(isinstance(pick, bool | np.bool_) for pick in picks):
        if len(picks) != len(names):
            raise ValueError(
                f"categorical_features is a mask of length {len(picks)}, "
                f"but X has {len(names)} columns"
            )
        return np.array(picks, dtype=bool)
    for pick in picks:
        if isinstance(pick, str):
            if pick not in names:
                raise ValueError(
                    f"categorical_features names {pick!r}; the columns are {list(names)}"
                )
            mask[list(names).index(pick)] = True
        elif isinstance(pick, int | np.integer) and -len(names) <= pick < len(names):
            mask[pick] = True
        else:
            raise ValueError(
                f"categorical_features has {pick!r}; columns are 0 to {len(names) - 1}, or by name"
            )
    return mask
