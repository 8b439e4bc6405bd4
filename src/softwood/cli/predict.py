"""``softwood predict``: rows through a model file, some at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
import typer

from softwood._files import write_atomically
from softwood.cli import _fitted, _options, _streamed
from softwood.cli._bar import progress
from softwood.cli._losses import loss_of_rows, losses_in_words, merged_losses
from softwood.cli._outputs import check_outputs
from softwood.cli._screen import SCREEN, answer, note, say, without_nan
from softwood.data.columns.plan import Preparation
from softwood.data.readers.options import ReadOptions

if TYPE_CHECKING:
    import polars as pl

ALPHA = 0.1

ModelFile = Annotated[Path, typer.Argument(help="Model file", show_default=False)]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="CSV file to write; standard output if not given"),
]
Proba = Annotated[bool, typer.Option("--proba", help="Write class probabilities too")]
Set = Annotated[bool, typer.Option("--set", help="Write the classes that cannot be ruled out, too")]
Interval = Annotated[
    bool, typer.Option("--interval", help="Write between which numbers the answer is, too")
]
Reject = Annotated[
    bool, typer.Option("--reject", help="Leave rows unanswered that may be of several classes")
]
Alpha = Annotated[
    float | None,
    typer.Option(
        help="Share of rows for which sets and intervals may miss the truth, and with --reject "
        "answers be wrong",
        show_default=str(ALPHA),
    ),
]
NewRows = Annotated[
    str | None,
    typer.Option(
        "--calibrate",
        help="Table with the target, of rows that are new to the model, to calibrate on",
        show_default="as softwood fit did",
    ),
]
Score = Annotated[
    bool,
    typer.Option("--score", help="Predict what is known, and say only how often that is wrong"),
]
Target = Annotated[
    str | None,
    typer.Option(help="Column that --score compares with", show_default="as in training"),
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
    set_: Set = False,
    interval: Interval = False,
    reject: Reject = False,
    alpha: Alpha = None,
    calibrate: NewRows = None,
    explain: Explain = False,
    pass_: Pass = None,
    score: Score = False,
    target: Target = None,
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

    known = [model, *map(Path, data), *map(Path, [calibrate] if calibrate else [])]
    check_outputs([output], known)
    fitted = load(model)
    if "n_jobs" in fitted.get_params(deep=False):
        fitted.set_params(n_jobs=n_jobs)
    options = _options.read_options(delimiter, decimal, encoding, na, header, sheet)
    wanted = Wanted(proba, set_, interval, reject, explain, alpha)
    _check_wanted(fitted, model, wanted, calibrate is not None)
    if score:
        _refuse_with_score(output, wanted, pass_)
        _say_score(fitted, data, target, options)
        return
    if calibrate is not None:
        with progress("calibrating"):
            fitted.calibrate(*_fitted.columns_and_target(fitted, [calibrate], None, options))
    with progress("predicting") as bar, _fitted.batches_for(fitted, data, options) as (names, rows):
        passed = _passed(fitted, names, pass_)
        answers = (_answers(fitted, batch, passed, wanted) for batch in rows)
        texts = _texts(_counted(answers, bar))
        if output is not None:
            write_atomically(output, (text.encode() for text in texts))
            return
        for text in texts:
            sys.stdout.write(text)


def _refuse_with_score(output: Path | None, wanted: Wanted, passed: list[str] | None) -> None:
    asked = (wanted.proba, wanted.set, wanted.interval, wanted.reject, wanted.explain)
    if output is not None or passed is not None or any(asked):
        raise ValueError(
            "--score writes no predictions: it goes with --target and how files are read alone"
        )


def _say_score(fitted: Any, data: list[str], target: str | None, options: ReadOptions) -> None:
    """Say what the model loses on all rows whose target is known."""
    losses, done = [], 0
    with (
        progress("judging") as bar,
        _streamed.batches_with_target(fitted, data, target, options) as batches,
    ):
        for rows in batches:
            losses.append(loss_of_rows(fitted, rows))
            done += len(rows[1])
            bar.tell("rows", done, None)
    found = merged_losses(losses)
    if not found["n_rows"]:
        raise ValueError("there are no rows whose target is known")
    say(f"{found['n_rows']:,} rows: {losses_in_words(found)}")
    answer(dict(without_nan(found)))


class Wanted(NamedTuple):
    """What is to be written of each row."""

    proba: bool
    set: bool
    interval: bool
    reject: bool
    explain: bool
    alpha: float | None

    @property
    def share(self) -> float:
        """The share of rows for which sets, intervals and answers may be wrong."""
        return ALPHA if self.alpha is None else self.alpha

    @property
    def calibrated(self) -> bool:
        """Whether something is wanted that takes calibration."""
        return self.set or self.interval or self.reject


def _check_wanted(fitted: Any, model: Path, wanted: Wanted, has_new_rows: bool) -> None:
    has_classes = hasattr(fitted, "predict_proba")
    if not has_classes and (wanted.proba or wanted.set or wanted.reject):
        raise ValueError(f"{model} predicts a number, no classes; it has --interval")
    if has_classes and wanted.interval:
        raise ValueError(f"{model} predicts classes; --interval is for numbers, and it has --set")
    if not wanted.calibrated:
        for name, is_given in (("alpha", wanted.alpha is not None), ("calibrate", has_new_rows)):
            if is_given:
                raise ValueError(f"--{name} is for --set, --interval and --reject")
        return
    if not 0.0 < wanted.share < 1.0:
        raise ValueError(f"--alpha must be between 0 and 1, such as 0.1; got {wanted.share}")
    if not has_new_rows and not hasattr(fitted, "calibration_"):
        raise ValueError(
            f"{model} is not calibrated. Name a table with the target, of rows that are new to "
            "it: --calibrate FILE. (softwood fit calibrates a model, unless --folds is 0.)"
        )


def _passed(fitted: Any, names: list[str], wanted: list[str] | None) -> list[str]:
    """Return the columns to copy: those that are asked for, or those that name rows."""
    if wanted is not None:
        unknown = [name for name in wanted if name not in names]
        if unknown:
            raise ValueError(f"no column {unknown[0]!r} to copy; there are {', '.join(names)}")
        return wanted
    preparation: Preparation | None = fitted.schema_.preparation
    return [] if preparation is None else [n for n in preparation.identifiers if n in names]


def _answers(fitted: Any, batch: _fitted.Batch, passed: list[str], wanted: Wanted) -> pl.DataFrame:
    """Return what is written of some rows."""
    import polars as pl

    columns: dict[str, Any] = {name: batch.frame[name] for name in passed}
    answer = _free("prediction", passed)
    columns[answer] = None  # it comes first
    if wanted.proba:
        shares = fitted.predict_proba(batch.X)
        columns |= {f"P({label})": shares[:, k] for k, label in enumerate(fitted.classes_)}
        columns[answer] = _texts_or_numbers(_labels(fitted, batch.X, shares))
    elif not wanted.reject:
        columns[answer] = _texts_or_numbers(fitted.predict(batch.X))
    if wanted.reject:
        labels = fitted.predict_or_reject(batch.X, wanted.share)
        is_number = fitted.classes_.dtype.kind in "iufb"
        columns[answer] = [
            label if label is None or is_number else str(label) for label in labels.tolist()
        ]
    if wanted.set:
        sets = fitted.predict_set(batch.X, wanted.share, as_labels=True)
        columns[_free("set", passed)] = [" | ".join(map(str, labels)) for labels in sets]
    if wanted.interval:
        low, high = fitted.predict_interval(batch.X, wanted.share).T
        columns |= {_free("low", passed): low, _free("high", passed): high}
    if wanted.explain:
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
