"""Oblique tests by gradients: slopes against differences, and what training finds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from softwood._kernels.soft.batch import Weights, open_batch, open_sample
from softwood._kernels.soft.descent import Goal, charge_terms, loss_and_gradient
from softwood.data.training import TrainingSet
from softwood.flow import SHAPES, Hard, Ramp
from softwood.refine.column_spread import spread_of_columns
from softwood.refine.gradient import SoftenByGradient
from softwood.refine.gradient_terms import with_terms
from softwood.refine.soft_targets import soft_targets_of
from softwood.tree import NOMINAL, NUMERIC, OBLIQUE
from tests.refine.test_gradient import classes, grown, numbers

FLOW = Ramp(shape="logistic")
NORMAL = np.array([0.6, -0.8, 0.0])  # of the boundary, in deviations


def diagonal(n=500, seed=0, noise=0.1):
    """Two classes on the sides of a plane; the columns have odd units."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, 3))
    label = (z @ NORMAL + noise * rng.normal(size=n) > 0.2).astype(int)
    return TrainingSet.of_classes(z * [1.0, 50.0, 0.02] + [0.0, 10.0, -3.0], label)


def error(tree, data, flow=FLOW):
    return np.mean(flow.predict(tree, data.X).argmax(axis=1) != data.label)


def loss_at(tree, data, weights, shape, gradient=None):
    soft_targets = soft_targets_of(data)
    target, used = soft_targets.target.astype(np.float32), np.arange(data.X.shape[1])
    units = (*spread_of_columns(data), used.astype(np.int32))
    sample = open_sample(data.X, target, data.weight, *units)
    goal = Goal(1 + SHAPES.index(shape), data.is_regression, 0.0, 0.0, 0.0, 0.0)
    batch = open_batch(tree.n_nodes, data.X.shape[1], soft_targets.target.shape[1], 64)
    nothing = Weights(np.zeros((0, 3)), np.zeros((0, 1)))
    rows = np.arange(data.n_rows)
    into = nothing if gradient is None else gradient
    return loss_and_gradient(tree.nodes, sample, rows, weights, into, batch, goal)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_gradient_is_the_slope_of_the_loss(shape, missing):
    data = classes(150, missing=missing)
    tree = with_terms(grown(data), [0, 1])
    rng = np.random.default_rng(0)
    at = Weights(
        rng.normal(0, 0.5, (tree.n_nodes, 3)),
        rng.normal(0, 1, (tree.n_nodes, 3)),
        rng.normal(0, 0.7, (tree.term_weight.size, 1)),
    )
    gradient = Weights(*(np.zeros_like(part) for part in at))
    loss_at(tree, data, at, shape, gradient)
    oblique = np.flatnonzero(tree.kind == OBLIQUE)[:2]
    places = [(0, (k, j)) for k in oblique for j in range(3)]
    places += [(2, (t, 0)) for t in range(8)]
    step = 2e-2  # single precision: smaller steps drown
    for part, place in places:
        ends = []
        for sign in (-1, 1):
            moved = Weights(*(p.copy() for p in at))
            moved[part][place] += sign * step
            ends.append(loss_at(tree, data, moved, shape))
        slope = (ends[1] - ends[0]) / (2 * step)
        exact = shape != "linear"  # a ramp has corners
        assert gradient[part][place] == pytest.approx(
            slope, rel=3e-2 if exact else 0.1, abs=4e-3 if exact else 5e-2
        )


