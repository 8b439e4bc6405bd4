"""Copies of fitted models with other trees in them."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

from softwood.estimators._base import TreeEstimator
from softwood.estimators._forest_base import OPTIONAL, ForestEstimator
from softwood.estimators._sklearn_compat import check_is_fitted
from softwood.estimators._softened_base import Softened
from softwood.estimators.soften import soften
from softwood.refine.widen import node_margins
from softwood.tree import Tree


def copy_of(model: Any, X: Any, y: Any) -> Any:
    """Return a copy whose trees can be exchanged; of another library's model, one of ours."""
    if isinstance(model, TreeEstimator | ForestEstimator | Softened):
        check_is_fitted(model)
        return copy(model)
    return soften(model, X, y, smoothing=0.0)


def exchange_trees(model: Any, change: Callable[[Tree], Tree], X: Any) -> None:
    """Change all trees of a copy; what was known of the old ones on ``X`` is found out anew."""
    model._let_go()  # fits to folds would not be changed
    if isinstance(model, Softened):
        model.imported_ = replace(model.imported_, forest=model.forest_.map(change))
    elif isinstance(model, ForestEstimator):
        model.forest_ = model.forest_.map(change)
        for name in OPTIONAL:  # rows out of the bag may be answered in another way now
            model.__dict__.pop(name, None)
    else:
        model.tree_ = change(model.tree_)
    if hasattr(model, "margins_"):
        model.margins_ = node_margins(model.tree_, model._rows(X))
