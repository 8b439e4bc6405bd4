import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from softwood.statistics import binomial_interval, sign_test


def test_intervals_of_the_annealing_paper():
    assert binomial_interval(4, 7) == pytest.approx((0.184, 0.901), abs=5e-4)
    low, high = binomial_interval(7, 7, alternative="greater")
    assert low == pytest.approx(0.652, abs=5e-4)
    assert high == 1


@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
@given(n=st.integers(1, 40), share=st.floats(0, 1), confidence=st.sampled_from([0.5, 0.95, 0.99]))
def test_intervals_are_scipys(side, n, share, confidence):
    k = round(n * share)
    expected = stats.binomtest(k, n, alternative=side).proportion_ci(confidence, method="exact")
    assert binomial_interval(k, n, confidence, alternative=side) == pytest.approx(
        (expected.low, expected.high), abs=1e-9
    )


@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
@given(signs=st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=12))
def test_signs_are_counted_by_their_distribution(side, signs):
    wins, losses = signs.count(-1), signs.count(1)
    n = wins + losses
    mass = stats.binom.pmf(np.arange(n + 1), n, 0.5)
    counts = np.arange(n + 1)
    extreme = {
        "less": counts >= wins,
        "greater": counts <= wins,
        "two-sided": np.abs(counts - n / 2) >= abs(wins - n / 2),
    }[side]
    found = sign_test(signs, alternative=side)
    assert (found.statistic, found.n) == (wins, n)
    assert found.pvalue == pytest.approx(mass[extreme].sum())


def test_ties_may_be_split():
    found = sign_test([-1, -1, -1, 0, 0, 0, 1], ties="split")
    assert (found.statistic, found.n) == (4, 6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: binomial_interval(8, 7), "must not exceed n_trials; got 8 of 7"),
        (lambda: binomial_interval(-1, 7), "n_successes must be a whole number"),
        (lambda: binomial_interval(0, 0), "n_trials must be a whole number of at least 1; got 0"),
        (lambda: binomial_interval(1.5, 7), "n_successes must be a whole number"),
        (lambda: binomial_interval(1, 7, 1.0), "confidence must lie"),
        (lambda: sign_test([1, 2], ties="half"), "ties must be one of"),
        (lambda: sign_test([]), "at least 1"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
