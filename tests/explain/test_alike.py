"""When conditions of two trees say the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.explain._alike import Cuts, covers, most_central_first
from softwood.explain.conditions import Condition

CUTS = Cuts({0: np.array([1.0] * 10 + [2.0] * 10 + [30.0] * 10), 1: np.arange(100.0)})


def near(feature, a, b):
    return CUTS.are_near(feature, a, b)


@pytest.mark.parametrize(
    ("feature", "a", "b", "are_near"),
    [
        (0, 1.0, 1.0, True),
        (0, 1.0, 1.5, True),  # a fiftieth of the range, 0.58
        (0, 1.0, 2.0, False),  # a third of all cuts apart, by their ranks
        (1, 50.0, 59.0, True),
        (1, 50.0, 62.0, False),
        (1, -np.inf, -np.inf, True),
        (1, -np.inf, 0.0, False),
        (1, 99.0, np.inf, False),
    ],
)
def test_cuts_are_near_by_rank_or_by_value(feature, a, b, are_near):
    assert near(feature, a, b) == are_near
    assert near(feature, b, a) == are_near


@given(st.lists(st.sampled_from([0.0, 1.0, 1.5, 2.0, 9.0, 30.0]), min_size=1, max_size=12))
def test_all_at_once_is_the_same_as_one_by_one(values):
    rules = [
        [Condition(0, high=value), Condition(2, codes=(0, int(value > 1)))] for value in values
    ]
    table = CUTS.table(rules)
    for place, value in enumerate(values):
        one_by_one = [
            CUTS.are_near(0, value, other) and (value > 1) == (other > 1) for other in values
        ]
        assert table.alike(place).tolist() == one_by_one
    assert sorted(most_central_first(table).tolist()) == [*range(len(values))]


def test_equal_cuts_have_the_rank_of_their_middle():
    np.testing.assert_allclose(CUTS.ranks(0, np.array([1.0, 2.0, 30.0])), [1 / 6, 0.5, 5 / 6])


def test_the_order_of_tests_makes_no_difference():
    one, two = Condition(0, high=1.0), Condition(1, low=5.0)
    assert CUTS.key([one, two]) == CUTS.key([two, one])
    assert CUTS.key([one]) != CUTS.key([Condition(0, low=1.0)])


@pytest.mark.parametrize(
    ("short", "long", "does"),
    [
        ([Condition(1, high=50.0)], [Condition(1, high=51.0), Condition(0, low=1.0)], True),
        ([Condition(1, high=50.0)], [Condition(1, low=3.0, high=51.0)], True),
        ([Condition(1, high=50.0)], [Condition(1, high=90.0)], False),
        ([Condition(1, high=50.0)], [Condition(1, low=50.0)], False),
        ([Condition(0, codes=(1, 2))], [Condition(0, codes=(1,))], True),
        ([Condition(0, codes=(1,))], [Condition(0, codes=(2,))], False),
        ([Condition(0, codes=(1,))], [Condition(0, high=1.0)], False),
    ],
)
def test_a_shorter_rule_covers_a_longer_one(short, long, does):
    assert covers(short, long, CUTS) == does


def test_collected_cuts_are_those_of_numbers():
    rules = [[Condition(0, low=1.0, high=2.0)], [Condition(1, codes=(1,)), Condition(0, high=0.5)]]
    assert {f: own.tolist() for f, own in Cuts.of(rules).of_feature.items()} == {0: [0.5, 1.0, 2.0]}
