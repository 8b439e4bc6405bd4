import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from softwood import CoalescenceClassifier
from softwood._kernels.packing.packed import (
    LARGEST_COUNT,
    LEAF_KEY,
    Packed,
    feature_bits,
    keys_of,
    numbers_of,
)
from softwood.data.training import TrainingSet
from softwood.flow import Hard, leaf_of
from softwood.forest import Forest
from softwood.forest.packed import PackedForest, PackedTrees, joined
from softwood.grow.random import RandomGrower, VariableRandom, grow_packed
from softwood.grow.ranks import rank_table
from softwood.grow.scratch import Scratch
from softwood.tree import NOMINAL, NUMERIC
from tests.strategies import checked, trees

numeric_trees = st.lists(trees(kinds=(NUMERIC,)), min_size=2, max_size=4)


@given(members=numeric_trees, n_rows=st.integers(1, 20), seed=st.integers(0, 9))
@checked
def test_a_stack_answers_as_its_trees_do(members, n_rows, seed):
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.5, -1.0, -0.5, -0.0, 0.0, 0.25, 0.5, 1.0, 1.5, np.nan], (n_rows, 3))
    factor = rng.random(len(members)) + 0.1
    forest = Forest.average(members, factor)
    assert forest.packed is not None
    want = np.zeros((n_rows, 2))
    for tree, by in zip(members, factor, strict=True):
        want += by * Hard().predict(tree, X)
    assert (forest.raw(X) == want / factor.sum() + 0.0).all()


@given(members=numeric_trees, n_rows=st.integers(1, 20), seed=st.integers(0, 9))
@checked
def test_rows_may_ask_some_of_the_trees(members, n_rows, seed):
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.5, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 1.5, np.nan, np.nan], (n_rows, 3))
    use = rng.random((n_rows, len(members))) < 0.5
    forest = Forest(members, [-1] * len(members), np.arange(1.0, 1.0 + len(members)), [0.5, 0.0])
    want = np.tile(forest.base, (n_rows, 1))
    for j, tree in enumerate(members):
        want[use[:, j]] += forest.factor[j] * Hard().predict(tree, X[use[:, j]])
    assert forest.raw(X, use=use).tobytes() == want.tobytes()
    assert forest.raw(X, use=np.asfortranarray(use)).tobytes() == want.tobytes()


@given(members=numeric_trees, seed=st.integers(0, 9))
@checked
def test_trees_that_send_missing_values_to_one_child_answer_them(members, seed):
    X = np.random.default_rng(seed).choice([-1.0, 0.0, 0.6, np.nan], (10, 3))
    sent = [tree.replace(missing_child=np.where(tree.is_leaf, -1, 1)) for tree in members]
    forest = Forest.average(sent)
    assert forest.packed.spreads_missing == all(tree.is_leaf.all() for tree in members)
    want = sum(Hard().predict(tree, X) for tree in sent) / len(sent) + 0.0
    assert forest.raw(X).tobytes() == want.tobytes()


def test_no_tree_is_made_for_rows_with_gaps_nor_for_some_trees(monkeypatch):
    rng = np.random.default_rng(0)
    X, label = rng.normal(size=(100, 4)), rng.integers(0, 3, 100)
    data = TrainingSet.of_classes(X, label, n_classes=3)
    scratch = Scratch(data, rank_table(data))
    grown = grow_packed([RandomGrower(VariableRandom(0.3))], scratch, [np.random.SeedSequence(0)])
    forest = Forest.average(PackedTrees(PackedForest.of_packed(grown, 4, is_regression=False)))
    monkeypatch.setattr(PackedForest, "tree", lambda *_: pytest.fail("a tree was made"))
    X[::2, 1] = np.nan
    assert np.allclose(forest.predict(X).sum(axis=1), 1.0)
    assert np.isnan(forest.predict(X, use=np.zeros((100, 1), bool))).all()
    assert forest.has_tests


@given(numbers=arrays(np.float64, 8, elements=st.floats(allow_nan=False)))
@checked
def test_keys_are_in_the_order_of_the_numbers(numbers):
    keys = keys_of(numbers)
    np.testing.assert_array_equal(keys[:, None] > keys, numbers[:, None] > numbers)
    np.testing.assert_array_equal(numbers_of(keys), numbers)
    assert (keys < LEAF_KEY).all()


