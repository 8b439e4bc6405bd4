"""Margins as users see them, and the bound: against its formula and the printed values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood import CARTClassifier, VRForestClassifier, widen_margins
from softwood.evaluate import margin_bound, margins
from softwood.evaluate.tree_margins import bound_of
from softwood.refine.widen import node_margins, widen_tree
from tests.persist.models import mixed_model, numeric_rows


@pytest.fixture(scope="module")
def fitted():
    X, y = numeric_rows(60)
    return CARTClassifier().fit(X, y), X, y


# -- margins --------------------------------------------------------------------


def test_margins_of_a_model(fitted):
    model, X, _ = fitted
    found = margins(model, X)
    tree = model.tree_
    inner = np.flatnonzero(tree.n_children)
    assert_array_equal(found.node, inner)
    assert_array_equal(found.margin, node_margins(tree, X)[inner])
    assert_array_equal(found.n_rows, tree.weight[inner])
    assert_array_equal(found.norm, np.ones(inner.size))
    assert len(found) == inner.size
    assert found.test[0].startswith("x")


def test_oblique_tests_have_a_norm():
    X = np.array([[0.0, 0.0], [3.0, 4.0]])
    tree = widen_tree(CARTClassifier().fit(X, [0, 1]).tree_, X)
    doubled = tree.replace(term_weight=2 * tree.term_weight, threshold=2 * tree.threshold)
    found = margins(doubled, X)
    assert_allclose(found.norm, [2.0])
    assert_allclose(found.margin, [2.5])
    assert str(found).split("\n") == [
        "  node    rows     margin  test",
        "     0       2        2.5  1.6·x1 + 1.2·x0 <= 5",
    ]


def test_rows_without_the_value_do_not_count():
    model, table = mixed_model(CARTClassifier)
    found = margins(model, table)
    at_root = found.n_rows[found.node == 0]
    assert at_root.tolist() in ([], [39])  # row 3 has no size


def test_a_forest_has_no_margins(fitted):
    _, X, y = fitted
    with pytest.raises(TypeError, match="this VRForestClassifier has 3 trees"):
        margins(VRForestClassifier(3, random_state=0).fit(X, y), X)


# -- the bound ------------------------------------------------------------------


def formula(margin, radius, m, delta):
    """Theorem 3.10, written out with whole numbers."""
    k = len(margin)
    first = 65 * radius**2 * sum(1 / g**2 for g in margin) * math.log2(4 * math.e * m)
    skeletons = (4 * m) ** (k + 1) * math.comb(2 * k, k)
    return 2 / m * (first * math.log2(4 * m) + math.log2(skeletons / ((k + 1) * delta)))


@pytest.mark.parametrize(("n_rows", "bound"), [(1_000, 83.5), (1_000_000, 0.267)])
def test_printed_values(n_rows, bound):
    assert bound_of([0.5], 1.0, n_rows, 0.05) == pytest.approx(bound, rel=2e-3)


@given(
    st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=8),
    st.floats(0.1, 10.0),
    st.integers(1, 10_000),
    st.floats(0.001, 0.999),
)
def test_the_bound_is_its_formula(margin, radius, n_rows, delta):
    expected = formula(margin, radius, n_rows, delta)
    assert bound_of(margin, radius, n_rows, delta) == pytest.approx(expected, rel=1e-9)


def test_wider_margins_lower_the_bound(fitted):
    model, X, y = fitted
    wide = widen_margins(model, X, y, axis="turn")
    assert margin_bound(wide, X) < margin_bound(model, X)
    assert margin_bound(wide, X, delta=0.01) > margin_bound(wide, X, delta=0.05)


def test_the_ball_holds_all_rows():
    X = np.array([[-1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    model = CARTClassifier().fit(X, [0, 1, 1, 1])
    # Around the mid-range the radius is 1, around the mean 1.5; the margin is 1.
    assert margin_bound(model, X) == pytest.approx(bound_of([1.0], 1.0, 4))
    # A ball is where it is: moved rows have the same bound.
    moved = CARTClassifier().fit(X + 100.0, [0, 1, 1, 1])
    assert margin_bound(moved, X + 100.0) == pytest.approx(margin_bound(model, X))


def test_a_tree_without_tests_and_a_row_on_the_boundary():
    lone = CARTClassifier().fit([[0.0], [1.0]], [1, 1])
    assert margin_bound(lone, [[0.0], [1.0]]) == pytest.approx(bound_of([], 0.5, 2))
    model = CARTClassifier().fit([[0.0], [1.0]], [0, 1])
    assert margin_bound(model, [[0.0], [0.5]]) == np.inf


def test_what_has_no_bound_is_refused(fitted):
    model, X, _ = fitted
    with pytest.raises(ValueError, match="delta must be between 0 and 1; got 0"):
        margin_bound(model, X, delta=0)
    with pytest.raises(ValueError, match="no missing or infinite values"):
        margin_bound(model, np.where(np.arange(60)[:, None] == 3, np.nan, X))
    nominal, table = mixed_model(CARTClassifier)
    with pytest.raises(ValueError, match=r"has [0-9]+ nominal tests"):
        margin_bound(nominal, table)
    with pytest.raises(ValueError, match="margin must not be negative or NaN"):
        bound_of([np.nan], 1.0, 10)
    with pytest.raises(ValueError, match="n_rows must be at least 1; got 0"):
        bound_of([1.0], 1.0, 0)
