"""Strength and correlation against their definition, pairs of trees, and what must hold."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    BaggingClassifier,
    GradientBoostingClassifier,
    IsolationForest,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from softwood import CARTClassifier, VRForestClassifier, soften
from softwood.datasets import make_led, make_twonorm
from softwood.evaluate import strength_correlation

X, Y = make_led(150, random_state=0)
X_TEST, Y_TEST = make_led(200, random_state=1)


def by_definition(votes, y, weight=None):
    """Appendix C of Liu et al. (2008), case by case; the first class wins ties."""
    n, n_trees = len(votes), len(votes[0])
    weight = np.ones(n) if weight is None else np.asarray(weight, dtype=float)
    weight = weight / weight.sum()
    margin, rivals = [], []
    for row, label in zip(votes, y, strict=True):
        others = sorted({vote for vote in row if vote != label})
        counts = [list(row).count(other) for other in others]
        rivals.append(others[int(np.argmax(counts))] if others else None)
        margin.append((list(row).count(label) - max(counts, default=0)) / n_trees)
    strength = sum(w * s for w, s in zip(weight, margin, strict=True))
    variance = sum(w * s**2 for w, s in zip(weight, margin, strict=True)) - strength**2
    deviations = []
    for j in range(n_trees):
        p1 = sum(weight[i] for i in range(n) if votes[i][j] == y[i])
        p2 = sum(weight[i] for i in range(n) if votes[i][j] == rivals[i])
        deviations.append(max(0.0, p1 + p2 - (p1 - p2) ** 2) ** 0.5)
    return margin, strength, variance, np.mean(deviations)


@st.composite
def ballots(draw):
    n_rows, n_trees = draw(st.integers(1, 12)), draw(st.integers(1, 7))
    labels = st.sampled_from("abcd"[: draw(st.integers(2, 4))])
    row = st.lists(labels, min_size=n_trees, max_size=n_trees)
    votes = draw(st.lists(row, min_size=n_rows, max_size=n_rows))
    known = sorted({vote for row in votes for vote in row})
    y = draw(st.lists(labels, min_size=n_rows, max_size=n_rows))
    y[0] = draw(st.sampled_from(known))  # some label must be one that is voted for
    weight = draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n_rows, max_size=n_rows))
    return votes, y, weight


@given(ballots())
def test_every_number_by_its_definition(ballot):
    votes, y, weight = ballot
    made = strength_correlation(votes, None, y, weight)
    margin, strength, variance, deviation = by_definition(votes, y, weight)
    np.testing.assert_allclose(made.margin, margin, atol=1e-12)
    assert made.strength == pytest.approx(strength, abs=1e-12)
    assert made.n_trees == len(votes[0])
    if deviation > 1e-6:  # a root of rounded numbers has half of their digits
        assert made.rho == pytest.approx(variance / deviation**2, abs=1e-6)
        assert made.rho_unsquared == pytest.approx(variance / deviation, abs=1e-6)


@given(ballots())
def test_what_must_hold(ballot):
    votes, y, weight = ballot
    made = strength_correlation(votes, None, y, weight)
    assert 0.0 <= made.rho <= 1.0
    wrong = np.average(made.margin <= 0.0, weights=weight)
    assert wrong <= made.bound + 1e-12
    twice = strength_correlation(np.repeat(votes, 2, axis=1), None, y, weight)
    assert (twice.strength, twice.rho) == pytest.approx((made.strength, made.rho))


@given(ballots(), st.integers(1, 9))
def test_equal_trees_have_a_correlation_of_exactly_one(ballot, n_trees):
    votes, y, weight = ballot
    votes = np.repeat(np.array(votes)[:, :1], n_trees, axis=1)
    y[0] = votes[0, 0]
    made = strength_correlation(votes, None, y, weight)
    assert made.rho == 1.0
    # Without the square the same trees have their deviation.
    assert made.rho_unsquared == pytest.approx(np.sqrt(1 - made.strength**2), abs=1e-7)


def test_two_classes_have_the_mean_correlation_of_pairs():
    """The covariances of all pairs, over the squared mean deviation: no class is left out."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    hardness = 0.25 + 0.3 * rng.random((300, 1))  # makes the trees err on the same rows
    votes = np.where(rng.random((300, 8)) < hardness, 1 - y[:, None], y[:, None])
    covariance = np.cov(np.where(votes == y[:, None], 1.0, -1.0), rowvar=False, bias=True)
    made = strength_correlation(votes, None, y)
    mean_deviation = np.sqrt(np.diag(covariance)).mean()
    assert made.rho == pytest.approx(covariance.mean() / mean_deviation**2)
    assert made.strength == pytest.approx(2 * (votes == y[:, None]).mean() - 1)
    assert made.bound == pytest.approx(made.rho * (1 - made.strength**2) / made.strength**2)


