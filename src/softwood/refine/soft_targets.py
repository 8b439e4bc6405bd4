"""Soft targets: rows, and the answers that a tree is to learn for them."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
    columns : ndarray of int, optional
        The columns that the answers depend on, ascending, where there are thousands; else all may.
    """

    X: FloatArray
    target: AnyArray
    weight: FloatArray
    columns: AnyArray | None = None

    def of_rows(self, rows: AnyArray, n_rows: int) -> SoftTargets:
        """Return those of some of the ``n_rows`` rows, and of the copies that follow them."""
        places = np.add.outer(np.arange(0, self.weight.size, n_rows), rows).ravel()
        X, target, weight = self.X[places], self.target[places], self.weight[places]
        return replace(self, X=X, target=target, weight=weight)

    def filled(self, columns: AnyArray, values: FloatArray) -> SoftTargets:
        """Return the same answers for rows without gaps in some columns.

        ``values`` has for each column what a gap counts as.
        """
        some = self.X[:, columns]
        gaps = np.isnan(some)
        if not gaps.any():
            return self
        X = self.X.copy()
        X[:, columns] = np.where(gaps, values[columns], some)
        return replace(self, X=X)

    def as_training_set(self, data: TrainingSet) -> TrainingSet:
        """Return the rows with the most probable class, or the number, of each.

        ``data`` is what they were made from.
        """
        if data.is_regression:
            return replace(
                data,
                X=self.X,
                weight=self.weight,
                target=np.ascontiguousarray(self.target[:, 0], dtype=np.float64),
                label=np.zeros(self.weight.size, dtype=np.uint16),
            )
        label = self.target.argmax(axis=1).astype(np.uint16)
        return replace(data, X=self.X, weight=self.weight, label=label)


def soft_targets_of(data: TrainingSet) -> SoftTargets:
    """Return the data's own soft targets: the classes or numbers that were seen."""
    if data.is_regression:
        return SoftTargets(data.X, data.target[:, None], data.weight)
    return SoftTargets(data.X, np.eye(data.n_classes, dtype=np.float32)[data.label], data.weight)
