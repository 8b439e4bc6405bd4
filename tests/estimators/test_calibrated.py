"""Sets and intervals of every estimator: right after fit, in any process, for any labels."""

import copy
import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

from softwood import (
    BaggedTreesClassifier,
    BaggedTreesRegressor,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CoalescenceClassifier,
    CoalescenceRegressor,
    EvolvedTreeClassifier,
    ObliqueTreeClassifier,
    SoftenedClassifier,
    SoftenedRegressor,
    SoftTreeClassifier,
    VRForestClassifier,
    VRForestRegressor,
    harden,
    load,
    prune,
    refresh,
    save,
    soften,
    widen_margins,
)
from softwood.conformal import as_of_more_trees, class_scores
from softwood.ensemble.jobs import Jobs
from softwood.ensemble.predict import scatter_of_all
from softwood.estimators import _evidence
from tests.every_estimator import CLASSIFIERS, REGRESSORS, every_model, one_of_each


def table(n_rows=120, seed=0, noise=0.3):
    """Rows of three numbers, three classes that two of them decide, and a number."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 3))
    score = X[:, 0] * X[:, 1] + X[:, 2] + noise * rng.normal(size=n_rows)
    y = np.array(["few", "many", "some"])[np.digitize(score, [-0.5, 1.0])]
    return X, y, score


def asked(model, X, alpha=0.1):
    """Sets of a classifier, or intervals of a regressor."""
    has_classes = hasattr(model, "predict_set")
    return model.predict_set(X, alpha) if has_classes else model.predict_interval(X, alpha)


def target_of(model, y, score):
    return y if hasattr(model, "predict_set") else score


def coverage(model, X, y, alpha, **options):
    """The share of rows whose class, or number, is held."""
    if hasattr(model, "predict_set"):
        sets = model.predict_set(X, alpha, **options)
        return sets[np.arange(len(y)), np.searchsorted(model.classes_, y)].mean()
    low, high = model.predict_interval(X, alpha).T
    return ((low <= y) & (y <= high)).mean()


EVERY = every_model(CLASSIFIERS) + every_model(REGRESSORS)
ONE_OF_EACH = one_of_each(CLASSIFIERS) + one_of_each(REGRESSORS)


# -- every estimator -------------------------------------------------------------------


@pytest.mark.parametrize("model", EVERY)
def test_it_works_right_after_fit_and_predictions_stay(model, tmp_path):
    X, y, score = table()
    new = table(300, seed=1)
    model = clone(model).fit(X, target_of(model, y, score))
    before = model.predict(new[0])
    found = asked(model, new[0])
    expected = (300, 3) if found.dtype == bool else (300, 2)
    assert found.shape == expected
    assert 0.75 < coverage(model, new[0], target_of(model, *new[1:]), 0.1) <= 1.0
    assert model.predict(new[0]).tolist() == before.tolist()
    for again in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model)):
        assert np.array_equal(asked(again, new[0]), found)
    save(model, tmp_path / "model")
    assert np.array_equal(asked(load(tmp_path / "model"), new[0]), found)


@pytest.mark.parametrize("model", ONE_OF_EACH)
def test_jobs_make_no_difference(model):
    X, y, score = table()
    found = []
    for n_jobs in (1, 2, 3):
        again = clone(model)
        if "n_jobs" in again.get_params():
            again.set_params(n_jobs=n_jobs)
        found.append(asked(again.fit(X, target_of(again, y, score)), X))
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


@pytest.mark.parametrize("model", ONE_OF_EACH)
def test_frames_with_categories_and_gaps(model):
    X, y, score = table(100)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["kind"] = pd.Categorical(np.where(X[:, 0] > 0, "warm", "cold"))
    frame["flag"] = np.random.default_rng(0).choice(["x", "y", "z"], 100)
    if model.__sklearn_tags__().input_tags.allow_nan:
        frame.loc[::7, "a"] = np.nan
        frame.loc[::9, "kind"] = None
    if isinstance(model, SoftenedClassifier | SoftenedRegressor):
        model = type(model)(model.model, random_state=0)
    fitted = clone(model).fit(frame, target_of(model, y, score))
    found = asked(fitted, frame)
    assert coverage(fitted, frame, target_of(model, y, score), 0.1) > 0.8
    assert np.array_equal(asked(fitted, frame.iloc[::-1])[::-1], found)


@pytest.mark.parametrize("n_rows", [1, 2, 3, 5])
@pytest.mark.parametrize("model", ONE_OF_EACH)
def test_few_rows_rule_nothing_out(model, n_rows):
    X, _, score = table(n_rows)
    y = np.array(["a", "b", "c", "c", "c"])[:n_rows]
    fitted = clone(model)
    try:
        fitted.fit(X, target_of(model, y, score))
    except ValueError:
        pytest.skip("cannot be fitted to so few rows at all")
    found = asked(fitted, X)
    whole = found.all() if found.dtype == bool else np.isinf(found).all()
    assert whole


# -- what is calibrated, and by what -----------------------------------------------------


@pytest.mark.parametrize(
    ("model", "method"),
    [
        (CARTClassifier(), "cv"),
        (CoalescenceClassifier(90, random_state=0), "oob"),
        (CoalescenceClassifier(85, random_state=0), "cv"),
        (VRForestClassifier(60, random_state=0), "cv"),  # its trees see all rows
        (VRForestClassifier(60, sampling="bootstrap", random_state=0), "oob"),
        (BaggedTreesRegressor(50, random_state=0), "oob"),
        (CARTRegressor(), "cv"),
    ],
)
def test_which_rows_are_asked(model, method):
    X, y, score = table()
    model.fit(X, target_of(model, y, score))
    asked(model, X[:1])
    assert model.calibration_.method == method
    assert model.calibrate() is model  # once more, there is nothing to do
    new = table(40, seed=1)
    model.calibrate(new[0], target_of(model, *new[1:]))
    assert model.calibration_.method == "holdout"
    assert model.calibration_.n_rows == 40


def unseen_trees(model, n_rows):
    """The trees that have not seen each row, one list after the other."""
    bags = [set(bag.tolist()) for bag in model.estimators_samples_]
    return [[j for j, bag in enumerate(bags) if row not in bag] for row in range(n_rows)]


def out_of_bag(unseen, n_trees):
    return np.array([np.isin(np.arange(n_trees), trees) for trees in unseen])


def all_and_halves(trees):
    """The trees, and every other one of them."""
    return trees, trees[1::2], trees[::2]


@pytest.mark.parametrize("weighted", [False, True])
def test_rows_out_of_bag_are_asked_of_trees_that_have_not_seen_them(weighted):
    X, y, _ = table(80)
    weight = np.random.default_rng(0).integers(0, 3, 80) if weighted else np.ones(80)
    model = BaggedTreesClassifier(50, class_weight="balanced", random_state=0)
    model.fit(X, y, weight).calibrate()
    unseen, scores = unseen_trees(model, 80), np.empty((3, 80))
    code = np.searchsorted(model.classes_, y)
    for row in range(80):
        for place, asked in enumerate(all_and_halves(unseen[row])):
            shares = [model.flow_.predict(model.trees_[j], X[[row]])[0] for j in asked]
            scores[place, row] = 1.0 - np.mean(shares, axis=0)[code[row]]
    kept, expected = np.flatnonzero(weight), []
    share = np.mean([len(unseen[row]) for row in kept]) / 50
    for label in range(model.classes_.size):
        own = kept[code[kept] == label]
        expected += as_of_more_trees(scores[0, own], scores[1:, own], weight[own], share).tolist()
    calibration = model.calibration_
    found = np.unique(calibration.scores.round(9))
    np.testing.assert_allclose(found, np.unique(np.round(expected, 9)), atol=1e-9)
    assert calibration.n_rows == len(expected)
    if weighted:
        assert calibration.weights.sum() == pytest.approx(len(expected))


def test_numbers_out_of_bag_and_how_far_apart_they_are():
    X, _, score = table(80)
    model = CoalescenceRegressor(50, sampling="bootstrap", random_state=0).fit(X, score)
    model.calibrate()
    unseen, residuals, spreads = unseen_trees(model, 80), np.empty((3, 80)), np.empty((3, 80))
    for row in range(80):
        for place, asked in enumerate(all_and_halves(unseen[row])):
            answers = [model.flow_.predict(model.trees_[j], X[[row]])[0, 0] for j in asked]
            residuals[place, row] = abs(score[row] - np.mean(answers))
            spreads[place, row] = np.std(answers, ddof=1)
    average = np.mean(spreads[0])
    of_all = scatter_of_all(model.forest_, X, model.flow_, Jobs(), out_of_bag(unseen, 50))
    assert model.calibration_.spread == pytest.approx(average * of_all)
    relative = residuals / (0.5 + 0.5 * spreads / average)
    share = np.mean([len(trees) for trees in unseen]) / 50
    expected = np.sort(as_of_more_trees(relative[0], relative[1:], np.ones(80), share))
    found = model.calibration_
    np.testing.assert_allclose(np.repeat(found.scores, found.weights.astype(int)), expected)
    new = table(30, seed=1)[0]
    answers = np.array([model.flow_.predict(tree, new)[:, 0] for tree in model.trees_])
    wider = 0.5 + 0.5 * answers.std(axis=0, ddof=1) / (average * of_all)
    low, high = model.predict_interval(new, 0.1).T
    np.testing.assert_allclose(high - low, 2 * expected[int(np.ceil(81 * 0.9)) - 1] * wider)


def test_folds_are_answered_by_models_that_were_fitted_to_the_others():
    X, y, score = table(60)
    model = VRForestRegressor(5, random_state=3).fit(X, score)
    folds = _evidence.folds_for(score, None, seed=3)
    residuals, spreads = np.empty(60), np.empty(60)
    for train, test in folds:
        part = clone(model).fit(X[train], score[train])
        residuals[test] = np.abs(score[test] - part.predict(X[test]))
        answers = [part.flow_.predict(tree, X[test])[:, 0] for tree in part.trees_]
        spreads[test] = np.std(answers, axis=0, ddof=1)
    scores = residuals / (0.5 + 0.5 * spreads / spreads.mean())
    np.testing.assert_allclose(model.calibrate().calibration_.scores, np.sort(scores))
    tree = C45Classifier(soft_thresholds=True).fit(X, y)
    expected = []
    for train, test in _evidence.folds_for(np.searchsorted(tree.classes_, y), tree.classes_, 0):
        part = clone(tree).fit(X[train], y[train])
        shares = part.predict_proba(X[test])
        expected += (
            1 - shares[np.arange(test.size), np.searchsorted(part.classes_, y[test])]
        ).tolist()
    found = tree.calibrate().calibration_.scores
    np.testing.assert_allclose(
        np.unique(found.round(9)), np.unique(np.round(expected, 9)), atol=1e-9
    )


def test_a_crisp_tree_is_asked_a_second_time_with_noise():
    X, y, _ = table()
    model = CARTClassifier(max_depth=3).fit(X, y)
    sets = model.predict_set(X, 0.2)
    blur = model.calibration_.blur
    np.testing.assert_allclose(blur.scale, 0.2 * X.std(axis=0, ddof=1))
    mean = (model.predict_proba(X) + blur.predict(model.tree_, X)) / 2
    limit = model.calibration_.thresholds(0.2)[0]
    clear = np.abs(1 - mean - limit) > 1e-9
    assert (sets == (1 - mean <= limit))[clear].all()
    assert CARTRegressor().fit(X, X[:, 0]).calibrate().calibration_.blur is None
    assert C45Classifier(soft_thresholds=True).fit(X, y).calibrate().calibration_.blur is None


def test_of_many_rows_enough_are_asked(monkeypatch):
    X, y, score = table(200)
    monkeypatch.setattr(_evidence, "ENOUGH_ROWS", 50)
    model = CARTClassifier().fit(X, y).calibrate()
    assert 50 <= model.calibration_.n_rows < 100
    monkeypatch.setattr("softwood.estimators._forest_answers.ENOUGH_ROWS", 50)
    model = CoalescenceRegressor(90, random_state=0).fit(X, score).calibrate()
    assert model.calibration_.n_rows == 50


# -- coverage --------------------------------------------------------------------------


def mean_coverage(make, alpha, n_draws=32, n_rows=150, **options):
    """The mean over draws of training sets, and its standard error."""
    found = []
    for draw in range(n_draws):
        X, y, score = table(n_rows, seed=draw)
        model = make()
        model.fit(X, target_of(model, y, score))
        new = table(1000, seed=1000 + draw)
        found.append(coverage(model, new[0], target_of(model, *new[1:]), alpha, **options))
    return np.mean(found), np.std(found, ddof=1) / np.sqrt(n_draws)


@pytest.mark.parametrize("alpha", [0.1, 0.3])
@pytest.mark.parametrize(
    "make",
    [
        CARTClassifier,
        C45Classifier,
        lambda: SoftTreeClassifier(method="perturb", smoothing=0.2, random_state=0),
        lambda: CoalescenceClassifier(60, random_state=0),
        lambda: CARTRegressor(min_samples_leaf=5),
        lambda: CoalescenceRegressor(60, random_state=0),
    ],
)
def test_the_truth_is_held_as_often_as_was_asked_for(make, alpha):
    """Scores of training rows would cover 0.7 or less by most of these, and all rows by none."""
    mean, error = mean_coverage(make, alpha)
    assert error < 0.015
    assert abs(mean - (1 - alpha)) < 0.035


def test_rows_that_are_new_to_the_model_give_exact_coverage():
    """One model, 400 draws of 39 rows: of 40 rows each is as likely to be the worst."""
    X, y, _ = table(200)
    model = SoftTreeClassifier(method="perturb", smoothing=0.3, random_state=0).fit(X, y)
    new, labels, _ = table(20_000, seed=1)
    score = 1.0 - model.predict_proba(new)
    codes = np.searchsorted(model.classes_, labels)
    found = []
    for part in np.split(np.random.default_rng(0).permutation(39 * 400), 400):
        calibration = model.calibrate(new[part], labels[part]).calibration_
        held = calibration.sets(score[-2000:], 0.1)
        found.append(held[np.arange(2000), codes[-2000:]].mean())
    assert abs(np.mean(found) - 36 / 40) < 3 * np.std(found) / np.sqrt(400)


def test_each_class_is_held_as_often_as_was_asked_for():
    def rows(n_rows, seed):
        rng = np.random.default_rng(seed)
        y = (rng.random(n_rows) < 0.15).astype(int)
        return rng.normal(size=(n_rows, 2)) + 1.2 * y[:, None], y

    found = {False: [], True: []}
    for seed in range(8):
        model = CoalescenceClassifier(200, random_state=0).fit(*rows(800, seed))
        X, y = rows(2000, 100 + seed)
        for by_class in found:
            sets = model.predict_set(X, 0.1, by_class=by_class)
            found[by_class].append(sets[y == 1, 1].mean())
    assert np.mean(found[False]) < 0.75  # the rare class pays for the other
    assert abs(np.mean(found[True]) - 0.9) < 0.04


def test_weights_move_the_coverage_to_the_rows_that_weigh():
    """Noise is large in half of the rows: weights decide which half the intervals are for."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    wild = X[:, 1] > 0
    y = X[:, 0] + np.where(wild, 2.0, 0.2) * rng.normal(size=600)
    model = CARTRegressor(max_depth=3)
    new = rng.normal(size=(4000, 2))
    new_wild = new[:, 1] > 0
    target = new[:, 0] + np.where(new_wild, 2.0, 0.2) * rng.normal(size=4000)
    for heavy, rows in ((wild, new_wild), (~wild, ~new_wild)):
        model.fit(X, y, np.where(heavy, 1000.0, 1.0))
        assert abs(coverage(model, new[rows], target[rows], 0.2) - 0.8) < 0.05


