"""What changed between two trees: numbers by hand, and sums that must come out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.explain.tree_changes import tree_changes
from softwood.flow import Gaussian, Hard, Ramp
from tests.explain.test_tree_pairs import CODES, LEAF, nominal, numeric, oblique, side, tree
from tests.strategies import checked, rows_for, trees

LINE = np.column_stack([np.arange(10.0), np.zeros(10), np.zeros(10)])


def test_a_cut_that_moved_by_hand():
    old = tree(numeric(0, 2.5, 1), LEAF, numeric(0, 6.5, 3), LEAF, LEAF)
    new = tree(numeric(0, 4.5, 1), LEAF, numeric(0, 6.5, 3), LEAF, LEAF)
    found = tree_changes(side(old, LINE), side(new, LINE))
    root, below = found.tests
    assert (root.change, root.by, root.between, root.parted) == ("moved", 2.0, 0.2, 0.2)
    assert (root.old_test, root.new_test) == ("a <= 2.5", "a <= 4.5")
    assert (root.old_mass, below.old_mass, below.new_mass) == (1.0, 0.7, 0.5)
    assert (below.change, below.by, below.between, below.parted) == ("same", 0.0, 0.0, 0.0)
    assert found.leaf_changed.tolist() == [row in (3, 4) for row in range(10)]
    assert found.mass_moved.tolist() == [float(row in (3, 4)) for row in range(10)]
    assert found.old_leaf.tolist() == [1] * 3 + [3] * 4 + [4] * 3
    assert found.count("moved", "same") == 2


def test_what_has_grown_parts_all_that_comes_there():
    old = tree(numeric(0, 2.5, 1), LEAF, LEAF)
    new = tree(numeric(0, 2.5, 1), LEAF, numeric(1, 0.5, 3), LEAF, LEAF)
    same, grown = tree_changes(side(old, LINE), side(new, LINE)).tests
    assert (same.change, grown.change) == ("same", "grown")
    assert (grown.old_node, grown.new_node, grown.old_test) == (2, 2, None)
    assert grown.parted == pytest.approx(0.7)
    assert np.isnan([grown.by, grown.between, grown.old_width]).all()
    back = tree_changes(side(new, LINE), side(old, LINE))
    assert [test.change for test in back.tests] == ["same", "pruned"]


def test_categories_that_go_another_way():
    old = tree(nominal([0, 0, 1], 1), LEAF, LEAF)
    new = tree(nominal([0, 1, 1], 1), LEAF, LEAF)
    names = [None, None, ("red", "green", "blue")]
    (test,) = tree_changes(
        side(old, CODES, categories=names), side(new, CODES, categories=names)
    ).tests
    assert (test.change, test.moved_categories) == ("moved", ("green",))
    assert (test.old_test, test.new_test) == ("c in {red, green}", "c = red")
    assert test.between == test.parted == pytest.approx(np.mean(CODES[:, 2] == 1))
    many = tree(nominal([0, 1, 2], 1), LEAF, LEAF, LEAF)
    (test,) = tree_changes(side(many, CODES), side(many, CODES)).tests
    assert (test.old_test, test.change) == ("c (3 branches)", "same")


def test_planes_count_the_rows_between_them():
    old = tree(oblique([(0, 1.0), (1, 1.0)], 4.5, 1), LEAF, LEAF)
    new = tree(oblique([(0, -1.0), (1, -2.0)], -6.5, 1), LEAF, LEAF)
    (test,) = tree_changes(side(old, LINE), side(new, LINE)).tests
    assert (test.change, test.between) == ("moved", 0.2)
    assert np.isnan(test.by)


def test_leaves_tell_their_answers():
    old = tree(numeric(0, 2.5, 1), {"response": [0.9, 0.1]}, {"response": [0.2, 0.8]})
    new = tree(numeric(0, 2.5, 1), {"response": [0.4, 0.6]}, {"response": [0.2, 0.8]})
    first, second = tree_changes(side(old, LINE), side(new, LINE)).leaves
    assert (first.old_answer, first.new_answer, first.shift) == ("no", "yes", pytest.approx(0.5))
    assert (second.shift, second.old_mass) == (0.0, pytest.approx(0.7))
    # A class that the old tree does not know takes its share from the others.
    first, second = tree_changes(side(old, LINE), side(new, LINE), new_class=[0, -1]).leaves
    assert first.shift == pytest.approx(0.5 * (0.5 + 0.1 + 0.6))


@checked
@given(st.data())
def test_what_parts_at_the_tests_is_what_moves(data):
    old, new = data.draw(trees()), data.draw(trees())
    rows = data.draw(rows_for(old))
    flows = st.sampled_from([Hard(), Ramp(), Gaussian(0.4)])
    one, two = side(old, rows, data.draw(flows)), side(new, rows, data.draw(flows))
    there, back = tree_changes(one, two), tree_changes(two, one)
    assert there.mass_moved.mean() == pytest.approx(sum(t.parted for t in there.tests), abs=1e-7)
    np.testing.assert_allclose(there.mass_moved, back.mass_moved, atol=1e-12)
    np.testing.assert_array_equal(there.leaf_changed, back.leaf_changed)
    for change, other in (("same", "same"), ("moved", "moved"), ("grown", "pruned")):
        assert there.count(change) == back.count(other)
    for grown, node in ((old, "old_node"), (new, "new_node")):
        inner = {k for k in range(grown.n_nodes) if grown.n_children[k]}
        assert inner <= {getattr(test, node) for test in there.tests}


@checked
@given(st.data())
def test_hard_rows_move_as_a_whole(data):
    old, new = data.draw(trees()), data.draw(trees())
    rows = data.draw(rows_for(old, missing=False))
    one, two = side(old, rows), side(new, rows)
    whole = [len(part.reach.tocsr()[[k]].indices) for part in (one, two) for k in range(len(rows))]
    depth = [
        len(part.tree.path(leaf))
        for part, ends in ((one, "old_leaf"), (two, "new_leaf"))
        for leaf in getattr(tree_changes(one, two), ends)
    ]
    found = tree_changes(one, two)
    alone = (np.array(whole) == np.array(depth)).reshape(2, -1).all(axis=0)
    np.testing.assert_array_equal(found.mass_moved[alone], found.leaf_changed[alone])
