"""``softwood soften``: the model of a file, with soft splits."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from softwood.cli import _fitted, _models, _options
from softwood.cli._bar import progress
from softwood.cli._outputs import check_outputs
from softwood.cli._scores import check_folds, mean_and_error
from softwood.cli._screen import answer, say, without_nan

CHOICES = ("cv", "holdout")
METRICS = {
    _models.CLASSES: {"error": "error", "brier": "Brier score"},
    _models.NUMBERS: {"squared_error": "mean squared error"},
}


class Method(Enum):
    """How to soften."""

    perturb = "perturb"
    anneal = "anneal"
    confidence = "confidence"
    gradient = "gradient"


class Loss(Enum):
    """What lambda is chosen by."""

    error = "error"
    log_loss = "log_loss"
    brier = "brier"
    squared_error = "squared_error"


ModelFile = Annotated[Path, typer.Argument(help="Model file", show_default=False)]
Target = Annotated[
    str | None,
    typer.Option(help="Column to predict; by default the one that the model does not read"),
]
HowToSoften = Annotated[Method, typer.Option(help="How to soften")]
Smoothing = Annotated[
    str | None,
    typer.Option(
        help="For perturb: cv, holdout (the rows are new to the model), or lambda itself",
        show_default="cv",
    ),
]
ChosenBy = Annotated[
    Loss | None, typer.Option(help="For perturb: what lambda is chosen by", show_default=False)
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Where to save the soft model", show_default=False),
]
Folds = Annotated[int, typer.Option(help="Folds of cross-validation; 0 for none")]
Seed = Annotated[int, typer.Option(help="Makes folds and random choices repeatable")]


class Rows(NamedTuple):
    """The rows of the data file, as the model reads them, and their target."""

    X: Any
    y: Any


def run(
    model: ModelFile,
    data: _options.Data,
    target: Target = None,
    method: HowToSoften = Method.perturb,
    smoothing: Smoothing = None,
    loss: ChosenBy = None,
    output: Output = None,
    folds: Folds = 10,
    seed: Seed = 0,
) -> None:
    """Soften a saved model, say what that changes, and save the soft one."""
    options = _options_of(method, smoothing, loss)
    check_folds(folds)
    check_outputs([output], [model, *map(Path, data)])
    from softwood.estimators.soften import soften
    from softwood.persist import load, save

    before = load(model)
    _refuse_fitting_again(before, model, options)
    with progress("reading"):
        rows = Rows(*_fitted.columns_and_target(before, data, target))
    with progress("softening"):
        after = soften(before, rows.X, rows.y, method.value, random_state=seed, **options)
    say(f"{model}: {_described(before)}; {len(rows.y)} rows")
    say(_what_was_done(after, method))
    for line in _on_these_rows(before, after, rows):
        say(line)
    if output is not None:
        save(after, output)
        say(f"saved to {output}")
    with progress("cross-validation"):
        lines = list(_cross_validated(before, after, rows, folds, seed))
    for line in lines:
        say(line)
    answer(_facts(after, method, rows, output))


def _facts(after: Any, method: Method, rows: Rows, output: Path | None) -> dict[str, Any]:
    found = {
        "model": type(after).__name__,
        "method": method.value,
        "smoothing": getattr(after, "smoothing_", None),
        "n_rows": len(rows.y),
        "saved": None if output is None else str(output),
    }
    return dict(without_nan(found))


def _options_of(method: Method, smoothing: str | None, loss: Loss | None) -> dict[str, Any]:
    """Return what ``soften`` is to be told."""
    if method is not Method.perturb:
        for name, value in (("smoothing", smoothing), ("loss", loss)):
            if value is not None:
                raise ValueError(f"--{name} is for --method perturb, not for {method.value}")
        return {}
    return {"smoothing": _smoothing(smoothing or "cv"), "loss": loss.value if loss else None}


def _smoothing(text: str) -> str | float:
    if text in CHOICES:
        return text
    try:
        number = float(text)
    except ValueError:
        number = np.nan
    if not 0.0 <= number < np.inf:
        raise ValueError(f"--smoothing must be cv, holdout or a number from 0 on; got {text!r}")
    return number


def _refuse_fitting_again(before: Any, path: Path, options: dict[str, Any]) -> None:
    if options.get("smoothing") == "cv" and not _can_be_fitted_again(before):
        raise ValueError(
            f"{path} does not hold what was softened, so it cannot be fitted again to folds; use "
            "--smoothing holdout with rows that are new to it, or give a number"
        )


def _can_be_fitted_again(model: Any) -> bool:
    """Whether the file held the learner: models of other libraries stay outside."""
    return getattr(model, "model", model) is not None


def _described(model: Any) -> str:
    trees = model.trees_ if hasattr(model, "trees_") else [model.tree_]
    leaves = sum(tree.n_leaves for tree in trees)
    kind = type(model).__name__
    return f"{kind}, {leaves} leaves" + (f" in {len(trees)} trees" if len(trees) > 1 else "")


def _what_was_done(after: Any, method: Method) -> str:
    done = f"softened by {method.value}: "
    if not _n_tests(after):
        return done + "there is no test to soften"
    if method is not Method.perturb:
        tree = after.tree_
        n_soft = int(np.count_nonzero(tree.below + tree.above))
        return done + f"{n_soft} of {_n_tests(after)} tests are soft"
    path = after.smoothing_path_
    if path is None:
        return done + f"lambda {after.smoothing_:.4g}, as given"
    where = "these rows" if after.smoothing == "holdout" else "folds of these rows"
    loss = path.loss_name.replace("_", " ")
    found = f"of {path.lambdas.size} lambdas {path.smoothing:.4g} has the least {loss} on {where}"
    return done + found + ("" if path.smoothing else ": no smoothing")


def _n_tests(model: Any) -> int:
    return sum(int(np.count_nonzero(tree.n_children)) for tree in model.trees_)


def _on_these_rows(before: Any, after: Any, rows: Rows) -> Iterator[str]:
    """Say how predictions change, and what they lose on the rows at hand."""
    from softwood.evaluate.metrics import METRICS as MEASURES
    from softwood.evaluate.metrics import Prediction

    task, seen = _task(before), []
    for model in (before, after):
        classes = np.asarray(model.classes_) if task == _models.CLASSES else None
        proba = None if classes is None else model.predict_proba(rows.X)
        seen.append(Prediction(model, rows.X, rows.y, model.predict(rows.X), classes, proba))
    n_changed = int(np.count_nonzero(seen[0].labels != seen[1].labels))
    yield f"{n_changed} of {len(rows.y)} predictions change"
    yield "\non these rows, " + (
        "on which lambda was chosen: they flatter what comes after"
        if after.smoothing == "holdout"
        else "which flatter a model that was fitted to them"
    )
    for name, title in METRICS[task].items():
        yield _line(title, *(f"{MEASURES[name].measure(one):.4g}" for one in seen))


def _cross_validated(before: Any, after: Any, rows: Rows, folds: int, seed: int) -> Iterator[str]:
    """Say what both lose where both are fitted, softening and all, to the other folds."""
    folds = min(folds, len(rows.y))
    if folds < 2 or after.smoothing == "holdout" or not _can_be_fitted_again(before):
        return
    from sklearn.base import clone

    from softwood.evaluate import compare

    task = _task(before)
    learners = {"before": clone(before), "after": clone(after).set_params(model=clone(before))}
    result = compare(
        learners,
        {"rows": (rows.X, rows.y)},
        f"kfold:{folds}",
        list(METRICS[task]),
        random_state=seed,
    )
    if result.failures:
        raise ValueError(f"cross-validation failed: {result.failures[0].outcome.error}")
    yield f"\n{folds}-fold cross-validated, fitted and softened anew in every fold"
    for name, title in METRICS[task].items():
        yield _line(title, *map(mean_and_error, result.split_scores(name)[0]))


def _task(model: Any) -> str:
    return _models.CLASSES if hasattr(model, "classes_") else _models.NUMBERS


def _line(title: str, before: str, after: str) -> str:
    return f"  {title:<20} before {before:<18} after {after}"
