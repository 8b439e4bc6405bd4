"""Leaves estimated anew: counts from scratch, identities, and what must always hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.training import TrainingSet
from softwood.flow import Gaussian, Hard, Ramp
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.refine.refresh import RefreshLeaves
from softwood.tree import NUMERIC
from tests.strategies import checked, rows_for, trees, trees_and_rows

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3))
Y = (X[:, 0] * X[:, 1] > 0).astype(int)
OLD, NEW = (TrainingSet.of_classes(X[part], Y[part]) for part in (slice(60), slice(60, None)))
TREE = GreedyGrower(Cart(max_depth=3)).grow(OLD)


def counted(tree, data, keep=0.0):
    """The slow way: every row to its leaf, every leaf's counts one by one."""
    sums = keep * tree.weight[:, None] * tree.response
    sums[~tree.is_leaf] = 0.0
    weight = keep * tree.weight * tree.is_leaf
    for row, label, w in zip(data.X, data.label, data.weight, strict=True):
        (leaf,) = tree.leaves[Hard().spread(tree, row[None]).indices]
        sums[leaf, label] += w
        weight[leaf] += w
    for node in range(tree.n_nodes - 1, -1, -1):
        for child in tree.children(node):
            sums[node] += sums[child]
            weight[node] += weight[child]
    return weight, np.array(
        [s / w if w else r for s, w, r in zip(sums, weight, tree.response, strict=True)]
    )


@pytest.mark.parametrize("keep", [0.0, 0.3, 1.0])
def test_counts_are_those_of_the_rows(keep):
    weight, response = counted(TREE, NEW, keep)
    found = RefreshLeaves(keep=keep).refine(TREE, NEW)
    np.testing.assert_allclose(found.weight, weight)
    np.testing.assert_allclose(found.response, response)
    for name in ("n_children", "kind", "feature", "threshold", "below", "above"):
        np.testing.assert_array_equal(getattr(found, name), getattr(TREE, name))


def test_old_and_new_rows_together_are_those_of_both():
    both = TrainingSet.of_classes(X, Y)
    expected = RefreshLeaves().refine(TREE, both)
    found = RefreshLeaves(keep=1.0).refine(TREE, NEW)
    np.testing.assert_allclose(found.response, expected.response)
    np.testing.assert_allclose(found.weight, expected.weight)


def test_the_same_rows_give_the_same_answers_with_gaps_too():
    holes = np.where(RNG.random(X.shape) < 0.2, np.nan, X)
    data = TrainingSet.of_classes(holes, Y, weight=RNG.integers(1, 4, 120) * 0.7)
    tree = GreedyGrower(Cart(max_depth=4)).grow(data)
    again = RefreshLeaves().refine(tree, data)
    np.testing.assert_allclose(again.weight, tree.weight)
    np.testing.assert_allclose(again.response, tree.response, atol=1e-12)
    # Forgotten weights find back to themselves: how gaps divide is settled by turns.
    shaken = RefreshLeaves().refine(tree.replace(weight=np.ones(tree.n_nodes)), data)
    np.testing.assert_allclose(shaken.weight, tree.weight, atol=0.1)


def test_leaves_that_no_row_reaches_stay():
    left = NEW.take(NEW.X[:, TREE.feature[0]] <= TREE.threshold[0])
    found, reached = RefreshLeaves().refreshed(TREE, left)
    gone = TREE.leaves[~reached]
    assert gone.size > 0
    np.testing.assert_array_equal(found.response[gone], TREE.response[gone])
    assert (found.weight[gone] == 0.0).all()
    assert found.weight[2] == 0.0  # all that is right of the root
    np.testing.assert_array_equal(found.response[2], TREE.response[2])


