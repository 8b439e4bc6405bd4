"""Delimited text, read by polars as its dialect says.

A beginning of the file is read as text. Columns that hold nothing but plain numbers there are read
as numbers, all others as text. What text means is decided elsewhere (:mod:`softwood.data.columns`).
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood.data.readers.dialect import BLANKS, Dialect, dialect_of
from softwood.data.readers.encodings import (
    UTF8,
    chunks,
    encoding_of,
    first_byte_that_is_not,
    offset_of_line,
    recode,
)
from softwood.data.readers.options import ReadOptions
from softwood.data.readers.quotes import are_regular, rewrite, too_long
from softwood.data.readers.text import file_error
from softwood.data.readers.widths import has_blank_rows, rows_of_other_width

if TYPE_CHECKING:
    import polars as pl

FIRST_ROWS = 10_000  # that types are guessed by
# Plain numbers; 007 is a name: as a number it would lose its zeros.
_PLAIN = r"^\s*[+-]?((0|[1-9][0-9]*)(D[0-9]*)?|D[0-9]+)([eE][+-]?[0-9]+)?\s*$"
_LONG = r"^\s*[+-]?[0-9]{16,}\s*$"  # a float would round it; two identifiers could become one
_INFINITE = r"^\s*[+-]?(?i:inf|infinity)\s*$"


def plain_number(decimal: str) -> str:
    """Return the pattern of plain numbers."""
    return f"{_PLAIN.replace('D', '[.]' if decimal == '.' else ',')}|{_INFINITE}"


@dataclass(frozen=True, slots=True)
class Delimited:
    """A file of delimited text, in UTF-8, and how to read it."""

    path: Path
    called: Path
    dialect: Dialect
    missing: tuple[str, ...]
    short_lines: list[int] | None = None  # if they are known already
    is_rewritten: bool = False

    def scan(
        self,
        numbers: Collection[str],
        n_rows: int | None = None,
        marks: Sequence[str] | None = None,
    ) -> pl.LazyFrame:
        """Return the rows, not yet read: ``numbers`` as float64, other columns as text.

        Polars compares every field with every one of ``marks`` for a missing value, so that a few
        are read in half the time that all take.
        """
        import polars as pl

        dialect = self.dialect
        types: dict[str, Any] = {
            name: pl.Float64 if name in numbers else pl.String for name in dialect.names
        }
        return pl.scan_csv(
            self.path,
            has_header=False,
            schema=types,
            skip_lines=dialect.n_lines_above,
            separator=separator_of(dialect),
            decimal_comma=dialect.decimal == ",",
            null_values=list(self.missing if marks is None else marks),
            n_rows=n_rows,
            glob=False,
        )

    def numbers(self, as_text: Container[str]) -> tuple[list[str], list[str]]:
        """Return the columns that begin with plain numbers, and the marks that are seen there."""
        import polars as pl

        with self.errors():
            head = self.scan((), FIRST_ROWS, marks=()).collect()
        if not head.height:
            raise file_error(self.called, "there are column names but no rows of data")
        is_mark = pl.all().is_in(list(self.missing))
        words = {word for series in head for word in series.filter(series.is_in(self.missing))}
        head = head.with_columns(pl.when(~is_mark).then(pl.all()).name.keep())
        text = pl.all().str
        is_exact = text.contains(plain_number(self.dialect.decimal)) & ~text.contains(_LONG)
        is_plain = head.select(is_exact.all()).row(0)
        found = zip(head.columns, is_plain, strict=True)
        numbers = [
            name
            for name, plain in found
            if plain and name not in as_text and head[name].null_count() < head.height
        ]
        return numbers, sorted(words)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Say in our words, and with the line, what polars finds wrong with a file."""
        import polars as pl

        try:
            yield
        except pl.exceptions.PolarsError as error:
            if is_unread_number(error):
                raise
            raise self._explained(str(error)) from None

    def _explained(self, problem: str) -> ValueError:
        width = len(self.dialect.names)
        if "more fields" in problem or "extra" in problem:
            long = ((line, n) for line, n in self._rows_of_other_width() if n > width)
            line, n_fields = next(long, (None, "more"))
            return too_long(self.called, n_fields, width, line)
        return file_error(
            self.called,
            'a field cannot be read: double every quote inside a quoted field ("") and close it '
            f"({' '.join(problem.split())[:120]})",
        )

    @property
    def has_blank_rows(self) -> bool:
        """Whether some lines are blank. In a single column, a blank line is a gap."""
        if self.is_rewritten or len(self.dialect.names) == 1:
            return False
        above = self.dialect.n_lines_above
        return has_blank_rows(self.path, separator_of(self.dialect), above)

    def lines_too_short(self) -> list[int]:
        """Return the lines of rows that have fewer fields than there are columns."""
        return self._short_lines() if self.short_lines is None else self.short_lines

    def _short_lines(self) -> list[int]:
        width, separator = len(self.dialect.names), separator_of(self.dialect).encode()
        n_separators, n_lines, has_quotes, end = 0, 0, False, b"\n"
        for chunk in chunks(self.path, offset_of_line(self.path, self.dialect.n_lines_above)):
            codes = np.frombuffer(chunk, dtype=np.uint8)  # counts faster than bytes do
            n_separators += int(np.count_nonzero(codes == ord(separator)))
            n_lines += int(np.count_nonzero(codes == ord(b"\n")))
            has_quotes = has_quotes or b'"' in chunk
            end = chunk[-1:]
        n_lines += end != b"\n"
        if not has_quotes and n_separators >= (width - 1) * n_lines:
            return []  # the fields of all rows add up
        return [line for line, n_fields in self._rows_of_other_width() if n_fields < width]

    def _rows_of_other_width(self) -> Iterator[tuple[int, int]]:
        dialect = self.dialect
        return rows_of_other_width(
            self.path, separator_of(dialect), len(dialect.names), dialect.n_lines_above
        )


