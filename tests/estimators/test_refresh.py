"""Refreshing: the same rows give the same model, new rows new answers, and nothing else moves."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_regressor
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from softwood import (
    BaggedTreesClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CoalescenceClassifier,
    EvolvedTreeClassifier,
    ObliqueTreeClassifier,
    Perturb,
    SoftenedClassifier,
    SoftTreeClassifier,
    SoftTreeRegressor,
    VRForestClassifier,
    VRTreeClassifier,
    VRTreeRegressor,
    harden,
    load,
    refresh,
    save,
    soften,
)
from softwood.estimators.refresh import RefreshedLeaves
from softwood.flow import Gaussian, Hard
from softwood.grow.random import curtailed
from softwood.refine.confidence import SoftenByConfidence
from tests.architecture.fingerprints import mixed, numbers
from tests.every_estimator import CLASSIFIERS, REGRESSORS, every_model
from tests.strategies import WITHOUT_JIT

pytestmark = pytest.mark.filterwarnings("ignore::softwood.errors.TableWarning")
SEED = {"random_state": 0}
# Families whose trees are grown on all rows, and counted as they are.
COUNTED = {
    "cart": CARTClassifier(),
    "cart entropy": CARTClassifier("entropy", min_samples_leaf=4),
    "cart cv": CARTClassifier(pruning="cv", **SEED),
    "cart balanced": CARTClassifier(class_weight="balanced", max_depth=4),
    "cart, a number": CARTRegressor(min_samples_leaf=4),
    "c4.5": C45Classifier(),
    "c4.5 unpruned": C45Classifier(pruning=None),
    "c4.5 laplace": C45Classifier(laplace=True),
    "c4.5 soft": C45Classifier(soft_thresholds=True),
    "oc1": ObliqueTreeClassifier(n_restarts=2, pruning=None, **SEED),
    "moc2 widened": ObliqueTreeClassifier("moc2", n_restarts=2, pruning=None, widen=True, **SEED),
    "evolved empirical": EvolvedTreeClassifier("empirical", n_iter=400, **SEED),
    "vr tree": VRTreeClassifier(**SEED),
    "vr tree curtailed": VRTreeClassifier(curtail=3.0, **SEED),
    "vr tree, a number": VRTreeRegressor(**SEED),
    "vr forest": VRForestClassifier(4, sampling="all", **SEED),
    "coalescence": CoalescenceClassifier(4, sampling="all", smoothing=0.2, **SEED),
    "soft perturb": SoftTreeClassifier(method="perturb", smoothing=0.3, **SEED),
    "soft perturb, a number": SoftTreeRegressor(method="perturb", smoothing=0.3, **SEED),
    "soft confidence": SoftTreeClassifier(method="confidence", **SEED),
    "softened vr": SoftenedClassifier(VRTreeClassifier(curtail=3.0, **SEED), smoothing=0.2),
}
TABLES = {"numbers": numbers, "mixed": mixed}


def table_for(model, table):
    X, label, target = TABLES[table](120)
    return X, target if is_regressor(model) else label


def trees_of(model):
    return model.trees_ if hasattr(model, "trees_") else [model.tree_]


def answers(model, X):
    return getattr(model, "predict_proba", model.predict)(X)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", COUNTED)
def test_the_rows_of_training_give_the_model_back(name, table, weighted):
    X, y = table_for(COUNTED[name], table)
    weight = np.random.default_rng(1).integers(0, 4, len(y)) * 0.7 if weighted else None
    model = clone(COUNTED[name]).fit(X, y, sample_weight=weight)
    again = refresh(model, X, y, sample_weight=weight)
    assert type(again) is type(model)
    # Evolution counts weights in whole numbers, up to about a millionth.
    close = {"rtol": 1e-9, "atol": 1e-4 if "evolved" in name else 1e-9}
    for before, after in zip(trees_of(model), trees_of(again), strict=True):
        np.testing.assert_allclose(after.response, before.response, **close)
        np.testing.assert_allclose(after.weight, before.weight, **close)
        np.testing.assert_allclose(after.threshold, before.threshold, **close)
        np.testing.assert_allclose(after.below + after.above, before.below + before.above, **close)
    np.testing.assert_allclose(answers(again, X), answers(model, X), **close)
    assert again.flow_ == model.flow_
    assert again.refreshed_.n_rows == np.count_nonzero(
        np.ones(len(y)) if weight is None else weight
    )


@pytest.mark.parametrize("model", [*every_model(CLASSIFIERS), *every_model(REGRESSORS)])
def test_every_estimator_is_refreshed_and_saved(model, tmp_path):
    X, y = table_for(model, "mixed")
    model = clone(model).fit(X[:70], y[:70])
    state = pickle.dumps(model)
    fresh = refresh(model, X[70:], y[70:], random_state=0)
    assert pickle.dumps(model) == state  # which stays as it was
    assert type(fresh) is type(model)
    for before, after in zip(trees_of(model), trees_of(fresh), strict=True):
        assert [*before.n_children] == [*after.n_children]
        assert [*before.feature] == [*after.feature]
    assert any(a != b for a, b in zip(trees_of(model), trees_of(fresh), strict=True))
    told = answers(fresh, X)
    assert np.isfinite(told).all()
    assert fresh.refreshed_.n_unreached <= fresh.refreshed_.n_leaves
    save(fresh, tmp_path / "fresh")
    np.testing.assert_array_equal(answers(load(tmp_path / "fresh"), X), told)
    assert str(fresh)


def test_jobs_make_no_difference():
    X, y, _ = numbers(120)
    model = BaggedTreesClassifier(6, smoothing="oob", **SEED).fit(X[:60], y[:60])
    one, two = (refresh(model.set_params(n_jobs=n), X[60:], y[60:], random_state=0) for n in (1, 2))
    assert one.trees_ == two.trees_
    assert (one.flow_, one.smoothing_) == (two.flow_, two.smoothing_)


@pytest.mark.parametrize("name", ["cart vicinal", "evolved"])
def test_blurred_rows_are_counted_where_they_were(name):
    X, y, _ = numbers(80)
    X = X.round(1)
    model = clone(CLASSIFIERS[name]).fit(X, y)
    again = refresh(model, X, y)
    np.testing.assert_allclose(again.tree_.weight, model.tree_.weight, rtol=2e-3, atol=2e-3)
    np.testing.assert_allclose(again.tree_.response, model.tree_.response, atol=2e-2)
    hard = np.bincount(model.apply(X), minlength=model.tree_.n_nodes)
    assert np.abs(hard - model.tree_.weight)[model.tree_.leaves].max() > 1.0  # not the same thing


def test_an_evolved_tree_keeps_its_front():
    X, y, _ = numbers(150)
    model = EvolvedTreeClassifier(n_iter=3000, population_size=30, random_state=0).fit(
        X[:80], y[:80]
    )
    fresh = refresh(model, X[80:], y[80:])
    assert len(fresh.pareto_front_) > 1
    assert (np.diff(fresh.front_risks_) < 0).all()
    small = fresh.select(fresh.pareto_front_.trees[1].n_leaves)
    assert small.score(X[80:], y[80:]) > 0.4
    assert fresh.noise_ != model.noise_


def test_old_rows_count_as_much_as_they_should():
    X, y, _ = numbers(120)
    model = CARTClassifier(max_depth=3).fit(X[:60], y[:60])
    both = refresh(model, X, y)
    together = refresh(model, X[60:], y[60:], keep=1.0)
    np.testing.assert_allclose(together.tree_.response, both.tree_.response)
    np.testing.assert_allclose(together.tree_.weight, both.tree_.weight)
    half = refresh(model, X[60:], y[60:], keep=0.5)
    weight = np.repeat([0.5, 1.0], 60)
    np.testing.assert_allclose(
        half.tree_.response, refresh(model, X, y, sample_weight=weight).tree_.response
    )
    almost = refresh(model, X[60:], y[60:], keep=1e9)
    np.testing.assert_allclose(almost.predict_proba(X), model.predict_proba(X), atol=1e-6)


def test_classes_without_rows_fade_and_unknown_ones_are_refused():
    X, y, _ = numbers(120)
    for weight in (None, "balanced", {0: 1.0, 1: 2.0, 2: 1.0}):
        model = CARTClassifier(max_depth=3, class_weight=weight).fit(X, y)
        known = y < 2
        fresh = refresh(model, X[known], y[known])
        assert fresh.predict_proba(X[known])[:, 2].max() == 0.0
    with pytest.raises(ValueError, match=r"y has 7, which the model never saw.*0, 1, 2"):
        refresh(model, X, np.where(y == 2, 7, y))


def test_leaves_without_rows_answer_as_before():
    X, y, _ = numbers(120)
    model = CARTClassifier().fit(X, y)
    fresh = refresh(model, X[:10], y[:10])
    leaves = np.unique(model.apply(X[:10]))
    others = np.setdiff1d(model.tree_.leaves, leaves)
    assert fresh.refreshed_ == RefreshedLeaves(10, model.get_n_leaves(), others.size)
    np.testing.assert_array_equal(fresh.tree_.response[others], model.tree_.response[others])
    fresh.fit(X, y)
    assert not hasattr(fresh, "refreshed_")


def test_lambda_is_chosen_anew_unless_it_was_given():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    y = np.where(rng.random(600) < 0.15, 1, 0) ^ (X.sum(axis=1) > 0)
    clean = (X[:300].sum(axis=1) > 0).astype(int)
    model = SoftTreeClassifier(CARTClassifier(), "perturb", **SEED).fit(X[:300], clean)
    fresh = refresh(model, X[300:], y[300:], random_state=0)
    assert fresh.smoothing_ != model.smoothing_
    assert fresh.smoothing_ == fresh.smoothing_path_.smoothing
    assert isinstance(fresh.flow_, Gaussian)
    kept = refresh(model, X[300:], y[300:], smoothing="keep")
    assert (kept.smoothing_, kept.smoothing_path_) == (model.smoothing_, None)
    assert refresh(model, X[300:], y[300:], smoothing=0.7).smoothing_ == 0.7
    given = SoftTreeClassifier(CARTClassifier(), Perturb(), smoothing=0.4).fit(X[:300], clean)
    wider = refresh(given, 3.0 * X[300:], y[300:])
    deviation = 3.0 * X[300:].std(axis=0, ddof=1)
    assert (wider.smoothing_, wider.flow_.scale) == (0.4, pytest.approx(tuple(0.4 * deviation)))


def test_lambda_of_a_forest_is_chosen_by_folds():
    X, y, _ = numbers(200)
    model = BaggedTreesClassifier(8, smoothing="oob", loss="brier", **SEED).fit(X[:100], y[:100])
    fresh = refresh(model, X[100:], y[100:], random_state=0)
    path = fresh.smoothing_path_
    assert path.loss_name == "brier"
    assert fresh.smoothing_ in (0.0, path.best)
    assert not hasattr(fresh, "estimators_samples_")
    assert not hasattr(fresh, "n_samples_fit_")
    assert fresh.feature_importances_.sum() == pytest.approx(1.0)


def test_what_was_made_hard_stays_hard():
    X, y, _ = numbers(120)
    crisp = harden(SoftTreeClassifier(method="perturb", smoothing=0.3, **SEED).fit(X, y))
    fresh = refresh(crisp, X, y)
    assert fresh.flow_ == Hard()
    np.testing.assert_allclose(fresh.predict_proba(X), crisp.predict_proba(X))
    with pytest.raises(ValueError, match=r"smoothing=0.2 is for models that blur.*use soften"):
        refresh(crisp, X, y, smoothing=0.2)
    with pytest.raises(ValueError, match="use soften"):
        refresh(CARTClassifier().fit(X, y), X, y, smoothing=0.2)


def test_widths_follow_the_errors_on_the_new_rows():
    X, y, _ = numbers(200)
    model = C45Classifier(soft_thresholds=True).fit(X[:100], y[:100])
    fresh = refresh(model, X[100:], y[100:])
    hard = harden(model)
    hard.tree_ = refresh(hard, X[100:], y[100:]).tree_
    data = fresh._read_training_set(X[100:], y[100:], None, fresh.schema_)[0]
    expected = SoftenByConfidence("c50").refine(hard.tree_, data)
    met = hard.tree_.weight > 0.0
    np.testing.assert_allclose(fresh.tree_.below[met], expected.below[met])
    assert (fresh.tree_.below != model.tree_.below).any()
    np.testing.assert_array_equal(fresh.tree_.below[~met], model.tree_.below[~met])


def test_a_soft_tree_learns_what_has_changed():
    X, y, _ = numbers(400)
    model = clone(CLASSIFIERS["soft"]).set_params(max_leaf_nodes=16).fit(X[:150], y[:150])
    turned = 2 - y
    fresh = refresh(model, X[150:300], turned[150:300])
    assert model.score(X[300:], turned[300:]) < 0.5 < fresh.score(X[300:], turned[300:])


def test_models_of_others_become_ours():
    X, y, _ = numbers(120)
    for theirs in (DecisionTreeClassifier(max_depth=4), RandomForestClassifier(4, bootstrap=False)):
        theirs.set_params(random_state=0).fit(X, y)
        fresh = refresh(theirs, X, y)
        assert isinstance(fresh, SoftenedClassifier)
        np.testing.assert_allclose(fresh.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
        newer = refresh(theirs, X[:60], 2 - y[:60])
        assert newer.score(X[:60], 2 - y[:60]) >= 0.8
    boosted = GradientBoostingClassifier(n_estimators=3).fit(X, y)
    with pytest.raises(ValueError, match=r"those of GradientBoostingClassifier add up to a score"):
        refresh(boosted, X, y)
    with pytest.raises(ValueError, match="add up to a score"):
        refresh(soften(boosted, X, y, smoothing=0.1), X, y)


def test_frames_classes_and_categories():
    X, y, _ = mixed(120)
    model = C45Classifier().fit(X, y)
    odd = X.assign(colour=["violet"] * 20 + X["colour"].tolist()[20:])
    fresh = refresh(model, odd, y)
    assert set(fresh.predict(X)) <= set(model.classes_)
    with pytest.raises(ValueError, match="feature names"):
        refresh(model, pd.DataFrame({"a": [1.0]}), ["no"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"keep": -1}, "keep must be finite and not negative; got -1"),
        ({"smoothing": "cv"}, "smoothing must be 'auto', 'keep' or a number from 0 on; got 'cv'"),
        ({"smoothing": -0.1}, "smoothing must be"),
        ({"sample_weight": [-1.0] * 30}, "sample_weight"),
    ],
)
def test_mistakes_are_named(options, said):
    X, y, _ = numbers(30)
    model = SoftTreeClassifier(method="perturb", smoothing=0.1).fit(X, y)
    before = copy.deepcopy(vars(model))
    with pytest.raises(ValueError, match=said):
        refresh(model, X, y, **options)
    assert vars(model).keys() == before.keys()


@pytest.mark.skipif(WITHOUT_JIT, reason="takes long without compilation, and shows no more")
@pytest.mark.parametrize("softened", [False, True])
def test_leaves_of_coalescence_are_as_large_as_its_trees_had_them(softened, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = np.where(rng.random(300) < 0.3, 1 - (X[:, 0] > 0), X[:, 0] > 0)
    model = CoalescenceClassifier(**SEED)
    model = SoftenedClassifier(model, smoothing=0.0, **SEED) if softened else model
    model.fit(X, y)
    assert all(model.choice_[name]["trees"] for name in ("usual", "large leaves"))
    save(model, tmp_path / "model")
    fresh = refresh(load(tmp_path / "model"), X, y)
    assert fresh.choice_ == model.choice_
    for name, least in (("usual", 1.0), ("large leaves", 4.0)):
        trees = [fresh.trees_[number] for number in fresh.choice_[name]["trees"]]
        answers = np.concatenate([tree.response for tree in trees])
        right = np.concatenate([curtailed(tree, least) for tree in trees])
        np.testing.assert_allclose(answers, right, atol=1e-12)
        wrong = np.concatenate([curtailed(tree, least + 3.0) for tree in trees])
        assert not np.allclose(answers, wrong)
