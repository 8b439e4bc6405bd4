"""Oblique trees: what their rows say they must be, for any policy and any number of workers."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.training import TrainingSet
from softwood.flow import leaf_of
from softwood.grow.oblique import LARGE, Oblique, ObliqueGrower
from softwood.tree import NOMINAL, NUMERIC, OBLIQUE
from tests.oracles import hyperplanes
from tests.strategies import WITHOUT_JIT, checked

SEED = np.random.SeedSequence(3)
FEW = {"n_restarts": 3, "n_jumps": 2}
POLICIES = [
    {},
    {"criterion": "gini", "order": "best_first"},
    {"criterion": "entropy", "order": "random"},
    {"criterion": "sum_minority"},
    {"criterion": "max_minority", "search": "classic"},
    {"search": "classic"},
    {"objective": "moc1"},
    {"objective": "moc1", "margin_scale": "raw", "criterion": "gini"},
    {"objective": "moc2"},
    {"objective": "moc2", "margin_scale": "raw"},
]


def grown(data, seed=SEED, **policy):
    return ObliqueGrower(Oblique(**{**FEW, **policy})).grow(data, seed)


def table(n_rows=40 if WITHOUT_JIT else 400, n_classes=2, seed=0, nominal=False):
    """Overlapping classes; the last column may hold categories."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4)).round(2) * [1.0, 50.0, 0.01, 1.0]
    score = X[:, 0] + X[:, 1] / 50 + rng.normal(size=n_rows) / 2
    n_categories = np.zeros(4, dtype=np.int32)
    if nominal:
        X[:, 3] = rng.integers(0, 5, n_rows)
        score += np.isin(X[:, 3], (1, 4))
        n_categories[3] = 5
    label = np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)
    return TrainingSet.of_classes(X, label, n_classes=n_classes, n_categories=n_categories)


