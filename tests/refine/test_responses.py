"""Weights and responses of a tree that has changed: sums and means of what lies below."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.data.training import TrainingSet
from softwood.flow import Hard, Ramp
from softwood.refine.responses import node_weights, with_flow_weights, with_inner_responses
from tests.strategies import trees, trees_and_rows


@given(trees(n_outputs=2), st.integers(0, 99))
def test_inner_nodes_answer_the_mean_of_their_leaves(tree, seed):
    response = np.random.default_rng(seed).random((tree.n_nodes, 2))
    changed = with_inner_responses(tree, response)
    assert_array_equal(changed.response[tree.leaves], response[tree.leaves])
    for node in np.flatnonzero(~tree.is_leaf):
        children = list(tree.children(node))
        weight = tree.weight[children]
        expected = np.average(
            changed.response[children], axis=0, weights=weight if weight.sum() > 0 else None
        )
        assert_allclose(changed.response[node], expected, rtol=1e-12)


def training_set(X, seed=0):
    rng = np.random.default_rng(seed)
    return TrainingSet.of_target(X, np.zeros(len(X)), weight=rng.integers(1, 4, len(X)) / 2)


@given(trees_and_rows(), st.sampled_from([Hard(), Ramp()]))
def test_weights_are_the_mass_that_flows_through(case, flow):
    tree, X = case
    data = training_set(X)
    weight = node_weights(tree, flow, data)
    assert_allclose(weight, flow.reach(tree, X).T @ data.weight, rtol=1e-12, atol=1e-12)
    assert_allclose(weight[0], data.weight.sum())


@given(trees_and_rows(missing=False), st.sampled_from([Hard(), Ramp()]))
def test_without_gaps_weights_are_found_at_once(case, flow):
    tree, X = case
    data = training_set(X)
    changed = with_flow_weights(tree, flow, data)
    assert_array_equal(changed.weight, node_weights(tree, flow, data))
    assert_array_equal(changed.response[tree.leaves], tree.response[tree.leaves])


@given(trees_and_rows(), st.sampled_from([Hard(), Ramp()]))
def test_rows_with_gaps_follow_the_weights_that_they_make(case, flow):
    tree, X = case
    data = training_set(np.tile(X, (3, 1)))
    changed = with_flow_weights(tree, flow, data)
    assert_allclose(changed.weight[0], data.weight.sum())
    sums = np.zeros(tree.n_nodes)
    np.add.at(sums, tree.parent[1:], changed.weight[1:])
    inner = ~tree.is_leaf
    assert_allclose(sums[inner], changed.weight[inner], rtol=1e-9, atol=1e-9)
