"""What a model loses on rows it has not seen when a column is shuffled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.data.table import Table
from softwood.evaluate.metrics import Prediction, absolute_error, error
from softwood.evaluate.problems import take_rows

MOST_ROWS = 1000  # of a fold
MOST_COLUMNS = 40  # those that the model makes most of
CASES = 2000  # predictions of a column in a fold, by repeating it where rows are few
MOST_REPEATS = 5


@dataclass(frozen=True, eq=False)
class Losses:
    """What shuffling columns costs.

    Attributes
    ----------
    values : ndarray of shape (n_folds, n_columns)
        How much the error rises, or the mean absolute error; NaN for columns that were
        not shuffled in a fold.
    """

    values: FloatArray

    @staticmethod
    def joined(folds: Sequence[Losses]) -> Losses:
        """Return the losses of several folds."""
        return Losses(np.concatenate([fold.values for fold in folds]))

    @property
    def mean(self) -> FloatArray:
        """Mean of each column over the folds; 0 of a column that no fold's model asks."""
        return np.asarray(np.nan_to_num(self.values).mean(axis=0))

    @property
    def deviation(self) -> FloatArray:
        """Standard deviation of each column over the folds."""
        return np.asarray(np.nan_to_num(self.values).std(axis=0, ddof=1))


def losses_by_shuffling(seen: Prediction, seed: int) -> Losses:
    """Return how much worse a fitted model is on its test rows, column by column.

    Parameters
    ----------
    seen : Prediction
        The model and its test rows.
    seed : int
        Of the shuffling.
    """
    rng = np.random.default_rng(seed)
    n_rows, n_columns = seen.X.shape
    rows = np.sort(rng.choice(n_rows, min(n_rows, MOST_ROWS), replace=False))
    X, truth = take_rows(seen.X, rows), seen.truth[rows]
    before = _loss(seen, truth, seen.labels[rows])
    repeats = max(1, min(MOST_REPEATS, CASES // max(rows.size, 1)))
    values = np.full((1, n_columns), np.nan)
    for j in _columns(seen.model, n_columns):
        after = [
            _loss(seen, truth, seen.model.predict(shuffled(X, j, rng.permutation(rows.size))))
            for _ in range(repeats)
        ]
        values[0, j] = np.mean(after) - before
    return Losses(values)


def _loss(seen: Prediction, truth: AnyArray, labels: Any) -> float:
    now = replace(seen, truth=truth, labels=np.asarray(labels))
    return absolute_error(now) if seen.classes is None else error(now)


def _columns(model: Any, n_columns: int) -> IndexArray:
    """Return the columns to shuffle: those that the model looks at, where it can say so."""
    share = getattr(model, "feature_importances_", None)
    if share is None or len(share) != n_columns:
        return np.arange(min(n_columns, MOST_COLUMNS), dtype=np.int32)
    order = np.argsort(-np.asarray(share), kind="stable")[:MOST_COLUMNS]
    return np.asarray(order[np.asarray(share)[order] > 0], dtype=np.int32)


def shuffled(X: Any, j: int, order: AnyArray) -> Any:
    """Return rows whose column ``j`` is that of other rows.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.view._shuffled import shuffled
    >>> shuffled(np.array([[1, 10], [2, 20]]), 1, np.array([1, 0])).tolist()
    [[1, 20], [2, 10]]
    """
    if isinstance(X, Table):
        columns = list(X.columns)
        columns[j] = columns[j].take(order)
        return replace(X, columns=tuple(columns))
    mixed = X.copy()
    if hasattr(X, "iloc"):
        mixed.isetitem(j, X.iloc[order, j].array)
    else:
        mixed[:, j] = X[order, j]
    return mixed
