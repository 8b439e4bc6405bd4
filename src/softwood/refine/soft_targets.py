"""Soft targets: rows, and the answers that a tree is to learn for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet


@dataclass(frozen=True, eq=False)
class SoftTargets:
    """Rows and the answers to learn for them: shares of classes, or numbers.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
    target : ndarray of shape (n_rows, n_outputs)
        Probabilities of the classes, or one column of numbers.
    weight : ndarray of shape (n_rows,)
    """

    X: FloatArray
    target: AnyArray
    weight: FloatArray


def soft_targets_of(data: TrainingSet) -> SoftTargets:
    """Return the data's own soft_targets: the classes or numbers that were seen."""
    if data.is_regression:
        return SoftTargets(data.X, data.target[:, None], data.weight)
    return SoftTargets(data.X, np.eye(data.n_classes, dtype=np.float32)[data.label], data.weight)
