"""The quick scans: one for two classes, one for any number, and where a cut is put."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from softwood._kernels._jit import kernel
from softwood._kernels.growth.policy import RandomGainRules, step_to_training_value
from softwood._kernels.growth.scan_keys import (
    CLASS_BITS,
    COUNT_BITS,
    N_CASES,
    N_HELD,
    N_KEYS,
    Quick,
    cut_of_keys,
    cut_of_two_classes,
)
from softwood._kernels.impurity import SMALL, xlog2_table
from tests.strategies import checked


def opened(keys, lowest, values):
    """Return the room of a scan of sorted keys, with ``lowest`` cases of each class below them."""
    rank, count, label = keys
    weight = np.bincount(label, count, 2).astype(np.int64)
    held = weight + lowest
    here = np.zeros(4, dtype=np.int64)
    here[N_CASES], here[N_KEYS], here[N_HELD], here[CLASS_BITS] = held.sum(), rank.size, 2, 1
    words = ((rank << COUNT_BITS | (count - 1)) << 1 | label).astype(np.uint32)
    return Quick(
        xlogs=xlog2_table(int(held.sum())),
        values=values,
        reach=np.ones(1, dtype=np.int64),
        fits=True,
        is_sparse=np.zeros(1, dtype=bool),
        here=here,
        held=np.append(held, 0),
        code=np.arange(2, dtype=np.uint32),
        case=np.zeros(1, dtype=np.uint32),
        label=np.zeros(1, dtype=np.uint32),
        keys=words,
        other=words.copy(),
        bins=np.zeros(1, dtype=np.int32),
        left=np.array(lowest, dtype=np.int64),
        right=weight,
    )


@kernel
def both_scans(quick, n_lowest, total_sum, least, reach):
    n_keys = quick.here[N_KEYS]
    two = cut_of_two_classes(quick.keys, n_keys, n_lowest, total_sum, least, quick, 0, reach)
    any_number = cut_of_keys(quick.keys, n_keys, n_lowest, total_sum, least, quick, 0, reach)
    return two, any_number


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 30), st.booleans())
@checked
def test_the_scan_of_two_classes_finds_what_the_scan_of_any_number_finds(seed, n, ranks, crowded):
    rng = np.random.default_rng(seed)
    lowest = rng.integers(0, 4, 2)
    rank = np.sort(rng.integers(1 if lowest.sum() else 0, ranks + 1, n))
    count, label = rng.integers(1, 5, n), rng.integers(0, 2, n)
    # Some neighbours are so close that no cut may part them.
    step = np.where(rng.random(ranks + 1) < 0.3, 4e-6, 1.0) if crowded else np.ones(ranks + 1)
    quick = opened((rank, count, label), lowest, np.cumsum(step))
    total_sum = float(quick.xlogs[quick.held[:2]].sum())
    least = float(rng.choice([0.5, 2.0 - SMALL, 5.0 - SMALL]))
    reach = 4 if crowded else 1
    two, any_number = both_scans(quick, int(lowest.sum()), total_sum, least, reach)
    assert abs(two[0] - any_number[0]) < 1e-9 * n
    assert two[1:] == any_number[1:]


@kernel
def training_value_below(rules, values, lower, upper):
    return step_to_training_value(rules, values, lower, upper)


@given(st.integers(0, 2**32 - 1), st.integers(2, 40))
@checked
def test_a_cut_steps_down_to_the_last_training_value_not_above_the_middle(seed, n):
    rng = np.random.default_rng(seed)
    values = np.cumsum(rng.choice([1e-7, 4e-7, 1e-3, 1.0], n))
    lower, upper = np.sort(rng.choice(n, 2, replace=False))
    assume(values[lower] + 1e-5 < values[upper])
    rules = RandomGainRules(10, 4.0, 2.0, 1, 1, True)
    middle = (values[lower] + values[upper]) / 2
    between = values[lower:upper]
    reached = between[between - middle < SMALL].max()
    wanted = between[between - reached < SMALL].max()
    assert training_value_below(rules, values, int(lower), int(upper)) == wanted
