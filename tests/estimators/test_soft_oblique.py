"""Soft oblique trees: grown soft, and softened from trees that are oblique already."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from sklearn.datasets import load_iris

from softwood import (
    Gradient,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    SoftTreeRegressor,
    export_text,
    harden,
    load,
    save,
    soften,
)
from softwood.flow import Gaussian, Hard, Ramp, Sampled
from softwood.tree import NOMINAL, OBLIQUE
from tests.strategies import tree_of

TAUGHT, LONGER = Gradient(teacher=5, n_epochs=3), Gradient(teacher=5, n_epochs=20)
QUICK = {"method": TAUGHT, "oblique": True, "max_leaf_nodes": 8, "random_state": 0}


def slanted(n=300, seed=0):
    """Classes on the sides of a slanted line, a column of noise, and odd units."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, 3))
    y = np.where(z[:, 0] - z[:, 1] + 0.3 * rng.normal(size=n) > 0.1, "yes", "no")
    return z * [1.0, 100.0, 0.01] + [5.0, 0.0, 1.0], y


@pytest.fixture(scope="module")
def mixed():
    """Numbers with gaps, numbers without, a category, and labels that are words."""
    rng = np.random.default_rng(0)
    z = rng.normal(size=(240, 3))
    colour = rng.choice(["red", "green", "blue"], 240)
    score = z[:, 0] + z[:, 1] + (colour == "red") + 0.5 * rng.normal(size=240)
    frame = pd.DataFrame(z, columns=["a", "b", "c"])
    frame.loc[::17, "c"] = np.nan
    return frame.assign(colour=pd.Categorical(colour)), np.where(score > 0.3, "yes", "no")


def test_fewer_leaves_and_fewer_errors():
    X, y = slanted()
    X_test, y_test = slanted(4000, seed=1)
    gained = []
    for seed in range(3):
        few = {"method": Gradient(teacher=10), "random_state": seed}
        straight = SoftTreeClassifier(max_leaf_nodes=32, **few).fit(X, y)
        oblique = SoftTreeClassifier(max_leaf_nodes=4, oblique=True, **few).fit(X, y)
        assert oblique.get_n_leaves() == 4 < straight.get_n_leaves()
        gained.append(oblique.score(X_test, y_test) - straight.score(X_test, y_test))
    assert np.mean(gained) > 0.01
    assert oblique.flow_ == Ramp(shape="logistic")


def test_mixed_columns(mixed):
    X, y = mixed
    model = SoftTreeClassifier(
        **{**QUICK, "method": Gradient(teacher=5, n_epochs=15), "max_leaf_nodes": 16}
    ).fit(X, y)
    tree = model.tree_
    assert {NOMINAL, OBLIQUE} <= set(tree.kind)
    assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert_allclose(model.flow(X).sum(axis=1), 1.0)
    assert model.score(X, y) > 0.75
    assert "<=" in str(model.explain(X.iloc[[0]]))
    assert any("+" in line or "-" in line for line in export_text(model).splitlines())
    assert_allclose(model.feature_importances_.sum(), 1.0)


def test_same_seed_same_bits_for_any_number_of_jobs():
    X, y = slanted()
    one, two, other = (
        SoftTreeClassifier(**{**QUICK, "random_state": seed}, n_jobs=n).fit(X, y).predict_proba(X)
        for n, seed in ((1, 0), (2, 0), (1, 1))
    )
    assert_array_equal(one, two)
    assert np.any(one != other)


def test_round_trip_through_a_file(tmp_path):
    X, y = slanted()
    model = SoftTreeClassifier(**QUICK).fit(X, y)
    save(model, tmp_path / "soft.softwood")
    again = load(tmp_path / "soft.softwood")
    assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.get_params() == model.get_params()


def test_several_classes_and_weights():
    X, y = load_iris(return_X_y=True)
    model = SoftTreeClassifier(**{**QUICK, "method": LONGER}).fit(X, y)
    assert model.predict_proba(X).shape == (150, 3)
    assert model.score(X, y) > 0.93
    weight = np.where(y == 1, 30.0, 1.0)
    heavy = SoftTreeClassifier(**QUICK).fit(X, y, sample_weight=weight)
    plain = SoftTreeClassifier(**QUICK).fit(X, y)
    assert heavy.predict_proba(X)[:, 1].mean() > plain.predict_proba(X)[:, 1].mean()


def test_regression():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 4))
    y = np.tanh(X[:, 0] - X[:, 1]) + 0.1 * rng.normal(size=600)

    def misses(oblique):
        few = {"max_leaf_nodes": 3, "method": Gradient(teacher=10), "random_state": 0}
        model = SoftTreeRegressor(oblique=oblique, **few).fit(X[:300], y[:300])
        return np.mean((model.predict(X[300:]) - y[300:]) ** 2)

    assert misses(oblique=True) < 0.7 * misses(oblique=False)


def test_early_stopping_without_a_teacher():
    X, y = slanted()
    X_test, y_test = slanted(2000, seed=1)
    alone = Gradient(teacher=0, n_epochs=30, early_stopping=0.2)
    model = SoftTreeClassifier(**{**QUICK, "method": alone}).fit(X, y)
    assert model.score(X_test, y_test) > 0.88


def test_a_higher_price_makes_shorter_sums():
    X, y = slanted()

    def n_terms(price):
        method = Gradient(teacher=5, n_epochs=20, term_price=price)
        model = SoftTreeClassifier(**{**QUICK, "method": method}).fit(X, y)
        return model.tree_.term_weight.size

    assert n_terms(0.02) < n_terms(0.0)


