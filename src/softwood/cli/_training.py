"""What is to be learned: tables read, columns understood, rows without a target left out."""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray
from softwood.cli._screen import note
from softwood.data.columns.apply import columns_of, prepared
from softwood.data.columns.describe import ColumnDescription, TableDescription, describe, described
from softwood.data.columns.infer import plan_of
from softwood.data.columns.plan import CATEGORY, DATE, IDENTIFIER, TEXT, TIME, YES_NO, ColumnPlan
from softwood.data.readers.options import ReadOptions
from softwood.data.readers.rows import opened
from softwood.data.readers.sources import STDIN
from softwood.data.table import Table

if TYPE_CHECKING:
    import polars as pl

CLASS_LIMIT = 20  # a column of numbers with more distinct values is a number to predict
MOST_CLASSES = 1000
LAST = "<last>"  # of the columns: the target of formats that have it there


@dataclass(frozen=True)
class Columns:
    """What the user says of columns, by their names."""

    nominal: Collection[str] = ()
    keep: Collection[str] = ()
    drop: Collection[str] = ()


@dataclass(frozen=True)
class Training:
    """What is to be learned: the features, the target, and whether it is a number.

    Attributes
    ----------
    X, y : Table, ndarray
        Of the rows whose target is known.
    is_regression : bool
        Whether the target is a number.
    target : str
        Its name.
    description : TableDescription
        What the columns are.
    n_without_target : int
        Rows that were left out.
    """

    X: Table
    y: AnyArray
    is_regression: bool
    target: str
    description: TableDescription
    n_without_target: int


def rows_of(
    data: Sequence[str], options: ReadOptions, as_text: Container[str] = ()
) -> tuple[pl.DataFrame, str | None, str]:
    """Return all rows of files or of a data set, its target if it has one, and the decimal sign."""
    if len(data) == 1 and names_dataset(data[0]):
        from softwood.data.readers.formats import frame_of_table
        from softwood.datasets import load_dataset

        dataset = load_dataset(data[0])
        return frame_of_table(dataset.table), dataset.target_name, "."
    with opened(data, options, as_text) as rows:
        for said in rows.notes:
            note(said)
        text = rows.parts[0].text
        return rows.collect(), None, "." if text is None else text.dialect.decimal


def names_dataset(name: str) -> bool:
    """Whether a word is the name of a data set, and not of a file."""
    path = Path(name)
    is_plain = path.name == name and not path.suffix and not set(name) & set("*?[")
    return is_plain and name != STDIN and not path.exists()


def training_of(
    data: Sequence[str],
    target: str | None,
    options: ReadOptions | None = None,
    columns: Columns | None = None,
) -> Training:
    """Read what is to be learned; say what was guessed on the way."""
    options, columns = options or ReadOptions(), columns or Columns()
    as_text = [target, *columns.nominal] if target else list(columns.nominal)  # 1.10 is not 1.1
    return training_of_frame(*rows_of(data, options, as_text), target, columns)


def training_of_frame(
    frame: pl.DataFrame, own_target: str | None, decimal: str, target: str | None, columns: Columns
) -> Training:
    """Return what is to be learned of a frame; say what was guessed on the way."""
    wanted = frame.columns[-1] if target == LAST else target or own_target
    target = _target_named(wanted, frame.columns)
    y_column = frame[target]
    known = y_column.is_not_null()
    n_without = int((~known).sum())
    if n_without == frame.height:
        raise ValueError(f"column {target!r} is empty in every row")
    if n_without:
        note(f"{n_without} of {frame.height} rows have no {target!r} and are left out")
        frame = frame.filter(known)
    plan, y, is_regression = _target_of(frame[target], decimal, target in columns.nominal)
    others = frame.drop(target)
    if not others.width:
        raise ValueError(f"there is no column besides {target!r} to learn from")
    nominal = [name for name in columns.nominal if name != target]
    table = describe(others, keep=columns.keep, nominal=nominal, drop=columns.drop, decimal=decimal)
    preparation = table.preparation(plan)
    if not preparation.features:
        raise ValueError(
            "no column is left to learn from; --keep NAME uses one that was left out: "
            + ", ".join(column.name for column in table)
        )
    X = prepared(preparation, others)
    for column in X.columns:
        if not column.is_nominal:
            _check_finite(column.name, column.values)
    return Training(X, y, is_regression, target, table, n_without)


