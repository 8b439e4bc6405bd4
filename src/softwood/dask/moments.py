"""Means and deviations of a whole, from those of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.refine.column_spread import HUGE, power_of_two, spread_of_columns
from softwood.refine.perturbation import Perturbation, shares_of_categories


@dataclass(frozen=True, eq=False)
class Moments:
    """Weight, mean and weighted squares of the deviations from it, number by number.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.dask.moments import Moments
    >>> here = Moments.of(np.array([1.0, 2.0]), np.ones(2))
    >>> there = Moments.of(np.array([6.0]), np.array([2.0]))
    >>> whole = Moments.merged([here, there])
    >>> float(whole.weight), float(whole.mean), float(whole.squares)
    (4.0, 3.75, 20.75)
    """

    weight: FloatArray
    mean: FloatArray
    squares: FloatArray

    @classmethod
    def of(cls, values: FloatArray, weight: FloatArray) -> Moments:
        """Return the moments of one row of numbers, which may be empty."""
        total = np.asarray(np.sum(weight))
        mean = np.asarray(np.sum(weight * values) / total if total > 0.0 else 0.0)
        return cls(total, mean, np.asarray(np.sum(weight * (values - mean) ** 2)))

    @classmethod
    def merged(cls, parts: Sequence[Moments]) -> Moments:
        """Return the moments of all parts together; the order of parts decides the last bits."""
        weight = np.array([part.weight for part in parts])
        mean = np.array([part.mean for part in parts])
        total = weight.sum(axis=0)
        known = np.maximum(total, np.finfo(float).tiny)
        centre = (weight * mean).sum(axis=0) / known
        squares = sum(part.squares for part in parts)
        return cls(total, centre, squares + (weight * (mean - centre) ** 2).sum(axis=0))


@dataclass(frozen=True, eq=False)
class ColumnFacts:
    """What a perturbation has to know of the columns of a partition.

    Attributes
    ----------
    weight, mean, deviation : ndarray of shape (n_features,)
        Of the values that are not missing.
    n_known : ndarray of shape (n_features,)
        Number of values that are not missing.
    low, high : ndarray of shape (n_features,)
        The least and the largest value; NaN if there is none.
    of_category : list of ndarray
        Weight of each category of each column.
    """

    weight: FloatArray
    mean: FloatArray
    deviation: FloatArray
    n_known: AnyArray
    low: FloatArray
    high: FloatArray
    of_category: list[FloatArray]

    @classmethod
    def of(cls, data: TrainingSet) -> ColumnFacts:
        """Return the facts of a partition."""
        known = ~np.isnan(data.X)
        weight = data.weight @ known
        mean, deviation = spread_of_columns(data)
        shares = [
            np.array(share) * total if share else np.zeros(n)
            for share, total, n in zip(
                shares_of_categories(data), weight, data.n_categories, strict=True
            )
        ]
        return cls(
            weight,
            mean,
            deviation,
            known.sum(axis=0),
            np.fmin.reduce(data.X, axis=0),
            np.fmax.reduce(data.X, axis=0),
            shares,
        )


def perturbation_of(parts: Sequence[ColumnFacts]) -> Perturbation:
    """Return what :meth:`Perturbation.of` would of all rows, but for rounding.

    Parameters
    ----------
    parts : sequence of ColumnFacts
        One for each partition.
    """
    n_known = np.sum([part.n_known for part in parts], axis=0)
    low = np.fmin.reduce([part.low for part in parts])
    high = np.fmax.reduce([part.high for part in parts])
    columns = zip(*(part.of_category for part in parts), strict=True)
    of_category = [np.sum(column, axis=0) for column in columns]
    is_nominal = np.array([weight.size > 0 for weight in of_category])
    varies = (low < high) & ~is_nominal  # rounding makes constant columns deviate
    marginals = tuple(tuple((w / w.sum()).tolist()) if w.sum() > 0.0 else () for w in of_category)
    return Perturbation(
        scale=tuple(np.where(varies, _deviation_of(parts, n_known), 0.0).tolist()),
        marginals=marginals if is_nominal.any() else (),
    )


def _deviation_of(parts: Sequence[ColumnFacts], n_known: AnyArray) -> FloatArray:
    """Return the standard deviation of all rows, of numbers of any size."""
    sizes = [np.maximum(np.abs(part.mean), part.deviation) for part in parts]
    largest = np.max(sizes, axis=0)
    unit = np.where(largest > HUGE, power_of_two(largest), 1.0)
    whole = Moments.merged(
        [
            Moments(part.weight, part.mean / unit, part.weight * (part.deviation / unit) ** 2)
            for part in parts
        ]
    )
    variance = whole.squares / np.maximum(whole.weight, np.finfo(float).tiny)
    return np.asarray(np.sqrt(variance * (n_known / np.maximum(n_known - 1, 1))) * unit)
