import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from softwood.statistics import aligned_ranks, mean_ranks, rank_methods, score_matrix

TABLES = st.tuples(st.integers(2, 8), st.integers(2, 6)).flatmap(
    lambda shape: arrays(float, shape, elements=st.integers(-9, 9).map(float))
)


def slow_ranks(values):
    """One plus how many are lower, plus half of the others that are equal."""
    return [1 + sum(v < x for v in values) + (sum(v == x for v in values) - 1) / 2 for x in values]


@given(TABLES)
def test_ranks_follow_their_definition(scores):
    ranks = rank_methods(scores)
    assert ranks.tolist() == [slow_ranks(row) for row in scores]
    assert mean_ranks(scores).sum() == pytest.approx(scores.shape[1] * (scores.shape[1] + 1) / 2)


@given(TABLES)
def test_aligned_ranks_follow_their_definition(scores):
    # Multiplied by the number of methods, deviations from row means are whole numbers.
    deviations = scores * scores.shape[1] - scores.sum(axis=1, keepdims=True)
    expected = np.reshape(slow_ranks(deviations.ravel().tolist()), scores.shape)
    np.testing.assert_array_equal(aligned_ranks(scores), expected)


def test_aligned_ranks_see_ties_through_rounding():
    assert aligned_ranks([[0.1, 0.2], [0.7, 0.8], [1.1, 1.2]]).tolist() == [[2, 5]] * 3


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_are_tables(frame):
    scores = frame({"a": [1, 2, 3], "b": [3, 1, 4]})
    assert score_matrix(scores).tolist() == [[1, 3], [2, 1], [3, 4]]
    assert mean_ranks(scores).tolist() == pytest.approx([4 / 3, 5 / 3])


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1, 2, 3], r"one row for each data set.*got shape \(3,\)"),
        ([[1], [2]], r"at least 2 methods.*got 1"),
        ([[1, 2]], r"at least 2 data sets.*got 1"),
        ([[1, 2], [3, np.nan]], r"got nan in row 1, column 1;"),
        ([[1, 2], [np.inf, 3]], r"got inf in row 1, column 0;"),
        ([[1, 2], [3]], r"rows of equal length"),
        ([["iris", 2], ["wine", 3]], r"numbers only"),
    ],
)
def test_bad_tables_are_refused(scores, message):
    with pytest.raises(ValueError, match=message):
        score_matrix(scores)


def test_a_missing_score_is_named_by_its_labels():
    frame = pd.DataFrame({"CART": [1.0, 2.0], "C4.5": [3.0, np.nan]}, index=["iris", "wine"])
    with pytest.raises(ValueError, match=r"row 1 \('wine'\), column 1 \('C4\.5'\)"):
        score_matrix(frame)
