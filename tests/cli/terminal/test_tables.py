"""Tables: of rules, and of any records."""

from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris

from softwood import BaggedTreesClassifier, BaggedTreesRegressor, CARTRegressor
from softwood.cli.terminal import column_table, printed, rules_table
from softwood.explain import rules_table as rules_of

Record = namedtuple("Record", "column gaps")


@dataclass
class Data:
    column: str
    gaps: int


@pytest.mark.parametrize("kind", [Record, Data, lambda c, g: {"column": c, "gaps": g}])
def test_records_of_every_kind(kind):
    assert printed(column_table([kind("age", 3), kind("name", 120)]), width=40).splitlines() == [
        "column   gaps",
        "─────────────",
        "age         3",
        "name      120",
    ]


def test_numbers_gaps_and_odd_values():
    rows = [
        {"a": 0.123456, "b": None, "c": True, "d": np.float64(2.0)},
        {"a": 1234.5, "b": "x", "c": False, "e": "only here"},
    ]
    lines = printed(column_table(rows), width=60).splitlines()
    assert lines[2].split() == ["0.1235", "True", "2"]
    assert lines[3].split() == ["1234.5", "x", "False", "only", "here"]


def test_data_is_not_markup_and_does_nothing():
    rows = [{"[red]key": "[bold]x[/bold] \x1b[31m", "n": 1}]
    text = printed(column_table(rows), width=60)
    assert "[red]key" in text
    assert "[bold]x[/bold] \\x1b[31m" in text


@pytest.mark.parametrize("width", [30, 80])
def test_long_cells_lose_their_middle_and_the_table_keeps_its_width(width):
    rows = [{"column": "x" * 500, "what": "word " * 80}]
    lines = printed(column_table(rows), width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert len(lines) < 15
    assert "…" in "".join(lines)


def test_ascii():
    text = printed(column_table([{"naïve": "…"}]), width=40, encoding="ascii")
    assert text.isascii()
    assert "na\\xefve" in text


def test_other_things_are_refused():
    with pytest.raises(TypeError, match=r"rows must be mappings, .* got int"):
        column_table([3])


def test_no_rows():
    assert printed(column_table([]), width=40).strip() == ""


def test_rules_of_an_ensemble():
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = BaggedTreesClassifier(10, random_state=0).fit(X, y)
    rules = rules_of(model, max_rules=4)
    text = printed(rules_table(rules), width=100)
    head, _, *body = text.splitlines()
    assert head.split() == ["if", "prediction", "support", "confidence", "effect", "trees"]
    assert sum(len(rule.conditions) for rule in rules) == len(body)
    assert body[0].split()[-1] == str(rules[0].n_trees)
    assert body[0].startswith(rules[0].conditions[0])


def test_rules_of_numbers_have_no_confidence():
    X, y = load_diabetes(return_X_y=True)
    for model in CARTRegressor(max_leaf_nodes=4), BaggedTreesRegressor(3, random_state=0):
        text = printed(rules_table(rules_of(model.fit(X, y), max_rules=5)), width=80)
        assert "confidence" not in text
        assert "support" in text
