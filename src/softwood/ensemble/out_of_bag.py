"""What an ensemble has to say about rows it was trained on: each asks the trees that missed it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.ensemble.sampling import (
    SHUFFLES,
    Sampling,
    generator_for,
    mask_of_bags,
    seed_of_tree,
)
from softwood.flow import Flow, Hard
from softwood.forest import Forest
from softwood.refine.gains import by_feature
from softwood.refine.losses import mean_loss
from softwood.tree import Tree

# Rows kept for importances: enough to tell shares of a hundredth, and no burden.
MOST_WITNESSES, MOST_CELLS = 2000, 1 << 20


def permutation_importances(
    forest: Forest,
    data: TrainingSet,
    flow: Flow,
    bags: list[AnyArray],
    seed: int,
    n_repeats: int = 1,
    jobs: Jobs | None = None,
) -> FloatArray:
    """Return what each tree loses on unseen rows when a feature is shuffled among them.

    Parameters
    ----------
    forest : Forest
        The trees.
    data : TrainingSet
        Their training rows.
    flow : Flow
        How rows flow.
    bags : list of ndarray
        The rows that each tree has seen.
    seed : int
        Seed of the ensemble.
    n_repeats : int, default=1
        How often to shuffle.
    jobs : Jobs, optional
        How many trees are asked at once.

    Returns
    -------
    ndarray of shape (n_features, n_trees)
        By how much the share of wrong classes, or the squared error, grows.

    References
    ----------
    .. [1] L. Breiman (2001). Random forests. Machine Learning 45, section 10.
    """

    def of_tree(number: int) -> FloatArray:
        unseen = ~mask_of_bags([bags[number]], data.n_rows)[:, 0]
        rng = generator_for(seed_of_tree(seed, number), SHUFFLES)
        return _importances(forest.trees[number], data.take(unseen), flow, n_repeats, rng)

    return np.stack((jobs or Jobs()).each(of_tree, range(forest.n_trees)), axis=1)


def _importances(
    tree: Tree, unseen: TrainingSet, flow: Flow, n_repeats: int, rng: np.random.Generator
) -> FloatArray:
    found = np.zeros(tree.n_features)
    if unseen.n_rows == 0:
        return found
    before = mean_loss(flow.predict(tree, unseen.X), unseen)
    # A feature that is not tested makes no difference, and need not cost time.
    for feature in np.unique(tree.feature[tree.feature >= 0]):
        shuffled, losses = unseen.X.copy(), []
        for _ in range(n_repeats):
            shuffled[:, feature] = rng.permutation(unseen.X[:, feature])
            losses.append(mean_loss(flow.predict(tree, shuffled), unseen))
        found[feature] = np.mean(losses) - before
    return found


@dataclass(frozen=True, slots=True)
class Witnesses:
    """Some training rows, kept to be asked later by the trees that have not seen them.

    Parameters
    ----------
    numbers : ndarray of shape (n_kept,)
        Which of the training rows they are.
    rows : TrainingSet
        The rows.
    """

    numbers: AnyArray
    rows: TrainingSet

    @classmethod
    def of(cls, data: TrainingSet, seed: int) -> Witnesses:
        """Keep some rows of a training set, all if there are few."""
        n_kept = min(data.n_rows, MOST_WITNESSES, max(100, MOST_CELLS // data.X.shape[1]))
        rng = np.random.default_rng(seed)
        numbers = np.sort(rng.choice(data.n_rows, n_kept, replace=False))
        return cls(numbers, data.take(numbers))


def unseen_gains(
    forest: Forest,
    witnesses: Witnesses,
    sampling: Sampling,
    seed: int,
    weight: FloatArray,
    jobs: Jobs | None = None,
) -> FloatArray:
    """Return how much the tests on each feature gain on rows that their tree has not seen.

    A test on the way of a row gains what it adds to the probability of the row's class, or, in
    regression, the step of the answer times how far the target is from the mean. A feature that
    says nothing gains nothing on average, however many cuts it offers, because the steps
    were found on other rows; the impurity of the training rows falls by any test.

    Parameters
    ----------
    forest : Forest
        Trees that were grown from bootstraps.
    witnesses : Witnesses
        The rows to be asked.
    sampling : Sampling
        How the bootstraps were drawn.
    seed : int
        Seed of the ensemble.
    weight : ndarray of shape (n_rows,)
        Weights of all training rows.
    jobs : Jobs, optional
        How many trees are asked at once.

    Returns
    -------
    ndarray of shape (n_features,)
        Mean over trees and rows.

    References
    ----------
    .. [1] X. Li, Y. Wang, S. Basu, K. Kumbier, B. Yu (2019). A debiased MDI feature importance
       measure for random forests. NeurIPS, section 4.
    """

    def of_tree(number: int) -> FloatArray:
        drawn = sampling.rows([seed_of_tree(seed, number)], weight)
        assert drawn is not None
        seen = mask_of_bags([drawn[0]], weight.size)[:, 0]
        unseen = witnesses.rows.take(~seen[witnesses.numbers])
        tree = forest.trees[number]
        gain = _gain_of_tests(tree, unseen) / max(unseen.weight.sum(), np.finfo(float).tiny)
        return by_feature(tree, gain)

    gains = (jobs or Jobs()).each(of_tree, range(forest.n_trees))
    return np.asarray(np.mean(gains, axis=0))


def _gain_of_tests(tree: Tree, unseen: TrainingSet) -> FloatArray:
    reached = Hard().reach(tree, unseen.X).tocoo()
    below = reached.col > 0
    row, node, mass = reached.row[below], reached.col[below], reached.data[below]
    parent = tree.parent[node]
    if unseen.is_regression:
        step = tree.response[node, 0] - tree.response[parent, 0]
        step = step * (unseen.target[row] - tree.response[0, 0])
    else:
        label = unseen.label[row]
        step = tree.response[node, label] - tree.response[parent, label]
    gain = mass * unseen.weight[row] * step
    return np.asarray(np.bincount(parent, gain, minlength=tree.n_nodes))
