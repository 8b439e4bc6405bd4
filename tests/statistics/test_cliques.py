from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.statistics import cliques, nemenyi
from tests.statistics.printed import DEMSAR_RANKS

RANKS = st.lists(st.integers(2, 20).map(lambda half: half / 2), min_size=2, max_size=8)


def slow_cliques(ranks, differ):
    """All runs of the sorted methods in which no pair differs, and those in no other."""
    order = sorted(range(len(ranks)), key=lambda i: ranks[i])
    runs = [
        tuple(order[start:stop])
        for start in range(len(order))
        for stop in range(start + 2, len(order) + 1)
        if not any(differ[i][j] for i, j in combinations(order[start:stop], 2))
    ]
    return [run for run in runs if not any(set(run) < set(other) for other in runs)]


@given(RANKS, st.sampled_from([0.25, 1.0, 1.5, 4.0, 100.0]))
def test_by_critical_difference(ranks, critical):
    differ = np.abs(np.subtract.outer(ranks, ranks)) >= critical
    found = cliques(ranks, critical)
    assert found == slow_cliques(ranks, differ)
    for i, j in combinations(range(len(ranks)), 2):
        assert (not differ[i, j]) == any({i, j} <= set(group) for group in found)


@given(RANKS, st.integers(0, 999), st.sampled_from([0.1, 0.5, 0.9]))
def test_by_pvalues(ranks, seed, alpha):
    p = np.random.default_rng(seed).random((len(ranks), len(ranks)))
    p = (p + p.T) / 2
    assert cliques(ranks, pvalues=p, alpha=alpha) == slow_cliques(ranks, p <= alpha)


def test_both_ways_agree_for_nemenyi():
    found = nemenyi(DEMSAR_RANKS, alpha=0.1)
    groups = cliques(found.ranks, found.critical_difference)
    assert groups == cliques(found.ranks, pvalues=found.adjusted, alpha=0.1)
    # Figure 1 of the paper: C4.5 differs from both that have m, at a level of 0.10.
    assert groups == [(3, 1, 2), (2, 0)]


def test_equal_ranks_keep_their_order():
    assert cliques([2.0, 2.0, 2.0], 1.0) == [(0, 1, 2)]


def test_the_diagonal_is_not_looked_at():
    assert cliques([1, 2], pvalues=[[np.nan, 0.3], [0.3, 0.0]]) == [(0, 1)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "either critical_difference or pvalues"),
        ({"critical_difference": 1, "pvalues": np.ones((2, 2))}, "not both"),
        ({"critical_difference": 0}, "critical_difference must be above 0; got 0"),
        ({"critical_difference": np.nan}, "critical_difference must be above 0; got nan"),
        ({"pvalues": np.ones((3, 3))}, r"shape \(2, 2\).*got \(3, 3\)"),
        ({"pvalues": [[1, 0.2], [0.3, 1]]}, "symmetric"),
        ({"pvalues": [[1, np.nan], [np.nan, 1]]}, "pvalues must be finite"),
        ({"pvalues": np.ones((2, 2)), "alpha": 2}, "alpha must lie"),
    ],
)
def test_bad_arguments_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        cliques([1.2, 1.8], **options)
