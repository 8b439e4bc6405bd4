"""LightGBM's models, imported: bit for bit the same raw scores."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.interop import import_model
from softwood.interop.lightgbm import CLASSIFYING, LINK_OF_OBJECTIVE, _zero_is_missing
from tests.interop.agreement import (
    N_ROWS,
    assert_same_answers,
    assert_sound,
    hostile_rows,
    imported,
    table,
)
from tests.strategies import checked

lightgbm = pytest.importorskip("lightgbm")

SMALL = {"n_estimators": 5, "num_leaves": 8, "min_child_samples": 5, "verbose": -1, "n_jobs": 1}
CATEGORIES = {"min_data_per_group": 1, "cat_smooth": 1.0, "max_cat_to_onehot": 1}


def assert_same_bits(ours, theirs, rows):
    raw = ours.forest.raw(ours.encode(rows))
    expected = theirs.predict(rows, raw_score=True).reshape(raw.shape)
    assert raw.tobytes() == np.ascontiguousarray(expected).tobytes()
    assert_same_answers(ours, theirs, rows)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes(n_classes, missing):
    X, y = table(missing=missing)
    theirs = lightgbm.LGBMClassifier(**SMALL)
    weight = np.random.default_rng(1).random(len(X)) + 0.1
    theirs.fit(X, np.array(list("bca"))[np.minimum(y, n_classes - 1)], sample_weight=weight)
    ours = imported(theirs)
    rows = hostile_rows(ours.forest, X)
    assert_same_bits(ours, theirs, rows)
    assert_sound(ours.forest)
    if not missing:  # then it reads missing values as zeros
        assert_same_bits(ours, theirs, np.where(np.abs(rows) < 0.3, np.nan, rows))


def test_weights_count_the_rows():
    """They were sums of second derivatives: a quarter of the rows, and less."""
    X, y = table()
    trees = imported(lightgbm.LGBMClassifier(**SMALL).fit(X, y > 0)).forest.trees
    assert [tree.weight[0] for tree in trees] == [len(X)] * len(trees)


@pytest.mark.parametrize(
    "objective", sorted(set(LINK_OF_OBJECTIVE) - {*CLASSIFYING, "lambdarank", "rank_xendcg"})
)
def test_numbers(objective):
    X, y = table(missing=True)
    target = y / 2 if objective == "cross_entropy" else y + 0.5
    theirs = lightgbm.LGBMRegressor(objective=objective, **SMALL).fit(X, target)
    ours = imported(theirs)
    assert_same_bits(ours, theirs, hostile_rows(ours.forest, X))
    assert ours.classes is None


@pytest.mark.parametrize("objective", ["lambdarank", "rank_xendcg"])
def test_ranks(objective):
    X, y = table()
    theirs = lightgbm.LGBMRanker(objective=objective, **SMALL).fit(X, y, group=[len(X)])
    ours = imported(theirs)
    assert_same_bits(ours, theirs, hostile_rows(ours.forest, X))


@pytest.mark.parametrize(
    "options",
    [
        {"boosting_type": "dart", "drop_rate": 0.5, "skip_drop": 0.0},
        {"objective": "multiclassova"},
        {"extra_trees": True, "data_sample_strategy": "goss"},
    ],
    ids=lambda options: next(iter(options.values())),
)
def test_kinds_of_boosting(options):
    X, y = table()
    theirs = lightgbm.LGBMClassifier(**SMALL | options).fit(X, y)
    ours = imported(theirs)
    assert_same_bits(ours, theirs, hostile_rows(ours.forest, X))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_its_random_forests_are_means(n_classes):
    X, y = table()
    theirs = lightgbm.LGBMClassifier(
        boosting_type="rf", bagging_freq=1, bagging_fraction=0.5, **SMALL
    ).fit(X, np.minimum(y, n_classes - 1))
    ours = imported(theirs)
    rows = hostile_rows(ours.forest, X)
    assert_same_answers(ours, theirs, rows)
    total = theirs.predict(rows, raw_score=True).reshape(len(rows), -1)
    assert_allclose(ours.forest.raw(ours.encode(rows)), total / 5, rtol=1e-14)


def test_the_slope_of_the_sigmoid():
    X, y = table()
    theirs = lightgbm.LGBMClassifier(sigmoid=0.7, **SMALL).fit(X, y > 0)
    ours = imported(theirs)
    assert ours.forest.slope == 0.7
    assert_same_bits(ours, theirs, X)


@pytest.mark.filterwarnings("ignore:The argument 'eval_set'")  # its newer name is too new
def test_an_early_stop_keeps_the_best():
    X, y = table()
    theirs = lightgbm.LGBMRegressor(**SMALL | {"n_estimators": 200, "learning_rate": 0.8})
    stop = lightgbm.early_stopping(3, verbose=False)
    theirs.fit(X[::2], y[::2], eval_set=[(X[1::2], y[1::2])], callbacks=[stop])
    ours = imported(theirs)
    assert ours.forest.n_trees == theirs.best_iteration_ < 200
    assert_same_bits(ours, theirs, X)
    assert_same_bits(imported(theirs.booster_), theirs, X)


def test_boosters():
    X, y = table()
    data = lightgbm.Dataset(X, np.minimum(y, 1), params={"verbose": -1})
    booster = lightgbm.train({"objective": "binary", "verbose": -1, "num_leaves": 4}, data, 3)
    ours = import_model(booster)
    assert ours.classes.tolist() == [0, 1]
    assert ours.kind == "Booster"
    assert_array_equal(ours.predict_proba(X)[:, 1], booster.predict(X))
    again = import_model(lightgbm.Booster(model_str=booster.model_to_string()))
    assert again.forest == ours.forest


def test_zeros_can_be_missing():
    rng = np.random.default_rng(0)
    X = rng.choice([0.0, 1.0, -1.0, 2.0, 1e-36, -1e-36, 1e-34, np.nan], size=(N_ROWS, 3))
    y = (np.nan_to_num(X[:, 0]) != 0) + np.abs(np.nan_to_num(X[:, 1]))
    theirs = lightgbm.LGBMRegressor(zero_as_missing=True, **SMALL).fit(X, y)
    ours = imported(theirs)
    assert ours.reader.zero_is_missing
    assert_same_bits(ours, theirs, hostile_rows(ours.forest, X))


def test_missing_values_can_be_ignored():
    X, y = table(missing=True)
    theirs = lightgbm.LGBMClassifier(use_missing=False, **SMALL).fit(X, y)
    ours = imported(theirs)
    assert_same_bits(ours, theirs, hostile_rows(ours.forest, X))


# -- categories ----------------------------------------------------------------------


def test_codes():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=300), rng.integers(0, 50, 300)])
    y = np.isin(X[:, 1] % 7, [0, 3]) + 0.1 * X[:, 0]
    theirs = lightgbm.LGBMRegressor(**SMALL | CATEGORIES).fit(X, y, categorical_feature=[1])
    ours = imported(theirs)
    first, *_, other = ours.forest.trees[0].branch_of_category(0)
    assert (first, other) == (0, 1)  # so that it shows which of them -0.5 is
    odd = np.array([-1.0, -0.5, 2.7, 49.0, 60.0, 1e6, np.nan, -3.5])
    rows = np.vstack([X, np.column_stack([np.zeros(odd.size), odd])])
    assert_same_bits(ours, theirs, rows)


@pytest.mark.filterwarnings("ignore::softwood.errors.UnknownCategoryWarning")
def test_categories_of_frames():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "the size": rng.normal(size=N_ROWS),
            "colour": pd.Categorical(rng.choice(["red", "green", "blue", "pink"], N_ROWS)),
            "count": rng.integers(0, 9, N_ROWS),
            "shape": pd.Categorical(rng.choice([10, 20, 30, 40], N_ROWS)),
        }
    )
    y = X["colour"].isin(["red", "pink"]).to_numpy() ^ X["shape"].isin([10, 40]).to_numpy()
    theirs = lightgbm.LGBMClassifier(**SMALL | CATEGORIES).fit(X, y)
    ours = imported(theirs)
    assert ours.schema.features[1].categories == ("blue", "green", "pink", "red", "(other)")
    assert ours.schema.features[3].categories == (10, 20, 30, 40, 41)
    assert_same_bits(ours, theirs, X)
    later = X.copy()
    later["colour"] = pd.Categorical(rng.choice(["violet", "red", "blue", None], N_ROWS))
    later["shape"] = pd.Categorical(rng.choice([40, 10, 99], N_ROWS))
    assert_same_bits(ours, theirs, later)
    codes = X.assign(colour=X["colour"].cat.codes, shape=X["shape"].cat.codes).to_numpy(float)
    assert_array_equal(ours.encode(codes), ours.encode(X))


def test_integers_are_rounded_as_lightgbm_rounds():
    rng = np.random.default_rng(0)
    X = rng.integers(2**25, 2**25 + 40, size=(N_ROWS, 1))
    y = X[:, 0] - 2.0**25
    theirs = lightgbm.LGBMRegressor(**SMALL).fit(X.astype(float), y)
    ours = imported(theirs)
    assert_same_bits(ours, theirs, X.astype(float))
    assert_same_bits(ours, theirs, X)


@given(st.integers(0, 10_000))
@settings(checked, max_examples=20)
def test_any_data(seed):
    rng = np.random.default_rng(seed)
    X = rng.choice([0.0, -0.0, 1.0, 1e-36, 1e300, -5.0, np.nan, 2.5], size=(60, 3))
    y = rng.integers(0, 3, 60)
    y[:3] = [0, 1, 2]
    theirs = lightgbm.LGBMClassifier(
        **SMALL | {"n_estimators": 2, "min_child_samples": 2},
        zero_as_missing=seed % 2 == 0,
        min_data_in_bin=1,
    )
    theirs.fit(X, y)
    assert_same_bits(import_model(theirs), theirs, X)


# -- what is refused -----------------------------------------------------------------


def squared_error(y, score):
    return score - y, np.ones_like(y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"linear_tree": True}, "linear_tree"),
        ({"reg_sqrt": True}, "the objective 'regression sqrt'"),
        ({"objective": squared_error}, "the objective 'custom'"),
        ({"objective": "cross_entropy_lambda"}, "the objective 'cross_entropy_lambda'"),
    ],
    ids=["linear", "sqrt", "custom", "lambda"],
)
def test_refusals(options, message):
    X, y = table()
    with pytest.raises(NotImplementedError, match=message):
        import_model(lightgbm.LGBMRegressor(**SMALL | options).fit(X, y / 2))


def test_one_class_is_refused():
    X, _ = table()
    with pytest.raises(NotImplementedError, match="fitted to 1 class"):
        import_model(lightgbm.LGBMClassifier(**SMALL).fit(X, np.zeros(len(X))))


def test_categories_of_two_sorts_are_refused():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": pd.Categorical(rng.choice(list("uvw"), N_ROWS))})
    X["b"] = rng.integers(0, 5, N_ROWS)
    theirs = lightgbm.LGBMRegressor(**SMALL)
    theirs.fit(X, X["b"], categorical_feature=["a", "b"])
    with pytest.raises(NotImplementedError, match="2 columns are categorical and 1 of them"):
        import_model(theirs)


def test_zeros_of_two_sorts_are_refused():
    tests = [
        {"split_feature": 0, "decision_type": "<=", "missing_type": kind}
        for kind in ("Zero", "NaN")
    ]
    with pytest.raises(NotImplementedError, match="a zero in column 'size'"):
        _zero_is_missing(tests, ["size"])
