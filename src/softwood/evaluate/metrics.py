"""Metrics: what is measured on the test rows of a split.

Every metric that fits the task is measured and stored, whichever are asked for: a
table of another metric needs no second run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.evaluate._naming import did_you_mean

BOTH = ("classification", "regression")


@dataclass(frozen=True, eq=False)
class Prediction:
    """What a fitted model said about the test rows of a split.

    Attributes
    ----------
    model : estimator
        The fitted model.
    X : table or array
        The test rows.
    truth, labels : ndarray
        What is so, and what was predicted.
    classes : ndarray or None
        All classes of the data set, sorted; None for regression.
    probability : ndarray of shape (n_rows, n_classes), or None
        Columns in the order of ``classes``; 0 for classes that training did not have.
    score : ndarray of shape (n_rows, n_classes), or None
        What ranks the rows of each class: the probability, or a decision function.
    fit_time, predict_time : float
        Seconds.
    """

    model: Any
    X: Any
    truth: AnyArray
    labels: AnyArray
    classes: AnyArray | None = None
    probability: FloatArray | None = None
    score: FloatArray | None = None
    fit_time: float = np.nan
    predict_time: float = np.nan


@dataclass(frozen=True)
class Metric:
    """A number to measure.

    Parameters
    ----------
    name : str
        How tables and :class:`Comparison` call it.
    measure : callable
        Takes a :class:`Prediction`, returns a float; NaN where it is not defined.
    greater_is_better : bool, default=False
        The direction.
    tasks : tuple of str
        Tasks for which it makes sense.

    Examples
    --------
    >>> from softwood.evaluate.metrics import Metric, Prediction
    >>> misses = Metric("misses", lambda seen: float(sum(seen.truth != seen.labels)))
    """

    name: str
    measure: Callable[[Prediction], float] = field(repr=False)
    greater_is_better: bool = False
    tasks: tuple[str, ...] = BOTH


def error(seen: Prediction) -> float:
    """Return the share of rows whose class is wrong."""
    return float(np.mean(seen.truth != seen.labels))


def log_loss(seen: Prediction) -> float:
    """Return the mean negative log probability of the true class, clipped near 0 and 1."""
    if seen.probability is None:
        return np.nan
    tiny = np.finfo(np.float64).eps
    of_truth = seen.probability[np.arange(len(seen.truth)), _codes(seen)]
    return float(-np.mean(np.log(np.clip(of_truth, tiny, 1 - tiny))))


def brier(seen: Prediction) -> float:
    """Return the mean squared difference between probabilities and truth.

    For two classes that of the second class, otherwise summed over the classes.
    """
    if seen.probability is None:
        return np.nan
    hit = np.zeros_like(seen.probability)
    hit[np.arange(len(hit)), _codes(seen)] = 1.0
    squares = ((seen.probability - hit) ** 2).sum(axis=1)
    return float(squares.mean() / (2 if hit.shape[1] == 2 else 1))


def auc(seen: Prediction) -> float:
    """Return the area under the ROC curve.

    For more than two classes the mean of each class against the rest, over the classes
    that the test rows have; NaN if they have only one.
    """
    if seen.score is None:
        return np.nan
    codes = _codes(seen)
    present = np.unique(codes)
    if present.size < 2 or not np.isfinite(seen.score).any():
        return np.nan
    if seen.score.shape[1] == 2:
        return _area(seen.score[:, 1], codes == 1)
    return float(np.mean([_area(seen.score[:, k], codes == k) for k in present]))


def _area(score: FloatArray, positive: AnyArray) -> float:
    """Return the share of pairs, one positive and one not, in the right order; ties count half."""
    distinct, place = np.unique(score, return_inverse=True)
    ups = np.bincount(place[positive], minlength=distinct.size)
    downs = np.bincount(place[~positive], minlength=distinct.size)
    below = np.cumsum(downs) - downs
    return float((ups * (below + 0.5 * downs)).sum() / (ups.sum() * downs.sum()))


def squared_error(seen: Prediction) -> float:
    """Return the mean squared error."""
    return float(np.mean((seen.truth - seen.labels) ** 2))


def absolute_error(seen: Prediction) -> float:
    """Return the mean absolute error."""
    return float(np.mean(np.abs(seen.truth - seen.labels)))


def r2(seen: Prediction) -> float:
    """Return the share of the variance that is explained; NaN if there is none to explain."""
    total = np.mean((seen.truth - np.mean(seen.truth)) ** 2)
    return float(1 - squared_error(seen) / total) if total > 0 else np.nan


def leaves(seen: Prediction) -> float:
    """Return the number of leaves of the model's tree or trees; NaN if it has none."""
    return _n_leaves(seen.model)


