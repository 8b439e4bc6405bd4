"""Weights become 1 on average, whatever they are, and no digit is lost on the way."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from softwood.data.weights import (
    FACTOR_BITS,
    LARGEST_UNIT,
    LIGHTEST,
    MOST_COUNTED,
    WeightScale,
    are_whole,
    below_one,
    power_above,
)

sizes = st.floats(5e-324, 1.7e308)
simple = st.sampled_from([0.25, 0.5, 1.0, 1.75, 3.0])
ROUNDED = 2.0 ** (1 - FACTOR_BITS)


@given(st.lists(sizes, min_size=1, max_size=20))
def test_large_weights_can_be_added_up_and_no_digit_changes(weights):
    weight = np.array(weights)
    small = below_one(weight, weight.max())
    assert 0.5 <= small.max() < 1.0
    back = np.ldexp(small, power_above(weight.max()))
    kept = small >= 2.0**-1000  # others may fall below the smallest numbers
    np.testing.assert_array_equal(back[kept], weight[kept])


@given(st.lists(simple, min_size=2, max_size=20), st.integers(0, 5), st.integers(-900, 900))
def test_weights_are_1_on_average_over_rows_that_have_any(weights, n_zeros, power):
    weight = np.ldexp(np.array([*weights, *[0.0] * n_zeros]), power)
    scaled = WeightScale.of(weight).applied(weight)
    assert scaled[weight > 0].mean() == pytest.approx(1.0, rel=ROUNDED)
    assert not scaled[weight == 0].any()
    np.testing.assert_allclose(
        scaled / scaled.max(), weight / weight.max(), rtol=1e-15
    )  # each beside the others


@given(st.lists(simple, min_size=2, max_size=20), st.randoms(use_true_random=False))
def test_the_scale_does_not_depend_on_the_order_of_rows(weights, random):
    shuffled = list(weights)
    random.shuffle(shuffled)
    assert WeightScale.of(np.array(weights)) == WeightScale.of(np.array(shuffled))


@given(st.lists(st.lists(simple, min_size=1, max_size=5), min_size=1, max_size=4))
def test_facts_of_parts_make_the_scale_of_the_whole(parts):
    whole = np.concatenate(parts)
    most, least = whole.max(), whole.min()
    total = sum(float(below_one(np.array(part), most).sum()) for part in parts)
    assert WeightScale.from_facts(most, least, total, whole.size) == WeightScale.of(whole)


@given(sizes, st.integers(1, 9))
def test_even_weights_are_exactly_1(size, n_rows):
    weight = np.array([size] * n_rows + [0.0])
    scale = WeightScale.of(weight)
    assert scale.applied(weight).tolist() == [1.0] * n_rows + [0.0]
    assert scale.even == size


@given(st.lists(simple, min_size=2, max_size=9), st.integers(-900, 900))
def test_the_unit_leads_back_unless_numbers_get_too_large(weights, power):
    weight = np.ldexp(np.array(weights), power)
    scale = WeightScale.of(weight)
    unit = weight.max() / scale.applied(weight).max()
    is_kept = 1 / LARGEST_UNIT <= unit <= LARGEST_UNIT
    assert scale.unit == pytest.approx(unit if is_kept else 1.0, rel=1e-12)


def test_no_weight_that_is_there_vanishes():
    weight = np.array([1e-300, 1.0, 1.0, 0.0])
    scaled = WeightScale.of(weight).applied(weight)
    assert scaled[0] == LIGHTEST
    assert scaled[0] ** 2 > 0.0
    assert scaled[3] == 0.0


@pytest.mark.parametrize(
    ("weights", "whole"),
    [
        ([1, 2, 3], True),
        ([0, 0], True),
        ([], True),
        ([1, 2.5], False),
        ([0.5, 1], False),
        ([MOST_COUNTED], True),
        ([MOST_COUNTED, 2], False),
        ([1e300, 1e308], False),
        ([np.inf], False),
    ],
)
def test_whole_weights_are_numbers_of_cases_that_can_be_counted(weights, whole):
    assert are_whole(np.array(weights, dtype=float)) is whole


@given(st.lists(st.integers(1, 9), min_size=2, max_size=9), st.integers(2, 9))
def test_multiples_of_weights_have_the_same_scaled_weights(weights, factor):
    weight = np.array(weights, dtype=float)
    assume(np.ptp(weight) > 0)
    one, other = weight, weight * factor
    np.testing.assert_allclose(
        WeightScale.of(other).applied(other), WeightScale.of(one).applied(one), rtol=2 * ROUNDED
    )
