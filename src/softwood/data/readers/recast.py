"""Change the type of columns that are already read: numbers to categories and back."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from softwood.data.schema import plain_number
from softwood.data.table import MISSING_CODE, Column, Table


def recast(
    table: Table, *, nominal: Collection[str] = (), numeric: Collection[str] = (), where: str
) -> Table:
    """Return the table with the named columns nominal, or numeric; ``where`` is for errors."""
    unknown = sorted({*nominal, *numeric}.difference(table.names))
    if unknown:
        raise ValueError(f"{where}: there is no column {unknown}; the columns are {table.names}")
    columns = []
    for column in table.columns:
        if column.name in nominal:
            column = replace(as_nominal(column), is_declared=True)
        elif column.name in numeric:
            column = as_numeric(column, where)
        columns.append(column)
    return Table(tuple(columns))


def as_nominal(column: Column) -> Column:
    """Return the column with its numbers as categories, ascending; 3.0 is written ``3``."""
    if column.is_nominal:
        return column
    values = column.values
    present = np.unique(values[~np.isnan(values)])
    codes = np.searchsorted(present, values).astype(np.int32)
    codes[np.isnan(values)] = MISSING_CODE
    return Column(column.name, codes, tuple(number_text(value) for value in present.tolist()))


def as_numeric(column: Column, where: str) -> Column:
    """Return the column with its categories read as numbers."""
    if column.categories is None:
        return column
    numbers = np.full(len(column.categories) + 1, np.nan)  # code -1 picks the trailing NaN
    for code, category in enumerate(column.categories):
        try:
            numbers[code] = float(category)
        except ValueError:
            raise ValueError(
                f"{where}: column {column.name!r} holds {category!r} where a number must be"
            ) from None
    return Column(column.name, numbers[column.values])


def number_text(value: float) -> str:
    """Return the shortest text of a number, without ``.0`` for a whole one."""
    return str(plain_number(value))