def test_the_price_has_the_slope_that_is_charged():
    data = diagonal(50)
    tree = with_terms(grown(data, 10), [0, 1, 2])
    term = np.random.default_rng(1).normal(size=(tree.term_weight.size, 1))
    gradient = np.zeros_like(term)
    charge_terms(tree.nodes, 0, term, 0.5, gradient)
    assert np.all(gradient[3:] == 0.0)

    def price(w):
        return 0.5 * np.abs(w).sum() / np.sqrt((w**2).sum())

    for t in range(3):
        step = 1e-6 * (np.arange(3) == t)
        slope = (price(term[:3, 0] + step) - price(term[:3, 0] - step)) / 2e-6
        assert gradient[t, 0] == pytest.approx(slope, rel=1e-6)
    # Longer weights cost the same: there is nothing to gain along them.
    assert gradient[:3, 0] @ term[:3, 0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_loss_is_that_of_the_flow(shape):
    """The trainer's own pass through the tree is the flow that predicts, gaps included."""
    data = classes(200, missing=0.1)
    tree = with_terms(grown(data, leaf=5), [0, 1])
    assert {NOMINAL, OBLIQUE} <= set(tree.kind)
    soft = SoftenByGradient(shape=shape, n_epochs=3).refine(tree, data)
    p = Ramp(shape=shape).predict(soft, data.X)
    expected = -np.mean(np.log(p[np.arange(data.n_rows), data.label]))
    losses = []
    SoftenByGradient(shape=shape, n_epochs=1, learning_rate=1e-12, width=None).refine(
        soft, data, report=lambda epoch, loss: losses.append(loss)
    )
    assert losses[0] == pytest.approx(expected, rel=1e-3)


def test_it_finds_the_plane():
    data, new = diagonal(), diagonal(4000, seed=1)
    tree = grown(data, leaf=60)
    soft = SoftenByGradient(oblique=True).refine(tree, data)
    features, weights = soft.terms(0)
    direction = np.zeros(3)
    direction[features] = weights * spread_of_columns(data)[1][features]
    direction /= np.linalg.norm(direction)
    assert abs(direction @ NORMAL) > 0.98
    straight = SoftenByGradient().refine(tree, data)
    assert error(soft, new) < 0.6 * error(straight, new)
    assert error(soft, new) < 0.45 * error(tree, new, Hard())


def test_terms_that_do_not_pay_are_dropped():
    data = diagonal(200, noise=0.5)
    tree = grown(data)

    def n_terms(price, tolerance):
        method = SoftenByGradient(
            oblique=True, n_epochs=60, term_price=price, term_tolerance=tolerance
        )
        soft = method.refine(tree, data)
        assert np.all(soft.term_weight != 0.0)
        return soft.term_weight.size + np.count_nonzero(soft.kind == NUMERIC)

    n_tests = tree.n_leaves - 1
    full, fewer, fewest = n_terms(0.0, 0.0), n_terms(0.0, 0.03), n_terms(0.01, 0.03)
    assert 3 * n_tests >= full > fewer > fewest >= n_tests


def test_columns_with_gaps_and_categories_keep_to_themselves():
    data = classes(300, missing=0.0)
    X = np.column_stack([data.X, np.random.default_rng(0).normal(size=300)])
    X[::7, 1] = np.nan
    n_categories = np.array([0, 0, 4, 0], dtype=np.int32)
    gappy = TrainingSet.of_classes(X, data.label, n_classes=3, n_categories=n_categories)
    tree = grown(gappy)
    assert {1, 2} <= set(tree.feature)
    soft = SoftenByGradient(oblique=True, n_epochs=3, term_tolerance=0.0).refine(tree, gappy)
    for node in np.flatnonzero(soft.kind == OBLIQUE):
        assert set(soft.terms(node)[0]) <= {0, 3, int(tree.feature[node])}
    assert_array_equal(soft.kind == NOMINAL, tree.kind == NOMINAL)
    assert np.isfinite(FLOW.predict(soft, X)).all()


def test_an_oblique_tree_trains_the_terms_it_has():
    data = diagonal()
    tree = with_terms(grown(data), [0, 1])
    losses = []
    soft = SoftenByGradient().refine(tree, data, report=lambda _, loss: losses.append(loss))
    assert losses[-1] < losses[0]
    assert_array_equal(soft.term_feature, tree.term_feature)
    assert error(soft, data) < 0.5 * error(tree, data, Hard())


def test_nodes_weigh_what_flows_through_them():
    data = diagonal(200)
    heavy = TrainingSet.of_classes(data.X, data.label, weight=1.0 + (data.label == 1))
    soft = SoftenByGradient(oblique=True, n_epochs=5).refine(grown(heavy), heavy)
    mass = FLOW.spread(soft, data.X).toarray()
    assert_allclose(soft.weight[soft.leaves], heavy.weight @ mass)
    assert soft.weight[0] == pytest.approx(heavy.weight.sum())
    mean = soft.weight[soft.leaves] @ soft.response[soft.leaves] / soft.weight[0]
    assert_allclose(soft.response[0], mean)


def test_an_equation_may_be_written_in_any_size():
    data = diagonal(200)
    tree = with_terms(grown(data), [0, 1])
    longer = tree.replace(threshold=8 * tree.threshold, term_weight=8 * tree.term_weight)
    one, same = (SoftenByGradient(n_epochs=3).refine(t, data) for t in (tree, longer))
    assert_allclose(one.term_weight, same.term_weight, rtol=1e-6)
    assert_allclose(one.threshold, same.threshold, rtol=1e-6)


def test_columns_may_be_in_any_units():
    data = diagonal(200)
    factor = np.array([4.0, 0.5, 1024.0])  # powers of two: not even a rounding differs
    other = TrainingSet.of_classes(data.X * factor, data.label)
    method = SoftenByGradient(oblique=True, n_epochs=3)
    one, two = (method.refine(grown(d), d) for d in (data, other))
    assert_array_equal(FLOW.predict(one, data.X), FLOW.predict(two, other.X))


def test_regression():
    data, new = numbers(200), numbers(2000, seed=1)
    tree = grown(data)

    def misses(soft):
        return np.mean((FLOW.predict(soft, new.X)[:, 0] - new.target) ** 2)

    straight, oblique = (
        SoftenByGradient(oblique=o, n_epochs=60).refine(tree, data) for o in (False, True)
    )
    assert misses(oblique) < misses(straight)


def test_seeds_and_weights():
    data = diagonal(200)
    tree = grown(data)
    method = SoftenByGradient(oblique=True, n_epochs=2)
    one, same = (method.refine(tree, data) for _ in range(2))
    assert one == same
    assert one != SoftenByGradient(oblique=True, n_epochs=2, seed=1).refine(tree, data)
    heavy = TrainingSet.of_classes(data.X, data.label, weight=2 * data.weight)
    assert_allclose(method.refine(tree, heavy).term_weight, one.term_weight, rtol=1e-6)


def test_validation_keeps_the_best_epoch():
    data, held_out = diagonal(60, seed=3, noise=0.7), diagonal(400, seed=4, noise=0.7)
    method = SoftenByGradient(oblique=True, n_epochs=60, learning_rate=0.1, term_tolerance=0.0)

    def loss(soft):
        p = FLOW.predict(soft, held_out.X)
        return -np.mean(np.log(np.maximum(p[np.arange(400), held_out.label], 1e-6)))

    tree = grown(data, leaf=1)
    assert loss(method.refine(tree, data, validation=held_out)) < loss(method.refine(tree, data))