@pytest.mark.parametrize("method", ["holdout", "cv", "oob"])
def test_rows_of_weight_0_are_not_there(method):
    X, y, _ = table()
    weight = (np.arange(120) % 3 > 0).astype(float)
    kept = weight > 0
    model = CoalescenceClassifier(50, random_state=0)
    some = clone(model).fit(X[kept], y[kept]).calibrate(X[kept], y[kept], method=method)
    all_ = clone(model).fit(X, y, weight).calibrate(X, y, weight, method=method)
    np.testing.assert_array_equal(some.calibration_.scores, all_.calibration_.scores)
    assert all_.calibration_.n_rows == kept.sum()


# -- labels, sets and rejecting ----------------------------------------------------------


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["few", "many", "some"]),
        np.array(["few", "many", "some"], dtype=object),
        np.array([-3, 0, 7]),
        np.array([1.0, 2.0, 4.0]),
        np.array([False, True, True]),
    ],
    ids=["text", "objects", "integers", "floats", "booleans"],
)
def test_labels_of_any_type(labels):
    X, y, _ = table()
    y = labels[np.searchsorted(["few", "many", "some"], y)]
    model = CARTClassifier(max_depth=4).fit(X, y)
    sets = model.predict_set(X, 0.2)
    listed = model.predict_set(X, 0.2, as_labels=True)
    assert [set(one.tolist()) for one in listed] == [
        set(model.classes_[held].tolist()) for held in sets
    ]
    answers = model.predict_or_reject(X, 0.2)
    single = sets.sum(axis=1) == 1
    assert answers.dtype == object
    assert all(answer is None for answer in answers[~single])
    assert answers[single].tolist() == [one[0] for one in listed if len(one) == 1]


