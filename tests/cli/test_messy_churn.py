"""A messy table is worth as much as the same table cleaned by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold

from softwood import C45Classifier, CARTClassifier, CoalescenceClassifier
from softwood.cli._training import training_of
from tests.cli.messy.churn import N_ROWS, customers

MODELS = {
    "C4.5": lambda: C45Classifier(),
    "CART": lambda: CARTClassifier(max_depth=8),
    "Coalescence": lambda: CoalescenceClassifier(30, random_state=0),
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    messy, clean = customers()
    path = tmp_path_factory.mktemp("churn") / "customers.csv"
    messy.to_csv(path, sep=";", index=False, encoding="cp1252")
    by_hand = clean.drop(columns="churn")
    by_hand["joined"] = pd.to_datetime(by_hand["joined"])
    return training_of([str(path)], "churn"), by_hand, clean["churn"].to_numpy()


def test_the_messy_table_says_what_the_clean_one_says(tables):
    training, by_hand, y = tables
    assert len(training.X) == N_ROWS
    assert training.y.tolist() == y.tolist()
    for name in ("discount", "bill", "usage", "weight", "calls"):
        np.testing.assert_array_equal(training.X[name].values, by_hand[name].to_numpy())
    days = (by_hand["joined"] - pd.Timestamp(0)).dt.days.to_numpy()
    np.testing.assert_array_equal(training.X["joined"].values, days)
    for name in ("contract", "autopay"):
        merged = pd.Series(training.X[name].as_objects())
        assert pd.crosstab(merged, by_hand[name]).gt(0).to_numpy().sum() == merged.nunique()


def test_what_tells_nothing_is_left_out(tables):
    kinds = {column.name: column.kind for column in tables[0].description}
    assert kinds["unnamed_1"] == kinds["Customer ID"] == "identifier"
    assert kinds["remarks"] == "free text"
    assert (kinds["country"], kinds["fax"]) == ("constant", "empty")


@pytest.mark.parametrize("name", MODELS)
def test_models_err_as_little_as_on_the_clean_table(tables, name):
    training, by_hand, y = tables
    assert abs(error(MODELS[name], training.X, y) - error(MODELS[name], by_hand, y)) <= 0.02


def error(make, X, y):
    """Return the share of rows that are predicted wrongly by a model that has not seen them."""
    wrong = 0
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(y, y):
        model = make().fit(take(X, train), y[train])
        wrong += int((model.predict(take(X, test)) != y[test]).sum())
    return wrong / y.size


def take(X, rows):
    return X.iloc[rows] if isinstance(X, pd.DataFrame) else X.take(rows)
