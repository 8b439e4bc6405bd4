"""Fitting a user's model again, to parts of the rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.table import Table
from softwood.estimators._sklearn_compat import take_rows


class FittedTo(NamedTuple):
    """A model, and what it was fitted to; see :class:`softwood.learn.soften.of_imported.Source`.

    Attributes
    ----------
    fitted : estimator
        The model.
    X, y : array-like
        All rows, and their target.
    weight : ndarray or None
        Their weights, if any were given.
    kept : ndarray
        The rows with positive weight.
    """

    fitted: Any
    X: Any
    y: AnyArray
    weight: FloatArray | None
    kept: AnyArray

    @property
    def n_rows(self) -> int:
        """Number of all rows."""
        return int(self.y.size)

    def fitted_to(self, rows: AnyArray) -> Any:
        """Return the model, fitted anew to some of the rows that were kept."""
        from sklearn.base import clone

        rows = self.kept[rows]
        weight = None if self.weight is None else self.weight[rows]
        return fit_again(clone(self.fitted), _taken(self.X, rows), self.y[rows], weight)

    def rows(self, rows: AnyArray) -> Any:
        """Return some of the rows that were kept."""
        return _taken(self.X, self.kept[rows])


class TableOfFolds(NamedTuple):
    """A table of the user's; see :func:`softwood.estimators._evidence.hear_folds`.

    Attributes
    ----------
    model : estimator
        A softened one, to be fitted to parts of the table.
    X, y : array-like
        All rows, and their target.
    weight : ndarray or None
        Their weights, if any were given.
    """

    model: Any
    X: Any
    y: AnyArray
    weight: FloatArray | None

    def fitted_to(self, rows: AnyArray) -> Any:
        """Return the model, fitted anew to some rows."""
        from sklearn.base import clone

        weight = None if self.weight is None else self.weight[rows]
        return clone(self.model).fit(_taken(self.X, rows), self.y[rows], weight)

    def rows(self, model: Any, rows: AnyArray) -> FloatArray:
        """Return some rows, as a model reads them."""
        read: FloatArray = model._rows(_taken(self.X, rows))
        return read


def fit_again(model: Any, X: Any, y: Any, sample_weight: Any = None) -> Any:
    """Fit a model, with weights if there are any and it takes them; return it."""
    from sklearn.utils.validation import has_fit_parameter

    if sample_weight is None or not has_fit_parameter(model, "sample_weight"):
        return model.fit(X, y)
    return model.fit(X, y, sample_weight=sample_weight)


def _taken(X: Any, rows: AnyArray) -> Any:
    if isinstance(X, Table):
        return X.take(rows)
    return take_rows(X if hasattr(X, "__getitem__") else np.asarray(X), rows)