def test_solved_shares_are_likelier_than_plain_ones():
    flow = Gaussian(0.7)
    plain, solved = (RefreshLeaves(flow, solve=how).refine(TREE, NEW) for how in (False, True))
    likelihood = [
        np.log(flow.predict(tree, NEW.X)[np.arange(NEW.n_rows), NEW.label]).sum()
        for tree in (plain, solved)
    ]
    assert likelihood[1] > likelihood[0] + 1.0
    np.testing.assert_allclose(solved.response.sum(axis=1), 1.0)
    np.testing.assert_allclose(solved.weight, plain.weight)


def test_solved_numbers_are_those_of_a_dense_solver():
    flow, target = Gaussian(0.7), X[60:, 0] + 2.0
    data = TrainingSet.of_target(X[60:], target, weight=RNG.uniform(0.5, 2.0, 60))
    tree = TREE.replace(response=TREE.response[:, :1])
    mass, w = flow.spread(tree, data.X).toarray(), data.weight
    mean = (mass.T @ (w * target)) / (mass.T @ w)
    kept, old = 0.4 * tree.weight[tree.leaves], tree.response[tree.leaves, 0]
    mean = (mass.T @ (w * target) + kept * old) / (mass.T @ w + kept)
    prior = 0.5 * w.mean()
    # Rows of a longer table: the data, the prior at the mean, the old rows.
    n_leaves = mass.shape[1]
    table = np.vstack([mass, np.eye(n_leaves), np.eye(n_leaves)])
    root = np.sqrt(np.concatenate([w, np.full(n_leaves, prior), kept]))
    answers = np.concatenate([target, mean, old])
    expected = np.linalg.lstsq(root[:, None] * table, root * answers, rcond=None)[0]
    found = RefreshLeaves(flow, keep=0.4, solve=True).refine(tree, data)
    np.testing.assert_allclose(found.response[tree.leaves, 0], expected, rtol=1e-8)


def shares(tree):
    """The tree with shares of classes for responses."""
    response = np.abs(tree.response) + 0.1
    return tree.replace(response=response / response.sum(axis=1, keepdims=True))


@checked
@given(st.data())
def test_what_holds_of_any_tree_and_rows(data):
    tree = data.draw(trees())
    rows = data.draw(rows_for(tree))
    label = data.draw(st.lists(st.integers(0, 1), min_size=len(rows), max_size=len(rows)))
    keep = data.draw(st.sampled_from([0.0, 0.5, 1.0]))
    solve = data.draw(st.booleans())
    flow = data.draw(st.sampled_from([Hard(), Ramp(), Gaussian(0.5)]))
    tree = shares(tree)
    before = tree.response.copy()
    found, reached = RefreshLeaves(flow, keep, solve).refreshed(
        tree, TrainingSet.of_classes(rows, label, n_classes=2)
    )
    np.testing.assert_array_equal(tree.response, before)
    np.testing.assert_allclose(found.response.sum(axis=1), 1.0)
    assert (found.response >= 0.0).all()
    total = len(rows) + keep * tree.weight[tree.leaves].sum()
    assert found.weight[0] == pytest.approx(total, rel=0.01, abs=0.01)
    for node in np.flatnonzero(tree.n_children):
        below = list(tree.children(node))
        assert found.weight[node] == pytest.approx(found.weight[below].sum())
    stay = tree.leaves[~reached]
    np.testing.assert_allclose(found.response[stay], tree.response[stay])


@checked
@given(trees_and_rows(kinds=(NUMERIC,), missing=False), st.integers(0, 2**12 - 1))
def test_solving_changes_nothing_where_flow_is_hard(drawn, bits):
    tree, rows = drawn
    label = np.array([bits >> k & 1 for k in range(len(rows))])
    data = TrainingSet.of_classes(rows, label, n_classes=2)
    tree = shares(tree)
    plain, solved = (RefreshLeaves(solve=how).refine(tree, data) for how in (False, True))
    np.testing.assert_allclose(solved.response, plain.response, atol=1e-9)


@pytest.mark.parametrize("keep", [-0.1, np.nan, np.inf])
def test_keep_must_be_a_count(keep):
    with pytest.raises(ValueError, match="keep must be finite and not negative"):
        RefreshLeaves(keep=keep)
