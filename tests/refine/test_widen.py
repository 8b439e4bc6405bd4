"""Wider margins: no row moves, no margin shrinks, and none could be wider."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.data.training import TrainingSet
from softwood.flow import Hard
from softwood.grow.greedy import C45, Cart, GreedyGrower
from softwood.refine import widen
from softwood.refine.max_margin import widest_gap
from softwood.refine.node_rows import NodeRows, compared, weights_of
from softwood.refine.widen import node_margins, widen_tree
from softwood.tree import NOMINAL, NUMERIC, OBLIQUE
from tests.strategies import tree_of, trees, trees_and_rows


def grown(seed, policy=None, n_rows=120, n_features=4, gaps=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features)).round(1)
    X[rng.random(X.shape) < gaps] = np.nan
    label = (np.nan_to_num(X[:, 0]) > np.nan_to_num(X[:, 1])) + (rng.random(n_rows) < 0.2)
    data = TrainingSet.of_classes(X, label, n_classes=3)
    return GreedyGrower(policy or Cart("gini")).grow(data), X


def margins_by_definition(tree, X):
    """Distances of all rows to all planes on their ways, without missing values."""
    nearest = np.where(tree.kind == OBLIQUE, np.inf, np.nan)
    nearest[tree.kind == NUMERIC] = np.inf
    for row in X:
        node = 0
        while tree.n_children[node]:
            if tree.kind[node] == NOMINAL:
                node = (
                    tree.first_child[node]
                    + tree.branch_of_category(node)[int(row[tree.feature[node]])]
                )
                continue
            weights = weights_of(tree, node)
            value = weights @ row
            distance = abs(value - tree.threshold[node]) / np.linalg.norm(weights)
            nearest[node] = min(nearest[node], distance)
            node = tree.first_child[node] + (value > tree.threshold[node])
    return nearest


def assert_same_way(tree, wide, X):
    assert (Hard().reach(tree, X) != Hard().reach(wide, X)).nnz == 0


# -- margins --------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_margins_are_distances(seed):
    tree, X = grown(seed)
    assert_allclose(node_margins(tree, X), margins_by_definition(tree, X), rtol=1e-9)
    turned = widen_tree(tree, X)
    assert_allclose(node_margins(turned, X), margins_by_definition(turned, X), rtol=1e-6)


def test_margins_where_there_are_none():
    nodes = [
        {"kind": NUMERIC, "first": 1, "n_children": 2, "feature": 0, "threshold": 0.5},
        {"kind": NOMINAL, "first": 3, "n_children": 2, "feature": 1, "sets": [0, 1]},
        {"kind": NUMERIC, "first": 5, "n_children": 2, "feature": 0, "threshold": 2.0},
        {}, {}, {}, {},
    ]  # fmt: skip
    tree = tree_of(nodes, n_features=2)
    found = node_margins(tree, [[0.0, 0.0], [0.25, 1.0], [np.nan, 0.0]])
    # The row without a number reaches node 2, and has no say there.
    assert_array_equal(found, [0.25, np.nan, np.inf, *[np.nan] * 4])


# -- what must hold of every tree -------------------------------------------------


@given(trees_and_rows(max_tests=5), st.sampled_from(["turn", "keep"]))
def test_no_row_moves_and_no_margin_shrinks(case, axis):
    tree, X = case
    wide = widen_tree(tree, X, axis=axis)
    assert_same_way(tree, wide, X)
    before, after = node_margins(tree, X), node_margins(wide, X)
    assert_array_equal(np.isnan(before), np.isnan(after))
    assert np.all(after[~np.isnan(after)] >= before[~np.isnan(before)])
    for name in ("n_children", "weight", "response", "missing_child", "below", "above"):
        assert_array_equal(getattr(wide, name), getattr(tree, name))
    assert_array_equal(wide.kind == NOMINAL, tree.kind == NOMINAL)


@pytest.mark.parametrize("policy", [Cart("gini"), C45()], ids=["cart", "c45"])
@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("axis", ["turn", "keep"])
def test_grown_trees_keep_their_rows(policy, gaps, axis):
    tree, X = grown(7, policy, gaps=gaps)
    frozen = tree.replace()
    wide = widen_tree(tree, X, axis=axis)
    assert tree == frozen
    assert_same_way(tree, wide, X)
    before, after = node_margins(tree, X), node_margins(wide, X)
    inner = ~np.isnan(before)
    assert np.all(after[inner] >= before[inner])
    is_best_already = axis == "keep" and isinstance(policy, Cart)  # it cuts in the middle
    assert is_best_already == (wide == tree)


# -- the widest ---------------------------------------------------------------------


def test_every_plane_is_the_widest():
    tree, X = grown(2)
    wide = widen_tree(tree, X)
    rows, margins = NodeRows.of(tree, X), node_margins(wide, X)
    for node in compared(tree):
        left, right = (X[rows.at(child)] for child in tree.children(node))
        gap = widest_gap(left, right, weights_of(tree, node))
        assert gap.is_widest
        assert margins[node] == pytest.approx(gap.limit, rel=1e-5)
    assert np.count_nonzero(wide.kind == OBLIQUE) > 5


def test_two_rows_have_their_bisector():
    X = np.array([[1.0, 2.0], [4.0, 6.0]])
    tree = GreedyGrower(Cart("gini")).grow(TrainingSet.of_classes(X, [0, 1]))
    wide = widen_tree(tree, X)
    assert_allclose(wide.terms(0)[1], [0.6, 0.8], rtol=1e-9)
    assert wide.threshold[0] == pytest.approx(0.6 * 2.5 + 0.8 * 4.0)


def test_kept_axes_are_cut_in_the_middle():
    tree, X = grown(3, C45())
    wide = widen_tree(tree, X, axis="keep")
    rows = NodeRows.of(tree, X)
    assert_array_equal(wide.feature, tree.feature)
    for node in compared(tree):
        left, right = (X[rows.at(child), tree.feature[node]] for child in tree.children(node))
        assert wide.threshold[node] == pytest.approx((left.max() + right.min()) / 2.0)


def test_numbers_with_none_in_between_keep_their_threshold():
    first = np.nextafter(1.0, 2.0)
    X = np.array([[first], [np.nextafter(first, 2.0)]])
    root = {"kind": NUMERIC, "first": 1, "n_children": 2, "feature": 0, "threshold": first}
    tree = tree_of([root, {}, {}], n_features=1)
    assert (X[0, 0] + X[1, 0]) / 2.0 == X[1, 0]  # the middle would take both rows left
    for axis in ("keep", "turn"):
        assert widen_tree(tree, X, axis=axis) == tree


def test_one_feature_cannot_turn():
    X = np.array([[0.0], [1.0], [4.0], [5.0]])
    tree = GreedyGrower(C45()).grow(TrainingSet.of_classes(X, [0, 0, 1, 1]))
    wide = widen_tree(tree, X)
    assert wide == widen_tree(tree, X, axis="keep")
    assert (wide.kind[0], wide.threshold[0]) == (NUMERIC, 2.5)


def test_oblique_tests_turn_even_if_axes_are_kept():
    nodes = [
        {"kind": OBLIQUE, "first": 1, "n_children": 2, "terms": [(0, 2.0), (0, 1.0), (1, 4.0)]},
        {}, {},
    ]  # fmt: skip
    tree = tree_of(nodes, n_features=2)
    wide = widen_tree(tree, [[-1.0, 0.0], [1.0, 0.0]], axis="keep")
    features, weights = wide.terms(0)
    # As long as the old weights, 3 and 4, so that the widths of soft tests are the same.
    assert (features.tolist(), weights.round(9).tolist()) == ([0], [5.0])


# -- columns ------------------------------------------------------------------------


def test_planes_use_the_columns_they_may():
    tree, X = grown(4)
    wide = widen_tree(tree, X, numeric=np.array([True, True, False, False]))
    for node in np.flatnonzero(wide.kind == OBLIQUE):
        own = set(np.flatnonzero(weights_of(tree, node)))
        assert set(wide.terms(node)[0]) <= {0, 1} | own


def test_columns_of_codes_are_left_alone():
    nodes = [
        {"kind": NUMERIC, "first": 1, "n_children": 2, "feature": 0, "threshold": 0.5},
        {"kind": NOMINAL, "first": 3, "n_children": 2, "feature": 1, "sets": [0, 1]},
        {}, {}, {},
    ]  # fmt: skip
    X = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]]
    wide = widen_tree(tree_of(nodes, n_features=3), X)
    assert wide.terms(0)[0].tolist() == [0, 2]


def test_gaps_keep_columns_out_but_for_those_of_the_test():
    tree = tree_of(
        [{"kind": NUMERIC, "first": 1, "n_children": 2, "feature": 0, "threshold": 0.5}, {}, {}],
        n_features=3,
    )
    gap = np.nan
    X = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [gap, 1.0, 1.0], [1.0, 5.0, gap]])
    wide = widen_tree(tree, X)
    assert wide.terms(0)[0].tolist() == [0, 1]  # row 3 lacks column 2
    assert_same_way(tree, wide, X)


def test_a_column_stays_if_rows_without_it_would_find_their_way():
    tree = tree_of(
        [
            {
                "kind": OBLIQUE, "first": 1, "n_children": 2,
                "terms": [(0, 1.0), (1, 0.5)], "threshold": 0.5,
            },
            {}, {},
        ],
        n_features=2,
    )  # fmt: skip
    X = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, np.nan]])
    wide = widen_tree(tree, X)
    features, weights = wide.terms(0)
    assert features.tolist() == [0, 1]
    assert_allclose(weights, [np.hypot(1.0, 0.5), 0.0], atol=1e-9)
    assert_same_way(tree, wide, X)


def test_infinite_values_keep_their_test():
    tree = tree_of(
        [{"kind": NUMERIC, "first": 1, "n_children": 2, "feature": 0, "threshold": 0.5}, {}, {}],
        n_features=2,
    )
    X = [[0.0, 0.0], [np.inf, 1.0]]
    assert widen_tree(tree, X).kind[0] == NUMERIC


# -- when the search fails --------------------------------------------------------------


@given(trees(kinds=(NUMERIC, OBLIQUE), max_tests=4), st.integers(0, 99))
def test_a_search_that_is_wrong_does_no_harm(tree, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, 3))

    def wrong(left, right, direction):
        made = widest_gap(left, right, direction)
        return type(made)(rng.normal(size=direction.size), 1e9, 1e9)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(widen, "widest_gap", wrong)
        wide = widen_tree(tree, X)
    assert_same_way(tree, wide, X)
    before, after = node_margins(tree, X), node_margins(wide, X)
    assert np.all(after[~np.isnan(after)] >= before[~np.isnan(before)])


def test_bad_arguments_are_named():
    tree, X = grown(0)
    with pytest.raises(ValueError, match=r"axis must be one of turn, keep; got 'bend'"):
        widen_tree(tree, X, axis="bend")
    with pytest.raises(ValueError, match=r"numeric must be 4 booleans.*got int64 of shape \(2,\)"):
        widen_tree(tree, X, numeric=[0, 1])
