import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from softwood._stopping import Stopped, ask_to_stop, take_back
from softwood.data.training import TrainingSet
from softwood.datasets import make_gaussians
from softwood.flow import Gaussian, Hard, Ramp
from softwood.grow.evolve import Evolution, can_evolve
from softwood.grow.evolve_front import ParetoFront, single_leaf
from softwood.grow.evolve_state import resumed, state_of
from softwood.grow.greedy import C45, Cart, GreedyGrower
from tests.oracles import vicinal
from tests.strategies import WITHOUT_JIT

SEED = np.random.SeedSequence(0)
SMALL = {"population_size": 6 if WITHOUT_JIT else 20, "max_depth": 5}
STEPS = 5 if WITHOUT_JIT else 300


def gaussians(n_rows=60, seed=0):
    return TrainingSet.of_classes(*make_gaussians(n_rows, random_state=seed))


def mixed(n_rows=50, seed=0):
    """Three classes, a nominal column, holes and weights."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(n_rows, 2)), rng.integers(0, 5, n_rows)])
    label = (X[:, 0] > 0).astype(int) + (X[:, 2] > 3)
    X[rng.random(X.shape) < 0.1] = np.nan
    return TrainingSet.of_classes(
        X, label, n_classes=3, weight=rng.random(n_rows) + 0.1, n_categories=np.array([0, 0, 5])
    )


def noise_of(data):
    shares = tuple((1 / n,) * n if n else () for n in data.n_categories.tolist())
    return Gaussian(0.3, redraw=0.05, marginals=shares)


def heights(run):
    return [tree.depth for _, tree, _ in vicinal.members(run)]


@given(st.integers(0, 10**6), st.sampled_from(["multi", "single"]), st.booleans())
@settings(max_examples=8)
def test_a_population_keeps_its_promises(seed, objectives, descent):
    data = mixed(seed=seed)
    evolution = Evolution(noise_of(data), objectives, descent=descent, **SMALL)
    run = evolution.start(data, np.random.SeedSequence(seed))
    risk = 1.0
    for _ in range(4):
        assert run.best_risk <= risk
        risk = run.best_risk
        run.advance(STEPS)
        assert run.farm.herd.is_member.sum() == evolution.population_size
        assert max(heights(run)) <= evolution.max_depth
        assert_ranks_are_right(run)
    front = run.front()
    assert [one.tree.n_nodes for one in front] == sorted({one.tree.n_nodes for one in front})
    assert np.all(np.diff([one.risk for one in front]) < 0)
    assert front[-1].risk <= risk + 1e-3  # missing values: see the module on simplification


def assert_ranks_are_right(run):
    herd = run.farm.herd
    lines = np.flatnonzero(herd.is_member)
    risk, nodes, born = herd.risk[lines], herd.n_nodes[lines], herd.born[lines]
    if run.evolution.objectives == "single":
        nodes = np.zeros_like(nodes)
    no_worse = (risk[:, None] <= risk) & (nodes[:, None] <= nodes)
    better = (risk[:, None] < risk) | (nodes[:, None] < nodes)
    younger = born[:, None] > born
    dominates = no_worse & (better | younger)
    np.testing.assert_array_equal(herd.n_better[lines], dominates.sum(axis=0))


def test_depth_starts_at_six_and_rises_only_for_the_best():
    run = Evolution(Gaussian(0.3), "single", max_depth=9, population_size=SMALL["population_size"])
    run = run.start(gaussians(), SEED)
    assert max(heights(run)) <= 6
    run.advance(STEPS)
    assert run.farm.scratch.counts[2] >= max(heights(run))


def test_founders_are_ramped_half_and_half():
    run = Evolution(Hard(), population_size=20).start(gaussians(), SEED)
    depths = np.array(heights(run))
    np.testing.assert_array_equal(depths[::2], np.tile([2, 3, 4, 5, 6], 2))  # full
    assert (depths[1::2] <= np.tile([2, 3, 4, 5, 6], 2)).all()
    assert (depths >= 1).all()


@pytest.mark.parametrize("options", [{}, {"descent": True}, {"objectives": "single"}])
def test_parts_are_the_whole_and_a_state_goes_on(options):
    data = mixed()
    evolution = Evolution(noise_of(data), **options, **SMALL)
    whole, parts = (evolution.start(data, SEED) for _ in range(2))
    n = 10 if WITHOUT_JIT else 1500
    whole.advance(2 * n)
    parts.advance(n - 3)
    later = resumed(evolution, data, state_of(parts))
    later.advance(n + 3)
    first, second = state_of(whole), state_of(later)
    for name in first:
        np.testing.assert_array_equal(first[name], second[name], err_msg=name)


@pytest.mark.skipif(WITHOUT_JIT, reason="takes long without compilation")
@pytest.mark.parametrize("options", [{}, {"descent": True}])
def test_a_run_that_was_asked_to_stop_goes_on_as_if_nothing_had_been(options):
    data = mixed()
    evolution = Evolution(noise_of(data), **options, **SMALL)
    whole, stopped = (evolution.start(data, SEED) for _ in range(2))
    ended = []

    def advance():
        try:
            stopped.advance(10**7)
        except Stopped:
            ended.append(stopped.iteration)

    for _ in range(3):
        thread = threading.Thread(target=advance)
        thread.start()
        time.sleep(0.1)
        ask_to_stop(thread.ident)
        thread.join(30)
        take_back(thread.ident)
    assert 0 < ended[0] <= ended[1] <= ended[2] < 10**7
    whole.advance(ended[2] + 5)
    stopped.advance(5)
    first, second = state_of(whole), state_of(stopped)
    for name in first:
        np.testing.assert_array_equal(first[name], second[name], err_msg=name)


def test_a_state_that_is_not_one_is_refused():
    data = mixed()
    evolution = Evolution(noise_of(data), **SMALL)
    good = state_of(evolution.start(data, SEED))
    bad = {
        "is_member": ~good["is_member"],
        "n_nodes": good["n_nodes"][1:],
        "feature": np.where(good["feature"] < 0, 0, good["feature"]),
        "label": good["label"] + 3,
        "cut": good["cut"] * np.nan,
        "risk": good["risk"] * np.nan,
        "state": good["state"] * 0,
        "mass": good["mass"][1:],
    }
    for name, values in bad.items():
        with pytest.raises(ValueError, match=r"must|member"):
            resumed(evolution, data, {**good, name: values.astype(good[name].dtype)})


def test_seeds_answer_as_the_trees_do():
    data = mixed(80)
    trees = [GreedyGrower(C45()).grow(data), GreedyGrower(Cart(max_depth=3)).grow(data)]
    run = Evolution(Hard(), population_size=4, max_depth=30).start(data, SEED, trees)
    complete = ~np.isnan(data.X).any(axis=1)
    for (_, seed, answers), tree in zip(vicinal.members(run), trees, strict=False):
        ours = Hard().predict(seed, data.X[complete], answers).argmax(axis=1)
        theirs = Hard().predict(tree, data.X[complete]).argmax(axis=1)
        np.testing.assert_array_equal(ours, theirs)


def test_a_cut_on_a_row_moves_half_way_to_the_next():
    data = TrainingSet.of_classes(np.array([[1.0], [2.0], [4.0]]), [0, 0, 1])
    at_value, between = (
        GreedyGrower(Cart()).grow(data).replace(threshold=[cut, 0.0, 0.0]) for cut in (2.0, 2.5)
    )
    run = Evolution(Hard(), population_size=4).start(data, SEED, [at_value, between])
    assert run.farm.book.cut[:2, 0].tolist() == [3.0, 2.5]


def test_deep_seeds_are_cut_off():
    data = gaussians(200)
    tree = GreedyGrower(Cart()).grow(data)
    run = Evolution(Hard(), population_size=4, max_depth=3).start(data, SEED, [tree])
    assert max(heights(run)) == 3


def test_a_cut_goes_to_the_middle_between_two_rows():
    X = np.array([[0.0], [1.0], [5.0], [6.0]])
    data = TrainingSet.of_classes(X, [0, 0, 1, 1])
    run = Evolution(Gaussian(0.5), population_size=10, descent=True).start(data, SEED)
    run.advance(20 if WITHOUT_JIT else 1000)
    best = run.best()
    assert best.tree.n_leaves == 2
    assert best.tree.threshold[0] == pytest.approx(3.0, abs=0.1)


def test_descent_lowers_the_risk():
    data = gaussians(80)
    plain, moved = (
        Evolution(Gaussian(0.3), descent=descent, **SMALL).start(data, SEED)
        for descent in (False, True)
    )
    for one, other in zip(plain.front(), moved.front(), strict=False):
        assert other.risk <= one.risk
    assert moved.best().risk < plain.best().risk


def test_leaves_have_the_class_of_most_of_their_mass():
    run = Evolution(Gaussian(0.3), **SMALL).start(gaussians(), SEED)
    best = run.best()
    one_hot = np.eye(2)[best.tree.response.argmax(axis=1)]
    assert vicinal.risk(best.tree, one_hot, run.data, Gaussian(0.3)) == pytest.approx(
        best.risk, abs=1e-6
    )
    assert best.risk <= run.best_risk


def test_many_classes_leave_room_for_smaller_trees(monkeypatch):
    data = gaussians()
    assert Evolution()._farm(data, SEED).book.size.shape[1] == 2047
    monkeypatch.setattr("softwood.grow.evolve_buffers.BOOK_BYTES", 2**20)
    run = Evolution(Gaussian(0.3), population_size=10).start(data, SEED)
    assert run.farm.book.size.shape[1] == 2**20 // (15 * (37 + 16))
    monkeypatch.setattr("softwood.grow.evolve_buffers.BOOK_BYTES", 0)
    small = Evolution(Gaussian(0.3), "single", population_size=10).start(data, SEED)
    small.advance(STEPS)
    assert small.farm.book.n_nodes.max() <= small.farm.book.size.shape[1] == 255


def test_a_single_leaf():
    X, y = np.ones((5, 2)), [0, 0, 1, 1, 1]
    data = TrainingSet.of_classes(X, y)
    assert not can_evolve(data)
    assert not can_evolve(TrainingSet.of_classes(np.eye(5), np.zeros(5, int)))
    leaf = single_leaf(data)
    assert (leaf.tree.n_nodes, leaf.risk) == (1, pytest.approx(0.4))
    assert leaf.tree.response.tolist() == [[0.4, 0.6]]


def test_a_front_takes_no_tree_that_is_larger_and_worse():
    run = Evolution(Gaussian(0.3), **SMALL).start(gaussians(), SEED)
    run.advance(STEPS)
    candidates = run.front()
    front = ParetoFront.of([*candidates[::-1], *candidates])
    assert len(front) == len(candidates)
    assert front.select(n_leaves=10**6).n_leaves == front.n_leaves[-1]
    with pytest.raises(ValueError, match="n_leaves must be at least"):
        front.select(n_leaves=0)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"objectives": "both"}, "objectives must be one of"),
        ({"cuts": "anywhere"}, "cuts must be one of"),
        ({"population_size": 1}, "population_size must be at least 2"),
        ({"max_depth": 0}, "max_depth must be at least 1"),
        ({"flow": Ramp()}, "flow must be"),
        ({"flow": Gaussian(0.1, exact=False)}, "flow must be"),
    ],
)
def test_wrong_settings_are_named(options, text):
    with pytest.raises(ValueError, match=text):
        Evolution(**options)
