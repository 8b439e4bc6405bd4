"""scikit-learn's gradient boosting: trees of gradients, summed in stages."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.forest import Forest
from softwood.interop._binary import with_mean_answers
from softwood.interop.imported import Imported
from softwood.interop.sklearn import from_sklearn
from softwood.interop.sklearn_forest import named_reader

IDENTITY_LOSSES = ("squared_error", "absolute_error", "huber", "quantile")
CLASS_LOSSES = ("log_loss", "exponential")


def import_fitted(model: Any) -> Imported:
    """Return a fitted GradientBoosting*; see :func:`softwood.interop.import_model`."""
    _check_loss(model)
    n_stages, n_scores = model.estimators_.shape
    trees = [from_sklearn(member) for member in model.estimators_.ravel()]
    is_classifier = hasattr(model, "classes_")
    link = ("logistic" if n_scores == 1 else "softmax") if is_classifier else "identity"
    forest = Forest(
        trees=tuple(with_mean_answers(tree) for tree in trees),  # type: ignore[arg-type]
        output=np.tile(np.arange(n_scores, dtype=np.int32), n_stages),
        factor=np.full(n_stages * n_scores, float(model.learning_rate)),
        base=_first_scores(model, n_scores),
        link=link,
        slope=2.0 if model.loss == "exponential" else 1.0,  # its score is half a logit
    )
    return Imported(
        forest=forest,
        reader=named_reader(model),
        classes=getattr(model, "classes_", None),
        kind=type(model).__name__,
        rule="not_negative",
    )


def _check_loss(model: Any) -> None:
    if model.loss not in IDENTITY_LOSSES + CLASS_LOSSES:
        raise NotImplementedError(
            f"the loss {model.loss!r} of this {type(model).__name__} has a link that is not "
            f"known; known are {', '.join(IDENTITY_LOSSES + CLASS_LOSSES)}"
        )


def _first_scores(model: Any, n_scores: int) -> FloatArray:
    """Return the scores that boosting starts from, if they are the same for all rows."""
    first = model.init_
    if isinstance(first, str):  # "zero"
        return np.zeros(n_scores)
    if type(first).__name__ not in ("DummyClassifier", "DummyRegressor"):
        raise NotImplementedError(
            f"this {type(model).__name__} starts from init={type(first).__name__}, which answers "
            "every row differently; only the default init and init='zero' can be imported"
        )
    row = np.zeros((1, int(model.n_features_in_)))
    if not hasattr(model, "classes_"):
        return np.asarray(first.predict(row), dtype=np.float64).reshape(1)
    epsilon = np.finfo(np.float64).eps
    chance = np.clip(first.predict_proba(row), epsilon, 1.0 - epsilon)
    return _scores_of(chance, model.loss, n_scores)


def _scores_of(chance: FloatArray, loss: str, n_scores: int) -> FloatArray:
    """Return the scores whose link gives these probabilities, shape (1, n_classes)."""
    from scipy.special import logit

    if n_scores > 1:
        geometric_mean = np.exp(np.log(chance).mean(axis=1))
        return np.asarray(np.log(chance[0] / geometric_mean))
    score: FloatArray = np.asarray(logit(chance[:, 1]))
    return 0.5 * score if loss == "exponential" else score
