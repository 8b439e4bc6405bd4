"""How closely one model follows another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Fidelity:
    """How closely a simpler model follows another.

    Attributes
    ----------
    agreement : float
        Share of rows for which both predict the same class; for numbers, R².
    mean_difference : float
        Mean absolute difference of probabilities, or of numbers.
    """

    agreement: float
    mean_difference: float


def fidelity(model: Any, follower: Any, X: Any) -> Fidelity:
    """Return how closely a model follows another on rows.

    Parameters
    ----------
    model, follower : fitted estimators
        What is followed, and what follows: a softwood model, which may lack classes.
    X : array-like or frame
        Rows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import CARTClassifier
    >>> from softwood.estimators.fidelity import fidelity
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CARTClassifier().fit(X, y)
    >>> fidelity(model, model, X)
    Fidelity(agreement=1.0, mean_difference=0.0)
    """
    before, after = np.asarray(model.predict(X)), np.asarray(follower.predict(X))
    if hasattr(follower, "classes_"):
        difference = np.abs(_shares(model, before, X) - _shares(follower, after, X, model))
        return Fidelity(float(np.mean(before == after)), float(difference.mean()))
    spread = float(np.var(before))
    unlike = float(np.mean((before - after) ** 2))
    agreement = 1.0 - unlike / spread if spread > 0 else float(unlike == 0)
    return Fidelity(agreement, float(np.abs(before - after).mean()))


def _shares(model: Any, said: Any, X: Any, like: Any = None) -> Any:
    """Return probabilities, in the order of the classes of another model."""
    classes = np.asarray((like or model).classes_)
    if not hasattr(model, "predict_proba"):
        return (said[:, None] == classes).astype(np.float64)
    proba = model.predict_proba(X)
    known, theirs = np.nonzero(np.asarray(model.classes_)[:, None] == classes)
    shares = np.zeros((len(proba), classes.size))
    shares[:, theirs] = proba[:, known]
    return shares
