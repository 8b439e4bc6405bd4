"""Why an ensemble answers what it does, in words and numbers."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

from softwood import BaggedTreesClassifier, BaggedTreesRegressor
from softwood.explain import EnsembleExplanation, explain_row, typical_tree
from softwood.forest.ties import most_probable
from softwood.interop import import_model

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(
    {
        "size": RNG.normal(size=80).round(2),
        "colour": RNG.choice(["red", "green", "blue"], 80),
        "when": pd.date_range("2024-01-01", periods=80),
    }
)
NUMBER = 5.0 * TABLE["size"] + 3.0 * (TABLE["colour"] == "red") + TABLE["when"].dt.month
LABEL = np.where(NUMBER > 2.5, "many", "few")
ROW = {"size": 0.1, "colour": "red", "when": pd.Timestamp("2024-02-10")}


@pytest.fixture(scope="module")
def model():
    return BaggedTreesClassifier(15, random_state=0).fit(TABLE, LABEL)


def as_table(row):
    return pd.DataFrame({name: [value] for name, value in row.items()})


def test_how_trees_scatter(model):
    found = model.explain(ROW)
    rows = model._rows(as_table(ROW))
    answers = np.array([model.flow_.predict(tree, rows)[0] for tree in model.trees_])
    place = model.classes_.tolist().index(found.prediction)
    assert isinstance(found, EnsembleExplanation)
    assert found.n_trees == 15
    assert found.n_agreeing == (most_probable(answers) == place).sum()
    assert (found.low, found.high) == pytest.approx(
        tuple(np.quantile(answers[:, place], [0.1, 0.9]))
    )


def test_contributions_are_ranked_and_add_up(model):
    found = model.explain(ROW)
    amounts = [abs(one.amount) for one in found.contributions]
    assert amounts == sorted(amounts, reverse=True)
    assert found.unit == "probability"
    assert found.answer == pytest.approx(model.predict_proba(as_table(ROW)).max())
    assert {one.column: one.value for one in found.contributions} == {
        "size": "0.1",
        "colour": "red",
        "when": "2024-02-10",
    }


def test_the_way_is_that_of_the_typical_tree(model):
    found = model.explain(ROW)
    tree = model.trees_[typical_tree(model)]
    assert found.typical_tree == typical_tree(model)
    leaf = model.apply(as_table(ROW))[0, found.typical_tree]
    assert found.typical.leaves[0].node == leaf
    assert found.typical.leaves[0].weight == tree.weight[leaf]


def test_words_in_their_order(model):
    lines = str(model.explain(ROW)).splitlines()
    assert lines[0].startswith("Predicted: many (probability ")
    assert " of 15 trees say so; to most of them its probability is " in lines[1]
    assert lines[2].startswith("What moved it from the average, 0.")
    assert lines[3].lstrip().startswith("+0.")
    assert any(line.startswith("Tree ") and "most typical" in line for line in lines)
    assert lines[-1].lstrip().startswith("leaf ")


def test_missing_values_and_unknown_categories_are_named(model):
    found = model.explain({"size": None, "colour": "violet", "when": None})
    values = {one.column: one.value for one in found.contributions}
    assert values.get("size", "missing") == "missing"
    assert values.get("colour", "unknown category 'violet'") == "unknown category 'violet'"
    assert found.answer == pytest.approx(max(found.probabilities.values()))
    assert "missing" in str(found)
    assert "unknown category 'violet'" in str(found)


def test_numbers(model):
    regressor = BaggedTreesRegressor(15, random_state=0).fit(TABLE, NUMBER)
    found = regressor.explain(ROW)
    answers = [
        regressor.flow_.predict(t, regressor._rows(as_table(ROW)))[0, 0] for t in regressor.trees_
    ]
    away = (np.array(answers) - found.base) * (found.prediction - found.base) > 0
    assert found.unit == "number"
    assert found.probabilities is None
    assert found.prediction == pytest.approx(regressor.predict(as_table(ROW))[0])
    assert found.answer == pytest.approx(found.prediction)
    assert found.n_agreeing == away.sum()
    assert "are on that side of the average; most answer " in str(found)


def test_two_classes_of_one_score_count_for_the_predicted_one():
    X, y = TABLE[["size"]].to_numpy(), LABEL
    imported = import_model(GradientBoostingClassifier(n_estimators=8, max_depth=2).fit(X, y))
    for row in [[-2.0]], [[2.0]]:
        found = explain_row(imported, row)
        score = imported.forest.raw(np.array(row))[0, 0]
        sign = 1.0 if found.prediction == "many" else -1.0
        assert found.answer == pytest.approx(sign * score)
        assert found.unit == "score"
        assert (found.low, found.high) == (None, None)
        assert found.n_agreeing == found.n_trees == 8
        assert "8 of 8 trees move it that way" in str(found)
        assert "average of its score" in str(found)


def test_of_several_scores_only_trees_of_the_predicted_class_are_counted():
    y = pd.qcut(NUMBER, 3, labels=["a", "b", "c"]).astype(str)
    boosted = GradientBoostingClassifier(n_estimators=5, max_depth=2).fit(TABLE[["size"]], y)
    found = explain_row(import_model(boosted), TABLE[["size"]].iloc[0])
    assert found.n_trees == 5
    regressor = GradientBoostingRegressor(n_estimators=5).fit(TABLE[["size"]], NUMBER)
    number = explain_row(import_model(regressor), TABLE[["size"]].iloc[0])
    assert number.unit == "number"
    assert number.answer == pytest.approx(number.prediction)


def test_it_goes_through_json_and_back(model):
    found = model.explain(ROW)
    read = json.loads(json.dumps(found.to_dict()))
    assert read["prediction"] == found.prediction
    assert read["answer"] == pytest.approx(
        read["base"] + sum(c["amount"] for c in read["contributions"])
    )
    assert read["probabilities"][0] == {
        "class": "few",
        "probability": pytest.approx(found.probabilities["few"]),
    }
    assert read["typical"]["steps"][0]["branches"][0]["share"] == 1.0


def test_small_contributions_are_put_together():
    X = RNG.normal(size=(100, 15))
    y = X[:, 0] + X.sum(axis=1)
    found = BaggedTreesRegressor(10, random_state=0).fit(X, y).explain(X[3])
    assert len(found.contributions) > 11
    shown = found.largest()
    assert len(shown) == 11
    assert shown[-1][2].endswith("more columns together")
    assert sum(amount for amount, _, _ in shown) == pytest.approx(found.answer - found.base)


def test_a_forest_of_single_leaves():
    model = BaggedTreesClassifier(3, random_state=0).fit([[1.0], [1.0]], ["a", "b"])
    found = model.explain([1.0])
    assert found.contributions == ()
    assert "No column is tested on the way of this row" in str(found)
    assert found.answer == found.base
