"""Annealed softening, against R's schedule and the paper's cost written out."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from softwood._kernels.soft.anneal import BEST, N_WIDTHS, NOBODY, Schedule, anneal_phase
from softwood._kernels.soft.outputs import fill_outputs
from softwood.data.training import TrainingSet
from softwood.flow import Hard, Ramp
from softwood.grow.greedy import C45, Cart, GreedyGrower
from softwood.refine import anneal
from softwood.refine.anneal import SoftenByAnnealing, soften_sequence, softening_cost
from softwood.refine.cost_complexity import pruning_sequence
from softwood.refine.phases import draw, open_desk, open_outputs, phase_groups, room_of_tests
from softwood.tree import NUMERIC
from tests.oracles import annealing
from tests.strategies import checked, rows_for, trees

ALPHA = 4.0


def diagonal(seed, n=150, n_classes=2, weighted=False, missing=0.0):
    """Classes in slanting stripes, for which hard tests are clumsy."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.0, 1.0, (n, 2))
    label = np.floor((X.sum(axis=1) + 2.0) / 4.0 * n_classes).astype(int) % n_classes
    label = np.where(rng.uniform(size=n) < 0.1, rng.integers(0, n_classes, n), label)
    weight = rng.uniform(0.5, 2.0, n) if weighted else None
    X[rng.uniform(size=X.shape) < missing] = np.nan
    return TrainingSet.of_classes(X, label, n_classes=n_classes, weight=weight)


def grown(data, depth=4):
    return GreedyGrower(Cart(max_depth=depth, min_samples_leaf=4)).grow(data)


# -- one phase ---------------------------------------------------------------


@st.composite
def phases(draw_one):
    """A tree with widths, rows, one of its groups, and the seed of the random numbers."""
    tree = draw_one(trees(n_outputs=3, max_tests=8))
    X = draw_one(rows_for(tree, max_rows=8))
    n = X.shape[0]
    label = draw_one(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    weight = draw_one(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n, max_size=n))
    data = TrainingSet.of_classes(X, np.array(label), n_classes=3, weight=np.array(weight))
    groups = phase_groups(tree)
    group = draw_one(st.sampled_from(groups)) if groups else None
    return tree, data, group, draw_one(st.integers(0, 10**6))


def moved(tree, places, theta, room):
    """Return the tree with these widths, given in units of their room."""
    width = np.column_stack([tree.below, tree.above])
    for (node, half), value in zip(places, theta, strict=True):
        if node != NOBODY and room[node, half] > 0.0:
            width[node, half] = value * room[node, half]
    return tree.replace(below=width[:, 0], above=width[:, 1])


def by_definition(tree, data, group, room, schedule, draws):
    """Run the phase with the slow SANN on the slow cost."""
    places = [(int(group.tests[0]), group.side)]
    places += [(int(node), half) for node in group.tests[1:] for half in (0, 1)]
    free = np.array([node != NOBODY and room[node, half] > 0.0 for node, half in places])
    width = np.column_stack([tree.below, tree.above])
    start = [width[p] / room[p] if ok else 0.0 for p, ok in zip(places, free, strict=True)]

    def function(theta):
        if (theta < 0.0).any():
            return 1e35
        return annealing.cost(moved(tree, places, theta, room), data, ALPHA)

    def step(current, scale, n):
        change = np.where(free, scale * draws.step[n], 0.0)
        if not schedule.single:
            return current + change
        only = np.arange(N_WIDTHS) == int(draws.pick[n] * N_WIDTHS)
        return np.where(only & free, np.abs(current + change), current)

    temp, tmax = schedule.temperature, schedule.tmax
    best, fate = annealing.sann(function, start, step, draws.chance, temp, tmax)
    return function(np.array(start)), best, fate


