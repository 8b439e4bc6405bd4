"""Mean and standard deviation of columns: the units in which a tree is softened."""

from __future__ import annotations

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.data.training import TrainingSet

AT_ONCE, VALUES = (
    8,
    1 << 17,
)  # columns, or as many as make so many values: each takes several tables
ENOUGH = 1 << 17  # rows: of more, every so many are looked at for what a model keeps of its columns
TINY, HUGE = 1e-150, 1e150  # beyond, squares and their sums leave the range of numbers


def spread_of_columns(data: TrainingSet, correction: int = 0) -> tuple[FloatArray, FloatArray]:
    """Return mean and standard deviation of each column, weights honoured.

    Missing values are left out. A column that is constant or empty has the deviation 0.

    Parameters
    ----------
    data : TrainingSet
        The rows.
    correction : {0, 1}, default=0
        What is taken from the number of known values in the divisor: 0 describes these
        rows, 1 estimates the deviation of what they were drawn from.

    Returns
    -------
    mean, deviation : ndarray of shape (n_features,)

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.refine.column_spread import spread_of_columns
    >>> X = np.array([[1.0, 0.1], [2.0, 0.1], [3.0, 0.1], [np.nan, 0.1]])
    >>> data = TrainingSet.of_target(X, np.zeros(4))
    >>> spread_of_columns(data, correction=1)[1].tolist()
    [1.0, 0.0]
    """
    n_features = data.X.shape[1]
    mean, deviation = np.zeros(n_features), np.zeros(n_features)
    at_once = max(AT_ONCE, VALUES // max(data.n_rows, 1))
    for first in range(0, n_features, at_once):
        some = slice(first, first + at_once)
        mean[some], deviation[some] = _spread(data.X[:, some], data.weight, correction)
    return mean, deviation


def _spread(X: FloatArray, row_weight: FloatArray, correction: int) -> tuple[AnyArray, AnyArray]:
    """Return mean and deviation of a few columns, of any size that a number can have."""
    largest = np.fmax.reduce(np.abs(X), axis=0)
    heaviest = row_weight.max(initial=0.0)
    if not (TINY <= heaviest <= HUGE) and heaviest > 0.0:
        row_weight = row_weight / power_of_two(heaviest)
    if not (largest > HUGE).any():
        return _ordinary_spread(X, row_weight, correction)
    unit = np.where(largest > HUGE, power_of_two(largest), 1.0)
    mean, deviation = _ordinary_spread(X / unit, row_weight, correction)
    return mean * unit, deviation * unit


def power_of_two(size: AnyArray) -> AnyArray:
    """Return the power of two that is just not above: dividing by it loses no digit.

    Examples
    --------
    >>> power_of_two(np.array([5.0, 1e-3, 0.0])).tolist()
    [4.0, 0.0009765625, 0.5]
    """
    return np.asarray(np.ldexp(1.0, np.frexp(np.nan_to_num(size))[1] - 1))


def _ordinary_spread(
    X: FloatArray, row_weight: FloatArray, correction: int
) -> tuple[AnyArray, AnyArray]:
    known = ~np.isnan(X)
    weight = np.where(known, row_weight[:, None], 0.0)
    total = np.maximum(weight.sum(axis=0), np.finfo(float).tiny)
    mean = (weight * np.where(known, X, 0.0)).sum(axis=0) / total
    off = np.where(known, X - mean, 0.0)
    np.square(off, out=off)
    off *= weight
    n_known = known.sum(axis=0)
    variance = off.sum(axis=0) / total * (n_known / np.maximum(n_known - correction, 1))
    return mean, np.sqrt(np.where(_varies(X), variance, 0.0))


def _varies(X: FloatArray) -> BoolArray:
    """Whether a column has two different values; rounding makes constant ones deviate."""
    return np.asarray(np.fmin.reduce(X, axis=0) < np.fmax.reduce(X, axis=0))


def ranges_of_columns(data: TrainingSet) -> FloatArray:
    """Return the least and the largest value of each column, rows of shape (2,).

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> X = np.array([[1.0, 5.0], [np.nan, 3.0]])
    >>> ranges_of_columns(TrainingSet.of_target(X, np.zeros(2))).tolist()
    [[1.0, 1.0], [3.0, 5.0]]
    """
    return np.column_stack([np.fmin.reduce(data.X, axis=0), np.fmax.reduce(data.X, axis=0)])


def facts_of_columns(data: TrainingSet) -> dict[str, AnyArray]:
    """Return what every model keeps of its columns: what distances are measured in.

    Of tables of many rows, every so many are looked at.

    Parameters
    ----------
    data : TrainingSet
        The rows.

    Returns
    -------
    dict
        ``column_scales``, the standard deviation of each column, or 1 if it is nominal or does not
        vary; and ``whole_columns``, whether a column of numbers has whole ones only.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> X = np.array([[1.0, 0.5, 0.0], [5.0, 0.5, 1.0], [np.nan, 0.5, 1.0]])
    >>> data = TrainingSet.of_target(X, np.zeros(3), n_categories=np.array([0, 0, 2]))
    >>> facts = facts_of_columns(data)
    >>> facts["column_scales"].tolist(), facts["whole_columns"].tolist()
    ([2.0, 1.0, 1.0], [True, False, False])
    """
    step = -(-data.n_rows // ENOUGH)
    few = data if step <= 1 else data.take(np.arange(0, data.n_rows, step))
    deviation = spread_of_columns(few)[1]
    is_usable = (deviation > 0.0) & np.isfinite(deviation) & ~data.is_nominal
    whole = [
        not nominal and bool(np.all((column == np.floor(column)) | np.isnan(column)))
        for column, nominal in zip(few.X.T, data.is_nominal, strict=True)
    ]
    return {
        "column_scales": np.where(is_usable, deviation, 1.0),
        "whole_columns": np.array(whole, dtype=bool),
    }
