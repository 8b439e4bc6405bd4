"""One rule for each leaf, and every row meets exactly its own."""

import math
import re
import sys

import numpy as np
import pytest
from hypothesis import given

from softwood import C45Classifier, CARTClassifier, CARTRegressor, export_rules
from softwood.errors import MissingExtraError
from softwood.explain.rules import Rule, rules_frame, rules_table
from softwood.flow import leaf_of
from softwood.tree import NOMINAL, NUMERIC, OBLIQUE, Tree
from tests.persist.models import mixed_model, numeric_rows
from tests.strategies import checked, trees


def test_tests_of_one_feature_are_merged():
    X = np.arange(6.0)[:, None]
    rules = rules_table(CARTClassifier().fit(X, ["a", "b", "b", "b", "a", "c"]))
    assert rules[0] == Rule("0.5 < x0 <= 3.5", "b", 0.5, 1.0, conditions=("0.5 < x0 <= 3.5",))
    assert {rule.rule for rule in rules[1:]} == {"x0 <= 0.5", "3.5 < x0 <= 4.5", "x0 > 4.5"}


def test_sets_of_one_feature_are_merged():
    X = np.array([["a"], ["b"], ["c"], ["d"]] * 3, dtype=object)
    model = CARTRegressor().fit(X, [0.0, 1.0, 5.0, 6.0] * 3)
    assert model.tree_.depth == 2
    assert sorted(rule.rule for rule in rules_table(model)) == [
        "x0 = a",
        "x0 = b",
        "x0 = c",
        "x0 = d",
    ]


def test_sets_on_one_path_are_intersected():
    tree = Tree.from_nodes(
        n_features=1,
        first_child=[1, 3, -1, -1, -1],
        n_children=[2, 2, 0, 0, 0],
        kind=[NOMINAL, NOMINAL, 0, 0, 0],
        feature=[0, 0, -1, -1, -1],
        threshold=[0.0] * 5,
        weight=[7.0, 3.0, 4.0, 2.0, 1.0],
        response=[[0.0]] * 5,
        set_start=[0, 4, 8, 8, 8, 8],
        set_child=[0, 0, 1, 1, 0, 1, 0, 1],
    )
    assert [rule.rule for rule in rules_table(tree)] == ["x0 in {2, 3}", "x0 = 0", "x0 = 1"]


def test_rules_come_by_support():
    model, _ = mixed_model(CARTClassifier)
    rules = rules_table(model)
    support = [rule.support for rule in rules]
    assert support == sorted(support, reverse=True)
    assert sum(support) == pytest.approx(1.0)
    assert all(rule.prediction in model.classes_ for rule in rules)
    assert all(0.0 < rule.confidence <= 1.0 for rule in rules)


def test_regression_has_no_confidence():
    model = CARTRegressor().fit([[0.0], [1.0], [1.0]], [1.0, 2.5, 2.5])
    rules = rules_table(model)
    assert [rule.prediction for rule in rules] == [2.5, 1.0]
    assert all(math.isnan(rule.confidence) for rule in rules)
    assert export_rules(model).split("\n") == [
        "IF x0 > 0.5 THEN 2.5 (support 0.667)",
        "IF x0 <= 0.5 THEN 1 (support 0.333)",
    ]


def test_a_tree_without_tests_is_one_rule():
    model = C45Classifier().fit(np.zeros((3, 1)), ["no", "yes", "yes"])
    assert rules_table(model) == [Rule("always", "yes", 1.0, pytest.approx(2 / 3), ())]
    assert export_rules(model) == "IF always THEN yes (support 1, confidence 0.667)"


def test_rules_can_be_renamed_and_limited():
    X, y = numeric_rows()
    model = CARTClassifier(max_depth=2).fit(X, y)
    text = export_rules(
        model, feature_names=["a", "b, c", ""], class_names=["no", "yes\n"], decimals=2, max_rules=1
    )
    first, hint = text.split("\n")
    assert re.fullmatch(r"IF .* THEN (no|yes\\n) \(support 0\.\d+, confidence [\d.]+\)", first)
    assert re.fullmatch(r"… \d more rules?; use export_rules\(max_rules=None\)", hint)
    with pytest.raises(ValueError, match="max_rules must be at least 1"):
        export_rules(model, max_rules=0)


