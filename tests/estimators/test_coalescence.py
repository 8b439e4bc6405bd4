"""Coalescence: a row of alphas."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import cross_val_score

from softwood import (
    CoalescenceClassifier,
    CoalescenceRegressor,
    VRForestClassifier,
    VRForestRegressor,
    load,
    save,
)
from softwood.data.training import TrainingSet
from softwood.datasets import load_dataset, make_friedman1
from softwood.estimators.coalescence import AS_PRINTED
from softwood.flow import Hard
from softwood.learn.soften.ensembles import spectrum
from softwood.tree import NOMINAL
from tests.strategies import WITHOUT_JIT


def test_the_alphas_of_the_paper():
    X, y = load_iris(return_X_y=True)
    model = CoalescenceClassifier.paper(random_state=0).fit(X[::10], y[::10])
    np.testing.assert_allclose(model.alphas_, np.arange(100) * 0.005, atol=1e-15)


def test_the_paper_is_one_call_away_for_numbers_too():
    model = CoalescenceRegressor.paper(7, min_samples_leaf=3, random_state=0)
    assert isinstance(model, CoalescenceRegressor)
    wanted = AS_PRINTED | {"n_estimators": 7, "min_samples_leaf": 3}
    assert {name: model.get_params()[name] for name in wanted} == wanted


def test_soft_trees_are_taught_by_what_is_usual():
    X = np.random.default_rng(0).normal(size=(20, 2))
    for model, data in (
        (CoalescenceClassifier(), TrainingSet.of_classes(X, (X[:, 0] > 0).astype(int))),
        (CoalescenceRegressor(), TrainingSet.of_target(X, X[:, 0])),
    ):
        usual = replace(model._learner(), loss=None, settings=(), of_many_rows=None)
        assert replace(spectrum(data), loss=None) == usual


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(CoalescenceClassifier, VRForestClassifier), (CoalescenceRegressor, VRForestRegressor)],
)
def test_each_tree_is_that_of_a_forest_with_its_alpha(ours, theirs):
    X, y = load_iris(return_X_y=True)
    options = {"sampling": "bootstrap", "min_samples_leaf": 3, "curtail": 0.0, "random_state": 5}
    options |= {"max_features": "sqrt", "n_random_tests": 2}
    model = ours(4, alpha_range=(0.2, 1.0), **options).fit(X, y)
    assert model.alphas_ == pytest.approx([0.2, 0.4, 0.6, 0.8])
    for i, alpha in enumerate(model.alphas_):
        assert model.trees_[i] == theirs(4, alpha=alpha, **options).fit(X, y).trees_[i]


def test_a_range_of_one_alpha_is_a_forest():
    X, y = load_iris(return_X_y=True)
    options = {"sampling": "all", "max_features": None, "n_random_tests": 1, "random_state": 0}
    model = CoalescenceClassifier(5, alpha_range=[0.3, 0.3], **options).fit(X, y)
    assert model.forest_ == VRForestClassifier(5, alpha=0.3, random_state=0).fit(X, y).forest_


def test_a_warm_start_fills_the_gaps_between_the_alphas():
    X, y = load_iris(return_X_y=True)
    model = CoalescenceClassifier(5, warm_start=True, random_state=0).fit(X, y)
    first = model.trees_
    model.set_params(n_estimators=10).fit(X, y)
    cold = CoalescenceClassifier(10, random_state=0).fit(X, y)
    assert model.trees_[:5] == first
    np.testing.assert_allclose(np.sort(model.alphas_), cold.alphas_, atol=1e-15)
    np.testing.assert_allclose(model.alphas_[5:], cold.alphas_[1::2], atol=1e-15)


@pytest.mark.skipif(WITHOUT_JIT, reason="takes long without compilation, and shows no more")
def test_it_is_accurate():
    X, y = load_wine(return_X_y=True)
    model = CoalescenceClassifier(30, random_state=0)
    assert cross_val_score(model, X, y, cv=5).mean() > 0.95
    X, y = make_friedman1(200, random_state=0)
    test = make_friedman1(500, random_state=1)
    assert CoalescenceRegressor(50, random_state=0).fit(X, y).score(*test) > 0.6


def test_nominal_tables(tmp_path):
    table = load_dataset("tic-tac-toe").table
    X, y = table.drop(["class"]), table["class"].as_objects().astype(str)
    half = np.arange(len(y)) % 2 == 0
    model = CoalescenceClassifier(40, random_state=0).fit(X.take(half), y[half])
    assert model.score(X.take(~half), y[~half]) > 0.85
    save(model, tmp_path / "model.softwood")
    again = load(tmp_path / "model.softwood")
    assert again.predict_proba(X).tolist() == model.predict_proba(X).tolist()


def test_a_blurred_ensemble_redraws_categories():
    table = load_dataset("tic-tac-toe").table
    X, y = table.drop(["class"]), table["class"].as_objects().astype(str)
    model = CoalescenceClassifier(2, smoothing=0.3, random_state=0).fit(X, y)
    assert model.flow_.redraw == pytest.approx(0.3**2 / 2)
    some = X.take(np.arange(20))
    np.testing.assert_allclose(model.predict_proba(some).sum(axis=1), 1.0, atol=1e-6)
    hard = CoalescenceClassifier(2, random_state=0).fit(X, y)
    assert not np.allclose(model.predict_proba(some), hard.predict_proba(some))


@pytest.mark.parametrize("wrong", [(0.5, 0.2), (-0.1, 0.5), (0.0, 1.1), (0.1,), (0, 0.1, 0.2)])
def test_ranges_that_are_none_are_refused(wrong):
    model = CoalescenceClassifier(2, alpha_range=wrong)
    with pytest.raises(ValueError, match="alpha_range must be two numbers, 0 <= low <= high <= 1"):
        model.fit([[0.0], [1.0]], [0, 1])
    assert not hasattr(model, "forest_")


@pytest.mark.parametrize("wrong", ["ab", ("a", "b"), (0.0, np.nan), [[0.0, 0.1]]])
def test_ranges_of_other_things_are_refused(wrong):
    with pytest.raises(ValueError, match="alpha_range"):
        CoalescenceClassifier(2, alpha_range=wrong).fit([[0.0], [1.0]], [0, 1])


def test_numbers_of_trees_that_are_none_are_refused():
    with pytest.raises(ValueError, match="'n_estimators' parameter"):
        CoalescenceClassifier(0).fit([[0.0], [1.0]], [0, 1])


# -- one category against all others -----------------------------------------------


def colours(n_rows=300, seed=0):
    rng = np.random.default_rng(seed)
    colour = rng.choice(["red", "green", "blue", "grey"], n_rows)
    X = pd.DataFrame({"colour": pd.Categorical(colour), "size": rng.normal(size=n_rows).round(2)})
    y = np.where((colour == "red") ^ (X["size"] > 0), "yes", "no")
    X.loc[rng.random(n_rows) < 0.1, "colour"] = None
    X.loc[rng.random(n_rows) < 0.1, "size"] = np.nan
    return X, y


def test_one_category_is_tested_against_all_others():
    X, y = colours()
    model = CoalescenceClassifier(20, random_state=0).fit(X, y)
    nominal = [tree.n_children[tree.kind == NOMINAL] for tree in model.trees_]
    assert set(np.concatenate(nominal).tolist()) == {2}
    several = clone(model).set_params(nominal_split="multiway").fit(X, y)
    nominal = [tree.n_children[tree.kind == NOMINAL] for tree in several.trees_]
    assert set(np.concatenate(nominal).tolist()) == {5}  # four colours, and none
    with pytest.raises(ValueError, match="nominal_split"):
        CoalescenceClassifier(nominal_split="two").fit(X, y)


@pytest.mark.filterwarnings("ignore::softwood.errors.UnknownCategoryWarning")
def test_frames_answer_as_their_trees_do_and_so_do_files(tmp_path):
    X, y = colours()
    model = CoalescenceClassifier(20, random_state=0).fit(X, y)
    new = colours(seed=1)[0].astype({"colour": object})
    new.loc[::7, "colour"] = "purple"  # never seen: spreads
    rows = model._rows(new)
    want = np.mean([Hard().predict(tree, rows) for tree in model.trees_], axis=0)
    np.testing.assert_allclose(model.predict_proba(new), want, rtol=1e-12)
    save(model, tmp_path / "model.softwood")
    again = load(tmp_path / "model.softwood")
    np.testing.assert_array_equal(again.predict_proba(new), model.predict_proba(new))
    assert again.forest_.packed is not None


@pytest.mark.parametrize("smoothing", ["oob", "holdout", 0.1])
def test_nominal_ensembles_can_be_smoothed(smoothing):
    X, y = colours(150)
    model = CoalescenceClassifier(5, smoothing=smoothing, random_state=0).fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()
    assert model.smoothing_ >= 0.0


@pytest.mark.parametrize("smoothing", ["oob", "holdout"])
def test_lambda_is_the_same_for_any_number_of_threads(smoothing):
    X, y = colours(150)
    options = {"smoothing": smoothing, "loss": "log_loss", "random_state": 0}
    one, two = (CoalescenceClassifier(8, n_jobs=n, **options).fit(X, y) for n in (1, 2))
    assert one.smoothing_ == two.smoothing_ > 0.0
    np.testing.assert_array_equal(one.smoothing_path_.losses, two.smoothing_path_.losses)
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))


def names_tried(model):
    return [setting.name for setting in model._learner().settings]


def test_what_is_given_is_not_chosen():
    assert names_tried(CoalescenceClassifier()) == ["usual", "large leaves"]
    assert names_tried(CoalescenceClassifier(min_samples_split=10)) == ["usual", "large leaves"]
    assert names_tried(CoalescenceClassifier(min_samples_split=4, curtail=1)) == []
    every = ["usual", "small leaves", "random", "all features", "large leaves"]
    assert names_tried(CoalescenceRegressor()) == every
    some = CoalescenceRegressor(alpha_range=(0.5, 1.0), max_features=None, curtail=0)
    assert names_tried(some) == ["usual", "small leaves", "large leaves"]
    for setting in some._learner().settings:
        assert (setting.alpha_range, setting.policy.max_features) == ((0.5, 1.0), None)
    assert names_tried(CoalescenceRegressor(min_samples_leaf=7).set_params(alpha_range=[0, 1])) == [
        "usual",
        "small leaves",
        "all features",
        "large leaves",
    ]
    for kind in (CoalescenceClassifier, CoalescenceRegressor):
        assert names_tried(kind.paper()) == []
        assert kind.paper()._learner().of_many_rows == kind.paper()._learner().policy
    assert CoalescenceClassifier()._learner().of_many_rows.max_features == 1 / 4
    assert CoalescenceRegressor()._learner().of_many_rows.max_features == 2 / 3


@pytest.mark.skipif(WITHOUT_JIT, reason="takes long without compilation, and shows no more")
def test_leaves_are_larger_where_classes_are_noise(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = np.where(rng.random(300) < 0.3, 1 - (X[:, 0] > 0), X[:, 0] > 0)
    model = CoalescenceClassifier(random_state=0).fit(X, y)
    assert list(model.choice_) == ["usual", "large leaves"]
    assert model.choice_["large leaves"]["trees"]
    assert model.choice_["large leaves"]["loss"] < model.choice_["usual"]["loss"]
    given = CoalescenceClassifier(min_samples_split=4, curtail=1, random_state=0).fit(X, y)
    assert given.choice_ == {}
    test = rng.normal(size=(2000, 4))
    truth = np.where(test[:, [0]] > 0, [[0.3, 0.7]], [[0.7, 0.3]])
    mean = [np.mean((one.predict_proba(test) - truth) ** 2) for one in (model, given)]
    assert mean[0] < 0.95 * mean[1]
    save(model, tmp_path / "model.softwood")
    assert load(tmp_path / "model.softwood").choice_ == model.choice_
    few = CoalescenceClassifier(39, random_state=0).fit(X, y)
    assert few.choice_ == {}
    seen = CoalescenceClassifier(sampling="all", random_state=0).fit(X, y)
    assert seen.choice_ == {}


@pytest.mark.skipif(WITHOUT_JIT, reason="takes long without compilation, and shows no more")
def test_all_features_are_asked_where_few_matter():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 30))
    y = np.sin(2 * X[:, 0]) * X[:, 1]
    model = CoalescenceRegressor(random_state=0).fit(X, y)
    assert model.choice_["all features"]["trees"]
    given = {name: model.choice_["usual"][name] for name in ("alpha_range", "max_features")}
    usual = CoalescenceRegressor(
        **given, min_samples_split=4, min_samples_leaf=2, curtail=0, random_state=0
    ).fit(X, y)
    test = rng.normal(size=(1000, 30))
    truth = np.sin(2 * test[:, 0]) * test[:, 1]
    assert model.score(test, truth) > usual.score(test, truth) + 0.1


def test_a_choice_that_forgets_trees_is_refused(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = CoalescenceClassifier(40, random_state=0).fit(X, y)
    owned = [number for facts in model.choice_.values() for number in facts["trees"]]
    assert sorted(owned) == list(range(40))
    right = model.choice_["usual"]
    for wrong in (
        {"usual": {**right, "trees": [0]}},
        {"usual": {**right, "trees": [0.5] * 40}},
        {"usual": {**right, "loss": None}},
        {"usual": 3},
        [right],
    ):
        model.choice_ = wrong
        with pytest.raises(ValueError, match="'choice_' must share out all trees"):
            save(model, tmp_path / "model.softwood")
