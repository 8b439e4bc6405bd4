"""What models say about rows that they have not seen: what calibration is made of."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.conformal import Calibration, Halves, class_scores
from softwood.data.folds import deal_folds, plain_folds
from softwood.data.telling import untold
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.flow import Gaussian, Hard
from softwood.refine.perturbation import Perturbation

N_FOLDS = 10
BLUR = 0.2  # deviations of each column; on nine data sets 0.1 and 0.3 gave sets as small
ENOUGH_ROWS = 50_000  # asked; more would move the coverage by less than a thousandth
# A fold is fitted on its own, quietly, and writes nowhere.
OF_FOLDS = {
    "n_jobs": 1,
    "verbose": 0,
    "callback": None,
    "checkpoint": None,
    "oob_score": False,
    "warm_start": False,
}


class Evidence:
    """Scores of some rows of a table, by models that have not seen them.

    Parameters
    ----------
    estimator : estimator
        The fitted model that is to be calibrated.
    y : ndarray of shape (n_rows,)
        The target of all rows.
    weight : ndarray of shape (n_rows,)
        Their weights. Rows of weight 0 are not asked.
    blur : Gaussian or None
        The noise under which crisp trees are asked a second time.
    """

    def __init__(
        self, estimator: Any, y: AnyArray, weight: FloatArray, blur: Gaussian | None
    ) -> None:
        self.classes = getattr(estimator, "classes_", None)
        self.weight, self.blur = weight, blur
        self.y = y if self.classes is None else codes_of(y, self.classes)
        self.score = np.full(y.size, np.nan)
        self.spread: FloatArray | None = None
        self.halves: Halves | None = None
        self.scatter_of_all = 1.0  # trees, in units of the scatter of those that were asked

    def hear(
        self, model: Any, rows: FloatArray, places: AnyArray, use: BoolArray | None = None
    ) -> None:
        """Ask a model about rows that it has not seen.

        Parameters
        ----------
        model : estimator
            Of the kind that is calibrated; it may lack some of the classes.
        rows : ndarray of shape (n_asked, n_features)
            The rows, as the model reads them.
        places : ndarray of shape (n_asked,)
            Which rows of the table they are.
        use : ndarray of bool of shape (n_asked, n_trees), optional
            Which trees have not seen each row.
        """
        if not places.size:
            return
        answers = model._answers(rows, use=use)
        if self.classes is None:
            self.note_numbers(answers[:, 0], model._scatter(rows, use), places)
            return
        blurred = None if self.blur is None else model._answers(rows, self.blur)
        scores = class_scores(answers, blurred)
        everywhere = np.ones((places.size, self.classes.size))  # of a class that it lacks
        everywhere[:, codes_of(model.classes_, self.classes)] = scores
        self.score[places] = everywhere[np.arange(places.size), self.y[places]]

    def hear_some_trees(
        self, model: Any, rows: FloatArray, places: AnyArray, use: BoolArray
    ) -> None:
        """Ask trees of an ensemble about rows that they have not seen; then halves of them.

        The halves tell what it does to the scores that a new row is answered by more trees. The
        parameters are those of :meth:`hear`.
        """
        number, scores, spreads = np.cumsum(use, axis=1), [], []
        for rest in (0, 1):
            half = use & (number % 2 == rest)
            self.hear(model, rows, places, half)
            self.score[places[~half.any(axis=1)]] = np.nan
            scores.append(self.score.copy())
            if self.spread is not None:
                spreads.append(self.spread.copy())
        self.hear(model, rows, places, use)
        self.halves = Halves(tuple(scores), tuple(spreads), float(use.mean()))
        if self.spread is not None:
            self.scatter_of_all = model._scatter_of_all(rows, use)

    def note_numbers(
        self, numbers: FloatArray, spread: FloatArray | None, places: AnyArray
    ) -> None:
        """Note how far predictions are from the target, and the trees from each other."""
        self.score[places] = self.y[places] - numbers
        if spread is not None:
            self.spread = np.zeros(self.y.size) if self.spread is None else self.spread
            self.spread[places] = spread

    def calibration(self, method: str) -> Calibration:
        """Return what follows from the rows that were asked."""
        asked = np.flatnonzero(~np.isnan(self.score) & (self.weight > 0.0))
        score, weight = self.score[asked], self.weight[asked]
        halves = None if self.halves is None else self.halves.of_rows(asked)
        if self.classes is None:
            spread = None if self.spread is None else self.spread[asked]
            return Calibration.of_numbers(
                score,
                weight,
                spread,
                method=method,
                halves=halves,
                scatter_of_all=self.scatter_of_all,
            )
        return Calibration.of_classes(
            np.maximum(score, 0.0),  # shares may add up to a little more than 1
            self.y[asked],
            self.classes.size,
            weight,
            method=method,
            blur=self.blur,
            halves=halves,
        )


def codes_of(y: AnyArray, classes: AnyArray) -> AnyArray:
    """Return the place of each label among the classes; complain of one that is not there."""
    order = np.argsort(classes)
    try:
        place = np.searchsorted(classes, y, sorter=order)
    except TypeError as error:
        raise ValueError(
            f"y must have labels like those of the model, {classes.tolist()[:3]}; got {y.dtype}"
        ) from error
    codes = order[np.minimum(place, classes.size - 1)]
    unknown = np.flatnonzero(classes[codes] != y)
    if unknown.size:
        label = np.asarray(y).tolist()[unknown[0]]
        raise ValueError(f"y has the label {label!r}, which the model never saw")
    return np.asarray(codes)


def blur_for(model: Any, rows: FloatArray, weight: FloatArray) -> Gaussian | None:
    """Return the noise under which a model is asked a second time; None unless it is crisp.

    Parameters
    ----------
    model : estimator
        A fitted classifier, or regressor.
    rows : ndarray of shape (n_rows, n_features)
        Rows as it reads them, which say how far columns spread.
    weight : ndarray of shape (n_rows,)
        Their weights.
    """
    if not (hasattr(model, "classes_") and hasattr(model, "tree_")):
        return None
    if not isinstance(model.flow_, Hard):
        return None
    kept = weight > 0.0
    data = TrainingSet.of_target(
        rows[kept],
        np.zeros(int(kept.sum())),
        weight=weight[kept],
        n_categories=model.schema_.n_categories,
    )
    flow = Perturbation.of(data).at(BLUR)
    assert isinstance(flow, Gaussian)
    return flow


def folds_for(y: AnyArray, classes: Any, seed: int) -> list[tuple[AnyArray, AnyArray]]:
    """Return folds of some rows: ten, of which as many are there as it takes to ask enough rows."""
    n_folds = min(N_FOLDS, y.size)
    if n_folds < 2:
        return []
    if classes is None:
        folds = plain_folds(y.size, n_folds, seed)
    else:
        folds = deal_folds(y, n_folds, np.random.default_rng(seed))
    return folds[: -(-ENOUGH_ROWS * n_folds // y.size)]


def hear_folds(evidence: Evidence, table: Any, seed: int, jobs: Jobs) -> None:
    """Ask models that are fitted to all folds but one about that one.

    Parameters
    ----------
    evidence : Evidence
        To which they answer.
    table : object
        Has ``fitted_to(rows)``, which returns a model that was fitted to some rows, and
        ``rows(model, rows)``, which returns others as this model reads them.
    seed : int
        Of the folds.
    jobs : Jobs
        How many folds are fitted at once.
    """
    kept = np.flatnonzero(evidence.weight > 0.0)

    def hear(fold: tuple[AnyArray, AnyArray]) -> None:
        train, test = (kept[part] for part in fold)
        with untold():
            try:
                model = table.fitted_to(train)
            except ValueError as error:
                raise ValueError(
                    f"calibration fits the model to folds of the rows, and that failed: {error}; "
                    "call calibrate(X, y) with rows that are new to the model"
                ) from error
            evidence.hear(model, table.rows(model, test), test)

    jobs.each(hear, folds_for(evidence.y[kept], evidence.classes, seed))


def seed_of(model: Any) -> int:
    """Return a seed that is the same whenever a model is calibrated; nothing is drawn for it."""
    seed = getattr(model, "random_state", None)
    return int(seed) if isinstance(seed, Integral) else int(getattr(model, "seed_", 0))


def unfitted(kind: type, parameters: dict[str, Any], seed: int) -> Any:
    """Return an estimator to be fitted to a fold."""
    from sklearn.base import clone

    model = clone(kind(**parameters))
    known = model.get_params(deep=True)
    changes = {name: value for name, value in OF_FOLDS.items() if name in known}
    for name, value in known.items():
        is_seed = name.endswith("random_state") and not name.startswith("method__")
        if is_seed and not isinstance(value, Integral):
            changes[name] = seed
    return model.set_params(**changes)