def test_the_likeliest_class_comes_first_in_a_set():
    X, y, _ = table()
    model = CoalescenceClassifier(60, random_state=0).fit(X, y)
    share = model.predict_proba(X)
    for row, labels in enumerate(model.predict_set(X, 0.02, as_labels=True)):
        order = share[row, np.searchsorted(model.classes_, labels)]
        assert (np.diff(order) <= 0.0).all()


@pytest.mark.parametrize(
    ("classes", "rejected", "dtype"),
    [
        ([0, 1], -1, "int64"),
        ([0, 1], np.nan, "float64"),
        ([0, 1], "unsure", "O"),
        ([0, 1], None, "O"),
        (["no", "yes"], "undecided", "<U9"),
        (["no", "yes"], 0, "O"),
        ([False, True], -1, "O"),
    ],
)
def test_what_stands_for_a_row_that_is_rejected(classes, rejected, dtype):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 1))
    y = np.array(classes)[(X[:, 0] + 0.7 * rng.normal(size=100) > 0).astype(int)]
    model = CARTClassifier(max_depth=2).fit(X, y)
    answers = model.predict_or_reject(X, 0.1, rejected=rejected)
    assert answers.dtype == dtype
    single = model.predict_set(X, 0.1).sum(axis=1) == 1
    assert 0 < single.sum() < 100
    assert set(answers[single].tolist()) <= set(classes)
    assert all(
        one is rejected or one == rejected or one != one for one in answers[~single].tolist()
    )


