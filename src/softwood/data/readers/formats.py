"""Which format a file has, and how those are read whose columns have types."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from softwood.data.readers.arff import read_arff
from softwood.data.readers.c45 import read_c45
from softwood.data.readers.keel import read_keel
from softwood.data.readers.names import listed, mended_names
from softwood.data.readers.options import ReadOptions
from softwood.data.readers.sources import LocalFile
from softwood.data.readers.text import file_error, read_lines
from softwood.data.table import PER_DAY, Column, Table
from softwood.errors import missing_extra

if TYPE_CHECKING:
    import polars as pl

DELIMITED = "delimited text"
_BY_SUFFIX = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".txt", ".psv"), DELIMITED),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), "arrow"),
    **dict.fromkeys((".jsonl", ".ndjson"), "json lines"),
    ".json": "json",
    **dict.fromkeys((".xlsx", ".xls", ".xlsm", ".xlsb", ".ods"), "workbook"),
    ".arff": "arff",
    **dict.fromkeys((".names", ".data", ".test"), "c45"),
    ".dat": "keel",
}
_MAGIC = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"PK\x03\x04", "workbook"),
    (b"\xd0\xcf\x11\xe0", "workbook"),
)
_NESTED = ("List", "Struct", "Array", "Object", "Binary")


def format_of(file: LocalFile) -> str:
    """Return the format of a file: by how it begins, and by how its name ends."""
    with file.path.open("rb") as stream:
        head = stream.read(4096)
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    kind = _BY_SUFFIX.get(file.suffix, "")
    begins = head.decode("utf-8", "replace").lstrip("\ufeff \t\r\n").lower()
    if kind in ("", "keel", "c45", DELIMITED):
        kind = _by_text(file, kind, begins)
    if kind in ("parquet", "arrow", "workbook"):
        raise file_error(
            file.called,
            f"the name says {kind}, but the file does not begin like one; give it the ending of "
            "what it is, such as .csv",
        )
    if kind == "json" and begins.startswith("{"):
        return "json lines"  # under another name
    return kind


def _by_text(file: LocalFile, kind: str, begins: str) -> str:
    declares = _first_line(file, begins).startswith(("@relation", "@attribute"))
    if declares:
        return "keel" if file.suffix in (".dat", ".data", ".txt") else "arff"
    if kind == "c45" and not file.path.with_suffix(".names").is_file():
        kind = DELIMITED
    if kind == "keel" or (kind == "" and not begins.startswith(("{", "["))):
        return DELIMITED
    return kind or ("json lines" if begins.startswith("{") else "json")


def _first_line(file: LocalFile, begins: str) -> str:
    if not begins.startswith("%"):
        return begins
    lines = (line.strip().lower() for line in read_lines(file.path))
    return next((line for line in lines if line and not line.startswith("%")), "")


def scan_typed(file: LocalFile, kind: str, options: ReadOptions) -> tuple[pl.LazyFrame, list[str]]:
    """Return the rows of a file whose columns have types, and what is to be said of them."""
    import polars as pl

    readers: dict[str, Any] = {
        "parquet": lambda: pl.scan_parquet(file.path, glob=False),
        "arrow": lambda: _scan_arrow(file),
        "json lines": lambda: pl.scan_ndjson(file.path, infer_schema_length=10_000),
        "json": lambda: pl.read_json(file.path, infer_schema_length=None).lazy(),
        "workbook": lambda: _read_workbook(file, options).lazy(),
        "arff": lambda: frame_of_table(read_arff(file.path)).lazy(),
        "keel": lambda: frame_of_table(read_keel(file.path)).lazy(),
        "c45": lambda: frame_of_table(read_c45(file.path)).lazy(),
    }
    try:
        frame = readers[kind]()
        schema = frame.collect_schema()
    except pl.exceptions.PolarsError as error:
        problem = " ".join(str(error).split())[:200]
        raise file_error(file.called, f"it cannot be read as {kind} ({problem})") from None
    except ValueError as error:  # of what was unpacked elsewhere, users know another name
        raise ValueError(str(error).replace(str(file.path), str(file.called))) from None
    if not len(schema):
        raise file_error(file.called, "the file is empty; expected rows of data")
    return _flat(frame, schema, file.called)


def _flat(frame: pl.LazyFrame, schema: Any, called: Path) -> tuple[pl.LazyFrame, list[str]]:
    nested = [name for name, dtype in schema.items() if str(dtype).startswith(_NESTED)]
    notes = []
    if nested:
        frame = frame.drop(nested)
        notes.append(f"columns of lists or records are passed over: {listed(nested)}")
    old = [name for name in schema.names() if name not in nested]
    if not old:
        raise file_error(
            called, "all columns are lists or records; expected one record of values for each row"
        )
    names, mended = mended_names(old)
    if names != old:
        frame = frame.rename(dict(zip(old, names, strict=True)))
    return frame, [*notes, *mended]


def _scan_arrow(file: LocalFile) -> pl.LazyFrame:
    import polars as pl

    return pl.scan_ipc(file.path, glob=False)


def _read_workbook(file: LocalFile, options: ReadOptions) -> pl.DataFrame:
    import polars as pl

    try:
        return pl.read_excel(
            file.path, sheet_name=options.sheet, infer_schema_length=None, raise_if_empty=False
        )
    except ModuleNotFoundError:
        raise missing_extra("fastexcel", "files") from None
    except Exception as error:  # of the package that reads workbooks: its own kinds, and others
        problem = " ".join(str(error).split())[:200]
        raise file_error(file.called, f"the workbook cannot be read ({problem})") from None


def frame_of_table(table: Table) -> pl.DataFrame:
    """Return a table as a frame; declared categories keep their order, as an Enum."""
    import polars as pl

    return pl.DataFrame([_series(column) for column in table.columns])


def _series(column: Column) -> pl.Series:
    import polars as pl

    if column.categories is None:
        numbers = pl.Series(column.name, column.values, nan_to_null=True)
        if not column.is_date:
            return numbers
        return (numbers * PER_DAY).round().cast(pl.Int64).cast(pl.Datetime("us"))
    categories = [str(category) for category in column.categories]
    texts = [None if code < 0 else categories[code] for code in column.values.tolist()]
    kind: Any = pl.Enum(categories) if column.is_declared and categories else pl.String
    return pl.Series(column.name, texts, dtype=kind)
