import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from softwood._kernels._jit import kernel
from softwood._kernels.vicinal.columns import (
    UNIT,
    fill_normal,
    multiply_between,
    total_by_class,
    total_mass,
)


@kernel
def normal(z, cut, out):
    fill_normal(z, cut, out)


@kernel
def between(reach, share, low, high, out):
    multiply_between(reach, share, low, high, out)


@kernel
def total(column, start, stop):
    return total_mass(column, start, stop)


@kernel
def totals(column, class_start, out):
    total_by_class(column, class_start, out)


def test_shares_are_those_of_the_normal_distribution():
    z = np.linspace(-9.0, 9.0, 3001, dtype=np.float32)
    out = np.empty_like(z)
    normal(z, np.float32(0.25), out)
    np.testing.assert_allclose(out, ndtr(0.25 - z.astype(float)), atol=4e-7)


@given(
    st.lists(st.floats(0.0, 1.0, width=32), min_size=0, max_size=700),
    st.integers(0, 5),
    st.integers(0, 5),
)
def test_sums_are_right_and_do_not_depend_on_order(masses, skip, rest):
    column = np.array(masses, dtype=np.float32)
    start, stop = min(skip, column.size), max(column.size - rest, min(skip, column.size))
    part = column[start:stop]
    found = total(column, start, stop)
    assert found / float(UNIT) == pytest.approx(
        part.astype(float).sum(), abs=1e-6 + 1e-7 * part.size
    )
    column[start:stop] = part[::-1]
    assert total(column, start, stop) == found


def test_sums_by_class():
    column = np.full(40, 0.5, dtype=np.float32)
    found = np.zeros(3, np.int64)
    totals(column, np.array([0, 16, 16, 40]), found)
    assert (found / float(UNIT)).tolist() == [8.0, 0.0, 12.0]


def test_nothing_is_left_between_equal_bounds():
    half = np.full(3, 0.5, dtype=np.float32)
    out = np.empty(3, np.float32)
    between(np.zeros(3, np.float32), half, half, half, out)
    assert out.tolist() == [0.0, 0.0, 0.0]
