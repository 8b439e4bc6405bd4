import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from softwood.statistics import (
    cliff_delta,
    cohen_d,
    rank_biserial,
    vargha_delaney,
    wilcoxon_test,
)
from softwood.statistics.effect import LARGE_T


def pair(seed, n=12, shift=0.1):
    rng = np.random.default_rng(seed)
    a = rng.random(n)
    return a, a + rng.normal(shift, 0.2, n)


@given(seed=st.integers(0, 99), shift=st.sampled_from([-1.0, 0.0, 0.1, 3.0]))
def test_d_is_t_over_the_root_of_n_and_its_interval_inverts_t(seed, shift):
    a, b = pair(seed, shift=shift)
    t = stats.ttest_rel(a, b).statistic
    found = cohen_d(a, b, confidence=0.9)
    root = np.sqrt(len(a))
    assert found.value == pytest.approx(t / root)
    assert stats.nct.cdf(t, len(a) - 1, found.low * root) == pytest.approx(0.95, abs=5e-4)
    assert stats.nct.cdf(t, len(a) - 1, found.high * root) == pytest.approx(0.05, abs=5e-4)


def test_huge_effects_have_an_interval_too():
    below, above = (cohen_d(1 + x * np.arange(9)) for x in (0.0116, 0.0113))
    assert below.value * 3 < LARGE_T < above.value * 3
    scale = above.value / below.value
    assert above.low == pytest.approx(below.low * scale, rel=5e-3)
    huge = cohen_d(0.3 + np.arange(10) * 1e-13)
    assert huge.low < huge.value < huge.high < np.inf
    assert cohen_d(-0.3 - np.arange(10) * 1e-13).low == pytest.approx(-huge.high)


@pytest.mark.parametrize(("difference", "value"), [(0, 0), (2, np.inf), (-2, -np.inf)])
def test_d_without_variance(difference, value):
    assert cohen_d([difference] * 4) == (value, value, value)


@given(seed=st.integers(0, 99))
def test_rank_biserial_is_made_of_the_rank_sums(seed):
    a, b = pair(seed)
    positive = wilcoxon_test(a, b, alternative="greater").statistic
    total = len(a) * (len(a) + 1) / 2
    assert rank_biserial(a, b) == pytest.approx((2 * positive - total) / total)


def test_rank_biserial_at_its_ends():
    assert rank_biserial([1, 2, 3], [2, 4, 6]) == -1
    assert rank_biserial([2, 4, 6], [1, 2, 3]) == 1
    assert rank_biserial([1, 2], [1, 2]) == 0


@given(
    st.lists(st.integers(0, 5), min_size=2, max_size=7),
    st.lists(st.integers(0, 5), min_size=2, max_size=7),
)
def test_dominance_counts_all_pairs(a, b):
    above = sum(x > y for x in a for y in b)
    below = sum(x < y for x in a for y in b)
    n_pairs = len(a) * len(b)
    found = cliff_delta(a, b)
    assert found.value == pytest.approx((above - below) / n_pairs)
    assert -1 <= found.low <= found.value <= found.high <= 1
    u = stats.mannwhitneyu(a, b).statistic
    assert vargha_delaney(a, b).value == pytest.approx(u / n_pairs)
    assert cliff_delta(b, a) == pytest.approx((-found.value, -found.high, -found.low))


def test_the_interval_of_delta_follows_feng_and_cliff():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=9), rng.normal(0.5, size=14)
    n, m = len(a), len(b)
    cells = [[np.sign(x - y) for y in b] for x in a]
    d = sum(map(sum, cells)) / (n * m)
    rows = sum((sum(row) / m - d) ** 2 for row in cells)
    columns = sum((sum(row[j] for row in cells) / n - d) ** 2 for j in range(m))
    rest = sum((cell - d) ** 2 for row in cells for cell in row)
    s2 = (m**2 * rows + n**2 * columns - rest) / (n * m * (n - 1) * (m - 1))
    z = stats.norm.isf(0.025)
    half = z * np.sqrt(s2) * np.sqrt((1 - d**2) ** 2 + z**2 * s2)
    ends = [(d - d**3 + sign * half) / (1 - d**2 + z**2 * s2) for sign in (-1, 1)]
    assert cliff_delta(a, b) == pytest.approx((d, *ends))


def test_the_interval_of_delta_holds_the_truth():
    rng = np.random.default_rng(1)
    truth = 2 * stats.norm.cdf(0.8 / np.sqrt(2)) - 1
    found = [cliff_delta(rng.normal(0.8, size=15), rng.normal(size=20)) for _ in range(400)]
    assert np.mean([f.low <= truth <= f.high for f in found]) == pytest.approx(0.95, abs=0.03)


def test_full_dominance_has_the_bound_of_wilson():
    wilson = stats.binomtest(6, 6).proportion_ci(0.95, method="wilson").low
    assert cliff_delta([7] * 6, range(7)) == pytest.approx((1, 2 * wilson - 1, 1))
    assert vargha_delaney(range(7), [7] * 6) == pytest.approx((0, 0, 1 - wilson))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cliff_delta([1], [1, 2]), "a must hold at least 2 values; got 1"),
        (lambda: cliff_delta([1, 2], [3]), "b must hold at least 2 values; got 1"),
        (lambda: cohen_d([1, 2], confidence=0), "confidence must lie"),
        (lambda: vargha_delaney([1, np.nan], [1, 2]), "a must be finite"),
        (lambda: rank_biserial([1, 2], [1]), "equal shape"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
