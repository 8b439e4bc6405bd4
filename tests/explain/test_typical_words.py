"""Sentences about rules that trees share."""

import math

import pytest

from softwood.explain._ensembles import ensemble_of
from softwood.explain.rules import export_rules, rules_frame, rules_table
from softwood.explain.typical_words import TYPICAL_RULES
from softwood.forest import Forest
from softwood.tree import NUMERIC
from tests.strategies import tree_of


def stump(root, left, right):
    return tree_of(
        [
            {"kind": NUMERIC, "feature": 0, "threshold": 0.5, "first": 1, "n_children": 2,
             "weight": 10.0, "response": root},
            {"weight": 4.0, "response": left},
            {"weight": 6.0, "response": right},
        ],
        n_features=2,
    )  # fmt: skip


def test_of_votes():
    vote = Forest.average([stump([0.4, 0.6], [1.0, 0.0], [0.0, 1.0])] * 3)
    assert export_rules(vote, class_names=["no", "yes"]).splitlines() == [
        "IF x0 <= 0.5 THEN no (support 0.4, confidence 1 against 0.4 overall, in 3 of 3 trees)",
        "IF x0 > 0.5 THEN yes (support 0.6, confidence 1 against 0.6 overall, in 3 of 3 trees)",
    ]
    first = rules_table(vote)[0]
    assert (first.effect, first.n_trees, first.tree) == (pytest.approx(0.6), 3, 0)
    assert first.score == pytest.approx(0.4 * 0.6)


def test_of_numbers():
    mean = Forest.average([stump([2.0], [0.5], [3.0])] * 2)
    assert export_rules(mean).splitlines() == [
        "IF x0 <= 0.5 THEN 0.5 (support 0.4, -1.5 from the average, in 2 of 2 trees)",
        "IF x0 > 0.5 THEN 3 (support 0.6, +1 from the average, in 2 of 2 trees)",
    ]
    assert math.isnan(rules_table(mean)[0].confidence)


def test_of_terms_of_a_sum():
    trees = (stump([0.0], [-1.5], [1.0]),) * 2
    numbers = Forest(trees, [0, 0], [0.1, 0.1], base=[7.0])
    assert export_rules(numbers).splitlines()[0] == (
        "IF x0 <= 0.5 THEN -0.3 (support 0.4, in 2 of 2 trees)"
    )
    scores = Forest(trees, [0, 0], [0.1, 0.1], base=[0.0], link="logistic")
    assert export_rules(scores, class_names=["no", "yes"]).splitlines() == [
        "IF x0 <= 0.5 THEN no (support 0.4, score +0.3, in 2 of 2 trees)",
        "IF x0 > 0.5 THEN yes (support 0.6, score +0.2, in 2 of 2 trees)",
    ]


def test_the_frame_has_the_columns_of_trees_and_more():
    frame = rules_frame(Forest.average([stump([0.5, 0.5], [1.0, 0.0], [0.0, 1.0])]))
    assert [*frame] == [
        "rule", "prediction", "support", "confidence", "effect", "n_trees", "tree", "score",
    ]  # fmt: skip


def test_without_rules_the_frame_is_empty():
    leaf = tree_of([{"response": [1.0]}], n_features=1)
    assert len(rules_frame(Forest.average([leaf]))) == 0
    assert export_rules(Forest.average([leaf])) == ""


def test_there_are_twenty_unless_one_asks_for_more():
    wide = [
        tree_of(
            [
                {"kind": NUMERIC, "feature": j, "threshold": 0.5, "first": 1, "n_children": 2,
                 "weight": 2.0, "response": [0.0]},
                {"response": [1.0 + j]},
                {"response": [-1.0 - j]},
            ],
            n_features=15,
        )
        for j in range(15)
    ]  # fmt: skip
    forest = Forest.average(wide)
    assert len(rules_table(forest)) == TYPICAL_RULES == 20
    assert len(rules_table(forest, max_rules=99)) == 30
    with pytest.raises(ValueError, match="max_rules must be at least 1; got 0"):
        rules_table(forest, max_rules=0)
    assert ensemble_of(forest).is_mean
