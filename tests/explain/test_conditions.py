"""What holds at a node holds of the rows that pass it, and of no others."""

import numpy as np
from hypothesis import given

from softwood.explain.conditions import conditions_of
from softwood.flow import leaf_of
from softwood.tree import NOMINAL, NUMERIC, OBLIQUE
from tests.strategies import checked, tree_of, trees_and_rows


def meets(condition, row, tree):
    """Whether a row of complete numbers meets a condition, by definition."""
    if condition.step is not None:
        value = sum(weight * row[feature] for feature, weight in condition.terms)
        return condition.low < value <= condition.high
    value = row[condition.feature]
    if condition.codes is not None:
        return value in condition.codes
    return condition.low < value <= condition.high


@checked
@given(trees_and_rows(missing=False, kinds=(NUMERIC, OBLIQUE)))
def test_a_row_meets_the_conditions_of_its_leaf_and_of_no_other(case):
    tree, rows = case
    parent = tree.parent
    found = {leaf: conditions_of(tree, leaf, parent) for leaf in tree.leaves.tolist()}
    for row, leaf in zip(rows, leaf_of(tree, rows).tolist(), strict=True):
        met = [node for node, own in found.items() if all(meets(one, row, tree) for one in own)]
        assert met == [leaf]


def test_tests_of_one_feature_become_one_condition_in_the_order_of_the_path():
    cut = {"kind": NUMERIC, "n_children": 2}
    tree = tree_of(
        [
            {**cut, "first": 1, "feature": 1, "threshold": 3.0},
            {**cut, "first": 3, "feature": 0, "threshold": 0.5},
            {},
            {},
            {**cut, "first": 5, "feature": 1, "threshold": 1.0},
            {},
            {"kind": NOMINAL, "n_children": 2, "first": 7, "feature": 2, "sets": [0, 1, 0]},
            {},
            {},
        ],
        n_features=3,
    )
    last, first, codes = conditions_of(tree, tree.n_nodes - 2, tree.parent)
    assert (last.feature, last.low, last.high) == (1, 1.0, 3.0)
    assert (first.feature, first.low, first.high) == (0, 0.5, np.inf)
    assert (codes.feature, codes.codes) == (2, (0, 2))
    assert last.ends == (True, True)
    assert first.ends == (True, False)


def test_the_root_has_no_conditions():
    tree = tree_of([{}], n_features=1)
    assert conditions_of(tree, 0, tree.parent) == ()
