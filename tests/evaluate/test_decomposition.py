"""Bias and variance against slow definitions, closed forms and published numbers."""

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeRegressor

from softwood.datasets import make_friedman1, make_led, make_twonorm
from softwood.evaluate.decomposition import bias_variance

SMALL = {"n_repeats": 12, "train_size": 60, "test_size": 80, "random_state": 5}
CLASSES = np.array(["a", "b", "c"])


class Spy(DecisionTreeClassifier):
    """A tree that tells which rows it met and what it said."""

    fitted: ClassVar[list] = []

    def fit(self, X, y):
        super().fit(X, y)
        Spy.fitted.append((self, np.asarray(X), np.asarray(y)))
        return self


@pytest.fixture
def fitted():
    Spy.fitted.clear()
    return Spy.fitted


def noise_made(n, random_state):
    """Values and classes that have nothing to do with the features."""
    rng = np.random.default_rng(random_state)
    return rng.random((n, 2)), 3.0 + 2.0 * rng.standard_normal(n)


def coins_made(n, random_state):
    rng = np.random.default_rng(random_state)
    return rng.random((n, 2)), rng.choice(CLASSES, n, p=[0.5, 0.3, 0.2])


def coins_truth(X):
    return np.tile([0.5, 0.3, 0.2], (len(X), 1))


def sine_made(n, random_state):
    rng = np.random.default_rng(random_state)
    X = rng.random((n, 1))
    return X, sine(X) + 0.5 * rng.standard_normal(n)


def sine(X):
    return np.sin(2 * np.pi * X[:, 0])


def test_squared_error_is_that_of_all_models_on_all_rows():
    model = DecisionTreeRegressor(random_state=0)
    made = bias_variance(model, *make_friedman1(200, random_state=1), **SMALL)
    assert made.noise == 0.0
    assert not made.noise_known
    assert made.error == made.noise + made.bias + made.variance
    assert made.error == pytest.approx(mean_loss(model, squared), rel=1e-12)
    for name in ("noise", "bias", "variance"):
        assert getattr(made, name) == pytest.approx(getattr(made.by_row, name).mean())
        assert getattr(made.by_row, name).shape == (80,)


def squared(answers, y):
    return (answers - y) ** 2


def mean_loss(model, loss, made=None):
    """The error, the long way round: fit all models again, one after the other."""
    X, y = make_friedman1(200, random_state=1) if made is None else made
    test_seed, *seeds = np.random.SeedSequence(5).spawn(13)
    order = np.random.default_rng(test_seed).permutation(len(y))
    test, pool = order[:80], order[80:]
    losses = []
    for seed in seeds:
        rows = np.random.default_rng(seed.spawn(1)[0]).choice(pool.size, 60, replace=True)
        model.fit(X[pool[rows]], y[pool[rows]])
        losses.append(loss(model.predict(X[test]), y[test]).mean())
    return np.mean(losses)


@pytest.mark.parametrize("decomposition", ["kohavi_wolpert", "domingos"])
def test_error_rates_sum_up(decomposition):
    data = make_led(200, random_state=1)
    model = DecisionTreeClassifier(random_state=0)
    made = bias_variance(model, *data, decomposition=decomposition, **SMALL)
    assert made.error == made.noise + made.bias + made.variance
    assert made.error == pytest.approx(mean_loss(model, np.not_equal, data), abs=1e-12)


@pytest.mark.parametrize("truth", [None, coins_truth])
def test_kohavi_wolpert_by_its_definition(truth, fitted):
    made = bias_variance(Spy(), coins_made, truth=truth, **SMALL)
    X, y = coins_made(80, int(np.random.SeedSequence(5).spawn(1)[0].generate_state(1)[0]))
    m = len(fitted)
    noise, bias, variance = [], [], []
    for x, label in zip(X, y, strict=True):
        p = coins_truth([x])[0] if truth else (label == CLASSES).astype(float)
        q = np.mean([model.predict([x])[0] == CLASSES for model, _, _ in fitted], axis=0)
        noise.append((1 - np.sum(p**2)) / 2)
        bias.append(np.sum((p - q) ** 2 - q * (1 - q) / (m - 1)) / 2)
        variance.append((1 - np.sum(q**2)) / 2 * m / (m - 1))
    np.testing.assert_allclose(made.by_row.noise, noise, atol=1e-12)
    np.testing.assert_allclose(made.by_row.bias, bias, atol=1e-12)
    np.testing.assert_allclose(made.by_row.variance, variance, atol=1e-12)


