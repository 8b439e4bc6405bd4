import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from softwood.statistics import (
    aligned_ranks,
    aligned_ranks_test,
    friedman_test,
    iman_davenport_test,
    rank_methods,
)
from tests.statistics.printed import DEMSAR_RANKS, SPECTRUM, VICINAL
from tests.statistics.test_ranks import TABLES

TESTS = [friedman_test, iman_davenport_test, aligned_ranks_test]


def test_the_vicinal_paper():
    found = friedman_test(VICINAL)
    assert found.ranks == pytest.approx([2.4167, 2.25, 1.3333], abs=5e-5)
    assert found.statistic == pytest.approx(12.25)
    assert found.df == (2,)
    assert friedman_test(VICINAL, tie_correction=True).statistic == pytest.approx(12.60)
    found = iman_davenport_test(VICINAL)
    assert found.statistic == pytest.approx(8.768, abs=5e-4)
    assert found.pvalue == pytest.approx(8.49e-4, abs=5e-7)
    assert found.df == (2, 34)
    found = aligned_ranks_test(VICINAL)
    assert found.ranks == pytest.approx([34.889, 31.833, 15.778], abs=5e-4)
    assert found.statistic == pytest.approx(10.47, abs=5e-3)


def test_the_spectrum_paper():
    found = iman_davenport_test(SPECTRUM)
    assert found.ranks == pytest.approx([2.867, 4.156, 4.033, 3.578, 3.222, 3.144], abs=5e-4)
    assert friedman_test(SPECTRUM).statistic == pytest.approx(17.03, abs=5e-3)
    assert found.statistic == pytest.approx(3.604, abs=5e-4)
    assert found.pvalue == pytest.approx(0.0037, abs=5e-5)


def test_the_example_of_demsar():
    found = friedman_test(DEMSAR_RANKS)
    assert found.ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)
    assert found.statistic == pytest.approx(9.28, abs=5e-3)
    assert iman_davenport_test(DEMSAR_RANKS).statistic == pytest.approx(3.69, abs=5e-3)


@given(TABLES)
def test_friedman_follows_its_definition(scores):
    n, k = scores.shape
    means = rank_methods(scores).mean(axis=0)
    chi2 = 12 * n / (k * (k + 1)) * (np.sum(means**2) - k * (k + 1) ** 2 / 4)
    found = friedman_test(scores)
    assert found.statistic == pytest.approx(chi2, abs=1e-9)
    assert found.pvalue == pytest.approx(stats.chi2.sf(chi2, k - 1))
    if n * (k - 1) - chi2 > 1e-9:
        f = (n - 1) * chi2 / (n * (k - 1) - chi2)
        assert iman_davenport_test(scores).statistic == pytest.approx(f, abs=1e-9)


@given(seed=st.integers(0, 99), levels=st.sampled_from([3, 1000]))
def test_tie_correction_is_scipys(seed, levels):
    scores = np.random.default_rng(seed).integers(0, levels, (7, 4))
    expected = stats.friedmanchisquare(*scores.T)
    found = friedman_test(scores, tie_correction=True)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.pvalue == pytest.approx(expected.pvalue)


@given(TABLES)
def test_aligned_ranks_follow_the_printed_formula(scores):
    ranks = aligned_ranks(scores)
    n, k = ranks.shape
    columns, rows = ranks.sum(axis=0), ranks.sum(axis=1)
    # With ties the sum of squared ranks is less than that of 1 to kN.
    rest = np.sum(ranks**2) - np.sum(rows**2) / k
    top = (k - 1) * (np.sum(columns**2) - k * n**2 / 4 * (k * n + 1) ** 2)
    expected = top / rest if rest > 1e-9 else 0.0
    assert aligned_ranks_test(scores).statistic == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("test", TESTS)
@given(scores=TABLES, seed=st.integers(0, 99))
def test_methods_may_come_in_any_order(test, scores, seed):
    order = np.random.default_rng(seed).permutation(scores.shape[1])
    before, after = test(scores), test(scores[:, order])
    assert after.statistic == pytest.approx(before.statistic)
    assert after.ranks == pytest.approx(before.ranks[order])


@pytest.mark.parametrize("test", TESTS[:2])
@given(scores=TABLES)
def test_ranks_ignore_the_scale_of_a_data_set(test, scores):
    bent = np.exp(scores / 3) * np.arange(1, len(scores) + 1)[:, None]
    assert test(bent).statistic == test(scores).statistic


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("value", [0.0, 0.1])
def test_methods_that_always_tie_do_not_differ(test, value):
    found = test(np.full((5, 3), value))
    assert (found.statistic, found.pvalue) == (0.0, 1.0)


def test_without_a_tie_to_correct_tied_methods_do_not_differ():
    assert friedman_test(np.ones((4, 3)), tie_correction=True).pvalue == 1.0
    assert iman_davenport_test(np.ones((4, 3)), tie_correction=True).pvalue == 1.0


@pytest.mark.parametrize("n_methods", range(2, 9))
@pytest.mark.parametrize("n_datasets", [2, 3, 7, 10])
def test_data_sets_that_all_agree_leave_no_doubt(n_methods, n_datasets):
    found = iman_davenport_test(np.tile(np.arange(n_methods), (n_datasets, 1)))
    assert (found.statistic, found.pvalue) == (np.inf, 0.0)
