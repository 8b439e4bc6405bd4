"""Tables of thousands of columns: a tree looks at those on which its teacher's answers depend.

Most of the rows that a tree is taught are blurred ones, which the teacher alone has answered. Its
answers change with the columns that its trees test, and with no other: the others can teach
nothing there, and to rank ten thousand values of each takes most of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from softwood._types import AnyArray
from softwood.data.training import TrainingSet
from softwood.forest import Forest
from softwood.learn.soften.method import Grow
from softwood.tree import Tree

MANY_COLUMNS = 4000  # fewer are all looked at


def columns_that_matter(forests: Sequence[Forest]) -> AnyArray | None:
    """Return the columns that some tree tests, ascending; None for all, where they are not many.

    Parameters
    ----------
    forests : sequence of Forest
        At least one; all read the same columns.
    """
    n_features = forests[0].n_features
    if n_features <= MANY_COLUMNS:
        return None
    matters = np.zeros(n_features, dtype=np.bool_)
    for forest in forests:
        for tree in forest.trees:
            matters[tree.feature[tree.feature >= 0]] = True
            matters[tree.term_feature] = True
    return np.flatnonzero(matters) if matters.any() else None


def grown_on(columns: AnyArray | None, grow: Grow, data: TrainingSet) -> Tree:
    """Return a tree that was grown on some columns of the data, or on all.

    Parameters
    ----------
    columns : ndarray of int, optional
        The columns.
    grow : callable
        Grows a tree from a training set.
    data : TrainingSet
        All columns.
    """
    if columns is None:
        return grow(data)
    some = replace(
        data,
        X=np.ascontiguousarray(data.X[:, columns]),
        n_categories=np.ascontiguousarray(data.n_categories[columns]),
    )
    tree = grow(some)
    return tree.replace(
        n_features=data.X.shape[1],
        feature=np.where(tree.feature >= 0, columns[tree.feature], -1),
        term_feature=columns[tree.term_feature],
    )
