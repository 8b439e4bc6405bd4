"""Trees of blurred rows: against every split there is, the exact flow, and hard CART."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.data.training import TrainingSet
from softwood.flow import Gaussian, leaf_of
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.grow.ranks import rank_table
from softwood.grow.vicinal import N_LEVELS, VicinalGrower
from softwood.refine.collapse import leaf_errors
from softwood.refine.gains import split_gain
from softwood.tree import LEAF, NOMINAL, NUMERIC
from tests.oracles import blurred_splits
from tests.strategies import WITHOUT_JIT, tree_of

MARGINALS = ((), (), (0.5, 0.3, 0.2), (0.1, 0.2, 0.3, 0.4, 0.0))


@st.composite
def flows(draw):
    """Noise on both numeric columns, on one or on none; categories drawn anew or not."""
    scale = draw(st.sampled_from([(0.5, 0.2), (2.0, 0.0), (0.0, 0.0), (0.05, 1.0)]))
    redraw = draw(st.sampled_from([0.0, 0.05, 0.5, 1.0]))
    return Gaussian(scale=(*scale, 0.0, 0.0), redraw=redraw, marginals=MARGINALS if redraw else ())


@st.composite
def training_sets(draw, missing=True, most_rows=25):
    """Small tables full of ties: two numeric columns, two nominal ones."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows, n_classes = draw(st.integers(2, most_rows)), draw(st.integers(2, 4))
    columns = [rng.integers(0, 6, n_rows), rng.normal(size=n_rows).round(1)]
    columns += [rng.integers(0, 3, n_rows), rng.integers(0, 4, n_rows)]
    X = np.column_stack(columns).astype(float)
    if missing and draw(st.booleans()):
        X[rng.uniform(size=X.shape) < 0.2] = np.nan
    return TrainingSet.of_classes(
        X,
        rng.integers(0, n_classes, n_rows),
        n_classes=n_classes,
        weight=rng.integers(1, 4, n_rows) / 2,
        n_categories=np.array([0, 0, 3, 5], dtype=np.int32),
    )


