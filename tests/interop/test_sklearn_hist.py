"""scikit-learn's histogram gradient boosting, imported: bit for bit the same raw scores."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from threadpoolctl import threadpool_limits

from softwood.interop import import_model
from tests.interop.agreement import (
    N_ROWS,
    assert_same_answers,
    assert_sound,
    hostile_rows,
    imported,
    table,
)
from tests.strategies import checked

SMALL = {"max_iter": 5, "max_leaf_nodes": 8, "min_samples_leaf": 5, "random_state": 0}


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Fits this small are slower with two."""
    with threadpool_limits(1):
        yield


def assert_same_bits(ours, theirs, rows):
    raw = ours.forest.raw(ours.encode(rows))
    assert raw.tobytes() == np.ascontiguousarray(theirs._raw_predict(rows)).tobytes()
    assert_same_answers(ours, theirs, rows)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes(n_classes, missing):
    X, y = table(missing=missing)
    theirs = HistGradientBoostingClassifier(**SMALL)
    weight = np.random.default_rng(1).random(len(X)) + 0.1
    theirs.fit(X, np.minimum(y, n_classes - 1), sample_weight=weight)
    ours = imported(theirs)
    assert_same_bits(ours, theirs, hostile_rows(ours.forest, X))
    assert_sound(ours.forest)


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "gamma", "poisson"])
def test_numbers(loss):
    X, y = table(missing=True)
    theirs = HistGradientBoostingRegressor(loss=loss, **SMALL).fit(X, y + 0.5)
    ours = imported(theirs)
    assert_same_bits(ours, theirs, hostile_rows(ours.forest, X))


def test_a_score_just_above_zero_is_the_second_class():
    X = np.zeros((20, 1))
    theirs = HistGradientBoostingClassifier(**SMALL).fit(X, [0, 1] * 10)
    theirs._baseline_prediction[:] = 1e-17  # too small to show in the probabilities
    assert imported(theirs).predict(X).tolist() == theirs.predict(X).tolist() == [1] * 20


def test_quantiles_and_an_early_stop():
    X, y = table()
    options = SMALL | {"max_iter": 20, "early_stopping": True, "n_iter_no_change": 2, "tol": 0.5}
    theirs = HistGradientBoostingRegressor(loss="quantile", quantile=0.7, **options).fit(X, y)
    ours = imported(theirs)
    assert ours.forest.n_trees == theirs.n_iter_ < 20
    assert_same_bits(ours, theirs, hostile_rows(ours.forest, X))


def test_a_split_that_only_tells_missing_values_and_infinite_rows():
    X = np.repeat([[0.0], [1.0], [np.nan]], 30, axis=0)
    theirs = HistGradientBoostingRegressor(**SMALL | {"max_leaf_nodes": 2}).fit(
        X, np.isnan(X[:, 0]).astype(float)
    )
    assert np.isinf(theirs._predictors[0][0].nodes["num_threshold"][0])
    rows = np.array([[np.inf], [-np.inf], [1.7e308], [np.nan]])
    assert_same_bits(imported(theirs), theirs, rows)


def mixed_rows(rng, colours):
    pd = pytest.importorskip("pandas")
    return pd.DataFrame(
        {
            "size": rng.normal(size=N_ROWS),
            "colour": pd.Categorical(rng.choice(colours, N_ROWS)),
            "shape": pd.Categorical(rng.choice([10, 20, 30, 40], N_ROWS)),
        }
    )


@pytest.mark.filterwarnings("ignore::softwood.errors.UnknownCategoryWarning")
def test_categories_of_frames():
    rng = np.random.default_rng(0)
    X = mixed_rows(rng, ["red", "green", "blue", "grey", "pink", None])
    y = X["colour"].isin(["red", "pink"]) ^ X["shape"].isin([10, 40]) ^ X["colour"].isna()
    theirs = HistGradientBoostingClassifier(**SMALL).fit(X, y)
    ours = imported(theirs)
    assert ours.n_categories.tolist() == [0, 5, 4]
    assert ours.schema.features[2].categories == (10, 20, 30, 40)
    assert_same_bits(ours, theirs, X)
    # Unknown categories, other orders of them, and missing values.
    assert_same_bits(ours, theirs, mixed_rows(rng, ["pink", "violet", "red", None]))


@pytest.mark.filterwarnings("ignore::softwood.errors.UnknownCategoryWarning")
def test_categories_of_arrays():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=N_ROWS), rng.integers(0, 40, N_ROWS) * 2.5])
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.sin(X[:, 1]) + np.nan_to_num(X[:, 0])
    theirs = HistGradientBoostingRegressor(categorical_features=[1], **SMALL)
    theirs.fit(X, np.nan_to_num(y))
    ours = imported(theirs)
    rows = np.vstack([X, np.column_stack([np.zeros(4), [-1.0, 1.0, 999.0, np.nan]])])
    assert_same_bits(ours, theirs, rows)


@given(st.integers(0, 10_000))
@settings(checked, max_examples=10)
def test_any_data(seed):
    rng = np.random.default_rng(seed)
    X = rng.choice([0.0, -0.0, 1.0, 1e-300, 1e300, -5.0, np.nan, 2.5], size=(40, 3))
    y = rng.integers(0, int(rng.integers(2, 4)), 40)
    y[:3] = [0, 1, y.max()]
    theirs = HistGradientBoostingClassifier(
        max_iter=2, min_samples_leaf=2, categorical_features=[2] if seed % 2 else None
    )
    if seed % 2:
        X[:, 2] = rng.integers(0, 5, 40)
    theirs.fit(X, y)
    assert_same_bits(import_model(theirs), theirs, X)


def test_refusals():
    X, y = table()
    theirs = HistGradientBoostingRegressor(**SMALL).fit(X, y).set_params(loss="cauchy")
    with pytest.raises(NotImplementedError, match="the loss 'cauchy'"):
        import_model(theirs)
