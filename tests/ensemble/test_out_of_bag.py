import numpy as np
import pytest

from softwood.ensemble.ground import CartOfSample, Ground
from softwood.ensemble.growing import grow_trees
from softwood.ensemble.jobs import Jobs
from softwood.ensemble.out_of_bag import permutation_importances
from softwood.ensemble.sampling import Sampling, rows_in_bag
from softwood.flow import Hard
from softwood.forest import Forest
from softwood.grow.greedy import Cart
from tests.ensemble.test_alphas import stumps


@pytest.fixture(scope="module", params=["classes", "numbers"])
def grown(request):
    is_regression = request.param == "numbers"
    data = stumps(is_regression=is_regression)[1]
    ground = Ground.of(data, Sampling("bootstrap"), seed=0)
    policy = Cart("squared_error" if is_regression else "gini", max_depth=3)
    trees = grow_trees([CartOfSample(policy)] * 20, ground)
    bags = rows_in_bag(ground.sampling, 0, 20, data.weight)
    return Forest.average(trees), data, bags


def loss_of(tree, data, rows, X):
    """The weighted loss of one tree, by definition."""
    answer = Hard().predict(tree, X)
    if data.is_regression:
        loss = (answer[:, 0] - data.target[rows]) ** 2
    else:
        loss = answer.argmax(axis=1) != data.label[rows]
    return np.average(loss, weights=data.weight[rows])


def test_importance_is_what_shuffling_costs_on_unseen_rows(grown):
    forest, data, bags = grown
    found = permutation_importances(forest, data, Hard(), bags, seed=0, n_repeats=60)
    rng = np.random.default_rng(1)
    for j in (0, 7):
        unseen = np.setdiff1d(np.arange(data.n_rows), bags[j])
        X = data.X[unseen]
        before = loss_of(forest.trees[j], data, unseen, X)
        for feature in range(3):
            losses = []
            for _ in range(60):
                shuffled = X.copy()
                shuffled[:, feature] = rng.permutation(X[:, feature])
                losses.append(loss_of(forest.trees[j], data, unseen, shuffled))
            error = 4 * np.std(losses) / np.sqrt(30) + 1e-12  # of both means together
            assert found[feature, j] == pytest.approx(np.mean(losses) - before, abs=error)


def test_the_feature_that_matters_is_found(grown):
    forest, data, bags = grown
    found = permutation_importances(forest, data, Hard(), bags, seed=0)
    assert found.shape == (3, 20)
    assert (found.mean(axis=1)[:2] > 0.02).all()
    assert (found[2] == 0).any() or data.is_regression  # not tested by some tree


def test_shuffles_do_not_depend_on_threads(grown):
    forest, data, bags = grown
    alone = permutation_importances(forest, data, Hard(), bags, seed=0)
    assert np.array_equal(
        alone, permutation_importances(forest, data, Hard(), bags, seed=0, jobs=Jobs(2))
    )


def test_a_tree_that_has_seen_all_rows_has_nothing_to_say(grown):
    forest, data, _ = grown
    everything = [np.arange(data.n_rows)] * forest.n_trees
    found = permutation_importances(forest, data, Hard(), everything, seed=0)
    assert not found.any()
