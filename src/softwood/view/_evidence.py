"""What cross-validation finds: the model beside its rivals, and its answers out of fold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.data.telling import untold
from softwood.evaluate.cells import OK, Outcome, Record, measured, prediction_of
from softwood.evaluate.comparison import Comparison
from softwood.evaluate.dispatch import run_tasks
from softwood.evaluate.metrics import Metric, Prediction, squared_error
from softwood.evaluate.plan import Plan, Task, plan
from softwood.evaluate.problems import take_rows
from softwood.evaluate.protocols import KFoldProtocol, RandomSplitsProtocol
from softwood.view._shuffled import Losses, losses_by_shuffling
from softwood.view._subject import NotPossible, Subject

MODEL, DATA = "this model", "data"
MOST_ROWS = 20_000  # in folds; a larger table is sampled
FEWEST_ROWS = 10
Progress = Callable[[int, int, str], Any]


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was found on rows that a model had not seen.

    Attributes
    ----------
    comparison : Comparison
        The model, called :data:`MODEL`, and its rivals on the same folds.
    rows : ndarray of int
        The rows that took part; all, unless there are too many.
    truth, labels : ndarray
        Of these rows: what is so, and what was predicted out of fold.
    probability : ndarray of shape (n_rows, n_classes), or None
        Out of fold, columns in the order of the subject's classes.
    losses : Losses
        What shuffling each column costs, fold by fold.
    n_folds : int
        Number of folds.
    """

    comparison: Comparison
    rows: IndexArray
    truth: AnyArray
    labels: AnyArray
    probability: FloatArray | None
    losses: Losses
    n_folds: int

    @property
    def metric(self) -> str:
        """What methods are judged by."""
        return str(self.comparison.metrics[0])

    def scores(self, method: str, metric: str) -> FloatArray:
        """Return the scores of a method, fold by fold; NaN where there is none."""
        place = self.comparison.methods.index(method)
        return np.asarray(self.comparison.split_scores(metric)[0][place])

    def mean(self, method: str, metric: str) -> float:
        """Return the mean over the folds that have a score."""
        scores = self.scores(method, metric)
        known = scores[~np.isnan(scores)]
        return float(known.mean()) if known.size else float("nan")


def rmse(seen: Prediction) -> float:
    """Return the root of the mean squared error."""
    return float(np.sqrt(squared_error(seen)))


def evidence_of(
    subject: Subject,
    rivals: dict[str, Any],
    folds: int,
    n_jobs: int | None,
    progress: Progress,
) -> Evidence:
    """Cross-validate the model beside its rivals.

    Parameters
    ----------
    subject : Subject
        The model and its rows.
    rivals : dict of str to estimator
        Others to run on the same folds.
    folds : int
        Number of folds; fewer if there are few rows.
    n_jobs : int or None
        Folds to run at once.
    progress : callable
        Told of every fold that is done.

    Raises
    ------
    NotPossible
        If there are too few rows, or only one class.
    """
    rows = _rows(subject)
    work = _plan(subject, rivals, folds, rows)
    own = [task for task in work.tasks if task.method.name == MODEL]
    others = [task for task in work.tasks if task.method.name != MODEL]
    done: list[Record] = []
    parts = []
    for task, part in zip(own, _run_folds(own, work.extra, n_jobs), strict=True):
        done.append(Record(task.cell, Outcome(OK, part.metrics)))
        parts.append(part)
        progress(len(done), len(work.tasks), f"cross-validation of {MODEL}")
    for task, outcome in run_tasks(others, n_jobs, work.extra):
        # Times differ from run to run: a report of the same rows is to be the same.
        done.append(Record(task.cell, replace(outcome, seconds=0.0)))
        progress(len(done), len(work.tasks), f"cross-validation of {task.method.name}")
    return _gathered(own, parts, Comparison(work.definition, done), rows)


def _rows(subject: Subject) -> IndexArray:
    """Return the rows to use, of a large table a sample in which every class has its share."""
    if subject.n_rows < FEWEST_ROWS:
        raise NotPossible(
            f"There are only {subject.n_rows} rows, and cross-validation needs {FEWEST_ROWS}."
        )
    if subject.is_classes and subject.classes.size < 2:
        raise NotPossible("All rows are of one class: there is nothing to tell apart.")
    if subject.n_rows <= MOST_ROWS:
        return np.arange(subject.n_rows, dtype=np.int32)
    drawn = RandomSplitsProtocol(1, train_size=MOST_ROWS)
    [(rows, _)] = drawn.splits(subject.y, subject.seed, subject.is_classes)
    return np.asarray(rows, dtype=np.int32)


def _plan(subject: Subject, rivals: dict[str, Any], folds: int, rows: IndexArray) -> Plan:
    if MODEL in rivals:
        raise ValueError(f"rivals has a {MODEL!r}, which is what the model is called; rename it")
    metrics = ["error", "log_loss", "brier", "auc", "leaves"]
    if not subject.is_classes:
        metrics = [Metric("rmse", rmse), "absolute_error", "r2", "leaves"]  # type: ignore[list-item]
    whole = rows.size == subject.n_rows
    X = subject.X if whole else take_rows(subject.X, rows)
    with untold():
        return plan(
            {MODEL: subject.model, **rivals},
            {DATA: (X, subject.y[rows])},
            KFoldProtocol(min(folds, rows.size // 2)),
            metrics,
            subject.seed,
            None,
        )


@dataclass(frozen=True, eq=False)
class _Fold:
    """What is kept of the model's answers in one fold."""

    labels: AnyArray
    probability: FloatArray | None
    metrics: dict[str, float]
    losses: Losses


def _run_folds(tasks: list[Task], extra: tuple[Metric, ...], n_jobs: int | None) -> Any:
    from joblib import Parallel, delayed

    return Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(_run_fold)(task, extra) for task in tasks
    )


def _run_fold(task: Task, extra: tuple[Metric, ...]) -> _Fold:
    """Fit the model on one fold; what it cannot do is raised, as the report is about it."""
    with untold():
        seen = prediction_of(task.problem, task.method, task.split, task.seed)
        metrics = measured(seen, task.problem.task, extra)
        losses = losses_by_shuffling(seen, task.seed)
    return _Fold(seen.labels, seen.probability, metrics, losses)


def _gathered(
    tasks: list[Task], parts: list[_Fold], comparison: Comparison, rows: IndexArray
) -> Evidence:
    """Put the answers of the folds back into the order of the rows."""
    y = tasks[0].problem.y
    labels = np.empty_like(y, dtype=np.result_type(*(part.labels.dtype for part in parts)))
    probability = None
    if parts[0].probability is not None:
        probability = np.empty((len(y), parts[0].probability.shape[1]))
    for task, part in zip(tasks, parts, strict=True):
        test = task.split[1]
        labels[test] = part.labels
        if probability is not None:
            probability[test] = part.probability
    return Evidence(
        comparison=comparison,
        rows=rows,
        truth=y,
        labels=labels,
        probability=probability,
        losses=Losses.joined([part.losses for part in parts]),
        n_folds=len(parts),
    )
