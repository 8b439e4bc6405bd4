"""What of a tree is shown: held against the shapes of small trees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.plot._tree_view import added_up, most_important, on_the_way
from tests.strategies import checked, trees


def ends(view):
    return [nodes for nodes, is_end in zip(view.members, view.is_end, strict=True) if is_end]


def passing_nodes(tree, of_leaves):
    """What the leaves under each node have, all together."""
    total = np.zeros(tree.n_nodes)
    for leaf, value in zip(tree.leaves.tolist(), of_leaves, strict=True):
        total[tree.path(leaf)] += value
    return total


@checked
@given(trees(max_tests=6))
def test_values_add_up_to_the_root(tree):
    value = np.where(tree.is_leaf, tree.weight, 0.0)
    np.testing.assert_allclose(added_up(tree, value), passing_nodes(tree, tree.weight[tree.leaves]))


@checked
@given(trees(max_tests=6), st.integers(1, 12), st.none() | st.integers(0, 4))
def test_views_keep_all_leaves_and_all_weight(tree, max_leaves, max_depth):
    view = most_important(tree, tree.weight, max_leaves, max_depth)
    assert len(ends(view)) <= max_leaves
    leaves = added_up(tree, tree.is_leaf.astype(int))
    shown = [int(leaves[list(nodes)].sum()) for nodes in ends(view)]
    assert sum(shown) == tree.n_leaves
    hidden = view.n_folded[view.is_end]
    is_leaf = [len(nodes) == 1 and bool(tree.is_leaf[nodes[0]]) for nodes in ends(view)]
    assert [h if h else 1 for h in hidden.tolist()] == shown
    assert (hidden == 0).tolist() == is_leaf
    assert view.n_folded[~view.is_end].sum() == 0
    depth = {0: 0}
    for place in range(1, view.size):
        depth[place] = depth[int(view.parent[place])] + 1
    assert max_depth is None or max(depth.values()) <= max_depth
    for place in range(1, view.size):
        parent = view.members[view.parent[place]][0]
        assert set(view.members[place]) <= set(tree.children(parent))


@checked
@given(trees(max_tests=6))
def test_nothing_is_folded_if_there_is_room(tree):
    for limit in (None, tree.n_leaves):
        view = most_important(tree, tree.weight, limit, None)
        assert view.members == [(node,) for node in range(tree.n_nodes)]
        assert view.first_child.tolist() == np.where(tree.is_leaf, -1, tree.first_child).tolist()
        assert view.parent.tolist() == tree.parent.tolist()
        assert not view.n_folded.any()
        np.testing.assert_allclose(view.response, tree.response)


@checked
@given(trees(max_tests=6), st.integers(2, 8))
def test_of_two_tests_the_one_that_more_rows_pass_is_unfolded(tree, max_leaves):
    passing = passing_nodes(tree, tree.weight[tree.leaves])
    view = most_important(tree, passing, max_leaves, None)
    opened = [view.members[place][0] for place in np.flatnonzero(~view.is_end).tolist()]
    room = max_leaves - len(ends(view))
    could = [
        nodes[0]
        for nodes in ends(view)
        if len(nodes) == 1 and tree.n_children[nodes[0]] and tree.n_leaves > max_leaves
    ]
    n_new = np.minimum(tree.n_children, max(max_leaves // 2, 2)) - 1
    for node in could:
        # It did not fit; what is lighter and unfolded takes less room.
        assert n_new[node] > room
        lighter = [other for other in opened if passing[other] < passing[node]]
        assert all(n_new[other] < n_new[node] for other in lighter)


@checked
@given(trees(max_tests=6), st.data())
def test_the_way_of_a_row_shows_all_that_matters(tree, data):
    shares = data.draw(st.lists(st.integers(0, 5), min_size=tree.n_leaves, max_size=tree.n_leaves))
    mass = passing_nodes(tree, np.array(shares) / max(sum(shares), 1))
    view = on_the_way(tree, mass, 0.005, None)
    here = view.total(mass)
    assert here[view.is_end].sum() == pytest.approx(mass[0])
    matters = [nodes for nodes, m in zip(view.members, here, strict=True) if m >= 0.005]
    assert {nodes[0] for nodes in matters} >= set(np.flatnonzero(mass >= 0.005).tolist())
    assert all(here[view.parent[place]] >= 0.005 for place in range(1, view.size))
    opened = np.flatnonzero(~view.is_end)
    assert all((here[view.parent == place] >= 0.005).any() for place in opened)
    few = on_the_way(tree, mass, 0.005, 2)
    assert np.count_nonzero(few.total(mass)[few.is_end] >= 0.005) <= 2