def _check_finite(name: str, numbers: AnyArray) -> None:
    infinite = np.isinf(numbers)
    if infinite.any():
        row = int(np.argmax(infinite))
        raise ValueError(
            f"column {name!r} has {numbers[row]} (row {row}); write a number there, or leave it "
            f"empty if it is not known"
        )


def _target_named(target: str | None, names: list[str]) -> str:
    if target is None:
        raise ValueError(f"name the column to predict by --target: one of {', '.join(names)}")
    if target not in names:
        from difflib import get_close_matches

        close = get_close_matches(target, names, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise ValueError(f"no column {target!r}; {hint}the columns are {', '.join(names)}")
    return target


# -- the target ------------------------------------------------------------------------


def _target_of(
    series: pl.Series, decimal: str, is_nominal: bool
) -> tuple[ColumnPlan, AnyArray, bool]:
    """Return how the target is read, its values, and whether they are numbers to predict.

    Whole numbers that are few are classes. Their labels are those of the file, as it writes
    them, unless they are ordinary integers.
    """
    import polars as pl

    found: ColumnDescription = described(series, decimal, "category" if is_nominal else "keep")
    plan = found.plan
    if found.n_distinct == 1:
        note(f"{series.name!r} has one value in all rows, {series[0]!r}: that is what is predicted")
    if plan.kind in (DATE, TIME) and not is_nominal:
        raise ValueError(
            f"{series.name!r} holds dates or times, such as {series.drop_nulls()[0]!r}, which "
            f"cannot be predicted; make numbers of them, or say --nominal {series.name} for classes"
        )
    tells_rows = not is_nominal and plan_of(series, decimal).kind in (IDENTIFIER, TEXT)
    if not plan.is_number and (tells_rows or found.n_distinct > MOST_CLASSES):
        raise ValueError(
            f"{series.name!r} has {found.n_distinct} different texts in {series.len()} rows, which "
            "is too many to predict; join them into classes"
        )
    if not plan.is_number:
        return _classes(plan, series)
    numbers = columns_of(plan, series)[0].values
    distinct = np.unique(numbers[~np.isnan(numbers)])
    if not np.all(distinct == np.floor(distinct)) or distinct.size > CLASS_LIMIT:
        _check_finite(series.name, numbers)
        return plan, numbers, True
    if series.dtype != pl.String:
        texts = [str(int(value)) for value in numbers]
    else:
        texts = series.to_list()
    labels, codes = _labels(texts)
    if len(labels) > CLASS_LIMIT:  # as floats, large numbers had become one
        return plan, numbers, True
    return ColumnPlan(series.name, CATEGORY), labels[codes], False


def _classes(plan: ColumnPlan, series: pl.Series) -> tuple[ColumnPlan, AnyArray, bool]:
    column = columns_of(plan, series)[0]
    kind = plan.kind if plan.kind == YES_NO else CATEGORY
    plan = ColumnPlan(plan.name, kind, spellings=plan.spellings)
    return plan, np.asarray(column.as_objects(), dtype=str), False


def _labels(texts: Sequence[str]) -> tuple[AnyArray, AnyArray]:
    """Return the labels of whole numbers in words, and the place of each row's."""
    spelling: dict[Any, str] = {}  # the first of 1 and 1.0: they are the same
    for text in sorted(set(texts)):
        spelling.setdefault(_value(text), text)
    labels: AnyArray = np.array([spelling[_value(text)] for text in texts])
    if all(_is_ordinary(label) for label in spelling.values()):
        labels = labels.astype(np.int64)
    return np.unique(labels, return_inverse=True)


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
