"""``softwood demo``: the whole story on a real table, in a minute or two."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from softwood._files import is_stream
from softwood.cli._bar import progress
from softwood.cli._outputs import check_outputs
from softwood.cli._screen import SCREEN, answer, say

EXPORTS = {"c": ".c", "python": ".py", "json": ".json"}
PAGES = {"report": "-report.html", "explorer": "-explorer.html"}


def run(
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to save the model")] = Path(
        "demo.softwood"
    ),
) -> None:
    """Compare families of trees on a real table; write a model, pages, and exports."""
    from softwood.estimators import C45Classifier
    from softwood.persist import load, save

    places = {} if is_stream(output) else _places(output)
    check_outputs([output, *places.values()], [])
    table, X, y = _breast_cancer()
    say(f"Wisconsin breast cancer: {X.shape[0]} tumours, {X.shape[1]} measurements, 2 classes\n")
    model = C45Classifier().fit(table, y)
    say("C4.5 reads it so (training weight, then errors, at each leaf):\n")
    say(model.export_text())
    say(f"\nWhy the first tumour is called {model.predict(table)[0]}:")
    say(model.explain(X[:1]))
    say("\nFamilies of trees on the same five folds:\n")
    compared = _compared(table, y)
    for line in _lines(compared):
        say(line)
    save(model, output)
    if is_stream(output):
        return  # what has run into it cannot be loaded again, nor may more follow
    written = {"model": output, **_written(model, table, y, places)}
    answer({"compared": compared, "saved": {name: str(path) for name, path in written.items()}})
    same = np.array_equal(load(output).predict(table), model.predict(table))
    say(f"\nsaved to {output}; loaded again, it predicts {'the same' if same else 'otherwise'}")
    say("\n".join(f"  {name:<9} {path}" for name, path in written.items()))


def _places(output: Path) -> dict[str, Path]:
    """Return where pages and exports go: beside the model."""
    pages = {name: output.with_name(f"{output.stem}{end}") for name, end in PAGES.items()}
    return pages | {name: output.with_suffix(end) for name, end in EXPORTS.items()}


def _breast_cancer() -> tuple[Any, Any, Any]:
    from sklearn.datasets import load_breast_cancer

    from softwood.data.table import Column, Table

    bunch = load_breast_cancer()
    columns = (
        Column(str(name), np.ascontiguousarray(bunch.data[:, j]))
        for j, name in enumerate(bunch.feature_names)
    )
    return Table(tuple(columns)), bunch.data, bunch.target_names[bunch.target]


def _compared(X: Any, y: Any) -> dict[str, dict[str, float]]:
    """Return error, log loss and leaves of each method, over five folds."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    from softwood.estimators import C45Classifier, CARTClassifier
    from softwood.estimators.coalescence import CoalescenceClassifier
    from softwood.estimators.soft import SoftTreeClassifier
    from softwood.evaluate import compare

    methods = {
        "scikit-learn tree": DecisionTreeClassifier(),
        "C4.5": C45Classifier(),
        "CART, pruned": CARTClassifier(pruning="cv"),
        "soft tree": SoftTreeClassifier(),
        "scikit-learn forest": RandomForestClassifier(),
        "Coalescence": CoalescenceClassifier(),
    }
    shown = not (SCREEN.is_quiet or SCREEN.is_json)
    result = compare(methods, {"breast cancer": (X, y)}, "kfold:5", verbose=int(shown))
    found = {metric: result.scores(metric) for metric in ("error", "log_loss", "leaves")}
    return {
        name: {metric: float(scores[0, j]) for metric, scores in found.items()}
        for j, name in enumerate(result.methods)
    }


def _lines(compared: dict[str, dict[str, float]]) -> list[str]:
    head = f"  {'':<20} {'error':>7} {'log loss':>9} {'leaves':>7}"
    return [head] + [
        f"  {name:<20} {each['error']:7.2%} {each['log_loss']:9.3f} {each['leaves']:7.0f}"
        for name, each in compared.items()
    ]


def _written(model: Any, X: Any, y: Any, places: dict[str, Path]) -> dict[str, Path]:
    """Write pages and exports; return those that were written."""
    from softwood import export
    from softwood.errors import MissingExtraError
    from softwood.view import explore, report

    written = {}
    with progress("pages and exports"):
        try:
            report(model, X, y, places["report"], folds=5, rivals=None, target="diagnosis")
            written["report"] = places["report"]
        except MissingExtraError as error:
            say(f"\nno report: {error}")
        explore(model, X, y, places["explorer"], target="diagnosis")
        written["explorer"] = places["explorer"]
        for name in EXPORTS:
            getattr(export, f"export_{name}")(model, places[name])
            written[name] = places[name]
    return written
