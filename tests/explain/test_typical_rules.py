"""Rules that trees share: planted ones are found, scored as promised, and not repeated."""

import numpy as np
import pytest

from softwood.explain._ensembles import ensemble_of
from softwood.explain.typical_rules import MOST_NODES, typical_rules
from softwood.forest import Forest
from softwood.tree import NOMINAL, NUMERIC, OBLIQUE
from tests.strategies import tree_of

HALF = {"weight": 10.0, "response": [0.5, 0.5]}


def stump(feature=0, threshold=0.5, left=(1.0, 0.0), right=(0.0, 1.0), **root):
    return tree_of(
        [
            {"kind": NUMERIC, "feature": feature, "threshold": threshold, "first": 1,
             "n_children": 2, **HALF, **root},
            {"weight": 4.0, "response": list(left)},
            {"weight": 6.0, "response": list(right)},
        ],
        n_features=3,
    )  # fmt: skip


def found(trees, max_rules=10):
    return typical_rules(ensemble_of(Forest.average(trees)), max_rules)


def test_near_cuts_are_one_rule_and_far_ones_are_not():
    near = [stump(threshold=0.5 + k * 1e-3) for k in range(6)]
    far = [stump(threshold=9.0, left=(0.9, 0.1), right=(0.2, 0.8))]
    rules = found(near + far)
    assert sorted(rule.n_trees for rule in rules) == [1, 1, 6, 6]
    assert {rule.middle.conditions[0].feature for rule in rules} == {0}


def test_the_score_is_support_times_lift_times_share_of_trees():
    trees = [stump(left=(0.9, 0.1)) for _ in range(3)] + [stump(feature=2)]
    best = found(trees)[0]
    # All trees say 0.5 at their roots; three of four move the share of class 1 to 1.
    assert best.middle.output == 1
    assert best.n_trees == 3
    assert best.answer == 1.0
    assert best.effect == pytest.approx(0.5)
    assert best.score == pytest.approx(0.6 * 0.5 * 3 / 4)


def test_the_rule_in_the_middle_stands_for_the_others():
    cuts = [0.50, 0.505, 0.51, 0.515, 0.52]
    rules = found([stump(threshold=cut) for cut in cuts] + [stump(threshold=9.0)])
    assert rules[0].n_trees == 5
    one = rules[0].middle.conditions[0]
    assert 0.51 in (one.low, one.high)


def longer(answer):
    """x0 <= 0.5 and then x1, which says ``answer`` at the left."""
    return tree_of(
        [
            {"kind": NUMERIC, "feature": 0, "threshold": 0.5, "first": 1, "n_children": 2, **HALF},
            {"kind": NUMERIC, "feature": 1, "threshold": 0.5, "first": 3, "n_children": 2,
             "weight": 5.0, "response": [0.8, 0.2]},
            {"weight": 5.0, "response": [0.2, 0.8]},
            {"weight": 4.0, "response": answer},
            {"weight": 1.0, "response": [0.5, 0.5]},
        ],
        n_features=3,
    )  # fmt: skip


@pytest.mark.parametrize(("answer", "is_kept"), [([0.8, 0.2], False), ([1.0, 0.0], True)])
def test_a_longer_rule_has_to_say_more(answer, is_kept):
    rules = found([longer(answer)] * 3)
    lengths = [len(rule.middle.conditions) for rule in rules if rule.middle.output == 0]
    assert (2 in lengths) == is_kept
    assert 1 in lengths


def nominal(sets, left=(1.0, 0.0)):
    return tree_of(
        [
            {"kind": NOMINAL, "feature": 1, "sets": sets, "first": 1, "n_children": 2, **HALF},
            {"weight": 5.0, "response": list(left)},
            {"weight": 5.0, "response": [0.0, 1.0]},
        ],
        n_features=3,
    )


def test_sets_are_alike_if_they_share_most_categories():
    same, other = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1, 1, 1]
    far = [1, 1, 1, 0, 0, 0, 0, 1]
    assert {rule.n_trees for rule in found([nominal(same), nominal(other)])} == {2}
    assert {rule.n_trees for rule in found([nominal(same), nominal(far)])} == {1}


def test_oblique_tests_are_alike_only_if_they_are_the_same():
    def oblique(weight):
        return tree_of(
            [
                {"kind": OBLIQUE, "terms": [(0, 1.0), (1, weight)], "first": 1, "n_children": 2,
                 **HALF},
                {"weight": 5.0, "response": [1.0, 0.0]},
                {"weight": 5.0, "response": [0.0, 1.0]},
            ],
            n_features=3,
        )  # fmt: skip

    assert {rule.n_trees for rule in found([oblique(0.5), oblique(0.5)])} == {2}
    assert {rule.n_trees for rule in found([oblique(0.5), oblique(0.6)])} == {1}


def number(left, right, **root):
    return stump(left=[left], right=[right], **{"response": [0.0], **root})


def test_of_a_sum_trees_add_up():
    forest = Forest((number(-1.0, 2.0),) * 4, [0] * 4, [0.1] * 4, base=[5.0])
    up, down = sorted(typical_rules(ensemble_of(forest), 5), key=lambda rule: -rule.move)
    assert (up.n_trees, down.n_trees) == (4, 4)
    assert up.move == pytest.approx(4 * 0.1 * 2.0)
    assert down.move == pytest.approx(-4 * 0.1)
    assert up.score == pytest.approx(0.6 * 0.8)


def test_of_several_scores_only_those_that_rise_are_spoken_for():
    forest = Forest((number(-1.0, 2.0),) * 2, [0, 1], [1.0, 1.0], base=[0.0, 0.0], link="softmax")
    rules = typical_rules(ensemble_of(forest), 9)
    assert sorted(rule.middle.output for rule in rules) == [0, 1]
    assert all(rule.move == 2.0 for rule in rules)


def test_a_tree_that_says_it_twice_counts_once():
    cut = {"kind": NUMERIC, "feature": 0, "n_children": 2}
    twice = tree_of(
        [
            {**cut, "threshold": 0.5, "first": 1, **HALF},
            {**cut, "threshold": 0.4999, "first": 3, "weight": 5.0, "response": [0.9, 0.1]},
            {"weight": 5.0, "response": [0.1, 0.9]},
            {"weight": 4.9, "response": [0.9, 0.1]},
            {"weight": 0.1, "response": [0.5, 0.5]},
        ],
        n_features=1,
    )
    best = next(rule for rule in found([twice]) if rule.middle.output == 0)
    assert best.n_trees == 1
    assert best.move == pytest.approx(0.4)


def test_trees_without_tests_have_no_rules():
    assert found([tree_of([HALF], n_features=3)]) == []


def test_of_very_many_nodes_the_heaviest_are_taken(monkeypatch):
    wide = tree_of(
        [
            {"kind": NOMINAL, "feature": 0, "sets": list(range(40)), "first": 1, "n_children": 40,
             "weight": 820.0, "response": [0.0]},
            *({"weight": float(k + 1), "response": [1.0 + k]} for k in range(40)),
        ],
        n_features=1,
    )  # fmt: skip
    assert MOST_NODES >= 10_000
    monkeypatch.setattr("softwood.explain.typical_rules.MOST_NODES", 10)
    rules = typical_rules(ensemble_of(Forest.average([wide])), 99)
    assert sorted(np.concatenate([one.middle.conditions[0].codes for one in rules])) == [
        *range(30, 40)
    ]
