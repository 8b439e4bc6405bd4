"""A teacher: an ensemble whose answers tell a single tree more than bare labels do.

A label says which class a row had; the teacher says how likely each class is there. On
rows it has seen it answers out of bag. Between them it is asked about blurred rows, of
which there are as many as one likes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from softwood._types import FEW_CATEGORIES, AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.ensemble.predict import predict
from softwood.ensemble.sampling import mask_of_bags, rows_in_bag, seed_of_tree
from softwood.learn.bagging import Bagging
from softwood.learn.fitted import ONE_JOB, Fitted
from softwood.learn.forest import ForestLearner
from softwood.learn.soften.ensembles import (
    MANY,
    N_BAGGED,
    bagged,
    cautious,
    fully_grown,
    spectrum,
)
from softwood.learn.soften.wide import columns_that_matter
from softwood.refine.column_spread import spread_of_columns
from softwood.refine.losses import log_loss, squared_error
from softwood.refine.soft_targets import SoftTargets, soft_targets_of

AUTO = "auto"
DOUBT = 0.02  # of answers that are judged by their logarithm
LARGEST = np.finfo(np.float64).max


Ask = Callable[[FloatArray], FloatArray]  # the answers for rows, one line each


class Heard(NamedTuple):
    """The answers for the rows, whom to ask about others, and the columns that matter, if known."""

    said: FloatArray
    ask: Ask
    columns: AnyArray | None = None


@dataclass(frozen=True, kw_only=True)
class AnyTeacher(ABC):
    """What is asked about rows and about blurred copies of them.

    Parameters
    ----------
    trust : float, default=0.5
        Weight of out-of-bag answers against the labels, on the rows themselves.
    n_copies : int, default=1
        Blurred copies of each row, answered by the teacher alone. Columns of many categories
        are dealt anew among them.
    blur : float, default=0.3
        Deviation of their normal noise, in deviations of the features.
    """

    trust: float = 0.5
    n_copies: int = 1
    blur: float = 0.3

    @abstractmethod
    def heard(self, data: TrainingSet, own: SoftTargets, seed: int, jobs: Jobs) -> Heard:
        """Return the answers for the rows, and whom to ask about others."""

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
        own = soft_targets_of(data)
        said, ask, columns = self.heard(data, own, seed, jobs)
        mixed = (1.0 - self.trust) * own.target + self.trust * said
        rng = np.random.default_rng(seed_of_tree(seed, self._n_draws))
        deviation = np.where(data.is_nominal, 0.0, spread_of_columns(data)[1])
        X = np.vstack(
            [data.X, *(self._blurred(data, deviation, rng, columns) for _ in range(self.n_copies))]
        )
        # All copies are asked about at once: a tree is handed over once, not for each copy.
        blurred = ask(X[data.n_rows :])
        weight = np.tile(data.weight, 1 + self.n_copies)
        return SoftTargets(X, np.vstack([mixed, blurred]), weight, columns)

    @property
    def _n_draws(self) -> int:
        """How many seeds the teacher takes for itself."""
        return 0

    def _blurred(
        self,
        data: TrainingSet,
        deviation: FloatArray,
        rng: np.random.Generator,
        columns: AnyArray | None,
    ) -> FloatArray:
        asked = slice(None) if columns is None else columns  # others change no answer
        blurred = data.X.copy()
        with np.errstate(over="ignore"):
            noise = rng.standard_normal(blurred[:, asked].shape)
            blurred[:, asked] += self.blur * deviation[asked] * noise
        np.clip(blurred, -LARGEST, LARGEST, out=blurred)
        for feature in np.flatnonzero(data.n_categories > FEW_CATEGORIES):
            # Else a category of one row would pass for one of many rows that agree.
            blurred[:, feature] = rng.permutation(blurred[:, feature])
        return blurred

    def noise(self, data: TrainingSet, targets: SoftTargets) -> float | None:
        """Return the variance of the numbers about the answers; None for classes.

        If the answers are all there is to learn, it is a hundredth of theirs: finer differences
        are not asked for.
        """
        if not data.is_regression:
            return None
        # What is to be learnt lies between number and answer, at the share of trust.
        off = (data.target - targets.target[: data.n_rows, 0]) / (self.trust or 1.0)
        least = 0.01 * float(np.var(targets.target)) if self.trust == 1.0 else 0.0
        return max(least, float(np.average(off**2, weights=data.weight)))


@dataclass(frozen=True)
class FittedTeacher(AnyTeacher):
    """A model that is there already.

    Parameters
    ----------
    ask : callable
        Takes a matrix of rows and returns an answer for each: probabilities of the classes,
        or a number. It is asked about the rows in their order, once, and about their blurred
        copies, one copy of all after the other.
    trust, n_copies, blur
        As of :class:`AnyTeacher`.
    """

    ask: Ask

    def heard(self, data: TrainingSet, own: SoftTargets, seed: int, jobs: Jobs) -> Heard:
        """Return the answers for the rows, and whom to ask about others."""
        return Heard(self.ask(data.X), self.ask)


@dataclass(frozen=True)
class Teacher(AnyTeacher):
    """Ask an ensemble what to learn, or the best of several.

    Parameters
    ----------
    ensembles : sequence of ForestLearner
        Learn the trees of the teachers, on samples of the rows. Of several, those are asked
        whose answers out of bag are best, alone or together.
    trust, n_copies, blur
        As of :class:`AnyTeacher`.
    """

    ensembles: Sequence[ForestLearner] = field(default_factory=lambda: (Bagging(),))

    @classmethod
    def of(cls, teacher: Any, data: TrainingSet, n_copies: int = 1) -> AnyTeacher:
        """Return the teachers to choose from, so many bagged trees, or what was given."""
        if isinstance(teacher, FittedTeacher):
            return replace(teacher, n_copies=n_copies)
        if teacher == AUTO:
            sharp: ForestLearner = bagged(data)
            if data.n_rows >= MANY and not data.is_regression:
                sharp = Bagging(N_BAGGED, member=fully_grown(data))
            return cls((sharp, spectrum(data), cautious(data)), n_copies=n_copies)
        if isinstance(teacher, ForestLearner):
            if not teacher.sampling.leaves_out_rows:
                raise ValueError(
                    "teacher answers for rows that its trees have not seen, and with "
                    f"sampling={teacher.sampling.kind!r} they see all: use sampling='bootstrap'"
                )
            return cls((teacher,), n_copies=n_copies)
        return cls((Bagging(int(teacher), member=fully_grown(data)),), n_copies=n_copies)

    @property
    def _n_draws(self) -> int:
        return max(ensemble.n_trees for ensemble in self.ensembles)

    def heard(self, data: TrainingSet, own: SoftTargets, seed: int, jobs: Jobs) -> Heard:
        """Return what those who know best say of rows they have not seen, and whom to ask."""
        fitted = [ensemble.fit(data, seed, jobs) for ensemble in self.ensembles]
        said = [
            _out_of_bag(ensemble, one, data, own, seed, jobs)
            for ensemble, one in zip(self.ensembles, fitted, strict=True)
        ]
        share = best_shares(said, data)

        def ask(X: FloatArray) -> FloatArray:
            return sum(
                (
                    part * predict(one.forest, X, one.flow, jobs)
                    for part, one in zip(share, fitted, strict=True)
                    if part > 0.0
                ),
                start=np.zeros(1),
            )

        asked = [one.forest for part, one in zip(share, fitted, strict=True) if part > 0.0]
        return Heard(np.tensordot(share, said, 1), ask, columns_that_matter(asked))


def _out_of_bag(
    ensemble: ForestLearner,
    fitted: Fitted,
    data: TrainingSet,
    own: SoftTargets,
    seed: int,
    jobs: Jobs,
) -> FloatArray:
    """Return the mean answer of the trees that have not seen a row; its own if all have."""
    bags = rows_in_bag(ensemble.sampling, seed, fitted.forest.n_trees, data.weight)
    unseen = ~mask_of_bags(bags, data.n_rows)
    answers = predict(fitted.forest, data.X, fitted.flow, jobs, unseen)
    never = ~unseen.any(axis=1)
    answers[never] = own.target[never]
    return answers


def best_shares(answers: Sequence[FloatArray], data: TrainingSet) -> FloatArray:
    """Return how much each teacher is asked: those are asked, alike, who are best together.

    Parameters
    ----------
    answers : sequence of ndarray of shape (n_rows, n_outputs)
        Out-of-bag answers of each teacher for the rows of ``data``.
    data : TrainingSet
        The rows. Log loss judges classes, and the squared error numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.learn.soften.teacher import best_shares
    >>> data = TrainingSet.of_target(np.zeros((2, 1)), np.array([1.0, 2.0]))
    >>> wrong, nearly = np.array([[2.0], [1.0]]), np.array([[1.1], [2.0]])
    >>> best_shares([wrong, nearly], data).tolist()
    [0.0, 1.0]
    """
    asked = np.array([*product((0.0, 1.0), repeat=len(answers))][1:])  # all but nobody
    mixes = asked / asked.sum(axis=1, keepdims=True)
    losses = [loss_out_of_bag(np.tensordot(mix, answers, 1), data) for mix in mixes]
    return np.asarray(mixes[int(np.argmin(losses))])


def loss_out_of_bag(answer: FloatArray, data: TrainingSet) -> float:
    """Return the mean log loss, or squared error, of answers of a few trees for each row."""
    if data.is_regression:
        lost = squared_error(answer, data)
    else:  # the few trees that have not seen a row may all be sure, and wrong
        lost = log_loss((1.0 - DOUBT) * answer + DOUBT / data.n_classes, data)
    return float(np.average(lost, weights=data.weight))
