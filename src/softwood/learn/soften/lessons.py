"""Lessons: what a teacher has said of the rows and of blurred ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.refine.soft_targets import SoftTargets, soft_targets_of


class Lessons(NamedTuple):
    """What is to be learnt, the noise of numbers, and how much of it is the teacher's word."""

    targets: SoftTargets
    noise: float | None
    trust: float

    def of_rows(self, rows: AnyArray, n_rows: int) -> Lessons:
        """Return what was said of some of the rows, and of their blurred copies."""
        return self._replace(targets=self.targets.of_rows(rows, n_rows))

    def of_true_rows(self, data: TrainingSet) -> SoftTargets:
        """Return what was said of the rows themselves, and not of their blurred copies."""
        targets, n_rows = self.targets, data.n_rows
        return SoftTargets(targets.X[:n_rows], targets.target[:n_rows], targets.weight[:n_rows])

    def taught(self, data: TrainingSet) -> FloatArray:
        """Return what the teacher said of the rows: part of what is to be learnt are labels.

        Examples
        --------
        >>> import numpy as np
        >>> from softwood.data.training import TrainingSet
        >>> from softwood.learn.soften.lessons import Lessons
        >>> from softwood.refine.soft_targets import SoftTargets
        >>> data = TrainingSet.of_classes(np.zeros((2, 1)), [0, 1])
        >>> mixed = np.array([[0.75, 0.25], [0.5, 0.5]])
        >>> Lessons(SoftTargets(data.X, mixed, data.weight), None, 0.5).taught(data).tolist()
        [[0.5, 0.5], [1.0, 0.0]]
        """
        own = soft_targets_of(data).target
        mixed = self.targets.target[: data.n_rows]
        return np.clip((mixed - (1.0 - self.trust) * own) / self.trust, 0.0, None)
