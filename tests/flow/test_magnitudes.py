"""Flows at the edges of floating point: for every finite row, masses sum to 1 and predict."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.flow import Gaussian, Hard, Ramp, Sampled, leaf_of
from softwood.tree import NUMERIC, OBLIQUE
from tests.strategies import checked, tree_of

LARGEST = np.finfo(float).max
SIZES = [5e-324, 1e-310, 1e-305, 1e-300, 1e-160, 1e-8, 1.0, 1e8, 1e155, 1e200, 1e300, LARGEST]
sizes = st.sampled_from([0.0, *SIZES])
signed = st.builds(np.multiply, sizes, st.sampled_from([-1.0, 1.0, 0.3, -0.3]))
nonzero = signed.filter(lambda value: value != 0.0)
N_FEATURES = 3


@st.composite
def hostile_trees(draw, max_tests=6):
    """Draw a tree whose cuts, widths and weights are of any size."""
    nodes, leaves = [{}], [0]
    for _ in range(draw(st.integers(1, max_tests))):
        node = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
        ramp = {"threshold": draw(signed), "below": draw(sizes), "above": draw(sizes)}
        if draw(st.booleans()):
            test = {"kind": NUMERIC, "feature": draw(st.integers(0, N_FEATURES - 1))}
        else:
            features = draw(st.lists(st.integers(0, N_FEATURES - 1), min_size=1, max_size=4))
            test = {"kind": OBLIQUE, "terms": [(f, draw(nonzero)) for f in features]}
        nodes[node] = test | ramp | {"first": len(nodes), "n_children": 2}
        leaves += [len(nodes), len(nodes) + 1]
        nodes += [{}, {}]
    share = np.random.default_rng(len(nodes)).random(len(nodes))
    for node, part in zip(nodes, share, strict=True):
        node.update(weight=1.0, response=[part, 1.0 - part])
    return tree_of(nodes, N_FEATURES)


@st.composite
def hostile_cases(draw):
    tree = draw(hostile_trees())
    cells = st.tuples(*[signed] * N_FEATURES)
    rows = draw(st.lists(cells, min_size=1, max_size=70))
    return tree, np.array(rows), draw(st.tuples(*[sizes] * N_FEATURES))


def flows_of(scale):
    yield Hard()
    for shape in ("linear", "logistic", "normal"):
        yield Ramp(shape=shape)
    for drop in (1e-15, 0.0):
        yield Gaussian(scale, drop=drop)
        yield Gaussian(scale, exact=False, drop=drop)
    yield Sampled(scale, n=4)


@given(hostile_cases())
@checked
def test_predictions_are_masses_that_sum_to_one_times_responses(case):
    tree, X, scale = case
    for flow in flows_of(scale):
        mass = flow.spread(tree, X).toarray()
        predicted = flow.predict(tree, X)
        assert np.isfinite(mass).all(), flow
        assert mass.min() >= 0.0, flow
        assert_allclose(mass.sum(axis=1), 1.0, rtol=0, atol=1e-12, err_msg=str(flow))
        expected = mass @ tree.response[tree.leaves]
        assert_allclose(predicted, expected, rtol=0, atol=1e-12, err_msg=str(flow))
        assert_array_equal(leaf_of(tree, X, flow), tree.leaves[mass.argmax(axis=1)])


@given(hostile_cases())
@checked
def test_complete_rows_never_count_as_missing(case):
    """Terms of 1e308 and -1e308, each too large, made NaN, and NaN is a missing value."""
    tree, X, _ = case
    for row, leaf in zip(X, leaf_of(tree, X), strict=True):
        assert Hard().spread(tree, [row]).nnz == 1
        for node in tree.path(int(leaf))[:-1]:
            taken = int(leaf in _below(tree, tree.first_child[node] + 1))
            over = _exactly(tree, node, row) - Fraction(float(tree.threshold[node]))
            assert taken == (over > 0) or abs(over) <= _rounding(tree, node, row)


def _below(tree, node):
    return [below for below, _ in tree.walk(int(node))]


def _exactly(tree, node, row):
    if tree.kind[node] == NUMERIC:
        return Fraction(float(row[tree.feature[node]]))
    return sum(_terms(tree, node, row))


def _terms(tree, node, row):
    features, weights = tree.terms(node)
    return [
        Fraction(float(w)) * Fraction(float(row[f])) for f, w in zip(features, weights, strict=True)
    ]


def _rounding(tree, node, row):
    if tree.kind[node] == NUMERIC:
        return 0
    # Sums that overflow are taken of smaller numbers, which end at 2 ** -1074.
    return sum(map(abs, _terms(tree, node, row))) * Fraction(1, 2**48) + Fraction(1, 2**30)


def plane(*terms, threshold=0.0):
    test = {"kind": OBLIQUE, "terms": list(terms), "threshold": threshold}
    leaves = [{"response": [1.0, 0.0]}, {"response": [0.0, 1.0]}]
    return tree_of([test | {"first": 1, "n_children": 2, "response": [0.5, 0.5]}, *leaves], 2)


@pytest.mark.parametrize("exact", [True, False])
def test_a_sum_that_overflows_is_on_its_side(exact):
    """The answer was [0, 0]."""
    tree = plane((0, 1e200), (1, -1e200))
    X = np.array([[1e200, -1e200], [-1e200, 1e200], [1e200, 1e200], [2e200, 1e200]])
    for flow in (Gaussian(1.0, exact=exact), Gaussian(1.0, exact=exact, drop=0.0), Hard()):
        found = flow.predict(tree, X)
        assert_array_equal(found[[0, 1, 3]], [[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    assert_array_equal(Gaussian(1.0, exact=exact).predict(tree, X)[2], [0.5, 0.5])


@pytest.mark.parametrize("exact", [True, False])
def test_noise_that_overflows_along_a_test_divides_by_halves(exact):
    tree = plane((0, 1e200), (1, 1e200))
    found = Gaussian(1e200, exact=exact).predict(tree, [[0.0, 0.0], [1.0, -3.0]])
    assert_allclose(found, 0.5)


@pytest.mark.parametrize("scale", [1e-305, 1e-310, 5e-324])
def test_tiny_noise_is_seen_by_predict_and_spread_alike(scale):
    test = {"kind": NUMERIC, "feature": 0, "first": 1, "n_children": 2, "threshold": 0.0}
    tree = tree_of([test, {"response": [1.0]}, {"response": [0.0]}], 1)
    X = np.array([[0.0], [scale], [-scale], [10 * scale]])
    flow = Gaussian(scale)
    expected = flow.spread(tree, X) @ tree.response[tree.leaves]
    assert_allclose(flow.predict(tree, X), expected, rtol=0, atol=1e-12)
    assert_allclose(expected[:, 0], [0.5, 0.158655, 0.841345, 0.0], atol=1e-6)
