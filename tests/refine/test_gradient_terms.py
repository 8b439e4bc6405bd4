"""Terms come and go without changing what a tree answers."""

import numpy as np
import pytest
from hypothesis import assume, given
from numpy.testing import assert_allclose, assert_array_equal

from softwood.data.training import TrainingSet
from softwood.flow import Hard, Ramp
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.refine.gradient import SoftenByGradient
from softwood.refine.gradient_terms import (
    SHARES,
    columns_to_combine,
    with_terms,
    without_small_weights,
    without_zero_terms,
)
from softwood.tree import NUMERIC, OBLIQUE
from tests.strategies import checked, tree_of, trees, trees_and_rows


@given(trees_and_rows(missing=False))
@checked
def test_new_terms_change_no_answer(case):
    tree, X = case
    starts = zip(tree.term_start[:-1], tree.term_start[1:], strict=True)
    terms = [tree.term_feature[start:stop].tolist() for start, stop in starts]
    # Two terms of one feature become one, and terms are put in order: sums round otherwise, and
    # a row may stand at the very border.
    assume(all(sorted(set(features)) == features for features in terms))
    more = with_terms(tree, [0, 2])
    for flow in (Hard(), Ramp()):
        assert_allclose(flow.predict(more, X), flow.predict(tree, X), atol=1e-12)
    tests = (tree.kind == NUMERIC) | (tree.kind == OBLIQUE)
    assert np.all(more.kind[tests] == OBLIQUE)
    for node in np.flatnonzero(tests):
        own = {int(tree.feature[node])} if tree.kind[node] == NUMERIC else set(tree.terms(node)[0])
        assert {0, 2} <= set(more.terms(node)[0]) <= {0, 2} | own


@given(trees(kinds=(NUMERIC,)))
@checked
def test_terms_that_stay_zero_leave_no_trace(tree):
    assert without_zero_terms(with_terms(tree, [0, 1, 2])) == tree


@given(trees_and_rows())
@checked
def test_without_zero_terms_answers_alike(case):
    tree, X = case
    less = without_zero_terms(tree)
    # A term of weight 0 reads its feature: only where that is known the answers are alike.
    known = ~np.isnan(X[:, sorted({0, 1, 2})]).any(axis=1)
    for flow in (Hard(), Ramp(shape="normal")):
        assert_allclose(flow.predict(less, X[known]), flow.predict(tree, X[known]), atol=1e-12)


def test_one_term_becomes_a_numeric_test():
    test = {"kind": OBLIQUE, "terms": [(0, 0.0), (1, 4.0)], "n_children": 2, "first": 1}
    tree = tree_of([{**test, "threshold": 2.0, "below": 1.0, "above": 2.0}, {}, {}], 2)
    less = without_zero_terms(tree)
    assert less.kind[0] == NUMERIC
    assert (less.feature[0], less.threshold[0], less.below[0], less.above[0]) == (1, 0.5, 0.25, 0.5)


@pytest.mark.parametrize("terms", [[(0, 0.0), (1, -4.0)], [(1, 2.0), (1, -2.0)]])
def test_a_negative_or_idle_term_stays_oblique(terms):
    test = {"kind": OBLIQUE, "terms": terms, "n_children": 2, "first": 1, "threshold": 2.0}
    less = without_zero_terms(tree_of([test, {}, {}], 2))
    assert less.kind[0] == OBLIQUE
    assert_array_equal(less.terms(0)[0], [1])


def test_columns_with_gaps_constants_and_categories_are_not_combined():
    X = np.array([[1.0, 1.0, 1.0, 0.0, 7.0], [2.0, np.nan, 3.0, 1.0, 7.0]])
    n_categories = np.array([0, 0, 0, 2, 0], dtype=np.int32)
    data = TrainingSet.of_classes(X, [0, 1], n_categories=n_categories)
    assert_array_equal(columns_to_combine(data), [0, 2])


def test_a_few_gaps_do_not_keep_a_column_out():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    label = (X.sum(axis=1) > 0).astype(int)
    X[rng.random(600) < 0.05, 1] = np.nan
    data = TrainingSet.of_classes(X, label)
    grown = GreedyGrower(Cart("gini", max_depth=1)).grow(data)
    soft = SoftenByGradient(oblique=True).refine(grown, data)
    slope = dict(zip(*(part.tolist() for part in soft.terms(0)), strict=True))
    assert slope[1] / slope[0] == pytest.approx(1.0, abs=0.3)
    flow = Ramp(shape="logistic")
    full = ~np.isnan(X[:, 1])
    right = flow.predict(soft, X).argmax(axis=1) == label
    assert right[full].mean() > 0.97  # the diagonal, which no straight test draws
    # A row without the value goes down both branches, as everywhere.
    shares = flow.predict(soft, X[~full])
    assert np.ptp(shares, axis=0).max() < 1e-9


def test_as_many_weights_go_as_the_loss_allows():
    rng = np.random.default_rng(0)
    owner = np.repeat([0, 3], 6)
    term = rng.normal(size=12)

    def loss(kept):
        return np.sum((term - kept) ** 2)

    sizes = []
    for most in (0.0, 0.05, 0.5, 5.0):
        kept = without_small_weights(owner, term, loss, most)
        assert loss(kept) <= most
        assert set(kept) <= {0.0, *term}
        sizes.append(np.count_nonzero(kept))
        largest = [np.abs(term[owner == k]).max() for k in (0, 3)]
        limits = np.repeat(largest, 6)
        allowed = [s for s in SHARES if np.sum(term[np.abs(term) < s * limits] ** 2) <= most]
        best = max(allowed, default=0.0)
        assert_array_equal(kept == 0.0, np.abs(term) < best * limits)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 12 > sizes[-1] >= 2
