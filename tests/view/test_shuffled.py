import numpy as np
import pandas as pd
import pytest

from softwood import CARTClassifier
from softwood.data.encode import table_of
from softwood.evaluate.metrics import Prediction
from softwood.view import _shuffled
from softwood.view._shuffled import Losses, losses_by_shuffling, shuffled


def seen_by(model, X, y):
    labels = model.predict(X)
    return Prediction(model, X, truth=np.asarray(y), labels=labels, classes=np.unique(y))


def test_only_the_column_that_is_asked_costs():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = (X[:, 1] > 0).astype(int)
    losses = losses_by_shuffling(seen_by(CARTClassifier().fit(X, y), X, y), 0)
    assert losses.values.shape == (1, 3)
    # Half of the rows get a value of the other side.
    assert losses.mean[1] == pytest.approx(0.5, abs=0.08)
    assert losses.mean[0] == losses.mean[2] == 0.0
    assert np.isnan(losses.values[0, [0, 2]]).all()


def test_joined_folds_have_mean_and_deviation():
    folds = [Losses(np.array([[0.1, np.nan]])), Losses(np.array([[0.3, 0.2]]))]
    joined = Losses.joined(folds)
    np.testing.assert_allclose(joined.mean, [0.2, 0.1])
    np.testing.assert_allclose(joined.deviation, np.std([[0.1, 0.0], [0.3, 0.2]], axis=0, ddof=1))


@pytest.mark.parametrize("kind", ["array", "frame", "table"])
def test_a_column_is_shuffled_and_nothing_else(kind):
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": pd.Categorical(["x", "y", None])})
    numbers = frame[["a"]].assign(b=[4.0, 5.0, 6.0]).to_numpy()
    X = {"array": numbers, "frame": frame, "table": table_of(frame)}[kind]
    mixed = shuffled(X, 1, np.array([2, 0, 1]))
    before, after = (table_of(each) for each in (X, mixed))
    assert after.columns[0].values.tolist() == before.columns[0].values.tolist()
    expected = before.columns[1].take(np.array([2, 0, 1])).as_objects().tolist()
    assert after.columns[1].as_objects().tolist() == expected


def test_many_rows_and_columns_are_limited(monkeypatch):
    monkeypatch.setattr(_shuffled, "MOST_ROWS", 50)
    monkeypatch.setattr(_shuffled, "MOST_COLUMNS", 2)
    X = np.random.default_rng(0).normal(size=(300, 6))
    y = (X.sum(axis=1) > 0).astype(int)
    model = CARTClassifier().fit(X, y)
    losses = losses_by_shuffling(seen_by(model, X, y), 0)
    shuffled_ones = np.flatnonzero(~np.isnan(losses.values[0]))
    best = np.argsort(-model.feature_importances_)[:2]
    assert set(shuffled_ones) == set(best)
