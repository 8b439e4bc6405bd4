"""Contributions add up to the prediction, and are the moves along the path."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from softwood.explain._ensembles import ensemble_of
from softwood.explain.contributions import moves_of
from softwood.flow import Gaussian, Hard, Ramp, Sampled
from softwood.forest import Forest
from softwood.tree import NOMINAL, NUMERIC, OBLIQUE
from tests.strategies import checked, rows_for, tree_of, trees

FLOWS = [Hard(), Ramp(), Gaussian(0.3), Gaussian(0.3, exact=False), Sampled(0.3, n=5)]


@st.composite
def forests_and_rows(draw):
    """Draw trees that test the same columns as nominal, how they add up, and a row."""
    kinds = draw(st.sampled_from([(NUMERIC,), (NUMERIC, OBLIQUE), (NOMINAL,)]))
    made = [draw(trees(kinds=kinds, max_tests=4)) for _ in range(draw(st.integers(1, 3)))]
    weights = [draw(st.sampled_from([0.5, 1.0, 2.0])) for _ in made]
    if draw(st.booleans()):
        forest = Forest.average(made, weights)
    else:
        made = [tree.replace(response=tree.response[:, :1].copy()) for tree in made]
        output = [draw(st.integers(0, 1)) for _ in made]
        forest = Forest(tuple(made), output, weights, base=[0.25, -1.0])
    return forest, draw(rows_for(made[0], max_rows=1))


@pytest.mark.parametrize("flow", FLOWS, ids=repr)
@checked
@given(forests_and_rows())
def test_they_add_up_under_every_flow(flow, case):
    forest, rows = case
    ensemble = replace(ensemble_of(forest), flows=[flow] * forest.n_trees)
    moves = moves_of(ensemble, rows[0])
    total = moves.base + moves.by_column.sum(axis=0)
    assert_allclose(total, forest.raw(rows, flow)[0], atol=1e-9)


def stump_of(**root):
    leaves = [{"weight": 1.0, "response": [0.0]}, {"weight": 3.0, "response": [4.0]}]
    return tree_of(
        [{"first": 1, "n_children": 2, "weight": 4.0, "response": [3.0], **root}, *leaves],
        n_features=3,
    )


def moved(tree, row):
    return moves_of(ensemble_of(Forest.average([tree])), np.array(row)).by_column[:, 0].tolist()


def test_a_hard_path_by_hand():
    deep = tree_of(
        [
            {"kind": NUMERIC, "feature": 0, "threshold": 0.5, "first": 1, "n_children": 2,
             "response": [3.0]},
            {"response": [1.0]},
            {"kind": NUMERIC, "feature": 2, "threshold": 0.5, "first": 3, "n_children": 2,
             "response": [5.0]},
            {"response": [4.0]},
            {"response": [6.5]},
        ],
        n_features=3,
    )  # fmt: skip
    assert moved(deep, [1.0, 9.0, 1.0]) == [2.0, 0.0, 1.5]
    assert moved(deep, [0.0, 9.0, 1.0]) == [-2.0, 0.0, 0.0]


def test_a_missing_value_moves_nothing_where_nodes_are_means():
    tree = stump_of(kind=NUMERIC, feature=1, threshold=0.0)
    assert moved(tree, [0.0, np.nan, 0.0]) == [0.0, 0.0, 0.0]
    assert moved(tree, [0.0, 1.0, 0.0]) == [0.0, 1.0, 0.0]


def test_an_oblique_test_is_shared_by_the_size_of_its_terms():
    tree = stump_of(kind=OBLIQUE, terms=[(0, 1.0), (2, -2.0)], threshold=0.0)
    assert moved(tree, [6.0, 5.0, 1.0]) == [0.75, 0.0, 0.25]
    assert moved(tree, [0.0, 5.0, 0.0]) == [-1.5, 0.0, -1.5]


def test_of_an_oblique_test_that_cannot_be_taken_the_missing_share_the_move():
    uneven = stump_of(kind=OBLIQUE, terms=[(0, 1.0), (2, -2.0)], threshold=0.0, response=[2.0])
    assert moved(uneven, [6.0, 5.0, np.nan]) == [0.0, 0.0, 1.0]


def test_each_tree_says_what_it_answers():
    trees_ = [stump_of(kind=NUMERIC, feature=0, threshold=cut) for cut in (0.0, 2.0)]
    forest = Forest(tuple(trees_), [0, 1], [1.0, 2.0], base=[0.0, 0.0])
    moves = moves_of(ensemble_of(forest), np.array([1.0, 0.0, 0.0]))
    np.testing.assert_array_equal(moves.answers, [[4.0, np.nan], [np.nan, 0.0]])
    np.testing.assert_array_equal(moves.roots, [[3.0, np.nan], [np.nan, 3.0]])
