import baycomp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.statistics import (
    bayes_correlated_t_test,
    bayes_sign_test,
    bayes_signed_rank_test,
    corrected_t_test,
)

N_SAMPLES = 20_000


def pair(seed, n=20):
    rng = np.random.default_rng(seed)
    a = rng.random(n)
    return a, a + rng.normal(0.02, 0.1, n)


def baycomp_verdict(probabilities):
    """Insert the rope that baycomp leaves out if it is empty."""
    if len(probabilities) == 2:
        return probabilities[0], 0.0, probabilities[1]
    return probabilities


@given(seed=st.integers(0, 99), rope=st.sampled_from([0.0, 0.01, 0.1]))
def test_correlated_t_is_baycomps(seed, rope):
    a, b = pair(seed)
    # Higher is better there, so errors turn their sign.
    expected = baycomp.two_on_single(-a, -b, rope=rope, runs=2)
    found = bayes_correlated_t_test(a, b, test_over_train=1 / 9, rope=rope)
    assert tuple(found) == pytest.approx(baycomp_verdict(expected), abs=1e-9)


@given(seed=st.integers(0, 99))
def test_without_a_rope_the_posterior_is_the_one_sided_pvalue(seed):
    a, b = pair(seed)
    found = bayes_correlated_t_test(a, b, test_over_train=0.2)
    pvalue = corrected_t_test(a, b, test_over_train=0.2, alternative="less").pvalue
    assert found.b_better == pytest.approx(pvalue)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("rope", [0.0, 0.05])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(bayes_sign_test, baycomp.SignTest), (bayes_signed_rank_test, baycomp.SignedRankTest)],
)
def test_samples_are_baycomps(ours, theirs, rope, seed):
    a, b = pair(seed)
    expected = theirs.probs(-a, -b, rope, nsamples=N_SAMPLES, random_state=0)
    found = ours(a, b, rope=rope, n_samples=N_SAMPLES)
    # Four standard errors of the difference of two sampled shares.
    assert tuple(found) == pytest.approx(baycomp_verdict(expected), abs=0.02)
    assert sum(found) == pytest.approx(1)


@pytest.mark.parametrize("test", [bayes_sign_test, bayes_signed_rank_test])
def test_a_seed_repeats_the_sample(test):
    a, b = pair(5)
    assert test(a, b, rope=0.02) == test(a, b, rope=0.02)
    assert test(a, b, rope=0.02, random_state=1) != test(a, b, rope=0.02)


@pytest.mark.parametrize(
    ("differences", "rope", "verdict"),
    [
        ([0.0] * 4, 0.0, (0.5, 0.0, 0.5)),
        ([0.0] * 4, 0.1, (0.0, 1.0, 0.0)),
        ([-0.5] * 4, 0.1, (1.0, 0.0, 0.0)),
        ([0.05] * 4, 0.0, (0.0, 0.0, 1.0)),
    ],
)
def test_differences_without_variance(differences, rope, verdict):
    assert bayes_correlated_t_test(differences, test_over_train=0.1, rope=rope) == verdict


def test_methods_that_tie_are_even_or_equivalent():
    for test in (bayes_sign_test, bayes_signed_rank_test):
        assert test([0.0] * 5, n_samples=99) == (0.5, 0.0, 0.5)
        assert test([0.0] * 5, rope=0.1, n_samples=99) == (0.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bayes_sign_test([1, 2], rope=-1), "rope must be 0 or more; got -1"),
        (lambda: bayes_signed_rank_test([1, 2], rope=np.nan), "rope must be 0 or more; got nan"),
        (lambda: bayes_signed_rank_test([1, 2], n_samples=0), "n_samples must be"),
        (lambda: bayes_sign_test([1, 2], n_samples=0), "n_samples must be"),
        (lambda: bayes_correlated_t_test([1, 2], test_over_train=-1), "test_over_train must be"),
        (lambda: bayes_correlated_t_test([1, 2], test_over_train=1, rope=-1), "rope must be"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
