import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from softwood.statistics import corrected_t_test, paired_t_test, wilcoxon_test
from tests.statistics.printed import DEMSAR_PAIR

SIDES = ["two-sided", "less", "greater"]


def pair(seed, n=12):
    rng = np.random.default_rng(seed)
    a = rng.random(n)
    return a, a + rng.normal(0.1, 0.2, n)


def test_wilcoxon_of_demsar():
    # Areas under a curve: higher is better there, so C4.5+m comes first.
    found = wilcoxon_test(DEMSAR_PAIR[:, 1], DEMSAR_PAIR[:, 0], zero_method="zsplit")
    assert found.statistic == 12
    assert found.n_nonzero == 12
    assert found.z == pytest.approx(2.54, abs=0.02)


@pytest.mark.parametrize("side", SIDES)
@given(seed=st.integers(0, 99))
def test_wilcoxon_is_scipys(side, seed):
    a, b = pair(seed)
    expected = stats.wilcoxon(a, b, alternative=side)
    found = wilcoxon_test(a, b, alternative=side)
    assert found.statistic == expected.statistic
    assert found.pvalue == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
@given(seed=st.integers(0, 99))
def test_many_tied_decimals_are_scipys_whole_numbers(zero_method, seed):
    whole = np.random.default_rng(seed).integers(-3, 6, 90)
    expected = stats.wilcoxon(whole, zero_method=zero_method)
    # As decimals, a - b is exact no more, and ties hold only up to rounding.
    found = wilcoxon_test(0.7 + whole / 10, np.full(90, 0.7), zero_method=zero_method)
    assert found.statistic == expected.statistic
    # SciPy counts split zeros as if they had a sign to be uncertain of.
    loose = 0.1 if zero_method == "zsplit" else 1e-9
    assert found.pvalue == pytest.approx(expected.pvalue, rel=loose)


@pytest.mark.parametrize("side", SIDES)
@given(differences=st.lists(st.integers(-3, 4), min_size=2, max_size=8))
def test_few_tied_differences_are_tried_with_all_signs(side, differences):
    nonzero = [d for d in differences if d]
    ranks = stats.rankdata(np.abs(nonzero))
    observed = ranks[np.array(nonzero) > 0].sum() if nonzero else 0.0
    signs = itertools.product((0, 1), repeat=len(nonzero))
    sums = np.array([np.dot(sign, ranks) for sign in signs])
    less, greater = np.mean(sums <= observed), np.mean(sums >= observed)
    expected = {"less": less, "greater": greater, "two-sided": min(1, 2 * min(less, greater))}
    found = wilcoxon_test(differences, alternative=side)
    assert found.pvalue == pytest.approx(expected[side])
    assert found.n_nonzero == len(nonzero)


@given(seed=st.integers(0, 99))
def test_the_sign_says_who_is_better(seed):
    a, b = pair(seed)
    forth, back = wilcoxon_test(a, b), wilcoxon_test(b, a)
    assert forth.z == pytest.approx(-back.z)
    assert forth.pvalue == pytest.approx(back.pvalue)
    assert wilcoxon_test(a, a + 1).z < 0
    assert wilcoxon_test(a, a + 1, alternative="less").pvalue < 0.001
    assert paired_t_test(a, a + 1 + b / 9, alternative="less").pvalue < 0.001


@pytest.mark.parametrize("side", SIDES)
@given(seed=st.integers(0, 99))
def test_paired_t_is_scipys(side, seed):
    a, b = pair(seed)
    expected = stats.ttest_rel(a, b, alternative=side)
    found = paired_t_test(a, b, alternative=side)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.pvalue == pytest.approx(expected.pvalue)
    if side == "two-sided":
        interval = expected.confidence_interval(0.9)
        assert found.interval(0.9) == pytest.approx((interval.low, interval.high))


@given(seed=st.integers(0, 99), ratio=st.sampled_from([0.1, 1 / 9, 0.5, 1.0]))
def test_the_correction_follows_its_formula(seed, ratio):
    a, b = pair(seed)
    d = a - b
    t = d.mean() / np.sqrt((1 / len(d) + ratio) * np.sum((d - d.mean()) ** 2) / (len(d) - 1))
    found = corrected_t_test(a, b, test_over_train=ratio)
    assert found.statistic == pytest.approx(t)
    assert found.df == len(d) - 1
    assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(t), len(d) - 1))
    assert found.pvalue > paired_t_test(a, b).pvalue
    assert corrected_t_test(d, n_train=1000, n_test=round(1000 * ratio)).statistic == pytest.approx(
        t, rel=1e-2
    )


def test_a_ratio_of_zero_corrects_nothing():
    a, b = pair(0)
    assert corrected_t_test(a, b, test_over_train=0).pvalue == paired_t_test(a, b).pvalue


@pytest.mark.parametrize(
    ("difference", "side", "pvalue"),
    [
        (0.0, "two-sided", 1.0),
        (0.25, "two-sided", 0.0),
        (-0.25, "less", 0.0),
        (-0.25, "greater", 1.0),
        (0.1, "greater", 0.0),
    ],
)
def test_differences_without_variance(difference, side, pvalue):
    found = corrected_t_test([difference] * 10, test_over_train=0.1, alternative=side)
    assert found.pvalue == pvalue
    assert found.standard_error == 0
    assert found.statistic == (np.sign(difference) * np.inf if difference else 0.0)


def test_rounding_is_no_difference():
    a = np.array([0.1, 0.2, 0.3]) + 0.6
    b = np.array([0.7, 0.8, 0.9])
    assert (a != b).any()
    assert paired_t_test(a, b).pvalue == 1
    assert wilcoxon_test(a, b).pvalue == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired_t_test([1, 2], [1, 2, 3]), r"equal shape; got \(2,\) and \(3,\)"),
        (lambda: paired_t_test([1]), "a must hold at least 2 values; got 1"),
        (lambda: paired_t_test([1, np.nan]), "a must be finite; got nan at position 1"),
        (lambda: paired_t_test([1, 2], [np.inf, 2]), "b must be finite; got inf at position 0"),
        (lambda: paired_t_test([[1, 2]]), r"a must have 1 dimension\(s\); got shape \(1, 2\)"),
        (lambda: paired_t_test(["x", "y"]), "a must hold numbers only"),
        (lambda: paired_t_test([1, 2], alternative="both"), "alternative must be one of"),
        (lambda: paired_t_test([1, 2]).interval(95), "confidence must lie.*got 95"),
        (lambda: wilcoxon_test([1, 2], zero_method="keep"), "zero_method must be one of"),
        (lambda: corrected_t_test([1, 2]), "either test_over_train, or both"),
        (lambda: corrected_t_test([1, 2], n_train=5), "either test_over_train, or both"),
        (
            lambda: corrected_t_test([1, 2], n_train=5, n_test=1, test_over_train=1),
            "either test_over_train, or both",
        ),
        (lambda: corrected_t_test([1, 2], test_over_train=-1), "must be 0 or more; got -1"),
        (lambda: corrected_t_test([1, 2], n_train=0, n_test=1), "n_train must be a whole number"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
