"""The threshold against its definition, in exact arithmetic; merged scores against all of them."""

from fractions import Fraction
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.conformal import condensed, threshold

ALPHAS = [Fraction(k, 40) for k in range(1, 40)]
few = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0]), max_size=45)


def by_definition(scores, weights, alpha):
    """The smallest score up to which there is enough weight, the new row's of 1 included."""
    wanted = (1 - alpha) * (sum(map(Fraction, weights)) + 1)
    for score in sorted(scores):
        pairs = zip(scores, weights, strict=True)
        if sum((Fraction(w) for s, w in pairs if s <= score), Fraction(0)) >= wanted:
            return score
    return np.inf


@given(few, st.sampled_from(ALPHAS))
def test_rows_that_weigh_the_same_give_the_usual_rank(scores, alpha):
    rank = ceil((len(scores) + 1) * (1 - alpha))
    expected = sorted(scores)[rank - 1] if rank <= len(scores) else np.inf
    assert threshold(np.array(scores), np.ones(len(scores)), float(alpha)) == expected
    assert by_definition(scores, [1] * len(scores), alpha) == expected


@given(
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from([0.5, 1.0, 2.25])), max_size=30),
    st.data(),
)
def test_weights_count(pairs, data):
    alpha = data.draw(st.sampled_from(ALPHAS))
    scores, weights = np.array(pairs, dtype=float).reshape(-1, 2).T
    assert threshold(scores, weights, float(alpha)) == by_definition(scores, weights, alpha)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)), max_size=30), st.data())
def test_a_row_of_weight_two_is_two_rows(pairs, data):
    alpha = float(data.draw(st.sampled_from(ALPHAS)))
    scores, weights = np.array(pairs, dtype=float).reshape(-1, 2).T
    repeated = np.repeat(scores, weights.astype(int))
    assert threshold(scores, weights, alpha) == threshold(repeated, np.ones(repeated.size), alpha)


@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.25, 0.5, 0.99])
@pytest.mark.parametrize("n_rows", [1, 2, 9, 10, 19, 40])
def test_any_row_may_be_the_new_one(n_rows, alpha):
    """Each of n + 1 rows in turn is the new one: just so many are covered, and not one more."""
    scores = np.random.default_rng(0).permutation(n_rows + 1).astype(float)
    covered = [
        new <= threshold(np.delete(scores, i), np.ones(n_rows), alpha)
        for i, new in enumerate(scores)
    ]
    wanted = ceil((n_rows + 1) * (1 - Fraction(str(alpha))))
    assert sum(covered) == (wanted if wanted <= n_rows else n_rows + 1)


@given(st.lists(st.integers(0, 60), min_size=1, max_size=200), st.integers(1, 20), st.data())
def test_merged_scores_lead_to_thresholds_that_are_hardly_larger(listed, most, data):
    scores = np.array(listed, dtype=float)
    weights = np.array(
        data.draw(
            st.lists(st.sampled_from([1.0, 0.5, 3.0]), min_size=scores.size, max_size=scores.size)
        )
    )
    merged, total = condensed(scores, weights, most)
    assert merged.size == total.size <= most
    assert (np.diff(merged) > 0).all()
    np.testing.assert_allclose(total.sum(), weights.sum())
    assert set(merged) <= set(listed)
    heaviest = np.bincount(scores.astype(int), weights).max() / (weights.sum() + 1)
    for alpha in (0.05, 0.1, 0.3, 0.8):
        found = threshold(merged, total, alpha)
        assert found >= threshold(scores, weights, alpha)
        stricter = alpha - 1.0 / most - heaviest
        if stricter > 0.0:
            assert found <= threshold(scores, weights, stricter)


@given(few.filter(len))
def test_equal_scores_are_one_and_nothing_is_lost_by_that(scores):
    scores = np.array(scores)
    merged, total = condensed(scores, np.ones(scores.size), 5)
    assert merged.tolist() == sorted(set(scores.tolist()))
    assert total.tolist() == [float((scores == score).sum()) for score in merged]
