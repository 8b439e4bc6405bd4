"""Blocks of rows against rows one by one, and the table against SciPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import ndtr

from softwood._kernels.flow.gates import gaussian_gates
from softwood._kernels.flow.spread_blocks import BLOCK_ROWS, distribution
from softwood._kernels.normal import CDF_TOP, cdf_table
from softwood.flow import Gaussian
from softwood.flow import spreading as parts
from softwood.tree import NUMERIC, OBLIQUE
from tests.strategies import checked, tree_of, trees, trees_and_rows

SCALE = np.array([0.5, 0.0, 1.0])
drops = st.sampled_from([1e-15, 1e-9, 1e-3, 0.2])


def test_the_table_is_the_distribution_function():
    z = np.concatenate([np.linspace(-9.0, 9.0, 4001), [-CDF_TOP, 0.0, CDF_TOP, -1e300, np.inf]])
    table = cdf_table()
    assert_allclose([distribution(point, table) for point in z], ndtr(z), rtol=0, atol=1e-15)


@given(trees_and_rows(kinds=(NUMERIC, OBLIQUE), max_tests=12, missing=False), st.booleans(), drops)
@checked
def test_blocks_agree_with_rows_one_by_one(case, exact, drop):
    tree, X = case
    X = parts.checked_rows(tree, X)
    gates = gaussian_gates(tree.nodes, SCALE, exact, drop)
    together = parts._predict_by_blocks(tree, gates, X, tree.response)
    one_by_one = parts._predict_row_by_row(tree, gates, X, tree.response)
    # A mass next to the drop may fall on either side of it, and a leaf of one class has all of its.
    atol = 2 * drop if drop >= 1e-3 else 1e-13 + 2 * tree.n_leaves * drop
    assert_allclose(together, one_by_one, rtol=0, atol=atol)


@given(
    trees_and_rows(kinds=(NUMERIC, OBLIQUE), max_tests=12, missing=False),
    st.booleans(),
    st.sampled_from([0.0, 1e-15, 1e-9, 1e-3]),
    st.integers(1, 3),
)
@checked
def test_leaves_of_one_class_have_all_their_mass(case, exact, drop, every):
    tree, X = case
    X = parts.checked_rows(tree, X)
    gates = gaussian_gates(tree.nodes, SCALE, exact, drop)
    response = np.where(np.arange(tree.n_nodes)[:, None] % every == 0, np.eye(tree.n_nodes), 0.5)
    together = parts._predict_by_blocks(tree, gates, X, response)
    one_by_one = parts._predict_row_by_row(tree, gates, X, response)
    # Here a leaf has the mass below the drop as well; on the way row by row it may not.
    assert_allclose(together, one_by_one, rtol=0, atol=1e-13 + 2 * tree.n_leaves * drop)


@given(trees(kinds=(NUMERIC,), max_tests=12))
@checked
def test_a_row_does_not_notice_its_block(tree):
    X = np.random.default_rng(0).normal(size=(BLOCK_ROWS + 3, tree.n_features))
    flow = Gaussian(SCALE, drop=1e-9)
    whole = flow.predict(tree, X)
    for rows in (slice(0, 1), slice(5, 9), slice(BLOCK_ROWS - 1, None)):
        assert_array_equal(flow.predict(tree, X[rows]), whole[rows])


@given(trees_and_rows(kinds=(NUMERIC, OBLIQUE), max_tests=8))
@checked
def test_rows_with_and_without_holes_keep_their_order(case):
    tree, X = case
    flow = Gaussian(SCALE)
    mass = flow.spread(tree, X)
    assert_allclose(flow.predict(tree, X), mass @ tree.response[tree.leaves], rtol=0, atol=1e-13)


@pytest.mark.parametrize("drop", [1e-9, 1e-4])
def test_the_mass_that_is_dropped_is_bounded(drop):
    nodes, n = [], 30  # a comb: each test sends what is under its cut to a leaf
    for i in range(n):
        test = {"kind": NUMERIC, "feature": 0, "threshold": i / n, "n_children": 2}
        nodes += [test | {"first": 2 * i + 1}, {}]
    tree = tree_of([*nodes, {}], n_features=1)
    response = np.eye(tree.n_nodes)
    X = np.linspace(-0.2, 1.2, 50)[:, None]
    whole = Gaussian(0.2, drop=0.0).predict(tree, X, response)
    pruned = Gaussian(0.2, drop=drop).predict(tree, X, response)
    assert_allclose(pruned.sum(axis=1), 1.0, rtol=1e-12)
    assert np.abs(whole - pruned).sum(axis=1).max() <= 2 * drop * n


def test_hard_tests_far_rows_and_zero_noise():
    tree = tree_of(
        [{"kind": NUMERIC, "feature": 0, "first": 1, "n_children": 2}, {}, {}], n_features=1
    )
    X = [[-1e3], [0.0], [1e3], [1e-320]]
    response = np.eye(3)
    for scale in (0.0, 1e-320):
        got = Gaussian(scale).predict(tree, X[:3], response)
        tie = [0, 1, 0] if scale == 0.0 else [0, 0.5, 0.5]
        assert_array_equal(got, [[0, 1, 0], tie, [0, 0, 1]])
    assert_array_equal(Gaussian(0.0).predict(tree, X[3:], response), [[0, 0, 1]])
