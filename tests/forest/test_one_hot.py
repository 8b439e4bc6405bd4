import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.flow import Hard, leaf_of
from softwood.forest.one_hot import AS_IT_IS, MOST_CATEGORIES, OneHotColumns, lone_categories
from softwood.forest.packed import PackedForest
from softwood.tree import NOMINAL, NUMERIC, Tree
from tests.strategies import checked, trees

SIZES = st.lists(st.sampled_from([0, 1, 2, 3, 5]), min_size=1, max_size=5)


def rows_of(n_categories, n_rows, rng):
    numbers = rng.normal(size=(n_rows, len(n_categories)))
    codes = np.floor(rng.random(numbers.shape) * n_categories)
    return np.where(np.array(n_categories) > 0, codes, numbers)


@given(n_categories=SIZES, seed=st.integers(0, 99))
def test_a_row_is_of_one_category_of_each_feature(n_categories, seed):
    one_hot = OneHotColumns.of(np.array(n_categories))
    X = rows_of(n_categories, 7, np.random.default_rng(seed))
    expanded = one_hot.expanded(X)
    assert expanded.shape == (7, sum(max(n, 1) for n in n_categories))
    for f, n in enumerate(n_categories):
        columns = expanded[:, one_hot.columns_of([f])]
        if n:
            np.testing.assert_array_equal(columns, X[:, f, None] == np.arange(n))
        else:
            np.testing.assert_array_equal(columns, X[:, [f]])


def test_many_categories_stay_one_column():
    one_hot = OneHotColumns.of(np.array([MOST_CATEGORIES + 1, MOST_CATEGORIES]))
    assert one_hot.category[0] == AS_IT_IS
    assert one_hot.n_columns == 1 + MOST_CATEGORIES


@st.composite
def trees_on_indicators(draw):
    """Draw features, and a hard tree of numeric tests on their columns, of one_hot at 1/2."""
    n_categories = draw(SIZES)
    one_hot = OneHotColumns.of(np.array(n_categories))
    tree = draw(trees(kinds=(NUMERIC,), n_features=one_hot.n_columns))
    middle = one_hot.is_indicator[np.maximum(tree.feature, 0)] & ~tree.is_leaf
    hard = {"below": np.zeros(tree.n_nodes), "above": np.zeros(tree.n_nodes)}
    return one_hot, tree.replace(threshold=np.where(middle, 0.5, tree.threshold), **hard)


@given(made=trees_on_indicators(), seed=st.integers(0, 99))
@checked
def test_a_tree_of_features_answers_as_that_of_columns(made, seed):
    one_hot, tree = made
    X = rows_of(one_hot.n_categories, 12, np.random.default_rng(seed))
    of_features = one_hot.tree(tree)
    assert of_features.n_features == one_hot.n_features
    np.testing.assert_array_equal(
        Hard().predict(of_features, X), Hard().predict(tree, one_hot.expanded(X))
    )
    nominal = np.flatnonzero(of_features.kind == NOMINAL)
    category, fits = lone_categories(of_features, nominal)
    assert fits
    np.testing.assert_array_equal(category, one_hot.category[tree.feature[nominal]])


@given(made=trees_on_indicators(), seed=st.integers(0, 99))
@checked
def test_trees_of_features_can_be_stacked(made, seed):
    one_hot, tree = made
    twice = [one_hot.tree(tree.replace(missing_child=np.full(tree.n_nodes, -1)))] * 2
    stack = PackedForest.of_trees(twice)
    assert stack.n_features == one_hot.n_features
    rng = np.random.default_rng(seed)
    X = rows_of(one_hot.n_categories, 12, rng)
    X[rng.random(12) < 0.2, 0] = np.nan
    X[rng.random(12) < 0.2, -1] = -2.0 if one_hot.n_categories[-1] else 0.0
    total = np.zeros((12, tree.n_outputs))
    stack.add_answers(X, np.ones(2), total)
    answer = Hard().predict(twice[0], X)
    assert total.tobytes() == (0.0 + answer + answer).tobytes()
    leaf = leaf_of(twice[0], X)
    np.testing.assert_array_equal(stack.leaves(X), np.column_stack([leaf, leaf]))
    assert [stack.tree(j).n_nodes for j in range(2)] == [tree.n_nodes] * 2


def test_rows_that_a_test_spreads_are_answered_by_weight():
    stump = OneHotColumns.of(np.array([3])).tree(numeric_stump(n_features=3))
    stump = stump.replace(weight=[4.0, 1.0, 3.0])
    stack = PackedForest.of_trees([stump, stump])
    X = np.array([[0.0], [2.0], [np.nan], [-2.0], [3.0]])  # known, known, missing, never seen
    assert stack.are_complete(X).tolist() == [True, True, False, False, False]
    total = np.zeros((5, 1))
    stack.add_answers(X, np.array([1.0, 0.5]), total)
    assert total.ravel().tolist() == [1.5, 0.0, 1.125, 1.125, 1.125]
    assert stack.leaves(X)[:, 0].tolist() == [2, 1, 2, 2, 2]


@pytest.mark.parametrize("set_child", [[0, 1, 1], [1, 1, 1], [0, 1, -1]])
def test_sets_that_are_not_one_category_do_not_fit(set_child):
    stump = numeric_stump(n_features=1).replace(
        kind=[NOMINAL, 0, 0],
        threshold=np.zeros(3),
        set_start=[0, 3, 3, 3],
        set_child=set_child,
    )
    assert PackedForest.of_trees([stump, stump]) is None
    assert PackedForest.of_trees([stump.replace(set_child=[0, 0, 1])] * 2) is not None


def numeric_stump(n_features):
    return Tree.from_nodes(
        n_features=n_features,
        first_child=[1, -1, -1],
        n_children=[2, 0, 0],
        kind=[NUMERIC, 0, 0],
        feature=[0, -1, -1],
        threshold=[0.5, 0.0, 0.0],
        weight=[2.0, 1.0, 1.0],
        response=[[0.5], [0.0], [1.0]],
    )
