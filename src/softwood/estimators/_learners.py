"""From estimators to the learners behind them: options, members, and methods of softening."""

from __future__ import annotations

from dataclasses import fields, replace
from numbers import Real
from typing import Any

import numpy as np

from softwood.data.seeds import drawn_seed
from softwood.estimators._limits import number_of, real_from
from softwood.estimators._sklearn_compat import (
    HasMethods,
    Interval,
    StrOptions,
    validate_parameter_constraints,
)
from softwood.flow import SHAPES
from softwood.learn.fitted import Learner
from softwood.learn.forest import ForestLearner
from softwood.learn.soften import METHODS, Anneal, Confidence, Gradient, Method, Perturb
from softwood.learn.soften.teacher import AUTO

CLASSIFIER_METHODS: list[Any] = [StrOptions(set(METHODS)), *METHODS.values()]
REGRESSOR_METHODS: list[Any] = [
    StrOptions({name for name, method in METHODS.items() if method.takes_numbers}),
    *(method for method in METHODS.values() if method.takes_numbers),
]
# What the options of each method may be.
OPTIONS: dict[str, dict[str, list[Any]]] = {
    Gradient.name: {
        "teacher": [number_of(0), StrOptions({AUTO}), HasMethods(["fit", "predict"])],
        "shape": [StrOptions(set(SHAPES))],
        "n_epochs": [number_of(1), None],
        "learning_rate": [Interval(Real, 0.0, 1.0, closed="right")],  # more runs out of numbers
        "width_penalty": [real_from(0.0)],
        "test_price": [real_from(0.0)],
        "term_price": [real_from(0.0)],
        "early_stopping": [Interval(Real, 0.0, 0.5, closed="right"), None],
    },
    Anneal.name: {
        "schedule": [StrOptions({"fast", "sann"})],
        "n_candidates": [number_of(1)],
    },
    Perturb.name: {
        "flow": [StrOptions({"exact", "product", "sampled"})],
        "loss": [StrOptions({"error", "log_loss", "brier", "squared_error"}), None],
        "scale": ["array-like", None],
    },
    Confidence.name: {"rule": [StrOptions({"c50", "c50-cut", "c45"})]},
}


def options_of(estimator: Any, kind: type) -> dict[str, Any]:
    """Return the parameters of an estimator that a dataclass has fields for."""
    names = {field.name for field in fields(kind)} & set(estimator.get_params(deep=False))
    return {name: getattr(estimator, name) for name in names}


def refuse_unused(estimator: Any, names: tuple[str, ...], why: str) -> None:
    """Complain of parameters that are not at their defaults, where nobody would look at them."""
    given = estimator.get_params(deep=False)
    defaults = type(estimator)().get_params(deep=False)
    for name in names:
        if name in given and not np.array_equal(given[name], defaults[name]):
            raise ValueError(f"{name}={given[name]!r} {why}")


def tree_learner(estimator: Any, *, keeps_seed: bool = False) -> Learner:
    """Return the learner of single trees behind an estimator.

    Parameters
    ----------
    estimator : estimator
        A single tree of softwood, or one of scikit-learn.
    keeps_seed : bool, default=False
        Whether a seed of its own counts, and not that of the fit.
    """
    from softwood.estimators._base import TreeEstimator
    from softwood.estimators._softened_base import Softened
    from softwood.learn.foreign import ForeignLearner, SeededLearner

    if isinstance(estimator, TreeEstimator):
        estimator._validate_params()
        learner: Learner = estimator._learner()
        own = getattr(estimator, "random_state", None)
        return (
            SeededLearner(learner, drawn_seed(own)) if keeps_seed and own is not None else learner
        )
    if isinstance(estimator, Softened):  # how rows flow through its trees would be lost
        raise TypeError(
            f"estimator must be a tree that is grown here; got {type(estimator).__name__}: use "
            "SoftTreeClassifier or SoftTreeRegressor with the same method"
        )
    if not (hasattr(estimator, "fit") and hasattr(estimator, "get_params")):
        raise TypeError(
            f"estimator must be an estimator of single trees; got {type(estimator).__name__}"
        )
    return ForeignLearner(estimator)


class WithMethod:
    """An estimator with a parameter ``method``, whose own options are checked with the others."""

    method: Any

    def _validate_params(self) -> None:
        super()._validate_params()  # type: ignore[misc]
        if isinstance(self.method, Method):
            name, options = type(self.method).__name__, self.method.get_params()
            validate_parameter_constraints(OPTIONS[self.method.name], options, name)


def method_of(estimator: Any) -> Method:
    """Return the method of softening that an estimator names, or holds, ready to use."""
    method = estimator.method
    chosen: Method = METHODS[method]() if isinstance(method, str) else method
    if isinstance(chosen, Gradient) and hasattr(chosen.teacher, "fit"):
        chosen = replace(chosen, teacher=_teaching_ensemble(chosen.teacher))
    return chosen


def _teaching_ensemble(estimator: Any) -> ForestLearner:
    from softwood.estimators._forest_base import ForestEstimator

    if not isinstance(estimator, ForestEstimator):
        raise TypeError(
            "teacher must be a number of trees or an ensemble of softwood; got "
            f"{type(estimator).__name__}"
        )
    estimator._validate_params()
    return estimator._learner()
