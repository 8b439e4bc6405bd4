"""``softwood predict``: rows through a model file."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from softwood.cli import _tables


def run(
    model: Annotated[Path, typer.Argument(help="Model file", show_default=False)],
    data: Annotated[Path, typer.Argument(help="CSV, ARFF, KEEL or C4.5 file", show_default=False)],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="CSV file to write; standard output if not given"),
    ] = None,
    proba: Annotated[bool, typer.Option("--proba", help="Write class probabilities too")] = False,
) -> None:
    """Predict every row of a table; the answer is a CSV file."""
    from softwood.persist import load

    fitted = load(model)
    columns = _columns_of_training(fitted, data)
    answers: dict[str, Any] = {"prediction": fitted.predict(columns)}
    if proba:
        if not hasattr(fitted, "predict_proba"):
            raise ValueError(f"{model} predicts a number; it has no class probabilities")
        shares = fitted.predict_proba(columns)
        answers |= {f"P({label})": shares[:, k] for k, label in enumerate(fitted.classes_)}
    if output is None:
        _write(answers, sys.stdout)
        return
    with open(output, "w", newline="", encoding="utf-8") as file:
        _write(answers, file)


def _columns_of_training(fitted: Any, path: Path) -> Any:
    """Return the columns the model was fitted on, in its order; others are ignored."""
    from softwood.data.table import Table

    table = _tables.read(path)
    features = fitted.schema_.features
    absent = [feature.name for feature in features if feature.name not in table.names]
    if absent:
        raise ValueError(
            f"{path} lacks the column{'s' if len(absent) > 1 else ''} "
            f"{', '.join(map(repr, absent))} that the model was fitted on"
        )
    # Categories that look like numbers in this file: 007 is not 7.
    misread = [f.name for f in features if f.is_nominal and not table[f.name].is_nominal]
    if misread:
        table = _tables.read(path, misread)
    return Table(tuple(table[feature.name] for feature in features))


def _write(answers: dict[str, Any], file: TextIO) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(answers)
    writer.writerows(zip(*(values.tolist() for values in answers.values()), strict=True))