@pytest.mark.parametrize("n_classes", [3, 12])  # few, and so many that pure leaves are told apart
def test_a_grown_stack_answers_as_its_trees_do(n_classes):
    rng = np.random.default_rng(0)
    X, label = rng.normal(size=(300, 4)), rng.integers(0, n_classes, 300)
    data = TrainingSet.of_classes(X, label, n_classes=n_classes)
    grower, scratch = RandomGrower(VariableRandom(0.3)), Scratch(data, rank_table(data))
    grown = grow_packed([grower] * 5, scratch, np.random.SeedSequence(0).spawn(5))
    stacked = PackedTrees(PackedForest.of_packed(grown, 4, is_regression=False))
    assert stacked.packed.n_pure == n_classes
    X[rng.random(X.shape) < 0.1] = np.nan
    total = np.zeros((300, n_classes))
    stacked.packed.add_answers(X, np.full(5, 0.2), total)
    want = sum(0.2 * Hard().predict(tree, X) for tree in stacked)
    assert total.tobytes() == want.tobytes()
    leaves = np.column_stack([leaf_of(tree, X) for tree in stacked])
    np.testing.assert_array_equal(stacked.packed.leaves(X), leaves)


@pytest.mark.parametrize("weight", [1.0, 0.375])
def test_forests_on_the_same_columns_are_joined_as_they_are(weight):
    rng = np.random.default_rng(4)
    X, label = rng.normal(size=(200, 3)), rng.integers(0, 3, 200)
    parts = []
    for k, of_part in enumerate((1.0, weight)):
        data = TrainingSet.of_classes(X, label, weight=np.full(200, of_part), n_classes=3)
        scratch = Scratch(data, rank_table(data))
        grower = RandomGrower(VariableRandom(0.3, min_split=5.0))
        grown = grow_packed([grower] * 3, scratch, np.random.SeedSequence(k).spawn(3))
        parts.append(PackedTrees(PackedForest.of_packed(grown, 3, is_regression=False)))
    both = joined(*parts)
    assert isinstance(both, PackedTrees)
    assert both == [*parts[0], *parts[1]]
    assert len(both.packed.table) < len(parts[0].packed.table) + len(parts[1].packed.table)
    assert joined((), parts[0]) is joined(parts[0], []) is parts[0]
    assert joined([both[0]], parts[0]) == [both[0], *parts[0]]


@pytest.mark.parametrize("n_trees", [1, 2, 9])  # too little room, or more than is needed
@pytest.mark.parametrize(
    ("weights", "dtype"),
    [
        ([1.0] * 5, None),
        ([1.0, 1.0, 0.375, 1.0, 1.0], np.float32),
        ([1.0, 400.0, 1.0, 1.0, 1.0], None),
        ([400.0, 0.375, 1.0, 1.0, 1.0], np.float32),
        ([1e5, 0.375, 1.0, 1.0, 1.0], np.float32),
        ([2e6, 1.0, 1.0, 1.0, 1.0], np.float32),  # more than a key holds
        ([1.0, 1.0, 0.375, 0.1, 1.0], np.float64),
        ([0.1, 1.0, 1.0, 1.0, 1.0], np.float64),
    ],
)
def test_weights_are_exact_whatever_comes_first(n_trees, weights, dtype):
    rng = np.random.default_rng(1)
    X, label = rng.normal(size=(200, 3)), rng.integers(0, 3, 200)
    grower, grown = RandomGrower(VariableRandom(0.5)), []
    for k in range(5):
        weight = np.full(200, weights[k])
        data = TrainingSet.of_classes(X, label, weight=weight, n_classes=3)
        scratch = Scratch(data, rank_table(data))
        grown += grow_packed([grower], scratch, [np.random.SeedSequence(k)])
    stack = PackedForest.of_packed(grown, 3, is_regression=False, n_trees=n_trees)
    assert stack.weight.size == (0 if dtype is None else stack.root[-1])
    assert dtype is None or stack.weight.dtype == dtype
    assert stack.key.shape == stack.link.shape == (stack.root[-1],)
    for tree, back in zip(grown, PackedTrees(stack), strict=True):
        np.testing.assert_array_equal(np.sort(back.weight), np.sort(tree.weight))
    alone = [
        PackedTrees(PackedForest.of_packed([tree], 3, is_regression=False))[0] for tree in grown
    ]
    assert PackedTrees(stack) == alone


def a_balanced_tree(leaf_weight):
    """Pack a tree whose levels are full: the children of k are 2k + 1 and 2k + 2."""
    n_leaves = leaf_weight.size
    node, weight = np.arange(2 * n_leaves - 1), np.r_[np.zeros(n_leaves - 1), leaf_weight]
    for k in range(n_leaves - 2, -1, -1):
        weight[k] = weight[2 * k + 1] + weight[2 * k + 2]
    key = np.where(node < n_leaves - 1, keys_of(np.full(1, 0.5)), LEAF_KEY)
    link = np.where(node < n_leaves - 1, node + 1, 0).astype(np.uint64)
    return Packed(key, link, weight, np.empty((0, 2), np.int32), np.empty((0, 2)))


