"""Soft trees as learners: grown, then softened by one of four methods."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeGuard

from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.flow import Flow
from softwood.learn.cart import CartLearner
from softwood.learn.fitted import ONE_JOB, Fitted, Learner
from softwood.learn.soften.ensembles import fully_grown
from softwood.learn.soften.gradient import Gradient
from softwood.learn.soften.method import Grow, Method, Setting, Soft
from softwood.learn.soften.sizes import SIZES
from softwood.learn.soften.teacher import AUTO
from softwood.refine.column_spread import ranges_of_columns, spread_of_columns
from softwood.refine.cost_complexity import choose_by_folds, pruning_sequence
from softwood.refine.crisp import crisp_tree
from softwood.refine.gains import KeepBestLeaves
from softwood.refine.smoothing import SmoothingPath
from softwood.tree import Tree

LARGE = 128  # leaves of a tree to be trained, where nothing tells how many are enough


@dataclass(frozen=True)
class SoftTreeLearner:
    """A soft tree; the options are the parameters of :class:`softwood.SoftTreeClassifier`.

    Parameters
    ----------
    method : Method
        How to soften.
    first : Learner, optional
        Grows the tree to be softened. By default a tree pruned by cross-validation, or, for
        methods that train a large tree, one of at most ``max_leaf_nodes`` leaves.
    smoothing, oblique, max_leaf_nodes, min_samples_leaf, verbose
        As of the estimator.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.learn.soft_tree import SoftTreeLearner
    >>> from softwood.learn.soften import Confidence
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(90, 1))
    >>> data = TrainingSet.of_classes(X, X[:, 0] + rng.normal(0, 0.2, 90) > 0)
    >>> tree = SoftTreeLearner(Confidence()).fit(data, seed=0).tree
    >>> bool(tree.below[0] > 0.0)
    True
    """

    method: Method = field(default_factory=Gradient)
    first: Learner | None = None
    smoothing: Any = "cv"
    oblique: bool | str = AUTO
    max_leaf_nodes: int | str | None = AUTO
    min_samples_leaf: int = 5
    verbose: int = 0

    @property
    def shared_flow(self) -> Flow:
        """How rows flow through trees of an ensemble; an error if each has its own way."""
        return self.method.shared_flow

    def fit(self, data: TrainingSet, seed: int, jobs: Jobs = ONE_JOB) -> Fitted:
        """Return the tree, its flow, and the spread of the training columns."""
        setting = Setting(self.smoothing, self.oblique is True, seed, jobs, self.verbose)
        soft = self._learned(data, setting)
        facts: dict[str, Any] = {
            "deviations": spread_of_columns(data)[1],
            "ranges": ranges_of_columns(data),
        }
        if self.method.name == "perturb":
            facts["smoothing"] = chosen_smoothing(soft.path, self.smoothing)
            facts["smoothing_path"] = soft.path
        if soft.sizes is not None:
            facts["size_path"] = soft.sizes
        return Fitted.of_tree(soft.tree, soft.flow, **facts)

    def _learned(self, data: TrainingSet, setting: Setting) -> Soft:
        method = self.method
        if self.first is not None:
            if isinstance(method, Gradient):  # the tests of a tree that was asked for all stay
                method = replace(method, test_price=0.0)
            return method.learn(data, grower_of(self.first, setting.seed, setting.jobs), setting)
        if method.grows_large:
            if self._chooses_size(method):
                criterion = "squared_error" if data.is_regression else "gini"
                cuts = [KeepBestLeaves(size, criterion) for size in SIZES]
                grow = partial(self._large, None)
                return method.learn_best(data, grow, cuts, setting, self.oblique == AUTO)
            most = LARGE if isinstance(self.max_leaf_nodes, str) else self.max_leaf_nodes
            return method.learn(data, partial(self._large, most), setting)
        return method.learn(data, pruned_by_folds(data, setting), setting)

    def _chooses_size(self, method: Method) -> TypeGuard[Gradient]:
        """Whether trees of several sizes are to be trained: only a teacher can judge them."""
        is_taught = isinstance(method, Gradient) and method.teacher != 0
        return is_taught and self.max_leaf_nodes == AUTO

    def _large(self, most: int | None, data: TrainingSet) -> Tree:
        """Return the tree to be trained, of so many leaves at most."""
        learner = CartLearner(
            "squared_error" if data.is_regression else "gini",
            min_samples_leaf=self.min_samples_leaf,
            max_leaf_nodes=most,
        )
        return learner.grow_full(data)


def grower_of(learner: Learner, seed: int, jobs: Jobs) -> Grow:
    """Return what grows the trees of a learner, without their own widths."""
    return lambda data: crisp_tree(learner.fit(data, seed, jobs).tree)


def pruned_by_folds(data: TrainingSet, setting: Setting) -> Grow:
    """Return what grows and prunes at the price that cross-validation on ``data`` chose."""
    grow, folds = fully_grown(data).grow_full, setting.folds(data)
    if not folds:
        return grow
    sequence = pruning_sequence(grow(data), data.is_regression)
    alpha = choose_by_folds(sequence, data, folds, grow)

    def grow_pruned(part: TrainingSet) -> Tree:
        own = sequence if part is data else pruning_sequence(grow(part), part.is_regression)
        return own.at(alpha)

    return grow_pruned


def chosen_smoothing(path: SmoothingPath | None, given: Any) -> float:
    """Return lambda: chosen, given, or 0 where there was nothing to soften."""
    if path is not None:
        return path.smoothing
    return 0.0 if isinstance(given, str) else float(given)