def test_no_more_rows_are_answered_wrongly_than_was_asked_for():
    wrong = []
    for seed in range(10):
        X, y, _ = table(200, seed=seed)
        model = CoalescenceClassifier(60, random_state=0).fit(X, y)
        new, labels, _ = table(1000, seed=seed + 100)
        answers = model.predict_or_reject(new, 0.1, rejected="?")
        wrong.append(((answers != "?") & (answers != labels)).mean())
        assert (model.predict(new) != labels).mean() > 0.15
    assert np.mean(wrong) < 0.1


def test_sets_grow_as_alpha_gets_smaller():
    X, y, score = table()
    model = C45Classifier().fit(X, y)
    numbers = CoalescenceRegressor(50, random_state=0).fit(X, score)
    sets = [model.predict_set(X, alpha) for alpha in (0.4, 0.1, 0.02, 1e-9)]
    widths = [np.diff(numbers.predict_interval(X, alpha)) for alpha in (0.4, 0.1, 0.02, 1e-9)]
    for smaller, larger in itertools.pairwise(sets):
        assert (smaller <= larger).all()
    for smaller, larger in itertools.pairwise(widths):
        assert (smaller <= larger).all()
    assert sets[-1].all()
    assert np.isinf(widths[-1]).all()


def test_a_class_of_one_row():
    X, y, _ = table()
    y = y.astype(object)
    y[5] = "once"
    model = CARTClassifier().fit(X, y)
    assert model.predict_set(X, 0.1).shape == (120, 4)
    assert model.calibration_.counts[list(model.classes_).index("once")] == 1
    assert model.predict_set(X, 0.1, by_class=True)[:, list(model.classes_).index("once")].all()


