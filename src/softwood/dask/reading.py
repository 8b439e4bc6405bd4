"""Reading one partition as all others are read: the same columns, categories and classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.dask.partitions import Part
from softwood.data.training import TrainingSet
from softwood.data.weights import WeightScale
from softwood.estimators._inputs import read_rows, read_target
from softwood.estimators._sklearn_compat import check_sample_weight, column_or_1d


@dataclass(frozen=True, eq=False)
class Reader:
    """What it takes to make a training set of a partition.

    Attributes
    ----------
    estimator : estimator
        Knows the columns of all partitions; has no trees.
    classes : ndarray or None
        The classes of all partitions; None for regression.
    factor : ndarray
        What the weights of the rows of each class are multiplied by.
    scale : WeightScale or None
        Of the weights of all partitions; None if these are numbers of cases.
    """

    estimator: Any
    classes: AnyArray | None
    factor: FloatArray
    scale: WeightScale | None

    def read(self, X: Any, y: Any, sample_weight: Any) -> TrainingSet:
        """Return the training set of a partition; rows of weight 0 are left out."""
        matrix = read_rows(self.estimator, X)
        weight = weights_of(matrix, sample_weight)
        n_categories = self.estimator.schema_.n_categories
        if self.classes is None:
            target, kept = read_target(self.estimator, y), weight > 0
            data = TrainingSet.of_target(
                matrix[kept],
                target[kept],
                weight=self._scaled(weight[kept]),
                n_categories=n_categories,
            )
            return self._noted(data)
        label = np.searchsorted(self.classes, column_or_1d(y))
        weight = weight * self.factor[label]
        kept = weight > 0
        data = TrainingSet.of_classes(
            matrix[kept],
            label[kept],
            n_classes=self.classes.size,
            weight=self._scaled(weight[kept]),
            n_categories=n_categories,
        )
        return self._noted(data)

    def read_later(self, parts: Sequence[Part]) -> list[Any]:
        """Return the training set of each of some partitions, not computed yet."""
        from dask import delayed

        reader, read = delayed(self, traverse=False), delayed(read_part)
        return [read(reader, *part) for part in parts]

    def _scaled(self, weight: FloatArray) -> FloatArray:
        return weight if self.scale is None else self.scale.applied(weight)

    def _noted(self, data: TrainingSet) -> TrainingSet:
        """Say what the weights of a partition are by what those of all are."""
        if self.scale is None:
            return replace(data, whole=True)
        unit = 1.0 if self.estimator._counts_weights else self.scale.unit
        return replace(data, whole=False, unit=unit)


def read_part(reader: Reader, X: Any, y: Any, sample_weight: Any) -> TrainingSet:
    """Return the training set of a partition."""
    return reader.read(X, y, sample_weight)


def weights_of(matrix: FloatArray, sample_weight: Any) -> FloatArray:
    """Return a weight for every row of a partition; here all of them may be 0."""
    if sample_weight is None:
        return np.ones(matrix.shape[0])
    weight: FloatArray = check_sample_weight(
        sample_weight,
        matrix,
        dtype=np.float64,
        ensure_non_negative=True,
        allow_all_zero_weights=True,
    )
    return weight


@contextmanager
def located(number: int) -> Iterator[None]:
    """Say in which partition it was that something is wrong with the data."""
    try:
        yield
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"in partition {number}: {error}") from error
