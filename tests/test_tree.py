"""The tree: its invariants one by one, and what may be done with it."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.errors import MalformedTreeError, SoftwoodError
from softwood.flow import Gaussian, Hard, Ramp
from softwood.tree import KIND_NAMES, LEAF, NOMINAL, NUMERIC, OBLIQUE, Tree
from tests.strategies import checked, tree_of, trees, trees_and_rows

ARRAYS = [name for name in Tree.__dataclass_fields__ if name not in ("n_features", "first_child")]


@pytest.fixture
def tree():
    """A numeric root, a nominal test with three children on its left, an oblique one right.

    ::

              0 x0 <= 1
             /         \
       1 x1 in sets    2 x0 + x1 <= 0
        /   |   \\         /   \
       3    4    5        6     7
    """
    return tree_of(
        [
            {"kind": NUMERIC, "feature": 0, "threshold": 1.0, "first": 1, "n_children": 2}
            | {"below": 0.5, "above": 0.25, "missing": 1},
            {"kind": NOMINAL, "feature": 1, "sets": [0, 2, -1, 1], "first": 3, "n_children": 3},
            {"kind": OBLIQUE, "terms": [(0, 1.0), (1, 1.0)], "first": 6, "n_children": 2},
            *[{"response": [float(k)]} for k in range(3, 8)],
        ],
        n_features=2,
    )


def changed(tree, name, at, value):
    array = getattr(tree, name).copy()
    array[at] = value
    return tree.replace(**{name: array})


# -- invariants --------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "at", "value", "complaint"),
    [
        ("n_children", 3, -1, "n_children must be 0 at a leaf and at least 2"),
        ("n_children", 3, 1, "n_children must be 0 at a leaf and at least 2"),
        ("n_children", 2, 3, "8 nodes need 7 places as a child; n_children sums to 8"),
        ("kind", 0, 4, "kind must be 0 to 3; got 4"),
        ("kind", 3, NUMERIC, "kind is LEAF exactly where n_children is 0"),
        ("kind", 0, LEAF, "kind is LEAF exactly where n_children is 0"),
        ("kind", 1, NUMERIC, "numeric and oblique tests have two children"),
        ("kind", 0, OBLIQUE, "term_start gives entries to nodes of kind 3"),
        ("kind", 0, NOMINAL, "set_start gives entries to nodes of kind 2"),
        ("feature", 0, 2, "feature must be in 0..1 at numeric and nominal tests"),
        ("feature", 0, -1, "feature must be in 0..1 at numeric and nominal tests"),
        ("feature", 2, 0, "and -1 elsewhere; got 0"),
        ("feature", 3, 0, "and -1 elsewhere; got 0"),
        ("term_feature", 0, 2, "term_feature must be in 0..1; got 1..2"),
        ("term_feature", 0, -1, "term_feature must be in 0..1; got -1..1"),
        ("threshold", 0, np.nan, r"threshold must be finite \(nodes 0\)"),
        ("below", 0, np.inf, "below must be finite"),
        ("above", 0, np.nan, "above must be finite"),
        ("weight", 7, np.nan, r"weight must be finite \(nodes 7\)"),
        ("response", (4, 0), np.inf, r"response must be finite \(nodes 4\)"),
        ("term_weight", 1, np.nan, "term_weight must be finite"),
        ("below", 0, -0.1, "below must not be negative"),
        ("above", 0, -0.1, "above must not be negative"),
        ("weight", 0, -1.0, "weight must not be negative"),
        ("threshold", 1, 1.0, "threshold belongs to numeric and oblique tests"),
        ("below", 4, 1.0, "below belongs to numeric and oblique tests"),
        ("above", 1, 1.0, "above belongs to numeric and oblique tests"),
        ("missing_child", 0, 2, "missing_child must be -1 or one of the node's branches"),
        ("missing_child", 0, -2, "missing_child must be -1 or one of the node's branches"),
        ("missing_child", 5, 0, "missing_child must be -1 or one of the node's branches"),
        ("set_child", 0, 3, r"set_child must be -1 or one of the node's branches \(nodes 1\)"),
        ("set_child", 0, -2, "set_child must be -1 or one of the node's branches"),
        ("set_start", 1, 1, "set_start gives entries to nodes of kind 2"),
        ("term_start", 2, 1, "term_start gives entries to nodes of kind 3"),
        ("set_start", 0, 1, "set_start must be 9 ascending offsets from 0"),
        ("term_start", 8, 0, "term_start must be 9 ascending offsets from 0"),
        ("term_start", 8, 3, "term_feature must have the 3 entries"),
        ("set_start", 8, 5, "set_child must have the 5 entries"),
    ],
)
def test_every_broken_invariant_is_named(tree, name, at, value, complaint):
    with pytest.raises(MalformedTreeError, match=complaint):
        changed(tree, name, at, value)


@pytest.mark.parametrize("name", [n for n in ARRAYS if n not in ("response", "n_children")])
def test_every_wrong_length_is_named(tree, name):
    array = getattr(tree, name)
    with pytest.raises(MalformedTreeError, match=name):
        tree.replace(**{name: np.append(array, array[-1])})
    with pytest.raises(MalformedTreeError, match=name):
        tree.replace(**{name: np.stack([array, array])})


@pytest.mark.parametrize("shape", [(8,), (7, 1), (8, 0), (8, 1, 1)])
def test_response_has_a_row_for_each_node(tree, shape):
    with pytest.raises(MalformedTreeError, match=r"response must have shape \(8, n_outputs\)"):
        tree.replace(response=np.zeros(shape))


@pytest.mark.parametrize("n_children", [np.zeros(0), np.zeros((2, 2))])
def test_a_tree_has_a_root(tree, n_children):
    with pytest.raises(MalformedTreeError, match="n_children must be 1-D and hold a root"):
        tree.replace(n_children=n_children)


def test_parents_come_first():
    leaf = tree_of([{}], n_features=1)
    columns = {name: np.repeat(getattr(leaf, name), 3, axis=0) for name in ARRAYS[1:9]}
    ragged = {name: np.zeros(4) for name in ("term_start", "set_start")}
    empty = {name: np.zeros(0) for name in ("term_feature", "term_weight", "set_child")}
    with pytest.raises(MalformedTreeError, match="a parent must come before its children"):
        Tree(n_features=1, n_children=[0, 2, 0], **columns, **ragged, **empty)


def test_numbers_that_do_not_fit_are_refused(tree):
    with pytest.raises(MalformedTreeError, match="feature does not fit int32; got float64"):
        tree.replace(feature=tree.feature + 0.5)
    with pytest.raises(MalformedTreeError, match="kind does not fit int8; got int64"):
        tree.replace(kind=tree.kind.astype(np.int64) + 256)
    with pytest.raises(MalformedTreeError, match="n_features must not be negative"):
        tree.replace(n_features=-1)
    assert issubclass(MalformedTreeError, ValueError)
    assert issubclass(MalformedTreeError, SoftwoodError)


@given(trees(max_tests=8))
@checked
def test_shape_of_any_tree(tree):
    depth = [len(tree.path(node)) - 1 for node in range(tree.n_nodes)]
    assert_array_equal(tree.node_depth, depth)
    assert tree.depth == max(depth)
    assert np.all(np.diff(tree.node_depth) >= 0)  # breadth first
    assert tree.n_leaves == len(tree.leaves) == tree.is_leaf.sum()
    children = [child for node in range(tree.n_nodes) for child in tree.children(node)]
    assert children == list(range(1, tree.n_nodes))
    assert all(node in tree.children(int(tree.parent[node])) for node in range(1, tree.n_nodes))
    assert sorted(node for node, _ in tree.walk()) == list(range(tree.n_nodes))
    assert all(tree.node_depth[node] == d for node, d in tree.walk())


# -- renumbering -------------------------------------------------------------


@given(trees(max_tests=8), st.randoms(use_true_random=False))
@checked
def test_from_nodes_finds_the_order_again(tree, random):
    """Shuffle the families of a tree; from_nodes puts them back, and drops a stray one."""
    families = [[0], *[list(tree.children(k)) for k in np.flatnonzero(tree.n_children)]]
    random.shuffle(families)
    order = np.array([node for family in families for node in family])
    new_id = np.argsort(order)
    columns = {}
    for name in ARRAYS:
        if not name.startswith(("term", "set")):
            columns[name] = np.append(getattr(tree, name)[order], getattr(tree, name)[:1], axis=0)
    for start_name, names in (
        ("term_start", ("term_feature", "term_weight")),
        ("set_start", ("set_child",)),
    ):
        start = getattr(tree, start_name)
        parts = [slice(start[k], start[k + 1]) for k in [*order, 0]]
        columns[start_name] = np.cumsum([0, *(p.stop - p.start for p in parts)])
        for name in names:
            columns[name] = np.concatenate([getattr(tree, name)[p] for p in parts])
    first = np.where(tree.first_child >= 0, new_id[tree.first_child], -1)[order]
    again = Tree.from_nodes(
        n_features=tree.n_features,
        first_child=np.append(first, -1),
        root=int(new_id[0]),
        **columns,
    )
    assert again == tree


@pytest.mark.parametrize(
    ("first_child", "n_children"),
    [([0, -1, -1], [2, 0, 0]), ([1, 0, -1], [2, 2, 0]), ([2, -1, -1], [2, 0, 0])],
)
def test_from_nodes_refuses_what_is_not_a_tree(first_child, n_children):
    with pytest.raises(MalformedTreeError, match="outside of it, or to a node twice"):
        Tree.from_nodes(
            n_features=1,
            first_child=first_child,
            n_children=n_children,
            kind=[1, 0, 0],
            feature=[0, -1, -1],
            threshold=np.zeros(3),
            weight=np.ones(3),
            response=np.zeros((3, 1)),
        )


# -- new trees from old ------------------------------------------------------


@given(trees_and_rows(max_tests=8), st.data())
@checked
def test_leaf_of_a_compacted_tree_has_the_mass_of_what_it_replaced(case, data):
    tree, X = case
    cut = np.array(data.draw(st.lists(st.booleans(), min_size=tree.n_nodes, max_size=tree.n_nodes)))
    small = tree.compact(cut)
    # A node survives if nothing above it was cut; survivors keep their order.
    gone = np.zeros(tree.n_nodes, bool)
    for node in range(1, tree.n_nodes):
        gone[node] = gone[tree.parent[node]] or cut[tree.parent[node]]
    kept = np.flatnonzero(~gone)
    assert_array_equal(small.weight, tree.weight[kept])
    assert_array_equal(small.response, tree.response[kept])
    assert_array_equal(small.is_leaf, (tree.is_leaf | cut)[kept])
    for flow in (Hard(), Ramp(drop=0.0), Gaussian(0.5, drop=0.0)):
        reach = flow.reach(tree, X).toarray()[:, kept]
        assert_allclose(flow.reach(small, X).toarray(), reach, rtol=0, atol=1e-12)


@given(trees_and_rows(max_tests=8), st.data())
@checked
def test_subtree_answers_for_its_node(case, data):
    tree, X = case
    node = data.draw(st.integers(0, tree.n_nodes - 1))
    below = tree.subtree(node)
    inside = [k for k in range(tree.n_nodes) if node in tree.path(k)]
    assert_array_equal(below.response, tree.response[inside])
    reach = Hard().reach(tree, X).toarray()
    reached = reach[:, node] > 0
    expected = reach[reached][:, inside] / reach[reached][:, [node]]
    assert_allclose(Hard().reach(below, X[reached]).toarray(), expected, rtol=1e-12)


@pytest.mark.parametrize("kind", [NOMINAL, OBLIQUE])
def test_compact_keeps_the_terms_and_sets_of_those_that_stay(kind):
    def test(first, f):
        own = {"terms": [(f, 1.0 + f)]} if kind == OBLIQUE else {"feature": f, "sets": [f, 1 - f]}
        return {"kind": kind, "first": first, "n_children": 2, **own}

    tree = tree_of([test(1, 0), test(3, 0), test(5, 1), {}, {}, {}, {}], n_features=2)
    small = tree.compact(np.arange(7) == 1)
    assert_array_equal(small.kind, [kind, LEAF, kind, LEAF, LEAF])
    assert_array_equal(small.branch_of_category(2), tree.branch_of_category(2))
    assert_array_equal(small.terms(2), tree.terms(2))


def test_compact_of_nothing_is_the_same_tree(tree):
    assert tree.compact() == tree
    assert tree.subtree(0) == tree
    assert tree.compact(np.ones(8, bool)).n_nodes == 1
    with pytest.raises(IndexError, match=r"node must be in 0\.\.7; got 8"):
        tree.subtree(8)


def test_replace_leaves_the_original_alone(tree):
    moved = tree.replace(threshold=tree.threshold + (tree.kind == NUMERIC))
    assert moved.threshold[0] == 2.0
    assert tree.threshold[0] == 1.0


# -- housekeeping ------------------------------------------------------------


def test_tests_can_be_read(tree):
    features, slopes = tree.terms(2)
    assert_array_equal(features, [0, 1])
    assert_array_equal(slopes, [1.0, 1.0])
    assert_array_equal(tree.branch_of_category(1), [0, 2, -1, 1])
    assert [KIND_NAMES[k] for k in tree.kind[:4]] == ["numeric", "nominal", "oblique", "leaf"]
    assert tree.path(7) == [0, 2, 7]
    assert list(tree.levels()) == [(0, 1), (1, 3), (3, 8)]


@given(trees())
@checked
def test_copies_are_equal_and_frozen(tree):
    for again in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree), tree.replace()):
        assert again == tree
        for name in [*ARRAYS, "first_child"]:
            array = getattr(again, name)
            assert array.flags.c_contiguous
            assert not array.flags.writeable
            assert array.dtype == getattr(tree, name).dtype


def test_equality_sees_every_array(tree):
    for name, at, value in (
        ("threshold", 0, 1.5),
        ("weight", 3, 9.0),
        ("response", 3, 9.0),
        ("below", 0, 0.0),
        ("missing_child", 0, 0),
        ("set_child", 0, 1),
        ("term_weight", 0, 2.0),
    ):
        assert changed(tree, name, at, value) != tree
    assert tree != "a tree"
    with pytest.raises(TypeError, match="unhashable"):
        hash(tree)


def test_the_callers_arrays_stay_his_own():
    weight = np.array([4.0, 1.0, 3.0])
    test = {"kind": NUMERIC, "feature": 0, "first": 1, "n_children": 2}
    tree = tree_of([test, {}, {}], n_features=1).replace(weight=weight)
    weight[0] = 99.0
    assert tree.weight[0] == 4.0
    with pytest.raises(ValueError, match="read-only"):
        tree.weight[0] = 99.0
    with pytest.raises(AttributeError):
        tree.weight = weight


def test_repr(tree):
    assert repr(tree) == "Tree(n_nodes=8, n_leaves=5, depth=2, n_features=2, n_outputs=1)"
