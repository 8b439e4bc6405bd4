"""What a report is about: a fitted model and its table, checked once for all sections."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.dates import as_date_texts
from softwood.data.encode import is_frame, table_of, with_nominal
from softwood.data.table import Table
from softwood.data.telling import untold

CLASSES, NUMBERS = "classification", "regression"


class NotPossible(Exception):
    """A section has a good reason not to be there; its text is the sentence to show."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A fitted model, and the rows to report on.

    Attributes
    ----------
    model : estimator
        Fitted.
    X : Table, DataFrame or ndarray
        Rows, in a form of which rows can be taken, and that the model reads.
    y : ndarray
        Their target.
    target : str
        What is predicted.
    task : {"classification", "regression"}
        Whether that is a class or a number.
    seed : int
        Makes all that is drawn at random repeatable.
    """

    model: Any
    X: Any
    y: AnyArray
    target: str
    task: str
    seed: int = 0

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.y)

    @property
    def is_classes(self) -> bool:
        """Whether classes are predicted, and not numbers."""
        return self.task == CLASSES

    @cached_property
    def classes(self) -> AnyArray:
        """The classes among the rows, sorted."""
        return np.unique(self.y)

    @cached_property
    def table(self) -> Table:
        """The rows as a table; columns are of the kind that the model takes them for."""
        table = table_of(self.X)
        choice = getattr(self.model, "categorical_features", "from_dtype")
        with untold():
            return with_nominal(table, choice)

    @cached_property
    def shown_table(self) -> Table:
        """The same with dates as texts, to show values."""
        columns = (as_date_texts(c) if c.is_date else c for c in self.table.columns)
        return Table(tuple(columns))

    @cached_property
    def shares(self) -> FloatArray:
        """Share of each of :attr:`classes`."""
        counts = np.unique(self.y, return_counts=True)[1]
        return np.asarray(counts / counts.sum())


def subject_of(model: Any, X: Any, y: Any, target: str | None, seed: int) -> Subject:
    """Return the subject of a report, or complain about what cannot be one.

    Parameters
    ----------
    model : estimator
        Fitted classifier or regressor.
    X : Table, frame or array-like
        Rows.
    y : array-like
        Their target.
    target : str or None
        What to call it; by default as ``y`` does.
    seed : int
        See :class:`Subject`.

    Examples
    --------
    >>> from softwood import CARTRegressor
    >>> from softwood.view._subject import subject_of
    >>> model = CARTRegressor().fit([[1.0], [2.0]], [0.5, 3.0])
    >>> subject_of(model, [[1.0], [2.0]], [0.5, 3.0], "price", 0).task
    'regression'
    """
    _check_model(model)
    rows, values = _readable(X), np.asarray(y)
    if len(rows.shape) != 2 or values.ndim != 1:
        raise ValueError(
            f"X must have two dimensions and y one; got {len(rows.shape)} and {values.ndim}"
        )
    if rows.shape[0] != len(values):
        raise ValueError(f"X has {rows.shape[0]} rows, and y {len(values)}")
    if not len(values):
        raise ValueError("X and y must have at least one row; got none")
    name = target if target is not None else getattr(y, "name", None)
    task = CLASSES if hasattr(model, "classes_") else NUMBERS
    return Subject(
        model=model,
        X=rows,
        y=_checked_target(values, task),
        target="the target" if name is None else str(name),
        task=task,
        seed=seed,
    )


def _check_model(model: Any) -> None:
    from sklearn.utils.validation import check_is_fitted

    if isinstance(model, type) or not (hasattr(model, "fit") and hasattr(model, "predict")):
        name = model.__name__ if isinstance(model, type) else type(model).__name__
        raise TypeError(f"model must be a fitted classifier or regressor; got {name}")
    check_is_fitted(model)


def _readable(X: Any) -> Any:
    """Return rows of which some can be taken: a table, a frame of pandas, or an array."""
    if hasattr(X, "tocsr"):
        raise TypeError(f"X must be dense; got a sparse {type(X).__name__}: pass X.toarray()")
    if isinstance(X, Table) or hasattr(X, "iloc"):
        return X
    return table_of(X) if is_frame(X) else np.asarray(X)


def _checked_target(y: AnyArray, task: str) -> AnyArray:
    if y.dtype.kind == "O":
        if any(value is None or value != value for value in y):
            raise ValueError("y has missing values; drop those rows")
        if all(isinstance(value, str) for value in y):
            y = y.astype(str)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("y has missing or infinite values; drop those rows")
    if task == CLASSES:
        return y
    try:
        return y.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"y holds {y[0]!r}, but the model predicts numbers") from None
