"""``softwood explain``: why a model answers one row as it does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from softwood.cli import _fitted, _options
from softwood.cli._bar import progress
from softwood.cli._screen import answer, say, show, without_nan
from softwood.cli.terminal import explanation_panel

ModelFile = Annotated[Path, typer.Argument(help="Model file", show_default=False)]
Row = Annotated[int, typer.Option(help="Which row: 1 is the first below the names")]


def run(
    model: ModelFile,
    data: _options.Data,
    row: Row = 1,
    delimiter: _options.Delimiter = None,
    decimal: _options.Decimal = None,
    encoding: _options.Encoding = None,
    na: _options.Na = None,
    header: _options.Header = None,
    sheet: _options.Sheet = None,
) -> None:
    """Say why a model answers a row as it does: its way through the tree, in words."""
    from softwood.persist import load

    if row < 1:
        raise ValueError(f"--row counts from 1; got {row}")
    fitted = load(model)
    options = _options.read_options(delimiter, decimal, encoding, na, header, sheet)
    with progress("reading"):
        X, values = _row(fitted, data, options, row)
    found = fitted.explain(X)
    shown = ", ".join(f"{name} = {value}" for name, value in values.items())
    say(f"row {row}: {shown}\n")
    show(lambda: found, lambda: explanation_panel(found))
    facts = found.to_dict() if hasattr(found, "to_dict") else {"text": str(found)}
    answer({"row": row, "values": without_nan(values), **without_nan(facts)})


def _row(fitted: Any, data: list[str], options: Any, row: int) -> tuple[Any, dict[str, Any]]:
    """Return one row as the model reads it, and as the file has it."""
    passed = 0
    with _fitted.batches_for(fitted, data, options) as (_, batches):
        for batch in batches:
            place = row - 1 - passed
            if place < len(batch.X):
                return batch.X.take(np.array([place])), batch.frame.row(place, named=True)
            passed += len(batch.X)
    raise ValueError(f"--row {row}, but there are {passed} rows")
