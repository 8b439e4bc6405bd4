"""One readable tree of a distributed table: taught by trees that grew where the rows lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.dask.exchange import Deal, joined
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.forest import Forest
from softwood.learn.fitted import Fitted
from softwood.learn.soft_tree import SoftTreeLearner
from softwood.learn.soften import Gradient
from softwood.learn.soften.effort import TRUST_OF_MANY
from softwood.learn.soften.ensembles import MANY
from softwood.learn.soften.teacher import FittedTeacher, best_shares
from softwood.refine.column_spread import facts_of_columns
from softwood.refine.responses import in_given_units

PUPIL = 1  # of the two last numbers in the seed of a partition; samples of an exchange have 0
EVEN = 0.5  # how labels and answers count where rows are few, or numbers


def set_apart(
    parts: Sequence[Any], n_rows: AnyArray, n_apart: int, seed: int
) -> tuple[Any, list[Any], AnyArray]:
    """Return rows drawn over all partitions, and the partitions without them, not computed yet.

    Parameters
    ----------
    parts : sequence of Delayed
        Training sets.
    n_rows : ndarray of shape (n_partitions,)
        How many rows each has.
    n_apart : int
        How many are to be drawn.
    seed : int
        Draws them.

    Returns
    -------
    apart : Delayed
        A training set.
    rest : list of Delayed
        The others.
    n_left : ndarray of shape (n_partitions,)
        How many of them are left in each.
    """
    from dask import delayed

    ends = np.concatenate(([0], np.cumsum(n_rows))) * n_apart // int(n_rows.sum())
    split = delayed(split_rows, nout=2)
    pairs = [
        split(part, Deal(1, j, int(ends[j]), int(ends[j + 1]), seed))
        for j, part in enumerate(parts)
    ]
    apart = delayed(joined)([mine for mine, _ in pairs])
    return apart, [rest for _, rest in pairs], n_rows - np.diff(ends)


def split_rows(data: TrainingSet, deal: Deal) -> tuple[TrainingSet, TrainingSet]:
    """Return the rows of a partition that are drawn, and the others."""
    own = np.random.SeedSequence(deal.seed, spawn_key=(deal.partition, 0, PUPIL))
    drawn = np.zeros(data.n_rows, dtype=bool)
    drawn[np.random.default_rng(own).permutation(data.n_rows)[: deal.stop - deal.start]] = True
    return data.take(drawn), data.take(~drawn)


def taught(
    learner: SoftTreeLearner, teachers: Sequence[Forest], data: TrainingSet, seed: int
) -> Fitted:
    """Return the soft tree of some rows; the teachers have not seen them.

    Parameters
    ----------
    learner : SoftTreeLearner
        Trains the tree.
    teachers : sequence of Forest
        Who answers for the rows, those who know them best; without any the rows are all there
        are, and the learner finds teachers of its own.
    data : TrainingSet
        The rows.
    seed : int
        Of all that is drawn.

    Returns
    -------
    Fitted
        With the facts that a model in memory has of its columns; the tree has the user's weights.
    """
    if teachers:
        assert isinstance(learner.method, Gradient)
        is_sure = not data.is_regression and data.n_rows >= MANY  # as beside teachers of its own
        trust = TRUST_OF_MANY if is_sure else EVEN
        said = [teacher.predict(data.X) for teacher in teachers]
        ask = partial(_ask, teachers, best_shares(said, data))
        method = replace(learner.method, teacher=FittedTeacher(ask, trust=trust))
        learner = replace(learner, method=method)
    fitted = learner.fit(data, seed, Jobs(1))
    tree = in_given_units(fitted.tree, data)
    return Fitted.of_tree(tree, fitted.flow, **fitted.facts, **facts_of_columns(data))


def _ask(teachers: Sequence[Forest], share: FloatArray, X: FloatArray) -> FloatArray:
    asked = zip(share, teachers, strict=True)
    return sum((part * one.predict(X) for part, one in asked if part > 0.0), start=np.zeros(1))
