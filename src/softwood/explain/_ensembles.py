"""What is to be explained when there are many trees: how they add up, and what all is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.schema import Feature, Schema
from softwood.explain.labels import DECIMALS, SHOWN_TERMS
from softwood.explain.wording import Subject, checked_names
from softwood.flow import Flow, Hard
from softwood.forest import ALL_OUTPUTS, Forest
from softwood.forest.sums import flow_of_trees
from softwood.forest.ties import most_probable
from softwood.tree import Tree


@dataclass(frozen=True, slots=True, eq=False)
class Ensemble:
    """Trees whose answers add up, with the names that belong to them.

    ``classes`` is None for regression. ``read`` makes numbers of a table, and ``label`` a class
    of raw scores; a bare forest has no ``read``.
    """

    kind: str
    forest: Forest
    flows: Sequence[Flow]
    schema: Schema
    classes: Sequence[Any] | None
    read: Callable[[Any], FloatArray] | None
    label: Callable[[FloatArray], AnyArray]
    is_named: bool = False
    ranges: FloatArray | None = None

    @property
    def schema_(self) -> Schema:
        """The columns, under the name that estimators have for them."""
        return self.schema

    @property
    def feature_names_in_(self) -> list[str] | None:
        """Names of the columns, if rows have to be read by name."""
        return self.schema.names if self.is_named else None

    @property
    def is_vote(self) -> bool:
        """Whether the answers of trees are shares of classes, and the ensemble their mean."""
        return self.classes is not None and self.is_mean

    @property
    def is_mean(self) -> bool:
        """Whether each tree answers what the ensemble does; else trees are terms of a sum."""
        forest = self.forest
        alone = forest.link == "identity" and not forest.base.any() and forest.slope == 1.0
        return bool(forest.is_mean and alone and (forest.output == ALL_OUTPUTS).all())

    def columns(self, j: int) -> slice:
        """Return to which raw scores tree ``j`` adds."""
        output = int(self.forest.output[j])
        return slice(None) if output == ALL_OUTPUTS else slice(output, output + 1)

    def shares(self) -> list[FloatArray]:
        """Return what the answer of each tree is multiplied by, for each of its outputs."""
        forest = self.forest
        divisor = forest.divisor() if forest.is_mean else np.ones(forest.n_outputs)
        factor = forest.factor.tolist()
        return [factor[j] / divisor[self.columns(j)] for j in range(forest.n_trees)]

    def average(self) -> FloatArray:
        """Return the raw scores before any test, those of the roots."""
        total = self.forest.base.copy()
        for j, (tree, share) in enumerate(zip(self.forest.trees, self.shares(), strict=True)):
            total[self.columns(j)] += share * tree.response[0]
        return total

    def subject(
        self, tree: Tree, decimals: int = DECIMALS, max_terms: int | None = SHOWN_TERMS
    ) -> Subject:
        """Return one of the trees with the names; terms of a sum answer numbers."""
        features = self.schema.features
        return Subject(
            tree=tree,
            feature_names=self.schema.names,
            categories=[feature.categories for feature in features],
            classes=self.classes if self.is_vote else None,
            decimals=decimals,
            max_terms=max_terms,
            is_date=[feature.is_date for feature in features],
            ranges=self.ranges,
        )

    def renamed(
        self, feature_names: Sequence[Any] | None, class_names: Sequence[Any] | None
    ) -> Ensemble:
        """Return the same with names that the caller has given."""
        names = checked_names("feature_names", feature_names, self.schema.names)
        classes = self.classes
        if class_names is not None:
            if classes is None:
                raise ValueError("class_names was given, but the model predicts a number")
            classes = checked_names("class_names", class_names, classes)
        features = (
            Feature(name, feature.categories, feature.is_date)
            for name, feature in zip(names, self.schema.features, strict=True)
        )
        return replace(self, schema=Schema(tuple(features)), classes=classes)


def ensemble_of(model: Any) -> Ensemble | None:
    """Return what a model of many trees is made of; None for a single tree, or anything else.

    Parameters
    ----------
    model : estimator, Imported or Forest
        A fitted ensemble of softwood, a softened one, what
        :func:`softwood.interop.import_model` has made of another's, or a bare forest.

    Returns
    -------
    Ensemble or None
    """
    if isinstance(model, Forest):
        return _of_bare_forest(model)
    if isinstance(model, Tree) or hasattr(model, "tree_"):
        return None
    imported = getattr(model, "imported_", model)
    if isinstance(getattr(imported, "forest", None), Forest) and hasattr(imported, "label_of"):
        return _of_imported(model, imported)
    forest = getattr(model, "forest_", None)
    if not (isinstance(forest, Forest) and hasattr(model, "schema_")):
        return None
    classes = getattr(model, "classes_", None)
    return Ensemble(
        kind=type(model).__name__,
        forest=forest,
        flows=flow_of_trees(getattr(model, "flow_", Hard()), forest.n_trees),
        schema=model.schema_,
        classes=None if classes is None else classes.tolist(),
        read=model._rows,
        label=lambda raw: most_probable(forest.answer(raw)),
        is_named=hasattr(model, "feature_names_in_"),
    )


def _of_imported(model: Any, imported: Any) -> Ensemble:
    """Return a model as ``import_model`` reads it, or as ``soften`` has changed it."""
    classes = imported.classes
    places = None if classes is None else {one: j for j, one in enumerate(classes.tolist())}

    def label(raw: FloatArray) -> AnyArray:
        assert places is not None
        return np.array([places[one] for one in imported.label_of(raw).tolist()])

    ranges: Any = getattr(model, "ranges_", None)
    return Ensemble(
        kind=type(model).__name__ if model is not imported else imported.kind,
        forest=imported.forest,
        flows=flow_of_trees(imported.flow, imported.forest.n_trees),
        schema=imported.schema,
        classes=None if classes is None else classes.tolist(),
        read=getattr(model, "_rows", imported.encode),
        label=label,
        is_named=bool(imported.reader.checks_names),
        ranges=ranges if np.shape(ranges) == (imported.forest.n_features, 2) else None,
    )


def _of_bare_forest(forest: Forest) -> Ensemble:
    n_answers = 2 if forest.link == "logistic" else forest.n_outputs
    return Ensemble(
        kind="Forest",
        forest=forest,
        flows=flow_of_trees(Hard(), forest.n_trees),
        schema=Schema(tuple(Feature(f"x{j}") for j in range(forest.n_features))),
        classes=range(n_answers) if n_answers > 1 else None,
        read=None,
        label=lambda raw: most_probable(forest.answer(raw)),
    )