def test_importances_do_not_depend_on_units():
    X, y = slanted()
    model = SoftTreeClassifier(**{**QUICK, "method": LONGER}).fit(X, y)
    first, second, third = model.feature_importances_
    assert 0.5 < first / second < 2.0  # though one is a hundred times as wide
    assert third < 0.2


def test_harden_keeps_the_planes():
    X, y = slanted()
    soft = SoftTreeClassifier(**QUICK).fit(X, y)
    crisp = harden(soft, X)
    assert crisp.flow_ == Hard()
    assert_array_equal(crisp.tree_.term_weight, soft.tree_.term_weight)
    assert crisp.fidelity_.agreement > 0.8


# -- trees that are oblique already -------------------------------------------------


@pytest.fixture(scope="module")
def grown():
    X, y = slanted()
    return ObliqueTreeClassifier(n_restarts=2, pruning=None, random_state=0).fit(X, y)


def planes_of(tree):
    nodes = np.flatnonzero(tree.kind == OBLIQUE)
    return Counter(tuple(tree.terms(int(node))[0].tolist()) for node in nodes)


def test_gradients_train_the_planes_of_a_fitted_tree(grown):
    X, y = slanted()
    X_test, y_test = slanted(4000, seed=1)
    soft = soften(grown, X, y, method="gradient", teacher=10, random_state=0)
    before, after = planes_of(grown.tree_), planes_of(soft.tree_)
    assert 0 < sum(after.values()) <= sum(before.values())
    assert after <= before  # each has its features; those that no row passes are gone
    assert np.all(soft.tree_.below[soft.tree_.kind == OBLIQUE] > 0.0)
    assert soft.score(X_test, y_test) > grown.score(X_test, y_test)


def test_soft_trees_grow_from_an_oblique_estimator():
    X, y = slanted()
    first = ObliqueTreeClassifier(n_restarts=1, max_depth=2, pruning=None, random_state=0)
    model = SoftTreeClassifier(first, **{**QUICK, "method": LONGER}).fit(X, y)
    assert model.score(*slanted(2000, seed=1)) > 0.88


def test_perturbation_of_a_fitted_oblique_tree(grown):
    X, y = slanted()
    X_test, y_test = slanted(4000, seed=1)
    soft = soften(grown, X, y, method="perturb", random_state=0)
    assert isinstance(soft.flow_, Gaussian)
    assert soft.smoothing_ > 0.0
    assert soft.score(X_test, y_test) >= grown.score(X_test, y_test)


@pytest.mark.filterwarnings("ignore::softwood.errors.UnknownCategoryWarning")
def test_a_softened_tree_reads_rows_as_the_original_does(mixed, tmp_path):
    """Gaps are filled in, unknown categories are not; so it is in the files, too."""
    X, y = mixed
    original = ObliqueTreeClassifier(n_restarts=1, pruning=None, random_state=0).fit(X, y)
    odd = X.assign(colour=X["colour"].cat.add_categories("grey").where(X.index % 5 != 0, "grey"))
    odd.loc[::3, "a"] = np.nan
    same = soften(original, X, y, smoothing=0.0)
    assert np.any(original.tree_.kind == OBLIQUE)
    for rows in (X, odd):
        assert_array_equal(same.predict_proba(rows), original.predict_proba(rows))
    soft = soften(original, X, y, method="gradient", teacher=5, n_epochs=5, random_state=0)
    assert soft.score(X, y) > 0.8
    save(soft, tmp_path / "soft.softwood")
    again = load(tmp_path / "soft.softwood")
    assert_array_equal(again.predict_proba(odd), soft.predict_proba(odd))


def test_noise_is_projected_on_the_direction_of_the_test():
    """Along w the noise has the deviation sqrt(w'Sw), by definition and by sampling."""
    terms, scale = [(0, 2.0), (1, -0.5), (2, 1.5)], np.array([0.3, 1.0, 0.2])
    test = {"kind": OBLIQUE, "terms": terms, "n_children": 2, "first": 1, "threshold": 0.4}
    tree = tree_of([{**test, "response": [0.5]}, {"response": [1.0]}, {"response": [0.0]}], 3)
    X = np.random.default_rng(0).normal(size=(50, 3))
    w = np.array([weight for _, weight in terms])
    expected = norm.cdf((0.4 - X @ w) / np.sqrt(w**2 @ scale**2))
    assert_allclose(Gaussian(scale).predict(tree, X)[:, 0], expected, atol=1e-9)
    sampled = Sampled(scale, n=20_000).predict(tree, X)[:, 0]
    assert_allclose(sampled, expected, atol=4 * np.sqrt(0.25 / 20_000))


@pytest.mark.parametrize(
    ("parameters", "name"),
    [({"oblique": "yes"}, "oblique"), ({"method": Gradient(term_price=-1.0)}, "term_price")],
)
def test_bad_parameters_are_named(parameters, name):
    X, y = slanted(50)
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        SoftTreeClassifier(**parameters).fit(X, y)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_few_rows_many_columns(n):
    X = np.random.default_rng(0).normal(size=(n, 9))
    X[:, 3], X[:, 4] = 1.0, X[:, 5]  # a constant column, and two that are the same
    y = np.arange(n) % 2
    model = SoftTreeClassifier(**{**QUICK, "min_samples_leaf": 1}).fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()
    assert np.isfinite(model.tree_.term_weight).all()
