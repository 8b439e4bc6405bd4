"""What the options of the four methods of softening may be."""

from __future__ import annotations

from numbers import Real
from typing import Any

from softwood.estimators._limits import number_of, real_from
from softwood.estimators._sklearn_compat import (
    HasMethods,
    Interval,
    StrOptions,
    validate_parameter_constraints,
)
from softwood.flow import SHAPES
from softwood.learn.soften import METHODS, Anneal, Confidence, Gradient, Method, Perturb

OPTIONS: dict[str, dict[str, list[Any]]] = {
    Gradient.name: {
        "teacher": [number_of(0), HasMethods(["fit", "predict"])],
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


class WithMethod:
    """An estimator with a parameter ``method``, whose own options are checked with the others."""

    method: Any

    def _validate_params(self) -> None:
        super()._validate_params()  # type: ignore[misc]
        if isinstance(self.method, Method):
            name, options = type(self.method).__name__, self.method.get_params()
            validate_parameter_constraints(OPTIONS[self.method.name], options, name)


CLASSIFIER_METHODS: list[Any] = [StrOptions(set(METHODS)), *METHODS.values()]
REGRESSOR_METHODS: list[Any] = [
    StrOptions({name for name, method in METHODS.items() if method.takes_numbers}),
    *(method for method in METHODS.values() if method.takes_numbers),
]
