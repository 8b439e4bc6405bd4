"""OneHotColumns: columns of zeros and ones that say whether a row is of a category.

A test of one category against all others is a cut of such a column. So the grower and the
packed forest, which know numbers best, can serve nominal columns too; the tree that comes of
it tests the nominal columns themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray
from softwood.tree import LEAF, NOMINAL, NUMERIC, Tree

MOST_CATEGORIES = 64  # columns of more stay as they are: one_hot of rare categories tell little
AS_IT_IS = -1


@dataclass(frozen=True, slots=True, eq=False)
class OneHotColumns:
    """Which columns stand for the features of a table.

    Attributes
    ----------
    n_categories : ndarray of shape (n_features,)
        Number of categories of each nominal feature, 0 for numeric ones.
    feature : ndarray of shape (n_columns,)
        The feature that each column stands for.
    category : ndarray of shape (n_columns,)
        The category for which it is one, or -1: then it is the feature as it is.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.forest.one_hot import OneHotColumns
    >>> one_hot = OneHotColumns.of(np.array([0, 3, 2]))
    >>> one_hot.expanded(np.array([[0.5, 2.0, 0.0], [0.7, 0.0, 1.0]])).tolist()
    [[0.5, 0.0, 0.0, 1.0, 1.0, 0.0], [0.7, 1.0, 0.0, 0.0, 0.0, 1.0]]
    """

    n_categories: IndexArray
    feature: IndexArray
    category: IndexArray

    @classmethod
    def of(
        cls, n_categories: AnyArray, kept: AnyArray | None = None, one_vs_rest: bool = True
    ) -> OneHotColumns:
        """Return the columns of features with so many categories.

        Two categories have two columns as well: a node draws its test from the columns, and
        with one of them such features would be drawn too seldom. Features that are not
        ``kept`` have no column; without ``one_vs_rest`` the others are all as they are.
        """
        feature: list[int] = []
        category: list[int] = []
        most = MOST_CATEGORIES if one_vs_rest else 0
        for f, n in enumerate(n_categories.tolist()):
            if kept is not None and not kept[f]:
                continue
            columns = [AS_IT_IS] if n == 0 or n > most else range(n)
            feature += [f] * len(columns)
            category += columns
        return cls(
            np.asarray(n_categories, dtype=np.int32),
            np.array(feature, dtype=np.int32),
            np.array(category, dtype=np.int32),
        )

    @classmethod
    def of_trees(cls, trees: Sequence[Tree]) -> OneHotColumns | None:
        """Return columns that are enough for all tests of trees; None if some test needs more."""
        n_categories = np.zeros(trees[0].n_features, dtype=np.int32)
        pairs = []
        for tree in trees:
            inner = np.flatnonzero(tree.kind == NOMINAL)
            category, fits = lone_categories(tree, inner)
            if not fits or not np.isin(tree.kind, (LEAF, NUMERIC, NOMINAL)).all():
                return None
            n_categories[tree.feature[inner]] = np.diff(tree.set_start)[inner]
            pairs.append(np.column_stack([tree.feature[inner], category]))
        numeric = np.flatnonzero(n_categories == 0)
        pairs.append(np.column_stack([numeric, np.full(numeric.size, AS_IT_IS)]))
        columns = np.unique(np.concatenate(pairs), axis=0).astype(np.int32)
        return cls(n_categories, columns[:, 0].copy(), columns[:, 1].copy())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OneHotColumns):
            return NotImplemented
        names = ("n_categories", "feature", "category")
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.n_categories.size)

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return int(self.feature.size)

    @property
    def left_out(self) -> AnyArray:
        """Features that no column stands for."""
        return np.setdiff1d(np.arange(self.n_features), self.feature)

    @property
    def is_indicator(self) -> BoolArray:
        """Mask of the columns of zeros and ones."""
        return np.asarray(self.category != AS_IT_IS)

    def columns_of(self, features: AnyArray) -> AnyArray:
        """Return the columns that stand for some features."""
        return np.flatnonzero(np.isin(self.feature, features))

    def column_of_tests(self, tree: Tree) -> AnyArray:
        """Return the column that each node of a tree tests; leaves have any."""
        category = np.full(tree.n_nodes, AS_IT_IS, dtype=np.int64)
        inner = np.flatnonzero(tree.kind == NOMINAL)
        category[inner] = lone_categories(tree, inner)[0]
        # Columns are ordered by feature, then by category.
        step = int(self.category.max()) + 2
        return np.searchsorted(
            self.feature.astype(np.int64) * step + self.category,
            np.maximum(tree.feature, 0).astype(np.int64) * step + category,
        )

    def are_known(self, X: FloatArray) -> BoolArray:
        """Return which complete rows have no category that was not seen in training."""
        nominal = np.unique(self.feature[self.n_categories[self.feature] > 0])
        code = X[:, nominal]
        return np.asarray(((code >= 0) & (code < self.n_categories[nominal])).all(axis=1))

    def expanded(self, X: FloatArray) -> FloatArray:
        """Return rows of features as rows of columns; the rows are complete and known."""
        rows: FloatArray = np.take(X, self.feature, axis=1)
        np.equal(rows, self.category, out=rows, where=self.is_indicator)
        return rows

    def expanded_with_gaps(self, X: FloatArray) -> FloatArray:
        """Return any rows as rows of columns; indicators of what is not known are missing."""
        rows, code = self.expanded(X), np.take(X, self.feature, axis=1)
        is_known = (code >= 0) & (code < self.n_categories[self.feature])
        rows[self.is_indicator & ~is_known] = np.nan
        return rows

    def tree(self, tree: Tree) -> Tree:
        """Return a tree that tests the features in place of the columns."""
        at = np.maximum(tree.feature, 0)
        inner = ~tree.is_leaf
        category = np.where(inner, self.category[at], AS_IT_IS)
        feature = np.where(inner, self.feature[at], -1)
        one = category != AS_IT_IS
        size = np.where(one, self.n_categories[feature], np.diff(tree.set_start))
        set_start = np.concatenate(([0], np.cumsum(size)))
        set_child = np.zeros(set_start[-1], dtype=np.int32)
        set_child[np.repeat(~one, size)] = tree.set_child
        set_child[set_start[:-1][one] + category[one]] = 1
        return tree.replace(
            n_features=self.n_features,
            feature=feature,
            kind=np.where(one, NOMINAL, tree.kind),
            threshold=np.where(one, 0.0, tree.threshold),
            set_start=set_start,
            set_child=set_child,
        )


def lone_categories(tree: Tree, inner: AnyArray) -> tuple[AnyArray, bool]:
    """Return the category that alone goes right at each nominal test, if that is so at all."""
    if inner.size == 0:
        return np.empty(0, dtype=np.int64), True
    goes_right = np.concatenate(([0], np.cumsum(tree.set_child)))
    start, stop = tree.set_start[inner], tree.set_start[inner + 1]
    in_two = (tree.n_children[inner] == 2).all() and tree.set_child.min() >= 0
    fits = in_two and (goes_right[stop] - goes_right[start] == 1).all()
    # The first place behind which one more has gone right than before the set.
    place = np.searchsorted(goes_right, goes_right[start] + 1) - 1
    return place - start, bool(fits)
