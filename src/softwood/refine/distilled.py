"""The taught tree: grown and trained on the answers of bagged trees.

Labels alone let a soft tree of many leaves over-fit. A teacher's answers are smoother, and
there are answers for rows that were never seen. The tree learns three times from them:
its tests are chosen on the teacher's verdicts, cuts, widths and leaves descend on its
probabilities, and a last slow descent on the true rows alone sets the probabilities right.
On request, tests that tell little about the teacher's answers are not trained but dropped.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.refine.column_spread import spread_of_columns
from softwood.refine.gradient import Report, SoftenByGradient
from softwood.refine.simplify import DropIdleTests
from softwood.refine.soft_targets import SoftTargets
from softwood.refine.teacher import Grow, Map, Teacher
from softwood.tree import Tree

# Epochs of the descent on the true rows, and its rate as a share of the first.
LAST, LAST_OF_OBLIQUE = (10, 0.25), (20, 0.5)


@dataclass(frozen=True)
class DistilledTree:
    """Grow and soften a tree with the help of a teacher.

    Parameters
    ----------
    teacher : Teacher
        Whom to ask.
    descent : SoftenByGradient
        How to train.
    simplify : DropIdleTests, optional
        Which tests to train; all by default.
    """

    teacher: Teacher = field(default_factory=Teacher)
    descent: SoftenByGradient = field(default_factory=SoftenByGradient)
    simplify: DropIdleTests | None = None

    def grow(
        self,
        data: TrainingSet,
        grow_full: Grow,
        grow_first: Grow,
        run: Map | None = None,
        report: Report | None = None,
    ) -> Tree:
        """Return the soft tree; predict with ``Ramp(shape=descent.shape)``.

        Parameters
        ----------
        data : TrainingSet
            The rows.
        grow_full : callable
            Grows the trees of the teacher.
        grow_first : callable
            Grows the tree that is softened, from rows labelled by the teacher.
        run : callable, optional
            Runs a function over numbers, perhaps in parallel.
        report : callable, optional
            Is told the epoch and the loss.
        """
        taught = self.teacher.soft_targets(grow_full, data, _blurs(data), run)
        tree = grow_first(_as_training_set(data, taught))
        if self.simplify is not None:
            tree = self.simplify.refine(tree, taught, data.n_rows, self._noise(data, taught))
        soft = self.descent.refine(tree, data, taught, report=report)
        own = SoftTargets(
            *(part[: data.n_rows] for part in (taught.X, taught.target, taught.weight))
        )
        n_epochs, rate = LAST_OF_OBLIQUE if self.descent.oblique else LAST
        last = replace(
            self.descent,
            n_epochs=n_epochs,
            learning_rate=rate * self.descent.learning_rate,
            width=None,
            oblique=False,  # the terms that were kept go on, others do not come back
        )
        return last.refine(soft, data, own)

    def _noise(self, data: TrainingSet, soft_targets: SoftTargets) -> float | None:
        """Return the variance of the numbers about the out-of-bag answers."""
        if not data.is_regression:
            return None
        # What is to be learnt lies between number and answer, at the share of trust.
        trust = self.teacher.trust or 1.0
        off = (data.target - soft_targets.target[: data.n_rows, 0]) / trust
        return float(np.average(off**2, weights=data.weight))


def _blurs(data: TrainingSet) -> FloatArray:
    return np.where(data.is_nominal, 0.0, spread_of_columns(data)[1])


def _as_training_set(data: TrainingSet, soft_targets: SoftTargets) -> TrainingSet:
    if data.is_regression:
        return replace(
            data,
            X=soft_targets.X,
            weight=soft_targets.weight,
            target=np.ascontiguousarray(soft_targets.target[:, 0], dtype=np.float64),
            label=np.zeros(soft_targets.weight.size, dtype=np.uint16),
        )
    label = soft_targets.target.argmax(axis=1).astype(np.uint16)
    return replace(data, X=soft_targets.X, weight=soft_targets.weight, label=label)
