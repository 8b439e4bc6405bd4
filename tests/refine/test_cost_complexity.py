import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.training import TrainingSet
from softwood.flow import Gaussian, Hard
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.refine.collapse import leaf_errors
from softwood.refine.cost_complexity import (
    choose_by_folds,
    choose_by_validation,
    pruning_sequence,
    validation_costs,
)


def noisy(seed, n=60, n_classes=3, regression=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, (n, 3)).astype(float)
    if regression:
        return TrainingSet.of_target(X, X[:, 0] + rng.normal(size=n) * 3)
    return TrainingSet.of_classes(X, rng.integers(0, n_classes, n), n_classes=n_classes)


def small_tree(seed, regression=False):
    data = noisy(seed, regression=regression)
    criterion = "squared_error" if regression else "gini"
    return GreedyGrower(Cart(criterion, max_depth=3, min_samples_leaf=3)).grow(data), data


def all_pruned(tree):
    """Every tree that pruning can make, by brute force."""
    inner = np.flatnonzero(~tree.is_leaf)
    shapes = {}
    for chosen in itertools.product((False, True), repeat=inner.size):
        mask = np.zeros(tree.n_nodes, dtype=bool)
        mask[inner] = chosen
        pruned = tree.compact(leaves=mask)
        shapes[pruned.n_children.tobytes() + pruned.threshold.tobytes()] = pruned
    return list(shapes.values())


def training_cost(tree, data):
    if data.is_regression:
        residual = data.target - Hard().predict(tree, data.X)[:, 0]
        return np.sum(residual**2) / data.n_rows
    return leaf_errors(tree)[tree.is_leaf].sum() / data.n_rows


@pytest.mark.parametrize("regression", [False, True])
@given(seed=st.integers(0, 99))
def test_every_alpha_gets_the_smallest_optimal_tree(regression, seed):
    tree, data = small_tree(seed, regression)
    candidates = [(training_cost(pruned, data), pruned.n_leaves) for pruned in all_pruned(tree)]
    sequence = pruning_sequence(tree, regression)
    middles = (sequence.alphas[:-1] + sequence.alphas[1:]) / 2
    for alpha in [*middles, sequence.alphas[-1] * 2 + 1]:
        best = min(cost + alpha * leaves for cost, leaves in candidates)
        fewest = min(n for cost, n in candidates if cost + alpha * n <= best + 1e-12)
        chosen = sequence.at(alpha)
        assert training_cost(chosen, data) + alpha * chosen.n_leaves == pytest.approx(best)
        assert chosen.n_leaves == fewest


@given(seed=st.integers(0, 99))
def test_the_trees_are_nested_and_counted(seed):
    tree, _ = small_tree(seed)
    sequence = pruning_sequence(tree)
    sizes = sequence.n_leaves()
    assert sizes[-1] == 1
    assert (np.diff(sizes) < 0).all()
    assert [sequence.at(alpha).n_leaves for alpha in sequence.alphas] == sizes.tolist()


@given(seed=st.integers(0, 99))
def test_costs_of_the_sequence_are_those_of_its_trees(seed):
    tree, _ = small_tree(seed)
    held_out = noisy(seed + 1000)
    sequence = pruning_sequence(tree)
    totals = sequence.total(validation_costs(tree, held_out), sequence.alphas)
    for alpha, total in zip(sequence.alphas, totals, strict=True):
        wrong = Hard().predict(sequence.at(alpha), held_out.X).argmax(axis=1) != held_out.label
        assert total == pytest.approx(wrong.sum())


def test_costs_under_a_flow_are_its_expected_errors():
    tree, _ = small_tree(3)
    held_out, flow = noisy(1003), Gaussian(1.5)
    sequence = pruning_sequence(tree)
    totals = sequence.total(validation_costs(tree, held_out, flow), sequence.alphas)
    for alpha, total in zip(sequence.alphas, totals, strict=True):
        pruned = sequence.at(alpha)
        answer = np.eye(3)[pruned.response.argmax(axis=1)]
        right = flow.predict(pruned, held_out.X, answer)[np.arange(60), held_out.label]
        assert total == pytest.approx(np.sum(1 - right))


def test_validation_takes_the_least_cost_and_then_the_smallest_tree():
    tree, _ = small_tree(3)
    held_out = noisy(1003, n=200)
    sequence = pruning_sequence(tree)
    alpha = choose_by_validation(sequence, held_out)
    errors = [
        np.mean(Hard().predict(sequence.at(a), held_out.X).argmax(axis=1) != held_out.label)
        for a in sequence.alphas
    ]
    assert alpha == sequence.alphas[np.flatnonzero(np.array(errors) == min(errors))[-1]]
    assert choose_by_validation(sequence, held_out, n_standard_errors=1) >= alpha


@pytest.mark.parametrize("regression", [False, True])
def test_folds_prefer_a_small_tree_for_noise_and_a_large_one_for_signal(regression):
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(300, 2))
    step = np.floor(X[:, 0] * 4)
    folds = [
        (np.flatnonzero(np.arange(300) % 5 != k), np.flatnonzero(np.arange(300) % 5 == k))
        for k in range(5)
    ]
    for y, few in ((step % 2, False), (rng.integers(0, 2, 300), True)):
        data = TrainingSet.of_target(X, y) if regression else TrainingSet.of_classes(X, y)
        grower = GreedyGrower(Cart("squared_error" if regression else "gini"))
        sequence = pruning_sequence(grower.grow(data), regression)
        for errors in (0.0, 1.0):
            alpha = choose_by_folds(sequence, data, folds, grower.grow, errors)
            leaves = sequence.at(alpha).n_leaves
            assert leaves <= 3 if few and errors else leaves <= 150
            assert few or 4 <= leaves <= 8


def test_one_row_held_out_far_from_the_others_is_judged():
    X = np.arange(20.0)[:, None]
    numbers = np.random.default_rng(0).normal(size=20) * 1e99
    tree = GreedyGrower(Cart("squared_error")).grow(TrainingSet.of_target(X, numbers))
    sequence = pruning_sequence(tree, True)
    held_out = TrainingSet.of_target(np.array([[3.0]]), np.array([1e99]))
    assert choose_by_validation(sequence, held_out, n_standard_errors=1.0) in sequence.alphas
