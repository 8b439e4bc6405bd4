"""How much to smooth a whole ensemble: one lambda for all of its trees.

The trees of an ensemble disagree, and their mean is smooth already; so lambda is smaller than
for a single tree, and may well be 0.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from softwood._types import AnyArray
from softwood.data.folds import deal_folds
from softwood.data.training import TrainingSet
from softwood.ensemble.sampling import mask_of_bags, rows_in_bag
from softwood.ensemble.shared_data import SharedTrainingData
from softwood.flow import Flow, Hard
from softwood.forest import Forest
from softwood.refine.perturbation import Perturbation
from softwood.refine.race import race_by_holdout, race_out_of_bag
from softwood.refine.smoothing import SmoothingPath

MOST_JUDGED = 2000  # rows that judge a lambda: more would take long and tell little
HELD_OUT = 3  # one row in so many

Grow = Callable[[SharedTrainingData], Forest]


def tuned_out_of_bag(
    forest: Forest, shared: SharedTrainingData, loss: str | None = None
) -> SmoothingPath | None:
    """Choose lambda by rows that ask the trees which have not seen them.

    Parameters
    ----------
    forest : Forest
        Grown on ``shared``.
    shared : SharedTrainingData
        With a bootstrap.
    loss : str, optional
        See :func:`softwood.refine.race.race_out_of_bag`.

    Returns
    -------
    SmoothingPath or None
        None if there is nothing to smooth, or no row to judge it by.
    """
    data = shared.data
    bags = rows_in_bag(shared.sampling, shared.seed, forest.n_trees, data.weight)
    in_bag = mask_of_bags(bags, data.n_rows)
    if not forest.has_tests or in_bag.all():
        return None
    rows = _some(np.flatnonzero(~in_bag.all(axis=1)), shared.seed)
    # Another forest of the same trees: those that are made to try lambdas go with it.
    tried, judged = forest.replace(), data.take(rows)
    noise = Perturbation.of(data)
    return race_out_of_bag(tried, judged, in_bag[rows], noise, loss, shared.seed)


def tuned_by_holdout(
    grow: Grow, shared: SharedTrainingData, loss: str | None = None
) -> SmoothingPath | None:
    """Choose lambda by a third of the rows, for an ensemble that was grown on the others.

    Parameters
    ----------
    grow : callable
        Grows an ensemble on another shared.
    shared : SharedTrainingData
        All rows.
    loss : str, optional
        See :func:`softwood.refine.race.race_by_holdout`.

    Returns
    -------
    SmoothingPath or None
        None if there is nothing to smooth, or no row to judge it by.
    """
    data = shared.data
    train, test = deal_folds(data.label, HELD_OUT, np.random.default_rng(shared.seed))[0]
    if train.size == 0 or test.size == 0:
        return None
    forest = grow(shared.again(data.take(train)))
    if not forest.has_tests:
        return None
    held_out = data.take(_some(test, shared.seed))
    return race_by_holdout(forest, held_out, Perturbation.of(data), loss, shared.seed)


def perturbed(data: TrainingSet, smoothing: float) -> Flow:
    """Return the flow of a lambda that is given."""
    if smoothing == 0.0:  # a table need not be measured for nothing
        return Hard()
    return Perturbation.of(data).at(smoothing)


def _some(rows: AnyArray, seed: int) -> AnyArray:
    """Return the rows, or as many of them as are enough."""
    if rows.size <= MOST_JUDGED:
        return rows
    chosen = np.random.default_rng(seed).choice(rows.size, MOST_JUDGED, replace=False)
    return rows[np.sort(chosen)]
