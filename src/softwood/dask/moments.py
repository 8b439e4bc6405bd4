"""Means and deviations of a whole, from those of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.refine.column_spread import spread_of_columns
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
    moments : Moments
        Of each column.
    n_known : ndarray of shape (n_features,)
        Number of values that are not missing.
    low, high : ndarray of shape (n_features,)
        The least and the largest value; NaN if there is none.
    of_category : list of ndarray
        Weight of each category of each column.
    """

    moments: Moments
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
            Moments(weight, mean, weight * deviation**2),
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
    whole = Moments.merged([part.moments for part in parts])
    n_known = np.sum([part.n_known for part in parts], axis=0)
    low = np.fmin.reduce([part.low for part in parts])
    high = np.fmax.reduce([part.high for part in parts])
    columns = zip(*(part.of_category for part in parts), strict=True)
    of_category = [np.sum(column, axis=0) for column in columns]
    is_nominal = np.array([weight.size > 0 for weight in of_category])
    variance = whole.squares / np.maximum(whole.weight, np.finfo(float).tiny)
    variance *= n_known / np.maximum(n_known - 1, 1)
    varies = (low < high) & ~is_nominal  # rounding makes constant columns deviate
    marginals = tuple(tuple((w / w.sum()).tolist()) if w.sum() > 0.0 else () for w in of_category)
    return Perturbation(
        scale=tuple(np.sqrt(np.where(varies, variance, 0.0)).tolist()),
        marginals=marginals if is_nominal.any() else (),
    )