def test_domingos_for_two_classes_is_his_sum_with_signs(fitted):
    made = bias_variance(
        Spy(), *make_twonorm(150, random_state=2), decomposition="domingos", **SMALL
    )
    order = np.random.default_rng(np.random.SeedSequence(5).spawn(1)[0]).permutation(150)
    X, y = make_twonorm(150, random_state=2)
    votes = np.mean([model.predict(X[order[:80]]) for model, _, _ in fitted], axis=0)
    main = votes > 0.5
    biased = main != y[order[:80]]
    strays = np.where(main, 1 - votes, votes)  # share of answers that are not the main one
    np.testing.assert_array_equal(made.by_row.bias, biased)
    np.testing.assert_allclose(made.by_row.variance, np.where(biased, -strays, strays), atol=1e-12)
    assert (made.by_row.variance < 0).any()


def test_brier_score_of_probabilities():
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    data = make_led(200, random_state=1)

    def brier(_, y):
        shares = np.zeros((80, 10))
        shares[:, model.classes_] = model.predict_proba(X_test)
        return np.sum((shares - (y[:, None] == np.arange(10))) ** 2, axis=1)

    order = np.random.default_rng(np.random.SeedSequence(5).spawn(1)[0]).permutation(200)
    X_test = data[0][order[:80]]
    made = bias_variance(model, *data, decomposition="squared", **SMALL)
    assert made.error == pytest.approx(mean_loss(model, brier, data), rel=1e-12)


def test_constant_learners_have_no_variance():
    options = {"n_repeats": 7, "random_state": 0}
    made = bias_variance(
        DummyRegressor(strategy="constant", constant=0.1), sine_made, truth=sine, **options
    )
    assert made.variance == 0.0
    assert made.bias == pytest.approx(0.5 + 0.01, abs=0.05)
    assert made.noise == pytest.approx(0.25, abs=0.03)
    for kind in ("squared", "kohavi_wolpert", "domingos"):
        model = DummyClassifier(strategy="constant", constant="b")
        made = bias_variance(model, coins_made, decomposition=kind, truth=coins_truth, **options)
        assert made.variance == 0.0
        assert made.error == pytest.approx(1.4 if kind == "squared" else 0.7)


def test_one_neighbour_in_pure_noise_repeats_it():
    """One neighbour answers with a fresh draw: as much variance as noise, and no bias."""
    made = bias_variance(
        KNeighborsRegressor(1),
        noise_made,
        truth=lambda X: np.full(len(X), 3.0),
        n_repeats=120,
        random_state=0,
    )
    assert made.noise == pytest.approx(4.0, rel=0.15)
    assert made.variance == pytest.approx(4.0, rel=0.05)
    assert made.bias == pytest.approx(0.0, abs=0.02)
    made = bias_variance(
        KNeighborsClassifier(1), coins_made, truth=coins_truth, n_repeats=120, random_state=0
    )
    assert made.noise == pytest.approx((1 - 0.38) / 2)
    assert made.variance == pytest.approx((1 - 0.38) / 2, rel=0.03)
    assert made.bias == pytest.approx(0.0, abs=0.005)


def test_mean_learner_in_closed_form():
    """The mean of n draws has the variance of one over n, and the bias of a flat line."""
    made = bias_variance(
        DummyRegressor(), sine_made, truth=sine, n_repeats=400, train_size=25, random_state=0
    )
    assert made.variance == pytest.approx((0.5 + 0.25) / 25, rel=0.15)
    assert made.bias == pytest.approx(0.5, rel=0.05)


def test_the_tree_of_friedmans_problem():
    """Reference: 100 trees on 300 rows, min_samples_split 5, give 11.71 = 4.12 + 7.60."""
    made = bias_variance(DecisionTreeRegressor(min_samples_split=5), make_friedman1, random_state=0)
    assert made.error == pytest.approx(11.71, rel=0.08)
    assert made.bias == pytest.approx(4.12, rel=0.12)
    assert made.variance == pytest.approx(7.60, rel=0.08)


@pytest.mark.parametrize("source", ["generated", "bootstrap", "halves"])
def test_any_number_of_jobs_gives_the_same_bits(source):
    # The tree draws its splits, so its own randomness is under test, too.
    model = make_pipeline(StandardScaler(), ExtraTreeRegressor())
    data = (sine_made, None) if source == "generated" else sine_made(90, 0)
    options = {"random_state": 1, "n_repeats": 6, "test_size": 30}
    if source != "generated":
        options["sampling"] = source
    with parallel_config("threading"):  # workers of other kinds take seconds to start
        one, two = (bias_variance(model, *data, n_jobs=n, **options) for n in (1, 2))
    np.testing.assert_array_equal(one.by_row, two.by_row)
    again = bias_variance(model, *data, **{**options, "random_state": 2})
    assert again.error != one.error


def test_a_fixed_seed_of_the_learner_is_kept(fitted):
    bias_variance(Spy(random_state=3), coins_made, **SMALL)
    assert {model.random_state for model, _, _ in fitted} == {3}
    fitted.clear()
    bias_variance(Spy(), coins_made, **SMALL)
    assert len({model.random_state for model, _, _ in fitted}) == SMALL["n_repeats"]


