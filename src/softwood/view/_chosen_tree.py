"""The one tree that a report shows: the model's own, or the most typical of many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood.data.schema import Schema
from softwood.flow import Flow
from softwood.tree import Tree


@dataclass(frozen=True, eq=False)
class ChosenTree:
    """A tree with the names that belong to it, as wording and pictures ask for them.

    Attributes
    ----------
    tree_, flow_, schema_, classes_ : Tree, Flow, Schema, ndarray or None
        As those of an estimator of one tree.
    place : int or None
        Which tree of the ensemble it is; None if there is but one.
    n_trees : int
        How many there are.
    """

    tree_: Tree
    flow_: Flow
    schema_: Schema
    classes_: Any
    place: int | None
    n_trees: int


def chosen_tree(model: Any) -> ChosenTree | None:
    """Return the tree to show; None if the model has no trees of ours."""
    classes, schema = getattr(model, "classes_", None), getattr(model, "schema_", None)
    if not isinstance(schema, Schema):
        return None
    tree = getattr(model, "tree_", None)
    if isinstance(tree, Tree):
        return ChosenTree(tree, model.flow_, schema, classes, None, 1)
    trees = getattr(model, "trees_", None)
    if not trees or trees[0].n_outputs != (1 if classes is None else len(classes)):
        return None  # trees of scores for a link say nothing by themselves
    place = _most_typical(trees)
    flow = model.flow_
    own = flow[place] if isinstance(flow, list | tuple) else flow
    return ChosenTree(trees[place], own, schema, classes, place, len(trees))


def _most_typical(trees: list[Tree]) -> int:
    """Return the tree whose use of the columns is closest to that of all trees."""
    from softwood.refine.importance import feature_importances

    shares = np.array([feature_importances(tree, "gini") for tree in trees])
    return int(np.argmin(((shares - shares.mean(axis=0)) ** 2).sum(axis=1)))
