"""How delimited text is written: its delimiter, its decimal sign, its names. All are guessed.

Only the beginning is looked at. What a guess rests on is said in notes.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any

from softwood.data.readers.names import mended_names
from softwood.data.readers.options import ReadOptions
from softwood.data.readers.quotes import large_fields
from softwood.data.readers.text import file_error

SAMPLE = 1 << 18  # characters
MOST_ROWS = 1000
FEWEST_LINES = 4
DELIMITERS = (",", ";", "\t", "|", ":", "^", "~")
BLANKS = " "  # any run of them
_BY_SUFFIX = {".tsv": "\t", ".tab": "\t"}
_NUMBER = re.compile(r"[+-]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][+-]?[0-9]+)?")
_WITH_COMMA = re.compile(r"[+-]?[0-9]{1,3}(\.[0-9]{3})*,[0-9]+|[+-]?[0-9]*,[0-9]+")
_WITH_POINT = re.compile(r"[+-]?[0-9]*\.[0-9]+([eE][+-]?[0-9]+)?")
_GROUPS = re.compile(r"[+-]?[1-9][0-9]{0,2}(\.[0-9]{3})+")
_COMMA_GROUPS = re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+")
_SMALL = re.compile(r"[+-]?[0-9]{1,3}")
MANY_GROUPS = 50  # that chance would hardly give three decimals all
# A number with what may stand around it: € 1,50 or 1,50 EUR.
_BARE = re.compile(r"(?:[^\s0-9.,+-]{1,4}\s?)?([+-]?[0-9.,]*[0-9])(?:\s?[^\s0-9.,]{1,4})?")
_SEPARATOR_LINE = re.compile(r"sep=(.)\s*", re.IGNORECASE)  # Excel writes and reads it
_YEARS = (1900, 2100)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What was found, and what is to be said of it.

    Attributes
    ----------
    delimiter, decimal : str
        Of fields, and of numbers.
    names : tuple of str
        Of the columns, mended where they had to be.
    n_lines_above : int
        Lines before the first row of data.
    notes : tuple of str
        What was guessed or mended.
    begins_short : bool
        Whether the first row has fewer fields than there are columns.
    """

    delimiter: str
    decimal: str
    names: tuple[str, ...]
    n_lines_above: int
    notes: tuple[str, ...] = ()
    begins_short: bool = False


def dialect_of(path: Path, options: ReadOptions) -> Dialect:
    r"""Return how a file in UTF-8 is written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from softwood.data.readers.options import ReadOptions
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "prices.csv")
    ...     _ = path.write_text("name;price\noak;3,5\nfir;2,75\n")
    ...     found = dialect_of(path, ReadOptions())
    >>> found.delimiter, found.decimal, found.names
    (';', ',', ('name', 'price'))
    """
    lines, is_whole = _beginning(path)
    with large_fields():
        return _dialect(path, lines, is_whole, options)


def _beginning(path: Path) -> tuple[list[str], bool]:
    """Return the first lines of a file, and whether they are all of them."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        text = file.read(SAMPLE)
        while (more := file.read(1)) and text.count("\n") < FEWEST_LINES:
            text += more + file.read(len(text))
    if not text.strip():
        raise file_error(path, "the file is empty; expected rows of data")
    lines = list(io.StringIO(text, newline=""))  # str.splitlines knows other ends, too
    if more:
        lines.pop()  # cut somewhere
    return lines, not more


def _dialect(path: Path, lines: list[str], is_whole: bool, options: ReadOptions) -> Dialect:
    above, said = _above_the_table(lines)
    if above == len(lines):
        raise file_error(path, "the file is empty; expected rows of data")
    delimiter = options.delimiter or said or _delimiter(path, lines[above:])
    rows, above_row = _rows(lines[above:], delimiter, path, above)
    if not rows:
        raise file_error(path, "the file is empty; expected rows of data")
    if not is_whole and 2 < len(rows) <= MOST_ROWS:
        rows.pop()  # it may go on
    decimal = options.decimal or _decimal(rows[1:], delimiter)
    has_header = options.has_header
    notes = _notes(path, delimiter, decimal, options, above)
    if has_header is None:
        has_header = not _is_data(rows[0], rows[1:])
        if not has_header:
            notes.append("the first row holds data: columns are called column_1, column_2, ...")
    body = rows[1:] if has_header else rows
    if not body:
        raise file_error(path, "there are column names but no rows of data", above_row[0] + 1)
    if has_header:
        names, mended = mended_names(_header(rows[0], body))
        notes += mended
    else:
        counts = Counter(len(row) for row in body)
        width = max(counts, key=lambda width: (counts[width], width))
        names = [f"column_{j + 1}" for j in range(width)]
    return Dialect(
        delimiter,
        decimal,
        tuple(names),
        above_row[1 if has_header else 0],
        tuple(notes),
        len(body[0]) < len(names),
    )


def _header(header: list[str], body: list[list[str]]) -> list[str]:
    """Return one name for each field, where all rows have a field more than there are names."""
    if len(body) < 2 or not all(len(row) == len(header) + 1 for row in body):
        return header
    if not any(row[-1].strip() for row in body):  # each row ends with a delimiter
        return [*header, ""]
    return ["", *header]  # R writes the names of rows without a name for them


def _notes(path: Path, delimiter: str, decimal: str, options: ReadOptions, above: int) -> list[str]:
    notes = []
    usual = _BY_SUFFIX.get(path.suffix.lower(), ",")
    if options.delimiter is None and delimiter != usual:
        shown = {"\t": "tabs", BLANKS: "blanks"}.get(delimiter, repr(delimiter))
        notes.append(f"fields are separated by {shown}")
    if options.decimal is None and decimal == ",":
        notes.append("numbers have a decimal comma")
    if above:
        notes.append(f"{above} line{'s' if above > 1 else ''} above the table passed over")
    return notes


def _above_the_table(lines: list[str]) -> tuple[int, str | None]:
    """Return how many lines are blank, comments or Excel's, and the delimiter that is said."""
    above, delimiter = 0, None
    for line in lines:
        said = _SEPARATOR_LINE.fullmatch(line.strip("\r\n"))
        if said is not None and above == 0:
            delimiter = said[1]
        elif line.strip() and not line.lstrip().startswith("#"):
            break
        above += 1
    return above, delimiter


