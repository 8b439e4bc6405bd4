"""Rows of one or several files, of any format, as frames of polars: at once, or some at a time."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from softwood.data.readers.delimited import Delimited, is_unread_number, open_delimited
from softwood.data.readers.formats import DELIMITED, format_of, scan_typed
from softwood.data.readers.options import ReadOptions
from softwood.data.readers.sources import LocalFile, expanded, local_file
from softwood.data.readers.text import file_error

if TYPE_CHECKING:
    import polars as pl

BATCH = 100_000  # rows


@dataclass
class Part:
    """The rows of one file: text that is yet to be scanned, or columns that have types."""

    called: Path
    text: Delimited | None = None
    typed: Any = None
    numbers: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    short_lines: list[int] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        if self.text is not None:
            return list(self.text.dialect.names)
        return list(self.typed.collect_schema().names())

    def scan(self, numbers: Collection[str], marks: Sequence[str] | None = None) -> pl.LazyFrame:
        """Return the rows, not yet read, without blanks around texts."""
        if self.text is None:
            return stripped(self.typed, ("",))
        return stripped(self.text.scan(numbers, marks=marks), self.text.missing)

    def ways(self) -> list[tuple[Collection[str], Sequence[str] | None]]:
        """Return numbers and marks to read by, the next where a number cannot be read."""
        return [(self.numbers, self.marks), (self.numbers, None), ((), None)]

    @cached_property
    def has_blank_rows(self) -> bool:
        """Whether lines of text are blank; a row of words for missing values is a row."""
        return self.text is not None and self.text.has_blank_rows


@dataclass
class Rows:
    """Rows that can be read, once or again and again, while the block lasts that made them.

    Attributes
    ----------
    parts : list of Part
        One for each file.
    notes : list of str
        What was guessed or mended on the way.
    """

    parts: list[Part]
    notes: list[str]

    @property
    def names(self) -> list[str]:
        """Names of the columns, in the order of the first file."""
        return self.parts[0].names

    def collect(self) -> pl.DataFrame:
        """Return all rows."""
        import polars as pl

        frames = [_collected(part) for part in self.parts]
        if len(frames) == 1:
            return frames[0]
        texts = _texts_somewhere(frames)
        for k, part in enumerate(self.parts):
            numbers = [name for name in part.numbers if name not in texts]
            if numbers != part.numbers:  # as the file writes them: 1.10 is not 1.1
                frames[k] = _collected(replace(part, numbers=numbers))
        return pl.concat([f.select(self.names) for f in _alike(frames)], rechunk=True)

    def batches(self, size: int = BATCH) -> Iterator[pl.DataFrame]:
        """Yield the rows, in order, so many at a time."""
        for part in self.parts:
            yield from _batches(part, size, self.names)


@contextmanager
def opened(
    names: Sequence[str | PathLike[str]],
    options: ReadOptions | None = None,
    as_text: Container[str] = (),
) -> Iterator[Rows]:
    r"""Open files, patterns or standard input (``-``) for reading.

    Parameters
    ----------
    names : sequence of path-like
        Files that have the same columns, in any order.
    options : ReadOptions, optional
        How to read them.
    as_text : container of str
        Columns to read as text, though they may hold numbers.

    Yields
    ------
    Rows

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from softwood.data.readers.rows import opened
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "trees.tsv")
    ...     _ = path.write_text("kind\theight\nfir\t3.5\noak\t4\n")
    ...     with opened([path]) as rows:
    ...         rows.collect().to_dict(as_series=False)
    {'kind': ['fir', 'oak'], 'height': [3.5, 4.0]}
    """
    options = ReadOptions() if options is None else options
    paths = expanded(names)
    with TemporaryDirectory(prefix="softwood-") as folder:
        parts, notes = [], []
        for k, path in enumerate(paths):
            own = Path(folder, str(k))
            own.mkdir()
            part, said = _part(local_file(path, own), options, as_text, own)
            where = f"{part.called}: "
            notes += [where + note for note in said if note not in notes]
            parts.append(part)
        _check_columns(parts)
        yield Rows(parts, notes)


def _part(
    file: LocalFile, options: ReadOptions, as_text: Container[str], folder: Path
) -> tuple[Part, list[str]]:
    kind = format_of(file)
    if kind != DELIMITED:
        frame, notes = scan_typed(file, kind, options)
        return Part(file.called, typed=frame), notes
    text = open_delimited(file.path, file.called, options, folder)
    numbers, marks = text.numbers(as_text)
    part = Part(file.called, text, numbers=numbers, marks=marks, short_lines=text.lines_too_short())
    return part, [*text.dialect.notes, *_note_of_short_rows(part)]


def _note_of_short_rows(part: Part) -> list[str]:
    lines = part.short_lines
    if not lines:
        return []
    rows = "1 row has" if len(lines) == 1 else f"{len(lines)} rows have"
    return [
        f"{rows} fewer than {len(part.names)} fields (the first in line {lines[0]}): what is not "
        "there is missing"
    ]


def _check_columns(parts: list[Part]) -> None:
    first = parts[0]
    for part in parts[1:]:
        lacks = [name for name in first.names if name not in part.names]
        more = [name for name in part.names if name not in first.names]
        if lacks or more:
            said = [f"lacks {', '.join(map(repr, lacks[:5]))}"] * bool(lacks)
            said += [f"has {', '.join(map(repr, more[:5]))} besides"] * bool(more)
            raise file_error(
                part.called,
                f"it {' and '.join(said)}, compared with {first.called}; files that are read "
                "together must have the same columns",
            )


def _collected(part: Part) -> pl.DataFrame:
    """Return the rows of a file; where a column of numbers has other fields, it is text."""
    frame = _typed_rows(part) if part.text is None else _text_rows(part, part.text)
    frame = _without_blank_rows(part, frame)
    if not frame.height:
        raise file_error(part.called, "there are column names but no rows of data")
    return frame


def _text_rows(part: Part, text: Delimited) -> pl.DataFrame:
    import polars as pl

    *first, last = part.ways()
    with text.errors():
        for way in first:
            try:
                return part.scan(*way).collect(engine="streaming")
            except pl.exceptions.ComputeError as error:
                if not is_unread_number(error):
                    raise
        return part.scan(*last).collect(engine="streaming")


def _typed_rows(part: Part) -> pl.DataFrame:
    import polars as pl

    try:
        return part.scan(()).collect()
    except pl.exceptions.PolarsError as error:
        raise _broken(part, error) from None


def _broken(part: Part, error: Exception) -> ValueError:
    problem = " ".join(str(error).split())[:200]
    return file_error(part.called, f"its rows cannot be read ({problem}); write the file again")


def _batches(part: Part, size: int, names: list[str]) -> Iterator[pl.DataFrame]:
    import polars as pl

    done = 0
    for way in part.ways():  # at last as text: who asked for the rows knows what to make of them
        scan = part.scan(*way).select(names).slice(done)
        try:
            for batch in scan.collect_batches(chunk_size=size, maintain_order=True):
                if batch.height:
                    done += batch.height
                    yield _without_blank_rows(part, batch)
            return
        except pl.exceptions.PolarsError as error:
            if part.text is None:
                raise _broken(part, error) from None
            if not is_unread_number(error) or not way[0]:
                with part.text.errors():
                    raise


def _texts_somewhere(frames: list[pl.DataFrame]) -> set[str]:
    """Return the columns that are text in some frame and no text in another."""
    import polars as pl

    found = set()
    for name in frames[0].columns:
        types = {frame.schema[name] for frame in frames}
        if len(types) > 1 and pl.String in types:
            found.add(name)
    return found


def _alike(frames: list[pl.DataFrame]) -> list[pl.DataFrame]:
    """Return frames in which each column has one type: number, or text, where the files differ."""
    import polars as pl

    for name in frames[0].columns:
        types = {frame.schema[name] for frame in frames} - {pl.Null()}
        if len(types) > 1:
            kind = pl.Float64 if all(t.is_numeric() for t in types) else pl.String
            frames = [frame.with_columns(pl.col(name).cast(kind)) for frame in frames]
        elif types:
            only = types.pop()
            frames = [frame.with_columns(pl.col(name).cast(only)) for frame in frames]
    return frames


def stripped(frame: pl.LazyFrame, missing: Sequence[str]) -> pl.LazyFrame:
    """Return rows without blanks around texts."""
    import polars as pl

    text = pl.col(pl.String).str.strip_chars()
    marks = [mark for mark in missing if mark.strip() == mark]
    return frame.with_columns(pl.when(text.is_in(marks)).then(None).otherwise(text).name.keep())


def _without_blank_rows(part: Part, frame: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

    if any(not series.null_count() for series in frame):
        return frame
    is_blank = frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
    return frame.filter(~is_blank) if is_blank.any() and part.has_blank_rows else frame
