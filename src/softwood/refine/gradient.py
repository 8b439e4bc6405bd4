"""Soften a tree by gradients: cuts, widths, terms and leaf responses descend together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from softwood._progress import tell_progress
from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import SHAPES, Ramp
from softwood.refine.gradient_terms import (
    columns_to_combine,
    with_terms,
    without_small_weights,
    without_zero_terms,
)
from softwood.refine.gradient_units import Bounds, Units
from softwood.refine.responses import with_flow_weights
from softwood.refine.soft_targets import SoftTargets, soft_targets_of
from softwood.tree import NUMERIC, OBLIQUE, Tree

if TYPE_CHECKING:
    from softwood._kernels.soft.batch import Sample, Weights
    from softwood._kernels.soft.descent import Goal

Report = Callable[[int, float], None]
EPOCHS, STEPS = 30, 1000
HELD_EVERY = 10  # epochs: sums of oblique tests are surveyed on all rows, which takes long


@dataclass(frozen=True)
class SoftenByGradient:
    """Train cuts, widths and leaf responses of a tree by gradients through its soft flow.

    The tests stay those of the tree; what moves is where they cut, how gradually, and
    what the leaves answer. The weights of oblique tests move too, and on request every
    numeric test may become an oblique one. The loss is log loss for classes and squared
    error for numbers; Adam takes a step for every batch, with rates that fall to zero along
    half a cosine.

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
    oblique : bool, default=False
        Whether tests may take up other features: those that are numeric and known in most
        rows; gaps count as the mean of the column while terms are chosen. Otherwise oblique
        tests train the terms they have.
    term_price : float, default=0.0
        What an oblique test pays for spreading over features, in units of the loss: the
        price times the sum of its weights, by size, over the root of the sum of their squares.
        That is the price for one feature, and more for more.
    term_tolerance : float, default=0.005
        With ``oblique``, small weights are dropped at the end if the loss rises by no more
        than this share of it.

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
    oblique: bool = False
    term_price: float = 0.0
    term_tolerance: float = 0.005

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise ValueError(f"shape must be one of {', '.join(SHAPES)}; got {self.shape!r}")

    def refine(
        self,
        tree: Tree,
        data: TrainingSet,
        soft_targets: SoftTargets | None = None,
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
        soft_targets : SoftTargets, optional
            Rows and answers to learn from in place of the data's own.
        validation : TrainingSet, optional
            Rows not learnt from: the epoch with the least loss on them is kept.
        report : callable, optional
            Is told the epoch and the mean loss over it.
        """
        if not np.any((tree.kind == NUMERIC) | (tree.kind == OBLIQUE)):
            return tree
        soft_targets = soft_targets_of(data) if soft_targets is None else soft_targets
        units = Units.of(data)
        if not self.oblique:
            training = _Training(self, tree, units, soft_targets, data)
            soft = units.tree(tree, training.run(validation, report))
        else:
            # A term that a row lacks would send it down both branches whatever the term weighs:
            # so nothing is missing until it is known which terms are worth having.
            columns = columns_to_combine(data)
            soft_targets = soft_targets.filled(columns, units.centre)
            wide = with_terms(tree, columns)
            training = _Training(self, wide, units, soft_targets, data)
            weights = training.without_small_terms(training.run(validation, report))
            soft = without_zero_terms(units.tree(wide, weights))
        if not np.any(soft.kind == OBLIQUE):
            return soft
        # Planes that turn take rows from one branch to the other.
        return with_flow_weights(soft, Ramp(shape=self.shape), data)


class _Training:
    """One run: the arrays that the kernels share from epoch to epoch."""

    def __init__(
        self,
        method: SoftenByGradient,
        tree: Tree,
        units: Units,
        soft_targets: SoftTargets,
        data: TrainingSet,
    ) -> None:
        from softwood._kernels.soft.batch import Weights, open_batch
        from softwood._kernels.soft.descent import Goal

        self.method, self.tree, self.units = method, tree, units
        self.bounds = Bounds(tree, units, data)
        self.sample: Sample = units.sample(soft_targets, tree)
        self.goal: Goal = Goal(
            shape=1 + SHAPES.index(method.shape),
            squared=units.squared,
            rate_test=float(method.learning_rate),
            rate_leaf=2.5 * method.learning_rate,  # a logit has further to go than a cut
            width_penalty=float(method.width_penalty),
            start_width=float(np.log(method.width or 1.0)),
            rate_term=method.learning_rate / 3.0,  # many terms move a row together
            term_price=float(method.term_price),
        )
        self.weights: Weights = units.weights(tree, method.width)
        n_nodes, n_outputs = self.weights.leaf.shape
        self.batch = open_batch(n_nodes, tree.n_features, n_outputs, method.batch_size)
        empty = [Weights(*(np.zeros_like(part) for part in self.weights)) for _ in range(3)]
        self.gradient, self.first_moment, self.second_moment = empty

    def run(self, validation: TrainingSet | None, report: Report | None) -> Weights:
        """Descend, and return the weights of the last epoch, or of the best on validation."""
        from softwood._kernels.soft.batch import Weights
        from softwood._kernels.soft.descent import train_epoch

        method, rng = self.method, np.random.default_rng(self.method.seed)
        held_out = (
            None
            if validation is None
            else self.units.sample(soft_targets_of(validation), self.tree)
        )
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
            if held_out is not None or (n_epochs - 1 - epoch) % HELD_EVERY == 0:
                self.bounds.hold(self.weights)
            tell_progress("epochs", epoch + 1, n_epochs)
            if report is not None:
                report(epoch, loss / total)
            if held_out is not None and (now := self._loss(held_out, self.weights)) < least:
                least, best = now, Weights(*(part.copy() for part in self.weights))
        return self.weights if validation is None else best

    def without_small_terms(self, weights: Weights) -> Weights:
        """Return the weights with as many terms at 0 as the loss allows."""

        def loss(term: FloatArray) -> float:
            return self._loss(self.sample, weights._replace(term=term[:, None]))

        term = weights.term[:, 0]
        if term.size == 0:
            return weights
        most = (1.0 + self.method.term_tolerance) * loss(term)
        kept = without_small_weights(self.tree.term_owner, term, loss, most)
        weights = weights._replace(term=kept[:, None])
        self.bounds.hold(weights)
        return weights

    def _loss(self, sample: Sample, weights: Weights) -> float:
        from softwood._kernels.soft.descent import loss_and_gradient

        nothing = type(weights)(np.zeros((0, 3)), np.zeros((0, 1)))
        rows = np.arange(sample.weight.size)
        return loss_and_gradient(
            self.tree.nodes, sample, rows, weights, nothing, self.batch, self.goal
        )
