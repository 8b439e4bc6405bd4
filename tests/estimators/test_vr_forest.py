"""Ensembles with one alpha, and what all ensembles share."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split

from softwood import (
    C45Classifier,
    VRForestClassifier,
    VRForestRegressor,
    load,
    save,
    shap_values,
    soften,
)
from softwood.data.folds import deal_folds
from softwood.datasets import make_friedman1
from softwood.ensemble.alphas import GRID, progressive_loss
from softwood.flow import Gaussian, Hard


@pytest.fixture(scope="module")
def cancer():
    return train_test_split(*load_breast_cancer(return_X_y=True), random_state=0)


@pytest.fixture(scope="module")
def friedman():
    return *make_friedman1(150, random_state=0), *make_friedman1(300, random_state=1)


# -- the spectrum ----------------------------------------------------------------


def test_with_alpha_1_and_all_rows_it_is_one_c45_tree_many_times():
    X, y = load_iris(return_X_y=True)
    forest = VRForestClassifier(3, alpha=1.0, curtail=0.0, random_state=0).fit(X, y)
    tree = C45Classifier(pruning=None, collapse=False, min_samples_leaf=2).fit(X, y).tree_
    assert forest.trees_ == [tree] * 3
    assert forest.alphas_.tolist() == [1.0] * 3


def test_alpha_is_searched_for_by_progressive_training_error():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(120, 6))
    y = X[:, 0] > 0.5
    model = VRForestClassifier(8, alpha="search", random_state=0).fit(X, y)
    losses = {}
    for alpha in GRID:
        forest = VRForestClassifier(8, alpha=alpha, random_state=0).fit(X, y)
        answers = np.cumsum([tree_proba(tree, X) for tree in forest.trees_], axis=0)
        losses[alpha] = np.mean(answers.argmax(axis=2) != y)
        if alpha == model.alpha_:
            assert forest.trees_ == model.trees_
    assert model.alpha_losses_ == pytest.approx(losses)
    assert model.alpha_ == min(losses, key=losses.get)
    model.set_params(alpha=0.1).fit(X, y)
    assert not hasattr(model, "alpha_losses_")


def tree_proba(tree, X):
    return Hard().predict(tree, X)


def test_a_search_for_numbers_goes_by_the_squared_error(friedman):
    X, y, _, _ = friedman
    model = VRForestRegressor(4, alpha="search", max_depth=5, random_state=0).fit(X, y)
    data, _, _ = model._read_training_set(X, y, None, model.schema_)
    assert model.alpha_losses_[model.alpha_] == progressive_loss(model.trees_, data)
    assert model.alpha_losses_[model.alpha_] == min(model.alpha_losses_.values())


@pytest.mark.parametrize(
    "sampling",
    ["all", "bootstrap", "subsample", "subspace", "bootstrap+subspace", "subsample+subspace"],
)
def test_many_trees_do_better_than_one(cancer, sampling):
    X, Xt, y, yt = cancer
    one, many = (
        VRForestClassifier(n, sampling=sampling, random_state=0).fit(X, y).score(Xt, yt)
        for n in (1, 10)
    )
    assert many > max(one, 0.92)


def test_numbers_are_predicted_too(friedman):
    X, y, Xt, yt = friedman
    one, many = (VRForestRegressor(n, random_state=0).fit(X, y).score(Xt, yt) for n in (1, 30))
    assert many > one + 0.2


# -- the same bits ---------------------------------------------------------------


def test_threads_and_processes_give_the_same_bits(cancer):
    X, Xt, y, _ = cancer
    model = VRForestClassifier(6, sampling="bootstrap", smoothing=0.05, random_state=0)
    expected = clone(model).fit(X, y)
    two = clone(model).set_params(n_jobs=2).fit(X, y)
    with parallel_config(backend="loky", n_jobs=2):
        elsewhere = clone(model).fit(X, y)
    assert expected.forest_ == two.forest_ == elsewhere.forest_
    rows = np.concatenate([Xt] * 4)  # enough for two parts
    assert np.array_equal(expected.predict_proba(rows), two.predict_proba(rows))


def test_a_warm_start_ends_where_a_cold_one_does(cancer):
    X, _, y, _ = cancer
    model = VRForestClassifier(3, sampling="bootstrap", warm_start=True, random_state=0).fit(X, y)
    first = model.trees_
    model.set_params(n_estimators=7).fit(X, y)
    cold = VRForestClassifier(7, sampling="bootstrap", random_state=0).fit(X, y)
    assert model.forest_ == cold.forest_
    assert model.trees_[:3] == first
    model.set_params(n_estimators=9, alpha=0.0).fit(X, y)
    assert model.alphas_.tolist() == [0.5] * 7 + [0.0] * 2


def test_a_warm_start_keeps_the_alpha_it_found():
    X, y = load_iris(return_X_y=True)
    model = VRForestClassifier(3, alpha="search", warm_start=True, random_state=0).fit(X, y)
    alpha, losses = model.alpha_, model.alpha_losses_
    model.set_params(n_estimators=5).fit(X, y)
    assert model.alphas_.tolist() == [alpha] * 5
    assert model.alpha_losses_ is losses


def test_a_warm_start_needs_the_same_columns_and_classes():
    X, y = load_iris(return_X_y=True)
    model = VRForestClassifier(3, warm_start=True).fit(X, y)
    before = dict(vars(model))
    with pytest.raises(ValueError, match=r"must not be smaller than .* 3; got 2"):
        model.set_params(n_estimators=2).fit(X, y)
    model.set_params(n_estimators=4)
    with pytest.raises(ValueError, match="grown on other columns"):
        model.fit(X[:, :2], y)
    with pytest.raises(ValueError, match=r"know the classes \[0, 1, 2\]"):
        model.fit(X[:100], y[:100])
    assert {**before, "n_estimators": 4} == vars(model)


def test_clones_and_pickles_are_the_same(cancer):
    X, Xt, y, _ = cancer
    model = VRForestClassifier(5, sampling="bootstrap", random_state=3).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert again.forest_ == model.forest_ == clone(model).fit(X, y).forest_
    assert np.array_equal(again.predict(Xt), model.predict(Xt))


# -- out of bag --------------------------------------------------------------------


def out_of_bag(model, X):
    """Answers of the trees that have not seen a row, one row and one tree at a time."""
    answers = np.full((len(X), model.trees_[0].n_outputs), np.nan)
    samples = model.estimators_samples_
    for i in range(len(X)):
        unseen = [t for t, rows in zip(model.trees_, samples, strict=True) if i not in rows]
        if unseen:
            answers[i] = np.mean([model.flow_.predict(t, X[i : i + 1])[0] for t in unseen], axis=0)
    return answers


@pytest.mark.parametrize("smoothing", [None, 0.2])
def test_classes_out_of_bag_against_a_slow_reference(smoothing):
    X, y = load_iris(return_X_y=True)
    model = VRForestClassifier(
        6, sampling="bootstrap", smoothing=smoothing, oob_score=True, random_state=0
    ).fit(X, y)
    expected = out_of_bag(model, X)
    assert np.isnan(expected).any()  # with six trees, some rows are in all bags
    np.testing.assert_allclose(model.oob_decision_function_, expected, atol=1e-9)
    asked = ~np.isnan(expected[:, 0])
    right = expected[asked].argmax(axis=1) == y[asked]
    assert model.oob_score_ == pytest.approx(right.mean())
    model.set_params(oob_score=False).fit(X, y)
    assert not hasattr(model, "oob_score_")


def test_numbers_out_of_bag_against_a_slow_reference(friedman):
    X, y, _, _ = friedman
    weight = np.random.default_rng(0).choice([0.0, 1.0, 2.0], len(y))
    model = VRForestRegressor(6, sampling="bootstrap", oob_score=True, random_state=0)
    model.fit(X, y, weight)
    expected = out_of_bag(model, X)[:, 0]
    expected[weight == 0] = np.nan
    np.testing.assert_allclose(model.oob_prediction_, expected, atol=1e-9)
    asked = ~np.isnan(expected)
    score = r2_score(y[asked], expected[asked], sample_weight=weight[asked])
    assert model.oob_score_ == pytest.approx(score)


def test_samples_are_drawn_again_in_numbers_of_the_users_rows(cancer):
    X, _, y, _ = cancer
    weight = np.arange(len(y)) % 3.0  # a third of the rows is left out
    model = VRForestClassifier(3, sampling="bootstrap", random_state=0).fit(X, y, weight)
    for tree, rows in zip(model.trees_, model.estimators_samples_, strict=True):
        assert len(rows) == model.n_samples_fit_ == np.count_nonzero(weight)
        assert (weight[rows] > 0).all()
        shares = np.bincount(y[rows]) / len(rows)
        np.testing.assert_allclose(tree.response[0], shares)
    with pytest.raises(AttributeError, match="for samples of rows only"):
        _ = VRForestClassifier(1).fit(X, y).estimators_samples_


def test_so_they_are_if_a_class_weighs_nothing():
    X, y = load_iris(return_X_y=True)
    model = VRForestClassifier(
        3, sampling="bootstrap", class_weight={0: 5, 1: 1, 2: 1}, oob_score=True, random_state=0
    ).fit(X, y, sample_weight=y > 0)
    assert model.n_samples_fit_ == 100
    assert (y[np.concatenate(model.estimators_samples_)] > 0).all()
    assert np.isnan(model.oob_decision_function_[y == 0]).all()
    assert not np.isnan(model.oob_decision_function_[y > 0]).all()


def test_permutation_importance_finds_the_features_that_matter(friedman):
    X, y, _, _ = friedman
    model = VRForestRegressor(20, sampling="bootstrap", alpha=0.8, random_state=0).fit(X, y)
    found = model.permutation_importances(X, y, n_repeats=2)
    assert found.importances.shape == (10, 20)
    np.testing.assert_allclose(found.importances_mean, found.importances.mean(axis=1))
    assert set(np.argsort(found.importances_mean)[-4:]) <= {0, 1, 2, 3, 4}
    with pytest.raises(ValueError, match="fitted to, 150 rows of positive weight; got 149"):
        model.permutation_importances(X[1:], y[1:])
    everything = VRForestRegressor(2).fit(X, y)
    with pytest.raises(ValueError, match="with sampling='all' trees have seen all rows"):
        everything.permutation_importances(X, y)


# -- smoothing ---------------------------------------------------------------------


def test_lambda_0_is_the_hard_forest(cancer):
    X, Xt, y, _ = cancer
    hard, zero, soft = (
        VRForestClassifier(5, smoothing=smoothing, random_state=0).fit(X, y)
        for smoothing in (None, 0.0, 0.1)
    )
    assert hard.flow_ == zero.flow_ == Hard()
    assert hard.smoothing_ == 0.0
    assert hard.smoothing_path_ is None
    assert soft.forest_ == hard.forest_
    assert isinstance(soft.flow_, Gaussian)
    np.testing.assert_allclose(soft.flow_.scale, 0.1 * X.std(axis=0, ddof=1))
    assert not np.array_equal(soft.predict_proba(Xt), hard.predict_proba(Xt))


@pytest.mark.parametrize("how", ["oob", "holdout"])
def test_lambda_is_chosen_where_smoothing_helps(friedman, how):
    X, y, Xt, yt = friedman
    options = {"alpha": 0.9, "sampling": "bootstrap", "random_state": 0}
    hard = VRForestRegressor(10, **options).fit(X, y)
    soft = VRForestRegressor(10, smoothing=how, **options).fit(X, y)
    assert soft.forest_ == hard.forest_  # grown on all rows, whoever chose lambda
    assert soft.smoothing_ == soft.smoothing_path_.smoothing > 0.05
    assert soft.flow_ == soft.smoothing_path_.flow
    assert soft.score(Xt, yt) > hard.score(Xt, yt)


def test_the_held_out_third_is_judged_by_a_forest_of_the_rest():
    X, y = load_iris(return_X_y=True)
    model = VRForestClassifier(4, smoothing="holdout", loss="log_loss", random_state=0).fit(X, y)
    train, test = deal_folds(y, 3, np.random.default_rng(model.seed_))[0]
    part = VRForestClassifier(4, random_state=0).fit(X[train], y[train])
    truth = part.predict_proba(X[test])[np.arange(test.size), y[test]]
    expected = -np.log(np.clip(truth, np.finfo(float).eps, None)).mean()
    assert model.smoothing_path_.loss_name == "log_loss"
    assert model.smoothing_path_.losses[0] == pytest.approx(expected)


def test_lambda_0_is_chosen_where_smoothing_does_not_help():
    X = np.repeat(np.arange(6.0), 20)[:, None]  # steps that any blur would wash out
    y = np.arange(120) // 20 % 2
    model = VRForestClassifier(10, sampling="bootstrap", smoothing="oob", random_state=0)
    assert model.fit(X, y).smoothing_ == 0.0
    assert model.flow_ == Hard()


@pytest.mark.parametrize("model", [VRForestClassifier, VRForestRegressor])
@pytest.mark.parametrize("how", ["oob", "holdout"])
def test_where_there_is_nothing_to_smooth_lambda_is_0(model, how):
    model = model(2, sampling="bootstrap", smoothing=how, oob_score=True, random_state=0)
    model.fit([[1.0]], [1])
    assert model.smoothing_ == 0.0
    assert model.smoothing_path_ is None
    assert np.isnan(model.oob_score_)
    assert model.predict([[5.0]]).tolist() == [1]


@pytest.mark.parametrize("sampling", ["all", "subspace"])
def test_out_of_bag_needs_bags(sampling):
    for options in ({"smoothing": "oob"}, {"oob_score": True}):
        with pytest.raises(ValueError, match=r"use sampling='bootstrap'"):
            VRForestClassifier(2, sampling=sampling, **options).fit([[0.0], [1.0]], [0, 1])


# -- weights, tables -------------------------------------------------------------------


def test_rows_of_weight_0_are_not_there(cancer):
    X, _, y, _ = cancer
    weight = (np.arange(len(y)) % 4 > 0).astype(float)
    kept = weight > 0
    for sampling in ("all", "bootstrap"):
        model = VRForestClassifier(4, sampling=sampling, random_state=0)
        weighed = clone(model).fit(X, y, weight)
        assert weighed.forest_ == clone(model).fit(X[kept], y[kept]).forest_


def test_heavy_rows_count_for_more():
    X = np.zeros((30, 1))
    y = np.arange(30) % 2
    for sampling in ("all", "bootstrap"):
        model = VRForestClassifier(50, sampling=sampling, random_state=0)
        share = model.fit(X, y, np.where(y == 1, 3.0, 1.0)).predict_proba(X[:1])[0, 1]
        assert share == pytest.approx(0.75, abs=0.03)
        balanced = model.set_params(class_weight={0: 3, 1: 1})
        share = balanced.fit(X, y, np.where(y == 1, 3.0, 1.0)).predict_proba(X[:1])[0, 1]
        assert share == pytest.approx(0.5, abs=0.03)


@pytest.mark.filterwarnings("ignore::softwood.errors.UnknownCategoryWarning")
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_with_categories_and_missing_values(frame):
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], 200).astype(object)
    size = rng.normal(size=200)
    y = np.where((colour == "red") | (size > 1), "yes", "no")
    colour[::9], size[::7] = None, np.nan
    X = frame({"size": size, "colour": colour})
    model = VRForestClassifier(20, sampling="bootstrap", oob_score=True, random_state=0).fit(X, y)
    assert model.oob_score_ > 0.85
    assert model.feature_names_in_.tolist() == ["size", "colour"]
    assert model.schema_.features[1].categories == ("blue", "green", "red")
    new = frame({"size": [0.0, None], "colour": ["red", "mauve"]})
    assert model.predict(new).tolist()[0] == "yes"
    assert model.predict_proba(new).shape == (2, 2)


# -- what a fitted forest can be asked ---------------------------------------------------


def test_leaves_paths_and_flow_tell_one_story(cancer):
    X, Xt, y, _ = cancer
    model = VRForestClassifier(4, smoothing=0.1, random_state=0, n_jobs=2).fit(X, y)
    leaf, (path, start), mass = model.apply(Xt), model.decision_path(Xt), model.flow(Xt)
    assert leaf.shape == (len(Xt), 4)
    dense = path.toarray()
    assert (np.take_along_axis(dense, leaf + start[:-1], axis=1) == 1).all()
    responses = np.concatenate([tree.response[tree.leaves] for tree in model.trees_])
    np.testing.assert_allclose(mass @ responses, model.predict_proba(Xt), atol=1e-7)


def test_probabilities_are_the_mean_over_trees(cancer):
    X, Xt, y, _ = cancer
    model = VRForestClassifier(5, random_state=0).fit(X, y)
    mean = np.mean([tree_proba(tree, Xt) for tree in model.trees_], axis=0)
    np.testing.assert_allclose(model.predict_proba(Xt), mean, atol=1e-12)
    assert np.array_equal(model.predict_confidence(Xt), model.predict_proba(Xt).max(axis=1))
    with np.errstate(divide="ignore"):
        assert np.array_equal(model.predict_log_proba(Xt), np.log(model.predict_proba(Xt)))


def test_importances_are_means_of_shares():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    for model in (VRForestClassifier(5, random_state=0), VRForestRegressor(5, random_state=0)):
        importances = model.fit(X, X[:, 2] > 0).feature_importances_
        assert importances.sum() == pytest.approx(1)
        assert importances.argmax() == 2


def test_a_saved_forest_answers_the_same(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = VRForestClassifier(
        5, sampling="bootstrap", smoothing="oob", oob_score=True, random_state=0
    ).fit(X, y)
    save(model, tmp_path / "forest.softwood")
    again = load(tmp_path / "forest.softwood")
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.forest_ == model.forest_
    assert again.alphas_.tolist() == model.alphas_.tolist()
    assert again.oob_score_ == model.oob_score_
    found, expected = (m.permutation_importances(X, y).importances for m in (again, model))
    assert np.array_equal(found, expected)


def test_forests_can_be_softened_out_of_bag():
    X, y = load_iris(return_X_y=True)
    model = VRForestClassifier(10, sampling="bootstrap", random_state=0).fit(X, y)
    ours = VRForestClassifier(10, sampling="bootstrap", smoothing="oob", random_state=0).fit(X, y)
    # The forest races, and soften asks all rows about every lambda: both end near the same.
    soft = soften(model, X, y, smoothing="oob", loss="brier")
    assert soft.smoothing_ == pytest.approx(ours.smoothing_, rel=0.25)
    same = soften(model, X, y, smoothing=ours.smoothing_)
    np.testing.assert_array_equal(same.predict_proba(X), ours.predict_proba(X))


def test_shap_values_add_up_to_the_prediction(cancer):
    X, Xt, y, _ = cancer
    model = VRForestClassifier(3, max_depth=3, smoothing=0.1, random_state=0).fit(X, y)
    found = shap_values(model, Xt[:3], X[:5])
    total = found.values.sum(axis=1) + found.base_values
    np.testing.assert_allclose(total, model.predict_proba(Xt[:3]), atol=1e-6)


def test_joblib_tells_how_far_it_is(capfd):
    X, y = load_iris(return_X_y=True)
    VRForestClassifier(2, random_state=0).fit(X, y)
    assert capfd.readouterr() == ("", "")
    VRForestClassifier(2, verbose=11, random_state=0).fit(X, y)
    assert "Done   2 " in "".join(capfd.readouterr())


# -- bad parameters ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("n_estimators", 0),
        ("alpha", 1.5),
        ("alpha", "best"),
        ("sampling", "some"),
        ("subspace", 0.0),
        ("subspace", 1.5),
        ("smoothing", -1.0),
        ("smoothing", "cv"),
        ("loss", "squared_error"),
    ],
)
def test_bad_parameters_are_named(parameter, value):
    model = VRForestClassifier(**{parameter: value})
    with pytest.raises(ValueError, match=f"'{parameter}' parameter"):
        model.fit([[1.0], [2.0]], [0, 1])
    assert not hasattr(model, "forest_")


def test_a_subspace_larger_than_the_space_is_refused():
    model = VRForestClassifier(2, sampling="subspace", subspace=5)
    with pytest.raises(ValueError, match=r"the number of features, 4; got 5"):
        model.fit(*load_iris(return_X_y=True))
    assert not hasattr(model, "n_features_in_")
    assert (
        model.set_params(subspace=4)
        .fit(*load_iris(return_X_y=True))
        .score(*load_iris(return_X_y=True))
    )


@pytest.mark.parametrize("sampling", ["all", "bootstrap", "subspace"])
def test_odd_tables_have_dull_answers(sampling):
    X = np.column_stack([np.ones(12), np.full(12, np.nan)])
    model = VRForestClassifier(3, sampling=sampling, random_state=0)
    y = np.repeat(["a", "b"], 6)
    np.testing.assert_allclose(model.fit(X, y).predict_proba(X), 0.5, atol=0.35)
    one_class = model.fit(X, ["a"] * 12)
    assert one_class.predict(X).tolist() == ["a"] * 12
    assert one_class.predict_proba(X).tolist() == [[1.0]] * 12
    assert model.fit(X[:1], ["a"]).predict(X[:1]).tolist() == ["a"]
