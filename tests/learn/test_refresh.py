"""Refreshing as a learner does it: corrections of small leaves, and lambda by folds."""

import numpy as np
import pytest

from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.flow import Hard
from softwood.forest import Forest
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.learn.c45 import laplace_corrected
from softwood.learn.refresh import MOST_JUDGED, Refresher, _some
from softwood.refine.perturbation import Perturbation
from softwood.refine.refresh import RefreshLeaves

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 2))
Y = np.where(RNG.random(300) < 0.2, 1, 0) ^ (X.sum(axis=1) > 0)
OLD, NEW = (TrainingSet.of_classes(X[part], Y[part]) for part in (slice(150), slice(150, None)))
FOREST = Forest.average([GreedyGrower(Cart()).grow(OLD)])


def test_small_leaves_answer_as_above_and_empty_ones_as_before():
    tree = FOREST.trees[0]
    plain, reached = RefreshLeaves().refreshed(tree, NEW)
    found = Refresher(curtail=2.0).refreshed(FOREST, NEW)[0].trees[0]
    leaves = tree.leaves
    small = leaves[reached & (plain.weight[leaves] <= 2.0)]
    assert small.size > 0
    assert (~reached).any()
    for leaf in small.tolist():
        above = leaf
        while plain.weight[above] <= 2.0:
            above = tree.parent[above]
        np.testing.assert_array_equal(found.response[leaf], plain.response[above])
    empty = leaves[~reached]
    np.testing.assert_array_equal(found.response[empty], tree.response[empty])
    large = np.setdiff1d(np.arange(tree.n_nodes), np.concatenate([small, empty]))
    np.testing.assert_array_equal(found.response[large], plain.response[large])


def test_one_more_case_of_every_class():
    plain, reached = RefreshLeaves().refreshed(FOREST.trees[0], NEW)
    found = Refresher(laplace=True).refreshed(FOREST, NEW)[0].trees[0]
    met = plain.leaves[reached]
    np.testing.assert_array_equal(found.response[met], laplace_corrected(plain)[met])


def test_lambda_is_judged_by_rows_that_the_leaves_have_not_seen():
    noise = Perturbation.of(NEW)
    path = Refresher().tuned(FOREST, NEW, noise, "brier", jobs=Jobs(2))
    again = Refresher().tuned(FOREST, NEW, noise, "brier")
    np.testing.assert_array_equal(path.losses, again.losses)
    assert path.smoothing > 0.0
    own = Refresher().refreshed(FOREST, NEW)[0].predict(X[150:], Hard())
    flattering = np.mean((own[:, 1] - Y[150:]) ** 2)
    assert path.losses[0] > 1.2 * flattering  # at 0 leaves answer rows of other folds


def test_nothing_to_smooth():
    noise = Perturbation.of(NEW)
    stump = Forest.average([FOREST.trees[0].compact(np.ones(FOREST.trees[0].n_nodes, bool))])
    assert Refresher().tuned(stump, NEW, noise) is None
    assert Refresher().tuned(FOREST, NEW.take(np.array([3])), noise) is None


@pytest.mark.parametrize("n_rows", [5, MOST_JUDGED + 7])
def test_not_more_rows_judge_than_are_needed(n_rows):
    assert _some(n_rows, np.random.default_rng(0)).sum() == min(n_rows, MOST_JUDGED)
