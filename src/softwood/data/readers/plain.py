"""Tables of numbers and categories, just as files write them: nothing is guessed but numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from softwood.data.readers.delimited import plain_number
from softwood.data.readers.options import MISSING, ReadOptions
from softwood.data.readers.recast import recast
from softwood.data.readers.rows import Rows, opened
from softwood.data.readers.text import file_error
from softwood.data.table import Table

if TYPE_CHECKING:
    import polars as pl


def read_table(
    path: str | PathLike[str],
    *,
    target: str | None = None,
    names: Sequence[str] | None = None,
    nominal: Collection[str] | None = None,
    numeric: Collection[str] | None = None,
    missing: Collection[str] = MISSING,
    delimiter: str | None = None,
) -> Table:
    r"""Read a data file of any known format.

    Delimited text, Parquet, Arrow, JSON lines, workbooks, ARFF, KEEL and C4.5's files are known,
    compressed or not. Of text, a column all of whose fields are numbers is numeric, unless one is
    written with leading zeros, as ``007``; any other is nominal, with its categories sorted.
    Blanks around fields do not count.

    Parameters
    ----------
    path : path-like
        The file.
    target : str, optional
        Column to move to the end, where the one to predict is expected.
    names : sequence of str, optional
        Column names of a text without a header row.
    nominal, numeric : collection of str, optional
        Columns to take as categories, or as numbers, against the file's own types.
    missing : collection of str
        What stands for a missing value in text; the other formats have their own sign.
    delimiter : str, optional
        What separates fields; a blank means any run of blanks. By default it is found out.

    Returns
    -------
    Table
        The columns, in the order of the file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "trees.csv")
    ...     _ = path.write_text("kind,height\n1,3.5\n2,4\n", encoding="utf-8")
    ...     table = read_table(path, target="kind", nominal=["kind"])
    >>> table.names, table["kind"].categories
    (['height', 'kind'], ('1', '2'))
    """
    nominal, numeric = nominal or (), numeric or ()
    both = sorted(set(nominal).intersection(numeric))
    if both:
        raise file_error(Path(path), f"{both} cannot be both nominal and numeric; keep one")
    header = None if names is None else False
    options = ReadOptions(delimiter=delimiter, missing=tuple(missing), has_header=header)
    with opened([path], options, as_text=nominal) as rows:
        _check_rows(rows)
        table = table_of_rows(rows.collect(), _decimal(rows), nominal)
    if names is not None:
        table = _renamed(table, names, path)
    table = recast(table, nominal=nominal, numeric=numeric, where=str(path))
    return table if target is None else _with_last(table, target, Path(path))


def _check_rows(rows: Rows) -> None:
    """Refuse rows that lack fields: nobody would read a note about them."""
    part = rows.parts[0]
    if part.short_lines:
        raise file_error(
            part.called,
            f"fewer fields than the {len(part.names)} columns; a field without a value still "
            "needs its delimiter",
            part.short_lines[0],
        )


def _decimal(rows: Rows) -> str:
    text = rows.parts[0].text
    return "." if text is None else str(text.dialect.decimal)


def table_of_rows(frame: pl.DataFrame, decimal: str = ".", as_text: Collection[str] = ()) -> Table:
    """Return a frame as a table; texts that are all plain numbers are numbers, unless named."""
    from softwood.data.frames import table_of_frame

    return table_of_frame(frame.with_columns(_as_numbers(frame, decimal, as_text)))


def _as_numbers(frame: pl.DataFrame, decimal: str, as_text: Collection[str]) -> list[pl.Series]:
    import polars as pl

    found = []
    for series in frame:
        if series.name in as_text:
            continue
        if series.dtype == pl.String and series.str.contains(plain_number(decimal)).all():
            text = series.str.replace(",", ".", literal=True) if decimal == "," else series
            found.append(text.str.strip_chars().cast(pl.Float64))
    return found


def _renamed(table: Table, names: Sequence[str], path: str | PathLike[str]) -> Table:
    if len(names) != len(table.columns):
        raise file_error(
            Path(path), f"{len(names)} names are given for {len(table.columns)} columns"
        )
    pairs = zip(table.columns, names, strict=True)
    return Table(tuple(replace(column, name=name) for column, name in pairs))


def _with_last(table: Table, target: str, path: Path) -> Table:
    if target not in table.names:
        raise file_error(path, f"target={target!r}, but the columns are {table.names}")
    last = table[target]
    return Table((*table.drop([target]).columns, last))
