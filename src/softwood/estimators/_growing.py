"""Growers made of estimators: a training set in, a tree out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from softwood._types import AnyArray
from softwood.data.training import TrainingSet
from softwood.estimators._base import TreeEstimator
from softwood.refine.cost_complexity import choose_by_folds, pruning_sequence
from softwood.tree import Tree

Grow = Callable[[TrainingSet], Tree]


def grower_of(estimator: Any) -> Grow:
    """Return what grows the trees of an estimator.

    Parameters
    ----------
    estimator : estimator
        A single tree of softwood, or one of scikit-learn, which is given codes of nominal
        columns as numbers.
    """
    from sklearn.base import clone

    if isinstance(estimator, TreeEstimator):
        return lambda data: clone(estimator)._grow(data)
    if not (hasattr(estimator, "fit") and hasattr(estimator, "get_params")):
        raise TypeError(
            f"estimator must be an estimator of single trees; got {type(estimator).__name__}"
        )

    def grow(data: TrainingSet) -> Tree:
        from softwood.interop.imported import import_model

        model = clone(estimator)
        target = data.target if data.is_regression else data.label
        imported = import_model(model.fit(data.X, target, sample_weight=data.weight))
        if not imported.is_single_tree:
            raise TypeError(
                f"estimator must grow single trees; {type(estimator).__name__} grows ensembles: "
                "fit it and pass it to soften"
            )
        return _with_all_classes(imported.forest.trees[0], imported.classes, data)

    return grow


def _with_all_classes(tree: Tree, classes: AnyArray | None, data: TrainingSet) -> Tree:
    """Return the tree with a column for every class, also those missing from its rows."""
    if classes is None or classes.size == data.n_classes:
        return tree
    response = np.zeros((tree.n_nodes, data.n_classes))
    response[:, classes.astype(np.intp)] = tree.response
    return tree.replace(response=response)


def pruned_by_folds(grow: Grow, data: TrainingSet, folds: list[tuple[AnyArray, AnyArray]]) -> Grow:
    """Return what grows and prunes at the price that cross-validation on ``data`` chose."""
    if not folds:
        return grow
    sequence = pruning_sequence(grow(data), data.is_regression)
    alpha = choose_by_folds(sequence, data, folds, grow)

    def grow_pruned(part: TrainingSet) -> Tree:
        own = sequence if part is data else pruning_sequence(grow(part), part.is_regression)
        return own.at(alpha)

    return grow_pruned
