"""``softwood fit``: a table becomes a model file and a tree to read, or an ensemble."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from softwood.cli import _models, _tables
from softwood.cli._outputs import check_outputs
from softwood.cli._scores import check_folds, mean_and_error
from softwood.data.telling import untold

if TYPE_CHECKING:
    from softwood.data.table import Table


def run(
    data: Annotated[Path, typer.Argument(help="CSV, ARFF, KEEL or C4.5 file", show_default=False)],
    target: Annotated[str, typer.Option(help="Column to predict", show_default=False)],
    model: Annotated[str, typer.Option(help=f"What to grow: {', '.join(_models.OURS)}")] = "c45",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where to save the model", show_default=False),
    ] = None,
    nominal: Annotated[
        list[str] | None,
        typer.Option(help="Column of numbers that are categories; may be repeated"),
    ] = None,
    folds: Annotated[int, typer.Option(help="Folds of cross-validation; 0 for none")] = 10,
    max_lines: Annotated[int, typer.Option(help="Lines to print of the tree, or of columns")] = 60,
    seed: Annotated[int, typer.Option(help="Makes folds and random choices repeatable")] = 0,
) -> None:
    """Fit a tree, print it with its cross-validated error, and save it.

    Of an ensemble the columns are printed that matter most.
    """
    check_folds(folds)
    check_outputs([output], [data])
    X, y, regression = _tables.task_of(_tables.read(data, nominal), data, target, nominal)
    estimator = _estimator(model, regression, target, seed)
    with untold():  # what there is to say about the table was said when it was read
        estimator.fit(X, y)
    is_tree = hasattr(estimator, "tree_")
    print(
        estimator.export_text(max_lines=max_lines) if is_tree else _columns(estimator, X, max_lines)
    )
    kinds = f"{sum(c.is_nominal for c in X.columns)} of {X.shape[1]} columns nominal"
    what = "a number to predict" if regression else f"{len(estimator.classes_)} classes"
    print(f"\n{len(X)} rows, {kinds}, {what}")
    if is_tree:
        print(f"{estimator.get_n_leaves()} leaves, depth {estimator.get_depth()}")
    else:
        leaves = np.mean([tree.n_leaves for tree in estimator.trees_])
        print(f"{len(estimator.trees_)} trees of {leaves:.0f} leaves on average")
    with untold():
        print(_errors(estimator, X, y, regression, folds, seed))
    if output is not None:
        from softwood.persist import save

        save(estimator, output)
        print(f"saved to {output}")


def _estimator(name: str, regression: bool, target: str, seed: int) -> Any:
    model = _models.model_named(name, _models.OURS)
    if regression and model.regressor is None:
        raise ValueError(
            f"{target!r} is a number to predict, and {model.title} predicts classes; use "
            f"--model cart, or --nominal {target} if its numbers are classes"
        )
    return model.make(_models.NUMBERS if regression else _models.CLASSES, seed)


def _columns(estimator: Any, X: Table, max_lines: int) -> str:
    """Return what share each column has in the decrease of impurity, the largest first."""
    share = estimator.feature_importances_
    order = np.argsort(-share, kind="stable")
    lines = [f"{share[k]:.3f}  {X.columns[k].name}" for k in order[:max_lines]]
    more = len(order) - len(lines)
    return "\n".join(["importance of columns", *lines, *([f"... and {more} more"] if more else [])])


def _errors(estimator: Any, X: Table, y: Any, regression: bool, folds: int, seed: int) -> str:
    from sklearn.base import clone
    from sklearn.model_selection import KFold, StratifiedKFold

    name = "mean squared error" if regression else "error"
    line = f"training {name} {_loss(estimator, X, y, regression):.4g}"
    rarest = len(y) if regression else int(np.unique(y, return_counts=True)[1].min())
    wanted, folds = folds, min(folds, rarest if rarest > 1 else len(y))
    if folds < 2:
        return line if not wanted else f"{line}; {len(y)} rows are too few for folds"
    splitter = (KFold if regression or rarest < folds else StratifiedKFold)(
        folds, shuffle=True, random_state=seed
    )
    losses = []
    for train, test in splitter.split(np.zeros(len(y)), y):
        model = clone(estimator).fit(X.take(train), y[train])
        losses.append(_loss(model, X.take(test), y[test], regression))
    return f"{line}, {folds}-fold cross-validated {mean_and_error(losses)}"


def _loss(model: Any, X: Table, y: Any, regression: bool) -> float:
    predicted = model.predict(X)
    return float(np.mean((predicted - y) ** 2 if regression else predicted != y))
