"""``softwood explain``: why a model answers one row as it does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from softwood.cli import _fitted, _options
from softwood.cli._bar import progress
from softwood.cli._outputs import solvers_to_stderr
from softwood.cli._screen import answer, say, show, without_nan
from softwood.cli.terminal import explanation_panel

ModelFile = Annotated[Path, typer.Argument(help="Model file", show_default=False)]
Row = Annotated[int, typer.Option(help="Which row: 1 is the first below the names")]
WhyNot = Annotated[
    bool, typer.Option("--why-not", help="Say what would have to change for another answer")
]
Target = Annotated[
    str | None,
    typer.Option(
        help="With --why-not: the answer that is wanted, a class; or a number to be reached, or "
        'a rule such as ">= 10"',
        show_default="any other class",
    ),
]
Fixed = Annotated[
    list[str] | None,
    typer.Option(
        help="With --why-not: columns that must not change, with commas between; may be repeated",
        show_default=False,
    ),
]


def run(
    model: ModelFile,
    data: _options.Data,
    row: Row = 1,
    why_not: WhyNot = False,
    target: Target = None,
    fixed: Fixed = None,
    delimiter: _options.Delimiter = None,
    decimal: _options.Decimal = None,
    encoding: _options.Encoding = None,
    na: _options.Na = None,
    header: _options.Header = None,
    sheet: _options.Sheet = None,
) -> None:
    """Say why a model answers a row as it does: its way through the tree, in words.

    With --why-not, the nearest row that is answered otherwise, and what is different in it.
    """
    from softwood.persist import load

    if row < 1:
        raise ValueError(f"--row counts from 1; got {row}")
    if not why_not and (target is not None or fixed):
        raise ValueError(f"{'--fixed' if target is None else '--target'} belongs to --why-not")
    fitted = load(model)
    options = _options.read_options(delimiter, decimal, encoding, na, header, sheet)
    with progress("reading"):
        X, values = _row(fitted, data, options, row)
    say(f"row {row}: {_shown(values)}\n")
    if why_not:
        facts = _nearest(fitted, X, values, target, fixed or [])
        answer({"row": row, "values": without_nan(values), **without_nan(facts)})
        return
    found = fitted.explain(X)
    show(lambda: found, lambda: explanation_panel(found))
    facts = found.to_dict() if hasattr(found, "to_dict") else {"text": str(found)}
    answer({"row": row, "values": without_nan(values), **without_nan(facts)})


def _nearest(
    fitted: Any, X: Any, values: dict[str, Any], target: str | None, fixed: list[str]
) -> dict[str, Any]:
    """Print the nearest row with another answer; return the facts of it."""
    from softwood.estimators.counterfactual import counterfactual

    names = fitted.schema_.names
    wanted = None if target is None else _wanted(fitted, target)
    with solvers_to_stderr():
        found = counterfactual(fitted, X, wanted, _columns(fixed, names))
    read = _fitted.columns_read(fitted.schema_)  # not the target, which would be another
    changed = {name: value for name, value in values.items() if name in read}
    changed |= {one.column: one.after for one in found.changes}
    say(f"{found}\n{found.footing}\n")
    say(f"the nearest row: {_shown(changed)}")
    return {**found.to_dict(), "nearest": changed}


def _wanted(fitted: Any, target: str) -> Any:
    """Return what is wanted: a class, a number, or a rule as it is."""
    if hasattr(fitted, "classes_"):
        return _fitted.class_of_text(fitted, target)
    try:
        return float(target)
    except ValueError:
        return target


def _columns(texts: list[str], names: list[str]) -> list[str]:
    """Return names of columns; a comma separates, unless it is part of a name."""
    return [
        name
        for text in texts
        for name in ([text] if text in names else [part.strip() for part in text.split(",")])
    ]


def _shown(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


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
