"""Soften a tree by gradients: cuts, widths and leaf responses descend together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import SHAPES
from softwood.refine.column_spread import spread_of_columns
from softwood.refine.lesson import Lesson, lesson_of
from softwood.refine.responses import with_inner_responses
from softwood.tree import NUMERIC, OBLIQUE, Tree

if TYPE_CHECKING:
    from softwood._kernels.descent import Goal
    from softwood._kernels.soft_batch import Sample, Weights

Report = Callable[[int, float], None]
EPOCHS, STEPS = 30, 1000
LEAST_COUNT = 1e-6  # of a class at a leaf, so that its logit is finite
LEAST_WIDTH = 1e-3  # in deviations: narrower is as good as hard, and its logarithm runs away


@dataclass(frozen=True)
class SoftenByGradient:
    """Train cuts, widths and leaf responses of a tree by gradients through its soft flow.

    The tests stay those of the tree; what moves is where they cut, how gradually, and
    what the leaves answer. The loss is log loss for classes and squared error for
    numbers; Adam takes a step for every batch, with rates that fall to zero along half a
    cosine.

    Parameters
    ----------
    shape : {"logistic", "linear", "normal"}, default="logistic"
        The curve by which a test passes from left to right; see :class:`~softwood.Ramp`.
    n_epochs : int or None, default=None
        How often to go through the rows; None is 30 times, or more if the rows are so few
        that this would make less than a thousand steps.
    batch_size : int, default=128
        Rows of a step.
    learning_rate : float, default=0.03
        Size of a step, in deviations of the features.
    width : float or None, default=0.3
        Half-width with which every test starts, in deviations of its feature. None starts
        from the widths and leaves of a tree that is soft already.
    width_penalty : float, default=0.0
        How strongly the logarithms of the widths are pulled back to their start.
    seed : int, default=0
        Makes the order of rows repeatable.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.flow import Hard, Ramp
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> X = np.random.default_rng(0).normal(size=(400, 2))
    >>> data = TrainingSet.of_classes(X, (X.sum(axis=1) > 0).astype(int))
    >>> tree = GreedyGrower(Cart("gini", max_depth=3)).grow(data)
    >>> soft = SoftenByGradient().refine(tree, data)
    >>> for flow, grown in (Hard(), tree), (Ramp(shape="logistic"), soft):
    ...     print(f"{np.mean(flow.predict(grown, X).argmax(axis=1) != data.label):.3f}")
    0.098
    0.087
    """

    shape: str = "logistic"
    n_epochs: int | None = None
    batch_size: int = 128
    learning_rate: float = 0.03
    width: float | None = 0.3
    width_penalty: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise ValueError(f"shape must be one of {', '.join(SHAPES)}; got {self.shape!r}")

    def refine(
        self,
        tree: Tree,
        data: TrainingSet,
        lesson: Lesson | None = None,
        validation: TrainingSet | None = None,
        report: Report | None = None,
    ) -> Tree:
        """Return the trained tree; predict with ``Ramp(shape=...)``.

        Parameters
        ----------
        tree : Tree
            Where to start from; one leaf is returned as it is.
        data : TrainingSet
            Rows whose spread gives the units, and that are learnt from.
        lesson : Lesson, optional
            Rows and answers to learn from in place of the data's own.
        validation : TrainingSet, optional
            Rows not learnt from: the epoch with the least loss on them is kept.
        report : callable, optional
            Is told the epoch and the mean loss over it.
        """
        if np.any(tree.kind == OBLIQUE):
            raise NotImplementedError("gradient softening of oblique tests is not there yet")
        if not np.any(tree.kind == NUMERIC):
            return tree
        lesson = lesson_of(data) if lesson is None else lesson
        return _Training(self, tree, data, lesson).run(validation, report)


class _Training:
    """One run: the arrays that the kernels share from epoch to epoch."""

    def __init__(
        self, method: SoftenByGradient, tree: Tree, data: TrainingSet, lesson: Lesson
    ) -> None:
        from softwood._kernels.descent import Goal
        from softwood._kernels.soft_batch import Weights, open_batch

        self.method, self.tree = method, tree
        self.centre, deviation = spread_of_columns(data)
        self.scale = np.where(deviation > 0.0, deviation, 1.0)
        self.offset, self.unit = _units_of_target(data)
        self.squared = data.is_regression
        self.sample = self._sample(lesson.X, lesson.target, lesson.weight)
        self.goal: Goal = Goal(
            shape=1 + SHAPES.index(method.shape),
            squared=self.squared,
            rate_test=method.learning_rate,
            rate_leaf=2.5 * method.learning_rate,  # a logit has further to go than a cut
            width_penalty=method.width_penalty,
            start_width=float(np.log(method.width or 1.0)),
        )
        self.weights: Weights = self._start()
        n_nodes, n_outputs = self.weights.leaf.shape
        self.batch = open_batch(n_nodes, tree.n_features, n_outputs, method.batch_size)
        empty = [Weights(*(np.zeros_like(part) for part in self.weights)) for _ in range(3)]
        self.gradient, self.first_moment, self.second_moment = empty

    def run(self, validation: TrainingSet | None, report: Report | None) -> Tree:
        """Descend, and return the tree of the last epoch, or of the best on validation."""
        from softwood._kernels.descent import train_epoch
        from softwood._kernels.soft_batch import Weights

        method, rng = self.method, np.random.default_rng(self.method.seed)
        n_rows = self.sample.weight.size
        n_batches = -(-n_rows // method.batch_size)
        total = float(self.sample.weight.sum())
        n_epochs = method.n_epochs or max(EPOCHS, -(-STEPS // n_batches))
        least, best = np.inf, self.weights
        for epoch in range(n_epochs):
            loss = train_epoch(
                self.tree.nodes, self.sample, rng.permutation(n_rows), self.weights,
                self.gradient, self.first_moment, self.second_moment, self.batch, self.goal,
                epoch * n_batches, n_epochs * n_batches,
            )  # fmt: skip
            np.maximum(self.weights.test[:, 1:], np.log(LEAST_WIDTH), out=self.weights.test[:, 1:])
            if report is not None:
                report(epoch, loss / total)
            if validation is not None and (now := self._loss(validation)) < least:
                least, best = now, Weights(*(part.copy() for part in self.weights))
        return self._tree(self.weights if validation is None else best)

    def _sample(self, X: FloatArray, target: AnyArray, weight: FloatArray) -> Sample:
        from softwood._kernels.soft_batch import Sample

        units = ((target - self.offset) / self.unit).astype(np.float32)
        return Sample(np.ascontiguousarray(X), units, weight, self.centre, self.scale)

    def _start(self) -> Weights:
        from softwood._kernels.soft_batch import CUT, LOG_ABOVE, LOG_BELOW, N_PER_TEST, Weights

        tree, width = self.tree, self.method.width
        test = np.zeros((tree.n_nodes, N_PER_TEST))
        numeric = tree.kind == NUMERIC
        centre, scale = self.centre[tree.feature[numeric]], self.scale[tree.feature[numeric]]
        test[numeric, CUT] = (tree.threshold[numeric] - centre) / scale
        for side, own in ((LOG_BELOW, tree.below), (LOG_ABOVE, tree.above)):
            widths = own[numeric] / scale if width is None else np.full(scale.size, width)
            test[numeric, side] = np.log(np.maximum(widths, LEAST_WIDTH))
        if self.squared:
            return Weights(test, (tree.response - self.offset) / self.unit)
        # Laplace: no leaf of a hard tree is as certain as it seems.
        doubt = 0.0 if width is None else 1.0
        count = np.maximum(tree.response * tree.weight[:, None] + doubt, LEAST_COUNT)
        return Weights(test, np.log(count / count.sum(axis=1, keepdims=True)))

    def _loss(self, validation: TrainingSet) -> float:
        from softwood._kernels.descent import loss_and_gradient

        lesson = lesson_of(validation)
        sample = self._sample(lesson.X, lesson.target, lesson.weight)
        nothing = type(self.gradient)(np.zeros((0, 3)), np.zeros((0, 1)))
        rows = np.arange(validation.n_rows)
        return loss_and_gradient(
            self.tree.nodes, sample, rows, self.weights, nothing, self.batch, self.goal
        )

    def _tree(self, weights: Weights) -> Tree:
        tree, numeric = self.tree, self.tree.kind == NUMERIC
        feature = tree.feature[numeric]
        cut, below, above = weights.test[numeric].T
        scale = self.scale[feature]
        threshold = tree.threshold.copy()
        threshold[numeric] = cut * scale + self.centre[feature]
        widths = {"below": np.zeros(tree.n_nodes), "above": np.zeros(tree.n_nodes)}
        widths["below"][numeric], widths["above"][numeric] = (
            np.exp(below) * scale,
            (np.exp(above) * scale),
        )
        if self.squared:
            response = weights.leaf * self.unit + self.offset
        else:
            odds = np.exp(weights.leaf - weights.leaf.max(axis=1, keepdims=True))
            response = odds / odds.sum(axis=1, keepdims=True)
        return with_inner_responses(tree.replace(threshold=threshold, **widths), response)


def _units_of_target(data: TrainingSet) -> tuple[float, float]:
    if not data.is_regression:
        return 0.0, 1.0
    offset = float(np.average(data.target, weights=data.weight))
    deviation = float(np.sqrt(np.average((data.target - offset) ** 2, weights=data.weight)))
    return offset, deviation if deviation > 0 else 1.0