def is_unread_number(error: Exception) -> bool:
    """Whether polars complains of a field that is no number, in a column of them."""
    return "could not parse" in str(error) and "dtype `f64`" in str(error)


def open_delimited(path: Path, called: Path, options: ReadOptions, folder: Path) -> Delimited:
    """Return a file of text ready to be scanned; what must be written anew goes into ``folder``."""
    copy = folder / f"text{path.suffix}"
    try:
        return _opened(path, called, options, copy)
    except ValueError as error:  # of copies, users know another name
        said = str(error).replace(str(copy), str(called)).replace(str(path), str(called))
        raise ValueError(said) from None


def _opened(path: Path, called: Path, options: ReadOptions, copy: Path) -> Delimited:
    said = None
    encoding = options.encoding
    if encoding is None:
        encoding, said = encoding_of(path)
    is_utf8 = encoding.lower().replace("_", "-") in (UTF8, "utf8")
    if is_utf8 and options.encoding is not None:
        _check_utf8(path)
    if not is_utf8 or _has_bare_returns(path):
        recode(path, encoding, copy)
        path = copy
    dialect = dialect_of(path, options)
    dialect = replace(dialect, notes=(*([said] if said else ()), *dialect.notes))
    missing = tuple(options.missing)
    if dialect.delimiter == BLANKS:
        path = _with_tabs(path, copy.with_suffix(".tabs.txt"))
    width, above = len(dialect.names), dialect.n_lines_above
    if dialect.begins_short or not are_regular(path, separator_of(dialect), above):
        strict = copy.with_suffix(".quoted.txt")
        short = rewrite(path, called, separator_of(dialect), width, above, strict)
        dialect = replace(dialect, n_lines_above=0)
        return Delimited(strict, called, dialect, missing, short, is_rewritten=True)
    return Delimited(path, called, dialect, missing)


def _check_utf8(path: Path) -> None:
    place = first_byte_that_is_not(path, UTF8)
    if place is not None:
        line, byte = place
        raise file_error(
            path, f"byte 0x{byte:02x} is not UTF-8; name another encoding by --encoding", line
        )


def separator_of(dialect: Dialect) -> str:
    """Return what separates fields once the file is ready: of blanks, tabs were made."""
    return "\t" if dialect.delimiter == BLANKS else dialect.delimiter


def _has_bare_returns(path: Path) -> bool:
    """Whether lines end as they did on old Macs."""
    with path.open("rb") as file:
        head = file.read(1 << 16)
    return b"\r" in head and b"\n" not in head


def _with_tabs(path: Path, copy: Path) -> Path:
    """Write a file whose fields are separated by runs of blanks anew, with tabs between them."""
    with path.open(encoding="utf-8-sig") as file, copy.open("w", encoding="utf-8") as out:
        for line in file:
            out.write("\t".join(line.split()) + "\n")
    return copy