@pytest.mark.parametrize(
    ("least", "then", "dtype"),
    [
        (LARGEST_COUNT - 2, 1.0, None),
        (LARGEST_COUNT, 1.0, np.float64),
        (400, 0.375, np.float32),
        (65533, 0.375, np.float64),
    ],
)
def test_weights_come_back(least, then, dtype):
    leaf_weight = least + np.arange(512) % 2.0
    leaf_weight[0] += 1.0  # the sum is odd: more than 2^24 of it do not fit into 32 bits
    first, second = a_balanced_tree(leaf_weight), a_balanced_tree(np.full(4, then))
    stack = PackedForest.of_packed([first, second], 1, is_regression=False)
    assert stack.weight.size == (0 if dtype is None else stack.root[-1])
    assert dtype is None or stack.weight.dtype == dtype
    for packed, back in zip([first, second], PackedTrees(stack), strict=True):
        np.testing.assert_array_equal(back.weight, packed.weight)


@pytest.mark.parametrize("n_features", [1, 57, 2**31])
def test_wide_links_lead_to_the_same_trees(n_features):
    rng = np.random.default_rng(2)
    narrow = a_balanced_tree(rng.random(8))
    bits = feature_bits(n_features)
    wide = narrow._replace(link=narrow.link << np.uint64(bits))
    stack = PackedForest.of_packed([wide], n_features, is_regression=False)
    assert stack.link.dtype == (np.uint64 if bits > 28 else np.uint32)
    tree, same = stack.tree(0), PackedForest.of_packed([narrow], 1, is_regression=False).tree(0)
    np.testing.assert_array_equal(tree.first_child, same.first_child)
    np.testing.assert_array_equal(tree.weight, same.weight)


def test_answers_are_kept_once():
    rng = np.random.default_rng(3)
    X, label = rng.normal(size=(300, 4)), rng.integers(0, 3, 300)
    data = TrainingSet.of_classes(X, label, n_classes=3)
    grower, scratch = (
        RandomGrower(VariableRandom(0.3, min_split=20.0)),
        Scratch(data, rank_table(data)),
    )
    grown = grow_packed([grower] * 5, scratch, np.random.SeedSequence(0).spawn(5))
    table = PackedForest.of_packed(grown, 4, is_regression=False).table
    every = np.vstack([np.eye(3)] + [tree.table for tree in grown])
    assert len(every) > len(table) == len(np.unique(every, axis=0))
    np.testing.assert_array_equal(table[:3], np.eye(3))


@given(members=st.lists(trees(kinds=(NUMERIC,), n_outputs=1), min_size=2, max_size=4))
@checked
def test_trees_come_back_from_a_stack(members):
    stack = PackedForest.of_trees(members)
    for tree, back in zip(members, PackedTrees(stack), strict=True):
        for name in ("n_children", "kind", "feature", "threshold", "weight"):
            np.testing.assert_array_equal(getattr(back, name), getattr(tree, name))
        leaf = tree.is_leaf
        np.testing.assert_array_equal(back.response[leaf], tree.response[leaf])


@given(members=st.lists(trees(), min_size=2, max_size=3))
@checked
def test_only_cuts_and_tests_of_one_category_are_stacked(members):
    fits = all(fits_stack(tree, node) for tree in members for node in range(tree.n_nodes))
    assert (PackedForest.of_trees(members) is not None) == fits


def fits_stack(tree, node):
    if tree.kind[node] != NOMINAL:
        return tree.kind[node] in (0, NUMERIC)
    branches = tree.set_child[tree.set_start[node] : tree.set_start[node + 1]]
    return tree.n_children[node] == 2 and sorted(branches) == [0] * (branches.size - 1) + [1]


@given(members=numeric_trees)
@checked
def test_stacked_trees_are_a_sequence(members):
    stacked = PackedTrees(PackedForest.of_trees(members))
    assert len(stacked) == len(members)
    assert stacked[0] == stacked[0]
    assert stacked[-1] == stacked[len(members) - 1]
    assert stacked[:2] == (stacked[0], stacked[1])
    assert pickle.loads(pickle.dumps(stacked)) == stacked
    with pytest.raises(IndexError):
        stacked[len(members)]


@given(members=numeric_trees)
@checked
def test_rows_of_another_width_are_refused(members):
    with pytest.raises(ValueError, match="columns"):
        PackedForest.of_trees(members).add_answers(
            np.zeros((2, 5)), np.ones(len(members)), np.zeros((2, 2))
        )


@pytest.mark.parametrize("n_trees", [1, 8, 13])
@pytest.mark.parametrize("n_classes", [2, 12])
def test_a_row_alone_is_answered_as_among_many(n_trees, n_classes):
    """A few rows go down eight trees abreast, many go down one tree after the other."""
    rng = np.random.default_rng(n_trees)
    X = rng.normal(size=(300, 4))
    y = np.arange(300) % n_classes
    forest = CoalescenceClassifier(n_trees, random_state=0).fit(X, y).forest_
    assert isinstance(forest.trees, PackedTrees)
    many = forest.predict(X)
    for size in (1, 2, 5):
        for start in (0, 7, 100):
            few = forest.predict(X[start : start + size])
            assert np.array_equal(few, many[start : start + size])
