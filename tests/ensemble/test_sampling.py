import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from softwood.data.training import TrainingSet
from softwood.ensemble.sampling import (
    SAMPLINGS,
    Sampling,
    mask_of_bags,
    rows_in_bag,
    seed_of_tree,
)


def test_the_seed_of_a_tree_is_the_child_that_would_be_spawned():
    spawned = np.random.SeedSequence(7).spawn(12)
    for number in (0, 3, 11):
        ours = seed_of_tree(7, number).generate_state(4)
        assert ours.tolist() == spawned[number].generate_state(4).tolist()


@pytest.mark.parametrize("kind", SAMPLINGS)
def test_what_is_not_sampled_is_seen_in_full(kind):
    sampling, seeds = Sampling(kind), [seed_of_tree(0, 0)]
    assert (sampling.rows(seeds, np.ones(9)) is None) == (
        "bootstrap" not in kind and "subsample" not in kind
    )
    assert (sampling.features(seeds, 9) is None) == ("subspace" not in kind)


@given(st.integers(1, 40), st.integers(0, 5))
def test_bootstraps_have_as_many_rows_as_there_are_and_can_be_drawn_again(n_rows, number):
    sampling, seed = Sampling("bootstrap"), seed_of_tree(1, number)
    (rows,) = sampling.rows([seed], np.ones(n_rows))
    assert rows.shape == (n_rows,)
    assert rows.min() >= 0
    assert rows.max() < n_rows
    bags = rows_in_bag(sampling, 1, number + 1, np.ones(n_rows))
    assert bags[number].tolist() == rows.tolist()
    seen = mask_of_bags(bags, n_rows)[:, number]
    assert np.flatnonzero(seen).tolist() == sorted(set(rows.tolist()))


@given(st.integers(1, 40), st.floats(0.05, 0.95), st.integers(0, 5))
def test_subsamples_have_a_share_of_the_rows_each_once(n_rows, share, number):
    sampling, seed = Sampling("subsample", max_samples=share), seed_of_tree(1, number)
    (rows,) = sampling.rows([seed], np.ones(n_rows))
    assert (rows.size, rows.size) == sampling.n_sampled(n_rows)
    assert 1 <= rows.size <= max(1, n_rows - 1)
    assert abs(rows.size - share * n_rows) <= 1
    assert rows.tolist() == sorted(set(rows.tolist()) & set(range(n_rows)))
    assert rows_in_bag(sampling, 1, number + 1, np.ones(n_rows))[number].tolist() == rows.tolist()


@given(st.integers(1, 40), st.floats(0.05, 1.0), st.floats(0.05, 1.0))
def test_of_two_shares_every_tree_draws_one_between_them(n_rows, low, high):
    low, high = min(low, high), max(low, high)
    sampling = Sampling("subsample", max_samples=(low, high))
    fewest, most = sampling.n_sampled(n_rows)
    for rows in rows_in_bag(sampling, 0, 6, np.ones(n_rows)):
        times = np.bincount(rows, minlength=n_rows)
        assert rows.size == most
        assert fewest <= np.count_nonzero(times) <= most
        drawn = times[times > 0]
        assert drawn.max() - drawn.min() <= 1


def test_every_number_of_rows_and_every_repeated_row_is_as_likely():
    bags = rows_in_bag(Sampling("subsample", max_samples=(0.5, 1.0)), 0, 6000, np.ones(6))
    sizes = [len(set(rows.tolist())) for rows in bags]
    assert stats.chisquare(np.bincount(sizes, minlength=7)[3:]).pvalue > 0.001
    twice = sum(np.bincount(rows, minlength=6) > 1 for rows in bags)
    assert stats.chisquare(twice).pvalue > 0.001


def test_every_subsample_is_as_likely_as_any_other():
    bags = rows_in_bag(Sampling("subsample", max_samples=0.5), 0, 6000, np.ones(4))
    found = [tuple(rows) for rows in bags]
    counts = [found.count(pair) for pair in sorted(set(found))]
    assert len(counts) == 6
    assert stats.chisquare(counts).pvalue > 0.001


def test_a_subsample_leaves_the_weights_as_they_are():
    data = TrainingSet.of_classes(np.zeros((3, 1)), [0, 1, 0], weight=[1.0, 2.0, 6.0])
    assert Sampling("subsample").weighed(data) is data


@pytest.mark.parametrize("weight", [[1.0, 2.0, 3.0, 10.0], [2.0, 2.0, 2.0, 2.0]])
def test_rows_are_drawn_in_proportion_to_their_weights(weight):
    weight = np.array(weight)
    bags = rows_in_bag(Sampling("bootstrap"), 0, 2000, weight)
    counts = np.bincount(np.concatenate(bags), minlength=4)
    assert stats.chisquare(counts, counts.sum() * weight / weight.sum()).pvalue > 0.001


def test_drawn_rows_weigh_the_mean_so_that_the_total_stays():
    data = TrainingSet.of_classes(np.zeros((3, 1)), [0, 1, 0], weight=[1.0, 2.0, 6.0])
    assert Sampling("bootstrap").weighed(data).weight.tolist() == [3.0, 3.0, 3.0]
    assert Sampling("subspace").weighed(data) is data
    even = TrainingSet.of_classes(np.zeros((3, 1)), [0, 1, 0], weight=[0.1, 0.1, 0.1])
    assert Sampling("bootstrap").weighed(even) is even


@given(st.integers(1, 30), st.floats(0.01, 1.0))
def test_a_share_of_the_features_is_rounded_and_never_empty(n_features, share):
    (chosen,) = Sampling("subspace", share).features([seed_of_tree(0, 0)], n_features)
    assert len(chosen) == max(1, int(share * n_features + 0.5))
    assert sorted(set(chosen.tolist())) == chosen.tolist()
    assert 0 <= chosen[0] <= chosen[-1] < n_features


def test_a_whole_number_of_features_is_taken_as_it_is():
    seeds = [seed_of_tree(0, number) for number in range(400)]
    chosen = Sampling("subspace", 1).features(seeds, 4)
    assert chosen.shape == (400, 1)
    assert stats.chisquare(np.bincount(chosen[:, 0], minlength=4)).pvalue > 0.001
    assert Sampling("subspace", 1.0).features(seeds[:1], 4).tolist() == [[0, 1, 2, 3]]


def test_more_features_than_there_are_is_an_error():
    Sampling("subspace", 4).check(4)
    Sampling("all", 9).check(4)
    with pytest.raises(ValueError, match=r"subspace must not be larger than .* 4; got 5"):
        Sampling("bootstrap+subspace", 5).check(4)
