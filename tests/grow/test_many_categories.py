"""Columns of many categories: CART does not count what chance would gain."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from softwood.data.training import TrainingSet
from softwood.flow import Gaussian
from softwood.grow.greedy import C45, Cart, GreedyGrower
from softwood.grow.vicinal import VicinalGrower
from softwood.tree import NOMINAL
from tests.oracles import splits
from tests.strategies import checked

N_LEVELS = 12
CRITERIA = ("gini", "entropy", "twoing", "squared_error")


@st.composite
def tables(draw, criterion="gini"):
    """Draw a coarse numeric column and one of up to twelve categories, some of one case."""
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    n_rows, told = draw(st.integers(10, 40)), draw(st.sampled_from([0.0, 0.5, 0.9]))
    odds = rng.dirichlet(np.full(N_LEVELS, draw(st.sampled_from([0.3, 2.0]))))
    code = rng.choice(N_LEVELS, n_rows, p=odds)
    X = np.column_stack([rng.integers(0, 3, n_rows), code]).astype(float)
    label = np.where(rng.random(n_rows) < told, code % 2, rng.integers(0, 2, n_rows))
    weight = rng.choice([0.5, 1.0, 2.0], n_rows) if draw(st.booleans()) else None
    common = {"weight": weight, "n_categories": np.array([0, N_LEVELS])}
    if criterion == "squared_error":
        return TrainingSet.of_target(X, label + rng.normal(0, 0.3, n_rows), **common)
    return TrainingSet.of_classes(X, label, n_classes=2, **common)


def judged(left, x, y, weight, criterion, nominal):
    """What a test is worth beside others, by definition."""
    gain = splits.gain_of(left, y, weight, 2, criterion)
    if nominal:
        gain *= splits.part_beyond_chance(splits.groups_of(x), y, weight, 2, criterion)
    return gain


@pytest.mark.parametrize("criterion", CRITERIA)
@given(data=st.data())
@checked
def test_the_root_takes_the_test_that_is_best_beyond_chance(criterion, data):
    table = data.draw(tables(criterion))
    y = table.target if criterion == "squared_error" else table.label
    tree = GreedyGrower(Cart(criterion, max_depth=1)).grow(table)
    number, code = table.X.T
    best = max(
        splits.best_numeric_gain(number, y, table.weight, 2, criterion),
        splits.best_judged_gain(code, y, table.weight, 2, criterion),
    )
    if tree.n_nodes == 1:
        assert best == -np.inf or np.unique(y).size == 1
        return
    x, nominal = table.X[:, tree.feature[0]], tree.kind[0] == NOMINAL
    left = tree.branch_of_category(0)[x.astype(int)] == 0 if nominal else x <= tree.threshold[0]
    assert judged(left, x, y, table.weight, criterion, nominal) == pytest.approx(best, abs=1e-9)


@given(table=tables())
@checked
def test_categories_of_one_case_share_a_side(table):
    tree = GreedyGrower(Cart("gini", max_depth=1)).grow(table)
    assume(tree.n_nodes > 1 and tree.kind[0] == NOMINAL)
    count = np.bincount(table.X[:, 1].astype(int), minlength=N_LEVELS)
    assume(np.count_nonzero(count) > 2 and (count == 1).any())
    assert np.unique(tree.branch_of_category(0)[count == 1]).size == 1


def without_signal(n_categories, n_rows=300, seed=0):
    rng = np.random.default_rng(seed)
    code = rng.permutation(n_rows) % n_categories
    return TrainingSet.of_classes(
        code[:, None].astype(float), rng.integers(0, 2, n_rows), n_categories=[n_categories]
    )


@pytest.mark.parametrize("n_categories", [300, 150, 100])
def test_chance_makes_no_test(n_categories):
    data = without_signal(n_categories)
    for criterion in ("gini", "entropy", "twoing"):
        assert GreedyGrower(Cart(criterion)).grow(data).n_nodes == 1
    assert VicinalGrower(Gaussian(np.zeros(1))).grow(data).n_nodes == 1


def test_blurred_rows_are_counted_whatever_they_weigh():
    data = without_signal(100)
    flow = Gaussian(np.zeros(1))
    for weight in (1e-3, 1e3):
        heavy = TrainingSet.of_classes(
            data.X, data.label, weight=np.full(300, weight), n_categories=data.n_categories
        )
        assert VicinalGrower(flow).grow(heavy).n_nodes == 1


def test_a_row_drawn_twice_is_one_case():
    """A bootstrap makes pairs of what is unique, and pairs agree."""
    data = without_signal(300)
    sample, rows = data.drawn(np.random.default_rng(1).integers(0, 300, 300))
    assert sample.weight.sum() == 300
    assert np.unique(rows).size == rows.size
    assert GreedyGrower(Cart("gini")).grow(sample).n_nodes == 1


def test_more_branches_than_a_side_can_name_are_not_made():
    code = np.arange(140_000) // 2
    data = TrainingSet.of_classes(
        code[:, None].astype(float), code % 3 == 0, n_categories=np.array([70_000])
    )
    assert GreedyGrower(C45()).grow(data).n_nodes == 1
