"""Binary trees with two child pointers become ours."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from softwood.flow import Hard
from softwood.interop._binary import BinaryNodes, added_up, tree_of_nodes, with_mean_answers
from tests.strategies import tree_of


def nodes(**changes):
    """Children that are not adjacent, and a node that no longer hangs anywhere."""
    columns = {
        "left": np.array([4, -1, -1, -1, 1, -1]),
        "right": np.array([2, -1, -1, -1, 5, -1]),
        "feature": np.array([0, 0, 0, 0, 1, 0]),
        "threshold": np.array([np.inf, 0.0, 0.0, 0.0, 0.5, 0.0]),
        "missing_left": np.array([False, False, False, False, True, False]),
        "weight": np.array([9.0, 1.0, 2.0, 50.0, 9.0, 3.0]),
        "value": np.array([9.0, 10.0, 20.0, 50.0, 9.0, 30.0]),
    }
    return BinaryNodes(**columns | changes)


def test_nodes_are_put_in_order():
    tree = tree_of_nodes(nodes(), n_features=2)
    assert tree.n_children.tolist() == [2, 2, 0, 0, 0]
    assert tree.weight.tolist() == [6.0, 4.0, 2.0, 1.0, 3.0]
    assert_allclose(tree.response[:, 0], [140 / 6, 25.0, 20.0, 10.0, 30.0])
    rows = [[1e308, 0.5], [1e308, 0.6], [np.nan, 0.0], [0.0, np.nan]]
    assert Hard().predict(tree, rows)[:, 0].tolist() == [10.0, 30.0, 20.0, 10.0]


def test_categories_that_go_left():
    tree = tree_of_nodes(nodes(goes_left={4: np.array([True, False, True])}), n_features=2)
    rows = [[0.0, 0.0], [0.0, 1.0], [0.0, 2.0], [0.0, np.nan]]
    assert Hard().predict(tree, rows)[:, 0].tolist() == [10.0, 30.0, 10.0, 10.0]
    assert tree.threshold.tolist()[1:] == [0.0] * 4


def test_a_lone_leaf():
    one = np.array([0])
    tree = tree_of_nodes(BinaryNodes(one - 1, one - 1, one, one, one, one, one + 7.0), 3)
    assert tree.n_nodes == 1
    assert tree.response.tolist() == [[7.0]]


def test_means_where_nothing_has_weight():
    inner = {"kind": 1, "feature": 0, "n_children": 2}
    tree = tree_of(
        [
            {**inner, "first": 1, "response": [9.0], "weight": 2.0},
            {**inner, "first": 3, "response": [9.0], "weight": 0.0},
            {"response": [8.0], "weight": 2.0},
            {"response": [1.0], "weight": 0.0},
            {"response": [3.0], "weight": 0.0},
        ],
        n_features=1,
    )
    assert with_mean_answers(tree).response[:, 0].tolist() == [8.0, 2.0, 8.0, 1.0, 3.0]
    assert_array_equal(added_up(tree, np.ones(5)), [3.0, 2.0, 1.0, 1.0, 1.0])