# -- the rows of training ----------------------------------------------------------------


def test_the_table_is_not_copied_and_let_go_when_it_is_no_longer_needed():
    X, y, _ = table()
    model = CARTClassifier().fit(X, y)
    assert model._fitted_rows.X is X
    assert copy.copy(model)._fitted_rows.X is X
    assert copy.deepcopy(model)._fitted_rows.X is X
    assert len(pickle.dumps(model)) < X.nbytes + len(pickle.dumps(model.tree_))
    model.calibrate()
    assert not hasattr(model, "_fitted_rows")


@pytest.mark.parametrize("how", ["pickle", "file"])
def test_a_model_that_has_lost_its_rows_says_what_to_do(how, tmp_path):
    X, y, score = table()
    for model in (CARTClassifier().fit(X, y), CoalescenceRegressor(50).fit(X, score)):
        save(model, tmp_path / "model")
        lost = pickle.loads(pickle.dumps(model)) if how == "pickle" else load(tmp_path / "model")
        with pytest.raises(ValueError, match=r"Call calibrate\(X, y\) with rows that are new"):
            asked(lost, X)
        with pytest.raises(ValueError, match="not at hand"):
            lost.calibrate()
        assert not hasattr(lost, "calibration_")
        lost.calibrate(X, target_of(lost, y, score), method="cv")
        assert asked(lost, X).shape[0] == 120
        again = model.calibrate(method="cv").calibration_
        np.testing.assert_array_equal(lost.calibration_.scores, again.scores)


