import shlex

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

import softwood
from softwood import C45Classifier, CARTClassifier, CARTRegressor
from softwood.cli.main import main
from softwood.view.sections.usage import content
from tests.view.tables import messy_table, page_of


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_commands_do_what_they_say(folder):
    X, y = messy_table()
    X["since"] = X["since"].astype("int64") / 1e9  # dates of a file would be told about
    model = C45Classifier().fit(X, y)
    shown = content(page_of(model, X, y))
    X.to_csv("new.csv", index=False)
    names = {"model": model}
    exec(shown["python"], names)
    assert (names["model"].predict(X) == model.predict(X)).all()
    words = shlex.split(shown["shell"])
    assert words[0] == "softwood"
    assert main(words[1:]) == 0
    answers = pd.read_csv("answers.csv")
    assert (answers["prediction"] == model.predict(X)).all()
    np.testing.assert_allclose(answers["P(left)"], model.predict_proba(X)[:, 0])


def test_models_of_others_are_kept_by_joblib(folder):
    X, _ = messy_table()
    rows, y = X[["calls"]], X["calls"] * 2.0
    model = LinearRegression().fit(rows, y)
    shown = content(page_of(model, rows, y))
    assert shown["shell"] == ""
    rows.to_csv("new.csv", index=False)
    names = {"model": model, "joblib": joblib, "softwood": softwood}
    exec(shown["python"], names)
    np.testing.assert_array_equal(names["model"].predict(rows), model.predict(rows))


def test_limits_are_those_of_the_model():
    X, y = messy_table()
    strict = CARTClassifier(handle_unknown="error", max_depth=2).fit(X, y)
    assert "refused by an error" in content(page_of(strict, X, y))["limits"][0]
    numbers = CARTRegressor(max_depth=1).fit(X[["calls"]], X["calls"])
    limits = content(page_of(numbers, X[["calls"]], X["calls"]))["limits"]
    assert any("does not extrapolate" in text for text in limits)
    assert not any("Categories" in text for text in limits)


def test_many_columns_are_not_all_listed():
    X = np.random.default_rng(0).normal(size=(30, 15))
    shown = content(page_of(CARTClassifier().fit(X, X[:, 0] > 0), X, X[:, 0] > 0))
    assert len(shown["columns"]) == 12
    assert shown["n_more"] == 3
