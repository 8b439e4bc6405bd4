"""How well a model does on rows that it has not seen: folds, rows held out, or out of bag."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood.cli._scores import mean_and_error
from softwood.data.table import Table
from softwood.data.telling import untold

FOLDS = 10
MANY_ROWS = 50_000  # from here on a fifth of the rows is held out once
HELD_OUT = 0.2
Tell = Callable[[str, int, int | None], None]


@dataclass(frozen=True)
class Honest:
    """Errors on training rows, and on others.

    Attributes
    ----------
    measure : str
        What is measured.
    training : float
        On the rows the model was fitted to.
    losses : list of float
        On rows that it has not seen: of each fold, or one.
    how : str
        Which rows these are.
    baseline : float
        What always answering the commonest class, or the mean, would lose on the same rows.
    """

    measure: str
    training: float
    losses: list[float]
    how: str
    baseline: float

    def __str__(self) -> str:
        line = f"{self.measure}: training {self.training:.4g}"
        if not self.losses:
            return f"{line}; {self.how}" if self.how else line
        found = mean_and_error(self.losses) if len(self.losses) > 1 else f"{self.losses[0]:.4g}"
        always = "the mean" if "squared" in self.measure else "the commonest class"
        return f"{line}, {self.how} {found} (always {always}: {self.baseline:.4g})"

    def to_dict(self) -> dict[str, Any]:
        """Return the same for JSON."""
        mean = float(np.mean(self.losses)) if self.losses else None
        return {
            "measure": self.measure,
            "training": self.training,
            "mean": mean,
            "losses": self.losses,
            "how": self.how,
            "baseline": self.baseline,
        }


def honest_error(
    estimator: Any, X: Table, y: Any, regression: bool, folds: int | None, seed: int, tell: Tell
) -> Honest:
    """Return how a fitted estimator errs, by fitting clones of it to parts of the rows.

    ``folds`` None chooses: ten, or a fifth held out where rows are many. 0 asks for none. What
    the clones answer calibrates the estimator by the way, unless its own trees have not seen some.
    """
    measure = "mean squared error" if regression else "error"
    baseline = _baseline(y, regression)
    with untold():
        training = _training_loss(estimator, X, y, regression, seed)
        has_score = folds is None and hasattr(estimator, "oob_score_")
        if has_score or estimator._asks_out_of_bag():
            estimator.calibrate(method="oob")
        if has_score:
            loss = 1.0 - float(estimator.oob_score_)
            loss = loss * baseline if regression else loss
            return Honest(measure, training, [loss], "by trees that have not seen a row", baseline)
        splits, how = _splits(y, regression, folds, seed)
        losses, evidence = [], estimator._listening() if splits else None
        for done, (train, test) in enumerate(splits):
            tell("folds", done, len(splits))
            model = _clone(estimator).fit(X.take(train), y[train])
            X_test = X.take(test)
            losses.append(_loss(model, X_test, y[test], regression))
            if evidence is not None:
                evidence.hear(model, model._rows(X_test), test)
        if evidence is not None:
            estimator._conclude(evidence, "cv")
    return Honest(measure, training, losses, how, baseline)


def _training_loss(estimator: Any, X: Table, y: Any, regression: bool, seed: int) -> float:
    """Return the loss on the rows of training; of very many, a share tells as much."""
    if len(y) > MANY_ROWS:
        rows = np.sort(np.random.default_rng(seed).choice(len(y), MANY_ROWS, replace=False))
        X, y = X.take(rows), y[rows]
    return _loss(estimator, X, y, regression)


def _clone(estimator: Any) -> Any:
    from sklearn.base import clone

    return clone(estimator)


def _splits(y: Any, regression: bool, folds: int | None, seed: int) -> tuple[list[Any], str]:
    from sklearn.model_selection import (
        KFold,
        ShuffleSplit,
        StratifiedKFold,
        StratifiedShuffleSplit,
    )

    if folds == 0:
        return [], ""
    rarest = len(y) if regression else int(np.unique(y, return_counts=True)[1].min())
    if folds is None and len(y) >= MANY_ROWS:
        plain = regression or rarest < 2
        once = (ShuffleSplit if plain else StratifiedShuffleSplit)(
            1, test_size=HELD_OUT, random_state=seed
        )
        return list(once.split(np.zeros(len(y)), y)), "on a fifth of the rows, held out"
    n_folds = min(FOLDS if folds is None else folds, rarest if rarest > 1 else len(y))
    if n_folds < 2:
        return [], f"{len(y)} rows are too few for folds"
    splitter = (KFold if regression or rarest < n_folds else StratifiedKFold)(
        n_folds, shuffle=True, random_state=seed
    )
    return list(splitter.split(np.zeros(len(y)), y)), f"{n_folds}-fold cross-validated"


def _loss(model: Any, X: Table, y: Any, regression: bool) -> float:
    predicted = model.predict(X)
    return float(np.mean((predicted - y) ** 2 if regression else predicted != y))


def _baseline(y: Any, regression: bool) -> float:
    if regression:
        return float(np.var(y))
    return 1.0 - float(np.unique(y, return_counts=True)[1].max()) / len(y)