@st.composite
def training_sets(draw, max_rows=60):
    """Draw small tables: ties, constant and nominal columns, weights, several classes."""
    n_rows = draw(st.integers(2, max_rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.normal(size=(n_rows, 3)) if draw(st.booleans()) else rng.integers(0, 4, (n_rows, 3))
    X = np.column_stack((X, np.full(n_rows, 2.0), rng.integers(0, 3, n_rows))).astype(float)
    label = rng.integers(0, draw(st.integers(2, 4)), n_rows)
    weight = rng.integers(1, 4, n_rows) / 2 if draw(st.booleans()) else None
    n_categories = np.array([0, 0, 0, 0, 3], dtype=np.int32)
    return TrainingSet.of_classes(X, label, weight=weight, n_categories=n_categories)


@given(training_sets(), st.sampled_from(POLICIES), st.integers(0, 9))
@checked
def test_a_tree_is_what_its_rows_say(data, policy, seed):
    """Every leaf holds the rows that flow to it, computed as the fitted tree does."""
    tree = grown(data, np.random.SeedSequence(seed), **policy)
    leaf = leaf_of(tree, data.X)
    weight = np.zeros((tree.n_nodes, data.n_classes))
    np.add.at(weight, (leaf, data.label), data.weight)
    for node in range(tree.n_nodes - 1, 0, -1):
        weight[tree.parent[node]] += weight[node]
    np.testing.assert_allclose(tree.weight, weight.sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(tree.response, weight / tree.weight[:, None], rtol=1e-12)
    assert np.all(tree.weight > 0)


@given(training_sets(), st.sampled_from(POLICIES[:4]))
@checked
def test_every_test_is_worth_something(data, policy):
    tree = grown(data, **policy)
    criterion = policy.get("criterion", "twoing")
    for node in np.flatnonzero(tree.n_children):
        left, right = (tree.weight[k] * tree.response[k] for k in tree.children(node))
        worth = hyperplanes.score(criterion, left, right)
        unsplit = hyperplanes.score(criterion, left + right, 0 * left)
        assert worth > unsplit


@pytest.mark.parametrize("policy", POLICIES, ids=str)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_trees_are_oblique_and_tell_classes_apart(policy, n_classes):
    data = table(n_classes=n_classes)
    tree = grown(data, **policy)
    assert (tree.kind == OBLIQUE).any()
    right = tree.response[leaf_of(tree, data.X)].argmax(axis=1) == data.label
    assert right.mean() > 0.8


@pytest.mark.skipif(WITHOUT_JIT, reason="takes many rows")
@pytest.mark.parametrize("policy", [{}, {"search": "classic"}], ids=str)
def test_any_number_of_workers_grows_the_same_tree(policy):
    data = table(3 * LARGE, nominal=True)
    alone = grown(data, **policy)
    for n_workers in (2, 5):
        with ThreadPoolExecutor(n_workers) as pool:
            grower = ObliqueGrower(Oblique(**FEW, **policy))
            assert grower.grow(data, SEED, pool.map, n_workers) == alone
    assert grown(data, np.random.SeedSequence(4), **policy) != alone


def test_a_worker_that_fails_is_heard_of():
    def report(n_rows):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        ObliqueGrower(Oblique(**FEW)).grow(table(), SEED, report=report)


def test_reports_add_up_to_the_rows():
    data, told = table(), []
    ObliqueGrower(Oblique(**FEW)).grow(data, SEED, report=told.append)
    assert sum(told) == data.n_rows


def test_weights_in_other_units_grow_the_same_tree():
    data = table()
    weight = np.random.default_rng(0).integers(1, 4, data.n_rows).astype(float)
    first, second = (
        grown(TrainingSet.of_classes(data.X, data.label, weight=weight * unit))
        for unit in (1.0, 1024.0)
    )
    np.testing.assert_array_equal(first.threshold, second.threshold)
    np.testing.assert_allclose(first.weight * 1024.0, second.weight)


def test_an_axis_parallel_test_that_wins_stays_one():
    rng = np.random.default_rng(0)
    X = rng.random((60, 3))
    tree = grown(TrainingSet.of_classes(X, X[:, 1] > 0.5))
    assert tree.n_nodes == 3
    assert tree.kind[0] == NUMERIC
    assert tree.feature[0] == 1


def test_categories_compete_and_take_part():
    data = table(nominal=True)
    tree = grown(data)
    used = set(tree.term_feature.tolist())
    assert 3 in used or (tree.kind == NOMINAL).any()
    rng = np.random.default_rng(0)
    X = np.column_stack((rng.normal(size=90), rng.normal(size=90), np.arange(90) % 6))
    n_categories = np.array([0, 0, 6], dtype=np.int32)
    label = np.isin(X[:, 2], (0, 3, 5))
    tree = grown(TrainingSet.of_classes(X, label, n_categories=n_categories))
    assert tree.kind.tolist() == [NOMINAL, 0, 0]
    sides = tree.branch_of_category(0)
    assert len(set(sides[[0, 3, 5]])) == len(set(sides[[1, 2, 4]])) == 1


def test_a_single_term_of_a_nominal_column_is_a_set_of_categories():
    """Of two categories a hyperplane needs no other feature; numeric tests must be of numbers."""
    rng = np.random.default_rng(1)
    X = np.column_stack((rng.normal(size=80), np.arange(80) % 2))
    data = TrainingSet.of_classes(X, X[:, 1] > 0, n_categories=np.array([0, 2], dtype=np.int32))
    tree = grown(data)
    assert tree.kind[0] == NOMINAL
    assert tree.n_leaves == 2


def test_missing_values_are_dealt_with():
    data = table(nominal=True)
    X = data.X.copy()
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    gone = TrainingSet.of_classes(X, data.label, n_categories=data.n_categories)
    tree = grown(gone)
    assert np.isfinite(tree.threshold).all()
    assert tree.weight[tree.is_leaf].sum() == data.n_rows


@pytest.mark.parametrize("policy", [{}, {"search": "classic"}, {"objective": "moc1"}], ids=str)
@pytest.mark.parametrize(
    ("X", "label"),
    [
        (np.random.default_rng(0).random((5, 30)), [0, 1, 0, 1, 1]),
        (np.full((9, 3), 4.0), [0, 1, 0, 1, 1, 0, 0, 1, 0]),
        (np.repeat([[1.0, 2.0]], 8, axis=0), [0, 1] * 4),
        (np.array([[0.0, 1.0], [1.0, 0.0]]), [0, 1]),
        (np.outer(np.arange(30.0), [1.0, 2.0, -3.0]), [0, 1, 1] * 10),
        (np.random.default_rng(0).random((40, 2)) * 1e200, [0, 1] * 20),
        (np.random.default_rng(0).random((40, 2)) * 1e-200, [0, 1] * 20),
    ],
    ids=["wide", "constant", "equal rows", "two rows", "collinear", "huge", "tiny"],
)
def test_odd_tables(policy, X, label):
    data = TrainingSet.of_classes(X, np.array(label))
    tree = grown(data, **policy)
    for array in (tree.threshold, tree.term_weight, tree.response, tree.weight):
        assert np.isfinite(array).all()
    leaf = leaf_of(tree, X)
    np.testing.assert_array_equal(
        np.bincount(leaf, minlength=tree.n_nodes)[tree.is_leaf], tree.weight[tree.is_leaf]
    )


def test_limits():
    data = table()
    assert grown(data, max_depth=2).depth == 2
    least = data.n_rows // 4
    tree = grown(data, min_samples_split=least)
    assert tree.weight[tree.n_children > 0].min() >= least


def test_it_finds_what_no_axis_shows():
    """Exclusive or: no test of one feature is worth anything, a hyperplane is."""
    X = np.array([[a, b] for a in (0.0, 1.0) for b in (0.0, 1.0)] * 6)
    tree = grown(TrainingSet.of_classes(X, (X[:, 0] != X[:, 1])))
    assert tree.n_leaves == 3
    assert (tree.response.max(axis=1)[tree.is_leaf] == 1.0).all()
