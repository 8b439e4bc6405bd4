import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.training import TrainingSet
from softwood.flow import Hard
from softwood.forest import Forest
from softwood.grow.random import Bench, RandomGrower, VariableRandom
from softwood.grow.ranks import rank_table
from softwood.stack import Stack, StackedTrees
from softwood.tree import NUMERIC
from tests.strategies import checked, trees

numeric_trees = st.lists(trees(kinds=(NUMERIC,)), min_size=2, max_size=4)


@given(members=numeric_trees, n_rows=st.integers(1, 20), seed=st.integers(0, 9))
@checked
def test_a_stack_answers_as_its_trees_do(members, n_rows, seed):
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.5, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 1.5, np.nan], (n_rows, 3))
    factor = rng.random(len(members)) + 0.1
    forest = Forest.average(members, factor)
    assert forest.stack is not None
    want = np.zeros((n_rows, 2))
    for tree, by in zip(members, factor, strict=True):
        want += by * Hard().predict(tree, X)
    assert (forest.raw(X) == want / factor.sum() + 0.0).all()


@pytest.mark.parametrize("n_classes", [3, 12])  # few, and so many that pure leaves are told apart
def test_a_grown_stack_answers_as_its_trees_do(n_classes):
    rng = np.random.default_rng(0)
    X, label = rng.normal(size=(300, 4)), rng.integers(0, n_classes, 300)
    data = TrainingSet.of_classes(X, label, n_classes=n_classes)
    grower, bench = RandomGrower(VariableRandom(0.3)), Bench(data, rank_table(data))
    grown = [grower.grow_packed(bench, np.random.SeedSequence(k)) for k in range(5)]
    stacked = StackedTrees(Stack.of_packed(grown, 4, is_regression=False))
    assert stacked.stack.n_pure == n_classes
    total = np.zeros((300, n_classes))
    stacked.stack.add_answers(X, np.full(5, 0.2), total)
    want = sum(0.2 * Hard().predict(tree, X) for tree in stacked)
    np.testing.assert_array_equal(total, want)


@pytest.mark.parametrize("n_trees", [1, 2, 9])  # too little room, or more than is needed
@pytest.mark.parametrize(
    ("weights", "dtype"),
    [
        ([1.0] * 5, np.uint16),
        ([1.0, 1.0, 0.375, 1.0, 1.0], np.float32),
        ([1.0, 400.0, 1.0, 1.0, 1.0], np.float32),  # more than 16 bits hold, all together
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
        bench = Bench(data, rank_table(data))
        grown.append(grower.grow_packed(bench, np.random.SeedSequence(k)))
    stack = Stack.of_packed(grown, 3, is_regression=False, n_trees=n_trees)
    assert stack.weight.dtype == dtype
    np.testing.assert_array_equal(stack.weight, np.concatenate([tree.weight for tree in grown]))
    assert stack.node.shape == (stack.root[-1], 2)
    alone = [StackedTrees(Stack.of_packed([tree], 3, is_regression=False))[0] for tree in grown]
    assert StackedTrees(stack) == alone


@given(members=st.lists(trees(kinds=(NUMERIC,), n_outputs=1), min_size=2, max_size=4))
@checked
def test_trees_come_back_from_a_stack(members):
    stack = Stack.of_trees(members)
    for tree, back in zip(members, StackedTrees(stack), strict=True):
        for name in ("n_children", "kind", "feature", "threshold", "weight"):
            np.testing.assert_array_equal(getattr(back, name), getattr(tree, name))
        leaf = tree.is_leaf
        np.testing.assert_array_equal(back.response[leaf], tree.response[leaf])


@given(members=st.lists(trees(), min_size=2, max_size=3))
@checked
def test_only_numeric_tests_are_stacked(members):
    fits = all(np.isin(tree.kind, (0, NUMERIC)).all() for tree in members)
    assert (Stack.of_trees(members) is not None) == fits


@given(members=numeric_trees)
@checked
def test_stacked_trees_are_a_sequence(members):
    stacked = StackedTrees(Stack.of_trees(members))
    assert len(stacked) == len(members)
    assert stacked[0] is stacked[0]
    assert stacked[-1] == stacked[len(members) - 1]
    assert stacked[:2] == (stacked[0], stacked[1])
    assert pickle.loads(pickle.dumps(stacked)) == stacked
    with pytest.raises(IndexError):
        stacked[len(members)]


@given(members=numeric_trees)
@checked
def test_rows_of_another_width_are_refused(members):
    with pytest.raises(ValueError, match="columns"):
        Stack.of_trees(members).add_answers(
            np.zeros((2, 5)), np.ones(len(members)), np.zeros((2, 2))
        )
