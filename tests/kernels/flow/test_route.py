"""Hard routing: the fast walk and the one rule must agree, everywhere."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from softwood._kernels.branch import branch_of, branch_share
from softwood._kernels.flow.route import ABREAST, NODES_PER_ROW, leaf_of_rows
from softwood.tree import NOMINAL, NUMERIC
from tests.oracles import spreading
from tests.strategies import WITHOUT_JIT, checked, tree_of, trees, trees_and_rows

NUMERIC_ONLY = (NUMERIC,)


def route(tree, X):
    X = np.array(X, dtype=np.float64, order="C")
    X.flags.writeable = False
    leaf = np.full(len(X), -7, np.int32)
    n_spreading = leaf_of_rows(tree.nodes, X, leaf)
    assert n_spreading == np.count_nonzero(leaf == -1)
    return leaf


def by_the_rule(tree, x):
    """Follow branch_of, the rule that everything else shares."""
    x = np.array(x)
    x.flags.writeable = False
    node = 0
    while tree.n_children[node]:
        branch = branch_of(tree.nodes, node, x)
        if branch < 0:
            return -1
        node = int(tree.first_child[node]) + branch
    return node


@given(trees_and_rows(), st.integers(0, ABREAST))
@checked
def test_leaves_equal_the_rule(case, n_more):
    tree, X = case
    expected = [by_the_rule(tree, x) for x in X]
    # Groups of eight with a rest: repeat the rows until there are both.
    rows = np.arange(ABREAST + n_more) % len(X)
    assert_array_equal(route(tree, X[rows]), np.array(expected)[rows])


@given(trees_and_rows(kinds=NUMERIC_ONLY, max_tests=10))
@checked
def test_numeric_leaves_equal_the_rule(case):
    tree, X = case
    expected = [by_the_rule(tree, x) for x in X]
    rows = np.arange(2 * ABREAST) % len(X)
    assert_array_equal(route(tree, X[rows]), np.array(expected)[rows])


@given(trees_and_rows())
@checked
def test_the_rule_is_the_definition(case):
    tree, X = case
    for x in X:
        mass = spreading.hard(tree, x)
        leaf = by_the_rule(tree, x)
        if leaf >= 0:
            assert mass[list(tree.leaves).index(leaf)] == 1.0
        else:
            assert meets_a_spread(tree, x)


def meets_a_spread(tree, x, node=0):
    if not tree.n_children[node]:
        return False
    parts = spreading.parts_of(tree, node, x, spreading.hard_gate)
    one_branch = spreading.is_missing(tree, node, x) and tree.missing_child[node] >= 0
    if not one_branch and (
        spreading.is_missing(tree, node, x)
        or (
            tree.kind[node] == NOMINAL
            and spreading.branch_of_category(tree, node, x[tree.feature[node]]) == -1
        )
    ):
        return True
    return meets_a_spread(tree, x, tree.children(node)[int(np.argmax(parts))])


@given(trees_and_rows(missing=False, max_tests=8))
@checked
def test_the_fast_walk_stops_at_other_tests(case):
    """No missing values and full groups: nothing but the kinds of tests can stop the walk."""
    tree, X = case
    rows = np.arange(2 * ABREAST) % len(X)
    assert_array_equal(route(tree, X[rows]), np.array([by_the_rule(tree, x) for x in X])[rows])


def comb(n_tests, rng):
    """Return a deep numeric tree: every test hangs on the right of the one before."""
    nodes = [{}]
    for depth in range(n_tests):
        nodes[-1].update(
            kind=NUMERIC,
            feature=int(rng.integers(3)),
            threshold=float(rng.normal() - 1.5),
            first=2 * depth + 1,
            n_children=2,
        )
        nodes += [{}, {}]
    return tree_of(nodes, n_features=3)


def test_one_row_and_many_rows_agree_on_a_large_tree():
    """One row does not pay for packing the tree, so it goes another way."""
    rng = np.random.default_rng(0)
    tree = comb(100, rng)
    assert tree.n_nodes > NODES_PER_ROW
    n_rows = 20 if WITHOUT_JIT else 300
    X = rng.normal(size=(n_rows, 3))
    X[rng.random(X.shape) < 0.05] = np.nan
    together = route(tree, X)
    assert_array_equal(together, [route(tree, x[None])[0] for x in X])
    assert np.any(together == -1)
    assert np.any(together > 20)


def test_a_missing_value_off_the_path_does_no_harm():
    tree = comb(1, np.random.default_rng(0))
    tree = tree.replace(feature=[2, -1, -1], threshold=[0.0, 0.0, 0.0])
    X = np.zeros((ABREAST, 3))
    X[:, 0] = np.nan  # column 0 is what leaves pretend to test in the fast walk
    assert_array_equal(route(tree, X), 1)
    X[:, 2] = 1.0
    assert_array_equal(route(tree, X), 2)


def test_missing_values_spare_their_neighbours():
    tree = comb(1, np.random.default_rng(0)).replace(
        feature=[0, -1, -1], threshold=[0.0, 0.0, 0.0], missing_child=[-1, -1, -1]
    )
    X = np.array([[-1.0], [1.0], [np.nan], [0.0], [np.nan], [2.0], [-0.0], [np.inf]] * 2)
    X = np.column_stack([X, X, X])
    assert_array_equal(route(tree, X), [1, 2, -1, 1, -1, 2, 1, 2] * 2)
    with_default = tree.replace(missing_child=[1, -1, -1])
    assert_array_equal(route(with_default, X), [1, 2, 2, 1, 2, 2, 1, 2] * 2)


@pytest.mark.parametrize("n_rows", [0, 1, ABREAST - 1, ABREAST, ABREAST + 1])
def test_a_lone_leaf_takes_all_rows(n_rows):
    assert_array_equal(route(tree_of([{}], n_features=1), np.zeros((n_rows, 1))), 0)
    assert_array_equal(route(tree_of([{}], n_features=0), np.zeros((n_rows, 0))), 0)


@given(trees())
@checked
def test_shares_of_the_branches(tree):
    for node in np.flatnonzero(tree.n_children):
        shares = [branch_share(tree.nodes, node, b) for b in range(tree.n_children[node])]
        weight = tree.weight[list(tree.children(node))]
        assert sum(shares) == pytest.approx(1.0)
        if weight.sum() > 0:
            assert_array_equal(shares, weight / weight.sum())
        else:
            assert_array_equal(shares, 1 / len(shares))
