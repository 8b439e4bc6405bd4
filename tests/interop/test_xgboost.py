"""XGBoost's models, imported: the same leaves, and sums equal up to its float32."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.flow import leaf_of
from softwood.interop import import_model
from softwood.interop.xgboost import LINK_OF_OBJECTIVE
from tests.interop.agreement import (
    N_ROWS,
    assert_same_answers,
    assert_sound,
    hostile_rows,
    imported,
    table,
)
from tests.strategies import checked

xgboost = pytest.importorskip("xgboost")

SMALL = {"n_estimators": 5, "max_depth": 3, "n_jobs": 1, "random_state": 0}


def assert_same(ours, theirs, rows):
    raw = ours.forest.raw(ours.encode(rows))
    expected = theirs.predict(rows, output_margin=True).reshape(raw.shape)
    assert_allclose(raw, expected, rtol=2e-6, atol=1e-6)
    assert_same_leaves(ours, theirs, rows)
    assert_same_answers(ours, theirs, rows, rtol=3e-6, atol=1e-6)


def assert_same_leaves(ours, theirs, rows):
    """Leaves are numbered differently, but rows must share them in the same way."""
    if hasattr(rows, "columns"):  # of which apply of 2.1 takes no categories
        table = xgboost.DMatrix(rows, enable_categorical=True)
        leaves = theirs.get_booster().predict(table, pred_leaf=True)
    else:
        leaves = theirs.apply(rows)
    leaves = np.reshape(leaves, (len(rows), -1))
    matrix = ours.encode(rows)
    for j, tree in enumerate(ours.forest.trees):
        pairs = set(zip(leaf_of(tree, matrix).tolist(), leaves[:, j].tolist(), strict=True))
        assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes(n_classes, missing):
    X, y = table(missing=missing)
    theirs = xgboost.XGBClassifier(**SMALL)
    weight = np.random.default_rng(1).random(len(X)) + 0.1
    theirs.fit(X, np.minimum(y, n_classes - 1), sample_weight=weight)
    ours = imported(theirs)
    rows = hostile_rows(ours.forest, X)
    assert_same(ours, theirs, rows)
    assert_sound(ours.forest)
    assert_same(ours, theirs, np.where(np.abs(rows) < 0.3, np.nan, rows))


@pytest.mark.parametrize(
    "objective", sorted(name for name in LINK_OF_OBJECTIVE if name.startswith("reg:"))
)
def test_numbers(objective):
    X, y = table(missing=True)
    options = {"quantile_alpha": 0.3} if objective == "reg:quantileerror" else {}
    theirs = xgboost.XGBRegressor(objective=objective, **SMALL, **options)
    theirs.fit(X, y / 2 if objective == "reg:logistic" else y + 0.5)
    ours = imported(theirs)
    assert_same(ours, theirs, hostile_rows(ours.forest, X))
    assert ours.classes is None


@pytest.mark.parametrize("objective", ["count:poisson", "survival:cox"])
def test_counts_and_hazards(objective):
    X, y = table()
    theirs = xgboost.XGBRegressor(objective=objective, **SMALL).fit(X, y + 1)
    ours = imported(theirs)
    assert_same(ours, theirs, hostile_rows(ours.forest, X))


def test_ranks():
    X, y = table()
    theirs = xgboost.XGBRanker(**SMALL).fit(X, y, qid=np.sort(np.arange(len(X)) % 10))
    ours = imported(theirs)
    assert_same(ours, theirs, hostile_rows(ours.forest, X))


@pytest.mark.parametrize(
    "options",
    [
        {"booster": "dart", "rate_drop": 0.5, "one_drop": True},
        {"num_parallel_tree": 3, "subsample": 0.5},
        {"tree_method": "exact", "gamma": 5.0},
        {"grow_policy": "lossguide", "max_leaves": 6},
        {"base_score": 0.2},
    ],
    ids=lambda options: next(iter(options)),
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_kinds_of_boosting(options, n_classes):
    X, y = table()
    theirs = xgboost.XGBClassifier(**SMALL | options).fit(X, np.minimum(y, n_classes - 1))
    ours = imported(theirs)
    assert_same(ours, theirs, hostile_rows(ours.forest, X))


def test_its_random_forests():
    X, y = table()
    theirs = xgboost.XGBRFClassifier(**SMALL).fit(X, y)
    ours = imported(theirs)
    assert ours.forest.n_trees == 15
    assert_same(ours, theirs, hostile_rows(ours.forest, X))


def test_an_early_stop_keeps_the_best():
    X, y = table()
    theirs = xgboost.XGBClassifier(
        **SMALL | {"n_estimators": 100, "learning_rate": 0.9}, early_stopping_rounds=3
    )
    theirs.fit(X[::2], y[::2], eval_set=[(X[1::2], y[1::2])], verbose=False)
    ours = imported(theirs)
    assert ours.forest.n_trees == 3 * (theirs.best_iteration + 1)
    assert_same(ours, theirs, X)
    # A booster asks all of its trees.
    booster = theirs.get_booster()
    whole = import_model(booster)
    assert whole.forest.n_trees == 3 * booster.num_boosted_rounds() > ours.forest.n_trees
    margin = booster.predict(xgboost.DMatrix(X), output_margin=True)
    assert_allclose(whole.forest.raw(whole.encode(X)), margin, rtol=2e-6, atol=2e-6)
    assert whole.classes.tolist() == [0, 1, 2]


def test_a_number_can_stand_for_missing():
    X, y = table(missing=True)
    X[np.random.default_rng(1).random(X.shape) < 0.1] = -999.1
    theirs = xgboost.XGBRegressor(missing=-999.1, **SMALL).fit(X, y)
    ours = imported(theirs)
    rows = hostile_rows(ours.forest, X)
    assert_same(ours, theirs, rows)
    assert np.isnan(ours.encode(rows)[rows == -999.1]).all()


# -- categories ----------------------------------------------------------------------


def keeps_names(model):
    """Whether this version stores the names of categories, as it does since 3.1."""
    saved = json.loads(bytes(model.get_booster().save_raw("json")))["learner"]
    return bool(saved["gradient_booster"]["model"].get("cats", {}).get("enc"))


@pytest.mark.parametrize("one_hot", [1, 100])
def test_codes(one_hot):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=N_ROWS), rng.integers(0, 20, N_ROWS)])
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.isin(X[:, 1] % 7, [1, 3]) + 3.0 * np.isnan(X[:, 1]) + 0.1 * np.nan_to_num(X[:, 0])
    theirs = xgboost.XGBRegressor(feature_types=["q", "c"], max_cat_to_onehot=one_hot, **SMALL)
    theirs.fit(X, y)
    ours = imported(theirs)
    odd = np.array([-1.0, -0.5, 2.7, 19.0, 60.0, 1e6, np.nan, -3.5])
    rows = np.vstack([X, np.column_stack([np.zeros(odd.size), odd])])
    assert_same(ours, theirs, rows)


@pytest.mark.filterwarnings("ignore::softwood.errors.UnknownCategoryWarning")
def test_categories_of_frames():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    colours = ["red", "green", "blue", "pink", None]
    X = pd.DataFrame(
        {
            "size": rng.normal(size=N_ROWS),
            "colour": pd.Categorical(rng.choice(colours, N_ROWS)),
            "shape": pd.Categorical(rng.choice([10, 20, 30, 40], N_ROWS)),
        }
    )
    y = X["colour"].isin(["red", "pink"]) ^ X["shape"].isin([10, 40]) ^ X["colour"].isna()
    theirs = xgboost.XGBClassifier(enable_categorical=True, max_cat_to_onehot=1, **SMALL).fit(X, y)
    ours = imported(theirs)
    assert_same(ours, theirs, X)
    if keeps_names(theirs):
        assert ours.schema.features[1].categories == ("blue", "green", "pink", "red", "(other)")
        assert ours.schema.features[2].categories == (10, 20, 30, 40, 41)
        later = X.copy()
        later["colour"] = pd.Categorical(rng.choice(["red", "blue"], N_ROWS), ["red", "blue"])
        later["shape"] = pd.Categorical(rng.choice([40, 10], N_ROWS), [40, 10])
        assert_same(ours, theirs, later)
        later["colour"] = pd.Categorical(["violet"] * N_ROWS)
        assert set(ours.encode(later)[:, 1]) == {4.0}
    with pytest.raises(ValueError, match="must be those of training"):
        ours.encode(X.rename(columns={"size": "width"}))


def test_categories_without_names_are_codes():
    pd = pytest.importorskip("pandas")
    X = np.column_stack([np.arange(40) % 4, np.arange(40.0)])
    theirs = xgboost.XGBRegressor(feature_types=["c", "q"], max_cat_to_onehot=1, **SMALL)
    ours = imported(theirs.fit(X, X[:, 0] % 2))
    frame = pd.DataFrame({"k": pd.Categorical(list("dcba") * 10), "z": np.arange(40.0)})
    frame["k"] = frame["k"].cat.set_categories(list("dcba"))
    assert_array_equal(ours.encode(frame), ours.encode(X))


@given(st.integers(0, 10_000))
@settings(checked, max_examples=20)
def test_any_data(seed):
    rng = np.random.default_rng(seed)
    values = [0.0, -0.0, 1.0, 1e-45, 1e38, -5.0, np.nan, 2.5, 2.5000001, 2.50000001]
    X = rng.choice(values, size=(60, 3))
    y = rng.integers(0, 3, 60)
    y[:3] = [0, 1, 2]
    theirs = xgboost.XGBClassifier(**SMALL | {"n_estimators": 2, "min_child_weight": 0.1})
    theirs.fit(X, y)
    assert_same_leaves(import_model(theirs), theirs, X)


# -- what is refused -----------------------------------------------------------------


def squared_error(y, score):
    return score - y, np.ones_like(y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"booster": "gblinear"}, "the booster 'gblinear'"),
        ({"objective": squared_error}, "the objective <function squared_error"),
        ({"objective": "binary:hinge"}, "the objective 'binary:hinge'"),
        ({"objective": "binary:logitraw"}, "the objective 'binary:logitraw'"),
    ],
    ids=["linear", "custom", "hinge", "logitraw"],
)
def test_refusals(options, message):
    X, y = table()
    options = SMALL | options
    if options.get("booster") == "gblinear":
        del options["max_depth"]
    with pytest.raises(NotImplementedError, match=message):
        import_model(xgboost.XGBRegressor(**options).fit(X, np.minimum(y, 1)))


def test_letters_that_it_does_not_store_are_refused():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"k": pd.Categorical(["grün", "rot"] * 20)})
    theirs = xgboost.XGBRegressor(enable_categorical=True, **SMALL).fit(X, [0, 1] * 20)
    if keeps_names(theirs):
        with pytest.raises(NotImplementedError, match="other letters than those of ASCII"):
            import_model(theirs)
    else:
        assert_same(import_model(theirs), theirs, X)


def test_several_outputs_are_refused():
    X, y = table()
    theirs = xgboost.XGBRegressor(**SMALL).fit(X, np.column_stack([y, y]))
    with pytest.raises(NotImplementedError, match="predicts 2 outputs"):
        import_model(theirs)


def test_leaves_that_hold_several_numbers_are_refused():
    X, y = table()
    theirs = xgboost.XGBClassifier(multi_strategy="multi_output_tree", **SMALL).fit(X, y)
    with pytest.raises(NotImplementedError, match="multi_output_tree"):
        import_model(theirs)
