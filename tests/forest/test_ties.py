"""The most probable class, where rounding decides."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from softwood.forest.ties import most_probable


@given(st.lists(st.integers(0, 5), min_size=1, max_size=6), st.integers(0, 999))
def test_rounding_does_not_choose(counts, seed):
    shares = np.array(counts, dtype=float)
    noise = np.random.default_rng(seed).uniform(-1e-12, 1e-12, shares.size)
    assert most_probable(shares + noise) == counts.index(max(counts))


def test_rows_are_asked_one_by_one():
    shares = np.array([[0.2, 0.3, 0.5], [0.4, 0.4, 0.2], [0.1, 0.2 + 1e-8, 0.2]])
    assert most_probable(shares).tolist() == [2, 0, 1]
    assert [int(most_probable(row)) for row in shares] == [2, 0, 1]
