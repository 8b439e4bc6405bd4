import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from softwood.statistics import corrected_t_test, win_draw_loss, win_table

TESTS = ["corrected_t", "paired_t", "wilcoxon", None]


def splits(seed, shape=(6, 3, 10)):
    rng = np.random.default_rng(seed)
    return (
        rng.random(shape[0])[:, None, None]
        + rng.normal(size=shape) * 0.1
        + (rng.normal(size=shape[:2]) * 0.1)[:, :, None]
    )


def peer_pvalue(test, a, b):
    if test == "wilcoxon":
        return stats.wilcoxon(a, b).pvalue
    if test == "paired_t":
        return stats.ttest_rel(a, b).pvalue
    return corrected_t_test(a, b, test_over_train=0.5).pvalue


@pytest.mark.parametrize("test", TESTS)
@settings(max_examples=8)
@given(seed=st.integers(0, 30))
def test_counts_are_those_of_single_tests(test, seed):
    scores = splits(seed)
    table = win_table(scores, test=test, test_over_train=0.5)
    expected = np.zeros((3, 3, 3), dtype=int)  # win, draw, loss
    for block in scores:
        for i, j in np.ndindex(3, 3):
            decided = i != j and (test is None or peer_pvalue(test, block[i], block[j]) <= 0.05)
            won = block[i].mean() < block[j].mean()
            expected[1 if not decided else 0 if won else 2, i, j] += 1
    np.testing.assert_array_equal([table.wins, table.draws, table.losses], expected)
    np.testing.assert_array_equal(table.wins, table.losses.T)
    one = win_draw_loss(scores[:, 0], scores[:, 2], test=test, test_over_train=0.5)
    assert one == table.pair(0, 2)
    assert sum(one) == len(scores)


def test_single_scores_are_compared_directly():
    a, b = [0.1, 0.2, 0.3, 0.1 + 0.2], [0.2, 0.2, 0.25, 0.3]
    assert win_draw_loss(a, b) == (1, 2, 1)
    assert win_draw_loss(a, b, tolerance=0.06) == (1, 3, 0)


def test_data_sets_may_differ_in_splits_and_ratios():
    a, b = splits(1, (2, 2, 10)), splits(2, (1, 2, 50))
    rows = [*a, *b]
    found = win_table(rows, test_over_train=[0.1, 0.2, 0.5])
    for i, (block, ratio) in enumerate(zip(rows, [0.1, 0.2, 0.5], strict=True)):
        pvalue = corrected_t_test(*block, test_over_train=ratio).pvalue
        assert (found.outcomes[i, 0, 1] != 0) == (pvalue <= 0.05)
    first, second = [block[0] for block in rows], [block[1] for block in rows]
    assert win_draw_loss(
        first, second, test="corrected_t", test_over_train=[0.1, 0.2, 0.5]
    ) == found.pair(0, 1)


def test_equal_methods_draw():
    scores = np.repeat(splits(0)[:, :1], 2, axis=1)
    for test in TESTS:
        assert win_table(scores, test=test, test_over_train=0.1).pair(0, 1) == (0, 6, 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: win_draw_loss([1, 2], [1]), "same data sets; got 2 and 1 rows"),
        (lambda: win_draw_loss([], []), "scores_a must hold at least 1 data set"),
        (lambda: win_draw_loss([1, np.nan], [1, 2]), r"scores_a\[1\] must be finite"),
        (lambda: win_draw_loss([1, 2], [1, 2], test="wilcoxon"), "at least 2 values"),
        (lambda: win_draw_loss([1], [1], test="t"), "test must be one of"),
        (lambda: win_draw_loss([1], [1], tolerance=-1), "tolerance must be 0 or more; got -1"),
        (lambda: win_draw_loss([1], [1], alpha=0), "alpha must lie"),
        (lambda: win_table(splits(0)), "test_over_train must be given"),
        (lambda: win_table(splits(0), test_over_train=[1, 2]), "one for each of 6 data sets"),
        (lambda: win_table([]), "same 2 or more methods"),
        (lambda: win_table([[[1, 2]]]), "same 2 or more methods"),
        (lambda: win_table([np.ones((2, 3)), np.ones((3, 3))]), r"methods \[2, 3\]"),
        (lambda: win_table(np.ones((3, 2))), r"scores\[0\] must have 2 dimension"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
