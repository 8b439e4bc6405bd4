"""What an ensemble has to say about rows it was trained on: each asks the trees that missed it."""

from __future__ import annotations

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.ensemble.judging import mean_loss
from softwood.ensemble.sampling import SHUFFLES, generator_for, seed_of_tree
from softwood.flow import Flow
from softwood.forest import Forest
from softwood.tree import Tree


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
        unseen = np.ones(data.n_rows, dtype=bool)
        unseen[bags[number]] = False
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
