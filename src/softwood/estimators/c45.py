"""C4.5, node for node as Weka's J48."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.estimators._base import TreeClassifier, TreeEstimator
from softwood.estimators._sklearn_compat import Interval, StrOptions
from softwood.grow.greedy import C45, GreedyGrower
from softwood.tree import Tree


class C45Classifier(TreeClassifier):
    """A classification tree as C4.5 grows and prunes it, with J48's defaults."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TreeEstimator._parameter_constraints,
        "min_samples_leaf": [Interval(Real, 0.0, None, closed="neither")],
        "confidence": [Interval(Real, 0.0, 0.5, closed="right")],
        "pruning": [StrOptions({"pessimistic"}), None],
        "subtree_raising": ["boolean"],
        "collapse": ["boolean"],
        "mdl_correction": ["boolean"],
        "laplace": ["boolean"],
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }
    _importance_criterion = "entropy"

    def __init__(
        self,
        min_samples_leaf: float = 2,
        *,
        confidence: float = 0.25,
        pruning: str | None = "pessimistic",
        subtree_raising: bool = True,
        collapse: bool = True,
        mdl_correction: bool = True,
        laplace: bool = False,
        max_depth: int | None = None,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        class_weight: Any = None,
        random_state: Any = None,
    ) -> None:
        self.min_samples_leaf = min_samples_leaf
        self.confidence = confidence
        self.pruning = pruning
        self.subtree_raising = subtree_raising
        self.collapse = collapse
        self.mdl_correction = mdl_correction
        self.laplace = laplace
        self.max_depth = max_depth
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.class_weight = class_weight
        self.random_state = random_state

    def _grow(self, data: TrainingSet) -> Tree:
        policy = C45(self.min_samples_leaf, self.mdl_correction, self.max_depth)
        tree = GreedyGrower(policy).grow(data)
        if self.collapse:
            from softwood.refine.collapse import Collapse

            tree = Collapse().refine(tree)
        if self.pruning == "pessimistic":
            from softwood.refine.pessimistic import PrunePessimistic

            tree = PrunePessimistic(self.confidence, self.subtree_raising).refine(tree, data)
        return tree

    def _responses(self) -> FloatArray:
        if not self.laplace:
            return self.tree_.response
        return laplace_corrected(self.tree_)


def laplace_corrected(tree: Tree) -> FloatArray:
    """Return class frequencies with one more case of every class at each node.

    A node without cases, which answers as its parent does, is corrected by the
    parent's weight.
    """
    parent = np.maximum(tree.parent, 0)
    weight = np.where(tree.weight > 0, tree.weight, tree.weight[parent])[:, None]
    return np.asarray((tree.response * weight + 1.0) / (weight + tree.n_outputs))
