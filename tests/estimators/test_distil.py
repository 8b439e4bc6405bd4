"""Distilling: one tree that follows any model, of any table."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC

from softwood import CARTClassifier, CoalescenceClassifier, SoftTreeClassifier, distil, load, save
from softwood.data.frames import table_of_frame
from softwood.estimators.fidelity import fidelity


def frame(n=400, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "income": rng.lognormal(10, 1, n),
            "town": rng.choice(["Ulm", "Bern", "Graz"], n),
        }
    )
    y = np.where((X.age > 45) ^ (X.town == "Ulm"), "yes", "no")
    return X, y


def one_hot():
    encoder = make_column_transformer((OneHotEncoder(), ["town"]), remainder=StandardScaler())
    return make_pipeline(encoder, RandomForestClassifier(30, random_state=0))


def test_a_pipeline_of_a_frame_with_categories():
    X, y = frame()
    model = one_hot().fit(X, y)
    tree = distil(model, X, random_state=0)
    fresh = frame(seed=1)[0]
    assert tree.classes_.tolist() == ["no", "yes"]
    assert fidelity(model, tree, fresh).agreement > 0.9
    assert tree.get_n_leaves() <= 32
    assert tree.fidelity_ == fidelity(model, tree, X)


def test_labels_count_if_they_are_given():
    X, y = frame()
    model = one_hot().fit(X, y)
    flipped = np.where(y == "yes", "no", "yes")
    alone, taught = (distil(model, X, labels, random_state=0) for labels in (None, flipped))
    own, other = (
        each.predict_proba(X)[np.arange(400), (y == "yes") * 1] for each in (alone, taught)
    )
    assert own.mean() > 0.9
    assert 0.35 < other.mean() < own.mean() - 0.1


def test_without_probabilities_verdicts_are_learnt():
    X = np.random.default_rng(0).normal(size=(500, 2))
    model = LinearSVC().fit(X, X.sum(axis=1) > 0)
    assert not hasattr(model, "predict_proba")
    tree = distil(model, X, random_state=0)
    assert tree.fidelity_.agreement > 0.95


def test_numbers_without_labels():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 3))
    model = RandomForestRegressor(20, random_state=0).fit(X, np.sin(X[:, 0]) + X[:, 1])
    tree = distil(model, X, random_state=0)
    assert tree.fidelity_.agreement > 0.85
    crisp = distil(model, X, soft=False, random_state=0)
    assert crisp.tree_.below.max() == 0.0
    assert crisp.fidelity_.agreement < tree.fidelity_.agreement


def test_polars_dates_and_gaps():
    X, y = frame()
    X["since"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(X.age, unit="D")
    X.loc[::7, "income"] = np.nan
    table = pl.from_pandas(X)
    model = CoalescenceClassifier(20, random_state=0).fit(table, y)
    tree = distil(model, table, random_state=0)
    again = distil(CoalescenceClassifier(20, random_state=0).fit(X, y), X, random_state=0)
    assert tree.fidelity_.agreement > 0.9
    assert tree.tree_ == again.tree_


def test_rows_of_no_weight_are_left_out():
    X, y = frame()
    model = one_hot().fit(X, y)
    weight = np.repeat([1.0, 0.0], 200)
    tree = distil(model, X, y, sample_weight=weight, random_state=0)
    assert tree.tree_ == distil(model, X[:200], y[:200], random_state=0).tree_


def test_what_is_never_answered_is_said():
    X, y = np.arange(300.0).reshape(-1, 1), np.repeat([0, 1, 2], 100)
    model = LogisticRegression(max_iter=1000).fit(X, y)
    with pytest.warns(UserWarning, match="no row of X has 2: the tree will not know it"):
        tree = distil(model, X[:180], random_state=0)
    assert tree.classes_.tolist() == [0, 1]


def test_a_tree_that_is_distilled_is_an_ordinary_one(tmp_path):
    X, y = frame()
    tree = distil(CARTClassifier().fit(X, y), X, random_state=0)
    assert isinstance(tree, SoftTreeClassifier)
    save(tree, tmp_path / "tree")
    assert np.array_equal(load(tmp_path / "tree").predict_proba(X), tree.predict_proba(X))
    assert tree.get_params()["method"] == "gradient"


def test_the_model_must_be_fitted_and_have_one_answer():
    X, _ = frame()
    with pytest.raises(Exception, match="not fitted"):
        distil(CARTClassifier(), X)
    numbers = X[["age", "income"]].to_numpy()
    several = RandomForestRegressor(5).fit(numbers, numbers)
    with pytest.raises(ValueError, match="one value for a row"):
        distil(several, numbers)


def test_our_own_tables_are_asked_about_as_frames_are():
    X, y = frame()
    X.loc[::9, "town"] = None
    table = table_of_frame(X)
    model = CoalescenceClassifier(20, random_state=0).fit(table, y)
    weight = np.repeat([1.0, 0.0], [300, 100])
    tree = distil(model, table, sample_weight=weight, random_state=0)
    assert tree.tree_ == distil(model, X, sample_weight=weight, random_state=0).tree_
