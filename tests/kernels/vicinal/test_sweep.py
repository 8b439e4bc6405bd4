"""The risk of the sweep against boxes, the flow of the fitted tree, and random draws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from softwood.data.training import TrainingSet
from softwood.flow import Gaussian, Hard
from softwood.grow.evolve import Evolution
from softwood.grow.evolve_state import resumed, state_of
from tests.oracles import vicinal
from tests.strategies import WITHOUT_JIT

N_MEMBERS = 4 if WITHOUT_JIT else 12
seeds = st.integers(0, 2**20)


def sample(seed, n_rows=25, n_classes=3, missing=0.0, nominal=False):
    """Rows of two numeric columns, perhaps with holes, and perhaps a nominal one."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 2))
    if nominal:
        X = np.column_stack([X, rng.integers(0, 4, n_rows)])
    label = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n_rows - n_classes)])
    X[rng.random(X.shape) < missing] = np.nan
    return TrainingSet.of_classes(
        X,
        label,
        n_classes=n_classes,
        weight=rng.choice([0.5, 1.0, 3.0], n_rows),
        n_categories=np.array([0, 0, 4] if nominal else [0, 0]),
    )


def founded(data, flow, seed, **options):
    options = {"population_size": N_MEMBERS, "max_depth": 6, **options}
    return Evolution(flow, **options).start(data, np.random.SeedSequence(seed))


def masses_of(run):
    """Masses of all nodes, member after member."""
    book, lines = run.farm.book, np.flatnonzero(run.farm.herd.is_member)
    return np.concatenate([book.mass[line, : book.n_nodes[line]] for line in lines])


@given(seeds)
@settings(max_examples=5)
def test_risk_is_that_of_boxes_however_often_a_feature_is_tested(seed):
    data, scale = sample(seed), np.array([0.3, 0.7])
    run = founded(data, Gaussian(tuple(scale)), seed)
    for line, tree, answers in vicinal.members(run):
        expected = vicinal.box_risk(tree, answers, data, scale)
        assert run.farm.book.risk[line] == pytest.approx(expected, abs=1e-6)


@given(seeds, st.sampled_from([0.0, 0.3]), st.sampled_from([0.0, 0.05, 0.5]))
@settings(max_examples=5 if WITHOUT_JIT else 20)
def test_risk_is_that_of_the_fitted_trees_flow(seed, missing, redraw):
    data = sample(seed, missing=missing, nominal=True)
    shares = ((), (), (0.4, 0.3, 0.2, 0.1))
    for flow in (Hard(), Gaussian((0.3, 0.0, 0.0), drop=0.0, redraw=redraw, marginals=shares)):
        run = founded(data, flow, seed)
        for line, tree, answers in vicinal.members(run):
            expected = vicinal.risk(tree, answers, data, flow)
            assert run.farm.book.risk[line] == pytest.approx(expected, abs=1e-6)


@pytest.mark.skipif(WITHOUT_JIT, reason="many draws")
def test_risk_is_the_share_of_perturbed_rows_that_are_wrong():
    data, scale = sample(3, n_rows=40), np.array([0.3, 0.7])
    run = founded(data, Gaussian(tuple(scale)), 1)
    rng = np.random.default_rng(0)
    for line, tree, answers in vicinal.members(run):
        mean, error = vicinal.monte_carlo_risk(tree, answers, data, scale, 400, rng)
        assert abs(run.farm.book.risk[line] - mean) < 4 * error + 1e-9


@given(seeds)
@settings(max_examples=5 if WITHOUT_JIT else 20)
def test_without_noise_the_risk_is_the_share_of_errors(seed):
    data = sample(seed)
    hard, soft = (founded(data, flow, seed) for flow in (Hard(), Gaussian(1e-9)))
    lines = np.flatnonzero(hard.farm.herd.is_member)
    np.testing.assert_allclose(hard.farm.book.risk[lines], soft.farm.book.risk[lines], atol=1e-6)
    for line, tree, answers in vicinal.members(hard):
        wrong = Hard().predict(tree, data.X, answers).argmax(axis=1) != data.label
        assert hard.farm.book.risk[line] == pytest.approx(
            np.average(wrong, weights=data.weight), abs=1e-7
        )


@given(seeds, st.booleans())
def test_children_are_evaluated_as_if_from_the_ground_up(seed, nominal):
    """Masses that were kept from the parents are those of a new computation."""
    data = sample(seed, missing=0.1 if nominal else 0.0, nominal=nominal)
    shares = ((), (), (0.4, 0.3, 0.2, 0.1)) if nominal else ()
    flow = Gaussian(0.4, redraw=0.1 if nominal else 0.0, marginals=shares)
    run = founded(data, flow, seed)
    run.advance(5 if WITHOUT_JIT else 60)
    kept, mass = state_of(run), masses_of(run)
    from softwood._kernels.evolve.run import evolve

    for line in np.flatnonzero(run.farm.herd.is_member):
        evolve(run.farm, 0, 0, int(line), 0, np.zeros(1, np.int64))  # which also relabels
    np.testing.assert_array_equal(masses_of(run), mass)  # of tests as well: sweeps build on them
    risk = run.farm.book.risk[: kept["risk"].size]
    assert (risk[kept["is_member"]] <= kept["risk"][kept["is_member"]]).all()
    np.testing.assert_array_equal(masses_of(resumed(run.evolution, data, kept)), mass)


def test_a_pool_that_is_full_changes_nothing(monkeypatch):
    data = sample(0)
    risks = []
    for slots in (64, 2):
        monkeypatch.setattr("softwood.grow.evolve_buffers.LEAST_SLOTS", slots)
        monkeypatch.setattr("softwood.grow.evolve_buffers.POOL_BYTES", 0)
        run = founded(data, Gaussian(0.4), 0)
        run.advance(40)
        risks.append(run.farm.book.risk[run.farm.herd.is_member.nonzero()[0]])
    np.testing.assert_array_equal(*risks)


def test_columns_are_held_by_those_who_use_them():
    run = founded(sample(1), Gaussian(0.4), 0)
    run.advance(30)
    book, pool = run.farm.book, run.farm.pool
    lines = np.flatnonzero(run.farm.herd.is_member)
    held = np.concatenate(
        [book.slot[k, : book.n_nodes[k]][book.feature[k, : book.n_nodes[k]] >= 0] for k in lines]
    )
    np.testing.assert_array_equal(np.bincount(held, minlength=pool.n_uses.size), pool.n_uses)
    free = set(pool.free[: pool.n_free[0]].tolist())
    assert len(free) == pool.n_free[0]
    assert free.isdisjoint(held.tolist())
    assert len(free) + len(set(held.tolist())) + 2 == pool.n_uses.size


def test_risk_by_the_most_categories():
    """More categories than bits: the rarest go together, and the flow agrees."""
    rng = np.random.default_rng(0)
    code = np.concatenate([np.repeat(np.arange(70), 2), np.repeat(np.arange(40), 3)])
    data = TrainingSet.of_classes(
        code[:, None].astype(float), rng.integers(0, 2, code.size), n_categories=np.array([100])
    )
    run = founded(data, Hard(), 0)
    for line, tree, answers in vicinal.members(run):
        assert run.farm.book.risk[line] == pytest.approx(
            vicinal.risk(tree, answers, data, Hard()), abs=1e-6
        )
        branches = {tuple(tree.branch_of_category(k)[64:]) for k in np.flatnonzero(tree.kind)}
        assert all(len(set(together)) <= 1 for together in branches)
