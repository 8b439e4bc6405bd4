"""``softwood predict``: rows through a model file, some at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from softwood._files import write_atomically
from softwood.cli import _fitted, _options
from softwood.cli._bar import progress
from softwood.cli._outputs import check_outputs
from softwood.cli._screen import SCREEN, note
from softwood.data.columns.plan import Preparation

if TYPE_CHECKING:
    import polars as pl

ModelFile = Annotated[Path, typer.Argument(help="Model file", show_default=False)]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="CSV file to write; standard output if not given"),
]
Proba = Annotated[bool, typer.Option("--proba", help="Write class probabilities too")]
SetSize = Annotated[
    float | None,
    typer.Option(
        "--set",
        help="Write the fewest classes that together have this probability, such as 0.9",
        show_default=False,
    ),
]
Explain = Annotated[bool, typer.Option("--explain", help="Write why, in words (slow)")]
Pass = Annotated[
    list[str] | None,
    typer.Option("--pass", help="Column to copy; may be repeated", show_default="identifiers"),
]


def run(
    model: ModelFile,
    data: _options.Data,
    output: Output = None,
    proba: Proba = False,
    set_: SetSize = None,
    explain: Explain = False,
    pass_: Pass = None,
    n_jobs: _options.Jobs = 1,
    delimiter: _options.Delimiter = None,
    decimal: _options.Decimal = None,
    encoding: _options.Encoding = None,
    na: _options.Na = None,
    header: _options.Header = None,
    sheet: _options.Sheet = None,
) -> None:
    """Predict every row of a table; the answer is CSV, or JSON lines with --json.

    Columns that tell which row is which come along. Files of any length are read, answered and
    written some rows at a time.
    """
    from softwood.persist import load

    check_outputs([output], [model, *map(Path, data)])
    fitted = load(model)
    if "n_jobs" in fitted.get_params(deep=False):
        fitted.set_params(n_jobs=n_jobs)
    options = _options.read_options(delimiter, decimal, encoding, na, header, sheet)
    wanted = _wanted(fitted, model, proba, set_, explain)
    with progress("predicting") as bar, _fitted.batches_for(fitted, data, options) as (names, rows):
        passed = _passed(fitted, names, pass_)
        answers = (_answers(fitted, batch, passed, wanted) for batch in rows)
        texts = _texts(_counted(answers, bar))
        if output is not None:
            write_atomically(output, (text.encode() for text in texts))
            return
        for text in texts:
            sys.stdout.write(text)


def _wanted(
    fitted: Any, model: Path, proba: bool, set_: float | None, explain: bool
) -> dict[str, Any]:
    if (proba or set_ is not None) and not hasattr(fitted, "predict_proba"):
        raise ValueError(f"{model} predicts a number; it has no class probabilities")
    if set_ is not None and not 0.0 < set_ < 1.0:
        raise ValueError(f"--set must be between 0 and 1; got {set_}")
    return {"proba": proba, "set": set_, "explain": explain}


def _passed(fitted: Any, names: list[str], wanted: list[str] | None) -> list[str]:
    """Return the columns to copy: those that are asked for, or those that name rows."""
    if wanted is not None:
        unknown = [name for name in wanted if name not in names]
        if unknown:
            raise ValueError(f"no column {unknown[0]!r} to copy; there are {', '.join(names)}")
        return wanted
    preparation: Preparation | None = fitted.schema_.preparation
    return [] if preparation is None else [n for n in preparation.identifiers if n in names]


def _answers(
    fitted: Any, batch: _fitted.Batch, passed: list[str], wanted: dict[str, Any]
) -> pl.DataFrame:
    """Return what is written of some rows."""
    import polars as pl

    columns: dict[str, Any] = {name: batch.frame[name] for name in passed}
    answer = _free("prediction", passed)
    if wanted["proba"] or wanted["set"] is not None:
        shares, classes = fitted.predict_proba(batch.X), np.asarray(fitted.classes_)
        columns[answer] = _texts_or_numbers(_labels(fitted, batch.X, shares))
        if wanted["proba"]:
            columns |= {f"P({label})": shares[:, k] for k, label in enumerate(classes)}
        if wanted["set"] is not None:
            columns["set"] = _sets(shares, classes, wanted["set"])
    else:
        columns[answer] = _texts_or_numbers(fitted.predict(batch.X))
    if wanted["explain"]:
        columns["because"] = [_reason(fitted, batch.X, row) for row in range(len(batch.X))]
    return pl.DataFrame(columns)


def _labels(fitted: Any, X: Any, shares: Any) -> Any:
    """Return the predicted classes; most models take that of the largest share."""
    from softwood.estimators._base import TreeClassifier
    from softwood.forest.ties import most_probable

    if type(fitted).predict is TreeClassifier.predict:
        return fitted.classes_[most_probable(shares)]
    return fitted.predict(X)


def _texts_or_numbers(values: Any) -> Any:
    return values if values.dtype.kind in "iufb" else [str(value) for value in values.tolist()]


def _free(name: str, taken: list[str]) -> str:
    return name if name not in taken else f"{name} (model)"


def _sets(shares: Any, classes: Any, least: float) -> list[str]:
    """Return, for each row, the fewest classes that have so much probability together."""
    order = np.argsort(-shares, axis=1, kind="stable")
    total = np.cumsum(np.take_along_axis(shares, order, axis=1), axis=1)
    size = 1 + (total < least - 1e-12).sum(axis=1)
    labels = [str(label) for label in classes]
    return [
        " | ".join(labels[k] for k in order[row, : min(size[row], len(labels))])
        for row in range(len(shares))
    ]


def _reason(fitted: Any, X: Any, row: int) -> str:
    """Return why a row is answered so, in one line."""
    lines = str(fitted.explain(X.take(np.array([row])))).splitlines()
    return "; ".join(" ".join(line.split()) for line in lines[1:])


def _counted(frames: Iterable[pl.DataFrame], bar: Any) -> Iterator[pl.DataFrame]:
    done = 0
    for frame in frames:
        done += frame.height
        bar.tell("rows", done, None)
        yield frame
    if not done:
        note("there are no rows to predict")


def _texts(frames: Iterable[pl.DataFrame]) -> Iterator[str]:
    is_first = True
    for frame in frames:
        yield frame.write_ndjson() if SCREEN.is_json else frame.write_csv(include_header=is_first)
        is_first = False
