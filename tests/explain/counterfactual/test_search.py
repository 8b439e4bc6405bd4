"""The nearest row against all rows that could matter, on small hard trees and forests of them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from softwood._kernels.branch import SPREADS
from softwood.explain.counterfactual import (
    Domain,
    goal_of_classes,
    goal_of_numbers,
    nearest_row,
)
from softwood.flow import Gaussian, Hard, Ramp
from softwood.forest import Forest
from softwood.forest.ties import TIE, most_probable
from softwood.tree import NOMINAL, NUMERIC, OBLIQUE
from tests.oracles.counterfactuals import far, nearest_in_boxes, nearest_of_all
from tests.strategies import checked, rows_for, trees

STRAIGHT = (NUMERIC, NUMERIC, NOMINAL)
N_CATEGORIES = 6  # as many as random trees may know
CLOSE = 1e-5  # of the distance: numbers are put behind cuts, with few digits
scales = st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=3, max_size=3)


def sizes_of(forest):
    """Return how many categories the columns have; None if some are tested both ways."""
    sizes = np.zeros(forest.n_features, dtype=int)
    for tree in forest.trees:
        sizes[tree.feature[tree.kind == NOMINAL]] = N_CATEGORIES
    for tree in forest.trees:
        numeric = tree.feature[tree.kind == NUMERIC]
        if sizes[numeric].any() or (tree.term_feature.size and sizes[tree.term_feature].any()):
            return None
    return sizes


def label(raw):
    return most_probable(raw)


def goal_for(forest, row, target=None, flow=None):
    now = int(label(forest.raw(row[None], flow or Hard()))[0])
    return goal_of_classes(forest, label, target, now, TIE)


@st.composite
def cases(draw, n_trees=1, limits=False, missing=False, kinds=STRAIGHT, max_tests=6):
    """Draw a forest and a domain."""
    forest = Forest.average(
        [draw(trees(kinds=kinds, max_tests=max_tests, n_outputs=3)) for _ in range(n_trees)]
    )
    sizes = sizes_of(forest)
    assume(sizes is not None)
    row = draw(rows_for(forest.trees[0], max_rows=1, missing=missing))[0]
    for j in np.flatnonzero(sizes):
        own = row[j]
        is_code = 0 <= own < N_CATEGORIES and own == np.floor(own)
        if not (is_code or missing):
            row[j] = 0.0
        elif not is_code:
            row[j] = draw(st.sampled_from([np.nan, -1.0]))
    for j in np.flatnonzero(sizes == 0):
        if row[j] == 99.0:
            row[j] = 0.3
    domain = Domain.of(row, sizes, np.array(draw(scales)))
    return forest, limited(draw, domain) if limits else domain


def limited(draw, domain):
    n = domain.row.size
    some = st.lists(st.booleans(), min_size=n, max_size=n)
    ends = st.lists(st.sampled_from([-1.25, -1.0, 0.0, 0.5, 2.0]), min_size=n, max_size=n)
    low, high = np.sort([draw(ends), draw(ends)], axis=0)
    nominal = domain.is_nominal
    low, high = np.where(nominal, -np.inf, low), np.where(nominal, np.inf, high)
    # What is limited has numbers in its limits already, or has to change: both are drawn.
    fixed = np.array(draw(some)) & np.array(draw(some))
    whole = np.where(np.array(draw(some)) & ~nominal, 1.0, 0.0)
    codes = tuple(
        None
        if one is None
        else np.array(draw(st.permutations([True, True, True, True, False, False])))
        for one in domain.codes
    )
    wide = replace(domain, low=low, high=high, per_unit=whole, codes=codes)
    return replace(wide, is_fixed=fixed & wide.allows_own)


def check(forest, domain, goal, found, expected):
    assert found.is_exact
    if not np.isfinite(expected):
        assert found.row is None
        return
    assert found.row is not None
    assert goal.accepts(forest.raw(found.row[None]))[0]
    assert domain.allows(found.row[None])[0]
    assert far(domain, found.row) == pytest.approx(expected, abs=CLOSE)
    assert domain.distance(found.row[None])[0] == pytest.approx(far(domain, found.row))


@checked
@given(cases(), st.sampled_from([None, 0, 1, 2]))
def test_a_tree_is_searched_as_by_trying_all_boxes(case, target):
    forest, domain = case
    (tree,) = forest.trees
    # A category that no branch takes spreads; what that answers is in no box.
    tables = [tree.branch_of_category(n) for n in np.flatnonzero(tree.kind == NOMINAL)]
    assume(all(t.size >= N_CATEGORIES and SPREADS not in t[:N_CATEGORIES] for t in tables))
    goal = goal_for(forest, domain.row, target)

    def is_wanted_leaf(leaf):
        return goal.accepts(tree.response[leaf][None])[0]

    found = nearest_row(forest, Hard(), domain, goal)
    check(forest, domain, goal, found, nearest_in_boxes(tree, domain, is_wanted_leaf))


@checked
@given(cases(limits=True, missing=True), st.sampled_from([None, 0, 1, 2]))
def test_a_tree_is_searched_as_by_trying_all_rows(case, target):
    forest, domain = case
    goal = goal_for(forest, domain.row, target)
    found = nearest_row(forest, Hard(), domain, goal)
    check(forest, domain, goal, found, nearest_of_all(forest, domain, goal.accepts))


@checked
@given(cases(n_trees=3, limits=True, missing=True, max_tests=3), st.sampled_from([None, 1]))
def test_a_forest_is_searched_as_by_trying_all_rows(case, target):
    forest, domain = case
    goal = goal_for(forest, domain.row, target)
    found = nearest_row(forest, Hard(), domain, goal, max_regions=20_000)
    check(forest, domain, goal, found, nearest_of_all(forest, domain, goal.accepts))


@checked
@given(cases(n_trees=2, max_tests=3), st.floats(-0.8, 0.8), st.floats(0.0, 0.5))
def test_numbers_are_searched_as_by_trying_all_rows(case, low, more):
    forest, domain = case
    forest = Forest.average([tree.replace(response=tree.response[:, :1]) for tree in forest.trees])
    goal = goal_of_numbers(forest, low, low + more, (False, False))
    found = nearest_row(forest, Hard(), domain, goal, max_regions=20_000)
    check(forest, domain, goal, found, nearest_of_all(forest, domain, goal.accepts))


@checked
@given(cases(kinds=(NUMERIC, OBLIQUE), max_tests=4))
def test_no_row_of_many_is_nearer_in_an_oblique_tree(case):
    forest, domain = case
    goal = goal_for(forest, domain.row)
    found = nearest_row(forest, Hard(), domain, goal)
    rng = np.random.default_rng(0)
    rows = domain.row + rng.laplace(size=(20_000, domain.row.size)) * rng.choice(
        [0.0, 0.1, 1.0, 5.0], (20_000, domain.row.size)
    )
    wanted = rows[goal.accepts(forest.raw(rows))]
    if found.row is None:
        assert not len(wanted)
        return
    assert goal.accepts(forest.raw(found.row[None]))[0]
    nearest = domain.distance(wanted).min(initial=np.inf)
    assert domain.distance(found.row[None])[0] <= nearest + 1e-4


flows = st.one_of(st.just(Ramp()), st.just(Gaussian((0.3, 0.3, 0.3))))


@checked
@given(cases(limits=True, missing=True), flows)
def test_soft_trees_are_answered_by_rows_that_are_valid(case, flow):
    forest, domain = case
    goal = goal_for(forest, domain.row, flow=flow)
    found = nearest_row(forest, flow, domain, goal)
    if found.row is None:
        assert not found.is_exact or np.isinf(found.bound)
        return
    assert goal.accepts(forest.raw(found.row[None], flow))[0]
    assert domain.allows(found.row[None])[0]
