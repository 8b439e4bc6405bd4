"""Single variable-random trees: C4.5 at one end, chance at the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import load_iris

from softwood import C45Classifier, VRTreeClassifier, VRTreeRegressor
from softwood.data.training import TrainingSet
from softwood.datasets import load_dataset, make_friedman1
from softwood.grow.random import RandomGrower, VariableRandom
from softwood.tree import NOMINAL


def numeric_table():
    return load_iris(return_X_y=True)


def nominal_table():
    table = load_dataset("tic-tac-toe").table
    return table.drop(["class"]), table["class"].as_objects().astype(str)


# -- the deterministic end -----------------------------------------------------


@pytest.mark.parametrize("load", [numeric_table, nominal_table])
@pytest.mark.parametrize("weighted", [False, True])
def test_with_alpha_1_the_tree_is_c45_unpruned(load, weighted):
    X, y = load()
    weight = np.random.default_rng(1).choice([0.5, 1.0, 3.0], len(y)) if weighted else None
    ours = VRTreeClassifier(alpha=1.0, curtail=0.0, random_state=0).fit(X, y, weight)
    plain = C45Classifier(pruning=None, collapse=False, min_samples_leaf=2).fit(X, y, weight)
    assert ours.tree_ == plain.tree_


def test_with_missing_values_it_is_c45_to_the_last_bits():
    X, y = numeric_table()
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    ours = VRTreeClassifier(alpha=1.0, curtail=0.0, random_state=0).fit(X, y).tree_
    plain = C45Classifier(pruning=None, collapse=False, min_samples_leaf=2).fit(X, y).tree_
    # Parts of rows are added up in another order.
    np.testing.assert_allclose(ours.weight, plain.weight, rtol=1e-12)
    np.testing.assert_allclose(ours.response, plain.response, rtol=1e-12)
    assert ours.replace(weight=plain.weight, response=plain.response) == plain


def test_the_seed_does_not_matter_where_nothing_is_random():
    X, y = load_iris(return_X_y=True)
    trees = [VRTreeClassifier(alpha=1.0, random_state=seed).fit(X, y).tree_ for seed in (0, 1)]
    assert trees[0] == trees[1]


# -- in between ----------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.0, 0.2, 0.7, 1.0])
def test_the_coin_shows_the_best_test_with_probability_alpha(alpha):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    data = TrainingSet.of_classes(X, X[:, 1] > 0.3)
    # C4.5 cuts at a value of the table, and random cuts lie half way between two.
    best = X[X[:, 1] <= 0.3, 1].max()
    grower = RandomGrower(VariableRandom(alpha, max_depth=1))
    roots = [grower.grow(data, np.random.SeedSequence(k)) for k in range(120)]
    n_best = sum(tree.feature[0] == 1 and tree.threshold[0] == best for tree in roots)
    assert stats.binomtest(n_best, 120, alpha).pvalue > 0.001


def test_about_alpha_of_all_nodes_have_the_best_test():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3))
    y = rng.random(2000) < 0.1 + 0.8 * (X.sum(axis=1) > 0)
    by_gain = []
    for seed in range(20):
        tree = VRTreeClassifier(alpha=0.4, max_depth=4, random_state=seed).fit(X, y).tree_
        inner = np.flatnonzero(tree.feature >= 0)
        by_gain += [tree.threshold[k] in X[:, tree.feature[k]] for k in inner]
    # A little less than alpha: where the best test is not good enough, there is a leaf.
    assert 0.32 < np.mean(by_gain) < 0.45


# -- the random end ------------------------------------------------------------


def chances_of_cuts(X):
    """Chance of every test (feature, cut) at a node with the rows of ``X``, by definition."""
    usable = [j for j in range(X.shape[1]) if np.unique(X[~np.isnan(X[:, j]), j]).size > 1]
    chance = {}
    for j in usable:
        known = X[~np.isnan(X[:, j]), j]
        for first in known:
            others = known[known != first]
            for second in others:
                cut = (j, (first + second) / 2)
                step = 1 / len(usable) / known.size / others.size
                chance[cut] = chance.get(cut, 0.0) + step
    return chance


def test_random_cuts_lie_between_two_random_rows():
    X = np.array(
        [[0, 5, 7, 1], [0, 5, 7, np.nan], [1, 5, 7, 1], [4, 5, 7, 4], [4, 9, 7, np.nan]], float
    )
    data = TrainingSet.of_classes(X, [0, 1, 0, 1, 0])
    expected = chances_of_cuts(X)
    assert len(expected) == 5
    grower = RandomGrower(VariableRandom(alpha=0.0, max_depth=1))
    counts = dict.fromkeys(expected, 0)
    for k in range(500):
        tree = grower.grow(data, np.random.SeedSequence(k))
        counts[int(tree.feature[0]), float(tree.threshold[0])] += 1
    found = [counts[cut] for cut in expected]
    assert sum(found) == 500
    wanted = [500 * chance for chance in expected.values()]
    assert stats.chisquare(found, wanted).pvalue > 0.001


def test_random_trees_do_not_look_at_the_classes():
    X, y = load_iris(return_X_y=True)
    roots = [
        VRTreeClassifier(alpha=0.0, random_state=0).fit(X, label).tree_.threshold[0]
        for label in (y, y[::-1], np.arange(150) % 2)
    ]
    assert len(set(roots)) == 1


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_a_nominal_feature_is_tested_once_on_a_path(alpha):
    X, y = nominal_table()
    tree = VRTreeClassifier(alpha, random_state=0).fit(X, y).tree_
    assert set(tree.kind[~tree.is_leaf].tolist()) == {NOMINAL}
    assert (tree.n_children[~tree.is_leaf] == 3).all()
    for leaf in tree.leaves:
        tested = [int(tree.feature[k]) for k in tree.path(int(leaf))[:-1]]
        assert len(set(tested)) == len(tested)


@given(st.floats(0, 1), st.sampled_from([2, 4, 9]), st.integers(0, 50))
def test_small_and_pure_nodes_are_leaves(alpha, least, seed):
    X, y = load_iris(return_X_y=True)
    model = VRTreeClassifier(alpha, min_samples_split=least, curtail=0.0, random_state=seed)
    tree = model.fit(X[::3], y[::3]).tree_
    inner = ~tree.is_leaf
    assert (tree.weight[inner] >= least).all()
    assert (tree.response[inner].max(axis=1) < 1).all()


# -- what leaves answer --------------------------------------------------------


def test_light_leaves_answer_as_their_parents_do():
    X, y = load_iris(return_X_y=True)
    full = VRTreeClassifier(0.0, curtail=0.0, random_state=0).fit(X, y).tree_
    tree = VRTreeClassifier(0.0, curtail=2.0, random_state=0).fit(X, y).tree_
    light = np.flatnonzero(tree.is_leaf & (tree.weight <= 2))
    assert len(light) > 5
    expected = full.response.copy()
    expected[light] = full.response[full.parent[light]]
    assert full.replace(response=expected) == tree


def test_importances_find_the_feature_that_matters():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    for model in (VRTreeClassifier(0.9, random_state=0), VRTreeRegressor(0.9, random_state=0)):
        importances = model.fit(X, X[:, 2] > 0).feature_importances_
        assert importances.sum() == pytest.approx(1)
        assert importances.argmax() == 2


def test_regression_trees_cut_where_the_error_falls_most():
    X, y = make_friedman1(200, random_state=0)
    tree = VRTreeRegressor(alpha=1.0, max_depth=1, random_state=0).fit(X, y).tree_
    errors = {}
    for j in range(X.shape[1]):
        for cut in np.sort(X[:, j])[1:-2]:
            left = X[:, j] <= cut
            errors[j, cut] = left.sum() * y[left].var() + (~left).sum() * y[~left].var()
    left = X[:, tree.feature[0]] <= tree.threshold[0]
    reached = left.sum() * y[left].var() + (~left).sum() * y[~left].var()
    assert reached == pytest.approx(min(errors.values()))


# -- odd tables, bad parameters --------------------------------------------------


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("model", [VRTreeClassifier, VRTreeRegressor])
def test_columns_without_values_to_tell_apart_are_not_tested(model, alpha):
    rng = np.random.default_rng(0)
    X = np.column_stack([np.ones(40), rng.normal(size=40), np.full(40, np.nan)])
    tree = model(alpha, random_state=0).fit(X, X[:, 1] > 0).tree_
    assert set(tree.feature.tolist()) == {-1, 1}
    lone = model(alpha, random_state=0).fit(X[:1], [1])
    assert lone.tree_.n_nodes == 1
    flat = model(alpha, random_state=0).fit(X[:, ::2], X[:, 1] > 0)
    assert flat.tree_.n_nodes == 1


@pytest.mark.parametrize("model", [VRTreeClassifier, VRTreeRegressor])
def test_random_tests_of_some_gain(model):
    """Of many random tests the best is nearly the best of all; with alpha 1 none is drawn."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    y = X[:, 2] > 0

    def tests_of(alpha, n):
        trees = [model(alpha, n_random_tests=n, random_state=k).fit(X, y).tree_ for k in range(20)]
        return [tree.feature[0] for tree in trees]

    assert len(set(tests_of(0.0, 1))) > 3
    assert set(tests_of(0.0, 60)) == {2}
    assert set(tests_of(1.0, 1)) == {2}
    best = model(1.0, random_state=0).fit(X, y)
    assert model(1.0, n_random_tests=9, random_state=0).fit(X, y).tree_ == best.tree_


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("alpha", 1.2),
        ("alpha", -0.1),
        ("alpha", "search"),
        ("criterion", "gini"),
        ("min_samples_split", 0),
        ("curtail", -1),
        ("max_depth", 0),
        ("n_random_tests", 0),
        ("n_random_tests", 2.5),
    ],
)
def test_bad_parameters_are_named(parameter, value):
    model = VRTreeClassifier(**{parameter: value})
    with pytest.raises(ValueError, match=f"'{parameter}' parameter"):
        model.fit([[1.0], [2.0]], [0, 1])
    assert not hasattr(model, "tree_")


@pytest.mark.parametrize("kind", [VRTreeClassifier, VRTreeRegressor])
def test_one_category_may_be_tested_against_all_others(kind):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 4, 200), rng.normal(size=200)])
    y = (X[:, 0] == 2) ^ (X[:, 1] > 0)
    options = {"categorical_features": [0], "alpha": 0.5, "random_state": 0}
    tree = kind(nominal_split="one_vs_rest", **options).fit(X, y).tree_
    nominal = tree.kind == NOMINAL
    assert nominal.any()
    assert (tree.n_children[nominal] == 2).all()
    assert (np.add.reduceat(tree.set_child, tree.set_start[:-1][nominal]) == 1).all()
    several = kind(**options).fit(X, y).tree_
    assert (several.n_children[several.kind == NOMINAL] == 4).all()
