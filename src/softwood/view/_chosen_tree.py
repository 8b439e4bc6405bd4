"""The one tree that a report shows: the model's own, or the most typical of many."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from softwood.data.schema import Schema
from softwood.explain._ensembles import Ensemble, ensemble_of
from softwood.explain.typical import typical_of
from softwood.flow import Flow
from softwood.tree import Tree
from softwood.view._subject import NotPossible


@dataclass(frozen=True, eq=False)
class ChosenTree:
    """A tree with the names that belong to it, as wording and pictures ask for them.

    Attributes
    ----------
    tree_, flow_, schema_, classes_ : Tree, Flow, Schema, ndarray or None
        As those of an estimator of one tree.
    ranges_ : ndarray or None
        Likewise: between which values lies each column.
    place : int or None
        Which tree of the ensemble it is; None if there is but one.
    n_trees : int
        How many there are.
    source : estimator or Imported
        What rules are taken from: this tree, or all of them.
    """

    tree_: Tree
    flow_: Flow
    schema_: Schema
    classes_: Any
    ranges_: Any
    place: int | None
    n_trees: int
    source: Any


def chosen_tree(model: Any) -> ChosenTree:
    """Return the tree to show.

    Raises
    ------
    NotPossible
        If the model has no trees that we can read, or none that says something by itself.
    """
    tree = getattr(model, "tree_", None)
    if isinstance(tree, Tree):
        classes, ranges = getattr(model, "classes_", None), getattr(model, "ranges_", None)
        return ChosenTree(tree, model.flow_, model.schema_, classes, ranges, None, 1, model)
    source = model if ensemble_of(model) is not None else imported(model)
    ensemble = ensemble_of(source)
    if ensemble is None or not ensemble.is_mean:
        raise NotPossible(
            f"The trees of {type(model).__name__} are terms of a sum: none can be read by itself."
        )
    if ensemble.forest.n_trees > 1:
        return _chosen(ensemble, typical_of(ensemble), source)
    only = _chosen(ensemble, 0, None)
    return replace(only, source=only)


def _chosen(ensemble: Ensemble, place: int, source: Any) -> ChosenTree:
    n_trees = ensemble.forest.n_trees
    classes = None if ensemble.classes is None else np.array(ensemble.classes)
    return ChosenTree(
        tree_=ensemble.forest.trees[place],
        flow_=ensemble.flows[place],
        schema_=ensemble.schema,
        classes_=classes,
        ranges_=ensemble.ranges,
        place=place if n_trees > 1 else None,
        n_trees=n_trees,
        source=source,
    )


def imported(model: Any) -> Any:
    """Return a model of trees, of anyone's, as we read it."""
    from softwood.interop.imported import import_model

    name = type(model).__name__
    try:
        return import_model(model)
    except TypeError:  # not of a kind that it knows
        raise NotPossible(f"{name} has no trees that could be read.") from None
    except (ValueError, NotImplementedError) as error:  # it has something that trees have not
        raise NotPossible(f"The trees of {name} cannot be read: {error}.") from None
