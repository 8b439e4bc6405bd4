"""What a place must be able to do so that rows can flow through trees there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.export.shares import MIDDLE, tail_polynomial

FAR = 37.0  # deviations beyond which there is no mass
MOST = float(np.finfo(np.float64).max / 4.0)  # the quick kernel leaves larger values to the other


class Algebra(ABC):
    """Operations on vectors: for each row, one number for each of several tests or nodes.

    Operands are vectors, arrays of constants with one entry for each entry of the vector, or
    numbers. Conditions are what comparisons return, and only ``where`` takes them.
    """

    @abstractmethod
    def constant(self, values: AnyArray) -> Any:
        """Return a vector that is the same for every row."""

    @abstractmethod
    def row(self, features: AnyArray) -> Any:
        """Return the values of features; missing ones are what ``is_missing`` knows."""

    @abstractmethod
    def sums(self, terms: Sequence[tuple[AnyArray, FloatArray]]) -> Any:
        """Return sums of features times weights, missing if one of the features is."""

    @abstractmethod
    def lookup(self, feature: int, table: FloatArray) -> Any:
        """Return the row of a table that belongs to the category.

        The last but one is that of unknown categories, the last that of missing ones.
        """

    @abstractmethod
    def is_complete(self, width: int) -> Any:
        """Return the condition that no value of the row is missing, or larger than ``MOST``."""

    @abstractmethod
    def pick(self, sources: Sequence[Any], picks: Sequence[tuple[int, int]]) -> Any:
        """Return a vector of entries, each named by its vector and its place there."""

    @abstractmethod
    def apply(self, name: str, *operands: Any) -> Any:
        """Return add, sub, mul, div, least, most of two operands, or exp of one."""

    @abstractmethod
    def compare(self, name: str, a: Any, b: Any) -> Any:
        """Return the condition that a is below, or at_most, b."""

    @abstractmethod
    def is_missing(self, a: Any) -> Any:
        """Return the condition that a value is missing."""

    @abstractmethod
    def where(self, condition: Any, a: Any, b: Any) -> Any:
        """Return a where the condition holds, and b elsewhere."""

    @abstractmethod
    def hold(self, *vectors: Any) -> list[Any]:
        """Return vectors computed once, to be used many times."""

    @abstractmethod
    def weighted(self, vectors: Sequence[Any], weights: Sequence[FloatArray]) -> Any:
        """Return the sum over all entries, each times its row of weights."""

    def difference(self, a: Any, b: Any) -> Any:
        """Return a - b, of a value and a cut, as exactly as can be."""
        return self.apply("sub", a, b)

    def normal(self, z: Any) -> Any:
        """Return the normal distribution function, within 2e-15."""
        (z,) = self.hold(z)
        far = self.apply("least", self.apply("most", z, self.apply("sub", 0.0, z)), FAR)
        (far,) = self.hold(far)
        (t,) = self.hold(
            self.apply("div", self.apply("sub", far, MIDDLE), self.apply("add", far, MIDDLE))
        )
        first, *others = tail_polynomial()
        value = self.apply("add", self.apply("mul", t, first), others[0])
        for part in others[1:]:
            value = self.apply("add", self.apply("mul", value, t), part)
        density = self.apply("exp", self.apply("mul", self.apply("mul", far, far), -0.5))
        (tail,) = self.hold(self.apply("mul", self.apply("mul", density, 0.5), value))
        return self.where(self.compare("below", z, 0.0), tail, self.apply("sub", 1.0, tail))


class NumpyAlgebra(Algebra):
    """The algebra of numpy, for those who want to see what the others must do.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Rows as trees read them: numbers, codes, NaN for missing.
    n_categories : ndarray of shape (n_features,)
        Categories of each nominal feature, 0 for numeric ones.
    """

    OPERATIONS: ClassVar[dict[str, Any]] = {
        "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
        "least": np.minimum, "most": np.maximum, "exp": np.exp,
        "below": np.less, "at_most": np.less_equal,
    }  # fmt: skip

    def __init__(self, X: FloatArray, n_categories: AnyArray) -> None:
        self.X, self.n_categories = X, n_categories

    def constant(self, values: AnyArray) -> Any:  # noqa: D102
        return np.tile(values, (len(self.X), 1))

    def row(self, features: AnyArray) -> Any:  # noqa: D102
        return self.X[:, features]

    def sums(self, terms: Sequence[tuple[AnyArray, FloatArray]]) -> Any:  # noqa: D102
        return np.stack([(self.X[:, f] * w).sum(axis=1) for f, w in terms], axis=1)

    def lookup(self, feature: int, table: FloatArray) -> Any:  # noqa: D102
        code, n = self.X[:, feature], int(self.n_categories[feature])
        known = np.where((code >= 0) & (code < n), code, n)
        return table[np.where(np.isnan(code), n + 1, known).astype(int)]

    def is_complete(self, width: int) -> Any:  # noqa: D102
        return np.tile((np.abs(self.X) <= MOST).all(axis=1, keepdims=True), (1, width))

    def pick(self, sources: Sequence[Any], picks: Sequence[tuple[int, int]]) -> Any:  # noqa: D102
        return np.stack([sources[source][:, at] for source, at in picks], axis=1)

    def apply(self, name: str, *operands: Any) -> Any:  # noqa: D102
        with np.errstate(all="ignore"):
            return self.OPERATIONS[name](*operands)

    def compare(self, name: str, a: Any, b: Any) -> Any:  # noqa: D102
        return self.OPERATIONS[name](a, b)

    def is_missing(self, a: Any) -> Any:  # noqa: D102
        return np.isnan(a)

    def where(self, condition: Any, a: Any, b: Any) -> Any:  # noqa: D102
        return np.where(condition, a, b)

    def hold(self, *vectors: Any) -> list[Any]:  # noqa: D102
        return list(vectors)

    def weighted(self, vectors: Sequence[Any], weights: Sequence[FloatArray]) -> Any:  # noqa: D102
        return sum(v @ w for v, w in zip(vectors, weights, strict=True))