def test_rows_out_of_bag_can_be_asked_of_a_loaded_model(tmp_path):
    X, y, _ = table()
    model = CoalescenceClassifier(50, sampling="bootstrap", random_state=0).fit(X, y)
    save(model, tmp_path / "model")
    again = load(tmp_path / "model").calibrate(X, y, method="oob")
    np.testing.assert_array_equal(again.calibration_.scores, model.calibrate().calibration_.scores)
    with pytest.raises(ValueError, match="must be what the model was fitted to, 120 rows"):
        again.calibrate(X[:50], y[:50], method="oob")


def test_a_table_that_has_been_changed_is_noticed():
    X, y, _ = table()
    model = CARTClassifier().fit(X, y)
    X[3, 1] += 1.0
    with pytest.raises(ValueError, match="have been changed since then"):
        model.predict_set(X)
    X[3, 1] -= 1.0
    X[:] = X[::-1].copy()  # the same rows in another order
    with pytest.raises(ValueError, match="have been changed since then"):
        model.predict_set(X)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model.fit(frame, y)
    frame["prediction"] = model.predict(frame)
    with pytest.raises(ValueError, match="have been changed since then"):
        model.predict_set(frame[["a", "b", "c"]])
    assert not hasattr(model, "calibration_")


def test_a_target_that_is_changed_later_makes_no_difference():
    X, _, score = table()
    model, other = CARTRegressor().fit(X, score), CARTRegressor().fit(X, score.copy())
    score[:] = 0.0
    assert np.array_equal(model.predict_interval(X), other.predict_interval(X))


