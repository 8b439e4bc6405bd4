"""Widen the margins of a fitted model."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood.estimators._base import TreeEstimator
from softwood.estimators._exchange import copy_of, exchange_trees
from softwood.estimators._sklearn_compat import check_consistent_length
from softwood.estimators.oblique import ObliqueTreeClassifier
from softwood.refine.widen import widen_tree
from softwood.tree import OBLIQUE

AXES = ("auto", "turn", "keep")


def widen_margins(model: Any, X: Any, y: Any, *, axis: str = "auto") -> Any:
    """Return a model with wider margins that sends every row of ``X`` to the same leaf.

    The margin of a test is the distance of the nearest row to where it changes sides. Each
    numeric and oblique test is replaced by the one that divides the rows in the same way and
    has the widest margin; this is FAT [1]_. What the model answers for ``X`` stays as it is,
    and no margin gets smaller. What changes is how rows between the old and the new
    boundaries are answered.

    Parameters
    ----------
    model : fitted estimator
        A tree or an ensemble of trees: of softwood, or any model that :func:`soften` takes.
        It is not changed. Of an ensemble each tree is widened, for all rows.
    X, y : array-like
        The training rows and their target.
    axis : {"auto", "turn", "keep"}, default="auto"
        What becomes of tests of a single feature: "turn" makes hyperplanes of them, "keep"
        moves their thresholds to the middle between the nearest rows. "auto" turns them if
        the model is an :class:`ObliqueTreeClassifier` or has oblique tests, and else keeps
        them.

    Returns
    -------
    estimator
        A copy of the model, or, of another library's model, a :class:`SoftenedClassifier` or
        :class:`SoftenedRegressor` that is not soft.

    Raises
    ------
    TypeError
        If the model does not consist of trees.

    See Also
    --------
    softwood.evaluate.margins : The margins of a tree.
    softwood.plot.plot_margins : A picture of them.

    Notes
    -----
    Margins are Euclidean distances, in the units of the columns: a column of large numbers
    outweighs others. If units differ, scale the columns before fitting. Hyperplanes use
    numeric columns only, and of those with missing values at a node only the ones that the
    old test used. Nominal tests stay. The widths of soft tests stay as they are, around
    thresholds that have moved.

    References
    ----------
    .. [1] D. Wu, K. P. Bennett, N. Cristianini, J. Shawe-Taylor (2000). Enlarging the
       margins in perceptron decision trees. Machine Learning 41.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import C45Classifier, widen_margins
    >>> from softwood.evaluate import margins
    >>> X, y = load_iris(return_X_y=True)
    >>> model = C45Classifier(max_depth=2).fit(X, y)      # its thresholds are values of rows
    >>> for either in model, widen_margins(model, X, y), widen_margins(model, X, y, axis="turn"):
    ...     print(margins(either, X).margin.round(3).tolist(), round(either.score(X, y), 3))
    [0.0, 0.0] 0.96
    [0.2, 0.05] 0.96
    [0.818, 0.05] 0.96
    """
    if axis not in AXES:
        raise ValueError(f"axis must be one of {', '.join(AXES)}; got {axis!r}")
    wide = copy_of(model, X, y)
    rows = wide._rows(X)
    check_consistent_length(rows, y)
    if axis == "auto":
        axis = "turn" if _is_oblique(wide) else "keep"
    numeric = wide.schema_.n_categories == 0
    exchange_trees(wide, lambda tree: widen_tree(tree, rows, axis=axis, numeric=numeric), X)
    return wide


def _is_oblique(model: Any) -> bool:
    if isinstance(model, ObliqueTreeClassifier):
        return True
    trees = [model.tree_] if isinstance(model, TreeEstimator) else model.forest_.trees
    return any(bool(np.any(tree.kind == OBLIQUE)) for tree in trees)
