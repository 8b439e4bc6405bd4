"""Refreshing a model from rows that come some at a time."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any

from softwood.estimators._base import TreeEstimator
from softwood.estimators._forest_base import ForestEstimator
from softwood.estimators._refreshing import Smoothing, refresher_of
from softwood.estimators.evolved import EvolvedTreeClassifier
from softwood.estimators.refresh import (
    RefreshedLeaves,
    _forest_of,
    _known_target,
    _put,
    _training_set,
)
from softwood.flow import Hard
from softwood.interop.imported import import_model
from softwood.learn.leaf_sums import Sums, added, sums_of_rows, with_leaves_of


def takes_batches(model: Any, smoothing: Any = "auto") -> bool:
    """Whether the leaves of a model need no more of the rows than sums.

    Those that blur rows, or whose leaves must be right together, want all rows at once; so do
    classes that are balanced, and what else a model measures on its rows.
    """
    ours = isinstance(model, TreeEstimator | ForestEstimator)
    if not ours or isinstance(model, EvolvedTreeClassifier) or not isinstance(model.flow_, Hard):
        return False
    measured = ("deviations_", "ranges_", "margins_", "fill_values_")
    if getattr(model, "class_weight", None) is not None or any(hasattr(model, m) for m in measured):
        return False
    if getattr(getattr(model, "estimator", model), "criterion", None) == "vicinal":
        return False
    return (
        refresher_of(model, None, 0.0).takes_sums and not Smoothing.of(model, smoothing).does_blur
    )


def refresh_in_batches(model: Any, batches: Iterable[tuple[Any, Any]], keep: float = 0.0) -> Any:
    """Return a model with the same tests, whose answers come from rows in batches.

    As :func:`softwood.refresh`, but that a row with gaps spreads by the weights that the model
    has, and not by those of the new rows.

    Parameters
    ----------
    model : fitted estimator
        One that :func:`takes_batches`.
    batches : iterable of (X, y)
        New rows and their target; each batch may be forgotten when the next one comes.
    keep : float, default=0.0
        What a row counts that the model was fitted to.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood import CARTRegressor
    >>> from softwood.estimators.refresh_batches import refresh_in_batches
    >>> X = np.linspace(0.0, 1.0, 40)[:, None]
    >>> model = CARTRegressor(max_leaf_nodes=2).fit(X, X[:, 0] > 0.5)
    >>> halves = [(X[::2], X[::2, 0] > 0.5), (X[1::2], 3.0 * (X[1::2, 0] > 0.5))]
    >>> refresh_in_batches(model, halves).predict([[0.2], [0.8]])
    array([0., 2.])
    """
    imported, new = import_model(model), copy(model)
    refresher, before = refresher_of(new, None, keep), _forest_of(new)
    sums: Sums | None = None
    n_rows = 0
    for X, y in batches:
        data = _training_set(new, new._rows(X), _known_target(model, imported, y), None)
        sums = added(sums, sums_of_rows(before, data))
        n_rows += data.n_rows
    if sums is None:
        raise ValueError("there are no rows to refresh the model from")
    forest, n_unreached = with_leaves_of(before, sums, refresher)
    _put(new, forest, new.flow_)
    new.refreshed_ = RefreshedLeaves(n_rows, forest.n_leaves, n_unreached)
    return new
