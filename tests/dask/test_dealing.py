"""Who grows which tree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.dask.dealing import deal_trees, say_of_trees
from softwood.ensemble.alphas import coalescing_alphas

weights = st.lists(st.integers(1, 10_000), min_size=1, max_size=12).map(
    lambda found: np.array(found, dtype=float)
)


@given(weights, st.integers(0, 60))
def test_every_partition_has_its_share(weight, more):
    owner = deal_trees(weight.size + more, weight)
    share = np.bincount(owner, minlength=weight.size)
    assert owner.size == weight.size + more
    assert share.min() >= 1
    # Nobody has a tree too many who is outweighed by somebody with fewer.
    assert not ((weight[:, None] > weight) & (share[:, None] < share)).any()


@given(weights, st.integers(0, 60))
def test_the_say_of_a_partition_is_its_weight(weight, more):
    owner = deal_trees(weight.size + more, weight)
    say = np.bincount(owner, say_of_trees(owner, weight))
    np.testing.assert_allclose(say / say.sum(), weight / weight.sum())


@given(st.integers(1, 9), st.integers(1, 20))
def test_trees_of_equal_partitions_count_alike(n_partitions, n_each):
    weight = np.full(n_partitions, 137.0)
    owner = deal_trees(n_partitions * n_each, weight)
    assert np.bincount(owner).tolist() == [n_each] * n_partitions
    assert say_of_trees(owner, weight).tolist() == [1.0] * owner.size


@given(weights, st.integers(0, 60))
def test_trees_of_a_partition_are_of_all_kinds(weight, more):
    owner = deal_trees(weight.size + more, weight)
    alphas = coalescing_alphas(owner.size)
    for j in range(weight.size):
        own = alphas[owner == j]
        widest = np.diff([0.0, *own, 0.5]).max()
        assert widest <= 0.5 * (2 / own.size + weight.size / owner.size)


def test_too_few_trees():
    with pytest.raises(ValueError, match=r"n_estimators .* partitions that hold rows, 3.*; got 2"):
        deal_trees(2, np.ones(3))
