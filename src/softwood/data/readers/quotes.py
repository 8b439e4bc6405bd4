"""Quotes that stand where the rules of CSV do not have them: found quickly, and read with care.

polars takes every quote for one that opens or closes a field. In ``5" pipe, "steel"`` neither does,
as it is written; rows would be joined without a word. Such files are written anew, by the rules.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np

from softwood._types import AnyArray
from softwood.data.readers.encodings import chunks, offset_of_line
from softwood.data.readers.text import file_error

_QUOTE = ord('"')
_LARGEST_FIELD = 1 << 30


def are_regular(path: Path, delimiter: str, n_lines_above: int = 0) -> bool:
    r"""Whether each quote below some lines opens a field, closes one, or is doubled in one.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from softwood.data.readers.quotes import are_regular
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "pipes.csv")
    ...     _ = path.write_text('a,"5"" pipe"\n')
    ...     good = are_regular(path, ",")
    ...     _ = path.write_text('a,5" pipe\n')
    ...     good, are_regular(path, ",")
    (True, False)
    """
    ends = np.frombuffer(delimiter.encode() + b'\r\n"', dtype=np.uint8)
    n_quotes, last, was_closed = 0, ord("\n"), False
    for chunk in chunks(path, offset_of_line(path, n_lines_above)):
        if n_quotes == 0 and b'"' not in chunk:
            last = chunk[-1]
            continue
        # One byte on each side, that every quote has neighbours.
        data = np.frombuffer(bytes([last]) + chunk, dtype=np.uint8)
        if was_closed and data[1] not in ends:
            return False
        places = np.flatnonzero(data[1:] == _QUOTE) + 1
        opens = (np.arange(places.size) + n_quotes) % 2 == 0
        if not _are_neighbours(data, places, opens, ends):
            return False
        n_quotes += places.size
        last = int(data[-1])
        was_closed = last == _QUOTE and n_quotes % 2 == 0
    return n_quotes % 2 == 0


def _are_neighbours(data: AnyArray, places: AnyArray, opens: AnyArray, ends: AnyArray) -> bool:
    """Whether fields end before quotes that open, and after those that close."""
    before = data[places[opens] - 1]
    closing = places[~opens]
    after = data[closing[closing + 1 < data.size] + 1]
    return bool(np.isin(before, ends).all() and np.isin(after, ends).all())


@contextmanager
def large_fields() -> Iterator[None]:
    """Let Python's reader take fields of any length."""
    old = csv.field_size_limit(_LARGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(old)


def rewrite(
    path: Path, called: Path, delimiter: str, width: int, n_lines_above: int, copy: Path
) -> list[int]:
    """Write the rows of a file anew, by the rules; return the lines of those that are too short.

    Blank rows are left out.

    Raises
    ------
    ValueError
        If a quote is not closed, or a row has too many fields: with its line.
    """
    short: list[int] = []
    with (
        path.open(encoding="utf-8-sig", newline="") as file,
        copy.open("w", encoding="utf-8", newline="") as out,
        large_fields(),
    ):
        for _ in islice(file, n_lines_above):
            pass
        reader = csv.reader(file, delimiter=delimiter, strict=True, skipinitialspace=True)
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
        first = n_lines_above + 1
        try:
            for row in reader:
                if len(row) > width:
                    raise too_long(called, len(row), width, first)
                if any(field.strip() for field in row):
                    if len(row) < width:
                        short.append(first)
                    writer.writerow(row + [""] * (width - len(row)))
                first = n_lines_above + reader.line_num + 1
        except csv.Error as error:
            raise _misquoted(called, error, first) from None
    return short


def too_long(called: Path, n_fields: int | str, width: int, line: int | None) -> ValueError:
    """Return the error of a row with more fields than there are columns."""
    return file_error(
        called,
        f"{n_fields} fields where there are {width} columns; quote a field that contains the "
        "delimiter, or name the delimiter by --delimiter",
        line,
    )


def _misquoted(called: Path, error: csv.Error, line: int) -> ValueError:
    if "end of data" in str(error):
        problem = "a quote is opened in the row that begins here and never closed"
    else:
        problem = "a quoted field goes on after its closing quote"
    return file_error(
        called, f'{problem}; double every quote inside a quoted field ("") and close it', line
    )
