"""Tuning lambda: against separate predictions, slow references, and the study of Friedman1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.data.training import TrainingSet
from softwood.datasets import make_friedman1
from softwood.flow import Gaussian, Hard, Sampled
from softwood.forest import Forest
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.refine.losses import case_losses
from softwood.refine.perturb import tune_by_folds, tune_by_holdout, tune_out_of_bag
from softwood.refine.perturbation import Perturbation, deviations, redraw_of, shares_of_categories
from softwood.refine.smoothing import GRID, smoothing_curve, tune_smoothing
from tests.strategies import WITHOUT_JIT

SIZE = 60 if WITHOUT_JIT else 200


def friedman(n, seed):
    X, y = make_friedman1(n, random_state=seed)
    return TrainingSet.of_target(X, y)


def overlapping(seed, n=SIZE, n_classes=3):
    """Classes that overlap: a full tree learns noise, and smoothing helps."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, n_classes, n)
    X = rng.normal(size=(n, 4)) + label[:, None]
    return TrainingSet.of_classes(X, label, n_classes=n_classes, weight=rng.uniform(0.5, 2.0, n))


def grow(data):
    criterion = "squared_error" if data.is_regression else "gini"
    return GreedyGrower(Cart(criterion, min_samples_split=5)).grow(data)


def folds_of(n, k=5):
    fold = np.arange(n) % k
    return [(np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(k)]


def at(path, smoothing):
    return path.losses[np.flatnonzero(path.lambdas == smoothing)[0]]


# -- losses ------------------------------------------------------------------


def test_losses_by_hand():
    data = TrainingSet.of_classes(np.zeros((3, 1)), [0, 1, 2])
    predicted = np.array([[0.4, 0.4, 0.2], [0.5 - 1e-12, 0.5, 0.0], [0.0, 1.0, 0.0]])
    error, judged = case_losses("error", predicted, data)
    assert_array_equal(error, [0, 1, 1])  # tied classes: the first is the answer
    brier = case_losses("brier", predicted, data).plain
    assert_allclose(brier, [0.36 + 0.16 + 0.04, 0.25 + 0.25, 1.0 + 1.0])
    assert_allclose(judged, error + 0.001 * brier)
    log_loss = case_losses("log_loss", predicted, data).plain
    assert_allclose(log_loss, [-np.log(0.4), np.log(2.0), -np.log(np.finfo(float).eps)])
    two = TrainingSet.of_classes(np.zeros((1, 1)), [0], n_classes=2)
    assert_allclose(case_losses("brier", np.array([[0.7, 0.3]]), two).plain, [0.09])


def test_a_loss_must_fit_the_task():
    data = overlapping(0)
    with pytest.raises(ValueError, match="loss must be one of error, log_loss, brier for class"):
        tune_by_holdout(grow(data), data, Perturbation.of(data), loss="squared_error")
    with pytest.raises(
        ValueError, match="rule must be one of best, parsimonious, sure; got 'most'"
    ):
        tune_by_holdout(grow(data), data, Perturbation.of(data), rule="most")


# -- perturbations -------------------------------------------------------------


@given(seed=st.integers(0, 999), factor=st.floats(0.1, 10))
def test_deviations_are_those_of_numpy(seed, factor):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 4)) * [1.0, 5.0, 1.0, 1.0]
    X[:, 2] = 0.1  # constant, but its mean is not quite 0.1
    X[:, 3] = rng.integers(0, 3, 20)
    X[rng.random(20) < 0.3, 1] = np.nan
    n_categories = np.array([0, 0, 0, 3])
    data = TrainingSet.of_target(X, X[:, 0], n_categories=n_categories, weight=np.full(20, factor))
    expected = [np.std(X[:, 0], ddof=1), np.nanstd(X[:, 1], ddof=1), 0.0, 0.0]
    assert_allclose(deviations(data), expected, rtol=1e-12)


def test_weights_count_in_deviations_and_shares():
    X = np.array([[0.0, 0], [1.0, 1], [3.0, 1], [np.nan, np.nan]])
    weight = np.array([2.0, 1.0, 1.0, 5.0])
    data = TrainingSet.of_target(X, X[:, 0], weight=weight, n_categories=np.array([0, 3]))
    assert deviations(data)[0] == pytest.approx(np.sqrt((2 * 1 + 0 + 4) / 4 * 3 / 2))
    assert shares_of_categories(data) == ((), (0.5, 0.5, 0.0))


