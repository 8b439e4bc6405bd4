import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood._kernels.pruning.complete_rows import prune_whole_cases, pruning_buffers
from softwood._kernels.pruning.fractional_rows import prune_spread_cases
from softwood._kernels.pruning.pessimistic import extra_errors
from softwood.data.training import TrainingSet
from softwood.grow.greedy import C45, Cart, GreedyGrower
from softwood.refine.collapse import Collapse, leaf_errors, sum_over_leaves
from softwood.refine.pessimistic import PrunePessimistic, _assembled

Z = 0.6744897501960817  # upper quartile of the normal


def noisy(seed, missing=False, n=120):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 9, (n, 3)), rng.integers(0, 4, (n, 2))]).astype(float)
    label = (X[:, 0] > 4).astype(int) + (rng.uniform(size=n) < 0.3)
    if missing:
        X[rng.uniform(size=X.shape) < 0.1] = np.nan
    categories = np.array([0, 0, 0, 4, 4], dtype=np.int32)
    return TrainingSet.of_classes(X, label, n_classes=3, n_categories=categories)


def test_extra_errors_match_hand_calculation():
    # J48's addErrs for N = 6, 9 and 16 pure cases at CF 0.25, as in Quinlan's book, p. 41.
    for n, upper in ((6, 0.206), (9, 0.143)):
        assert extra_errors(float(n), 0.0, 0.25, Z) / n == pytest.approx(upper, abs=5e-4)
    assert extra_errors(1.0, 0.0, 0.25, Z) == pytest.approx(0.75)
    assert extra_errors(10.0, 9.7, 0.25, Z) == pytest.approx(0.3)
    f = 1.5 / 16
    limit = f + Z**2 / 32 + Z * np.sqrt(f / 16 - f * f / 16 + Z**2 / (4 * 16 * 16))
    assert extra_errors(16.0, 1.0, 0.25, Z) == pytest.approx(16 * limit / (1 + Z**2 / 16) - 1)


@given(n=st.floats(1, 500), share=st.floats(0, 1))
def test_extra_errors_are_never_negative_and_shrink_with_confidence(n, share):
    e = share * n
    assert extra_errors(n, e, 0.25, Z) >= -1e-9
    assert extra_errors(n, e, 0.1, 1.2815515655446004) >= extra_errors(n, e, 0.25, Z) - 1e-9


@given(seed=st.integers(0, 200), raising=st.booleans())
def test_both_ways_of_pruning_agree_where_no_case_spreads(seed, raising):
    data = noisy(seed)
    tree = GreedyGrower(C45()).grow(data)
    X = data.X.view()
    X.flags.writeable = False
    cases, limits = (tree.nodes, X, data.label, data.weight), (0.25, Z, raising)
    books = pruning_buffers(tree.n_nodes, data.n_rows, data.n_classes)
    whole, quick = prune_whole_cases(*cases, books, *limits)
    general = prune_spread_cases(*cases, data.n_classes, *limits)
    assert whole
    assert _assembled(tree, *quick) == _assembled(tree, *general)


@given(seed=st.integers(0, 100), missing=st.booleans())
def test_pruning_keeps_the_books(seed, missing):
    data = noisy(seed, missing)
    tree = GreedyGrower(C45()).grow(data)
    for refined in (
        Collapse().refine(tree),
        PrunePessimistic().refine(tree, data),
        PrunePessimistic(subtree_raising=False).refine(tree, data),
    ):
        assert refined.n_leaves <= tree.n_leaves
        np.testing.assert_allclose(refined.response.sum(axis=1), 1)
        np.testing.assert_allclose(
            sum_over_leaves(refined, refined.weight), refined.weight, rtol=1e-4
        )
        assert refined.weight[0] == pytest.approx(data.weight.sum())


@given(seed=st.integers(0, 100))
def test_collapse_never_raises_training_error_by_more_than_its_slack(seed):
    tree = GreedyGrower(C45()).grow(noisy(seed))
    collapsed = Collapse().refine(tree)
    before = leaf_errors(tree)[tree.is_leaf].sum()
    after = leaf_errors(collapsed)[collapsed.is_leaf].sum()
    assert after <= before + 1e-3 * tree.n_nodes


def test_subset_splits_can_be_pruned_too():
    data = noisy(5)
    tree = GreedyGrower(Cart("gini")).grow(data)
    pruned = PrunePessimistic(0.1).refine(tree, data)
    assert 1 <= pruned.n_leaves < tree.n_leaves


def test_a_smaller_confidence_prunes_more():
    data = noisy(7, n=400)
    tree = GreedyGrower(C45()).grow(data)
    sizes = [PrunePessimistic(c).refine(tree, data).n_leaves for c in (0.01, 0.1, 0.25, 0.5)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
