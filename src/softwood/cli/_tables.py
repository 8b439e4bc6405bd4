"""Tables of the command line: files in, columns out."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from softwood._types import AnyArray
from softwood.data.table import Column, Table

CLASS_LIMIT = 20  # a column of numbers with more distinct values is a number to predict


class Task(NamedTuple):
    """What is to be learned: the features, the target, and whether it is a number."""

    X: Table
    y: AnyArray
    is_regression: bool


def read(
    path: Path, nominal: Collection[str] | None = None, missing: Collection[str] | None = None
) -> Table:
    """Read a CSV, ARFF, KEEL or C4.5 file."""
    from softwood.data.readers import MISSING, read_table

    if not path.is_file():
        raise FileNotFoundError(f"{path} is not a file")
    return read_table(path, nominal=nominal, missing=MISSING if missing is None else missing)


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


def task_of(table: Table, path: Path, target: str, nominal: Collection[str] | None) -> Task:
    """Return what is to be learned from a file; say what is guessed about its columns.

    Whole numbers that are few are classes. Their labels are those of the file, as it writes
    them, unless they are ordinary integers.
    """
    X, column = split_target(table, target)
    X = _told(X, nominal or ())
    if column.is_nominal:
        return Task(X, np.asarray(column.as_objects(), dtype=str), False)
    distinct = np.unique(column.values)
    if not np.all(distinct == np.floor(distinct)) or distinct.size > CLASS_LIMIT:
        return Task(X, column.values, True)
    # As floats, large numbers may have become one: see how the file writes them.
    written = split_target(read(path, [*(nominal or ()), target]), target)[1]
    labels, codes = _labels(written)
    if len(labels) > CLASS_LIMIT:
        return Task(X, column.values, True)
    return Task(X, labels[codes], False)


def _told(X: Table, nominal: Collection[str]) -> Table:
    """Return the features with texts that are dates as dates; warn of that, and of identifiers."""
    from softwood.data.dates import with_dates
    from softwood.data.identifiers import tell_of_identifiers

    meant = np.array([name in nominal for name in X.names], dtype=bool)
    X = with_dates(X, meant)
    tell_of_identifiers(X, meant)
    return X


def _labels(column: Column) -> tuple[AnyArray, AnyArray]:
    """Return the labels of a column of whole numbers in words, and the place of each row's."""
    texts = column.categories or ()
    spelling: dict[Any, str] = {}  # the first of 1 and 1.0: they are the same
    for text in texts:
        spelling.setdefault(_value(text), text)
    labels: AnyArray = np.array([spelling[_value(text)] for text in texts])
    if all(_is_ordinary(label) for label in labels.tolist()):
        labels = labels.astype(np.int64)
    distinct, place = np.unique(labels, return_inverse=True)
    return distinct, place[column.values]


def _value(text: str) -> Any:
    from softwood.data.identity import number_of

    number = number_of(text)
    return text if number is None else number


def _is_ordinary(text: str) -> bool:
    """Whether an integer of 64 bits is written so."""
    try:
        return str(int(text)) == text and abs(int(text)) < 2**63
    except ValueError:
        return False
