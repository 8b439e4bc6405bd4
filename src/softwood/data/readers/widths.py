"""Rows that have too many fields, or too few: told by their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from softwood._types import AnyArray
from softwood.data.readers.encodings import chunks, offset_of_line

_QUOTE, _END = ord('"'), ord("\n")


def rows_of_other_width(
    path: Path, delimiter: str, width: int, n_lines_above: int
) -> Iterator[tuple[int, int]]:
    r"""Yield the line at which a row begins, and its fields, for rows that have not ``width``.

    Quotes must be regular; blank lines are no rows.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from softwood.data.readers.widths import rows_of_other_width
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.csv")
    ...     _ = path.write_text('x,y\n1,"a\nb"\n\n2\n3,4,5\n')
    ...     list(rows_of_other_width(path, ",", 2, n_lines_above=1))
    [(5, 1), (6, 3)]
    """
    line, rest = n_lines_above + 1, b""
    for chunk in chunks(path, offset_of_line(path, n_lines_above)):
        text = rest + chunk
        ends, all_ends, n_fields = _rows(text, delimiter)
        if ends.size:
            yield from _wrong(text, width, line, ends, all_ends, n_fields)
            line += int(np.searchsorted(all_ends, ends[-1], side="right"))
            rest = text[ends[-1] + 1 :]
        else:
            rest = text
    if rest:
        yield from _wrong(rest + b"\n", width, line, *_rows(rest + b"\n", delimiter))


def has_blank_rows(path: Path, delimiter: str, n_lines_above: int) -> bool:
    r"""Whether there are lines of blanks, empty quotes and delimiters; lines in quotes count, too.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from softwood.data.readers.widths import has_blank_rows
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.csv")
    ...     _ = path.write_text("x,y\n1,2\nNA,NA\n")
    ...     has_blank_rows(path, ",", 1), path.write_text("1,2\n,\n"), has_blank_rows(path, ",", 0)
    (False, 6, True)
    """
    blanks = b' \t\r"' + delimiter.encode()
    pattern = re.compile(rb"^[" + re.escape(blanks) + rb"]*\n", re.MULTILINE)
    starts = [b"\n" + bytes([sign]) for sign in b"\n" + blanks]
    rest = b"\n"  # as if a line had ended before the first
    for chunk in chunks(path, offset_of_line(path, n_lines_above)):
        text = rest + chunk
        if any(start in text for start in starts) and pattern.search(text, 1):
            return True
        rest = text[max(text.rfind(b"\n"), 0) :]
    return len(rest) > 1 and not rest.strip(blanks + b"\n")


def _rows(text: bytes, delimiter: str) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Return where rows end, where lines end, and how many fields each row has."""
    data = np.frombuffer(text, dtype=np.uint8)
    all_ends = np.flatnonzero(data == _END)
    separators = np.flatnonzero(data == ord(delimiter))
    quotes = np.flatnonzero(data == _QUOTE)
    ends = all_ends[np.searchsorted(quotes, all_ends) % 2 == 0]
    separators = separators[np.searchsorted(quotes, separators) % 2 == 0]
    return ends, all_ends, 1 + np.diff(np.searchsorted(separators, ends), prepend=0)


def _wrong(
    text: bytes, width: int, line: int, ends: AnyArray, all_ends: AnyArray, n_fields: AnyArray
) -> Iterator[tuple[int, int]]:
    for row in np.flatnonzero(n_fields != width).tolist():
        start = 0 if row == 0 else int(ends[row - 1]) + 1
        if text[start : ends[row]].strip():
            yield line + int(np.searchsorted(all_ends, start)), int(n_fields[row])
