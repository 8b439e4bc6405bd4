"""The climbs of one node, against what their hyperplanes are worth by definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood._kernels.oblique.node import moments
from softwood._kernels.oblique.objective import (
    MOC2,
    banded_objective,
    count_left,
    margin_between,
    most_off_band,
)
from softwood._kernels.oblique.scratch import (
    KIND,
    LABEL,
    LEFT,
    MEAN,
    N_ACTIVE,
    ROW,
    SCALE,
    SHIFT,
    THRESHOLD,
    ObliqueTable,
    finding_of,
    frame_of,
    part_of_frame,
    room_of,
)
from softwood._kernels.oblique.split import gather_node, split_node
from softwood._kernels.randomness import random_state
from softwood.grow.oblique import SETTLE, SURVEY, Oblique
from softwood.tree import NUMERIC, OBLIQUE
from tests.kernels.oblique.test_line import node_of
from tests.oracles import hyperplanes
from tests.strategies import WITHOUT_JIT, checked

N_ROWS, N_CLIMBS = (30, 2) if WITHOUT_JIT else (160, 6)


def table_of(X, label, weight=None):
    X = np.ascontiguousarray(X, dtype=float)
    return ObliqueTable(
        X=X,
        label=np.asarray(label, dtype=np.uint16),
        weight=np.ones(len(X)) if weight is None else weight,
        usable=np.arange(X.shape[1]),
        nominal=np.zeros(0, dtype=np.int64),
        n_levels=np.zeros(X.shape[1], dtype=np.int64),
    )


class Split:
    """A node, and what its climbs have found."""

    def __init__(self, X, label, weight=None, seed=0, **policy):
        self.rules = Oblique(n_restarts=N_CLIMBS, **policy).rules()
        self.table, n_classes = table_of(X, label, weight), int(np.max(label)) + 1
        self.rows = np.arange(len(X))
        self.frame = frame_of(len(X), X.shape[1], n_classes)
        self.finding = finding_of(N_CLIMBS, X.shape[1], n_classes, 0)
        self.room = room_of(len(X), X.shape[1], n_classes, self.rules.objective)
        state = random_state(np.random.SeedSequence(seed))
        gather_node(self.table, self.rows, state, self.rules, self.frame, self.finding)
        self.climbs = self.do(SURVEY)

    def do(self, phase):
        rest = (self.rules, self.frame, self.finding, self.room, phase)
        return split_node(self.table, self.rows, *rest)

    def climbed(self):
        self.do((False, 0, N_CLIMBS, False))
        return self

    def values(self, plane):
        return plane @ self.frame.lines

    def score(self, criterion, value):
        label, weight = self.frame.by_row[LABEL], self.frame.weight
        return hyperplanes.score_of_value(criterion, value, label, weight, int(label.max()) + 1)

    @property
    def ends(self):
        done = self.finding.objective[1:] > -np.inf
        return zip(self.finding.plane[1:][done], self.finding.objective[1:][done], strict=True)


def points(seed=0, n=N_ROWS, n_features=3, n_classes=2, noise=0.6):
    """Overlapping classes on either side of an oblique plane."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features)) * [10.0, 1.0, 0.1][:n_features] + 5
    score = ((X - X.mean(0)) / X.std(0)).sum(axis=1) + noise * rng.normal(size=n)
    return X, np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)


SEARCHES = [
    {},
    {"order": "best_first"},
    {"order": "random"},
    {"criterion": "gini"},
    {"criterion": "entropy"},
    {"criterion": "sum_minority"},
    {"search": "classic"},
    {"search": "classic", "order": "best_first", "criterion": "gini"},
    {"search": "classic", "order": "random", "criterion": "max_minority"},
]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("policy", SEARCHES, ids=str)
def test_objectives_are_those_of_the_planes(policy, n_classes):
    """What was kept up to date step by step equals what is computed from scratch."""
    X, label = points(n_classes=n_classes)
    weight = np.random.default_rng(1).integers(1, 4, N_ROWS) / 2.0
    split = Split(X, label, weight, **policy).climbed()
    criterion = policy.get("criterion", "twoing")
    ends = list(split.ends)
    assert len(ends) == N_CLIMBS
    for plane, objective in ends:
        assert objective == pytest.approx(split.score(criterion, split.values(plane)), rel=1e-9)


# But for those that end after so many picks, wherever they are.
PATIENT = [policy for policy in SEARCHES[:6] if policy.get("order") != "random"]