def test_the_frame_has_four_columns():
    model, _ = mixed_model(CARTClassifier)
    frame = rules_frame(model)
    assert list(frame.columns) == ["rule", "prediction", "support", "confidence"]
    assert frame["rule"].tolist() == [rule.rule for rule in rules_table(model)]
    assert model.get_rules().equals(frame)


def test_without_pandas_it_says_what_to_install(monkeypatch):
    model, _ = mixed_model(CARTClassifier)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'softwood\[data\]'"):
        rules_frame(model)


def holds(condition, row):
    """Whether a condition of numbers and codes holds, read back from its words."""
    if match := re.fullmatch(r"x(\d+) = (\d+)", condition):
        return row[int(match[1])] == float(match[2])
    if match := re.fullmatch(r"x(\d+) in \{(.*)\}", condition):
        return str(int(row[int(match[1])])) in match[2].split(", ")
    if match := re.fullmatch(r"(?:(\S+) < )?x(\d+) <= (\S+)", condition):
        return float(match[1] or -np.inf) < row[int(match[2])] <= float(match[3])
    match = re.fullmatch(r"x(\d+) > (\S+)", condition)
    return row[int(match[1])] > float(match[2])


@given(trees(kinds=(NUMERIC,), n_outputs=1))
@checked
def test_a_row_meets_the_rule_of_its_leaf_and_no_other(tree):
    tree = tree.replace(
        weight=np.ones(tree.n_nodes), response=np.arange(float(tree.n_nodes))[:, None]
    )
    rows = np.random.default_rng(0).choice([-1.5, -0.5, -0.2, 0.0, 0.25, 0.3, 1.0, 2.0], (40, 3))
    rules = rules_table(tree)
    for row, leaf in zip(rows, leaf_of(tree, rows), strict=True):
        met = [rule for rule in rules if all(holds(c, row) for c in rule.conditions)]
        assert [rule.prediction for rule in met] == [float(leaf)]


@given(trees())
@checked
def test_any_tree_has_a_rule_for_each_leaf(tree):
    rules = rules_table(tree)
    assert len(rules) == tree.n_leaves
    assert all(len(rule.conditions) <= tree.depth for rule in rules)


def test_oblique_tests_stand_as_they_are():
    tree = Tree.from_nodes(
        n_features=2,
        first_child=[1, -1, 3, -1, -1],
        n_children=[2, 0, 2, 0, 0],
        kind=[OBLIQUE, 0, OBLIQUE, 0, 0],
        feature=[-1] * 5,
        threshold=[1.0, 0.0, 2.0, 0.0, 0.0],
        weight=[4.0, 1.0, 3.0, 2.0, 1.0],
        response=[[0.0]] * 5,
        term_start=[0, 2, 2, 4, 4, 4],
        term_feature=[0, 1, 0, 1],
        term_weight=[1.0, -2.0, 1.0, -2.0],
    )
    assert [rule.conditions for rule in rules_table(tree)] == [
        ("-2·x1 + x0 > 1", "-2·x1 + x0 <= 2"),
        ("-2·x1 + x0 <= 1",),
        ("-2·x1 + x0 > 1", "-2·x1 + x0 > 2"),
    ]


def test_nominal_rules_are_met_too():
    model, table = mixed_model(CARTClassifier)
    tree = model.tree_
    assert NOMINAL in tree.kind
    rules = rules_table(tree.replace(response=np.arange(float(tree.n_nodes))[:, None]))
    rows = model._rows(table)
    rows = rows[~np.isnan(rows).any(axis=1)]
    for row, leaf in zip(rows, leaf_of(tree, rows), strict=True):
        met = [rule for rule in rules if all(holds(c, row) for c in rule.conditions)]
        assert [rule.prediction for rule in met] == [float(leaf)]
