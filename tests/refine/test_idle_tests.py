"""Tests that no row can pass are removed, and nothing else changes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.data.training import TrainingSet
from softwood.flow import Hard, Ramp
from softwood.refine.idle_tests import without_idle_tests
from softwood.refine.responses import node_weights, with_flow_weights
from softwood.tree import NUMERIC
from tests.strategies import checked, tree_of, trees_and_rows

flows = st.sampled_from([Hard(), Ramp(), Ramp(shape="logistic")])


def data_of(tree, X, weight=None):
    return TrainingSet.of_target(X, np.zeros(len(X)), weight=weight)


@given(trees_and_rows(max_tests=8), flows)
@checked
def test_without_sides_that_get_nothing_rows_are_answered_as_before(case, flow):
    tree, X = case
    kept = without_idle_tests(tree, flow, data_of(tree, X), least_rows=0.0)
    assert_allclose(flow.predict(kept, X), flow.predict(tree, X), rtol=0, atol=1e-12)
    weight = node_weights(kept, flow, data_of(tree, X))
    for node in np.flatnonzero(kept.n_children):
        children = weight[list(kept.children(int(node)))]
        assert np.count_nonzero(children) > 1


@given(trees_and_rows(max_tests=8), flows, st.sampled_from([0.1, 1.0, 3.0]))
@checked
def test_every_test_that_stays_divides_the_rows(case, flow, least):
    tree, X = case
    kept = without_idle_tests(tree, flow, data_of(tree, X), least)
    weight = node_weights(kept, flow, data_of(tree, X))
    for node in np.flatnonzero(kept.n_children):
        children = weight[list(kept.children(int(node)))]
        assert children.sum() - children.max() > least * (1.0 - 1e-9)


@given(trees_and_rows(max_tests=6, missing=False), flows)
@checked
def test_weights_add_up_to_those_of_the_rows(case, flow):
    tree, X = case
    weight = np.arange(1.0, len(X) + 1)
    soft = with_flow_weights(tree, flow, data_of(tree, X, weight))
    expected = np.asarray(flow.reach(tree, X).T @ weight)
    # Categories that nobody knows divide by the weights, which change.
    if not (tree.kind == 2).any():
        assert_allclose(soft.weight, expected, rtol=1e-12, atol=1e-12)
    assert_allclose(soft.weight[0], weight.sum())
    assert_array_equal(soft.response[soft.leaves], tree.response[tree.leaves])


def test_a_chain_of_idle_tests_goes_at_once():
    def test(first, cut):
        return {"kind": NUMERIC, "feature": 0, "threshold": cut, "first": first, "n_children": 2}

    leaf = [{"response": [float(k)]} for k in range(4)]
    tree = tree_of([test(1, -9.0), leaf[0], test(3, 9.0), test(5, 0.5), leaf[1], *leaf[2:]], 1)
    data = TrainingSet.of_target(np.array([[0.0], [1.0]]), np.zeros(2))
    kept = without_idle_tests(tree, Hard(), data)
    assert kept.n_nodes == 3
    assert kept.threshold[0] == 0.5
    assert_array_equal(kept.response[1:, 0], [2.0, 3.0])