def test_the_flow_of_a_lambda():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=30), rng.integers(0, 2, 30)])
    data = TrainingSet.of_target(X, X[:, 0], n_categories=np.array([0, 2]))
    noise = Perturbation.of(data, scale=[0.5, 0.0])
    assert noise.at(0.4).scale == (0.2, 0.0)
    assert noise.at(0.4).redraw == pytest.approx(0.08)
    assert noise.at(3.0).redraw == 1.0
    assert noise.at(0.0) == Hard()
    assert Perturbation.of(data, nominal=False).at(0.4).marginals == ()
    assert not Perturbation.of(data, flow="product").at(0.4).exact
    sampled = Perturbation.of(data, flow="sampled", n=7, random_state=3).at(0.4)
    assert sampled == Sampled(sampled.scale, 7, 3, redraw_of(0.4), sampled.marginals)
    for odd in (-1.0, np.inf, np.nan):
        with pytest.raises(ValueError, match="smoothing must be finite and not negative"):
            noise.at(odd)
    with pytest.raises(ValueError, match="flow must be one of exact, product, sampled"):
        Perturbation((1.0,), flow="mean")
    with pytest.raises(ValueError, match="scale must have one entry for each feature"):
        Perturbation(1.0)


def test_a_redraw_moves_a_number_as_far_as_the_noise():
    rng = np.random.default_rng(0)
    x, other = rng.exponential(size=(2, 200_000))
    moved = np.where(rng.random(x.size) < redraw_of(0.6), other, x) - x
    assert np.mean(moved**2) == pytest.approx(0.6**2 * x.var(), rel=0.05)


# -- the curve -----------------------------------------------------------------


@pytest.mark.parametrize("flow", ["exact", "product", "sampled"])
def test_the_curve_is_that_of_separate_predictions(flow):
    data, held_out = overlapping(0), overlapping(1)
    tree, noise = grow(data), Perturbation.of(data, flow=flow, n=16)
    lambdas = [0.8, 0.1, 0.3]
    path = smoothing_curve(
        lambda flow: flow.predict(tree, held_out.X), held_out, noise, lambdas, "brier"
    )
    assert_array_equal(path.lambdas, [0.0, 0.1, 0.3, 0.8])
    for smoothing, loss, error in zip(path.lambdas, path.losses, path.standard_errors, strict=True):
        probability = noise.at(smoothing).predict(tree, held_out.X)
        losses = ((probability - np.eye(3)[held_out.label]) ** 2).sum(axis=1)
        assert loss == pytest.approx(np.average(losses, weights=held_out.weight), rel=1e-12)
        assert 0.0 < error < 2 * losses.std() / np.sqrt(held_out.n_rows)


def test_standard_errors_of_equal_weights_are_the_usual_ones():
    data = friedman(40, 0)
    path = smoothing_curve(lambda flow: np.zeros((40, 1)), data, Perturbation.of(data), [])
    expected = np.std(data.target**2, ddof=1) / np.sqrt(40)
    assert_allclose(path.standard_errors, [expected], rtol=1e-12)


class Bowl:
    """Predictions whose squared error is least at a lambda of choice, in ln lambda."""

    def __init__(self, best):
        self.best, self.n_calls = best, 0

    def __call__(self, flow):
        self.n_calls += 1
        if flow == Hard():
            return np.full((3, 1), 100.0)
        return np.full((3, 1), np.log(flow.scale[0] / self.best))


@given(best=st.floats(0.012, 9.0))
def test_the_search_comes_within_five_percent(best):
    data = TrainingSet.of_target(np.zeros((3, 1)), np.zeros(3))
    bowl = Bowl(best)
    path = tune_smoothing(bowl, data, Perturbation((1.0,)))
    assert path.smoothing == pytest.approx(best, rel=0.05)
    extended = np.count_nonzero(path.lambdas > GRID[-1] * 1.01)
    assert bowl.n_calls == path.lambdas.size <= len(GRID) + 8 + min(extended, 3)
    assert path.lambdas.max() <= 10.0