def wide_set(n_rows, seed=0, n_features=3):
    """Two overlapping classes, all values different."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, n_rows)
    return TrainingSet.of_classes(rng.normal(size=(n_rows, n_features)) + label[:, None], label)


def class_masses(flow, tree, data):
    """Mass of each class at each node, by the flow."""
    by_class = np.zeros((data.n_rows, data.n_classes))
    by_class[np.arange(data.n_rows), data.label] = data.weight
    return flow.reach(tree, data.X).T @ by_class


@given(data=training_sets(), flow=flows())
def test_the_root_takes_a_test_of_greatest_gain(data, flow):
    tree = VicinalGrower(flow, max_depth=1, least_gain=0.0).grow(data)
    best = blurred_splits.best_gain(data, flow)
    if tree.n_nodes == 1:
        assert best < 2e-3 * data.weight.mean()  # that much is not looked at: a tiny branch
        return
    known = ~np.isnan(data.X[:, tree.feature[0]])
    part = flow.reach(tree, data.X[known])[:, [1]].toarray()[:, 0]
    gain = blurred_splits.gain_of(part, data.label[known], data.weight[known], data.n_classes)
    # Several tests may tie, so we compare the gain and not the test.
    assert gain == pytest.approx(best, abs=2e-3 * data.weight.mean())


def tree_with(first, second, n_classes):
    """A root with the test ``first``; its left child has the test ``second``."""
    blank = {"weight": 1.0, "response": [0.0] * n_classes}
    return tree_of([first | {"first": 1}, second | {"first": 3}, blank, blank, blank], 4)


def candidates(data):
    """Yield every test of a table without missing values, as :func:`tree_of` takes it."""
    common = {"n_children": 2, "weight": 1.0, "response": [0.0] * data.n_classes}
    for f, n_categories in enumerate(data.n_categories):
        values = np.unique(data.X[:, f])
        if n_categories == 0:
            for cut in (values[1:] + values[:-1]) / 2:
                yield common | {"kind": NUMERIC, "feature": f, "threshold": cut}
            continue
        for left in itertools.product((0, 1), repeat=int(n_categories)):
            yield common | {"kind": NOMINAL, "feature": f, "sets": left}


@given(data=training_sets(missing=False), flow=flows(), nominal=st.booleans())
@settings(max_examples=10 if WITHOUT_JIT else 20)
def test_so_does_the_node_below_it(data, flow, nominal):
    if nominal:  # several tests of one column
        data = replace(data, X=data.X * [0, 0, 0, 1])
    tree = VicinalGrower(flow, max_depth=2, least_gain=0.0).grow(data)
    assume(tree.n_nodes > 1 and tree.kind[1] != LEAF)
    root = {"kind": tree.kind[0], "feature": tree.feature[0], "threshold": tree.threshold[0]}
    root |= {"n_children": 2, "weight": 1.0, "response": [0.0] * data.n_classes}
    if tree.kind[0] == NOMINAL:
        root["sets"] = [max(branch, 0) for branch in tree.branch_of_category(0)]
    best = 0.0
    for test in candidates(data):
        masses = class_masses(flow, tree_with(root, test, data.n_classes), data)[[1, 3, 4]]
        total = np.maximum(masses.sum(axis=1), 1e-300)
        squares = (masses**2).sum(axis=1) / total
        best = max(best, squares[1] + squares[2] - squares[0])
    assert split_gain(tree)[1] == pytest.approx(best, abs=2e-3 * data.weight.mean())


@given(data=training_sets(), flow=flows())
def test_nodes_hold_what_the_flow_brings_them(data, flow):
    tree = VicinalGrower(flow, least_gain=0.01).grow(data)
    assert_allclose(class_masses(flow, tree, data), tree.weight[:, None] * tree.response, atol=1e-7)


def banded_set():
    """One column of many values, far from each other in units of the noise."""
    x = np.arange(2.0 * N_LEVELS)
    return TrainingSet.of_classes(np.column_stack([x, x * 0, x * 0]), (x // 40 % 2).astype(int))


@pytest.mark.parametrize("data", [wide_set(60), wide_set(N_LEVELS + 20), banded_set()])
def test_nodes_hold_what_the_flow_brings_them_also_where_values_share_levels(data):
    flow = Gaussian((0.3, 0.0, 0.5))
    tree = VicinalGrower(flow).grow(data)
    assert tree.n_leaves > 4
    assert_allclose(class_masses(flow, tree, data), tree.weight[:, None] * tree.response, atol=1e-6)


def test_leaves_add_up_to_the_vicinal_risk():
    data, flow = wide_set(80), Gaussian(0.4)
    tree = VicinalGrower(flow).grow(data)
    answer = np.eye(2)[tree.response.argmax(axis=1)]
    right = flow.predict(tree, data.X, answer)[np.arange(80), data.label]
    risk = leaf_errors(tree)[tree.is_leaf].sum() / 80
    assert risk == pytest.approx(np.mean(1 - right), abs=1e-9)


@given(seed=st.integers(0, 999), n_classes=st.integers(2, 3))
def test_without_noise_it_is_cart(seed, n_classes):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(40, 2)), rng.integers(0, 4, 40)])
    data = TrainingSet.of_classes(
        X, rng.integers(0, n_classes, 40), n_categories=np.array([0, 0, 4], dtype=np.int32)
    )
    cart = GreedyGrower(Cart("gini")).grow(data)
    assume(split_gain(cart)[~cart.is_leaf].min(initial=1.0) > 1e-9)  # CART takes tests of no gain
    ours = VicinalGrower(Gaussian(0.0), least_gain=0.0).grow(data)
    pairs = set(zip(leaf_of(cart, X), leaf_of(ours, X), strict=True))
    assert len(pairs) == cart.n_leaves == ours.n_leaves


def test_little_noise_changes_no_side():
    data = wide_set(50)
    hard, soft = (VicinalGrower(Gaussian(s), least_gain=0.2).grow(data) for s in (0.0, 1e-7))
    assert_array_equal(hard.feature, soft.feature)
    assert_array_equal(leaf_of(hard, data.X), leaf_of(soft, data.X))


@pytest.mark.skipif(WITHOUT_JIT, reason="ten thousands of copies")
def test_it_is_cart_on_many_perturbed_copies():
    rng = np.random.default_rng(0)
    data, n_copies = wide_set(30, n_features=2), 1000
    copies = data.take(np.repeat(np.arange(30), n_copies))
    blurred = TrainingSet.of_classes(copies.X + rng.normal(0, 0.5, copies.X.shape), copies.label)
    one = VicinalGrower(Gaussian(0.5), max_depth=2).grow(data)
    other = GreedyGrower(Cart("gini", max_depth=2)).grow(blurred)
    assert_array_equal(one.feature, other.feature)
    assert_allclose(one.weight, other.weight / n_copies, atol=1.0)
    assert split_gain(one).sum() == pytest.approx(split_gain(other).sum() / n_copies, rel=0.02)


@given(data=training_sets(), flow=flows(), factor=st.sampled_from([0.25, 2.0, 8.0]))
def test_scaling_all_weights_changes_nothing(data, flow, factor):
    heavier = TrainingSet.of_classes(
        data.X,
        data.label,
        n_classes=data.n_classes,
        weight=data.weight * factor,
        n_categories=data.n_categories,
    )
    one, other = (VicinalGrower(flow).grow(part) for part in (data, heavier))
    assert one == other.replace(weight=other.weight / factor)


@given(data=training_sets(), flow=flows())
def test_the_same_data_give_the_same_bits(data, flow):
    grower = VicinalGrower(flow)
    assert grower.grow(data) == grower.grow(data, rank_table(data))


def test_columns_may_stand_in_any_order():
    data, order = wide_set(60), np.array([2, 0, 1])
    moved = TrainingSet.of_classes(data.X[:, order], data.label)
    one = VicinalGrower(Gaussian((0.1, 0.2, 0.3))).grow(data)
    other = VicinalGrower(Gaussian((0.3, 0.1, 0.2))).grow(moved)
    inner = ~one.is_leaf
    assert_array_equal(one.threshold, other.threshold)
    assert_array_equal(one.feature[inner], order[other.feature[inner]])


def test_limits_are_kept():
    data, flow = wide_set(100), Gaussian(0.3)
    assert VicinalGrower(flow, max_depth=3).grow(data).depth == 3
    assert VicinalGrower(flow, min_samples_leaf=7).grow(data).weight.min() >= 7 - 1e-6
    assert VicinalGrower(flow, min_weight_leaf=9.0).grow(data).weight.min() >= 9 - 1e-6
    split = VicinalGrower(flow, min_samples_split=30).grow(data)
    assert split.weight[~split.is_leaf].min() >= 30
    assert split_gain(VicinalGrower(flow, least_gain=1.5).grow(data))[0] > 1.5
    assert VicinalGrower(flow, least_gain=60.0).grow(data).n_nodes == 1


def repeated_tests(tree):
    """Yield each test of categories below one of the same column, that one, and the branch."""
    for node in np.flatnonzero(tree.kind == NOMINAL):
        below = int(node)
        while below:
            above = int(tree.parent[below])
            if tree.kind[above] == NOMINAL and tree.feature[above] == tree.feature[node]:
                yield int(node), above, below - tree.first_child[above]
            below = above


@given(seed=st.integers(0, 2**32 - 1), redraw=st.sampled_from([0.0, 0.05, 0.2]))
def test_categories_that_were_drawn_apart_stay_apart(seed, redraw):
    """Below a test of categories, only those of the branch are told apart again."""
    rng = np.random.default_rng(seed)
    code = rng.permutation(np.repeat(np.arange(4), 10))
    data = TrainingSet.of_classes(code[:, None].astype(float), code, n_categories=[4])
    flow = Gaussian((0.0,), redraw=redraw, marginals=((0.25,) * 4,) if redraw else ())
    tree = VicinalGrower(flow, least_gain=0.0).grow(data)
    repeated = list(repeated_tests(tree))
    assert len(repeated) >= 2  # a class for each category: one test cannot do
    for node, above, branch in repeated:
        listed = np.flatnonzero(tree.branch_of_category(node) >= 0)
        assert (tree.branch_of_category(above)[listed] == branch).all()


@given(data=training_sets(), flow=flows())
def test_nor_do_they_meet_again_in_any_table(data, flow):
    tree = VicinalGrower(flow, least_gain=0.0).grow(data)
    met = [
        (tree.branch_of_category(above)[tree.branch_of_category(node) >= 0] != branch).any()
        for node, above, branch in repeated_tests(tree)
    ]
    assert not any(met)


def test_nothing_to_learn_is_a_leaf():
    flow = Gaussian(0.3)
    X = np.array([[1.0, np.nan], [1.0, np.nan], [1.0, 2.0]])
    for table, label in ((X, [0, 1, 0]), (X[:1], [0]), (wide_set(9).X, np.zeros(9, int))):
        tree = VicinalGrower(flow).grow(TrainingSet.of_classes(table, label, n_classes=2))
        assert tree.n_nodes == 1
        assert tree.weight[0] == len(label)


def test_huge_values_do_no_harm():
    X = np.array([[-1e300], [-9e299], [9e299], [1e300]])
    tree = VicinalGrower(Gaussian(1e299)).grow(TrainingSet.of_classes(X, [0, 0, 1, 1]))
    assert tree.threshold[0] == 0.0


@pytest.mark.parametrize("with_nominal", [False, True])
def test_limits_count_rows_whatever_they_weigh(with_nominal):
    rng = np.random.default_rng(0)
    X, label = rng.normal(size=(200, 2)), rng.integers(0, 3, 200)
    categories = [0, 5] if with_nominal else None
    if with_nominal:
        X[:, 1] = rng.integers(0, 5, 200)
    weight = rng.exponential(size=200) ** 3
    data = TrainingSet.of_classes(X, label, weight=weight, n_categories=categories)
    flow = Gaussian((0.05, 0.0) if with_nominal else 0.05)
    leaf = VicinalGrower(flow, min_samples_leaf=9, least_gain=0.0).grow(data)
    held = np.ravel(flow.reach(leaf, X).sum(axis=0))
    assert leaf.n_leaves > 3
    assert held[leaf.leaves].min() >= 9 - 1e-3
    split = VicinalGrower(flow, min_samples_split=25, least_gain=0.0).grow(data)
    held = np.ravel(flow.reach(split, X).sum(axis=0))
    assert held[~split.is_leaf].min() >= 25 - 1e-3
    assert held[split.leaves].min() < 9
