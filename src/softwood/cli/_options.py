"""Options that several commands have: how files are read, and what columns are."""

from __future__ import annotations

from typing import Annotated

import typer

from softwood.data.readers.options import MISSING, ReadOptions

FORMATS = "CSV, TSV, Parquet, Arrow, JSON lines, Excel, ARFF, KEEL, C4.5; packed or not"

Data = Annotated[
    list[str],
    typer.Argument(
        help=f"Files ({FORMATS}), patterns, - for standard input, or a data set's name",
        show_default=False,
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(help="What separates fields: a character, or tab, space", show_default="guessed"),
]
Decimal = Annotated[
    str | None, typer.Option(help="Decimal sign of numbers: . or ,", show_default="guessed")
]
Encoding = Annotated[
    str | None, typer.Option(help="Of text, such as cp1252", show_default="UTF-8, else guessed")
]
Na = Annotated[
    list[str] | None,
    typer.Option(
        "--na",
        help="Field that means missing, in place of ?, NA, -, null; may be repeated",
    ),
]
Header = Annotated[
    bool | None,
    typer.Option("--header/--no-header", help="Whether names come first", show_default="guessed"),
]
Sheet = Annotated[str | None, typer.Option(help="Sheet of a workbook", show_default="the first")]
Nominal = Annotated[
    list[str] | None,
    typer.Option(help="Column whose values are categories; may be repeated", show_default=False),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(help="Column not to be left out; may be repeated", show_default=False),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(help="Column to leave out; may be repeated", show_default=False),
]
Jobs = Annotated[int, typer.Option("--n-jobs", "-j", help="Work at once; -1 for all cores")]
Seed = Annotated[int, typer.Option(help="Makes folds and random choices repeatable")]


def read_options(
    delimiter: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    na: list[str] | None = None,
    header: bool | None = None,
    sheet: str | None = None,
) -> ReadOptions:
    """Return what the user says of files."""
    missing = MISSING if na is None else ("", *na)
    return ReadOptions(delimiter, decimal, encoding, missing, header, sheet)
