"""Closed-form dual perturb and combine: lambda for one tree, by folds, or for a forest.

A row is perturbed many times and the model's answers are averaged; flows do that in
closed form (Geurts and Wehenkel 2005). What remains is how large the perturbation should
be. It is judged by cases that the trees have not seen: those of the other fold, of a set
held out, or those that a bootstrap sample left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Flow
from softwood.refine.perturbation import Perturbation
from softwood.refine.smoothing import SmoothingPath, tune_smoothing
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood.forest import Forest

Folds = Sequence[tuple[AnyArray, AnyArray]]


def tune_by_folds(
    grow: Callable[[TrainingSet], Tree] | Sequence[Tree],
    data: TrainingSet,
    folds: Folds,
    perturbation: Perturbation | None = None,
    loss: str | None = None,
    rule: str = "best",
) -> SmoothingPath:
    """Choose lambda by cross-validation.

    Parameters
    ----------
    grow : callable, or sequence of Tree
        Grows the tree of a training set; or the trees of the folds, if they are there
        already, as after pruning by the same folds.
    data : TrainingSet
        All rows.
    folds : sequence of (train, test) index pairs
        The folds.
    perturbation : Perturbation, optional
        What lambda multiplies; by default that of all of ``data``.
    loss : {"error", "log_loss", "brier", "squared_error"}, optional
        What counts. The share of errors by default, or the squared error for numbers.
    rule : {"best", "parsimonious", "sure"}, default="best"
        Which lambda to take; see :class:`~softwood.refine.smoothing.SmoothingPath`.

    Returns
    -------
    SmoothingPath

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.refine.perturb import tune_by_folds
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(size=(200, 2))
    >>> data = TrainingSet.of_target(X, X.sum(axis=1) + rng.normal(0.0, 0.2, 200))
    >>> k = np.arange(200) % 5
    >>> folds = [(np.flatnonzero(k != fold), np.flatnonzero(k == fold)) for fold in range(5)]
    >>> path = tune_by_folds(GreedyGrower(Cart("squared_error")).grow, data, folds)
    >>> bool(0.1 < path.smoothing < 0.6 and path.losses.min() < 0.8 * path.losses[0])
    True
    """
    if not folds:
        raise ValueError("folds must hold at least one pair of train and test rows; got none")
    trees = [grow(data.take(train)) for train, _ in folds] if callable(grow) else list(grow)
    if len(trees) != len(folds):
        raise ValueError(f"grow must hold a tree for each of {len(folds)} folds; got {len(trees)}")
    held_out = [data.take(test) for _, test in folds]

    def predict(flow: Flow) -> FloatArray:
        parts = [flow.predict(tree, rows.X) for tree, rows in zip(trees, held_out, strict=True)]
        return np.concatenate(parts)

    judged = data.take(np.concatenate([np.asarray(test) for _, test in folds]))
    return tune_smoothing(predict, judged, perturbation or Perturbation.of(data), loss, rule)


def tune_by_holdout(
    model: Tree | Forest,
    held_out: TrainingSet,
    perturbation: Perturbation,
    loss: str | None = None,
    rule: str = "best",
) -> SmoothingPath:
    """Choose lambda by rows that the model has not seen.

    Parameters
    ----------
    model : Tree or Forest
        Grown on other rows.
    held_out : TrainingSet
        The held-out rows.
    perturbation : Perturbation
        What lambda multiplies: :meth:`Perturbation.of` the learning sample.
    loss, rule
        As in :func:`tune_by_folds`.

    Returns
    -------
    SmoothingPath

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.refine.perturb import tune_by_holdout
    >>> from softwood.refine.perturbation import Perturbation
    >>> data = TrainingSet.of_classes(np.arange(8.0)[:, None], [0, 0, 0, 0, 1, 1, 1, 1])
    >>> tree = GreedyGrower(Cart()).grow(data)
    >>> path = tune_by_holdout(tree, data, Perturbation.of(data))
    >>> path.smoothing, path.flow
    (0.0, Hard())
    """

    def predict(flow: Flow) -> FloatArray:
        return predict_model(model, held_out.X, flow)

    return tune_smoothing(predict, held_out, perturbation, loss, rule)


def tune_out_of_bag(
    forest: Forest,
    data: TrainingSet,
    in_bag: Any,
    perturbation: Perturbation | None = None,
    loss: str | None = None,
    rule: str | None = None,
) -> SmoothingPath:
    """Choose lambda by asking, for each row, the trees that were not trained on it.

    Parameters
    ----------
    forest : Forest
        The trees.
    data : TrainingSet
        All rows, in the order of ``in_bag``.
    in_bag : array-like of bool of shape (n_rows, n_trees)
        Which rows each tree was trained on. A row that all trees know is not counted.
    perturbation, loss
        As in :func:`tune_by_folds`.
    rule : {"best", "parsimonious", "sure"}, optional
        As in :func:`tune_by_folds`. By default the best lambda for numbers, and "sure" for
        classes: a row asks a third of the trees, whose mean is rougher than that of all, so
        a small gain out of bag is none.

    Returns
    -------
    SmoothingPath

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.forest import Forest
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.refine.perturb import tune_out_of_bag
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(size=(200, 2))
    >>> data = TrainingSet.of_target(X, X.sum(axis=1) + rng.normal(0.0, 0.2, 200))
    >>> in_bag = rng.random((200, 20)) < 0.6
    >>> grow = GreedyGrower(Cart("squared_error")).grow
    >>> forest = Forest.average([grow(data.take(rows)) for rows in in_bag.T])
    >>> path = tune_out_of_bag(forest, data, in_bag)
    >>> bool(path.losses.min() < path.losses[0])
    True
    """
    out_of_bag = ~np.asarray(in_bag, dtype=bool)
    if out_of_bag.shape != (data.n_rows, forest.n_trees):
        raise ValueError(
            f"in_bag must have shape {(data.n_rows, forest.n_trees)}, rows by trees; "
            f"got {out_of_bag.shape}"
        )
    rows = np.flatnonzero(out_of_bag.any(axis=1))
    if rows.size == 0:
        raise ValueError("in_bag must leave out some row of some tree; every tree saw every row")
    judged, use = data.take(rows), out_of_bag[rows]

    def predict(flow: Flow) -> FloatArray:
        return forest.predict(judged.X, flow, use)

    rule = rule or ("best" if data.is_regression else "sure")
    return tune_smoothing(predict, judged, perturbation or Perturbation.of(data), loss, rule)


def predict_model(model: Tree | Forest, X: FloatArray, flow: Flow) -> FloatArray:
    """Return the predictions of a tree or a forest under a flow."""
    if isinstance(model, Tree):
        return flow.predict(model, X)
    return model.predict(X, flow)
