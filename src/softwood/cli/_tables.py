"""Tables of the command line: files in, columns out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from softwood.data.table import Column, Table

CLASS_LIMIT = 20  # a column of numbers with more distinct values is a number to predict


def read(path: Path, nominal: list[str] | None = None) -> Table:
    """Read a CSV, ARFF, KEEL or C4.5 file."""
    from softwood.data.readers import read_table

    if not path.is_file():
        raise FileNotFoundError(f"{path} is not a file")
    return read_table(path, nominal=nominal)


def split_target(table: Table, target: str) -> tuple[Table, Column]:
    """Return the features and the target column; rows without a target are dropped."""
    if target not in table.names:
        raise ValueError(f"no column {target!r}; the columns are {', '.join(table.names)}")
    known = ~_missing(table[target])
    if not known.any():
        raise ValueError(f"column {target!r} is empty in every row")
    kept = table if known.all() else table.take(known)
    return kept.drop([target]), kept[target]


def _missing(column: Column) -> Any:
    return column.values < 0 if column.is_nominal else np.isnan(column.values)


def is_number_to_predict(column: Column) -> bool:
    """Whether a target is a number and not a class."""
    if column.is_nominal:
        return False
    distinct = np.unique(column.values)
    whole = bool(np.all(distinct == np.floor(distinct)))
    return not whole or distinct.size > CLASS_LIMIT


def labels(column: Column) -> Any:
    """Return class labels: text, or whole numbers where the column has them."""
    if column.is_nominal:
        return np.asarray(column.as_objects(), dtype=str)
    whole = np.all(column.values == np.floor(column.values))
    return column.values.astype(np.int64) if whole else column.values
