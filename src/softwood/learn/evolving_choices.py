"""What is chosen before evolution begins: the noise, and trees for the first population."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.folds import deal_folds
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.flow import Flow
from softwood.forest.ties import most_probable
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.learn.c45 import C45Learner
from softwood.refine.cost_complexity import pruning_sequence
from softwood.tree import Tree

GRID = (0.001, 0.003, 0.007, 0.01, 0.03, 0.1, 0.3, 1.0)
MOST_FOUNDERS = 20
SHARE_OF_FOUNDERS = 4  # at most one member in so many is not random

# From rows, a variance and a seed to a tree and the flow to ask it with.
Fit = Callable[[TrainingSet, float, np.random.SeedSequence], tuple[Tree, Flow]]


class Choice(NamedTuple):
    """The noise, and how it was chosen.

    Attributes
    ----------
    sigma2 : ndarray of shape (n_features,)
        Its variance, over that of each column.
    path : dict or None
        Arrays ``sigma2`` and ``error``: what cross-validation came to.
    """

    sigma2: FloatArray
    path: dict[str, FloatArray] | None = None


def given_sigma2(sigma2: Any, n_features: int) -> Choice:
    """Return the variance that the user has given, for every column."""
    variance = np.asarray(sigma2, dtype=np.float64)
    if variance.shape not in ((), (n_features,)):
        raise ValueError(
            f"sigma2 must be a number or one for each of the {n_features} columns; got shape "
            f"{variance.shape}"
        )
    if not (np.isfinite(variance).all() and (variance > 0.0).all()):
        raise ValueError(
            f"sigma2 must be finite and positive; got {sigma2!r}. For no noise at all use "
            "risk='empirical'"
        )
    return Choice(np.broadcast_to(variance, (n_features,)).copy())


def choose_sigma2(
    data: TrainingSet, fit: Fit, n_folds: int, seed: np.random.SeedSequence, jobs: Jobs
) -> Choice:
    """Return the variance with the fewest errors in cross-validation.

    Parameters
    ----------
    data : TrainingSet
        All rows.
    fit : callable
        Evolves a tree.
    n_folds : int
        Number of folds; fewer if there are fewer rows.
    seed : SeedSequence
        Of folds and runs; runs on one fold start alike.
    jobs : Jobs
        How many runs go on at once.

    Returns
    -------
    Choice
        Of several variances that are equally good the largest.
    """
    n_folds = min(n_folds, data.n_rows)
    if n_folds < 2:
        raise ValueError("sigma2='cv' needs at least two rows; give a number instead")
    dealing, running = seed.spawn(2)
    folds = deal_folds(data.label, n_folds, np.random.default_rng(dealing))
    seeds = running.spawn(n_folds)

    def wrong_weight(cell: tuple[float, int]) -> float:
        sigma2, k = cell
        train, test = folds[k]
        tree, flow = fit(data.take(train), sigma2, seeds[k])
        return _wrong_weight(tree, flow, data, test)

    cells = list(product(GRID, range(n_folds)))
    wrong = np.reshape(jobs.each(wrong_weight, cells), (len(GRID), n_folds)).sum(axis=1)
    error = wrong / data.weight.sum()
    best = int(np.flatnonzero(error <= error.min() + 1e-12)[-1])
    path = {"sigma2": np.array(GRID), "error": error}
    return Choice(np.full(data.X.shape[1], GRID[best]), path)


def _wrong_weight(tree: Tree, flow: Flow, data: TrainingSet, rows: AnyArray) -> float:
    answer = most_probable(flow.predict(tree, data.X[rows]))
    return float(data.weight[rows][answer != data.label[rows]].sum())


def founders(data: TrainingSet, population_size: int) -> list[Tree]:
    """Return trees of CART, pruned to many sizes, and of C4.5, unpruned and pruned."""
    most = min(MOST_FOUNDERS, max(1, population_size // SHARE_OF_FOUNDERS))
    trees = [C45Learner().grow(data), C45Learner(pruning=None).grow(data)]
    sequence = pruning_sequence(GreedyGrower(Cart()).grow(data))
    places = np.linspace(0, sequence.alphas.size - 1, most).round().astype(int)
    trees += [sequence.at(sequence.alphas[place]) for place in np.unique(places)]
    return trees[:most]
