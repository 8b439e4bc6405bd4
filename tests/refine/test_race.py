import numpy as np
import pytest

from softwood.data.training import TrainingSet
from softwood.flow import Hard
from softwood.forest import Forest
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.refine.losses import case_losses, loss_name
from softwood.refine.perturb import tune_out_of_bag
from softwood.refine.perturbation import Perturbation
from softwood.refine.race import (
    COARSE,
    FIRST_ROWS,
    race_by_holdout,
    race_out_of_bag,
    race_smoothing,
)
from tests.strategies import WITHOUT_JIT


class Told:
    """Answers that are known: the loss of each row is ``loss(lambda)`` plus what is its own."""

    def __init__(self, loss, own):
        self.loss, self.own, self.n_asked = loss, own, {}

    def answers(self, lambdas, rows):
        for one in lambdas:
            self.n_asked[one] = self.n_asked.get(one, 0) + len(rows)
        squares = [self.loss(one) + self.own(one)[rows] for one in lambdas]
        return np.sqrt(np.array(squares))[:, :, None]


def numbers(n_rows):
    X = np.arange(float(n_rows))[:, None]
    return TrainingSet.of_target(X, np.zeros(n_rows)), Perturbation((1.0,))


def test_what_is_hopeless_is_stopped_and_the_rest_is_told_apart():
    data, noise = numbers(4000)
    rng = np.random.default_rng(0)
    own = {one: rng.uniform(0.0, 0.3, 4000) for one in (0.0, *COARSE)}
    curves = Told(lambda one: 1.0 + np.log2(max(one, 0.001) / 0.16) ** 2, lambda one: own[0.0])
    path = race_smoothing(curves, data, noise)
    assert path.best == path.smoothing == pytest.approx(0.16)
    assert curves.n_asked[2.56] == FIRST_ROWS
    assert path.losses.argmin() == np.flatnonzero(path.lambdas == path.best)[0]


def test_as_many_rows_are_asked_as_the_choice_needs():
    data, noise = numbers(4000)
    rng = np.random.default_rng(0)
    own = {}

    def noisy(one):
        return own.setdefault(one, rng.uniform(0.0, 2.0, 4000))

    same = Told(lambda one: 1.0, lambda one: np.zeros(4000))
    race_smoothing(same, data, noise)
    assert max(same.n_asked.values()) == FIRST_ROWS  # nothing to gain, and that is known
    unsure = Told(lambda one: 1.0, noisy)
    race_smoothing(unsure, data, noise)
    assert unsure.n_asked[0.0] > FIRST_ROWS


def test_equals_are_not_smoothed_and_the_sure_rule_asks_for_more_than_chance():
    data, noise = numbers(300)
    same = Told(lambda one: 1.0, lambda one: np.zeros(300))
    assert race_smoothing(same, data, noise).flow == Hard()
    chance = np.random.default_rng(0).normal(0.0, 0.3, 300)
    chance -= chance.mean()
    little = Told(lambda one: 2.0, lambda one: chance - 0.01 if one == 0.16 else 0.0 * chance)
    assert race_smoothing(little, data, noise).best == pytest.approx(0.16)
    assert race_smoothing(little, data, noise, rule="sure").smoothing == 0.0


def test_weights_count():
    data, noise = numbers(40)
    data = TrainingSet.of_target(data.X, data.target, weight=np.r_[np.ones(20), np.zeros(20)])
    half = np.r_[np.ones(20), -np.ones(20)]
    curves = Told(lambda one: 2.0, lambda one: half if one > 0.0 else 0.0 * half)
    assert race_smoothing(curves, data, noise).smoothing == 0.0


def test_odd_requests_are_refused():
    data, noise = numbers(0)
    with pytest.raises(ValueError, match="without cases"):
        race_smoothing(Told(lambda one: 1.0, lambda one: np.zeros(0)), data, noise)
    with pytest.raises(ValueError, match="rule must be one of"):
        race_smoothing(Told(lambda one: 1.0, lambda one: np.zeros(0)), data, noise, rule="most")


def problem(kind, n_rows=600):
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=(n_rows, 3)), rng.integers(0, 4, n_rows)])
    score = X[:, 0] + np.sin(2 * X[:, 1]) + (X[:, 3] == 2) + rng.normal(0, 0.7, n_rows)
    if kind == "numbers":
        return TrainingSet.of_target(X, score, n_categories=[0, 0, 0, 4])
    return TrainingSet.of_classes(X, (score > 0.5).astype(int), n_categories=[0, 0, 0, 4])


def bagged(data, n_trees=20):
    rng = np.random.default_rng(0)
    in_bag, trees = np.zeros((data.n_rows, n_trees), bool), []
    grow = GreedyGrower(Cart("squared_error" if data.is_regression else "gini")).grow
    for j in range(n_trees):
        rows = rng.integers(0, data.n_rows, data.n_rows)
        in_bag[rows, j] = True
        trees.append(grow(data.take(rows)))
    return Forest.average(trees), in_bag


@pytest.mark.skipif(WITHOUT_JIT, reason="takes long without compilation, and shows no more")
@pytest.mark.parametrize(
    ("kind", "loss"), [("numbers", None), ("classes", "error"), ("classes", "log_loss")]
)
def test_the_choice_is_as_good_as_that_of_all_rows_about_every_lambda(kind, loss):
    data = problem(kind)
    forest, in_bag = bagged(data)
    noise = Perturbation.of(data)
    quick = race_out_of_bag(forest, data, in_bag, noise, loss)
    slow = tune_out_of_bag(forest, data, in_bag, noise, loss, rule="best")
    kept = np.flatnonzero(~in_bag.all(axis=1))

    def losses(smoothing):
        answers = forest.predict(data.X[kept], noise.at(smoothing), ~in_bag[kept])
        return case_losses(loss_name(loss, data), answers, data.take(kept)).plain

    worse = losses(quick.best) - losses(slow.best)
    assert worse.mean() <= 2.0 * worse.std() / np.sqrt(worse.size) + 0.01 * losses(0.0).mean()
    assert quick.losses[0] == pytest.approx(losses(0.0).mean(), rel=0.02)


def test_held_out_rows_ask_all_trees():
    data = problem("numbers", 120)
    forest, _ = bagged(data, 3)
    held_out, noise = problem("numbers", 150).take(np.arange(120, 150)), Perturbation.of(data)
    path = race_by_holdout(forest, held_out, noise)
    expected = np.mean((forest.predict(held_out.X)[:, 0] - held_out.target) ** 2)
    assert path.losses[0] == pytest.approx(expected)


def test_the_seed_decides_and_the_hard_forest_is_where_it_starts():
    data = problem("classes", 150)
    forest, in_bag = bagged(data, 5)
    noise = Perturbation.of(data)
    first, again = (race_out_of_bag(forest, data, in_bag, noise, "brier", 7) for _ in range(2))
    for name in ("lambdas", "losses", "standard_errors"):
        np.testing.assert_array_equal(getattr(first, name), getattr(again, name))
    kept = np.flatnonzero(~in_bag.all(axis=1))
    hard = forest.predict(data.X[kept], Hard(), ~in_bag[kept])
    expected = case_losses("brier", hard, data.take(kept)).plain.mean()
    assert first.lambdas[0] == 0.0
    assert first.losses[0] == pytest.approx(expected)  # all rows were asked: they are few
