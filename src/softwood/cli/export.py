"""``softwood export``: a model for use elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from softwood._files import check_place
from softwood.cli._screen import answer, note, say

FORMATS = {"c": ".c", "python": ".py", "json": ".json", "sql": ".sql", "onnx": ".onnx"}

ModelFile = Annotated[Path, typer.Argument(help="Model file", show_default=False)]
To = Annotated[
    str | None,
    typer.Option(help=f"One of {', '.join(FORMATS)}", show_default="by the name of the file"),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="File to write", show_default="beside the model"),
]
Dialect = Annotated[str, typer.Option(help="Whose SQL: duckdb, sqlite or postgres")]
Table = Annotated[str, typer.Option(help="Table that the SQL reads")]
Keep = Annotated[
    list[str] | None,
    typer.Option(help="Further column that the SQL shows, such as a key; may be repeated"),
]
Dtype = Annotated[str, typer.Option(help="Numbers of the ONNX graph: float64 or float32")]


def run(
    model: ModelFile,
    to: To = None,
    output: Output = None,
    dialect: Dialect = "duckdb",
    table: Table = "rows",
    keep: Keep = None,
    dtype: Dtype = "float64",
) -> None:
    """Write a model for use elsewhere: as C, Python without numpy, JSON, SQL or ONNX."""
    from softwood import export
    from softwood.persist import load

    kind = _kind(to, output)
    fitted = load(model)
    place = output or model.with_suffix(FORMATS[kind])
    check_place(place, inputs=[model])
    if kind == "onnx":
        export.to_onnx(fitted, dtype=dtype, path=place)
    else:
        sql = {"dialect": dialect, "table": table, "keep": keep or ()}
        options = sql if kind == "sql" else {}
        getattr(export, f"export_{kind}")(fitted, place, **options)
    size = place.stat().st_size
    say(f"written to {place} ({size // 1024} KiB)")
    _tell_columns(fitted)
    answer({"file": str(place), "format": kind, "bytes": size})


def _tell_columns(model: Any) -> None:
    """Say which columns must be given that the file of training does not have as such."""
    preparation = model.schema_.preparation if hasattr(model, "schema_") else None
    if preparation is None:
        return
    parts = [f"{plan.name}.{part}" for plan in preparation.used for part in plan.parts]
    dates = [feature.name for feature in model.schema_.features if feature.is_date]
    if parts:
        note(f"columns to be given besides those of the table: {', '.join(parts)} (Monday is 1)")
    if dates:
        note(f"dates are days since 1970-01-01: {', '.join(dates)}")


def _kind(to: str | None, output: Path | None) -> str:
    """Return the format that was asked for, by its name or by that of the file."""
    if to is not None:
        if to not in FORMATS:
            raise ValueError(f"--to must be one of {', '.join(FORMATS)}; got {to!r}")
        return to
    if output is None:
        raise ValueError(f"say which format by --to: one of {', '.join(FORMATS)}")
    for kind, ending in FORMATS.items():
        if output.suffix == ending:
            return kind
    raise ValueError(
        f"{output} does not end in {', '.join(FORMATS.values())}: say which format by --to"
    )
