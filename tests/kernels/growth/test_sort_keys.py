import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood._kernels._jit import kernel
from softwood._kernels.growth.columns import RANK_SHIFT
from softwood._kernels.growth.sort_cases import N_BUCKETS, sort_by_rank
from softwood._kernels.growth.sort_keys import MOST_BUCKETS, range_of_keys, sort_keys
from tests.strategies import checked

CLASS_BITS = 2


@kernel
def sorted_keys(keys, other, low_bits, count):
    least, most = range_of_keys(keys, keys.size)
    return sort_keys(keys, other, keys.size, least >> low_bits, most >> low_bits, low_bits, count)


@kernel
def sorted_words(words, other, least, most, count):
    return sort_by_rank(words, other, words.size, least, most, count)


def keys_of(seed, n, top, skew):
    rng = np.random.default_rng(seed)
    rank = (top * rng.random(n) ** skew).astype(np.uint32)
    return (rank << CLASS_BITS) | rng.integers(0, 4, n).astype(np.uint32)


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.sampled_from([1, 2, 20, 21, 50, 300, 5000]),
    top=st.sampled_from([1, 3, 40, 3000, 10**6]),
    skew=st.sampled_from([1, 4, 30]),
)
@checked
def test_keys_come_out_by_rank(seed, n, top, skew):
    given_keys = keys_of(seed, n, top, skew)
    keys, other = given_keys.copy(), np.empty_like(given_keys)
    count = np.empty(MOST_BUCKETS + 1, np.int32)
    in_other = sorted_keys(keys, other, CLASS_BITS, count)
    result = other if in_other else keys
    np.testing.assert_array_equal(result >> CLASS_BITS, np.sort(given_keys >> CLASS_BITS))
    np.testing.assert_array_equal(np.sort(result), np.sort(given_keys))


@pytest.mark.parametrize("top", [5, 10**6])
def test_many_keys(top):
    test_keys = keys_of(0, 20_000, top, 1)
    keys, other = test_keys.copy(), np.empty_like(test_keys)
    in_other = sorted_keys(keys, other, CLASS_BITS, np.empty(MOST_BUCKETS + 1, np.int32))
    result = other if in_other else keys
    np.testing.assert_array_equal(result >> CLASS_BITS, np.sort(test_keys >> CLASS_BITS))


@given(seed=st.integers(0, 2**32 - 1), n=st.sampled_from([1, 24, 25, 700]), top=st.integers(1, 999))
@checked
def test_words_of_one_rank_keep_their_order(seed, n, top):
    rank = np.random.default_rng(seed).integers(0, top, n)
    words = (rank << RANK_SHIFT) | np.arange(n)
    other = np.empty_like(words)
    count = np.empty(N_BUCKETS, np.int64)
    in_other = sorted_words(words, other, rank.min(), rank.max(), count)
    result = other if in_other else words
    order = np.argsort(rank, kind="stable")
    np.testing.assert_array_equal(result, (rank[order] << RANK_SHIFT) | order)