def _delimiter(path: Path, lines: list[str]) -> str:
    """Return what divides most lines into the same number of fields, and many of them."""
    usual = _BY_SUFFIX.get(path.suffix.lower(), ",")
    best, chosen = (0.0, 0), None
    for delimiter in sorted(DELIMITERS, key=lambda one: one != usual):
        widths = [len(row) for row in _reader(lines[:MOST_ROWS], delimiter) if row]
        if not widths:
            continue
        width, count = Counter(widths).most_common(1)[0]
        score = (round(count / len(widths), 2), width)
        if width > 1 and widths[0] > 1 and score > best:
            best, chosen = score, delimiter
    if chosen is not None and best[0] >= 0.5:
        return chosen
    by_blanks = Counter(len(line.split()) for line in lines[:MOST_ROWS] if line.strip())
    width, count = by_blanks.most_common(1)[0]
    if width > 1 and count == sum(by_blanks.values()) and _mostly_numbers(lines[:MOST_ROWS]):
        return BLANKS
    return chosen or usual


def _mostly_numbers(lines: list[str]) -> bool:
    words = [word for line in lines[1:] for word in line.split()]
    return 2 * sum(_NUMBER.fullmatch(word) is not None for word in words) > len(words)


def _rows(
    lines: list[str], delimiter: str, path: Path, above: int
) -> tuple[list[list[str]], list[int]]:
    """Return the first rows that are not blank, and how many lines are above each."""
    if delimiter == BLANKS:
        found = [(line.split(), above + k) for k, line in enumerate(lines) if line.strip()]
        return [row for row, _ in found], [k for _, k in found]
    reader = _reader(lines, delimiter)
    rows, above_row, line = [], [], above
    try:
        for row in reader:
            if any(field.strip() for field in row):
                rows.append(row)
                above_row.append(line)
            line = above + reader.line_num
            if len(rows) > MOST_ROWS:
                break
    except csv.Error as error:
        raise file_error(path, f"a row cannot be read ({error})", line + 1) from None
    return rows, above_row


def _reader(lines: list[str], delimiter: str) -> Any:
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True)


def _decimal(rows: list[list[str]], delimiter: str) -> str:
    """Return the comma if numbers are written with it, and none clearly with a point."""
    if delimiter == ",":
        return "."  # quoted numbers with commas: each column is looked at for itself
    fields = [_bare(field.strip()) for row in rows for field in row]
    commas = sum(
        _WITH_COMMA.fullmatch(field) is not None and _COMMA_GROUPS.fullmatch(field) is None
        for field in fields
    )
    points = sum(
        _WITH_POINT.fullmatch(field) is not None and _GROUPS.fullmatch(field) is None
        for field in fields
    )
    if commas > points or (not points and _has_thousands(rows)):
        return ","
    return "."


def _bare(field: str) -> str:
    """Return a number without its unit; anything else as it is."""
    found = _BARE.fullmatch(field)
    return found[1] if found else field


def _has_thousands(rows: list[list[str]]) -> bool:
    """Whether a column has points between thousands alone: 47.282 beside 926, and never 47.28."""
    for column in zip_longest(*rows, fillvalue=""):
        cells = {cell.strip() for cell in column}
        groups = {cell for cell in cells if _GROUPS.fullmatch(cell)}
        small = {cell for cell in cells if _SMALL.fullmatch(cell)}
        if len(groups) >= MANY_GROUPS and small:
            return True
    return False


def _is_data(first: list[str], others: list[list[str]]) -> bool:
    """Whether the first row looks like all others: numbers where they have numbers."""
    cells = [cell.strip() for cell in first]
    numbers = [_NUMBER.fullmatch(cell) is not None for cell in cells]
    if not any(numbers) or not others:
        return False
    for j, is_number in enumerate(numbers):
        below = [row[j].strip() for row in others if j < len(row) and row[j].strip()]
        if below and all(_NUMBER.fullmatch(cell) for cell in below) and not is_number:
            return False
    return not _names_of_a_series([cell for cell, yes in zip(cells, numbers, strict=True) if yes])


def _names_of_a_series(cells: list[str]) -> bool:
    """Whether numbers name columns: years, or one after the other."""
    if len(cells) < 2 or not all(cell.isdigit() for cell in cells):
        return False
    whole = [int(cell) for cell in cells]
    steps = {b - a for a, b in pairwise(whole)}
    return steps == {1} and (whole[0] in (0, 1) or _YEARS[0] <= whole[0] <= _YEARS[1])
