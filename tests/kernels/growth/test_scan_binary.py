"""Columns of two values: one pass gives what sorting their keys gives, to the last bit."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from softwood._kernels._jit import kernel
from softwood._kernels.growth.choose import Columns
from softwood._kernels.growth.columns import CASE_BITS, RANK_SHIFT
from softwood._kernels.growth.policy import RandomGainRules
from softwood._kernels.growth.random_tests import draw_two_ranks
from softwood._kernels.growth.scan_binary import best_cut_of_column
from softwood._kernels.growth.scan_keys import Quick, best_cut_of_cases, unpack_cases
from softwood._kernels.impurity import xlog2_table
from softwood._kernels.randomness import random_state
from tests.strategies import checked


@kernel
def both_cuts(rules, line, total, rank, columns, total_sum, quick):
    unpack_cases(line, 0, line.size, total, quick)
    counted = best_cut_of_column(rules, rank, 0, columns, total_sum, quick)
    sorted_ = best_cut_of_cases(rules, rank, 0, columns, total_sum, quick)
    return counted, sorted_


def room(n, n_classes, n_cases, values, is_sparse):
    """Return what the quick scan needs for so many entries, which count as so many cases."""
    words = [np.empty(n, dtype=np.uint32) for _ in range(4)]
    return Quick(
        xlogs=xlog2_table(n_cases),
        values=values,
        reach=np.array([2 if values[1] - values[0] < 1e-5 else 1]),
        fits=True,
        is_sparse=np.array([is_sparse]),
        here=np.zeros(4, dtype=np.int64),
        held=np.zeros(n_classes + 1, dtype=np.int64),
        code=np.zeros(n_classes, dtype=np.uint32),
        case=words[0],
        label=words[1],
        keys=words[2],
        other=words[3],
        bins=np.empty(8193, dtype=np.int32),
        left=np.zeros(n_classes, dtype=np.int64),
        right=np.zeros(n_classes, dtype=np.int64),
    )


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 60),
    n_classes=st.integers(2, 9),
    share=st.sampled_from([0.05, 0.3, 0.9]),
    is_sparse=st.booleans(),
    apart=st.sampled_from([1.0, 1e-9]),
    min_leaf=st.sampled_from([1.0, 2.0, 5.0]),
)
@checked
def test_counting_both_sides_is_scanning_their_keys(
    seed, n, n_classes, share, is_sparse, apart, min_leaf
):
    rng = np.random.default_rng(seed)
    label, count = rng.integers(0, n_classes, n), rng.integers(1, 5, n)
    rank = (rng.random(n) < share).astype(np.int32)
    total = np.bincount(label, count, n_classes)
    line = np.arange(n) | (label << CASE_BITS) | ((count - 1) << RANK_SHIFT)
    quick = room(n, n_classes, int(count.sum()), np.array([0.0, apart]), is_sparse)
    columns = Columns(
        quick.values, np.array([0, 2]), np.array([2], dtype=np.int32), np.zeros(1, dtype=bool),
        np.zeros(1, dtype=bool),
    )  # fmt: skip
    rules = RandomGainRules(*[1] * len(RandomGainRules._fields))._replace(min_leaf=min_leaf)
    total_sum = float(quick.xlogs[total.astype(int)].sum())
    for mdl_correction in (False, True):
        rules = rules._replace(mdl_correction=mdl_correction)
        counted, sorted_ = both_cuts(rules, line, total, rank, columns, total_sum, quick)
        assert counted == sorted_


@kernel
def two_ranks(line, rank, n_levels, state):
    return draw_two_ranks(line, rank, n_levels, state)


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 40), missing=st.booleans())
@checked
def test_of_two_values_the_other_is_drawn_as_among_many(seed, n, missing):
    rng = np.random.default_rng(seed)
    rank = rng.integers(-1 if missing else 0, 2, n).astype(np.int32)
    line = np.arange(n)
    states = [random_state(np.random.SeedSequence(seed)) for _ in range(2)]
    drawn = [two_ranks(line, rank, m, state) for m, state in zip((2, 3), states, strict=True)]
    assert drawn[0] == drawn[1]
    assert (states[0] == states[1]).all()
