"""The training set: what growers and refiners take, whoever made it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from softwood._types import FEW_CATEGORIES, AnyArray, BoolArray, CodeArray, FloatArray, IndexArray
from softwood.data.weights import are_whole


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSet:
    """Checked arrays of one table and its target.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
        float64, C order; NaN is missing, nominal columns hold category codes.
    n_categories : ndarray of shape (n_features,)
        Number of categories of each nominal column, 0 for numeric ones.
    weight : ndarray of shape (n_rows,)
        Positive weights.
    label : ndarray of shape (n_rows,)
        Class codes; all 0 for regression.
    n_classes : int
        0 for regression.
    target : ndarray of shape (n_rows,) or (0,)
        The number to predict; empty for classification.
    whole : bool
        Whether all weights are whole. Learners that count cases then take a row of weight w
        for w cases, else for one. Parts of a table are counted as the table is.
    unit : float
        What a weight of 1 is to the user.
    """

    X: FloatArray
    n_categories: IndexArray
    weight: FloatArray
    label: CodeArray
    n_classes: int
    target: FloatArray
    whole: bool = True
    unit: float = 1.0

    @classmethod
    def of_classes(
        cls,
        X: FloatArray,
        label: AnyArray,
        *,
        n_classes: int | None = None,
        weight: FloatArray | None = None,
        n_categories: IndexArray | None = None,
    ) -> TrainingSet:
        """Make a classification set; class codes are 0..n_classes-1."""
        label, weight = np.asarray(label), _or_ones(weight, X.shape[0])
        return cls(
            X=np.ascontiguousarray(X, dtype=np.float64),
            n_categories=_or_zeros(n_categories, X.shape[1]),
            weight=weight,
            label=label.astype(np.uint16),
            n_classes=int(label.max()) + 1 if n_classes is None else n_classes,
            target=np.zeros(0),
            whole=are_whole(weight),
        )

    @classmethod
    def of_target(
        cls,
        X: FloatArray,
        target: AnyArray,
        *,
        weight: FloatArray | None = None,
        n_categories: IndexArray | None = None,
    ) -> TrainingSet:
        """Make a regression set."""
        weight = _or_ones(weight, X.shape[0])
        return cls(
            X=np.ascontiguousarray(X, dtype=np.float64),
            n_categories=_or_zeros(n_categories, X.shape[1]),
            weight=weight,
            label=np.zeros(X.shape[0], dtype=np.uint16),
            n_classes=0,
            target=np.ascontiguousarray(target, dtype=np.float64),
            whole=are_whole(weight),
        )

    @property
    def n_rows(self) -> int:
        """Number of training cases."""
        return int(self.X.shape[0])

    @property
    def is_regression(self) -> bool:
        """Whether the target is a number and not a class."""
        return self.n_classes == 0

    @property
    def is_nominal(self) -> BoolArray:
        """Mask of the nominal columns."""
        return self.n_categories > 0

    def take(self, rows: AnyArray) -> TrainingSet:
        """Return the set restricted to ``rows`` (indices or mask)."""
        target = self.target[rows] if self.is_regression else self.target
        return replace(
            self,
            X=np.ascontiguousarray(self.X[rows]),
            weight=self.weight[rows],
            label=self.label[rows],
            target=target,
        )

    def drawn(self, rows: AnyArray) -> tuple[TrainingSet, AnyArray]:
        """Return a sample in which rows may occur several times, and the rows that it holds.

        They come in order, as often as they were drawn. But if a column has many
        categories, each comes once and weighs as much: a category of one row must not pass for
        a category of several that agree.

        Examples
        --------
        >>> import numpy as np
        >>> from softwood.data.training import TrainingSet
        >>> X = np.arange(9.0)[:, None]
        >>> data = TrainingSet.of_classes(X, [0, 1] * 4 + [0], n_categories=np.array([9]))
        >>> sample, rows = data.drawn(np.array([7, 2, 7]))
        >>> rows.tolist(), sample.weight.tolist()
        ([2, 7], [1.0, 2.0])
        """
        if self.n_categories.max(initial=0) <= FEW_CATEGORIES:
            rows = np.sort(rows)
            return self.take(rows), rows
        rows, times = np.unique(rows, return_counts=True)
        sample = self.take(rows)
        return replace(sample, weight=sample.weight * times), rows


def _or_ones(weight: FloatArray | None, n_rows: int) -> FloatArray:
    return np.ones(n_rows) if weight is None else np.array(weight, dtype=np.float64)


def _or_zeros(n_categories: IndexArray | None, n_features: int) -> IndexArray:
    if n_categories is None:
        return np.zeros(n_features, dtype=np.int32)
    return np.asarray(n_categories, dtype=np.int32)
