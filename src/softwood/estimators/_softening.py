"""Softening, whoever asks for it: the four methods behind one set of options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from softwood._types import AnyArray
from softwood.data.folds import deal_folds
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.flow import Flow, Hard, Ramp
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.refine.gradient import SoftenByGradient
from softwood.refine.perturbation import Perturbation
from softwood.refine.responses import with_flow_weights
from softwood.refine.smoothing import SmoothingPath
from softwood.tree import NUMERIC, OBLIQUE, Tree

METHODS = ("gradient", "anneal", "perturb", "confidence")
FOLDS = 10
TERM_PRICE = 1e-4
MIN_HELD_OUT = 30  # rows from which on a third can be spared
MIN_LEARNT = 10_000  # rows of a soft_targets, blurred copies counted: few rows need many copies

Grow = Callable[[TrainingSet], Tree]


class Soft(NamedTuple):
    """A softened tree: what predicts, and how lambda was found."""

    tree: Tree
    flow: Flow
    path: SmoothingPath | None = None


@dataclass(frozen=True)
class Softening:
    """How to soften; the names are those of the estimators' parameters."""

    method: str
    smoothing: Any = "cv"
    noise: str = "exact"
    loss: str | None = None
    scale: Any = None
    shape: str = "logistic"
    n_epochs: int | None = None
    learning_rate: float = 0.03
    width_penalty: float = 0.0
    oblique: bool = False
    term_price: float = TERM_PRICE
    early_stopping: float | None = None
    teacher: int = 50
    schedule: str = "fast"
    n_candidates: int = 1
    rule: str = "c50"
    seed: int = 0
    n_jobs: int | None = None
    verbose: int = 0

    def of_tree(self, tree: Tree, data: TrainingSet, grow: Grow) -> Soft:
        """Soften one tree; ``grow`` grows others like it, from parts of the data."""
        if tree.n_leaves == 1 or not self._can_soften(tree):
            return Soft(tree, Hard())
        if self.method == "perturb":
            path = self.path_of_tree(tree, data, grow)
            return Soft(tree, self.flow_of(path, data), path)
        if self.method == "confidence":
            from softwood.refine.confidence import SoftenByConfidence

            return Soft(SoftenByConfidence(self.rule).refine(tree, data), Ramp())
        if self.method == "anneal":
            return Soft(self._annealed(tree, data), Ramp())
        return Soft(self.trained(data, lambda _: tree), Ramp(shape=self.shape))

    def _can_soften(self, tree: Tree) -> bool:
        """Whether the tree has tests that the method softens."""
        if self.method == "perturb":
            return True
        numeric = bool(np.any(tree.kind == NUMERIC))
        return numeric or (self.method == "gradient" and bool(np.any(tree.kind == OBLIQUE)))

    # -- perturb ---------------------------------------------------------------

    def perturbation(self, data: TrainingSet) -> Perturbation:
        """Return what lambda multiplies."""
        return Perturbation.of(data, self.scale, flow=self.noise, random_state=self.seed)

    def flow_of(self, path: SmoothingPath | None, data: TrainingSet) -> Flow:
        """Return the flow of the lambda that was chosen, or given."""
        if path is not None:
            return path.flow
        return self.perturbation(data).at(float(self.smoothing))

    def path_of_tree(self, tree: Tree, data: TrainingSet, grow: Grow) -> SmoothingPath | None:
        """Choose lambda for one tree, unless it is given."""
        from softwood.refine.perturb import tune_by_folds, tune_by_holdout

        if not isinstance(self.smoothing, str):
            return None
        noise = self.perturbation(data)
        if self.smoothing == "holdout":
            train, test = deal_folds(data.label, 3, np.random.default_rng(self.seed))[0]
            return tune_by_holdout(grow(data.take(train)), data.take(test), noise, self.loss)
        if self.smoothing == "oob":
            raise ValueError("smoothing='oob' needs bagged trees; for a single tree use 'cv'")
        return tune_by_folds(grow, data, self.folds(data), noise, self.loss)

    def folds(self, data: TrainingSet) -> list[tuple[AnyArray, AnyArray]]:
        """Return the folds that pruning and smoothing share; none for a single row."""
        n_folds = min(FOLDS, data.n_rows)
        if n_folds < 2:
            return []
        return deal_folds(data.label, n_folds, np.random.default_rng(self.seed))

    # -- anneal ----------------------------------------------------------------

    def _annealed(self, tree: Tree, data: TrainingSet) -> Tree:
        from softwood.refine.anneal import SoftenByAnnealing, soften_sequence

        annealing = SoftenByAnnealing(self.schedule, random_state=self.seed)
        if self.n_candidates == 1:
            return annealing.refine(tree, data)
        return soften_sequence(tree, data, annealing, n_candidates=self.n_candidates)

    def annealed_sequence(self, data: TrainingSet, grow: Grow) -> Tree:
        """Grow on a part of the rows, and soften pruned versions of the tree on all.

        Leaves that have seen a row already are surer of it than of others; a third of the
        rows that the tree has not seen keeps the widths honest (section 5.2 of the paper).
        """
        parts = deal_folds(data.label, 3, np.random.default_rng(self.seed))
        tree = grow(data.take(parts[0][0]) if data.n_rows >= MIN_HELD_OUT else data)
        soft = tree if tree.n_leaves == 1 else self._annealed(tree, data)
        return with_flow_weights(soft, Ramp(), data)

    # -- gradient --------------------------------------------------------------

    def trained(self, data: TrainingSet, grow_first: Grow, test_price: float = 0.0) -> Tree:
        """Grow a tree by ``grow_first`` and train it, with the help of a teacher if wanted.

        ``test_price`` is what tests must tell about the teacher's answers to be trained.
        """
        from softwood.refine.distilled import DistilledTree
        from softwood.refine.simplify import DropIdleTests
        from softwood.refine.teacher import Teacher

        descent, report = self._descent(), self._report()
        if self.teacher == 0:
            learnt, held_out = self._held_out(data)
            tree = descent.refine(grow_first(data), learnt, validation=held_out, report=report)
        else:
            n_copies = max(1, round(MIN_LEARNT / data.n_rows))
            teacher = Teacher(self.teacher, n_copies=n_copies, seed=self.seed)
            taught = DistilledTree(teacher, descent, DropIdleTests(test_price))
            tree = taught.grow(data, fully_grown, grow_first, Jobs(self.n_jobs).map, report)
        return settled(tree, Ramp(shape=self.shape), data)

    def _descent(self) -> SoftenByGradient:
        return SoftenByGradient(
            shape=self.shape,
            n_epochs=self.n_epochs,
            learning_rate=self.learning_rate,
            width_penalty=self.width_penalty,
            oblique=self.oblique,
            term_price=self.term_price,
            seed=self.seed,
        )

    def _held_out(self, data: TrainingSet) -> tuple[TrainingSet, TrainingSet | None]:
        """Return the rows to learn from, and those that say when to stop, if any."""
        if self.early_stopping is None:
            return data, None
        n_parts = max(2, min(round(1 / self.early_stopping), data.n_rows))
        learnt, held_out = deal_folds(data.label, n_parts, np.random.default_rng(self.seed))[0]
        return data.take(learnt), data.take(held_out)

    def _report(self) -> Any:
        if not self.verbose:
            return None

        def report(epoch: int, loss: float) -> None:
            import sys

            sys.stderr.write(f"softwood: epoch {epoch + 1}, loss {loss:.4f}\n")

        return report


def settled(tree: Tree, flow: Flow, data: TrainingSet) -> Tree:
    """Return a trained tree without tests that no row passes, with the weights of all rows."""
    from softwood.refine.idle_tests import without_idle_tests

    return with_flow_weights(without_idle_tests(tree, flow, data), flow, data)


def fully_grown(data: TrainingSet) -> Tree:
    """Return a tree of the teacher: until leaves are pure, or have fewer than five numbers."""
    if data.is_regression:
        return GreedyGrower(Cart("squared_error", min_samples_split=5)).grow(data)
    return GreedyGrower(Cart("gini")).grow(data)