def test_every_part_of_a_learner_gets_a_seed_of_its_own(fitted):
    pair = VotingClassifier([("one", Spy()), ("other", Spy())])
    bias_variance(pair, coins_made, **SMALL)
    assert len({model.random_state for model, _, _ in fitted}) == 2 * SMALL["n_repeats"]


def test_what_random_state_may_be():
    made = [
        bias_variance(LinearRegression(), sine_made, n_repeats=2, random_state=state).error
        for state in (
            np.random.default_rng(0),
            np.random.default_rng(0),
            np.random.RandomState(0),
            np.random.RandomState(0),
            None,
        )
    ]
    assert made[0] == made[1]
    assert made[2] == made[3]
    assert len(set(made)) == 3


@pytest.mark.parametrize(
    ("sampling", "size", "distinct"), [("bootstrap", 100, False), ("subsample", 50, True)]
)
def test_learning_sets_are_drawn_from_what_is_not_tested(fitted, sampling, size, distinct):
    X, y = np.arange(150.0)[:, None], np.arange(150) % 2
    bias_variance(Spy(), X, y, sampling=sampling, n_repeats=40, random_state=0)
    seen = [rows[:, 0] for _, rows, _ in fitted]
    assert {rows.size for rows in seen} == {size}
    assert all((np.unique(rows).size == size) == distinct for rows in seen)
    assert np.unique(np.concatenate(seen)).size == 100
    assert all((target == rows[:, 0] % 2).all() for _, rows, target in fitted)


def test_halves_come_in_disjoint_pairs(fitted):
    X, y = np.arange(151.0)[:, None], np.arange(151) % 2
    bias_variance(Spy(), X, y, sampling="halves", n_repeats=5, test_size=50, random_state=0)
    seen = [set(rows[:, 0]) for _, rows, _ in fitted]
    assert [len(rows) for rows in seen] == [50] * 5
    assert not seen[0] & seen[1]
    assert not seen[2] & seen[3]
    assert seen[0] & seen[2]
    assert seen[0] != seen[2]


def test_equal_seeds_give_all_learners_equal_rows(fitted):
    for model in (Spy(), Spy(max_depth=1, random_state=0)):
        bias_variance(model, coins_made, n_repeats=3, random_state=0)
    for (_, first, _), (_, second, _) in zip(fitted[:3], fitted[3:], strict=True):
        np.testing.assert_array_equal(first, second)


def test_frames_stay_frames():
    X, y = load_iris(return_X_y=True, as_frame=True)
    names = pd.Series(np.array(["s", "ve", "vi"])[y])
    model = LogisticRegression(max_iter=1000)
    with_names = bias_variance(model, X, names, n_repeats=3, random_state=0)
    plain = bias_variance(model, X.to_numpy().tolist(), list(y), n_repeats=3, random_state=0)
    assert with_names.error == pytest.approx(plain.error)
    assert repr(plain).startswith("<BiasVariance kohavi_wolpert: error=0.0")


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((sine_made, [1.0]), {}, "y must be left out"),
        (([[0.0]] * 9, [1.0]), {}, "y must have an entry for each of the 9 rows"),
        (([[0.0]] * 9, None), {}, "y must have an entry for each of the 9 rows"),
        ((sine_made,), {"n_repeats": 1}, "n_repeats must be a whole number of at least 2"),
        ((sine_made,), {"train_size": 0.5}, "train_size must be a whole number"),
        ((sine_made,), {"sampling": "jackknife"}, "sampling must be one of"),
        ((sine_made,), {"decomposition": "absolute"}, "decomposition must be one of"),
        ((sine_made,), {"decomposition": "domingos"}, "is for classifiers, which Linear"),
        ((sine_made,), {"truth": lambda X: X[:5]}, r"the mean of y, in the shape \(2000, 1\)"),
        (sine_made(30, 0), {"test_size": 29}, "test_size must be .* from 1 to 28; got 29"),
        (sine_made(30, 0), {"train_size": 21}, "train_size must be .* from 1 to 20; got 21"),
        (sine_made(30, 0), {"train_size": 2.5}, "train_size must be .* got 2.5"),
        (sine_made(30, 0), {"sampling": "halves", "train_size": 5}, "train_size must be left out"),
    ],
)
def test_odd_options_are_refused(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        bias_variance(LinearRegression(), *arguments, **options)


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        (lambda X: np.full((len(X), 2), 0.5), r"each of the classes \['a', 'b', 'c'\]"),
        (lambda X: np.full((len(X), 3), 0.5), "sum to 1"),
        (lambda X: np.tile([1.5, 0.5, -1.0], (len(X), 1)), "sum to 1"),
    ],
)
def test_truth_about_classes_must_be_probabilities(truth, message):
    with pytest.raises(ValueError, match=message):
        bias_variance(DecisionTreeClassifier(), coins_made, truth=truth, n_repeats=2)
