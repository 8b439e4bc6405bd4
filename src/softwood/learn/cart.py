"""CART as a learner: grow, limit the leaves, prune; also by the impurity of blurred rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from softwood.data.folds import plain_folds, plain_holdout
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.flow import Flow, Hard
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.learn.fitted import ONE_JOB, Fitted
from softwood.tree import Tree


@dataclass(frozen=True)
class CartLearner:
    """CART; the options are the parameters of :class:`softwood.CARTClassifier`.

    With the criterion "vicinal", tests are chosen by the impurity of blurred rows, and held-out
    rows are blurred too.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.learn.cart import CartLearner
    >>> data = TrainingSet.of_classes(np.arange(10.0)[:, None], np.arange(10) > 6)
    >>> CartLearner().fit(data, seed=0).tree.threshold.tolist()
    [6.5, 0.0, 0.0]
    """

    criterion: str = "gini"
    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    max_leaf_nodes: int | None = None
    ccp_alpha: float = 0.0
    pruning: str | None = None
    n_standard_errors: float = 0.0
    n_folds: int = 10
    holdout_fraction: float = 1 / 3
    sigma2: Any = 0.1

    def fit(self, data: TrainingSet, seed: int = 0, jobs: Jobs = ONE_JOB) -> Fitted:
        """Return the tree; folds and the rows held out are drawn from ``seed``."""
        return Fitted.of_tree(self.grow(data, seed))

    def grow(self, data: TrainingSet, seed: int = 0) -> Tree:
        """Return the tree, grown and pruned."""
        if self.pruning == "cv":
            return self._pruned_by_folds(data, seed)
        if self.pruning == "holdout":
            return self._pruned_by_holdout(data, seed)
        tree, alpha = self.grow_full(data), self._price_of_leaf(data)
        if alpha > 0:
            from softwood.refine.cost_complexity import pruning_sequence

            tree = pruning_sequence(tree, data.is_regression).at(alpha)
        return tree

    def grow_full(self, data: TrainingSet) -> Tree:
        """Return the tree before it is pruned."""
        tree: Tree = self._grower(data).grow(data)
        if self.max_leaf_nodes is not None:
            from softwood.refine.gains import KeepBestLeaves

            tree = KeepBestLeaves(self.max_leaf_nodes, self.criterion).refine(tree)
        return tree

    def _grower(self, data: TrainingSet) -> Any:
        least_weight = self.min_weight_fraction_leaf * float(data.weight.sum())
        limits: Any = (self.max_depth, self.min_samples_split, self.min_samples_leaf, least_weight)
        if self.criterion != "vicinal":
            return GreedyGrower(Cart(self.criterion, *limits))
        from softwood.grow.vicinal import VicinalGrower
        from softwood.learn.vicinity import vicinity

        return VicinalGrower(vicinity(data, self.sigma2), *limits)

    def _price_of_leaf(self, data: TrainingSet) -> float:
        if self.criterion != "vicinal":
            return float(self.ccp_alpha)
        from softwood.learn.vicinity import LEAF_IN_ROWS

        return max(float(self.ccp_alpha), LEAF_IN_ROWS / data.n_rows)

    def _flow_of_held_out(self, data: TrainingSet) -> Flow:
        """Return how held-out rows meet the trees that compete."""
        if self.criterion != "vicinal":
            return Hard()
        from softwood.learn.vicinity import vicinity

        return vicinity(data, self.sigma2)

    def _pruned_by_folds(self, data: TrainingSet, seed: int) -> Tree:
        from softwood.refine.cost_complexity import choose_by_folds, pruning_sequence

        grown = self.grow_full(data)
        if data.n_rows < 2:
            return grown
        sequence = pruning_sequence(grown, data.is_regression)
        folds = plain_folds(data.n_rows, min(self.n_folds, data.n_rows), seed)
        flow = self._flow_of_held_out(data)
        alpha = choose_by_folds(sequence, data, folds, self.grow_full, self.n_standard_errors, flow)
        return sequence.at(max(alpha, self.ccp_alpha))

    def _pruned_by_holdout(self, data: TrainingSet, seed: int) -> Tree:
        from softwood.refine.cost_complexity import choose_by_validation, pruning_sequence

        grow, held_out = plain_holdout(data.n_rows, self.holdout_fraction, seed)
        part = data.take(grow)
        sequence = pruning_sequence(self.grow_full(part), data.is_regression)
        flow = self._flow_of_held_out(part)
        alpha = choose_by_validation(sequence, data.take(held_out), self.n_standard_errors, flow)
        return sequence.at(max(alpha, self.ccp_alpha))
