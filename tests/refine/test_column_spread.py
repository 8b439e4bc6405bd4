"""Mean and deviation of columns against numpy, and what weights mean."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.data.training import TrainingSet
from softwood.refine.column_spread import spread_of_columns


def rows_with_gaps(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(3.0, 2.0, size=(25, 4))
    X[rng.random(X.shape) < 0.3] = np.nan
    X[:, 2] = 0.1  # constant, but its mean is not quite 0.1
    X[:, 3] = np.nan
    X[:2, :2] = [[1.0, 2.0], [4.0, 5.0]]
    return X


@given(seed=st.integers(0, 999), correction=st.sampled_from([0, 1]), factor=st.floats(0.1, 10))
def test_numpy_says_the_same(seed, correction, factor):
    X = rows_with_gaps(seed)
    data = TrainingSet.of_target(X, np.zeros(25), weight=np.full(25, factor))
    mean, deviation = spread_of_columns(data, correction)
    assert_allclose(mean[:3], np.nanmean(X[:, :3], axis=0), rtol=1e-12)
    expected = np.nanstd(X[:, :2], axis=0, ddof=correction)
    assert_allclose(deviation, [*expected, 0.0, 0.0], rtol=1e-12)


@given(seed=st.integers(0, 999))
def test_a_weight_of_two_is_the_row_twice(seed):
    X = rows_with_gaps(seed)
    twice = np.random.default_rng(seed).integers(1, 3, 25)
    weighted = TrainingSet.of_target(X, np.zeros(25), weight=twice.astype(float))
    repeated = TrainingSet.of_target(np.repeat(X, twice, axis=0), np.zeros(twice.sum()))
    for ours, theirs in zip(spread_of_columns(weighted), spread_of_columns(repeated), strict=True):
        assert_allclose(ours, theirs, rtol=1e-12)


def test_one_known_value_has_no_deviation():
    data = TrainingSet.of_target(np.array([[np.nan], [7.0]]), np.zeros(2))
    for correction in (0, 1):
        assert_array_equal(spread_of_columns(data, correction), [[7.0], [0.0]])
