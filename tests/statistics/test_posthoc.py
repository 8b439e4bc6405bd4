import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from hypothesis import given, settings
from hypothesis import strategies as st

from softwood.statistics import (
    bonferroni_dunn,
    critical_difference,
    friedman_test,
    hochberg,
    holm,
    nemenyi,
)
from tests.statistics.printed import DEMSAR_RANKS, SPECTRUM, VICINAL
from tests.statistics.test_ranks import TABLES


def untied(seed, shape=(9, 5)):
    return np.random.default_rng(seed).normal(size=shape)


def unit_error(k, n):
    return np.sqrt(k * (k + 1) / (6 * n))


def test_the_vicinal_paper():
    found = holm(VICINAL, control=2)
    assert found.pvalues[:2] == pytest.approx([1.154e-3, 5.960e-3], abs=5e-7)
    assert found.adjusted[:2] == pytest.approx([0.0023, 0.0060], abs=5e-5)
    assert holm(VICINAL).pvalues[0, 1] == pytest.approx(0.6171, abs=5e-5)
    aligned = holm(VICINAL, test="aligned").pvalues
    assert aligned[2, 0] == pytest.approx(5.63e-10, abs=5e-13)
    assert aligned[2, 1] == pytest.approx(1.90e-7, abs=5e-10)
    assert aligned[0, 1] == pytest.approx(0.3215, abs=5e-5)


def test_the_spectrum_paper():
    found = bonferroni_dunn(SPECTRUM, control=0)
    assert found.critical_difference == pytest.approx(1.016, abs=5e-4)
    assert found.significant().tolist() == [False, True, True, False, False, False]
    assert (found.ranks - found.ranks[0])[[1, 2]] == pytest.approx([1.289, 1.167], abs=5e-4)
    assert not bonferroni_dunn(SPECTRUM, control=5).significant()[1]


def test_the_example_of_demsar():
    found = holm(DEMSAR_RANKS, control=0)
    assert found.z[1:] == pytest.approx([-2.342, -0.512, -2.416], abs=2e-3)
    # The paper prints 0.607 and, below, 1.16: it goes on from rounded numbers.
    assert found.pvalues[1:] == pytest.approx([0.019, 0.607, 0.016], abs=2e-3)
    assert found.significant().tolist() == [False, True, False, True]
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=5e-3)
    assert critical_difference(4, 14, 0.1) == pytest.approx(1.12, abs=5e-3)
    assert critical_difference(4, 14, 0.05, "bonferroni_dunn") == pytest.approx(1.16, abs=1e-2)
    assert critical_difference(4, 14, 0.1, "bonferroni_dunn") == pytest.approx(1.04, abs=5e-3)


@pytest.mark.parametrize(
    ("method", "k", "quantile"),
    [
        ("bonferroni_dunn", 3, 2.241),
        ("bonferroni_dunn", 6, 2.576),
        ("bonferroni_dunn", 11, 2.807),
        ("nemenyi", 3, 2.344),
        ("nemenyi", 6, 2.850),
        ("nemenyi", 11, 3.219),
    ],
)
def test_quantiles_are_those_in_print(method, k, quantile):
    found = critical_difference(k, 20, method=method) / unit_error(k, 20)
    assert found == pytest.approx(quantile, abs=6e-4)


@given(seed=st.integers(0, 99))
def test_nemenyi_is_scikit_posthocs(seed):
    scores = untied(seed)
    expected = scikit_posthocs.posthoc_nemenyi_friedman(scores).to_numpy()
    np.testing.assert_allclose(nemenyi(scores).adjusted, expected, atol=1e-6)


@settings(max_examples=5)
@given(seed=st.integers(0, 99))
def test_holm_of_all_pairs_is_scikit_posthocs(seed):
    scores = untied(seed)
    found = holm(scores)
    raw = scikit_posthocs.posthoc_siegel_friedman(scores).to_numpy()
    adjusted = scikit_posthocs.posthoc_siegel_friedman(scores, p_adjust="holm").to_numpy()
    np.testing.assert_allclose(found.pvalues, raw, rtol=1e-9)
    np.testing.assert_allclose(found.adjusted, adjusted, rtol=1e-9)