@pytest.mark.parametrize("policy", PATIENT, ids=str)
def test_an_exact_climb_ends_where_no_line_leads_higher(policy):
    X, label = points(1)
    split = Split(X, label, **policy, n_jumps=0).climbed()
    criterion = policy.get("criterion", "twoing")
    label, weight = split.frame.by_row[LABEL], split.frame.weight
    for plane, objective in split.ends:
        value = split.values(plane)
        for line in split.frame.lines:
            best = hyperplanes.best_on_line(criterion, value, line, label, weight, 2)
            assert best <= objective + 1e-9


@pytest.mark.parametrize("search", ["exact", "classic"])
def test_a_climb_does_not_descend(search):
    X, label = points(2)
    split = Split(X, label, search=search).climbed()
    assert split.finding.objective[1] >= split.finding.objective[0] - 1e-12


def test_exact_climbs_reach_more_than_classic_ones():
    """Over nodes, from the best axis and from random starts: more score on the whole."""
    exact, classic = (
        np.array([Split(*points(seed), search=search).climbed().finding.objective.max()
                  for seed in range(4 if WITHOUT_JIT else 20)])
        for search in ("exact", "classic")
    )  # fmt: skip
    assert np.mean(exact) > np.mean(classic)
    assert np.mean(exact >= classic - 1e-12) >= 0.75


def test_the_first_climb_starts_from_the_best_axis():
    X, label = points(3)
    split = Split(X, label)
    axis = split.finding.plane[0]
    assert np.count_nonzero(axis[:-1]) == 1
    best = max(
        hyperplanes.best_on_line(
            "twoing", line, np.ones(N_ROWS), split.frame.by_row[LABEL], split.frame.weight, 2
        )
        for line in split.frame.lines[:-1]
    )
    assert split.finding.objective[0] == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("policy", [{}, {"search": "classic"}, {"objective": "moc1"}], ids=str)
def test_rows_go_where_the_test_sends_them(policy):
    X, label = points(4)
    split = Split(X, label, **policy).climbed()
    n_left = split.do(SETTLE)
    assert split.finding.test[KIND] in (NUMERIC, OBLIQUE)
    value = X @ split.finding.weight
    goes_left = value <= split.finding.number[THRESHOLD]
    assert set(split.rows[:n_left]) == set(np.flatnonzero(goes_left))
    for side, chosen in enumerate((goes_left, ~goes_left)):
        np.testing.assert_array_equal(split.finding.side[side], np.bincount(label[chosen]))
    gap = value[~goes_left].min() - value[goes_left].max()
    middle = value[goes_left].max() + gap / 2
    assert split.finding.number[THRESHOLD] == pytest.approx(middle)
    assert np.abs(split.finding.weight).max() == 1.0


def test_terms_that_do_not_pay_are_dropped():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, 5))
    split = Split(X, X[:, 0] + X[:, 1] > 0).climbed()
    split.do(SETTLE)
    assert np.flatnonzero(split.finding.weight).tolist() == [0, 1]
    kept = Split(X, X[:, 0] + X[:, 1] > 0, search="classic").climbed()
    kept.do(SETTLE)
    assert np.count_nonzero(kept.finding.weight) >= 2


@pytest.mark.parametrize("criterion", ["twoing", "gini"])
@pytest.mark.parametrize("scale", ["scaled", "raw"])
def test_moc1_is_its_definition(criterion, scale):
    X, label = points(5)
    policy = {"objective": "moc1", "margin_scale": scale, "margin_weight": 0.3}
    split = Split(X, label, criterion=criterion, **policy).climbed()
    rows = split.frame.lines[:-1].T
    if scale == "raw":
        np.testing.assert_allclose(rows, (X - X.mean(0))[split.frame.by_row[ROW]])
    for plane, objective in split.ends:
        want = hyperplanes.moc1(
            criterion, plane[:-1], plane[-1], rows, split.frame.by_row[LABEL], 0.3
        )
        assert objective == pytest.approx(want, rel=1e-9)


def test_a_dear_margin_is_wide():
    X, label = points(6)

    def widest(margin_weight):
        split = Split(X, label, objective="moc1", margin_weight=margin_weight).climbed()
        value = split.values(split.finding.plane[np.argmax(split.finding.objective)])
        return value[value >= 0].min() - value[value < 0].max()

    assert widest(0.9) > widest(0.0)


@given(st.integers(0, 2**32 - 1), st.booleans())
@checked
def test_moc2_is_its_definition(seed, is_scaled):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 30))
    label = np.sort(np.concatenate((np.arange(2), rng.integers(0, 2, n - 2))))
    value = rng.choice([rng.normal(size=n), rng.integers(-3, 3, n) + 0.5]) * 2
    if np.all(value < 0) or np.all(value > 0):
        value[0] *= -1
    node, room = node_of(label, np.ones(n)), room_of(n, 1, 2, MOC2)
    count_left(node, value, room.by_class[LEFT])
    got, band = banded_objective(node, value, is_scaled, room)
    if is_scaled:
        every = {h: hyperplanes.moc2(value, label, h) for h in np.abs(value)}
        best = max(every.values())
        assert got == pytest.approx(best, abs=1e-12)
        if best > 0:
            assert band == max(h for h, worth in every.items() if worth > best - 1e-12)
    else:
        assert got == pytest.approx(hyperplanes.moc2(value, label, 1.0), abs=1e-12)
        assert band == 1.0


