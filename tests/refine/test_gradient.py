"""Gradients against differences, and what training must keep."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from softwood._kernels.soft.batch import Weights, open_batch, open_sample
from softwood._kernels.soft.descent import Goal, loss_and_gradient
from softwood.data.training import TrainingSet
from softwood.flow import SHAPES, Hard, Ramp
from softwood.grow.greedy import C45, Cart, GreedyGrower
from softwood.refine.column_spread import spread_of_columns
from softwood.refine.gradient import SoftenByGradient
from softwood.refine.soft_targets import soft_targets_of
from softwood.tree import NUMERIC

NOMINAL = np.array([0, 0, 4], dtype=np.int32)


def noisy_sum(n, seed=0, missing=0.0):
    """Rows whose class depends on a sum of features and on a category."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(3.0, 2.0, n), rng.normal(0.0, 0.1, n), rng.integers(0, 4, n)])
    score = (X[:, 0] - 3) / 2 + 10 * X[:, 1] + (X[:, 2] == 1) + 0.3 * rng.normal(size=n)
    X[rng.random(X.shape) < missing] = np.nan
    return X, score


def classes(n=400, seed=0, missing=0.0):
    X, score = noisy_sum(n, seed, missing)
    label = np.digitize(score, [-0.7, 0.9])
    return TrainingSet.of_classes(X, label, n_classes=3, n_categories=NOMINAL)


def numbers(n=400, seed=0):
    X, score = noisy_sum(n, seed)
    return TrainingSet.of_target(X, 100 + 5 * score, n_categories=NOMINAL)


def grown(data, leaf=20):
    criterion = "squared_error" if data.is_regression else "gini"
    return GreedyGrower(Cart(criterion, min_samples_leaf=leaf)).grow(data)


def random_point(tree, n_outputs, seed=0):
    rng = np.random.default_rng(seed)
    test = rng.normal(0, 0.5, (tree.n_nodes, 3))
    return Weights(test, rng.normal(0, 1, (tree.n_nodes, n_outputs)))


def loss_at(tree, data, weights, shape, gradient=None):
    soft_targets = soft_targets_of(data)
    target = soft_targets.target.astype(np.float32)
    used = np.arange(data.X.shape[1], dtype=np.int32)
    sample = open_sample(data.X, target, data.weight, *spread_of_columns(data), used)
    n_outputs = soft_targets.target.shape[1]
    goal = Goal(1 + SHAPES.index(shape), data.is_regression, 0.0, 0.0, 0.0, 0.0)
    batch = open_batch(tree.n_nodes, data.X.shape[1], n_outputs, 64)
    nothing = Weights(np.zeros((0, 3)), np.zeros((0, 1)))
    rows = np.arange(data.n_rows)
    return loss_and_gradient(
        tree.nodes, sample, rows, weights, nothing if gradient is None else gradient, batch, goal
    )


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("make", [classes, numbers])
def test_gradient_is_the_slope_of_the_loss(make, shape):
    data = make(150)
    if data.is_regression:  # in units of its deviation, as the trainer sees it
        target = (data.target - data.target.mean()) / data.target.std()
        data = TrainingSet.of_target(data.X, target, n_categories=NOMINAL)
    tree = grown(data)
    n_outputs = max(data.n_classes, 1)
    at = random_point(tree, n_outputs)
    gradient = Weights(np.zeros_like(at.test), np.zeros_like(at.leaf))
    loss_at(tree, data, at, shape, gradient)
    inner, leaf = np.flatnonzero(tree.kind == NUMERIC)[:4], tree.leaves[:3]
    places = [(0, (k, j)) for k in inner for j in range(3)]
    places += [(1, (k, j)) for k in leaf for j in range(n_outputs)]
    step = 2e-2  # single precision: smaller steps drown
    for part, place in places:
        ends = []
        for sign in (-1, 1):
            moved = Weights(at.test.copy(), at.leaf.copy())
            moved[part][place] += sign * step
            ends.append(loss_at(tree, data, moved, shape))
        slope = (ends[1] - ends[0]) / (2 * step)
        tolerance = 5e-2 if shape == "linear" else 4e-3
        relative = 0.1 if shape == "linear" else 3e-2  # a ramp has corners
        assert gradient[part][place] == pytest.approx(slope, rel=relative, abs=tolerance)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_loss_is_that_of_the_flow(shape):
    """The trainer's own pass through the tree is the flow that predicts."""
    data = classes(200, missing=0.1)
    tree = grown(data)
    soft = SoftenByGradient(shape=shape, n_epochs=3).refine(tree, data)
    p = Ramp(shape=shape).predict(soft, data.X)
    expected = -np.mean(np.log(p[np.arange(data.n_rows), data.label]))
    losses = []
    SoftenByGradient(shape=shape, n_epochs=1, learning_rate=1e-12, width=None).refine(
        soft, data, report=lambda epoch, loss: losses.append(loss)
    )
    assert losses[0] == pytest.approx(expected, rel=1e-3)


