"""A teacher: an ensemble whose answers tell a single tree more than bare labels do.

A label says which class a row had; the teacher says how likely each class is there. On
rows it has seen it answers out of bag. Between them it is asked about blurred rows, of
which there are as many as one likes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from softwood._types import FEW_CATEGORIES, FloatArray
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.ensemble.predict import predict
from softwood.ensemble.sampling import mask_of_bags, rows_in_bag, seed_of_tree
from softwood.learn.bagging import Bagging
from softwood.learn.cart import CartLearner
from softwood.learn.fitted import ONE_JOB, Fitted
from softwood.learn.forest import ForestLearner
from softwood.refine.column_spread import spread_of_columns
from softwood.refine.soft_targets import SoftTargets, soft_targets_of

LARGEST = np.finfo(np.float64).max


@dataclass(frozen=True)
class Teacher:
    """Ask an ensemble what to learn.

    Parameters
    ----------
    ensemble : ForestLearner
        Learns the trees of the teacher, on bootstraps of the rows.
    trust : float, default=0.5
        Weight of its out-of-bag answers against the labels, on the rows themselves.
    n_copies : int, default=1
        Blurred copies of each row, answered by the teacher alone. Columns of many categories
        are dealt anew among them.
    blur : float, default=0.3
        Deviation of their normal noise, in deviations of the features.
    """

    ensemble: ForestLearner = field(default_factory=Bagging)
    trust: float = 0.5
    n_copies: int = 1
    blur: float = 0.3

    @classmethod
    def of(cls, teacher: Any, data: TrainingSet, n_copies: int = 1) -> Teacher:
        """Return so many bagged trees that suit the data, or the ensemble that is given."""
        if isinstance(teacher, ForestLearner):
            if not teacher.sampling.leaves_out_rows:
                raise ValueError(
                    "teacher answers for rows that its trees have not seen, and with "
                    f"sampling={teacher.sampling.kind!r} they see all: use sampling='bootstrap'"
                )
            return cls(teacher, n_copies=n_copies)
        return cls(Bagging(int(teacher), member=fully_grown(data)), n_copies=n_copies)

    def soft_targets(self, data: TrainingSet, seed: int, jobs: Jobs = ONE_JOB) -> SoftTargets:
        """Return what the teacher has to say about ``data``.

        Parameters
        ----------
        data : TrainingSet
            The rows.
        seed : int
            Makes samples and noise repeatable.
        jobs : Jobs
            How many trees grow, or answer, at once.
        """
        fitted = self.ensemble.fit(data, seed, jobs)
        own = soft_targets_of(data)
        answers = self._out_of_bag(fitted, data, own, seed, jobs)
        mixed = (1.0 - self.trust) * own.target + self.trust * answers
        rng = np.random.default_rng(seed_of_tree(seed, self.ensemble.n_trees))
        deviation = np.where(data.is_nominal, 0.0, spread_of_columns(data)[1])
        X = np.vstack(
            [data.X, *(self._blurred(data, deviation, rng) for _ in range(self.n_copies))]
        )
        # All copies are asked about at once: a tree is handed over once, not for each copy.
        blurred = predict(fitted.forest, X[data.n_rows :], fitted.flow, jobs)
        return SoftTargets(X, np.vstack([mixed, blurred]), np.tile(data.weight, 1 + self.n_copies))

    def _out_of_bag(
        self, fitted: Fitted, data: TrainingSet, own: SoftTargets, seed: int, jobs: Jobs
    ) -> FloatArray:
        """Return the mean answer of the trees that have not seen a row; its own if all have."""
        bags = rows_in_bag(self.ensemble.sampling, seed, fitted.forest.n_trees, data.weight)
        unseen = ~mask_of_bags(bags, data.n_rows)
        answers = predict(fitted.forest, data.X, fitted.flow, jobs, unseen)
        never = ~unseen.any(axis=1)
        answers[never] = own.target[never]
        return answers

    def _blurred(
        self, data: TrainingSet, deviation: FloatArray, rng: np.random.Generator
    ) -> FloatArray:
        with np.errstate(over="ignore"):
            blurred = data.X + self.blur * deviation * rng.standard_normal(data.X.shape)
        np.clip(blurred, -LARGEST, LARGEST, out=blurred)
        for feature in np.flatnonzero(data.n_categories > FEW_CATEGORIES):
            # Else a category of one row would pass for one of many rows that agree.
            blurred[:, feature] = rng.permutation(blurred[:, feature])
        return blurred

    def noise(self, data: TrainingSet, targets: SoftTargets) -> float | None:
        """Return the variance of the numbers about the out-of-bag answers; None for classes."""
        if not data.is_regression:
            return None
        # What is to be learnt lies between number and answer, at the share of trust.
        off = (data.target - targets.target[: data.n_rows, 0]) / (self.trust or 1.0)
        return float(np.average(off**2, weights=data.weight))


def fully_grown(data: TrainingSet) -> CartLearner:
    """Return what grows until leaves are pure, or have fewer than five numbers."""
    if data.is_regression:
        return CartLearner("squared_error", min_samples_split=5)
    return CartLearner("gini")
