"""Weights of rows: the user's, times those of the classes, as learners take them."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.weights import WeightScale, are_whole
from softwood.estimators._inputs import read_weights


def training_weights(
    estimator: Any, X: FloatArray, y: AnyArray, sample_weight: Any, classes: AnyArray | None = None
) -> tuple[FloatArray, float]:
    """Return the weight of each training row, and what a weight of 1 is to the user.

    Rows of weight 0 are left out of training.

    Parameters
    ----------
    estimator : estimator
        Says by ``_counts_weights`` whether a row of a whole weight w is w cases to it.
    X : ndarray of shape (n_rows, n_features)
        Rows.
    y : ndarray of shape (n_rows,)
        The target, or codes of ``classes``.
    sample_weight : array-like or None
        What the user gave.
    classes : ndarray, optional
        The classes, of which some may weigh more by the estimator's ``class_weight``.

    Returns
    -------
    weight : ndarray of shape (n_rows,)
        1 on average over the rows that have any, unless whole weights are cases.
    unit : float
        1 for an estimator that counts cases: its trees are to be read as it counted.
    """
    weight = read_weights(X, y, sample_weight)
    if classes is not None and estimator.class_weight is not None:
        weight = multiplied(weight, class_weights(estimator.class_weight, classes, y))
    if estimator._counts_weights and are_whole(weight):
        return weight, 1.0
    scale = WeightScale.of(weight)
    return scale.applied(weight), 1.0 if estimator._counts_weights else scale.unit


def class_weights(class_weight: Any, classes: AnyArray, label: AnyArray) -> FloatArray:
    """Return the factor of each row's class."""
    if class_weight is None:
        return np.ones(label.size)
    from sklearn.utils.class_weight import compute_class_weight

    if isinstance(class_weight, dict):
        for name, given in class_weight.items():
            _check_factor(name, given)
    factor: FloatArray = compute_class_weight(class_weight, classes=classes, y=classes[label])
    return np.asarray(factor[label])


def multiplied(weight: FloatArray, factor: FloatArray) -> FloatArray:
    """Return products of weights, scaled where they would be too large or small for a number."""
    with np.errstate(over="ignore", under="ignore"):
        product = weight * factor
    if np.isfinite(product).all() and ((product > 0.0) == (weight > 0.0)).all():
        return product
    return np.asarray((weight / weight.max()) * (factor / factor.max()))


def _check_factor(name: Any, given: Any) -> None:
    try:
        usable = 0.0 < float(given) < np.inf
    except (TypeError, ValueError, OverflowError):
        usable = False
    if not usable:
        raise ValueError(
            f"class_weight must be finite and positive for every class; got {given!r} for class "
            f"{name!r}. To leave out rows, give them the sample_weight 0"
        )


def rows_of_weight(weight: FloatArray) -> AnyArray | None:
    """Return the numbers of the rows whose weight is not 0; None if that is all of them."""
    return None if weight.all() else np.flatnonzero(weight > 0)
