import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.view._sparks import BINS, HEIGHT, histogram


def heights_of(svg):
    return [float(text) for text in re.findall(r"v-([\d.]+)h", svg)]


def test_bars_are_as_high_as_their_values_are_many():
    values = np.repeat([1.0, 2.0, 5.0], [10, 20, 5])
    assert heights_of(histogram(values, "")) == [HEIGHT / 2, HEIGHT, HEIGHT / 4]


def test_whole_numbers_have_a_bin_each():
    days = np.repeat(np.arange(1.0, 32.0), 4)
    assert heights_of(histogram(days, "")) == [HEIGHT] * 31


def test_the_range_of_the_largest_numbers_does_not_overflow():
    values = np.append(np.arange(40.0), [1.7e308, -1e308])
    assert max(heights_of(histogram(values, ""))) == pytest.approx(HEIGHT)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=60))
def test_any_finite_numbers_have_a_histogram(values):
    heights = heights_of(histogram(np.array(values), "label"))
    assert 1 <= len(heights) <= 2 * BINS
    assert max(heights) == pytest.approx(HEIGHT)


def test_the_label_is_escaped():
    assert 'aria-label="&#34;&gt;&lt;b&gt;"' in histogram(np.array([1.0]), '"><b>')
