"""``softwood demo``: the main job on a built-in data set, in a minute."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from softwood._files import is_stream
from softwood.cli._bar import progress
from softwood.cli._outputs import check_outputs
from softwood.cli._screen import answer, say

ROWS = ("C4.5", "CART", "CART, pruned", "soft tree", "scikit-learn tree")


def run(
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to save the model")] = Path(
        "demo.softwood"
    ),
) -> None:
    """Grow C4.5, CART and soft trees, compare them with scikit-learn's, save one."""
    from softwood.estimators import C45Classifier
    from softwood.persist import load, save

    check_outputs([output], [])
    table, X, y = _breast_cancer()
    say(f"Wisconsin breast cancer: {X.shape[0]} tumours, {X.shape[1]} measurements, 2 classes\n")
    model = C45Classifier().fit(table, y)
    say("C4.5 reads it so (training weight, then errors, at each leaf):\n")
    say(model.export_text())
    say(f"\nWhy the first tumour is called {model.predict(table)[0]}:")
    say(model.explain(X[:1]))
    say("\nCross-validated error, 10 folds, and leaves of the tree on all rows:\n")
    with progress("cross-validation"):
        compared = _compared(X, y)
    answer({"errors": {name: error for name, error, _ in compared}, "saved": str(output)})
    for name, error, leaves in compared:
        say(f"  {name:<20} {error:6.2%}  {leaves:>4} leaves")
    save(model, output)
    if is_stream(output):
        return  # what has run into it cannot be loaded again, nor may more follow
    same = np.array_equal(load(output).predict(table), model.predict(table))
    say(f"\nsaved to {output}; loaded again, it predicts {'the same' if same else 'otherwise'}")


def _breast_cancer() -> tuple[Any, Any, Any]:
    from sklearn.datasets import load_breast_cancer

    from softwood.data.table import Column, Table

    bunch = load_breast_cancer()
    columns = (
        Column(str(name), np.ascontiguousarray(bunch.data[:, j]))
        for j, name in enumerate(bunch.feature_names)
    )
    return Table(tuple(columns)), bunch.data, bunch.target_names[bunch.target]


def _compared(X: Any, y: Any) -> list[tuple[str, float, int]]:
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.tree import DecisionTreeClassifier

    from softwood.estimators import C45Classifier, CARTClassifier
    from softwood.estimators.soft import SoftTreeClassifier

    models = (
        C45Classifier(),
        CARTClassifier(),
        CARTClassifier(pruning="cv", random_state=0),
        SoftTreeClassifier(random_state=0),
        DecisionTreeClassifier(random_state=0),
    )
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    return [
        (name, 1 - cross_val_score(model, X, y, cv=folds).mean(), model.fit(X, y).get_n_leaves())
        for name, model in zip(ROWS, models, strict=True)
    ]
