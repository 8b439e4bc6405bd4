"""Heavy branches are shown, light ones folded, and none is lost."""

from hypothesis import given
from hypothesis import strategies as st

from softwood.cli.terminal._folding import folded, leaves_below
from softwood.tree import NOMINAL
from tests.strategies import checked, tree_of, trees


@checked
@given(trees(max_tests=12), st.integers(3, 20))
def test_no_more_lines_than_there_is_room_and_every_leaf_is_counted(tree, max_lines):
    shown = folded(tree, max_lines)
    rows = list(shown.walk())
    assert len(rows) == shown.n_lines <= max_lines
    leaves = 0
    for node, _, lasts in rows:
        if node < 0:
            leaves += int(shown.n_leaves[shown.hidden[~node]].sum())
        elif node not in shown.children:
            leaves += int(shown.n_leaves[node])
        assert len(lasts) == 0 or isinstance(lasts[-1], bool)
    assert leaves == tree.n_leaves


@checked
@given(trees(max_tests=12))
def test_without_a_limit_all_is_shown_in_the_order_of_the_tree(tree):
    shown = folded(tree, None)
    assert [(node, depth) for node, depth, _ in shown.walk()] == list(tree.walk())
    assert not shown.hidden


@checked
@given(trees(max_tests=12))
def test_leaves_are_counted(tree):
    count = leaves_below(tree)
    for node in range(tree.n_nodes):
        below = [k for k, _ in tree.walk(node) if tree.n_children[k] == 0]
        assert count[node] == len(below)


def test_of_many_branches_the_light_ones_are_put_together():
    tree = tree_of(
        [
            {"kind": NOMINAL, "feature": 0, "sets": [*range(9)], "first": 1, "n_children": 9,
             "weight": 45.0},
            *({"weight": float(k + 1)} for k in range(9)),
        ],
        n_features=1,
    )  # fmt: skip
    shown = folded(tree, 5)
    assert shown.children == {0: [7, 8, 9]}
    assert shown.hidden == {0: [1, 2, 3, 4, 5, 6]}
    assert [node for node, _, _ in shown.walk()] == [0, 7, 8, 9, -1]
