import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import KFold, PredefinedSplit, ShuffleSplit

from softwood.evaluate.protocols import (
    KFoldProtocol,
    RandomSplitsProtocol,
    protocol_of,
    split_ratio,
)

labels = st.lists(st.sampled_from("aaabbc"), min_size=12, max_size=80).map(np.array)
seeds = st.integers(0, 2**31)


@given(labels, st.integers(2, 12), st.integers(1, 3), seeds, st.booleans())
def test_every_row_is_tested_once_in_every_repetition(y, n_splits, n_repeats, seed, stratify):
    splits = KFoldProtocol(n_splits, n_repeats).splits(y, seed, stratify)
    assert len(splits) == n_splits * n_repeats
    for repeat in range(n_repeats):
        part = splits[repeat * n_splits : (repeat + 1) * n_splits]
        tested = np.concatenate([test for _, test in part])
        assert sorted(tested) == list(range(len(y)))
        sizes = [len(test) for _, test in part]
        assert max(sizes) - min(sizes) <= 1
    for train, test in splits:
        assert sorted([*train, *test]) == list(range(len(y)))


@given(labels, st.integers(2, 12), seeds)
def test_folds_share_each_class_up_to_one_row(y, n_splits, seed):
    for label in np.unique(y):
        counts = [np.sum(y[test] == label) for _, test in KFoldProtocol(n_splits).splits(y, seed)]
        assert max(counts) - min(counts) <= 1


@given(labels, st.integers(1, 5), st.floats(0.1, 0.8), seeds)
def test_random_splits_share_each_class_up_to_one_row(y, n_splits, share, seed):
    splits = RandomSplitsProtocol(n_splits, share).splits(y, seed)
    assert len(splits) == n_splits
    for train, test in splits:
        assert len(train) == round(share * len(y))
        assert sorted([*train, *test]) == list(range(len(y)))
        for label in np.unique(y):
            expected = np.sum(y == label) * len(train) / len(y)
            assert abs(np.sum(y[train] == label) - expected) < 1


@given(labels, seeds)
def test_splits_depend_on_target_and_seed_alone(y, seed):
    for protocol in (KFoldProtocol(3, 2), RandomSplitsProtocol(2, 5, 4)):
        for one, other in zip(protocol.splits(y, seed), protocol.splits(y, seed), strict=True):
            np.testing.assert_array_equal(one[0], other[0])
            np.testing.assert_array_equal(one[1], other[1])
    first, second = (KFoldProtocol(3).splits(np.zeros(50), s)[0][1] for s in (seed, seed + 1))
    assert not np.array_equal(first, second)


def test_counts_of_rows():
    y = np.repeat([0, 1], [30, 10])
    [(train, test)] = RandomSplitsProtocol(1, train_size=8, test_size=12).splits(y, 0)
    assert np.bincount(y[train]).tolist() == [6, 2]
    assert np.bincount(y[test]).tolist() == [9, 3]
    assert not set(train) & set(test)


@pytest.mark.parametrize(
    ("name", "protocol"),
    [
        ("kfold", KFoldProtocol(10)),
        ("kfold:5", KFoldProtocol(5)),
        ("repeated_kfold", KFoldProtocol(10, 10)),
        ("repeated_kfold:3x5", KFoldProtocol(5, 3)),
        ("5x2", KFoldProtocol(2, 5)),
        ("half_splits", RandomSplitsProtocol(10, 0.5)),
        ("half_splits:30", RandomSplitsProtocol(30, 0.5)),
        ("random_splits:30x0.7", RandomSplitsProtocol(30, 0.7)),
        ("random_splits:5x200x1000", RandomSplitsProtocol(5, 200, 1000)),
    ],
)
def test_names(name, protocol):
    assert protocol_of(name) == protocol
    assert protocol_of(str(protocol)) == protocol
    assert protocol_of(protocol) is protocol


def test_a_splitter_of_scikit_learn():
    y = np.arange(10.0)
    for splitter in (KFold(5), PredefinedSplit([0, 0, 1, 1, 1, -1, -1, 0, 1, 0])):
        pairs = zip(protocol_of(splitter).splits(y, 0), splitter.split(y), strict=True)
        for (train, test), (their_train, their_test) in pairs:
            np.testing.assert_array_equal(train, their_train)
            np.testing.assert_array_equal(test, their_test)
    random = protocol_of(ShuffleSplit(3))  # without a seed of its own it gets ours
    assert [t.tolist() for _, t in random.splits(y, 4)] == [
        t.tolist() for _, t in random.splits(y, 4)
    ]
    assert random.splitter.random_state is None


def test_ratio_of_test_and_training_rows():
    assert split_ratio(KFoldProtocol(10).splits(np.zeros(100), 0)) == pytest.approx(1 / 9)
    assert split_ratio(RandomSplitsProtocol(2, 0.8).splits(np.zeros(50), 0)) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        ("kfolds", "did you mean 'kfold'"),
        ("kfold:x", "cannot be read"),
        ("kfold:1", "n_splits must be at least 2; got 1"),
        ("kfold:3x3", "too many numbers"),
        ("random_splits:3x1.5", "train_size must be a share"),
        ("bootstrap", "there are kfold, repeated_kfold"),
    ],
)
def test_mistakes_in_names(mistake, words):
    with pytest.raises(ValueError, match=words):
        protocol_of(mistake)


def test_other_mistakes():
    with pytest.raises(TypeError, match=r"must be one of kfold.*got 5"):
        protocol_of(5)
    with pytest.raises(ValueError, match="only 4 rows"):
        KFoldProtocol(5).splits(np.zeros(4), 0)
    with pytest.raises(ValueError, match="cannot be had from 10 rows"):
        RandomSplitsProtocol(1, 8, 4).splits(np.zeros(10), 0)