def _n_leaves(model: Any) -> float:
    if hasattr(model, "trees_"):
        return float(sum(tree.n_leaves for tree in model.trees_))
    if hasattr(model, "get_n_leaves"):
        return float(model.get_n_leaves())
    if hasattr(model, "best_estimator_"):
        return _n_leaves(model.best_estimator_)
    if hasattr(model, "steps"):
        return _n_leaves(model.steps[-1][1])
    members = getattr(model, "estimators_", None)
    if members is None:
        return np.nan
    flat = np.ravel(members) if isinstance(members, np.ndarray) else members
    return float(sum(_n_leaves(member) for member in flat))


def _codes(seen: Prediction) -> AnyArray:
    assert seen.classes is not None  # metrics of classes are only measured where there are some
    return np.asarray(np.searchsorted(seen.classes, seen.truth))


_CLASSES, _NUMBERS = ("classification",), ("regression",)
METRICS: Mapping[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("error", error, tasks=_CLASSES),
        Metric("log_loss", log_loss, tasks=_CLASSES),
        Metric("brier", brier, tasks=_CLASSES),
        Metric("auc", auc, greater_is_better=True, tasks=_CLASSES),
        Metric("squared_error", squared_error, tasks=_NUMBERS),
        Metric("absolute_error", absolute_error, tasks=_NUMBERS),
        Metric("r2", r2, greater_is_better=True, tasks=_NUMBERS),
        Metric("fit_time", lambda seen: seen.fit_time),
        Metric("predict_time", lambda seen: seen.predict_time),
        Metric("leaves", leaves),
    )
}
TIMES = ("fit_time", "predict_time")
FIRST = {"classification": "error", "regression": "squared_error"}


def applicable(task: str) -> list[Metric]:
    """Return the metrics that are always measured for a task."""
    return [metric for metric in METRICS.values() if task in metric.tasks]


def metrics_of(wanted: Any, task: str) -> list[Metric]:
    """Return the metrics a user asked for.

    Parameters
    ----------
    wanted : None, str, callable, Metric, or a sequence or mapping of them
        A name of ours, or that of a scikit-learn scorer; a function of
        ``(y_true, y_pred)``, of which less is better unless its name ends in "score".
        None is the error, or the squared error for regression.
    task : {"classification", "regression"}
        What the methods do.

    Returns
    -------
    list of Metric

    Examples
    --------
    >>> from softwood.evaluate.metrics import metrics_of
    >>> [metric.name for metric in metrics_of(["auc", "balanced_accuracy"], "classification")]
    ['auc', 'balanced_accuracy']
    """
    if wanted is None:
        wanted = FIRST[task]
    if isinstance(wanted, Mapping):
        return [_renamed(_metric_of(value, task), name) for name, value in wanted.items()]
    if isinstance(wanted, str | Metric) or callable(wanted) or not isinstance(wanted, Iterable):
        wanted = [wanted]
    return [_metric_of(value, task) for value in wanted]


def _metric_of(value: Any, task: str) -> Metric:
    if isinstance(value, str):
        return _named(value, task)
    if isinstance(value, Metric):
        return value
    if not callable(value):
        raise TypeError(
            f"metrics must be names, functions of (y_true, y_pred) or Metric; got {value!r}"
        )
    name = getattr(value, "__name__", type(value).__name__)
    return Metric(name, _OfLabels(value), greater_is_better=name.endswith("score"))


def _named(name: str, task: str) -> Metric:
    if name in METRICS:
        if task not in METRICS[name].tasks:
            fitting = ", ".join(metric.name for metric in applicable(task))
            raise ValueError(f"metric {name!r} is not for {task}; those for it are {fitting}")
        return METRICS[name]
    from sklearn.metrics import get_scorer, get_scorer_names

    if name in get_scorer_names():
        return Metric(name, _OfScorer(get_scorer(name)), greater_is_better=True)
    known = [*METRICS, *get_scorer_names()]
    close = did_you_mean(name, known)
    if not close.startswith("did"):
        close = f"there are {', '.join(METRICS)} and the scorers of scikit-learn"
    raise ValueError(f"there is no metric {name!r}; {close}")


def _renamed(metric: Metric, name: str) -> Metric:
    if name in METRICS and metric is not METRICS[name]:
        raise ValueError(f"metric {name!r} is one of ours; give yours another name")
    return Metric(name, metric.measure, metric.greater_is_better, metric.tasks)


@dataclass(frozen=True)
class _OfLabels:
    """A function of ``(y_true, y_pred)`` as a measure; a class, so that it can be pickled."""

    function: Callable[[Any, Any], Any]

    def __call__(self, seen: Prediction) -> float:
        return float(self.function(seen.truth, seen.labels))


@dataclass(frozen=True)
class _OfScorer:
    """A scorer of scikit-learn as a measure."""

    scorer: Callable[[Any, Any, Any], Any]

    def __call__(self, seen: Prediction) -> float:
        return float(self.scorer(seen.model, seen.X, seen.truth))
