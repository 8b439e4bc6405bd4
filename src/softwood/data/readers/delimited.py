"""Delimited text, read by polars as its dialect says.

A beginning of the file is read as text. Columns that hold nothing but plain numbers there are read
as numbers, all others as text. What text means is decided elsewhere (:mod:`softwood.data.columns`).
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from softwood.data.readers.dialect import BLANKS, Dialect, dialect_of
from softwood.data.readers.encodings import UTF8, chunks, encoding_of, recode
from softwood.data.readers.options import ReadOptions
from softwood.data.readers.text import file_error

if TYPE_CHECKING:
    import polars as pl

FIRST_ROWS = 10_000  # that types are guessed by
# Plain numbers; 007 is a name: as a number it would lose its zeros.
_PLAIN = r"^\s*[+-]?((0|[1-9][0-9]*)(D[0-9]*)?|D[0-9]+)([eE][+-]?[0-9]+)?\s*$"
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

    def scan(self, numbers: Collection[str], n_rows: int | None = None) -> pl.LazyFrame:
        """Return the rows, not yet read: ``numbers`` as float64, other columns as text."""
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
            separator="\t" if dialect.delimiter == BLANKS else dialect.delimiter,
            decimal_comma=dialect.decimal == ",",
            null_values=list(self.missing),
            n_rows=n_rows,
            glob=False,
        )

    def numbers(self, as_text: Container[str]) -> list[str]:
        """Return the columns that begin with plain numbers, or with nothing."""
        import polars as pl

        with self.errors():
            head = self.scan((), FIRST_ROWS).collect()
        if not head.height:
            raise file_error(self.called, "there are column names but no rows of data")
        pattern = plain_number(self.dialect.decimal)
        is_plain = head.select(pl.all().str.contains(pattern).all()).row(0)
        found = zip(head.columns, is_plain, strict=True)
        return [
            name
            for name, plain in found
            if plain and name not in as_text and head[name].null_count() < head.height
        ]

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
            long = self._lines_of_other_width(longer=True)
            line, n_fields = long[0] if long else (None, "more")
            return file_error(
                self.called,
                f"{n_fields} fields where there are {width} columns; quote a field that contains "
                "the delimiter, or name the delimiter by --delimiter",
                line,
            )
        return file_error(
            self.called,
            'a field cannot be read: double every quote inside a quoted field ("") and close it '
            f"({' '.join(problem.split())[:120]})",
        )

    def note_of_short_rows(self) -> str | None:
        """Return what is to be said of rows that have fewer fields than there are columns."""
        width = len(self.dialect.names)
        separator = b"\t" if self.dialect.delimiter == BLANKS else self.dialect.delimiter.encode()
        n_fields = n_lines = n_quotes = 0
        end = b"\n"
        for chunk in chunks(self.path):
            n_fields += chunk.count(separator)
            n_lines += chunk.count(b"\n")
            n_quotes += chunk.count(b'"')
            end = chunk[-1:]
        n_lines += end != b"\n"
        above = self.dialect.n_lines_above
        # The header may have any number of fields; it is one line of many.
        if not n_quotes and n_fields >= (width - 1) * (n_lines - above):
            return None
        short = self._lines_of_other_width(longer=False)
        if not short:
            return None
        rows = "1 row has" if len(short) == 1 else f"{len(short)} rows have"
        return (
            f"{rows} fewer than {width} fields (the first in line {short[0][0]}): what is not "
            "there is missing"
        )

    def _lines_of_other_width(self, longer: bool) -> list[tuple[int, int]]:
        """Return number and fields of lines that are too long, or too short and not blank.

        Lines with a quote that is not closed in them are passed over.
        """
        import polars as pl

        separator = "\t" if self.dialect.delimiter == BLANKS else self.dialect.delimiter
        width = len(self.dialect.names)
        line = pl.col("line")
        fields = line.str.replace_all('"[^"]*"', "").str.count_matches(separator, literal=True) + 1
        lines = pl.scan_csv(
            self.path,
            has_header=False,
            schema={"line": pl.String},
            separator="\x01",
            quote_char=None,
            row_index_name="number",
            skip_lines=self.dialect.n_lines_above,
            row_index_offset=self.dialect.n_lines_above + 1,
            glob=False,
            truncate_ragged_lines=True,
        )
        is_whole = (line.str.count_matches('"', literal=True) % 2) == 0
        wrong = fields > width if longer else (fields < width) & (line.str.strip_chars() != "")
        found = lines.filter(is_whole & wrong).select("number", fields.alias("fields")).collect()
        return [(int(number), int(n)) for number, n in found.rows()]


def is_unread_number(error: Exception) -> bool:
    """Whether polars complains of a field that is no number, in a column of them."""
    return "could not parse" in str(error) and "dtype `f64`" in str(error)


def open_delimited(path: Path, called: Path, options: ReadOptions, folder: Path) -> Delimited:
    """Return a file of text ready to be scanned; what must be written anew goes into ``folder``."""
    said = None
    encoding = options.encoding
    if encoding is None:
        encoding, said = encoding_of(path)
    needs_copy = encoding.lower().replace("_", "-") not in (UTF8, "utf8") or _has_bare_returns(path)
    if needs_copy:
        copy = folder / f"{path.stem}.utf8{path.suffix}"
        recode(path, encoding, copy)
        path = copy
    dialect = dialect_of(path, options)
    if dialect.delimiter == BLANKS:
        path = _with_tabs(path, folder)
    notes = (*([said] if said else ()), *dialect.notes)
    dialect = Dialect(
        dialect.delimiter, dialect.decimal, dialect.names, dialect.n_lines_above, notes
    )
    return Delimited(path, called, dialect, tuple(options.missing))


def _has_bare_returns(path: Path) -> bool:
    """Whether lines end as they did on old Macs."""
    with path.open("rb") as file:
        head = file.read(1 << 16)
    return b"\r" in head and b"\n" not in head


def _with_tabs(path: Path, folder: Path) -> Path:
    """Write a file whose fields are separated by runs of blanks anew, with tabs between them."""
    copy = folder / f"{path.stem}.tabs.txt"
    with path.open(encoding="utf-8-sig") as file, copy.open("w", encoding="utf-8") as out:
        for line in file:
            fields = line.split()
            out.write("\t".join(fields) + "\n")
    return copy
