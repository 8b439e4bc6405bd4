"""Folds part the rows, and share every class evenly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.folds import deal_folds, shuffled_by_class

codes_of_rows = st.lists(st.integers(0, 3), min_size=1, max_size=40).map(np.array)


@given(codes=codes_of_rows, n_folds=st.integers(2, 7), seed=st.integers(0, 99))
def test_every_row_is_tested_once_and_trains_the_others(codes, n_folds, seed):
    folds = deal_folds(codes, n_folds, np.random.default_rng(seed))
    assert len(folds) == n_folds
    tested = np.concatenate([test for _, test in folds])
    assert sorted(tested) == list(range(codes.size))
    for train, test in folds:
        assert sorted([*train, *test]) == list(range(codes.size))


@given(codes=codes_of_rows, n_folds=st.integers(2, 7), seed=st.integers(0, 99))
def test_folds_differ_by_one_row_of_a_class_and_one_in_all(codes, n_folds, seed):
    tests = [test for _, test in deal_folds(codes, n_folds, np.random.default_rng(seed))]
    assert np.ptp([test.size for test in tests]) <= 1
    for code in np.unique(codes):
        assert np.ptp([np.count_nonzero(codes[test] == code) for test in tests]) <= 1


def test_rows_come_class_after_class_in_another_order_each_time():
    codes = np.arange(60) % 3
    rows = [shuffled_by_class(codes, np.random.default_rng(seed)) for seed in (0, 0, 1)]
    assert np.array_equal(rows[0], rows[1])
    assert not np.array_equal(rows[0], rows[2])
    assert codes[rows[2]].tolist() == sorted(codes)
    assert sorted(rows[2]) == list(range(60))


@pytest.mark.parametrize("n_rows", [1, 2, 3])
def test_more_folds_than_rows_leave_some_empty(n_rows):
    folds = deal_folds(np.zeros(n_rows, dtype=int), 5, np.random.default_rng(0))
    assert sum(test.size == 0 for _, test in folds) == 5 - n_rows
