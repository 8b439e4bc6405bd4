"""Comma-separated (or otherwise delimited) text with the column names in the first row."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from softwood.data.readers.cells import (
    Cells,
    Records,
    inferred_column,
    nominal_column,
    numeric_column,
)
from softwood.data.readers.text import file_error, read_lines, read_text
from softwood.data.table import Column, Table

MISSING = ("", "?", "NA", "NaN", "nan")


def read_csv(
    path: str | PathLike[str],
    *,
    names: Sequence[str] | None = None,
    nominal: Collection[str] = (),
    numeric: Collection[str] = (),
    missing: Collection[str] = MISSING,
    delimiter: str | None = ",",
    strip: bool = False,
) -> Table:
    r"""Read a delimited text file, guessing which columns are numbers.

    A column all of whose present fields are numbers (``inf`` included) is numeric, unless
    one is written with leading zeros, as ``007``; any other is nominal, with its categories
    sorted. Fields may be quoted with ``"``.

    Parameters
    ----------
    path : path-like
        UTF-8 text, possibly compressed (``.gz``).
    names : sequence of str, optional
        Column names of a file that has no header row.
    nominal, numeric : collection of str, optional
        Columns to read as categories, or as numbers, whatever they look like.
    missing : collection of str
        Fields that stand for a missing value, quoted or not.
    delimiter : str or None, default=","
        What separates fields; None means any run of blanks.
    strip : bool, default=False
        Whether to remove blanks around every field.

    Returns
    -------
    Table
        The columns, in the order of the file.

    Raises
    ------
    ValueError
        On ragged rows, doubled or unknown column names, a field of a ``numeric`` column
        that is no number, text that is not UTF-8, or a file without rows to read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "trees.csv")
    ...     _ = path.write_text("height,kind\n3.5,fir\n,oak\n", encoding="utf-8")
    ...     table = read_csv(path)
    >>> table.names, table["kind"].categories, table["height"].values.tolist()
    (['height', 'kind'], ('fir', 'oak'), [3.5, nan])
    """
    path = Path(path)
    rows = _split_by_blanks(path) if delimiter is None else _split(path, delimiter, strip)
    header = list(names) if names is not None else _header(path, rows)
    _check_names(path, header, nominal, numeric)
    records = _collect(path, rows, header, frozenset(missing))
    columns = [
        _column(name, position, records, nominal, numeric) for position, name in enumerate(header)
    ]
    return Table(tuple(columns))


def _split(path: Path, delimiter: str, strip: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, fields) of every row that is not blank."""
    text = io.StringIO(read_text(path), newline="")
    reader = csv.reader(text, delimiter=delimiter, skipinitialspace=strip, strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, [field.strip() for field in row] if strip else row
    except csv.Error as error:
        hint = f'double every quote inside a quoted field ("") and close it ({error})'
        raise file_error(path, hint, reader.line_num) from None


def _split_by_blanks(path: Path) -> Iterator[tuple[int, list[str]]]:
    for line, row in enumerate(read_lines(path), start=1):
        if fields := row.split():
            yield line, fields


def _header(path: Path, rows: Iterator[tuple[int, list[str]]]) -> list[str]:
    line, header = next(rows)
    if any(not name.strip() for name in header):
        raise file_error(path, f"a column has no name in the header {header}; name it", line)
    return header


def _check_names(
    path: Path, header: Sequence[str], nominal: Collection[str], numeric: Collection[str]
) -> None:
    doubled = sorted({name for name in header if header.count(name) > 1})
    if doubled:
        raise file_error(path, f"column names must differ, but {doubled} occur twice", 1)
    for option, wanted in (("nominal", nominal), ("numeric", numeric)):
        unknown = sorted(set(wanted).difference(header))
        if unknown:
            raise file_error(path, f"{option}={unknown}, but the columns are {list(header)}")
    both = sorted(set(nominal).intersection(numeric))
    if both:
        raise file_error(path, f"{both} cannot be both nominal and numeric; keep one")


def _collect(
    path: Path,
    rows: Iterator[tuple[int, list[str]]],
    header: Sequence[str],
    missing: frozenset[str],
) -> Records:
    """Check that every row is as wide as the header, and turn rows into columns."""
    width = len(header)
    lines: list[int] = []
    kept: list[list[str]] = []
    for line, row in rows:
        if len(row) != width:
            raise file_error(
                path,
                f"{len(row)} fields where there are {width} columns; "
                "quote a field that contains the delimiter",
                line,
            )
        lines.append(line)
        kept.append(row)
    if not kept:
        raise file_error(path, "there are column names but no rows of data")
    columns: list[Cells] = [
        [None if field in missing else field for field in column]
        for column in zip(*kept, strict=True)
    ]
    return Records(tuple(columns), lambda row: (path, lines[row]))


def _column(
    name: str, position: int, records: Records, nominal: Collection[str], numeric: Collection[str]
) -> Column:
    if name in nominal:
        return replace(nominal_column(name, records.columns[position]), is_declared=True)
    if name in numeric:
        return numeric_column(name, position, records)
    return inferred_column(name, records.columns[position])