def test_weights_are_repetitions():
    rng = np.random.default_rng(1)
    votes, y, times = rng.integers(0, 3, (30, 5)), rng.integers(0, 3, 30), rng.integers(0, 4, 30)
    weighted = strength_correlation(votes, None, y, times)
    repeated = strength_correlation(np.repeat(votes, times, axis=0), None, np.repeat(y, times))
    for name in ("strength", "rho", "rho_unsquared", "bound"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name))


@pytest.mark.parametrize("y", [["a", "b", "c"], ["b", "b", "b"]])
def test_trees_that_are_always_right(y):
    made = strength_correlation([[label] * 4 for label in y], None, y, [0.1, 0.2, 0.7])
    assert (made.strength, made.rho, made.rho_unsquared, made.bound) == (1.0, 1.0, 0.0, 0.0)


def test_no_strength_no_bound():
    assert strength_correlation([[0, 1], [1, 0]], None, [0, 0]).bound == np.inf
    assert strength_correlation([[0, 1], [1, 1], [1, 1]], None, [0, 0, 0]).bound == np.inf


def test_a_class_that_no_tree_knows_gets_no_votes():
    made = strength_correlation([["a", "a"], ["a", "b"], ["b", "b"]], None, ["a", "new", "other"])
    assert made.margin.tolist() == [1.0, -0.5, -1.0]


# -- ensembles ---------------------------------------------------------------------


def same(one, other):
    np.testing.assert_array_equal(one.margin, other.margin)
    assert (one.strength, one.rho) == (other.strength, other.rho)


@pytest.mark.parametrize("labels", [np.arange(10), np.array([f"digit {k}" for k in range(10)])])
def test_a_forest_of_scikit_learn(labels):
    forest = RandomForestClassifier(12, random_state=0).fit(X, labels[Y])
    codes = np.column_stack([tree.predict(X_TEST) for tree in forest.estimators_]).astype(int)
    made = strength_correlation(forest, X_TEST, labels[Y_TEST])
    same(made, strength_correlation(labels[codes], None, labels[Y_TEST]))
    assert made.n_trees == 12
    assert 0 < made.rho < 1


@pytest.mark.parametrize(
    "member", [DecisionTreeClassifier(), CARTClassifier(), GaussianNB(), LinearSVC()]
)
def test_a_bagging_of_anything(member):
    """Members see some columns, and codes of those classes that their rows have."""
    data, target = load_iris(return_X_y=True)
    labels = np.array(["setosa", "versicolor", "virginica"])[target]
    bagged = BaggingClassifier(member, 6, max_samples=9, max_features=2, random_state=3)
    bagged.fit(data, labels)
    columns = zip(bagged.estimators_, bagged.estimators_features_, strict=True)
    codes = np.column_stack([one.predict(data[:, used]) for one, used in columns]).astype(int)
    same(
        strength_correlation(bagged, data, labels),
        strength_correlation(bagged.classes_[codes], None, labels),
    )


