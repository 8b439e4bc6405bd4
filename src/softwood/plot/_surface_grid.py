"""A grid of rows over two features, all others held, in the form that the model knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import FloatArray

PADDING = 0.05  # of the range of a feature, on either side


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Cells over two features.

    Attributes
    ----------
    rows : ndarray or DataFrame
        The centres of the cells, the first feature changing fastest.
    size : int
        Cells along each feature.
    extent : tuple of float
        Edges: low and high of the first feature, low and high of the second.
    points : ndarray of shape (n_rows, 2)
        The two features of the users' rows.
    names : tuple of str
        What to call the two features.
    """

    rows: Any
    size: int
    extent: tuple[float, float, float, float]
    points: FloatArray
    names: tuple[str, str]

    def centres(self, times: int = 1, beyond: int = 0) -> tuple[FloatArray, FloatArray]:
        """Return centres along each feature, of cells ``times`` smaller, some outside."""
        across = _centres(*self.extent[:2], self.size * times, beyond)
        return across, _centres(*self.extent[2:], self.size * times, beyond)


def grid_over(X: Any, features: Any, at: Any, size: int) -> Grid:
    """Return a grid over two features of ``X``; the parameters are those of the plot."""
    if isinstance(size, bool) or int(size) != size or size < 2:
        raise ValueError(f"grid must be a whole number of at least 2; got {size!r}")
    if not hasattr(X, "iloc") and hasattr(X, "to_pandas"):
        X = X.to_pandas()
    X = X if hasattr(X, "iloc") else np.asarray(X)
    if len(X.shape) != 2 or X.shape[0] == 0:
        raise ValueError(f"X must have rows and columns, at least one row; got shape {X.shape}")
    columns = list(X.columns) if hasattr(X, "iloc") else None
    first, second = _positions(features, X.shape[1], columns)
    points = np.column_stack([_numbers(X, first), _numbers(X, second)])
    extent = (*_range(points[:, 0]), *_range(points[:, 1]))
    across, up = np.meshgrid(_centres(*extent[:2], int(size)), _centres(*extent[2:], int(size)))
    moving = {first: across.ravel(), second: up.ravel()}
    held = None if isinstance(at, str) and at == "median" else _held_row(at, X.shape[1])
    rows = _rows(X, moving, held)
    names = tuple(f"x{j}" if columns is None else str(columns[j]) for j in (first, second))
    return Grid(rows, int(size), extent, points, (names[0], names[1]))


def _positions(features: Any, n_columns: int, columns: list[Any] | None) -> tuple[int, int]:
    if isinstance(features, str) or len(features) != 2:
        raise ValueError(f"features must be two columns; got {features!r}")
    found = []
    for feature in features:
        if columns is not None and feature in columns:
            found.append(columns.index(feature))
        elif isinstance(feature, int | np.integer) and 0 <= feature < n_columns:
            found.append(int(feature))
        else:
            known = f"a column from 0 to {n_columns - 1}"
            known += "" if columns is None else f" or one of {columns}"
            raise ValueError(f"each of features must be {known}; got {feature!r}")
    if found[0] == found[1]:
        raise ValueError(f"features must be two different columns; got {features!r}")
    return found[0], found[1]


def _column(X: Any, j: int) -> Any:
    return X.iloc[:, j] if hasattr(X, "iloc") else X[:, j]


def _numbers(X: Any, j: int) -> FloatArray:
    try:
        return np.asarray(_column(X, j), dtype=np.float64)
    except (TypeError, ValueError):
        name = X.columns[j] if hasattr(X, "iloc") else j
        raise ValueError(f"features must be numeric; column {name!r} is not") from None


def _range(values: FloatArray) -> tuple[float, float]:
    values = values[np.isfinite(values)]
    if values.size == 0:
        raise ValueError("features must have at least one finite value each in X")
    low, high = float(values.min()), float(values.max())
    padding = PADDING * (high - low) if high > low else 0.5
    return low - padding, high + padding


def _centres(low: float, high: float, size: int, beyond: int = 0) -> FloatArray:
    return low + (np.arange(-beyond, size + beyond) + 0.5) * (high - low) / size


def _held_row(at: Any, n_columns: int) -> list[Any]:
    if isinstance(at, str) or len(at) != n_columns:
        raise ValueError(f"at must be 'median' or a row of {n_columns} values; got {at!r}")
    return list(at)


def _rows(X: Any, moving: dict[int, FloatArray], held: list[Any] | None) -> Any:
    """Return rows with the moving columns, and all others at the middle or as told."""
    n_rows = len(next(iter(moving.values())))
    still = [j for j in range(X.shape[1]) if j not in moving]
    values = {j: _middle(_column(X, j)) if held is None else held[j] for j in still}
    if not hasattr(X, "iloc"):
        rows = np.empty((n_rows, X.shape[1]), dtype=X.dtype if X.dtype.kind == "O" else np.float64)
        for j in range(X.shape[1]):
            rows[:, j] = moving[j] if j in moving else values[j]
        return rows
    import pandas as pd

    # A held column keeps its dtype, categories and all; one that moves must hold fractions.
    series = [
        pd.Series(moving[j])
        if j in moving
        else pd.Series([values[j]], dtype=X.dtypes.iloc[j]).repeat(n_rows).reset_index(drop=True)
        for j in range(X.shape[1])
    ]
    return pd.concat(series, axis=1).set_axis(X.columns, axis=1)


def _middle(column: Any) -> Any:
    """Return the median of numbers, or the most frequent of other values."""
    kind = getattr(column.dtype, "kind", "O")
    if kind in "iuf":
        median = np.nanmedian(np.asarray(column, dtype=np.float64))
        return int(np.floor(median)) if kind in "iu" else median
    values = [value for value in column if value == value and value is not None]
    return max(dict.fromkeys(values), key=values.count, default=None)
