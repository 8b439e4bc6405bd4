"""Where the nodes of a tree go: the rules of tidy trees, for any tree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.plot._tree_layout import Sizes, lay_out, tidy_places
from tests.strategies import checked

CLOSE = 1e-9


@st.composite
def shapes(draw, max_tests=12, most=4):
    """Draw the children of each node, breadth first."""
    children = [0]
    for _ in range(draw(st.integers(0, max_tests))):
        leaves = [node for node, n in enumerate(children) if n == 0]
        grown = leaves[draw(st.integers(0, len(leaves) - 1))]
        n = draw(st.integers(2, most))
        # The new block goes where breadth first has it: behind those of the nodes before.
        place = 1 + sum(children[:grown])
        children[grown] = n
        children[place:place] = [0] * n
    return np.array(children)


def blocks(n_children):
    n_children = np.asarray(n_children)
    ends = 1 + np.cumsum(n_children)
    return np.where(n_children > 0, ends - n_children, -1), n_children


def depths(n_children):
    first, n_children = blocks(n_children)
    depth = np.zeros(n_children.size, dtype=int)
    for node in np.flatnonzero(n_children):
        depth[first[node] : first[node] + n_children[node]] = depth[node] + 1
    return depth


def mirrored(n_children):
    """The children of each node of the mirrored tree, and which node each of them was."""
    first, n_children = blocks(n_children)
    level, order = [0], []
    while level:
        order += level
        level = [c for k in level for c in range(first[k], first[k] + n_children[k])[::-1]]
    return n_children[order], np.array(order)


def below(n_children, root):
    """The nodes of a subtree, breadth first."""
    first, n_children = blocks(n_children)
    level, nodes = [root], []
    while level:
        nodes += level
        level = [c for k in level for c in range(first[k], first[k] + n_children[k])]
    return nodes


@checked
@given(shapes())
def test_nodes_of_a_level_keep_their_order_and_a_distance(n_children):
    x, depth = tidy_places(*blocks(n_children)), depths(n_children)
    assert x.min() == 0.0
    for level in range(depth.max() + 1):
        assert np.all(np.diff(x[depth == level]) >= 1.0 - CLOSE)


@checked
@given(shapes())
def test_a_parent_is_in_the_middle(n_children):
    first, n_children = blocks(n_children)
    x = tidy_places(first, n_children)
    for node in np.flatnonzero(n_children):
        last = first[node] + n_children[node] - 1
        assert x[node] == pytest.approx((x[first[node]] + x[last]) / 2.0, abs=CLOSE)


@checked
@given(shapes())
def test_the_mirrored_tree_has_the_mirrored_layout(n_children):
    x = tidy_places(*blocks(n_children))
    other, order = mirrored(n_children)
    np.testing.assert_allclose(tidy_places(*blocks(other)), x.max() - x[order], atol=CLOSE)


@checked
@given(shapes())
def test_subtrees_of_one_shape_look_the_same(n_children):
    x = tidy_places(*blocks(n_children))
    for root in range(n_children.size):
        nodes = below(n_children, root)
        alone = tidy_places(*blocks(n_children[nodes]))
        np.testing.assert_allclose(x[nodes] - x[root], alone - alone[0], atol=CLOSE)


@checked
@given(shapes(most=2))
def test_two_subtrees_are_as_close_as_can_be(n_children):
    first, n_children = blocks(n_children)
    x, depth = tidy_places(first, n_children), depths(n_children)
    for node in np.flatnonzero(n_children):
        left, right = (np.array(below(n_children, first[node] + k)) for k in (0, 1))
        gaps = [
            x[right[depth[right] == level]].min() - x[left[depth[left] == level]].max()
            for level in range(depth[node] + 1, min(depth[left].max(), depth[right].max()) + 1)
        ]
        assert min(gaps) == pytest.approx(1.0, abs=CLOSE)


def test_small_subtrees_between_large_ones_stand_in_the_middle():
    #        0
    #   1    2    3
    #  456       789
    x = tidy_places(*blocks([3, 3, 0, 3, 0, 0, 0, 0, 0, 0]))
    assert x[:4].tolist() == [2.5, 1.0, 2.5, 4.0]


@pytest.mark.parametrize("deeper", [0, 1])
def test_a_chain_of_thousands(deeper):
    n_tests = 5000
    n_children = np.zeros(2 * n_tests + 1, dtype=int)
    inner = np.concatenate([[0], 2 * np.arange(n_tests - 1) + 1 + deeper])
    n_children[inner] = 2
    x = tidy_places(*blocks(n_children))
    # Each level is half a step further; the leaf beside the chain is where it has to be.
    np.testing.assert_allclose(np.abs(np.diff(x[inner])), 0.5)
    assert np.ptp(x) == n_tests / 2 + 0.5


@st.composite
def shapes_and_sizes(draw):
    n_children = draw(shapes())
    side = st.floats(0.1, 3.0)
    columns = [draw(st.lists(side, min_size=n, max_size=n)) for n in [n_children.size] * 4]
    return n_children, Sizes(*map(np.array, columns))


@checked
@given(shapes_and_sizes())
def test_boxes_and_labels_do_not_overlap(drawn):
    n_children, sizes = drawn
    layout = lay_out(*blocks(n_children), sizes)
    bottom = layout.box_top - sizes.box_height
    width = np.maximum(sizes.box_width, sizes.label_width)
    top = layout.box_top + sizes.label_height
    for a in range(n_children.size):
        for b in range(a):
            beside = abs(layout.x[a] - layout.x[b]) >= (width[a] + width[b]) / 2.0
            assert beside or top[a] <= bottom[b] or top[b] <= bottom[a]
    assert np.all(layout.x - width / 2.0 >= -CLOSE)
    assert np.all(layout.x + width / 2.0 <= layout.width + CLOSE)
    assert bottom.min() >= -layout.height - CLOSE
    assert top.max() <= CLOSE


@checked
@given(shapes_and_sizes())
def test_edges_run_across_where_nothing_stands(drawn):
    n_children, sizes = drawn
    layout, depth = lay_out(*blocks(n_children), sizes), depths(n_children)
    bottom, top = layout.box_top - sizes.box_height, layout.box_top + sizes.label_height
    for level in range(1, depth.max() + 1):
        start, end = layout.edges_start[depth == level], layout.edges_end[depth == level]
        assert np.ptp(start) == np.ptp(end) == 0.0
        assert bottom[depth == level - 1].min() >= start[0] - CLOSE
        assert start[0] > end[0] >= top[depth == level].max() - CLOSE
