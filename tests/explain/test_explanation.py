"""The way of one row, for hard and soft flows, however the row is given."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from softwood import C45Classifier, CARTClassifier, CARTRegressor
from softwood.explain.explanation import Explanation, explain_row
from softwood.flow import Gaussian, Ramp, Sampled
from softwood.tree import Tree
from tests.persist.models import mixed_model, numeric_rows

WEATHER = pd.DataFrame(
    {
        "outlook": ["sunny", "sunny", "rainy", "rainy", "dull", "dull"] * 4,
        "humidity": [70.0, 90.0, 70.0, 90.0, 70.0, 90.0] * 4,
        "windy": [True, False, False, True, False, True] * 4,
    }
)
PLAY = ["yes", "no", "yes", "yes", "yes", "yes"] * 4
ROW = ["sunny", 85.0, True]


@pytest.fixture(scope="module")
def model():
    return C45Classifier().fit(WEATHER, PLAY)


def test_a_hard_path_in_words(model):
    assert str(explain_row(model, ROW)).split("\n") == [
        "Predicted: no (probability 1)",
        "  1. outlook is sunny, so outlook = sunny",
        "  2. humidity is 85, so humidity > 70",
        "     leaf 5: no (training weight 4)",
    ]


def test_it_holds_what_it_prints(model):
    explanation = explain_row(model, ROW)
    assert explanation.prediction == "no"
    assert explanation.probabilities == {"no": 1.0, "yes": 0.0}
    assert [step.node for step in explanation.steps] == [0, 3]
    assert [step.taken.child for step in explanation.steps] == [3, 5]
    assert [(leaf.node, leaf.mass) for leaf in explanation.leaves] == [(5, 1.0)]


@pytest.mark.parametrize(
    "row",
    [
        tuple(ROW),
        np.array(ROW, dtype=object),
        [ROW],
        dict(zip(WEATHER.columns, ROW, strict=True)),
        dict(zip(WEATHER.columns[::-1], ROW[::-1], strict=True)),
        pd.Series(ROW, index=WEATHER.columns),
        pd.Series(ROW),
        pd.DataFrame([ROW], columns=WEATHER.columns),
        pl.DataFrame([ROW], schema=list(WEATHER.columns), orient="row"),
        WEATHER.assign(humidity=85.0).iloc[0],
        WEATHER.assign(humidity=85.0).iloc[:1],
    ],
    ids=lambda row: type(row).__name__,
)
def test_a_row_may_come_in_any_form(row, model):
    assert explain_row(model, row) == explain_row(model, ROW)
    assert model.explain(row) == explain_row(model, ROW)


def test_missing_values_and_unknown_categories(model):
    assert str(explain_row(model, ["foggy", None, False])).split("\n") == [
        "Predicted: yes (probability 0.833)",
        "  1. outlook is unknown category 'foggy': 33.3% to outlook = dull, "
        "33.3% to outlook = rainy, 33.3% to outlook = sunny",
        "  2. (33.3% of the row) humidity is missing: 50% to humidity <= 70, 50% to humidity > 70",
        "     33.3% of the row in leaf 1: yes (training weight 8)",
        "     33.3% of the row in leaf 2: yes (training weight 8)",
        "     16.7% of the row in leaf 4: yes (training weight 4)",
        "     16.7% of the row in leaf 5: no (training weight 4)",
    ]
    assert "outlook is missing: 33.3% to" in str(explain_row(model, [np.nan, 1, pd.NA]))


def test_unknown_categories_may_be_taken_as_missing():
    model = C45Classifier(handle_unknown="missing").fit(WEATHER, PLAY)
    assert "outlook is unknown category 'foggy', taken as missing: 33" in str(
        explain_row(model, ["foggy", 1.0, False])
    )
    model = C45Classifier(handle_unknown="error").fit(WEATHER, PLAY)
    with pytest.raises(ValueError, match="'foggy'"):
        explain_row(model, ["foggy", 1.0, False])


def test_a_missing_value_may_have_a_branch_of_its_own(model):
    directed = C45Classifier().fit(WEATHER, PLAY)
    tree = directed.tree_
    directed.tree_ = tree.replace(missing_child=np.where(tree.kind == 2, 1, -1))
    assert "outlook is missing, and so counts as outlook = rainy" in str(
        explain_row(directed, [None, 1.0, True])
    )


def test_a_category_may_be_unseen_at_a_node():
    X = pd.DataFrame({"a": [0.0, 0, 0, 0, 1, 1], "c": list("ppqqrr")})
    model = CARTClassifier(min_samples_leaf=1).fit(X, [0, 0, 1, 1, 2, 2])
    text = str(explain_row(model, {"a": 0.0, "c": "r"}))
    assert ("r (not seen here in training)" in text) == (-1 in model.tree_.set_child)


@pytest.mark.parametrize("flow", [Gaussian(0.5), Gaussian(0.5, exact=False), Sampled(0.5, n=64)])
def test_soft_flows_divide_the_row(flow):
    X, y = numeric_rows()
    model = CARTClassifier(max_depth=3).fit(X, y)
    model.flow_ = flow
    for row in X[:5]:
        explanation = explain_row(model, row)
        mass = model.flow_.spread(model.tree_, row[None]).toarray()[0]
        assert sum(leaf.mass for leaf in explanation.leaves) == pytest.approx(1.0)
        assert {leaf.node: leaf.mass for leaf in explanation.leaves} == pytest.approx(
            {leaf: m for leaf, m in zip(model.tree_.leaves, mass, strict=True) if m > 0}
        )
        proba = list(explanation.probabilities.values())
        assert proba == model.predict_proba(row[None])[0].tolist()
        for step in explanation.steps:
            assert sum(branch.share for branch in step.branches) == pytest.approx(1.0)


def test_a_ramp_in_words():
    model = CARTRegressor(max_depth=1).fit([[0.0], [1.0]], [10.0, 20.0])
    model.tree_ = model.tree_.replace(below=[0.5, 0, 0], above=[0.5, 0, 0])
    model.flow_ = Ramp()
    explanation = explain_row(model, [0.25])
    assert str(explanation).split("\n") == [
        "Predicted: 12.5",
        "  1. x0 is 0.25: 75% to x0 <= 0.5, 25% to x0 > 0.5",
        "     75% of the row in leaf 1: 10 (training weight 1)",
        "     25% of the row in leaf 2: 20 (training weight 1)",
    ]
    assert explanation.probabilities is None


def test_small_parts_are_counted_and_not_printed():
    model = CARTRegressor(max_depth=2).fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 2.0, 5.0, 6.0])
    model.flow_ = Gaussian(0.4, exact=False)
    lines = str(explain_row(model, [0.0])).split("\n")
    assert "     … 1 more test, each of less than 1% of the row" in lines
    assert lines[-1].endswith("% of the row in other leaves")


def test_oblique_tests():
    tree = Tree.from_nodes(
        n_features=2,
        first_child=[1, -1, -1],
        n_children=[2, 0, 0],
        kind=[3, 0, 0],
        feature=[-1, -1, -1],
        threshold=[1.0, 0.0, 0.0],
        weight=[4.0, 1.0, 3.0],
        response=[[0.25, 0.75], [1.0, 0.0], [0.0, 1.0]],
        term_start=[0, 2, 2, 2],
        term_feature=[0, 1],
        term_weight=[1.0, -2.0],
    )
    model = CARTClassifier().fit([[0.0, 0.0], [1.0, 1.0]], ["a", "b"])
    model.tree_ = tree
    assert "1. -2·x1 + x0 is -3, so -2·x1 + x0 <= 1" in str(explain_row(model, [1.0, 2.0]))
    assert "1. -2·x1 + x0 is unknown (missing: x1): 25% to" in str(explain_row(model, [1.0, None]))


def test_laplace_is_what_the_model_says():
    model = C45Classifier(laplace=True).fit(WEATHER, PLAY)
    explanation = explain_row(model, ROW)
    assert explanation.probabilities == {"no": 5 / 6, "yes": 1 / 6}


def test_odd_names_and_types():
    model, table = mixed_model(CARTClassifier)
    for i in range(len(table)):
        row = [column.as_objects()[i] for column in table.columns]
        explanation = explain_row(model, row)
        assert explanation == explain_row(model, table.take(np.array([i])))
        assert explanation.prediction == model.predict(table)[i]
        assert len(str(explanation).split("\n")) == 1 + len(explanation.steps) + len(
            explanation.leaves
        )
    numeric = CARTClassifier().fit([[0.0], [1.0]], [False, True])
    assert explain_row(numeric, np.array([True])).prediction is True
    assert isinstance(explain_row(numeric, pl.Series([0.2])), Explanation)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (WEATHER, "x must be one row; got a table of 24 rows"),
        (WEATHER.iloc[:0], "x must be one row; got a table of 0 rows"),
        ([ROW, ROW], r"x must be one row; got an array of shape \(2, 3\)"),
        (3.0, r"x must be one row; got an array of shape \(\)"),
        (ROW[:2], "x has 2 values, but the model has 3 features"),
        ({"outlook": "sunny"}, r"missing are \['humidity', 'windy'\]"),
        (dict.fromkeys([*WEATHER.columns, "more"], 1), r"not among them \['more'\]"),
        (WEATHER.iloc[:1, ::-1], "the columns must be those of training"),
        (["sunny", "damp", True], "column 'humidity' is numeric in this model, but holds 'damp'"),
    ],
)
def test_odd_rows_are_refused(row, message, model):
    with pytest.raises(ValueError, match=message):
        explain_row(model, row)


def test_other_models_are_refused():
    with pytest.raises(ValueError, match="not fitted yet"):
        explain_row(CARTClassifier(), [1.0])
