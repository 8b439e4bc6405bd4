"""The gain of a random test."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy

from softwood._kernels.growth.columns import CASE_BITS, RANK_SHIFT
from softwood._kernels.growth.random_tests import (
    classes_held,
    gain_of_classes,
    gain_of_counted_cut,
    gain_of_target,
)
from softwood._kernels.impurity import xlog2_table
from tests.strategies import checked

COUNTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=6)


def gain_by_definition(parts):
    """Information over the entropies of class and branch."""
    of_class, of_test = entropy(parts.sum(axis=0)), entropy(parts.sum(axis=1))
    both = of_class + of_test
    return (both - entropy(parts.ravel())) / both if both > 0.0 else 0.0


@given(counts=COUNTS)
@checked
def test_whole_or_weighted_counts_have_one_gain(counts):
    parts = np.array(counts, dtype=float).T
    parts[:, 0] += 1.0  # no branch is empty
    whole, xlogs = parts.sum(), xlog2_table(int(parts.sum()))
    want = pytest.approx(gain_by_definition(parts), abs=1e-12)
    held, n_classes = parts.ravel(), parts.shape[1]
    assert gain_of_classes(held, 2, n_classes, whole, xlogs, True) == want
    assert gain_of_classes(0.7 * held, 2, n_classes, 0.7 * whole, xlogs, False) == want


@given(counts=COUNTS, repeated=st.booleans())
@checked
def test_cases_are_counted_as_they_lie(counts, repeated):
    """One entry per case, or one that says how often it counts."""
    parts = np.array(counts, dtype=np.int64).T
    parts[:, 0] += 1
    side, label = (axis.ravel() for axis in np.indices(parts.shape))
    number = parts.ravel()
    if repeated:
        side, label, number = np.repeat(side, number), np.repeat(label, number), 1
    kept = np.broadcast_to(number, side.shape) > 0
    side, label, number = side[kept], label[kept], np.broadcast_to(number, kept.shape)[kept]
    # A count says how often more than once, in four bits.
    line = np.arange(side.size) | (label << CASE_BITS) | ((number - 1) << RANK_SHIFT)
    total, held = parts.sum(axis=0).astype(float), np.zeros(parts.shape[1], dtype=np.int64)
    n_held = classes_held(total, held)
    xlogs, tally = xlog2_table(int(total.sum())), np.full(2 * total.size, 99)
    rank, held = side.astype(np.int32), held[:n_held]
    gain = gain_of_counted_cut(line, rank, 0, total.size, held, xlogs, tally)
    assert gain == pytest.approx(gain_by_definition(parts), abs=1e-12)


def test_what_is_missing_tells_nothing():
    parts, xlogs = np.array([4.0, 0.0, 0.0, 4.0]), xlog2_table(16)
    assert gain_of_classes(parts, 2, 2, 8.0, xlogs, False) == pytest.approx(0.5)
    assert gain_of_classes(parts, 2, 2, 16.0, xlogs, False) == pytest.approx(0.25)


def test_squared_error_taken_off():
    weight, target = np.array([1.0, 2.0, 1.0, 0.5]), np.array([3.0, 1.0, -2.0, 0.0])
    parts = np.array([3.0, 5.0, 0.0, 0.0, 1.5, -2.0])  # the second category is empty here

    def error(at):
        return (weight[at] * (target[at] - np.average(target[at], weights=weight[at])) ** 2).sum()

    want = error([0, 1, 2, 3]) - error([0, 1]) - error([2, 3])
    assert gain_of_target(parts, 3) == pytest.approx(want)