@pytest.mark.parametrize("single", [False, True])
@checked
@given(phase=phases(), temperature=st.sampled_from([0.05, 1.0, 10.0]), tmax=st.integers(1, 4))
def test_a_phase_accepts_what_rs_sann_would(single, phase, temperature, tmax):
    tree, data, group, seed = phase
    assume(group is not None)
    room = room_of_tests(tree, data.X)
    draws = draw(np.random.default_rng(seed), 9)
    draws.step[:] *= 0.4  # so that some proposals have no negative width
    soft = open_outputs(tree, data, np.column_stack([tree.below, tree.above]))
    desk = open_desk(tree, data, 10)
    schedule = Schedule(temperature, tmax, ALPHA, single)
    whole = fill_outputs(soft, ALPHA)
    before, after = anneal_phase(soft, room, group, schedule, draws, desk)

    start, best, fate = by_definition(tree, data, group, room, schedule, draws)
    assert whole == pytest.approx(start, rel=1e-12)
    rest = start - before  # of the rows that the group cannot touch
    np.testing.assert_allclose(desk.taken + rest, fate, rtol=1e-9)
    assert after + rest == pytest.approx(best, rel=1e-9)
    assert (desk.points[BEST] >= 0.0).all()

    kept = tree.replace(below=soft.width[:, 0], above=soft.width[:, 1])
    assert annealing.cost(kept, data, ALPHA) == pytest.approx(best, rel=1e-9)
    incremental = soft.output.copy()
    assert fill_outputs(soft, ALPHA) == pytest.approx(best, rel=1e-9)
    np.testing.assert_allclose(incremental, soft.output, atol=1e-12)


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_many_phases_do_not_let_the_kept_answers_drift(missing):
    data = diagonal(0, weighted=True, missing=missing)
    tree = grown(data, depth=5)
    room, groups = room_of_tests(tree, data.X), phase_groups(tree)
    soft, desk = open_outputs(tree, data, 0.05 * room), open_desk(tree, data, 31)
    cost, rng, n_successes = fill_outputs(soft, ALPHA), np.random.default_rng(0), 0
    for _ in range(60):
        group = groups[rng.integers(len(groups))]
        schedule = Schedule(0.5, 10, ALPHA, True)
        before, after = anneal_phase(soft, room, group, schedule, draw(rng, 30), desk)
        cost += after - before
        n_successes += after < before
    assert n_successes > 10
    made = tree.replace(below=soft.width[:, 0], above=soft.width[:, 1])
    assert cost == pytest.approx(softening_cost(made, data), abs=1e-9)
    assert fill_outputs(soft, ALPHA) == pytest.approx(cost, abs=1e-9)


# -- groups and room ---------------------------------------------------------


@given(trees())
def test_a_group_stands_for_each_width_whose_side_leads_to_a_test(tree):
    groups = phase_groups(tree)
    numeric = tree.kind == NUMERIC
    wanted = {
        (node, side)
        for node in np.flatnonzero(numeric).tolist()
        for side, child in enumerate(tree.children(node))
        if numeric[child]
    }
    assert {(int(g.tests[0]), g.side) for g in groups if g.tests[0] != NOBODY} == wanted
    moved_by_some = {int(node) for g in groups for node in g.tests if node != NOBODY}
    assert moved_by_some == set(np.flatnonzero(numeric).tolist())
    if numeric.sum() == (~tree.is_leaf).sum() > 1:  # the paper's case: three, five or seven
        sizes = [1 + 2 * np.count_nonzero(g.tests[1:] != NOBODY) for g in groups]
        assert set(sizes) <= {3, 5, 7}
        assert len(groups) == len(wanted)


def test_a_stump_is_a_group_of_its_own():
    (group,) = phase_groups(grown(diagonal(1), depth=1))
    assert group.tests.tolist() == [NOBODY, 0, NOBODY, NOBODY]


@given(trees(kinds=(NUMERIC,), max_tests=8).flatmap(lambda t: st.tuples(st.just(t), rows_for(t))))
def test_room_is_what_the_box_of_the_node_leaves_on_either_side(case):
    tree, X = case
    X = np.vstack([X, [[0.1, 0.2, 0.3]]])
    room = room_of_tests(tree, X)
    for node in range(tree.n_nodes):
        below = above = 0.0
        if tree.kind[node] == NUMERIC:
            low, high = annealing.box_of(tree, node, X)
            feature, cut = tree.feature[node], tree.threshold[node]
            if low[feature] <= cut <= high[feature]:
                below, above = cut - low[feature], high[feature] - cut
        assert room[node].tolist() == [below, above]


