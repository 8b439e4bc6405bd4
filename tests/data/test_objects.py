"""Python objects as columns: what is a number, a date, a boolean, a category, and what is none."""

import datetime as dt
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.objects import codes_of, column_of_objects, is_missing

GONE = [None, math.nan, np.nan, np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT")]


def column_of(*values):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return column_of_objects("c", array)


@pytest.mark.parametrize("gone", GONE, ids=repr)
def test_what_is_missing_anywhere_is_missing_here(gone):
    assert is_missing(gone)
    assert np.isnan(column_of(1, gone).values).tolist() == [False, True]
    assert column_of("a", gone).values.tolist() == [0, -1]
    assert column_of(True, gone).values.tolist() == [1, -1]


@pytest.mark.parametrize("there", [0, "", "nan", "None", False, math.inf, np.datetime64("2020")])
def test_what_is_there_is_there(there):
    assert not is_missing(there)


@given(st.lists(st.none() | st.integers(-9, 9) | st.floats(-9, 9), min_size=1))
def test_numbers_of_all_kinds_are_numbers(values):
    column = column_of(*values)
    assert column.categories is None
    expected = [math.nan if value is None else float(value) for value in values]
    np.testing.assert_array_equal(column.values, expected)


@given(st.lists(st.none() | st.text(max_size=3), min_size=1).filter(any))
def test_texts_are_categories_in_order(values):
    column = column_of(*values)
    assert column.categories == tuple(sorted({value for value in values if value is not None}))
    assert column.as_objects().tolist() == values


def test_booleans_have_both_categories_whatever_is_there():
    assert column_of(True, None).categories == (False, True)
    assert column_of(np.True_, np.False_).values.tolist() == [1, 0]


def test_booleans_among_numbers_are_numbers():
    assert column_of(True, 0.5).values.tolist() == [1.0, 0.5]


def test_numbers_among_texts_are_categories_of_their_own():
    column = column_of("1", 1, "b", None)
    assert set(column.categories) == {1, "1", "b"}
    assert column.as_objects().tolist() == ["1", 1, "b", None]


def test_dates_are_days():
    column = column_of(dt.date(1970, 1, 2), None, dt.datetime(1970, 1, 3, 12))
    assert column.is_date
    np.testing.assert_array_equal(column.values, [1.0, math.nan, 2.5])


def test_a_column_without_values_is_numeric():
    column = column_of(None, math.nan)
    assert column.categories is None
    assert np.isnan(column.values).all()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (dt.timedelta(1), r"total_seconds\(\)"),
        (np.timedelta64(1, "D"), r"total_seconds\(\)"),
        (1j, "value.real and value.imag"),
        (dt.time(3), "such as hours"),
        (dt.date(2020, 1, 1), "all values must be dates, or None"),
        ([1], "not 'list'$"),
    ],
    ids=repr,
)
def test_other_values_are_named_with_what_would_do(value, words):
    with pytest.raises(TypeError, match=rf"column 'c' holds .* \(row 1\).*{words}"):
        column_of("text", value)


def test_numbers_beyond_floats_are_named():
    with pytest.raises(ValueError, match=r"column 'c' .* \(row 2\).*rescale"):
        column_of(1, None, 10**400)


def test_values_that_are_no_category_have_the_code_of_missing_ones():
    assert codes_of(["b", None, "z", "a"], ("a", "b")).tolist() == [1, -1, -1, 0]
