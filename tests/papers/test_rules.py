"""Rules of verdicts: certainty makes a claim hold, direction makes it hold in sign."""

import numpy as np
import pytest
from scipy import stats

from softwood.papers.power import rank_power, smallest_shown
from softwood.papers.print_rules import agrees, from_print, printed_value
from softwood.papers.rules import (
    alike,
    beats,
    correlated,
    everywhere,
    first_are,
    larger,
    most,
    nowhere,
    ordered,
    paired,
    stated,
    steadier,
)
from softwood.papers.verdicts import Verdict

HOLDS, IN_SIGN, FAILS = Verdict.HOLDS, Verdict.IN_SIGN, Verdict.FAILS


def test_as_good_in_every_fold_on_one_of_nine_sets_does_not_hold():
    assert everywhere(1, 9, "sets", but=1).verdict is FAILS
    assert everywhere(5, 9, "sets", but=1).verdict is IN_SIGN
    assert everywhere(8, 9, "sets", but=1).verdict is HOLDS


def test_best_on_no_set_does_not_hold_where_it_is_best_on_one():
    assert nowhere(1, 9, "sets").verdict is FAILS
    assert nowhere(0, 9, "sets").verdict is HOLDS


def test_significantly_beats_does_not_hold_where_it_beats_none():
    named = ("Aggregating", "Bagging")
    assert beats([], named, ahead=named).verdict is FAILS
    assert beats(["Bagging"], named, ahead=named).verdict is IN_SIGN
    assert beats(["Bagging"], named, ahead=["Bagging"]).verdict is FAILS
    assert beats([*named, "Subspacing"], named, ahead=named).verdict is IN_SIGN
    assert beats(named, named, ahead=named).verdict is HOLDS


def test_most_needs_more_than_half_and_the_sign_more_for_than_against():
    assert most(6, 4, 10, "sets").verdict is HOLDS
    assert most(5, 3, 10, "sets").verdict is IN_SIGN
    assert most(4, 4, 10, "sets").verdict is FAILS
    assert most(6, 4, 10, "sets", share=2 / 3).verdict is IN_SIGN


def test_a_sign_test_is_sure_of_what_scipy_is_sure_of():
    ruling = most(6, 4, 10, "sets")
    assert "sure from 9 on" in ruling.power
    assert stats.binomtest(9, 10).pvalue < 0.05 < stats.binomtest(8, 10).pvalue
    assert ruling.enough is True
    few = most(3, 2, 5, "sets")
    assert few.enough is False
    assert "too few" in few.power


def test_pairs_hold_if_clear_and_in_sign_if_not():
    clear = np.linspace(0.01, 0.05, 12)
    assert paired(clear, "sets").verdict is HOLDS
    assert paired(clear, "sets").enough is True
    unclear = np.array([0.05, -0.04, 0.03, -0.02, 0.04, -0.03, 0.02])
    assert paired(unclear, "sets").verdict is IN_SIGN
    assert paired(-clear, "sets").verdict is FAILS
    assert paired(np.zeros(9), "sets").verdict is FAILS


def test_five_pairs_cannot_be_sure_and_say_so():
    ruling = paired(np.full(5, 0.1), "draws")
    assert ruling.verdict is IN_SIGN
    assert ruling.enough is False


def test_pairs_say_whether_they_could_have_shown_the_papers_effect():
    noisy = np.random.default_rng(0).normal(0.0, 0.1, 20)
    least = smallest_shown(noisy)
    assert paired(noisy, "sets", expected=1.01 * least).enough is True
    assert paired(noisy, "sets", expected=0.99 * least).enough is False


def test_the_smallest_effect_is_shown_in_four_cases_of_five():
    rng = np.random.default_rng(3)
    n, effect = 15, None
    effect = np.mean([smallest_shown(rng.normal(size=n)) for _ in range(300)])
    shown = [stats.ttest_1samp(rng.normal(effect, 1.0, n), 0.0).pvalue < 0.05 for _ in range(1500)]
    assert np.mean(shown) == pytest.approx(0.8, abs=0.05)


def test_splits_that_share_rows_show_less():
    gain = np.random.default_rng(0).normal(size=10)
    assert smallest_shown(gain, ratio=0.5) > 2 * smallest_shown(gain)


def test_being_alike_has_no_sign():
    rng = np.random.default_rng(1)
    assert alike(rng.normal(size=12), "sets").verdict is HOLDS
    assert alike(rng.normal(3.0, 0.1, 12), "sets").verdict is FAILS


def test_order():
    assert ordered({"a": 1.0, "b": 2.0, "c": 3.0}).verdict is HOLDS
    assert ordered({"a": 1.0, "b": 3.0, "c": 2.0}).verdict is IN_SIGN
    assert ordered({"a": 2.0, "b": 1.0, "c": 3.0}).verdict is FAILS  # the first is not the first
    assert ordered({"a": 2.0, "b": 1.0}).verdict is FAILS
    scores = np.array([[1.0, 2.0], [1.1, 2.1], [0.9, 1.9]])
    assert ordered({"a": 1.0, "b": 2.0}, scores).enough is True


def test_cells_that_agree():
    assert agrees([True] * 9 + [False]).verdict is HOLDS
    assert agrees([True] * 8 + [False] * 2).verdict is FAILS


def test_a_printed_number_is_one_draw():
    draws = np.array([0.1, 0.12, 0.14])
    assert printed_value(draws, 0.15).verdict is HOLDS
    assert printed_value(draws, 0.2).verdict is FAILS
    assert printed_value(draws, 0.2, at_most=True).verdict is HOLDS
    assert printed_value(draws, 0.05, at_most=True).verdict is FAILS


def test_spread():
    rng = np.random.default_rng(0)
    calm, wild = rng.normal(0, 1, 30), rng.normal(0, 3, 30)
    assert steadier(calm, wild, "runs").verdict is HOLDS
    assert steadier(wild, calm, "runs").verdict is FAILS
    assert steadier(calm, 1.05 * calm, "runs").verdict is IN_SIGN


def test_groups_and_correlations():
    low, high = np.arange(8.0), np.arange(8.0) + 20
    assert larger(high, low, "sets").verdict is HOLDS
    assert larger(low, high, "sets").verdict is FAILS
    assert larger(low + 0.5, low, "sets").verdict is IN_SIGN
    assert correlated(low, high, "sets").verdict is HOLDS
    assert correlated(low, -high, "sets").verdict is FAILS
    rho = np.array([0, 1, 2, 3, 4.0]), np.array([1, 0, 3, 2, 4.0])
    assert correlated(*rho, "sets").verdict is IN_SIGN


def test_first_places():
    values = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}
    order = ["a", "b", "c", "d"]
    assert first_are(order, ("a", "b"), values).verdict is HOLDS
    assert first_are(order, ("a", "c"), values).verdict is IN_SIGN
    assert first_are(order, ("c", "d"), values).verdict is FAILS
    assert first_are(order[::-1], ("c", "d"), values).verdict is HOLDS


def test_what_is_stated_or_printed():
    assert stated(False, "holds if", "1", in_sign=True).verdict is IN_SIGN
    ruling = from_print(True, "holds if", "1")
    assert (ruling.verdict, ruling.enough) == (HOLDS, None)


def test_power_of_ranks():
    told, enough = rank_power(18, 3, 0.92)
    assert "0.78" in told  # Demsar: q 2.343 times sqrt(3 * 4 / (6 * 18))
    assert enough is True
    assert rank_power(5, 3, 0.92)[1] is False
