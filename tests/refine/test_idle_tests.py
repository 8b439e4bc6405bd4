"""Tests that tell too little are dropped, and tests that no row can pass: by what must hold."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.data.training import TrainingSet
from softwood.flow import Hard, Ramp, leaf_of
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.learn.bagging import Bagging
from softwood.learn.soften import Gradient
from softwood.learn.soften.ensembles import fully_grown
from softwood.learn.soften.method import Setting
from softwood.learn.soften.teacher import Teacher
from softwood.refine.idle_tests import DropCheapTests, cost_as_leaf, without_idle_tests
from softwood.refine.responses import node_weights, with_flow_weights
from softwood.refine.soft_targets import SoftTargets, soft_targets_of
from softwood.tree import NUMERIC
from tests.refine.test_gradient import classes, grown, numbers
from tests.strategies import checked, tree_of, trees_and_rows

NOISE = 4.0


def softly_taught(data, seed=0):
    """Answers as a teacher gives them: shares of classes, or numbers nearer to the mean."""
    own = soft_targets_of(data)
    if data.is_regression:
        return SoftTargets(own.X, 0.5 * (own.target + own.target.mean()), own.weight)
    drawn = np.random.default_rng(seed).dirichlet(np.ones(3), data.n_rows)
    weight = np.random.default_rng(seed + 1).uniform(0.5, 2.0, data.n_rows)
    return SoftTargets(own.X, 0.7 * own.target + 0.3 * drawn, weight)


def deviance(tree, soft_targets, noise=None):
    """Nats per row, by the definition: what leaves lose that give their mean answers."""
    total = 0.0
    leaf = leaf_of(tree, soft_targets.X)
    for rows in (np.flatnonzero(leaf == k) for k in np.unique(leaf)):
        answer, weight = soft_targets.target[rows], soft_targets.weight[rows]
        mean = np.average(answer, axis=0, weights=weight)
        loss = (answer - mean) ** 2 / (2 * noise) if noise else -answer * np.log(mean)
        total += np.sum(weight[:, None] * loss)
    return total / soft_targets.weight.sum()


def all_pruned(tree):
    """Every tree that pruning can make, by brute force."""
    inner = np.flatnonzero(~tree.is_leaf)
    for chosen in itertools.product((False, True), repeat=inner.size):
        mask = np.zeros(tree.n_nodes, dtype=bool)
        mask[inner] = chosen
        yield tree.compact(leaves=mask)


@pytest.mark.parametrize("make", [classes, numbers])
@given(price=st.floats(0.05, 60.0), seed=st.integers(0, 99))
@settings(deadline=None, max_examples=8)
def test_no_pruned_tree_is_better_at_the_price(make, price, seed):
    data = make(120, seed)
    criterion = "squared_error" if data.is_regression else "gini"
    tree = GreedyGrower(Cart(criterion, max_depth=3, min_samples_leaf=15)).grow(data)
    soft_targets, noise = softly_taught(data, seed), NOISE if data.is_regression else None

    def objective(pruned):
        return 120 * deviance(pruned, soft_targets, noise) + price * pruned.n_leaves

    found = DropCheapTests(price).refine(tree, soft_targets, 120, noise)
    assert objective(found) == pytest.approx(min(map(objective, all_pruned(tree))), rel=1e-6)


@pytest.mark.parametrize("make", [classes, numbers])
def test_costs_of_the_leaves_add_up_to_the_deviance(make):
    data = make(200)
    tree, soft_targets = grown(data), softly_taught(data)
    cost = cost_as_leaf(tree, soft_targets, data.is_regression)
    noise = 0.5 if data.is_regression else None  # with which nats are squared errors
    assert_allclose(cost[tree.is_leaf].sum(), deviance(tree, soft_targets, noise))
    stump = tree.compact(leaves=np.ones(tree.n_nodes, dtype=bool))
    assert_allclose(cost[0], deviance(stump, soft_targets, noise))


def test_missing_values_count_by_their_mass():
    data = classes(300, missing=0.2)
    tree = grown(data)
    cost = cost_as_leaf(tree, softly_taught(data), squared=False)
    inner = np.flatnonzero(~tree.is_leaf)
    below = [sum(cost[child] for child in tree.children(node)) for node in inner]
    assert np.all(below <= cost[inner] + 1e-12)


def test_copies_and_weights_do_not_make_a_test_worth_more():
    data = classes(200)
    tree, soft_targets = grown(data, leaf=5), softly_taught(data)
    doubled = SoftTargets(
        np.vstack([soft_targets.X] * 2),
        np.vstack([soft_targets.target] * 2),
        np.tile(3 * soft_targets.weight, 2),
    )
    once, twice = (DropCheapTests(1.0).refine(tree, each, 200) for each in (soft_targets, doubled))
    assert once == twice
    assert 1 < once.n_leaves < tree.n_leaves


def test_free_tests_stay_and_dear_ones_go():
    data = classes(200)
    tree, soft_targets = grown(data), softly_taught(data)
    assert DropCheapTests(0.0).refine(tree, soft_targets, 200) is tree
    assert DropCheapTests(1e6).refine(tree, soft_targets, 200).n_leaves == 1


def test_numbers_without_noise_keep_what_tells_anything():
    data = numbers(200)
    tree = grown(data)
    assert DropCheapTests(1.0).refine(tree, softly_taught(data), 200, 0.0) == tree


@pytest.mark.parametrize("price", [-1.0, float("nan")])
def test_a_price_is_not_negative(price):
    with pytest.raises(ValueError, match="price must be at least 0; got"):
        DropCheapTests(price)


@pytest.mark.parametrize("make", [classes, numbers])
def test_a_taught_tree_trains_what_is_left(make):
    data = make(150)
    free, paid = (
        Gradient(teacher=10, n_epochs=3, test_price=price)
        .learn(data, lambda part: grown(part, leaf=5), Setting())
        .tree
        for price in (0.0, 1.0)
    )
    assert 1 < paid.n_leaves < free.n_leaves


def test_noise_is_the_distance_to_the_teacher_not_to_the_soft_targets():
    data = numbers(150)
    noises = []
    for trust in (0.5, 1.0):
        teacher = Teacher((Bagging(5, member=fully_grown(data)),), trust=trust)
        noises.append(teacher.noise(data, teacher.soft_targets(data, seed=0)))
    assert noises[0] == pytest.approx(noises[1])
    assert noises[0] > 0


# -- tests that no row can pass -----------------------------------------------------

flows = st.sampled_from([Hard(), Ramp(), Ramp(shape="logistic")])


def data_of(tree, X, weight=None):
    return TrainingSet.of_target(X, np.zeros(len(X)), weight=weight)


@given(trees_and_rows(max_tests=8), flows)
@checked
def test_without_sides_that_get_nothing_rows_are_answered_as_before(case, flow):
    tree, X = case
    kept = without_idle_tests(tree, flow, data_of(tree, X), least_rows=0.0)
    assert_allclose(flow.predict(kept, X), flow.predict(tree, X), rtol=0, atol=1e-12)
    weight = node_weights(kept, flow, data_of(tree, X))
    for node in np.flatnonzero(kept.n_children):
        children = weight[list(kept.children(int(node)))]
        assert np.count_nonzero(children) > 1


@given(trees_and_rows(max_tests=8), flows, st.sampled_from([0.1, 1.0, 3.0]))
@checked
def test_every_test_that_stays_divides_the_rows(case, flow, least):
    tree, X = case
    kept = without_idle_tests(tree, flow, data_of(tree, X), least)
    weight = node_weights(kept, flow, data_of(tree, X))
    for node in np.flatnonzero(kept.n_children):
        children = weight[list(kept.children(int(node)))]
        assert children.sum() - children.max() > least * (1.0 - 1e-9)


@given(trees_and_rows(max_tests=6, missing=False), flows)
@checked
def test_weights_add_up_to_those_of_the_rows(case, flow):
    tree, X = case
    weight = np.arange(1.0, len(X) + 1)
    soft = with_flow_weights(tree, flow, data_of(tree, X, weight))
    expected = np.asarray(flow.reach(tree, X).T @ weight)
    # Categories that nobody knows divide by the weights, which change.
    if not (tree.kind == 2).any():
        assert_allclose(soft.weight, expected, rtol=1e-12, atol=1e-12)
    assert_allclose(soft.weight[0], weight.sum())
    assert_array_equal(soft.response[soft.leaves], tree.response[tree.leaves])


def test_a_chain_of_idle_tests_goes_at_once():
    def test(first, cut):
        return {"kind": NUMERIC, "feature": 0, "threshold": cut, "first": first, "n_children": 2}

    leaf = [{"response": [float(k)]} for k in range(4)]
    tree = tree_of([test(1, -9.0), leaf[0], test(3, 9.0), test(5, 0.5), leaf[1], *leaf[2:]], 1)
    data = TrainingSet.of_target(np.array([[0.0], [1.0]]), np.zeros(2))
    kept = without_idle_tests(tree, Hard(), data)
    assert kept.n_nodes == 3
    assert kept.threshold[0] == 0.5
    assert_array_equal(kept.response[1:, 0], [2.0, 3.0])
