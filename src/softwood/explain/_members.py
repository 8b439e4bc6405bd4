"""What is to be explained: trees whose answers add up, and the names of what they read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.flow import Flow, Gaussian, Hard, Ramp
from softwood.flow.spreading import checked_rows, frozen
from softwood.forest import ALL_OUTPUTS, Forest
from softwood.forest.sums import flow_of_trees
from softwood.tree import OBLIQUE, Tree

NEGLIGIBLE = 1e-15  # what gates may drop here: Shapley values need the small masses, too

ProductFlow = Hard | Ramp | Gaussian
HARD = Hard()


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """One tree, how rows flow through it, what its nodes add, and to which outputs."""

    tree: Tree
    flow: ProductFlow
    response: FloatArray
    columns: slice

    def predict(self, rows: FloatArray) -> FloatArray:
        """Return what the tree adds for each row."""
        return self.flow.predict(self.tree, rows, self.response)


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A model as a sum of trees; ``output_names`` is None for a single number."""

    members: tuple[Member, ...]
    base: FloatArray
    read: Callable[[Any], FloatArray]
    feature_names: tuple[str, ...]
    output_names: tuple[str, ...] | None

    @property
    def size(self) -> float:
        """The largest number that a prediction could be."""
        parts = [float(np.abs(member.response).max()) for member in self.members]
        return float(np.abs(self.base).max()) + sum(parts)

    def rows(self, table: Any, name: str) -> FloatArray:
        """Return a table of the user's, the argument ``name``, as numbers."""
        try:
            return frozen(self.read(table))
        except ValueError as error:
            # The reader calls every table X.
            raise ValueError(f"{name}: {error}") from error

    def predict(self, rows: FloatArray) -> FloatArray:
        """Return the predictions, rows by outputs."""
        total = np.repeat(self.base[None], rows.shape[0], axis=0)
        for member in self.members:
            total[:, member.columns] += member.predict(rows)
        return total


def subject_of(model: Any, flow: Flow | Sequence[Flow] | None) -> Subject:
    """Return what ``model`` is made of, or say why it cannot be explained."""
    if isinstance(model, Forest):
        return _of_forest(model, flow)
    if isinstance(model, Tree):
        return _of_forest(Forest.average([model]), flow)
    if _is_mean_of_trees(model):
        forest = model.forest_
    else:
        _check_fitted(model)
        forest = Forest.average([model.tree_.replace(response=model._responses())])
    classes = getattr(model, "classes_", None)
    return replace(
        _of_forest(forest, model.flow_ if flow is None else flow),
        read=model._rows,
        feature_names=_texts(model.schema_.names),
        output_names=None if classes is None else _texts(classes.tolist()),
    )


def _is_mean_of_trees(model: Any) -> bool:
    """Whether the answers of ``model`` are the mean of its trees, and not scores for a link."""
    forest = getattr(model, "forest_", None)
    return isinstance(forest, Forest) and forest.is_mean and forest.link == "identity"


def _of_forest(forest: Forest, flow: Flow | Sequence[Flow] | None) -> Subject:
    flows = flow_of_trees(HARD if flow is None else flow, forest.n_trees)
    divisor = forest.divisor() if forest.is_mean else np.ones(forest.n_outputs)
    members = []
    for j, (tree, own) in enumerate(zip(forest.trees, flows, strict=True)):
        output = int(forest.output[j])
        columns = slice(None) if output == ALL_OUTPUTS else slice(output, output + 1)
        response = forest.factor[j] / divisor[columns] * tree.response
        members.append(_member(tree, own, response, columns))
    return Subject(
        members=tuple(members),
        base=forest.base,
        read=partial(checked_rows, forest.trees[0]),
        feature_names=tuple(f"x{j}" for j in range(forest.n_features)),
        output_names=_texts(range(forest.n_outputs)) if forest.n_outputs > 1 else None,
    )


def _member(tree: Tree, flow: Any, response: FloatArray, columns: slice = slice(None)) -> Member:
    oblique = np.flatnonzero(tree.kind == OBLIQUE)
    if oblique.size:
        raise ValueError(
            f"the tree has oblique tests (the first is node {oblique[0]}), but exact SHAP values "
            "need tests of one feature each; shap.Explainer(model.predict, background) of the "
            "package shap estimates them for any model"
        )
    return Member(tree, _with_small_masses(flow), frozen(response), columns)


def _with_small_masses(flow: Any) -> ProductFlow:
    """Return ``flow`` without its drop, which depends on all features at once."""
    if isinstance(flow, Hard):
        return flow
    if isinstance(flow, Ramp | Gaussian):
        return replace(flow, drop=min(flow.drop, NEGLIGIBLE))
    raise TypeError(
        f"flow must be Hard, Ramp or Gaussian; got {type(flow).__name__}. "
        "The limit of Sampled(scale) is Gaussian(scale)"
    )


def _check_fitted(model: Any) -> None:
    if isinstance(getattr(model, "tree_", None), Tree) and hasattr(model, "_responses"):
        return
    name = type(model).__name__
    if hasattr(model, "trees_"):
        raise TypeError(
            f"this {name} has {len(model.trees_)} trees; explain one of them, model.trees_[0], "
            "or a softwood.forest.Forest of all"
        )
    if hasattr(model, "__sklearn_is_fitted__") and not model.__sklearn_is_fitted__():
        raise ValueError(f"this {name} is not fitted yet; call fit first")
    raise TypeError(
        f"model must be a fitted softwood tree, a Tree or a Forest; got {name}. "
        "softwood.interop.from_sklearn turns scikit-learn's trees into ours"
    )


def _texts(names: Iterable[Any]) -> tuple[str, ...]:
    return tuple(str(name) for name in names)
