"""Rows at nodes: against the flow, and against sums written out."""

import numpy as np
from hypothesis import given
from numpy.testing import assert_array_equal

from softwood.flow import Hard
from softwood.refine.node_rows import NodeRows, compared, weights_of
from softwood.tree import NUMERIC, OBLIQUE
from tests.strategies import trees_and_rows


@given(trees_and_rows())
def test_rows_are_where_their_mass_is(case):
    tree, X = case
    rows = NodeRows.of(tree, X)
    mass = Hard().reach(tree, X).toarray()
    for node in range(tree.n_nodes):
        assert_array_equal(rows.at(node), np.flatnonzero(mass[:, node] > 0.0))


@given(trees_and_rows())
def test_values_are_what_tests_compare(case):
    tree, X = case
    rows = NodeRows.of(tree, X)
    values = rows.values(tree)
    tests = compared(tree)
    assert tests == [k for k in range(tree.n_nodes) if tree.kind[k] in (NUMERIC, OBLIQUE)]
    for node in range(tree.n_nodes):
        own = values[rows.part(node)]
        if node not in tests:
            assert np.isnan(own).all()
            continue
        is_numeric = tree.kind[node] == NUMERIC
        features, weights = (tree.feature[[node]], [1.0]) if is_numeric else tree.terms(node)
        expected = np.zeros(len(own))
        for feature, weight in zip(features, weights, strict=True):
            expected = expected + weight * X[rows.at(node), feature]
        assert_array_equal(own, expected)


@given(trees_and_rows(missing=False))
def test_weights_make_the_values(case):
    tree, X = case
    rows = NodeRows.of(tree, X)
    values = rows.values(tree)
    for node in compared(tree):
        expected = X[rows.at(node)] @ weights_of(tree, node)
        np.testing.assert_allclose(values[rows.part(node)], expected, atol=1e-12)
