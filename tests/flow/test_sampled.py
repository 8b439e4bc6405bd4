"""The sampled flow against the hard tree on copies made by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.flow import Gaussian, Hard, Sampled
from softwood.tree import NOMINAL, NUMERIC, OBLIQUE
from tests.oracles import spreading
from tests.strategies import WITHOUT_JIT, checked, tree_of, trees_and_rows

N = 500 if WITHOUT_JIT else 20_000


@given(trees_and_rows(), st.integers(1, 5), st.integers(0, 3))
@checked
def test_mean_of_hard_trees(case, n, seed):
    """The oracle draws the same numbers, in the same order, as the flow."""
    tree, X = case
    scale = np.array([0.5, 0.0, 1.0])
    mass = Sampled(scale, n=n, random_state=seed).spread(tree, X).toarray()
    for x, got in zip(X, mass, strict=True):
        expected = spreading.monte_carlo(tree, x, scale, n, np.random.default_rng(seed))
        assert_allclose(got, expected, rtol=1e-13, atol=1e-15)


@given(trees_and_rows())
@checked
def test_scale_zero_is_the_hard_tree(case):
    tree, X = case
    mass = Sampled(0.0, n=7).spread(tree, X).toarray()
    assert_allclose(mass, Hard().spread(tree, X).toarray(), rtol=1e-14)


def test_limit_is_the_exact_gaussian_flow():
    tree = tree_of(
        [
            {"kind": NUMERIC, "feature": 0, "first": 1, "n_children": 2},
            {"kind": NUMERIC, "feature": 1, "first": 3, "n_children": 2},
            {"kind": NUMERIC, "feature": 0, "threshold": 0.5, "first": 5, "n_children": 2},
            *[{}] * 4,
        ],
        n_features=2,
    )
    X = [[0.1, 0.3], [0.6, -1.0], [np.nan, 0.0]]
    exact = Gaussian(0.4).spread(tree, X).toarray()
    error = np.abs(Sampled(0.4, n=N).spread(tree, X).toarray() - exact)
    assert np.all(error < 4 * spreading.standard_error(exact, N))


def test_oblique_tests_that_cross_are_right():
    """x0 + x1 <= 0 and x0 - x1 <= 0 are independent only if both features are equally noisy."""
    terms = [[(0, 1.0), (1, 1.0)], [(0, 1.0), (1, -1.0)]]
    tree = tree_of(
        [
            {"kind": OBLIQUE, "terms": terms[0], "first": 1, "n_children": 2},
            {},
            {"kind": OBLIQUE, "terms": terms[1], "first": 3, "n_children": 2},
            {},
            {},
        ],
        n_features=2,
    )
    scale, x = np.array([1.0, 0.2]), np.zeros(2)
    # The orthant of two normals with correlation r has mass 1/4 + asin(r) / 2 pi.
    r = (scale[0] ** 2 - scale[1] ** 2) / (scale[0] ** 2 + scale[1] ** 2)
    orthant = 0.25 + np.arcsin(r) / (2 * np.pi)
    mass = Sampled(scale, n=N).spread(tree, x[None]).toarray()[0]
    assert mass[2] == pytest.approx(orthant, abs=4 * np.sqrt(0.25 / N))


def test_nominal_tests_see_the_row_itself():
    """One column, tested as a category first and as a number below."""
    tree = tree_of(
        [
            {"kind": NOMINAL, "feature": 0, "sets": [0, 1], "first": 1, "n_children": 2},
            {},
            {"kind": NUMERIC, "feature": 0, "threshold": 1.0, "first": 3, "n_children": 2},
            {},
            {},
        ],
        n_features=1,
    )
    mass = Sampled(3.0, n=200).spread(tree, [[0.0], [1.0]]).toarray()
    assert_array_equal(mass[0], [1.0, 0.0, 0.0])
    assert mass[1, 0] == 0.0
    assert 0.3 < mass[1, 1] < 0.7


def test_all_rows_see_the_same_noise():
    tree = tree_of(
        [{"kind": NUMERIC, "feature": 0, "first": 1, "n_children": 2}, {}, {}], n_features=1
    )
    left = Sampled(1.0, n=50).spread(tree, np.linspace(-2, 2, 40)[:, None]).toarray()[:, 0]
    assert np.all(np.diff(left) <= 0)  # fresh noise for each row would make this ragged
    assert_array_equal(
        left,
        Sampled(1.0, n=50).predict(
            tree, np.linspace(-2, 2, 40)[:, None], np.array([[0.0], [1.0], [0.0]])
        )[:, 0],
    )
