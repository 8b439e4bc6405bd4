import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from softwood.statistics import five_by_two_f_test, five_by_two_t_test


@given(seed=st.integers(0, 99))
def test_both_follow_their_definitions(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.random((5, 2)), rng.random((5, 2))
    squares, spread = 0.0, 0.0
    for first, second in a - b:
        mean = (first + second) / 2
        squares += first**2 + second**2
        spread += (first - mean) ** 2 + (second - mean) ** 2
    f, t = squares / (2 * spread), (a - b)[0, 0] / np.sqrt(spread / 5)
    found = five_by_two_f_test(a, b)
    assert (found.statistic, found.df) == (pytest.approx(f), (10, 5))
    assert found.pvalue == pytest.approx(stats.f.sf(f, 10, 5))
    found = five_by_two_t_test(a, b)
    assert (found.statistic, found.df) == (pytest.approx(t), (5,))
    assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(t), 5))


@given(seed=st.integers(0, 99))
def test_the_f_test_does_not_care_which_fold_is_first(seed):
    rng = np.random.default_rng(seed)
    d = rng.normal(size=(5, 2))
    shuffled = rng.permuted(rng.permutation(d), axis=1)
    assert five_by_two_f_test(shuffled).pvalue == pytest.approx(five_by_two_f_test(d).pvalue)


def test_a_known_quantile():
    # Alpaydin (1999): reject at 0.05 above 4.74.
    assert stats.f.isf(0.05, 10, 5) == pytest.approx(4.74, abs=5e-3)
    d = np.array([[1.0, 2.0]] * 5)
    assert five_by_two_f_test(d).statistic == pytest.approx(25 / 5)
    assert five_by_two_f_test(d).pvalue < 0.05


@pytest.mark.parametrize("test", [five_by_two_f_test, five_by_two_t_test])
def test_differences_without_variance(test):
    assert (test(np.zeros((5, 2))).statistic, test(np.zeros((5, 2))).pvalue) == (0, 1)
    assert (test(np.ones((5, 2))).statistic, test(np.ones((5, 2))).pvalue) == (np.inf, 0)


@pytest.mark.parametrize("test", [five_by_two_f_test, five_by_two_t_test])
def test_other_shapes_are_refused(test):
    with pytest.raises(ValueError, match=r"shape \(5, 2\).*got \(2, 5\)"):
        test(np.ones((2, 5)))