def test_parameters_that_are_changed_later_make_no_difference():
    X, y, _ = table()
    model, other = CARTClassifier(max_depth=2).fit(X, y), CARTClassifier(max_depth=2).fit(X, y)
    model.set_params(max_depth=None)
    assert np.array_equal(model.predict_set(X), other.predict_set(X))


def test_a_new_fit_forgets():
    X, y, _ = table()
    for model in (
        CARTClassifier(),
        CoalescenceClassifier(50, warm_start=True),
        SoftenedClassifier(),
    ):
        model.fit(X, y).calibrate()
        model.fit(X[:60], y[:60])
        assert not hasattr(model, "calibration_")
        assert model.calibrate().calibration_.n_rows == 60
    assert not hasattr(clone(model), "calibration_")


def test_models_made_from_a_calibrated_one_are_not_calibrated():
    X, y, _ = table()
    cart = CARTClassifier().fit(X, y)
    soft = SoftTreeClassifier(method="perturb", smoothing=0.2).fit(X, y)
    evolved = EvolvedTreeClassifier(n_iter=50, population_size=10, random_state=0).fit(X, y)
    for model in (cart, soft, evolved):
        model.predict_set(X)
    made = [
        prune(cart, X, y, alpha=0.01),
        widen_margins(cart, X, y),
        harden(soft),
        evolved.select(n_leaves=2),
        soften(cart, X, y, smoothing="holdout"),
        refresh(cart, X, y),
        refresh(CoalescenceClassifier(50).fit(X, y), X, y),
        refresh(RandomForestClassifier(3).fit(X, y), X, y),
    ]
    for model in made:
        with pytest.raises(ValueError, match="not calibrated"):
            model.predict_set(X)
        new, labels, _ = table(60, seed=1)
        assert model.calibrate(new, labels).predict_set(X).any()
    assert hasattr(cart, "calibration_")


def test_nothing_is_drawn_from_the_state_of_numpy():
    X, y, _ = table()
    for state in (None, np.random.RandomState(0)):
        model = CARTClassifier(pruning="cv", random_state=state).fit(X, y)
        before = np.random.mtrand._rand.get_state()[1].tolist()
        own = None if state is None else state.get_state()[1].tolist()
        first = copy.deepcopy(model).predict_set(X)
        assert np.array_equal(model.predict_set(X), first)
        assert np.random.mtrand._rand.get_state()[1].tolist() == before
        assert own is None or state.get_state()[1].tolist() == own


# -- failures ----------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, 2, "0.1", None, True, np.nan, [0.1, 0.2]])
def test_alpha_is_a_share(alpha):
    X, y, score = table(40)
    with pytest.raises(ValueError, match="alpha must be a number between 0 and 1"):
        CARTClassifier().fit(X, y).predict_set(X, alpha)
    with pytest.raises(ValueError, match="alpha must be a number between 0 and 1"):
        CARTRegressor().fit(X, score).predict_interval(X, alpha)


def test_mistakes():
    X, y, _ = table(40)
    model = CARTClassifier()
    for call in (model.calibrate, lambda: model.predict_set(X), lambda: model.predict_or_reject(X)):
        with pytest.raises(ValueError, match="not fitted"):
            call()
    model.fit(X, y)
    for arguments, message in (
        ((X, y, None, "jackknife"), "method must be auto, oob, cv, holdout; got 'jackknife'"),
        ((X, None, None, "auto"), "y is needed with X"),
        ((None, None, None, "holdout"), "give X and y"),
        ((X, y, None, "oob"), "'oob' is for ensembles"),
        ((X, np.where(y == "few", "none", y), None, "auto"), "the label 'none'"),
        ((X, np.arange(40), None, "auto"), "the label 0"),
        ((X, y[:-1], None, "auto"), "inconsistent numbers of samples"),
        ((X[:, :2], y, None, "auto"), "2 features"),
        ((X, y, -np.ones(40), "auto"), "(?i)negative"),
    ):
        *rows, method = arguments
        with pytest.raises(ValueError, match=message):
            model.calibrate(*rows, method=method)
    assert not hasattr(model, "calibration_")
    model.fit(X, y.astype(object))
    with pytest.raises(ValueError, match="y must have labels like those of the model"):
        model.calibrate(X, np.arange(40))
    with pytest.raises(ValueError, match="'oob' is for ensembles"):
        VRForestClassifier(5).fit(X, y).calibrate(method="oob")