def test_training_keeps_tests_and_lowers_the_loss():
    data = classes()
    tree = grown(data)
    losses = []
    soft = SoftenByGradient().refine(tree, data, report=lambda epoch, loss: losses.append(loss))
    assert losses[-1] < losses[0]
    for name in ("kind", "feature", "first_child", "weight", "set_child"):
        assert_array_equal(getattr(soft, name), getattr(tree, name))
    numeric = tree.kind == NUMERIC
    assert np.all(soft.below[numeric] > 0)
    assert np.all(soft.above[numeric] > 0)
    assert_allclose(soft.response.sum(axis=1), 1.0)


def test_it_beats_the_hard_tree_on_new_rows():
    data, new = classes(600), classes(4000, seed=1)
    tree = grown(data)
    soft = SoftenByGradient().refine(tree, data)
    hard_error = np.mean(Hard().predict(tree, new.X).argmax(axis=1) != new.label)
    p = Ramp(shape="logistic").predict(soft, new.X)
    assert np.mean(p.argmax(axis=1) != new.label) < 0.85 * hard_error


def test_regression_is_free_of_units():
    data = numbers()
    tree = grown(data)
    soft = SoftenByGradient().refine(tree, data)
    moved = TrainingSet.of_target(data.X, 1e6 + 10 * data.target, n_categories=NOMINAL)
    other = SoftenByGradient().refine(grown(moved), moved)
    flow = Ramp(shape="logistic")
    expected = 1e6 + 10 * flow.predict(soft, data.X)
    assert_allclose(flow.predict(other, data.X), expected, rtol=1e-6)
    error = np.mean((flow.predict(soft, data.X)[:, 0] - data.target) ** 2)
    assert error < 0.6 * np.mean((Hard().predict(tree, data.X)[:, 0] - data.target) ** 2)


def test_doubled_weights_change_nothing():
    data = classes(200)
    tree = grown(data)
    heavy = TrainingSet.of_classes(
        data.X, data.label, n_classes=3, weight=2 * data.weight, n_categories=NOMINAL
    )
    # The tree is the same, so its own weights must be: only the rows' differ.
    soft, other = (SoftenByGradient(n_epochs=2).refine(tree, d) for d in (data, heavy))
    assert_allclose(soft.threshold, other.threshold, rtol=1e-6)


def test_validation_keeps_the_best_epoch():
    data, held_out = classes(60, seed=3), classes(300, seed=4)
    tree = grown(data, leaf=1)
    flow = Ramp(shape="logistic")
    method = SoftenByGradient(n_epochs=60, learning_rate=0.1)

    def loss(soft):
        p = flow.predict(soft, held_out.X)
        return -np.mean(np.log(np.maximum(p[np.arange(300), held_out.label], 1e-6)))

    last = method.refine(tree, data)
    best = method.refine(tree, data, validation=held_out)
    assert loss(best) < loss(last)


def test_the_seed_decides():
    data = classes(150)
    tree = grown(data)
    one, same, other = (SoftenByGradient(n_epochs=2, seed=s).refine(tree, data) for s in (1, 1, 2))
    assert one == same
    assert one != other


def test_trees_without_numeric_tests_stay_as_they_are():
    data = classes(100)
    leaf = GreedyGrower(Cart("gini", min_samples_split=1000)).grow(data)
    assert SoftenByGradient().refine(leaf, data) is leaf
    only_nominal = TrainingSet.of_classes(
        data.X[:, [2]], data.label, n_classes=3, n_categories=NOMINAL[2:]
    )
    tree = GreedyGrower(C45()).grow(only_nominal)
    assert SoftenByGradient().refine(tree, only_nominal) is tree


def test_constant_columns_do_no_harm():
    data = classes(100)
    flat = TrainingSet.of_classes(
        np.column_stack([data.X[:, :2], np.ones(100)]), data.label, n_classes=3
    )
    soft = SoftenByGradient(n_epochs=2).refine(grown(flat, 5), flat)
    assert np.isfinite(soft.threshold).all()
    assert np.isfinite(soft.response).all()


def test_unknown_shape_is_refused():
    with pytest.raises(ValueError, match="shape must be one of linear, logistic, normal"):
        SoftenByGradient(shape="step")