def test_the_less_random_the_trees_the_more_they_agree():
    """All by gain and from the same rows, the trees are one tree many times."""
    alphas = (0.0, 0.5, 1.0)
    forests = [VRForestClassifier(20, alpha=a, random_state=0).fit(X, Y) for a in alphas]
    made = [strength_correlation(forest, X_TEST, Y_TEST) for forest in forests]
    assert made[0].rho < made[1].rho < made[2].rho == 1.0
    votes = [forests[1].flow_.predict(tree, X_TEST).argmax(axis=1) for tree in forests[1].trees_]
    same(made[1], strength_correlation(np.transpose(votes), None, Y_TEST))


def test_a_soft_forest_of_our_own():
    data = make_twonorm(100, random_state=0)
    forest = RandomForestClassifier(8, random_state=0).fit(*data)
    soft = soften(forest, *data, smoothing=0.5)
    rows, y = make_twonorm(300, random_state=1)
    votes = [soft.flow_.predict(tree, rows).argmax(axis=1) for tree in soft.trees_]
    made = strength_correlation(soft, rows, y)
    same(made, strength_correlation(np.transpose(votes), None, y))
    assert made.strength > strength_correlation(forest, rows, y).strength


def test_a_single_tree_is_its_own_equal():
    tree = CARTClassifier(max_depth=4).fit(X, Y)
    made = strength_correlation(tree, X_TEST, Y_TEST)
    assert made.rho == 1.0
    assert made.strength == pytest.approx(2 * tree.score(X_TEST, Y_TEST) - 1)
    assert repr(made).startswith("<StrengthCorrelation of 1 tree: strength=0.")


def test_tied_classes_of_a_leaf_go_to_the_first():
    tree = CARTClassifier().fit([[0.0], [0.0], [0.0], [1.0]], ["b", "a", "c", "a"])
    assert strength_correlation(tree, [[0.0]], ["a"]).strength == 1.0


def test_frames_with_categories():
    frame = pd.DataFrame({"shape": list("rsrsrs"), "size": [1.0, 2.0, None, 4.0, 5.0, 6.0]})
    y = pd.Series(list("nynyny"))
    model = CARTClassifier().fit(frame, y)
    assert strength_correlation(model, frame, y).strength == 1.0
    with pytest.raises(ValueError, match="must be those of training"):
        strength_correlation(model, frame[["size", "shape"]], y)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], None, [0, 1]), "a column for each tree"),
        ((np.empty((3, 0)), None, [0, 1, 0]), r"shape \(3, 0\)"),
        (([[0], [1]], None, [0, 1, 0]), "each of the 2 rows; got 3"),
        (([[0], [1]], None, []), "at least one label"),
        (([[0], [1]], None, [[0], [1]]), "y must be 1-D"),
        (([["0"], ["1"]], None, [0, 1]), "such as '0'; got none of them, but 0"),
        (([[0], [1]], None, [0, 1], [1]), r"sample_weight must have shape \(2,\)"),
        (([[0], [1]], None, [0, 1], [0, 0]), "not all zero"),
        (([[0], [1]], None, [0, 1], [1, -1]), "not negative"),
        (([[0], [1]], None, [0, 1], [1, np.nan]), "finite"),
        ((CARTClassifier().fit(X, Y), None, Y), "X must be given"),
    ],
)
def test_odd_input_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        strength_correlation(*arguments)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (RandomForestRegressor(2), "which RandomForestRegressor does not"),
        (IsolationForest(n_estimators=2), "which IsolationForest does not"),
        (GradientBoostingClassifier(n_estimators=2), "add up to a score"),
        (GaussianNB(), "cannot import a GaussianNB"),
    ],
)
def test_what_does_not_vote_is_refused_by_name(model, message):
    with pytest.raises(TypeError, match=message):
        strength_correlation(model.fit(X, Y), X, Y)


def test_several_outputs_and_what_is_not_fitted_are_refused():
    with pytest.raises(TypeError, match="one class for each row"):
        strength_correlation(RandomForestClassifier(2).fit(X, np.c_[Y, Y]), X, Y)
    with pytest.raises(NotFittedError):
        strength_correlation(RandomForestClassifier(), X, Y)
