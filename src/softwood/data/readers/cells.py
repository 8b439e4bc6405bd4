"""From a column of text cells to a :class:`~softwood.data.table.Column`.

A cell is the text of one field, or None where the value is missing: each reader decides
what counts as missing in its format, so that a quoted ``'?'`` can still be a category.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from softwood._types import FloatArray
from softwood.data.readers.text import file_error
from softwood.data.table import MISSING_CODE, Column

Cells = Sequence[str | None]
_LEADING_ZERO = re.compile(r"\n[ \t]*[+-]?0[0-9]")  # ten times as fast as with ^


@dataclass(frozen=True)
class Records:
    """The rows of one or more files, as columns of cells, and where each row ended."""

    columns: tuple[Cells, ...]
    place: Callable[[int], tuple[Path, int]]  # of a row: its file and line

    def error(self, row: int, problem: str) -> ValueError:
        """Return the error for a ``problem`` in the given row, counted from zero."""
        path, line = self.place(row)
        return file_error(path, f"row {row + 1}: {problem}", line)


def inferred_column(name: str, cells: Cells) -> Column:
    """Return a numeric column if every cell that is there is a number, else a nominal one.

    ``007`` is a name: as a number it would lose its zeros.
    """
    numbers = _numbers(cells, _LEADING_ZERO)
    if numbers is None:
        return nominal_column(name, cells)
    return Column(name, numbers)


def numeric_column(name: str, position: int, records: Records) -> Column:
    """Return column ``position`` of the records, which must hold numbers."""
    cells = records.columns[position]
    numbers = _numbers(cells)
    if numbers is None:
        row, seen = next(
            (row, cell)
            for row, cell in enumerate(cells)
            if cell is not None and _numbers([cell]) is None
        )
        raise records.error(
            row, f"column {name!r} holds {seen!r} where a number must be; declare it nominal?"
        )
    return Column(name, numbers)


def nominal_column(name: str, cells: Cells) -> Column:
    """Return a nominal column whose categories are the cells' distinct texts, sorted."""
    return _coded(name, cells, tuple(sorted({cell for cell in cells if cell is not None})))


def declared_column(
    name: str, position: int, records: Records, categories: Sequence[str]
) -> Column:
    """Return a nominal column with ``categories`` in the order the file declares them."""
    cells = records.columns[position]
    unknown = {cell for cell in cells if cell is not None}.difference(categories)
    if unknown:
        row, seen = next((row, cell) for row, cell in enumerate(cells) if cell in unknown)
        raise records.error(
            row, f"column {name!r} holds {seen!r}, not one of its declared {_short(categories)}"
        )
    return replace(_coded(name, cells, tuple(categories)), is_declared=True)


def _numbers(cells: Cells, names: re.Pattern[str] | None = None) -> FloatArray | None:
    """Return the cells as floats, NaN for missing; None if one of them is no number.

    ``names`` finds, after a line break, what is no number though it could be read as one.
    """
    try:
        values = [np.nan if cell is None else float(cell) for cell in cells]
    except ValueError:
        return None
    # float() also reads "1_000" and the digits of other scripts: identifiers, not numbers.
    written = "\n".join(["", *(cell for cell in cells if cell is not None)])
    if "_" in written or not written.isascii():
        return None
    if names is not None and names.search(written):
        return None
    return np.array(values, dtype=np.float64)


def _coded(name: str, cells: Cells, categories: tuple[str, ...]) -> Column:
    code_of: dict[str | None, int] = {text: code for code, text in enumerate(categories)}
    code_of[None] = MISSING_CODE
    codes = np.fromiter(map(code_of.__getitem__, cells), dtype=np.int32, count=len(cells))
    return Column(name, codes, categories)


def _short(categories: Sequence[str], most: int = 8) -> str:
    shown = ", ".join(repr(category) for category in categories[:most])
    return f"{{{shown}, ...}}" if len(categories) > most else f"{{{shown}}}"