@pytest.mark.parametrize(("ours", "name"), [(holm, "holm"), (bonferroni_dunn, "bonferroni")])
def test_a_control_is_scikit_posthocs(ours, name):
    scores = untied(3) + np.array([0, 5, 0, 9, -1])
    table = pd.DataFrame(scores, columns=list("abcde")).rename_axis("set").reset_index()
    melted = table.melt(id_vars="set", var_name="method", value_name="score")
    expected = scikit_posthocs.posthoc_demsar(
        melted,
        y_col="score",
        group_col="method",
        block_col="set",
        block_id_col="set",
        control="c",
        p_adjust=name,
        melted=True,
    )
    found = np.delete(ours(scores, control=2).adjusted, 2)
    assert 0 < found.min() < 0.05
    np.testing.assert_allclose(found, expected.loc[list("abde"), "c"], rtol=1e-9)


@given(TABLES, st.sampled_from(["friedman", "aligned", "aligned_permutation"]))
def test_pairs_are_antisymmetric_and_adjustment_only_adds(scores, test):
    found = holm(scores, test=test)
    np.testing.assert_allclose(found.z, -found.z.T, atol=1e-12)
    np.testing.assert_allclose(found.adjusted, found.adjusted.T)
    assert (np.diag(found.adjusted) == 1).all()
    assert (found.adjusted >= found.pvalues).all()
    assert (hochberg(scores, test=test).adjusted <= found.adjusted).all()


@given(TABLES, st.integers(0, 99))
def test_methods_may_come_in_any_order(scores, seed):
    order = np.random.default_rng(seed).permutation(scores.shape[1])
    for test in (nemenyi, holm):
        before, after = test(scores).adjusted, test(scores[:, order]).adjusted
        np.testing.assert_allclose(after, before[np.ix_(order, order)])
    control = int(np.flatnonzero(order == 0)[0])
    moved = holm(scores[:, order], control=control).adjusted
    np.testing.assert_allclose(moved, holm(scores, control=0).adjusted[order])


@given(TABLES, st.sampled_from([0.01, 0.05, 0.2]))
def test_the_critical_difference_agrees_with_the_pvalues(scores, alpha):
    gaps = np.abs(np.subtract.outer(*[friedman_test(scores).ranks] * 2))
    for found in (nemenyi(scores, alpha=alpha), bonferroni_dunn(scores, alpha=alpha)):
        assert ((gaps >= found.critical_difference) == found.significant(alpha)).all()
    one = bonferroni_dunn(scores, control=0, alpha=alpha)
    assert ((gaps[0] >= one.critical_difference) == one.significant(alpha)).all()


def test_only_the_permutation_error_keeps_the_level():
    """Equal methods must differ in five of a hundred trials; the printed error fails."""
    rng = np.random.default_rng(0)
    trials = [rng.normal(size=(18, 3)) for _ in range(300)]
    share = {
        test: np.mean([holm(scores, test=test).pvalues[0, 1] <= 0.05 for scores in trials])
        for test in ("friedman", "aligned", "aligned_permutation")
    }
    assert share["aligned_permutation"] == pytest.approx(0.05, abs=0.03)
    assert share["friedman"] == pytest.approx(0.05, abs=0.03)
    assert share["aligned"] > 0.2


@pytest.mark.parametrize("test", ["friedman", "aligned", "aligned_permutation"])
def test_methods_that_always_tie_do_not_differ(test):
    found = holm(np.ones((4, 3)), control=1, test=test)
    assert found.z.tolist() == [0, 0, 0]
    assert found.adjusted.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: holm(s, control=3), r"control must be a column from 0 to 2.*got 3"),
        (lambda s: holm(s, control=-1), r"control must be a column.*got -1"),
        (lambda s: holm(s, control="CART"), r"control must be the column number.*'CART'"),
        (lambda s: holm(s, control=True), r"control must be the column number"),
        (lambda s: holm(s, test="t"), r"test must be one of 'friedman'.*got 't'"),
        (lambda s: nemenyi(s, alpha=0), r"alpha must lie between 0 and 1.*got 0"),
        (lambda s: bonferroni_dunn(s, alpha=1.5), r"alpha must lie between 0 and 1.*got 1.5"),
        (lambda s: nemenyi(s).significant(1), r"alpha must lie between"),
        (lambda s: nemenyi(s[:, :1]), r"at least 2 methods"),
        (lambda s: critical_difference(1, 5), r"n_methods must be a whole number of at least 2"),
        (lambda s: critical_difference(3, 1), r"n_datasets must be"),
        (lambda s: critical_difference(3, 4, method="tukey"), r"method must be one of"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(VICINAL)
