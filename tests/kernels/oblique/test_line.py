"""The search of one line, against trying every cell; helpers run as plain Python here."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from softwood._kernels.oblique.classic import classic_step
from softwood._kernels.oblique.line import NOWHERE, best_cells, step_into
from softwood._kernels.oblique.objective import MOC1, OC1
from softwood._kernels.oblique.score import impurity_of, parts_classes, score_of
from softwood._kernels.oblique.scratch import CELL, PLACE, SCORE, Node, room_of
from softwood._kernels.randomness import random_state
from tests.oracles import hyperplanes
from tests.strategies import checked

CRITERIA = sorted(hyperplanes.CRITERIA)


@st.composite
def lines_of_points(draw, max_points=40, may_stand=False):
    """Draw values and steps of points, many of them equal or 0, and their classes and weights."""
    n = draw(st.integers(2, max_points))
    n_classes = draw(st.integers(2, 4))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    value, step = rng.normal(size=n), rng.normal(size=n)
    if draw(st.booleans()):
        value, step = rng.integers(-3, 4, n) + 0.5, rng.integers(-2, 3, n).astype(float)
    if draw(st.booleans()):
        step = np.ones(n)
    label = np.sort(np.concatenate((np.arange(n_classes), rng.integers(0, n_classes, n))))
    weight = np.ones(n) if draw(st.booleans()) else rng.integers(1, 5, n) / 4
    assume(may_stand or np.any(step))  # a line on which nothing moves has one cell
    return value, step, np.sort(rng.permutation(label)[:n]), weight, n_classes


def node_of(label, weight, lines=None):
    """Return the node of points in the order of their classes, absent ones left out."""
    _, label = np.unique(label, return_inverse=True)
    n_classes = int(label.max()) + 1
    lines = np.ones((1, label.size)) if lines is None else lines
    start = np.concatenate(([0], np.cumsum(np.bincount(label, minlength=n_classes))))
    total = np.bincount(label, weights=weight, minlength=n_classes)
    return Node(lines, weight, label, start, total, float(total.sum()), np.zeros(1, np.int64))


def score_here(criterion, value, node):
    n_classes = node.total.size
    return hyperplanes.score_of_value(criterion, value, node.label, node.weight, n_classes)


@given(st.data(), st.sampled_from(CRITERIA), st.integers(2, 4))
@checked
def test_score_is_its_definition(data, criterion, n_classes):
    counts = st.lists(st.integers(0, 9), min_size=n_classes, max_size=n_classes)
    left, right = np.array(data.draw(counts), float), np.array(data.draw(counts), float)
    right[0] += 1 if not np.any(left + right) else 0
    code, total = hyperplanes.CRITERIA[criterion], left + right
    want = hyperplanes.score(criterion, left, right)
    got = score_of(code, left, total, total.sum())
    assert got == pytest.approx(want, abs=1e-12)
    if want > 1e-9 or "minority" in criterion:
        impurity = impurity_of(code, want, total, total.sum())
        assert impurity == pytest.approx(hyperplanes.impurity(criterion, left, right))
    alone = (left > 0).sum() <= 1 and (right > 0).sum() <= 1
    assert parts_classes(left, total, total.sum()) == alone


@given(lines_of_points(), st.sampled_from(CRITERIA))
@checked
def test_the_best_cell_is_the_best_of_all(points, criterion):
    value, step, label, weight, n_classes = points
    node, room = node_of(label, weight), room_of(value.size, 1, n_classes, OC1)
    code = hyperplanes.CRITERIA[criterion]
    best_cells(code, node, value, step, -np.inf, room)
    best = max(
        (score_here(criterion, value + s * step, node) for s in hyperplanes.places(value, step)),
        default=-np.inf,
    )
    assert room.top[SCORE, 0] == pytest.approx(best, abs=1e-9)


@given(lines_of_points(), st.sampled_from(CRITERIA))
@checked
def test_the_step_leads_into_its_cell(points, criterion):
    value, step, label, weight, n_classes = points
    node, room = node_of(label, weight), room_of(value.size, 1, n_classes, OC1)
    reach = best_cells(hyperplanes.CRITERIA[criterion], node, value, step, -np.inf, room)
    s = step_into(value, step, room.by_row[PLACE], room.top[CELL, 0], reach)
    got = score_here(criterion, value + s * step, node)
    assert got == pytest.approx(room.top[SCORE, 0], abs=1e-9)


@given(lines_of_points(), st.sampled_from(["twoing", "gini", "entropy"]))
@checked
def test_several_cells_come_best_first(points, criterion):
    value, step, label, weight, n_classes = points
    node, room = node_of(label, weight), room_of(value.size, 1, n_classes, MOC1)
    best_cells(hyperplanes.CRITERIA[criterion], node, value, step, -1.0, room)
    want = sorted(
        (score_here(criterion, value + s * step, node) for s in hyperplanes.places(value, step)),
        reverse=True,
    )
    found = room.top[SCORE][room.top[CELL] != NOWHERE]
    assert found.size == min(len(want), room.top.shape[1])
    np.testing.assert_allclose(found, want[: found.size], atol=1e-9)


@given(lines_of_points(may_stand=True), st.sampled_from(["twoing", "gini"]), st.floats(0.0, 0.3))
@checked
def test_a_bar_hides_only_what_is_below_it(points, criterion, bar):
    value, step, label, weight, n_classes = points
    node, room = node_of(label, weight), room_of(value.size, 1, n_classes, OC1)
    code = hyperplanes.CRITERIA[criterion]
    best_cells(code, node, value, step, -np.inf, room)
    best = room.top[SCORE, 0]
    best_cells(code, node, value, step, bar, room)
    if best > bar:
        assert room.top[SCORE, 0] == best
    else:
        assert room.top[CELL, 0] == NOWHERE


@given(lines_of_points(), st.sampled_from(CRITERIA), st.integers(0, 99))
@checked
def test_the_classic_step_is_never_better(points, criterion, seed):
    value, step, label, weight, n_classes = points
    node, room = node_of(label, weight), room_of(value.size, 1, n_classes, OC1)
    code = hyperplanes.CRITERIA[criterion]
    state = random_state(np.random.SeedSequence(seed))
    s = classic_step(code, node, value, step, room, state)
    classic = score_here(criterion, value + s * step, node)
    best_cells(code, node, value, step, -np.inf, room)
    # The classic step may stop on an event itself, where sides are a matter of rounding.
    assume(np.abs(value + s * step)[step != 0].min() > 1e-9)
    assert room.top[SCORE, 0] >= classic - 1e-9


@given(lines_of_points(), st.sampled_from(CRITERIA), st.integers(0, 99))
@checked
def test_the_classic_step_is_exact_where_all_move_the_same_way(points, criterion, seed):
    value, step, label, weight, n_classes = points
    step = np.abs(step) + 0.25
    node, room = node_of(label, weight), room_of(value.size, 1, n_classes, OC1)
    code = hyperplanes.CRITERIA[criterion]
    state = random_state(np.random.SeedSequence(seed))
    s = classic_step(code, node, value, step, room, state)
    best = hyperplanes.best_on_line(criterion, value, step, node.label, weight, node.total.size)
    at_an_end = np.all(value + s * step >= -1e-9) or np.all(value + s * step < 0)
    assume(not at_an_end)
    assert score_here(criterion, value + s * step, node) == pytest.approx(best, abs=1e-9)