# -- whole runs --------------------------------------------------------------


@given(seed=st.integers(0, 999))
def test_without_widths_the_cost_is_that_of_the_hard_tree(seed):
    data = diagonal(seed, n=40, n_classes=3)
    tree = grown(data)
    own = Hard().predict(tree, data.X)[np.arange(40), data.label]
    assert softening_cost(tree, data) == pytest.approx(np.exp(-4.0 * own).sum())
    on_the_cut = np.array([[tree.threshold[0] if f == tree.feature[0] else 0.0 for f in range(2)]])
    tie = TrainingSet.of_classes(on_the_cut, [0], n_classes=3)
    left, right = (Ramp().predict(tree.subtree(child), on_the_cut)[0, 0] for child in (1, 2))
    assert softening_cost(tree, tie) == pytest.approx(math.exp(-2.0 * (left + right)))


@pytest.mark.parametrize("schedule", ["sann", "fast"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_cost_falls_and_only_widths_change(schedule, n_classes):
    data = diagonal(n_classes, n=300, n_classes=n_classes, weighted=True)
    tree = grown(data, depth=3)
    cool = 0.5 if schedule == "sann" else 10.0  # 10 is hot for so few rows
    soft = SoftenByAnnealing(schedule, patience=20, temp=cool, random_state=0).refine(tree, data)
    assert softening_cost(soft, data) < 0.95 * softening_cost(tree, data)
    inner = ~tree.is_leaf
    assert (soft.below[inner] > 0.0).any()
    assert (soft.above[inner] > 0.0).any()
    assert soft.replace(below=tree.below, above=tree.above) == tree


@pytest.mark.parametrize("schedule", ["sann", "fast"])
@given(seed=st.integers(0, 999))
def test_the_cost_never_rises(schedule, seed):
    data = diagonal(seed, n=30)
    tree = grown(data, depth=2)
    refiner = SoftenByAnnealing(schedule, patience=3, maxit=11, random_state=seed)
    room = room_of_tests(tree, data.X)
    start = tree
    if schedule == "fast":
        width = anneal.FIRST_WIDTH * room
        start = tree.replace(below=width[:, 0], above=width[:, 1])
    soft = refiner.refine(tree, data)
    assert softening_cost(soft, data) <= softening_cost(start, data) + 1e-9
    assert not soft.below[room[:, 0] == 0.0].any()
    assert not soft.above[room[:, 1] == 0.0].any()


def test_a_seed_fixes_the_result():
    data = diagonal(7)
    tree = grown(data)
    one, same, other = (
        SoftenByAnnealing(patience=5, random_state=seed).refine(tree, data)
        for seed in (1, np.random.default_rng(1), 2)
    )
    assert one == same
    assert one != other


def test_the_search_is_over_after_so_many_failures(monkeypatch):
    results = iter([(5.0, 4.0), (4.0, 4.0), (4.0, 3.0), (3.0, 3.0), (3.0, 3.0), (3.0, 1.0)])
    monkeypatch.setattr("softwood._kernels.soft.anneal.anneal_phase", lambda *_: next(results))
    data = diagonal(0)
    SoftenByAnnealing(patience=2).refine(grown(data), data)
    assert next(results) == (3.0, 1.0)


def test_a_leaf_is_left_alone_and_a_constant_column_has_no_room():
    data = diagonal(3)
    tree = grown(data, depth=1)
    leaf = tree.compact(leaves=np.ones(3, dtype=bool))
    assert SoftenByAnnealing().refine(leaf, data) == leaf
    constant = TrainingSet.of_classes(np.zeros((150, 2)), data.label)
    flat = tree.replace(threshold=np.zeros(3))
    soft = SoftenByAnnealing(patience=3, random_state=0).refine(flat, constant)
    assert not soft.below.any()
    assert not soft.above.any()


def test_cuts_on_training_values_move_to_the_middle_of_their_gap():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 10, (80, 2)).astype(float)
    data = TrainingSet.of_classes(X, X.sum(axis=1) + rng.normal(size=80) > 9.0)
    tree = GreedyGrower(C45()).grow(data)
    inner = ~tree.is_leaf
    assert (tree.threshold[inner] % 1.0 == 0.0).all()
    soft = SoftenByAnnealing(patience=2, random_state=0).refine(tree, data)
    reach = Hard().reach(tree, X).toarray() > 0.0
    on_the_cut = [
        bool((X[reach[:, node], tree.feature[node]] == tree.threshold[node]).any())
        for node in np.flatnonzero(inner)
    ]
    assert any(on_the_cut)
    assert (soft.threshold > tree.threshold)[inner].tolist() == on_the_cut
    np.testing.assert_array_equal(Hard().predict(soft, X), Hard().predict(tree, X))


# -- the sequence ------------------------------------------------------------


def test_larger_trees_are_tried_more_often():
    assert anneal._largest_first(["a", "b", "c"], 8) == ["a", "a", "b", "a", "b", "c", "a", "b"]
    assert anneal._largest_first([], 8) == []


def test_the_best_candidate_on_the_data_is_returned(monkeypatch):
    data = diagonal(11, n=200)
    tree = grown(data, depth=6)
    made = []
    refine = SoftenByAnnealing.refine

    def noting(self, tree, data):
        made.append((tree, refine(self, tree, data)))
        return made[-1][1]

    monkeypatch.setattr(SoftenByAnnealing, "refine", noting)
    annealing_ = SoftenByAnnealing("fast", patience=3, maxit=21, random_state=0)
    chosen = soften_sequence(tree, data, annealing_, n_candidates=4)

    sequence = pruning_sequence(tree)
    order = [sequence.at(alpha) for alpha in sequence.alphas]
    assert [hard for hard, _ in made[:3]] == [order[0], order[0], order[1]]
    assert made[0][1] != made[1][1]  # new random numbers each time
    better = [
        soft
        for hard, soft in made
        if softening_cost(hard, data) >= 1.01 * softening_cost(soft, data)
    ]
    assert len(better) == 4
    errors = [np.sum(Ramp().predict(t, data.X).argmax(axis=1) != data.label) for t in better]
    assert 0 < np.argmin(errors) < np.argmax(errors)  # neither the first nor the last one
    assert chosen == better[int(np.argmin(errors))]


def test_a_tree_that_cannot_be_bettered_stays_hard():
    X = np.array([[0.0], [1.0], [10.0], [11.0]])
    data = TrainingSet.of_classes(X, [0, 0, 1, 1])
    tree = GreedyGrower(Cart()).grow(data)
    soft = soften_sequence(tree, data, SoftenByAnnealing(patience=1), max_attempts=3)
    assert soft == tree


# -- complaints --------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"schedule": "slow"}, "schedule must be one of sann, fast; got 'slow'"),
        ({"patience": 0}, "patience must be at least 1; got 0"),
        ({"maxit": 1}, "maxit must be at least 2; got 1"),
        ({"tmax": 0}, "tmax must be at least 1; got 0"),
        ({"temp": 0.0}, "temp must be positive; got 0.0"),
        ({"alpha": math.inf}, "alpha must be positive; got inf"),
    ],
)
def test_complaints_name_the_parameter(options, message):
    with pytest.raises(ValueError, match=message):
        SoftenByAnnealing(**options)


def test_regression_and_empty_searches_are_refused():
    tree = grown(diagonal(0), depth=1)
    data = TrainingSet.of_target(np.zeros((2, 2)), [1.0, 2.0])
    with pytest.raises(ValueError, match="cannot soften a regression"):
        SoftenByAnnealing().refine(tree, data)
    with pytest.raises(ValueError, match="n_candidates must be at least 1; got 0"):
        soften_sequence(tree, data, n_candidates=0)
