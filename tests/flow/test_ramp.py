"""The ramp against its definition, random draws and the hard tree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.flow import Hard, Ramp
from softwood.tree import NUMERIC
from tests.oracles import spreading
from tests.strategies import WITHOUT_JIT, checked, tree_of, trees_and_rows

N_DRAWS = 20_000 if WITHOUT_JIT else 200_000


def dense(flow, tree, X):
    return flow.spread(tree, X).toarray()


def stump(below, above):
    test = {"kind": NUMERIC, "feature": 0, "first": 1, "n_children": 2}
    return tree_of([test | {"below": below, "above": above}, {}, {}], n_features=1)


@given(trees_and_rows(max_tests=8))
@checked
def test_ramp_flow_equals_recursion(case):
    tree, X = case
    expected = np.array([spreading.ramp(tree, x) for x in X])
    assert_allclose(dense(Ramp(), tree, X), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", ["logistic", "normal"])
@given(case=trees_and_rows(max_tests=8))
@checked
def test_curved_flow_equals_recursion(shape, case):
    tree, X = case
    expected = np.array([spreading.curved(tree, x, shape) for x in X])
    assert_allclose(dense(Ramp(shape=shape), tree, X), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", ["linear", "logistic", "normal"])
def test_all_shapes_have_the_same_slopes_at_the_threshold(shape):
    tree, step = stump(0.2, 0.5), 1e-7
    mass = dense(Ramp(shape=shape), tree, [[-step], [0.0], [step]])[:, 0]
    assert_allclose(np.diff(mass) / step, [-1 / 0.4, -1 / 1.0], rtol=1e-5)


def test_unknown_shape_is_refused():
    with pytest.raises(ValueError, match="shape must be one of linear, logistic, normal"):
        Ramp(shape="cubic")


@given(trees_and_rows(max_tests=4))
@checked
def test_ramp_is_a_two_sided_uniform_perturbation(case):
    tree, X = case
    X = X + 0.01  # a tie has noise on one side only where the other width is zero
    rng = np.random.default_rng(0)
    n = N_DRAWS // 10
    mass = dense(Ramp(), tree, X[:1])[0]
    drawn = spreading.monte_carlo_ramp(tree, X[0], n, rng)
    # Five and not four: hypothesis tries a hundred trees of several leaves each time.
    assert np.all(np.abs(mass - drawn) < 5 * spreading.standard_error(mass, n))


@pytest.mark.parametrize(
    ("below", "above", "expected"),
    [
        (2.0, 1.0, [1.0, 1.0, 0.75, 0.5, 0.25, 0.0, 0.0]),
        (0.0, 1.0, [1.0, 1.0, 1.0, 0.5, 0.25, 0.0, 0.0]),
        (2.0, 0.0, [1.0, 1.0, 0.75, 0.5, 0.0, 0.0, 0.0]),
        (0.0, 0.0, [1.0, 1.0, 1.0, 0.5, 0.0, 0.0, 0.0]),
    ],
)
def test_shape_of_the_ramp(below, above, expected):
    X = np.array([[-3.0], [-2.0], [-1.0], [0.0], [0.5], [1.0], [2.0]])
    assert_array_equal(dense(Ramp(), stump(below, above), X)[:, 0], expected)


@given(trees_and_rows(max_tests=8))
@checked
def test_zero_widths_are_hard_but_for_ties(case):
    """On a tie both subtrees answer, and their mean is the answer."""
    tree, X = case
    tree = tree.replace(below=np.zeros(tree.n_nodes), above=np.zeros(tree.n_nodes))
    for x in X:
        tied = any(
            spreading.value_of(tree, k, x) == tree.threshold[k]
            for k in range(tree.n_nodes)
            if tree.term_start[k] < tree.term_start[k + 1] or tree.kind[k] == NUMERIC
        )
        mass = dense(Ramp(), tree, x[None])
        if tied:
            assert_allclose(mass[0], spreading.ramp(tree, x), rtol=1e-14)
        else:
            assert_array_equal(mass, dense(Hard(), tree, x[None]))


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=8), st.floats(0.0, 2.0), st.floats(0.0, 2.0))
@checked
def test_left_mass_falls_as_the_value_grows(values, below, above):
    X = np.array(sorted(values))[:, None]
    left = dense(Ramp(drop=0.0), stump(below, above), X)[:, 0]
    assert np.all(np.diff(left) <= 0)
    assert np.all((left >= 0) & (left <= 1))


@given(trees_and_rows(max_tests=8), st.sampled_from([1e-15, 1e-9, 0.2]))
@checked
def test_dropped_mass_is_bounded_and_kept(case, drop):
    tree, X = case
    whole, mass = dense(Ramp(drop=0.0), tree, X), dense(Ramp(drop=drop), tree, X)
    assert_allclose(mass.sum(axis=1), 1.0, rtol=0, atol=1e-12)
    n_tests = tree.n_nodes - tree.n_leaves
    assert np.all(np.abs(mass - whole).sum(axis=1) <= 2 * drop * n_tests + 1e-12)
