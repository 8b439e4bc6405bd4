import numpy as np
import pytest

from softwood.ensemble.jobs import Jobs
from softwood.ensemble.out_of_bag import Witnesses, permutation_importances, unseen_gains
from softwood.ensemble.sampling import Sampling, rows_in_bag
from softwood.ensemble.shared_data import SharedTrainingData, grow_trees
from softwood.flow import Hard
from softwood.forest import Forest
from softwood.grow.greedy import Cart
from softwood.learn.bagging import CartOfSample
from tests.ensemble.test_alphas import stumps


@pytest.fixture(scope="module", params=["classes", "numbers"])
def grown(request):
    is_regression = request.param == "numbers"
    data = stumps(is_regression=is_regression)[1]
    shared = SharedTrainingData.of(data, Sampling("bootstrap"), seed=0)
    policy = Cart("squared_error" if is_regression else "gini", max_depth=3)
    trees = grow_trees([CartOfSample(policy)] * 20, shared)
    bags = rows_in_bag(shared.sampling, 0, 20, data.weight)
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


def test_gains_on_unseen_rows_are_steps_along_their_ways(grown):
    forest, data, bags = grown
    witnesses = Witnesses.of(data, seed=3)
    found = unseen_gains(forest, witnesses, Sampling("bootstrap"), 0, data.weight)
    np.testing.assert_allclose(found, slow_gains(forest, data, bags), atol=1e-12)
    two = unseen_gains(forest, witnesses, Sampling("bootstrap"), 0, data.weight, Jobs(2))
    np.testing.assert_array_equal(found, two)


def slow_gains(forest, data, bags):
    """Row by row and test by test; tests are numeric."""
    total = np.zeros(data.X.shape[1])
    for tree, bag in zip(forest.trees, bags, strict=True):
        unseen, gains = sorted(set(range(data.n_rows)) - set(bag.tolist())), 0.0
        gains = np.zeros(data.X.shape[1])
        for i in unseen:
            node = 0
            while tree.feature[node] >= 0:
                goes_right = data.X[i, tree.feature[node]] > tree.threshold[node]
                child = tree.first_child[node] + int(goes_right)
                step = tree.response[child] - tree.response[node]
                if data.is_regression:
                    gain = step[0] * (data.target[i] - tree.response[0, 0])
                else:
                    gain = step[data.label[i]]
                gains[tree.feature[node]] += data.weight[i] * gain
                node = child
        total += gains / data.weight[unseen].sum()
    return total / forest.n_trees


def test_few_rows_are_kept_of_large_tables():
    data = stumps(is_regression=False)[1]
    many = data.take(np.arange(20_000) % data.n_rows)
    assert Witnesses.of(many, 0).rows.n_rows == 2000
    assert Witnesses.of(data, 0).rows.n_rows == data.n_rows
