import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.view._words import aligned, percent, short, shown, told_apart


@given(st.text())
def test_what_is_shown_is_one_visible_line(text):
    line = shown(text, 50)
    assert line.isprintable()
    assert 1 <= len(line) <= 50
    line.encode("utf-8")


@given(st.floats(min_value=0, max_value=1))
def test_percents_are_near_the_share(share):
    number = float(percent(share).strip("<> %"))
    assert number == pytest.approx(100 * share, abs=0.1000001)


@given(st.floats(-1e300, 1e300))
def test_short_numbers_are_near_the_number(value):
    assert float(short(value)) == pytest.approx(value, rel=1e-3)


def test_what_is_no_number_is_a_dash():
    assert short(math.nan) == percent(math.nan) == "\N{EN DASH}"
    assert aligned([math.nan, 1.5]) == ["\N{EN DASH}", "1.50"]
    assert shown(np.nan) == "(missing)"


@given(st.lists(st.sampled_from(["a", "b", "c"])))
def test_names_are_told_apart(names):
    assert len(set(told_apart(names))) == len(names)
