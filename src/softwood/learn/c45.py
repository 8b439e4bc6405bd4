"""C4.5 as a learner: grow by gain ratio, collapse, prune pessimistically, soften on request."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.flow import Flow, Hard, Ramp
from softwood.grow.greedy import C45, GreedyGrower
from softwood.learn.fitted import ONE_JOB, Fitted
from softwood.tree import Tree


@dataclass(frozen=True)
class C45Learner:
    """C4.5; the options are the parameters of :class:`softwood.C45Classifier`.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.learn.c45 import C45Learner
    >>> data = TrainingSet.of_classes(np.arange(10.0)[:, None], np.arange(10) > 6)
    >>> C45Learner().fit(data, seed=0).tree.threshold.tolist()
    [6.0, 0.0, 0.0]
    """

    min_samples_leaf: float = 2
    confidence: float = 0.25
    pruning: str | None = "pessimistic"
    subtree_raising: bool = True
    collapse: bool = True
    mdl_correction: bool = True
    laplace: bool = False
    soft_thresholds: bool = False
    max_depth: int | None = None

    def fit(self, data: TrainingSet, seed: int = 0, jobs: Jobs = ONE_JOB) -> Fitted:
        """Return the tree; nothing is drawn from ``seed``."""
        tree = self.grow(data)
        if not self.soft_thresholds:
            return Fitted.of_tree(tree)
        from softwood.refine.confidence import SoftenByConfidence

        return Fitted.of_tree(SoftenByConfidence("c50").refine(tree, data), Ramp())

    def grow(self, data: TrainingSet) -> Tree:
        """Return the tree before its thresholds are softened."""
        policy = C45(self.min_samples_leaf, self.mdl_correction, self.max_depth)
        tree = GreedyGrower(policy).grow(data)
        if self.collapse:
            from softwood.refine.collapse import Collapse

            tree = Collapse().refine(tree)
        if self.pruning == "pessimistic":
            from softwood.refine.pessimistic import PrunePessimistic

            tree = PrunePessimistic(self.confidence, self.subtree_raising).refine(tree, data)
        return tree

    @property
    def shared_flow(self) -> Flow:
        """How rows flow through trees of an ensemble."""
        return Ramp() if self.soft_thresholds else Hard()

    def responses(self, tree: Tree) -> FloatArray:
        """Return what the nodes of a tree answer."""
        return laplace_corrected(tree) if self.laplace else tree.response


def laplace_corrected(tree: Tree) -> FloatArray:
    """Return class frequencies with one more case of every class at each node.

    A node without cases, which answers as its parent does, is corrected by the
    parent's weight.
    """
    parent = np.maximum(tree.parent, 0)
    weight = np.where(tree.weight > 0, tree.weight, tree.weight[parent])[:, None]
    return np.asarray((tree.response * weight + 1.0) / (weight + tree.n_outputs))
