"""``softwood refresh``: a model file whose answers come from new rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from softwood.cli import _fitted, _options, _streamed
from softwood.cli._bar import progress
from softwood.cli._outputs import check_outputs
from softwood.cli._screen import answer, say, without_nan
from softwood.cli._training import names_dataset
from softwood.data.readers.options import ReadOptions

CHOICES = ("auto", "keep")

ModelFile = Annotated[Path, typer.Argument(help="Model file", show_default=False)]
Output = Annotated[
    Path, typer.Option("--output", "-o", help="Where to save the new model", show_default=False)
]
Target = Annotated[
    str | None,
    typer.Option(help="Column to predict", show_default="as in training"),
]
Keep = Annotated[
    float, typer.Option(help="What a row of training counts, a new one counting 1: 0 forgets it")
]
Smoothing = Annotated[
    str, typer.Option(help="Of models that blur rows: auto, keep, or lambda itself")
]


def run(
    model: ModelFile,
    data: _options.Data,
    output: Output,
    target: Target = None,
    keep: Keep = 0.0,
    smoothing: Smoothing = "auto",
    seed: _options.Seed = 0,
    delimiter: _options.Delimiter = None,
    decimal: _options.Decimal = None,
    encoding: _options.Encoding = None,
    na: _options.Na = None,
    header: _options.Header = None,
    sheet: _options.Sheet = None,
) -> None:
    """Estimate what a saved model answers anew from new rows; its tests stay.

    What that changes on these rows is said, too; of very many, on the first 100,000. Trees with
    hard tests read files of any length, some rows at a time; other models need all rows at once.
    """
    chosen = _smoothing(smoothing)
    check_outputs([output], [model, *map(Path, data)])
    from softwood.estimators.diff import diff_of_tables
    from softwood.estimators.refresh_batches import takes_batches
    from softwood.persist import load, save

    before = load(model)
    options = _options.read_options(delimiter, decimal, encoding, na, header, sheet)
    if not names_dataset(data[0]) and takes_batches(before, chosen):
        after, X, y = _in_batches(before, data, target, options, keep)
    else:
        after, X, y = _at_once(before, data, target, options, keep, chosen, seed)
    found = diff_of_tables(before, after, [X, X], y)
    save(after, output)
    leaves = after.refreshed_
    say(
        f"{leaves.n_leaves} leaves estimated anew from {leaves.n_rows} rows; "
        f"{leaves.n_unreached} that no row reaches answer as before\n"
    )
    say(found)
    say(f"\nsaved to {output}; new rows flatter what was estimated from them")
    answer(_facts(leaves, found, output))


def _at_once(
    before: Any,
    data: list[str],
    target: str | None,
    options: ReadOptions,
    keep: float,
    smoothing: Any,
    seed: int,
) -> tuple[Any, Any, Any]:
    from softwood.estimators.refresh import refresh

    with progress("reading"):
        X, y = _fitted.columns_and_target(before, data, target, options)
    with progress("refreshing"):
        after = refresh(before, X, y, keep=keep, smoothing=smoothing, random_state=seed)
    return after, X, y


def _in_batches(
    before: Any, data: list[str], target: str | None, options: ReadOptions, keep: float
) -> tuple[Any, Any, Any]:
    """Return the new model, and the first of its rows."""
    from softwood.estimators.refresh_batches import refresh_in_batches

    first: list[Any] = []

    def told(batches: Any, bar: Any) -> Any:
        done = 0
        for X, y in batches:
            first.extend([] if first else [X, y])
            done += len(y)
            bar.tell("rows", done, None)
            yield X, y

    with (
        progress("refreshing") as bar,
        _streamed.batches_with_target(before, data, target, options) as batches,
    ):
        after = refresh_in_batches(before, told(batches, bar), keep=keep)
    return after, *first


def _smoothing(text: str) -> Any:
    if text in CHOICES:
        return text
    try:
        number = float(text)
    except ValueError:
        number = np.nan
    if not 0.0 <= number < np.inf:
        raise ValueError(f"--smoothing must be auto, keep or a number from 0 on; got {text!r}")
    return number


def _facts(leaves: Any, found: Any, output: Path) -> dict[str, Any]:
    told = {
        "n_rows": leaves.n_rows,
        "n_leaves": leaves.n_leaves,
        "n_unreached": leaves.n_unreached,
        "n_changed": found.n_changed,
        "old_error": found.judged.old_error,
        "new_error": found.judged.new_error,
        "saved": str(output),
    }
    return dict(without_nan(told))
