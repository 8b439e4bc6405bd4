"""The parts of the spreading kernels."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import ndtr

from softwood._kernels.flow.gates import gaussian_gates, hard_gates, home_of_tests, ramp_gates
from softwood._kernels.flow.spread import predict_rows, ramp_share, spread_rows
from softwood._kernels.normal import mass_between, span_of, tail_of
from softwood.tree import NUMERIC, OBLIQUE
from tests.strategies import checked, cuts, tree_of, trees, trees_and_rows, widths

zs = st.floats(-37.0, 37.0)


@given(zs)
@checked
def test_tails_are_accurate(z):
    assert abs(tail_of(z)) == pytest.approx(ndtr(-abs(z)), rel=1e-13, abs=0.0)
    if z:
        assert np.sign(tail_of(z)) == -np.sign(z)


@given(zs, zs)
@checked
def test_mass_between_tails(a, b):
    low, high = min(a, b), max(a, b)
    mass = mass_between(tail_of(low), tail_of(high))
    expected = ndtr(-low) - ndtr(-high) if low > 0 else ndtr(high) - ndtr(low)
    assert mass == pytest.approx(expected, rel=1e-9, abs=2e-16)
    assert mass_between(0.0, tail_of(a)) == pytest.approx(ndtr(a), rel=1e-13)
    assert mass_between(tail_of(a), 0.0) == pytest.approx(ndtr(-a), rel=1e-13)
    assert mass_between(0.0, 0.0) == 1.0


@pytest.mark.parametrize("drop", [5e-324, 1e-300, 1e-15, 1e-9, 0.01, 0.49])
def test_nothing_worth_keeping_lies_beyond_the_span(drop):
    assert ndtr(-span_of(drop)) <= drop
    assert span_of(drop) < 38.7


@given(cuts, widths, widths)
@checked
def test_ramp_share_is_odd_about_the_threshold(u, below, above):
    assert ramp_share(u, below, above) + ramp_share(-u, above, below) == 1.0


@given(trees())
@checked
def test_home_is_the_child_of_the_last_test_of_the_direction(tree):
    direction = tree.feature.copy()
    home = home_of_tests(tree.first_child, tree.n_children, direction)
    for node in range(tree.n_nodes):
        path = tree.path(node)
        expected = 0
        for above, below in pairwise(path):
            if direction[node] >= 0 and direction[above] == direction[node]:
                expected = below
        assert home[node] == expected


def test_directions_of_oblique_tests():
    """Each node is a test on the left of the one before; the directions are what matters."""
    terms = [
        [(0, 1.0), (1, 1.0)],
        [(1, 3.0), (0, 3.0)],  # the same, longer and in another order
        [(0, -0.5), (1, -0.5)],  # the same, backwards
        [(0, 1.0), (1, 1.0), (2, 5.0)],  # the same, since feature 2 has no noise
        [(0, 0.5), (1, 1.0), (0, 0.5)],  # the same, with a feature in two terms
        [(0, 1.0), (1, -1.0)],
        [(1, -4.0)],  # a feature
        [(2, 1.0)],  # no noise: hard
    ]
    nodes = [{}]
    for depth, term in enumerate(terms):
        kind = {"kind": OBLIQUE, "terms": term, "n_children": 2}
        nodes[max(0, 2 * depth - 1)].update(first=2 * depth + 1, **kind)
        nodes += [{}, {}]
    nodes[2 * len(terms) - 1].update(
        kind=NUMERIC, feature=1, first=2 * len(terms) + 1, n_children=2
    )
    nodes += [{}, {}]
    tree = tree_of(nodes, n_features=3)
    gates = gaussian_gates(tree.nodes, np.array([0.5, 0.5, 0.0]), True, 1e-15)
    tests = np.flatnonzero(tree.n_children)
    unit = np.sqrt(0.5)
    assert_allclose(gates.sd[tests], [unit, 3 * unit, -unit / 2, unit, unit, unit, -2, 0, 0.5])
    # Breadth first, test d is node 2d - 1, and so is the child that leads to it.
    assert_array_equal(gates.home[tests], [0, 1, 3, 5, 7, 0, 0, 0, 13])


@given(trees_and_rows(), st.integers(1, 40))
@checked
def test_spread_rows_resumes_where_the_room_ended(case, room):
    tree, X = case
    X = np.ascontiguousarray(X)
    X.flags.writeable = False
    for gates in (hard_gates(tree.nodes), ramp_gates(tree.nodes, 1e-15)):
        indptr = np.zeros(len(X) + 1, np.int64)
        leaf, mass, done = np.empty(room, np.int32), np.empty(room), 0
        while (done := spread_rows(tree.nodes, gates, X, done, indptr, leaf, mass)) < len(X):
            leaf, mass = np.append(leaf, leaf), np.append(mass, mass)
        out = np.full((len(X), 1), np.nan)
        identity = np.arange(tree.n_nodes, dtype=np.float64)[:, None]
        identity.flags.writeable = False
        predict_rows(tree.nodes, gates, X, identity, out)
        for i in range(len(X)):
            row = slice(indptr[i], indptr[i + 1])
            assert np.all(np.diff(leaf[row]) > 0)
            assert mass[row].sum() == pytest.approx(1.0, abs=1e-12)
            assert out[i, 0] == pytest.approx(mass[row] @ leaf[row])
