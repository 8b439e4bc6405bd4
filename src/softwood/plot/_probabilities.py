"""Probabilities to be judged: those of a model, or some made before, with the true classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.forest.ties import most_probable

SUM_TO_ONE = 1e-4  # probabilities of a row, in single precision, may miss the sum of 1


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    """What was predicted, and what was true.

    Attributes
    ----------
    name : str
        Who predicted it.
    classes : list
        The labels of the columns.
    truth : ndarray of shape (n_rows,)
        The column of each row's class.
    proba : ndarray of shape (n_rows, n_classes)
        The probabilities.
    """

    name: str
    classes: list[Any]
    truth: AnyArray
    proba: FloatArray

    @property
    def is_binary(self) -> bool:
        """Whether there are two classes, the second of which is to be found."""
        return len(self.classes) == 2

    def claims(self) -> tuple[FloatArray, BoolArray]:
        """Return how sure each row is of something, and whether that is so.

        Of two classes: that it is the second. Of more: that it is the most probable one.
        """
        if self.is_binary:
            return self.proba[:, 1], self.truth == 1
        answer = most_probable(self.proba)
        return self.proba[np.arange(answer.size), answer], self.truth == answer

    def brier(self) -> float:
        """Return the mean squared error: of the second of two classes, or over all classes."""
        is_true = self.truth[:, None] == np.arange(len(self.classes))
        squares = (self.proba - is_true) ** 2
        return float(squares[:, 1].mean() if self.is_binary else squares.sum(axis=1).mean())


def probabilities_of(
    model: Any, X: Any, y: Any, proba: Any = None, classes: Sequence[Any] | None = None
) -> Probabilities:
    """Return the probabilities of a model for rows, or those given, with what is true.

    Parameters
    ----------
    model : classifier or None
        Has ``predict_proba``; None if ``proba`` is given.
    X : array or frame, or None
        Rows; None if ``proba`` is given.
    y : array of shape (n_rows,)
        Their classes.
    proba : array of shape (n_rows, n_classes), optional
        Probabilities made before. Rows of NaN, which nobody was asked about, are left out.
    classes : sequence, optional
        The labels of its columns; by default those of the model, else those of ``y``, sorted.
    """
    if y is None:
        raise ValueError("y must be given: the true classes, to hold the probabilities against")
    labels = np.asarray(y)
    known = _classes(model, labels, classes)
    given = _given(model, X, proba)
    if given.shape != (labels.size, len(known)) or labels.ndim != 1:
        raise ValueError(
            f"proba must have a row for each of the {labels.size} labels in y and a column for "
            f"each of the classes {known}; got shape {given.shape}"
        )
    asked = ~np.isnan(given).all(axis=1)
    given, labels = given[asked], labels[asked]
    if not labels.size:
        raise ValueError("y must have at least one row with probabilities; got none")
    outside = ~((given >= 0.0) & (given <= 1.0 + SUM_TO_ONE)).all(axis=1)
    if outside.any() or (np.abs(given.sum(axis=1) - 1.0) > SUM_TO_ONE).any():
        raise ValueError("proba must hold probabilities, from 0 to 1, that sum to 1 in each row")
    name = "probabilities" if model is None else type(model).__name__
    return Probabilities(name, known, _columns(labels, known), given)


def _classes(model: Any, labels: AnyArray, classes: Sequence[Any] | None) -> list[Any]:
    if classes is None:
        classes = getattr(model, "classes_", None)
    known = np.unique(labels).tolist() if classes is None else np.asarray(classes).tolist()
    if len(known) < 2:
        raise ValueError(f"classes must be at least two; got {known}")
    return list(known)


def _given(model: Any, X: Any, proba: Any) -> FloatArray:
    if proba is not None:
        if X is not None:
            raise ValueError("X must be None if proba is given: the probabilities are there")
        return np.asarray(proba, dtype=np.float64)
    if X is None:
        raise ValueError("X must be given with a model, or proba in place of both")
    if not hasattr(model, "predict_proba"):
        raise TypeError(
            f"model must have predict_proba, which {type(model).__name__} has not; "
            "pass proba= instead"
        )
    return np.asarray(model.predict_proba(X), dtype=np.float64)


def _columns(labels: AnyArray, known: list[Any]) -> AnyArray:
    """Return the column of each label."""
    column = {label: place for place, label in enumerate(known)}
    strange = sorted({str(label) for label in labels.tolist() if label not in column})
    if strange:
        raise ValueError(f"y must hold the classes {known} only; got {', '.join(strange[:5])}")
    return np.array([column[label] for label in labels.tolist()])