def test_the_grid_is_extended_only_while_the_loss_falls():
    data = TrainingSet.of_target(np.zeros((3, 1)), np.zeros(3))
    assert tune_smoothing(Bowl(0.5), data, Perturbation((1.0,))).lambdas.max() == GRID[-1]
    assert tune_smoothing(Bowl(50.0), data, Perturbation((1.0,))).smoothing == 10.0


def test_no_smoothing_where_it_does_not_help():
    data = TrainingSet.of_classes(np.arange(40.0)[:, None] % 4, np.arange(40) % 4 // 2)
    path = tune_by_folds(grow, data, folds_of(40, 5))
    assert path.smoothing == path.parsimonious == 0.0
    assert path.flow == Hard()
    assert path.lambdas.tolist() == list(GRID)
    flat = tune_smoothing(lambda flow: np.ones((40, 2)), data, Perturbation.of(data), "log_loss")
    assert flat.smoothing == 0.0


@given(seed=st.integers(0, 99))
def test_the_parsimonious_lambda_is_close_and_not_larger(seed):
    data, held_out = overlapping(seed), overlapping(seed + 100)
    tree, noise = grow(data), Perturbation.of(data)
    path = tune_by_holdout(tree, held_out, noise, "log_loss", rule="parsimonious")
    assert path.smoothing == path.parsimonious <= path.best
    losses = {
        smoothing: case_losses(
            "log_loss", noise.at(smoothing).predict(tree, held_out.X), held_out
        ).plain
        for smoothing in (path.parsimonious, path.best)
    }
    difference = losses[path.parsimonious] - losses[path.best]
    share = held_out.weight / held_out.weight.sum()
    assert share @ difference <= 1.1 * difference.std() * np.sqrt((share**2).sum()) + 1e-12


@given(seed=st.integers(0, 99))
def test_the_sure_lambda_is_the_best_or_none(seed):
    data, held_out = overlapping(seed), overlapping(seed + 100)
    path = tune_by_holdout(grow(data), held_out, Perturbation.of(data), "brier", rule="sure")
    assert path.smoothing == (path.best if path.parsimonious > 0.0 else 0.0)


def test_a_gain_by_chance_is_not_sure():
    rng = np.random.default_rng(0)
    data = TrainingSet.of_target(np.zeros((50, 1)), rng.normal(size=50))
    noise = Perturbation((1.0,))

    def answers(shift):  # what is smoothed misses by as much, in the mean by a little less
        return lambda flow: np.where(flow == Hard(), 0.0, shift) * np.ones((50, 1))

    chance, gain = 0.02 * np.sign(data.target.mean()), data.target[:, None]
    assert tune_smoothing(answers(chance), data, noise).smoothing > 0.0
    assert tune_smoothing(answers(chance), data, noise, rule="sure").smoothing == 0.0
    assert tune_smoothing(answers(gain), data, noise, rule="sure").smoothing > 0.0


# -- who judges ------------------------------------------------------------------


def test_folds_judge_their_own_rows_and_can_be_shared():
    data, folds = overlapping(3), folds_of(SIZE)
    path = tune_by_folds(grow, data, folds)
    noise = Perturbation.of(data)
    for smoothing in (0.0, GRID[9], path.smoothing):
        wrong = np.empty(data.n_rows)
        for train, test in folds:
            probability = noise.at(smoothing).predict(grow(data.take(train)), data.X[test])
            wrong[test] = probability.argmax(axis=1) != data.label[test]
        assert at(path, smoothing) == pytest.approx(np.average(wrong, weights=data.weight))
    shared = tune_by_folds([grow(data.take(train)) for train, _ in folds], data, folds)
    assert_array_equal(shared.losses, path.losses)
    assert shared.smoothing == path.smoothing
    with pytest.raises(ValueError, match="a tree for each of 5 folds; got 1"):
        tune_by_folds([grow(data)], data, folds)
    with pytest.raises(ValueError, match="folds must hold at least one pair"):
        tune_by_folds(grow, data, [])


@pytest.mark.parametrize("is_mean", [True, False])
def test_out_of_bag_asks_the_trees_that_did_not_see_a_row(is_mean):
    data, rng = overlapping(4), np.random.default_rng(0)
    in_bag = rng.random((SIZE, 7)) < 0.6
    in_bag[:3] = True  # nobody can judge these
    forest = Forest.average([grow(data.take(rows)) for rows in in_bag.T])
    if not is_mean:
        forest = forest.replace(is_mean=False, link="softmax", base=np.array([0.5, 0.0, -0.5]))
    path = tune_out_of_bag(forest, data, in_bag, loss="log_loss")
    noise = Perturbation.of(data)
    for smoothing in (0.0, path.smoothing):
        losses, weights = [], []
        for i in range(3, SIZE):
            asked = [forest.trees[j] for j in range(7) if not in_bag[i, j]]
            if asked:
                answers = [
                    noise.at(smoothing).predict(tree, data.X[i : i + 1])[0] for tree in asked
                ]
                score = np.mean(answers, axis=0)
                if not is_mean:
                    score = np.exp(forest.base + np.sum(answers, axis=0))
                    score /= score.sum()
                losses.append(-np.log(max(score[data.label[i]], np.finfo(float).eps)))
                weights.append(data.weight[i])
        assert at(path, smoothing) == pytest.approx(np.average(losses, weights=weights), abs=1e-9)


def test_odd_bags_are_refused():
    data = overlapping(5)
    forest = Forest.average([grow(data)] * 2)
    with pytest.raises(ValueError, match=rf"in_bag must have shape \({SIZE}, 2\), rows by trees"):
        tune_out_of_bag(forest, data, np.ones((SIZE, 3), bool))
    with pytest.raises(ValueError, match="every tree saw every row"):
        tune_out_of_bag(forest, data, np.ones((SIZE, 2), bool))
    with pytest.raises(ValueError, match="without cases"):
        tune_by_holdout(forest, data.take(np.array([], int)), Perturbation.of(data))


def test_a_forest_can_be_held_to_unseen_rows():
    data, held_out = friedman(SIZE, 0), friedman(SIZE, 1)
    forest, noise = Forest.average([grow(data)] * 2), Perturbation.of(data)
    path = tune_by_holdout(forest, held_out, noise)
    assert_allclose(path.losses, tune_by_holdout(grow(data), held_out, noise).losses)
    assert path.scale == noise.scale
    assert isinstance(path.flow, Gaussian)


# -- Friedman1 -------------------------------------------------------------------


def friedman_curves(n_trees, n_test, lambdas):
    """Return the mean squared error by flow and lambda, the mean over trees grown on 300 cases."""
    test = friedman(n_test, 10_000)
    curves = {"exact": 0.0, "product": 0.0}
    for seed in range(n_trees):
        data = friedman(300, seed)
        tree = grow(data)

        def predict(flow, tree=tree):
            return flow.predict(tree, test.X)

        for flow in curves:
            noise = Perturbation.of(data, flow=flow)
            curves[flow] += smoothing_curve(predict, test, noise, lambdas).losses / n_trees
    return curves


@pytest.mark.skipif(WITHOUT_JIT, reason="too slow without compiled kernels")
def test_smoothing_nearly_halves_the_error_on_friedman1():
    lambdas = np.array([0.0, 0.2, 0.4, 0.5, 0.8, 1.6])
    curves = friedman_curves(5, 400, lambdas)
    for curve in curves.values():
        assert lambdas[curve.argmin()] in (0.4, 0.5)
        assert curve.min() < 0.6 * curve[0]
    assert curves["exact"].min() <= curves["product"].min()


@pytest.mark.slow
def test_the_reference_curves_of_friedman1():
    """Against a simulation by other code, whose 2000 test cases leave a standard error of 3 %."""
    lambdas = np.array([0.0, 0.1, 0.2, 0.4, 0.5, 0.8, 1.6])
    curves = friedman_curves(50, 10_000, lambdas)
    reference = np.array([11.71, 9.20, 7.70, 6.52, 6.50, 7.53, 12.04])
    assert_allclose(curves["product"], reference, rtol=0.05)
    assert lambdas[curves["exact"].argmin()] in (0.4, 0.5)
    assert curves["exact"].min() <= curves["product"].min()
