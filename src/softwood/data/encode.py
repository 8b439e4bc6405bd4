"""Users' tables become :class:`Table`: arrays, frames of any kind, and lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from softwood._types import AnyArray, BoolArray
from softwood.data.dates import days_of_datetimes, with_dates
from softwood.data.frames import table_of_frame
from softwood.data.objects import column_of_objects, is_missing
from softwood.data.schema import as_nominal, first_unread, read_numbers
from softwood.data.table import Column, Table

__all__ = [
    "chosen_columns",
    "column_of_objects",
    "is_frame",
    "is_missing",
    "not_chosen",
    "table_of",
    "with_chosen",
    "with_nominal",
]


def is_frame(X: Any) -> bool:
    """Whether ``X`` is a table with named, typed columns, and not an array or list."""
    return isinstance(X, Table) or (hasattr(X, "columns") and hasattr(X, "__getitem__"))


def names_of(X: Any) -> list[str]:
    """Return the names of the columns of a frame; those of Arrow are not in ``columns``.

    Examples
    --------
    >>> import pandas as pd
    >>> from softwood.data.encode import names_of
    >>> names_of(pd.DataFrame({"size": [1.0], "names": ["a"]}))
    ['size', 'names']
    """
    # Asked of the type: a frame of pandas has its columns as attributes.
    ways = [way for way in ("names", "column_names") if hasattr(type(X), way)]
    return [str(name) for name in getattr(X, ways[0] if ways else "columns")]


def table_of(X: Any) -> Table:
    """Return ``X`` as a table; columns of text, categories and booleans are nominal.

    Dates are numbers, in days; text that looks like dates is text here.
    """
    if isinstance(X, Table):
        return X
    if is_frame(X):
        return table_of_frame(X)
    return _table_of_array(np.asarray(X))


def _table_of_array(array: AnyArray) -> Table:
    names = [f"x{j}" for j in range(array.shape[1])]
    if array.dtype.kind in "iuf":
        floats = array.astype(np.float64, copy=False)
        return Table(tuple(Column(names[j], floats[:, j]) for j in range(len(names))))
    if array.dtype.kind == "M":
        days = days_of_datetimes(array)
        columns = (Column(names[j], days[:, j], is_date=True) for j in range(len(names)))
        return Table(tuple(columns))
    return Table(tuple(column_of_objects(names[j], array[:, j]) for j in range(len(names))))


def with_nominal(table: Table, categorical_features: Any) -> Table:
    """Return the table with exactly the chosen columns nominal.

    Columns of text that are not chosen by name, and hold nothing but dates, become dates.

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
    chosen = chosen_columns(categorical_features, table.names)
    kept = np.zeros(len(table.columns), dtype=bool) if chosen is None else chosen
    return with_chosen(with_dates(table, kept), chosen)


def with_chosen(table: Table, chosen: BoolArray | None) -> Table:
    """Return the table with the chosen columns nominal and all others numeric, if any are."""
    if chosen is None:
        return table
    pairs = zip(table.columns, chosen, strict=True)
    columns = tuple(as_nominal(c) if nominal else _as_numeric(c) for c, nominal in pairs)
    return replace(table, columns=columns)


def _as_numeric(column: Column) -> Column:
    """Return a column that is not to be nominal: texts may write numbers."""
    if not column.is_nominal:
        return column
    values = read_numbers(column)
    row = first_unread(column, values)
    if row is not None:
        raise not_chosen(column.name, column.as_objects()[row])
    return Column(column.name, values)


def not_chosen(name: str, seen: Any) -> ValueError:
    """Return the complaint about a column of text that was not to be nominal."""
    return ValueError(
        f"column {name!r} holds {seen!r}, which is not a number, and is not among "
        "categorical_features; add it there, or encode it as numbers"
    )


def chosen_columns(categorical_features: Any, names: Sequence[str]) -> BoolArray | None:
    """Return the mask of the columns chosen to be nominal; None if their types decide."""
    if isinstance(categorical_features, str) and categorical_features == "from_dtype":
        return None
    return _mask(categorical_features, names)


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
