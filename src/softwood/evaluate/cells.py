"""Cells: one method fitted and measured on one split of one data set."""

from __future__ import annotations

import hashlib
import json
import traceback
import warnings
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from time import perf_counter
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.telling import untold
from softwood.evaluate.encoding import fitting_for, rows_for
from softwood.evaluate.methods import Method, seeded
from softwood.evaluate.metrics import Metric, Prediction, applicable
from softwood.evaluate.problems import Problem, take_rows
from softwood.evaluate.protocols import Split

OK, FAILED = "ok", "failed"
_TRACE_LINES = 12


@dataclass(frozen=True, slots=True)
class Cell:
    """What a result is the result of.

    Two cells with the same ``key`` have the same result, except for times: the key
    covers everything else here.
    """

    experiment: str
    dataset: str
    digest: str
    method: str
    parameters: str
    versions: str
    protocol: str
    split: int
    rows: str  # digest of the rows of the split
    seed: int

    @property
    def key(self) -> str:
        """A digest of all the fields."""
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a cell ended.

    Attributes
    ----------
    status : {"ok", "failed"}
        Whether there are metrics.
    metrics : dict of str to float
        What was measured.
    seconds : float
        What the cell took, all in all.
    error, trace : str
        Type and message of the exception, and where it was raised.
    n_warnings : int
        How many warnings there were.
    warning : str
        The first of them.
    """

    status: str
    metrics: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    error: str = ""
    trace: str = ""
    n_warnings: int = 0
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A cell and how it ended."""

    cell: Cell
    outcome: Outcome


def rows_digest(split: Split) -> str:
    """Return a digest of the rows of a split."""
    state = hashlib.sha256()
    for rows in split:
        state.update(np.ascontiguousarray(rows, dtype=np.int64).tobytes() + b"|")
    return state.hexdigest()[:16]


def seed_of(seed: int, dataset: str, split: int) -> int:
    """Return the seed of a cell: the same for all methods, another for every split."""
    words = np.frombuffer(hashlib.sha256(dataset.encode()).digest(), dtype=np.uint32)
    sequence = np.random.SeedSequence([seed, split, *words[:4].tolist()])
    return int(sequence.generate_state(1)[0])


def run_cell(
    problem: Problem, method: Method, split: Split, seed: int, extra: Iterable[Metric] = ()
) -> Outcome:
    """Fit a method on the training rows of a split, and measure it on the test rows.

    Linear algebra and OpenMP get one thread: times can be compared, and results do not
    depend on how many cells run at once.

    Parameters
    ----------
    problem : Problem
        The data set.
    method : Method
        The estimator; a clone of it is fitted.
    split : (train, test)
        Indices of rows.
    seed : int
        Goes wherever a ``random_state`` of the estimator is None.
    extra : iterable of Metric
        Metrics to measure besides those that always are.

    Returns
    -------
    Outcome
        Of a failure too: an exception is recorded, not raised.
    """
    start = perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with untold(), _thread_pools(_home(method.estimator)).limit(limits=1):
                metrics = measured(prediction_of(problem, method, split, seed), problem.task, extra)
            status, error, trace = OK, "", ""
        except Exception as failure:
            metrics, status = {}, FAILED
            error = f"{type(failure).__name__}: {failure}"
            trace = "".join(traceback.format_exception(failure)[-_TRACE_LINES:])
    first = f"{caught[0].category.__name__}: {caught[0].message}" if caught else ""
    seconds = perf_counter() - start
    return Outcome(status, metrics, seconds, error, trace, len(caught), first)


@lru_cache(maxsize=64)
def _thread_pools(home: str) -> Any:
    """Return the pools of threads to limit; looked for once for every class of estimators."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _home(estimator: Any) -> str:
    return f"{type(estimator).__module__}.{type(estimator).__qualname__}"


def prediction_of(problem: Problem, method: Method, split: Split, seed: int) -> Prediction:
    """Return what a clone of the method, fitted on the training rows, says about the test rows."""
    train, test = split
    estimator = seeded(fitting_for(method.estimator, problem.nominal, problem.gaps), seed)
    X_train = rows_for(estimator, take_rows(problem.X, train))
    X_test = rows_for(estimator, take_rows(problem.X, test))
    start = perf_counter()
    estimator.fit(X_train, problem.y[train])
    fitted = perf_counter()
    labels = np.asarray(estimator.predict(X_test))
    predicted = perf_counter()
    truth = problem.y[test]
    if labels.shape != truth.shape:
        raise ValueError(f"predict returned the shape {labels.shape} for {truth.size} rows")
    probability = _by_class(problem, estimator, "predict_proba", X_test)
    score = probability
    if score is None:
        score = _by_class(problem, estimator, "decision_function", X_test)
    return Prediction(
        model=estimator,
        X=X_test,
        truth=truth,
        labels=labels,
        classes=problem.classes,
        probability=probability,
        score=score,
        fit_time=fitted - start,
        predict_time=predicted - fitted,
    )


def _by_class(problem: Problem, estimator: Any, name: str, X: Any) -> FloatArray | None:
    """Return what a method of the estimator says, with a column for every class there is."""
    if problem.classes is None or not hasattr(estimator, name):
        return None
    values = np.asarray(getattr(estimator, name)(X), dtype=np.float64)
    known = np.asarray(estimator.classes_)
    if values.ndim == 1:
        values = np.column_stack([-values, values])
    if values.shape[1] != known.size:  # one column for each pair of classes
        return None
    absent = 0.0 if name == "predict_proba" else -np.inf
    aligned = np.full((len(values), problem.classes.size), absent)
    aligned[:, _places(problem.classes, known)] = values
    return aligned


def _places(classes: AnyArray, known: AnyArray) -> AnyArray:
    if not np.isin(known, classes).all():
        raise ValueError(f"the model's classes_ are {known.tolist()}; the data has {classes}")
    return np.asarray(np.searchsorted(classes, known))


def measured(seen: Prediction, task: str, extra: Iterable[Metric] = ()) -> dict[str, float]:
    """Return the metrics that are always measured, and others, of what was predicted."""
    found = {metric.name: float(metric.measure(seen)) for metric in applicable(task)}
    for metric in extra:
        try:
            found[metric.name] = float(metric.measure(seen))
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise RuntimeError(f"metric {metric.name!r} cannot be measured: {what}") from error
    return found
