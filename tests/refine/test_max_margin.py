"""The widest gap: against support vector machines, brute force, and its own certificate."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.svm import SVC

from softwood.refine import max_margin
from softwood.refine.max_margin import widest_gap


def separated(n_rows, n_features, seed, scale=1.0):
    """Two sets that a random plane divides, and its direction."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features)) * scale
    direction = rng.normal(size=n_features)
    along = X @ direction
    cut = np.quantile(along, rng.uniform(0.2, 0.8))
    return X[along <= cut], X[along > cut], direction


def margin_along(left, right, direction):
    unit = direction / np.linalg.norm(direction)
    return ((right @ unit).min() - (left @ unit).max()) / 2.0


def brute_force(left, right):
    """The widest margin in the plane: two points apart, or a side and a point."""
    points = np.concatenate([left, right])
    directions = [b - a for a, b in itertools.product(left, right)]
    for a, b in itertools.combinations(points, 2):
        across = (b - a)[::-1] * [1.0, -1.0]
        directions += [across, -across] if across.any() else []
    return max(margin_along(left, right, d) for d in directions)


@pytest.mark.parametrize(("n_rows", "n_features"), [(30, 2), (60, 5), (40, 60), (200, 8)])
def test_it_is_that_of_a_support_vector_machine(n_rows, n_features):
    left, right, direction = separated(n_rows, n_features, seed=3)
    gap = widest_gap(left, right, direction)
    machine = SVC(kernel="linear", C=1e6, tol=1e-8).fit(
        np.concatenate([left, right]), np.repeat([0, 1], [len(left), len(right)])
    )
    theirs = margin_along(left, right, machine.coef_[0])
    assert gap.margin == pytest.approx(theirs, rel=1e-4)
    assert gap.margin >= theirs * (1 - 1e-7)


@given(st.integers(0, 10_000), st.integers(3, 12))
def test_no_direction_in_the_plane_is_better(seed, n_rows):
    left, right, direction = separated(n_rows, 2, seed)
    gap = widest_gap(left, right, direction)
    assert gap.margin == pytest.approx(brute_force(left, right), rel=1e-7)
    assert gap.is_widest


@given(
    st.integers(0, 10_000),
    st.sampled_from([(4, 1), (10, 3), (20, 40), (300, 10)]),
    st.sampled_from([1e-200, 1e-6, 1.0, 1e9, 1e200]),
)
def test_what_is_found_is_proved(seed, shape, scale):
    left, right, direction = separated(*shape, seed, scale)
    gap = widest_gap(left, right, direction)
    assert np.linalg.norm(gap.direction) == pytest.approx(1.0)
    assert gap.is_widest
    assert gap.margin == pytest.approx(margin_along(left, right, gap.direction), rel=1e-6)
    assert gap.margin >= margin_along(left, right, direction) * (1 - 1e-9)
    assert gap.limit >= gap.margin * (1 - 1e-9)


@given(st.integers(0, 1000))
def test_turned_and_moved_points_have_a_turned_gap(seed):
    left, right, direction = separated(25, 4, seed)
    turn, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(4, 4)))
    gap = widest_gap(left, right, direction)
    turned = widest_gap(left @ turn + 7.0, right @ turn + 7.0, direction @ turn)
    assert turned.margin == pytest.approx(gap.margin, rel=1e-6)
    assert_allclose(turned.direction, gap.direction @ turn, atol=1e-3)


def test_columns_that_say_nothing_and_points_twice_change_nothing():
    left, right, direction = separated(40, 3, seed=1)
    gap = widest_gap(left, right, direction)
    twice = [np.repeat(np.column_stack([s, np.full(len(s), 5.0)]), 2, 0) for s in (left, right)]
    other = widest_gap(*twice, np.append(direction, 0.0))
    assert other.margin == pytest.approx(gap.margin, rel=1e-7)
    assert_allclose(other.direction, np.append(gap.direction, 0.0), atol=1e-4)


def test_a_gap_that_rounding_has_closed_stays_open_or_as_it_was():
    left, right = np.array([[1e9, 0.0]]), np.array([[1e9 + 1e-7, 0.0]])
    gap = widest_gap(left, right, np.array([1.0, 0.0]))
    assert_allclose(gap.direction, [1.0, 0.0], atol=1e-12)
    assert gap.margin >= 0.0


def test_infinite_points_leave_the_direction_as_it_was():
    left, right, direction = separated(20, 3, seed=0)
    right[0, 1] = np.inf
    with np.errstate(invalid="ignore"):
        gap = widest_gap(left, right, direction)
    assert_allclose(gap.direction, direction / np.linalg.norm(direction))


def test_too_many_steps_leave_the_direction_as_it_was(monkeypatch):
    def tired(*given):
        raise RuntimeError("Maximum number of iterations reached.")

    monkeypatch.setattr("scipy.optimize.nnls", tired)
    left, right, direction = separated(20, 3, seed=0)
    gap = widest_gap(left, right, direction)
    assert_allclose(gap.direction, direction / np.linalg.norm(direction))
    assert gap.limit == np.inf
    assert not gap.is_widest


def test_few_points_decide(monkeypatch):
    asked = []
    solve = max_margin._Search._solve
    monkeypatch.setattr(
        max_margin._Search,
        "_solve",
        lambda self, rows: asked.append(rows.size) or solve(self, rows),
    )
    gap = widest_gap(*separated(3000, 6, seed=5))
    assert gap.is_widest
    assert max(asked) < 150
