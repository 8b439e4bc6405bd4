"""``softwood predict``: rows through a model file."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from softwood._files import write_atomically
from softwood.cli import _fitted
from softwood.cli._outputs import check_outputs


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

    check_outputs([output], [model, data])
    fitted = load(model)
    columns = _fitted.columns_for(fitted, data)
    answers: dict[str, Any] = {"prediction": fitted.predict(columns)}
    if proba:
        if not hasattr(fitted, "predict_proba"):
            raise ValueError(f"{model} predicts a number; it has no class probabilities")
        shares = fitted.predict_proba(columns)
        answers |= {f"P({label})": shares[:, k] for k, label in enumerate(fitted.classes_)}
    if output is None:
        _write(answers, sys.stdout)
        return
    text = io.StringIO()
    _write(answers, text)
    write_atomically(output, text.getvalue().encode())


def _write(answers: dict[str, Any], file: TextIO) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(answers)
    writer.writerows(zip(*(values.tolist() for values in answers.values()), strict=True))