@given(st.integers(0, 2**32 - 1), st.integers(2, 4))
@checked
def test_no_band_is_worth_more_than_its_bound(seed, n_classes):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(n_classes + 2, 40))
    label = np.sort(
        np.concatenate((np.arange(n_classes), rng.integers(0, n_classes, n - n_classes)))
    )
    value = rng.normal(size=n) + rng.choice([0.0, 2.0]) * (label - 0.5)
    value[:2] = -1.0, 1.0  # both sides have points
    node, room = node_of(label, rng.choice([0.5, 1.0, 2.0], n)), room_of(n, 1, n_classes, MOC2)
    count_left(node, value, room.by_class[LEFT])
    bound = most_off_band(node, room.by_class[LEFT])
    assert banded_objective(node, value, True, room)[0] <= bound * (1.0 + 1e-12)


@given(st.integers(0, 2**32 - 1), st.integers(1, 9))
@checked
def test_a_margin_is_what_no_point_is_in(seed, n):
    value = np.random.default_rng(seed).integers(-4, 4, n) + 0.5
    left, right = value[value < 0], value[value >= 0]
    assert margin_between(value) == np.min(right, initial=np.inf) - np.max(left, initial=-np.inf)


@pytest.mark.parametrize("scale", ["scaled", "raw"])
def test_moc2_climbs_to_what_its_planes_are_worth(scale):
    X, label = points(7)
    X = X * 4  # raw bands have a width of their own
    split = Split(X, label, objective="moc2", margin_scale=scale).climbed()
    label = split.frame.by_row[LABEL]
    for plane, objective in split.ends:
        value = split.values(plane)
        bands = np.abs(value) if scale == "scaled" else [1.0]
        assert objective == pytest.approx(max(hyperplanes.moc2(value, label, h) for h in bands))


def test_missing_values_count_as_the_mean_of_the_node():
    X, label = points(8)
    X[::7, 1] = np.nan
    frame = Split(X, label).frame
    known = ~np.isnan(X[:, 1])
    assert frame.by_feature[MEAN, 1] == pytest.approx(X[known, 1].mean())
    filled = np.where(np.isnan(X), X[known, 1].mean(), X)[frame.by_row[ROW]]
    lines = (filled.T - frame.by_feature[SHIFT][:, None]) / frame.by_feature[SCALE][:, None]
    np.testing.assert_allclose(frame.lines[:-1], lines, atol=1e-12)


def test_oc1_shifts_negative_features_only():
    X, label = points(9)
    X[:, 0] -= 100
    frame = Split(X, label, search="classic").frame
    assert frame.by_feature[SHIFT, 0] == X[:, 0].min()
    np.testing.assert_array_equal(frame.by_feature[SHIFT, 1:], np.minimum(X[:, 1:].min(0), 0))
    assert np.all(frame.by_feature[SCALE] == 1.0)
    assert frame.lines.min() >= 0.0


def test_constant_features_take_no_part():
    X, label = points(10)
    X[:, 1] = 7.0
    split = Split(X, label)
    assert split.frame.active[: split.frame.size[N_ACTIVE]].tolist() == [0, 2, 3]


def test_few_rows_get_no_hyperplane():
    X, label = points(11, n=7)
    assert Split(X, label).climbs == 1
    assert Split(X[:6], label[:6]).climbs == 0


@given(st.lists(st.floats(-1e6, 1e6) | st.just(np.nan), min_size=1, max_size=9))
@checked
def test_moments(numbers):
    line = np.array(numbers)
    known = line[~np.isnan(line)]
    mean, spread, least, most = moments(line, np.ones(line.size))
    if known.size and known.min() < known.max():
        assert mean == pytest.approx(known.mean(), rel=1e-9, abs=1e-9)
        assert spread == pytest.approx(known.std(), rel=1e-6)
        assert (least, most) == (known.min(), known.max())
    else:
        assert spread == 0.0


def test_a_part_of_a_frame_is_in_its_memory():
    frame = frame_of(10, 2, 2)
    part = part_of_frame(frame, 4)
    assert part.lines.shape == (3, 4)
    assert part.lines.flags.c_contiguous
    assert np.shares_memory(part.lines, frame.lines)