def test_a_fold_that_cannot_be_fitted_is_told():
    X, y, _ = table(40)
    y = np.where(np.arange(40) == 0, "once", "often")
    model = SoftenedClassifier(GradientBoostingClassifier(n_estimators=2), smoothing=0.1).fit(X, y)
    with pytest.raises(ValueError, match="fits the model to folds of the rows, and that failed"):
        model.predict_set(X)
    assert not hasattr(model, "calibration_")
    new, labels = X + 0.01, y
    assert model.calibrate(new, labels).predict_set(X).shape == (40, 2)


def test_models_of_others_are_fitted_again():
    X, y, _ = table()
    forest = RandomForestClassifier(10, random_state=0).fit(X, y)
    soft = soften(forest, X, y, smoothing=0.1)
    sets = soft.predict_set(X, 0.1)
    assert soft.calibration_.method == "cv"
    assert sets.shape == (120, 3)
    new, labels, _ = table(500, seed=1)
    assert 0.8 < coverage(soft, new, labels, 0.1) < 0.97


def test_a_file_without_the_model_of_others_cannot_be_fitted_again(tmp_path):
    X, y, _ = table()
    soft = soften(RandomForestClassifier(3, random_state=0).fit(X, y), X, y, smoothing=0.1)
    save(soft, tmp_path / "model")
    with pytest.raises(ValueError, match="what was softened is not at hand"):
        load(tmp_path / "model").calibrate(X, y, method="cv")


def test_an_interrupt_ends_calibration_and_leaves_the_model_as_it_was(monkeypatch):
    X, y, _ = table()
    model = EvolvedTreeClassifier(n_iter=2000, population_size=10, random_state=0).fit(X, y)
    before = dict(vars(model))

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("softwood.learn.evolving.Evolving._advance", interrupt)
    with pytest.raises(KeyboardInterrupt):
        model.predict_set(X)
    assert vars(model).keys() == before.keys()


def test_folds_write_no_checkpoints_and_call_nobody(tmp_path):
    X, y, _ = table()
    calls = []
    model = EvolvedTreeClassifier(
        n_iter=100,
        population_size=10,
        checkpoint=tmp_path / "state",
        callback=lambda progress: calls.append(progress),
        random_state=0,
    ).fit(X, y)
    written, n_calls = (tmp_path / "state").read_bytes(), len(calls)
    model.calibrate()
    assert (tmp_path / "state").read_bytes() == written
    assert len(calls) == n_calls
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def test_missing_values_are_filled_in_anew_in_each_fold():
    X, y, _ = table()
    X[::5, 0] = np.nan
    model = ObliqueTreeClassifier(n_restarts=2, random_state=0).fit(X, y)
    folds = _evidence.folds_for(np.searchsorted(model.classes_, y), model.classes_, seed=0)
    model.calibrate()
    blur, expected = model.calibration_.blur, []
    for train, test in folds:
        part = clone(model).fit(X[train], y[train])
        rows = part._rows(X[test])
        scores = class_scores(part.predict_proba(X[test]), blur.predict(part.tree_, rows))
        expected += scores[np.arange(test.size), np.searchsorted(part.classes_, y[test])].tolist()
    found = model.calibration_.scores
    np.testing.assert_allclose(
        np.unique(found.round(9)), np.unique(np.round(expected, 9)), atol=1e-9
    )
