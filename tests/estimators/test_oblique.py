"""Oblique trees: what they find, what they keep, and what they refuse."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from softwood import ObliqueTreeClassifier, load, save
from softwood.tree import OBLIQUE

QUICK = {"n_restarts": 3, "random_state": 0}


def diagonal(n=300, seed=0):
    X = np.random.default_rng(seed).uniform(-1.0, 1.0, (n, 2))
    return X, np.where(X.sum(axis=1) > 0.1, "over", "under")


FAILS = {
    "check_sample_weight_equivalence_on_dense_data": "rows are held out, and counted at a node"
}


@parametrize_with_checks(
    [ObliqueTreeClassifier(**QUICK)], expected_failed_checks=lambda estimator: FAILS
)
def test_scikit_learn_check(estimator, check):
    check(estimator)


@pytest.mark.parametrize("objective", ["oc1", "moc1", "moc2"])
@pytest.mark.parametrize("search", ["exact", "classic"])
def test_one_hyperplane_parts_what_one_can(objective, search):
    X, y = diagonal()
    model = ObliqueTreeClassifier(objective, search=search, pruning=None, random_state=0)
    model.fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.get_n_leaves() <= 4
    assert (model.tree_.kind == OBLIQUE).any()


@pytest.mark.parametrize("criterion", ["twoing", "gini", "entropy", "max_minority", "sum_minority"])
@pytest.mark.parametrize("order", ["sequential", "best_first", "random"])
def test_an_unpruned_tree_leaves_no_errors(criterion, order):
    X, y = load_iris(return_X_y=True)
    model = ObliqueTreeClassifier(
        criterion=criterion, order=order, pruning=None, min_samples_split=2, **QUICK
    ).fit(X, y)
    assert model.score(X, y) > 0.99


def test_rows_are_where_the_books_say():
    X, y = load_breast_cancer(return_X_y=True)
    model = ObliqueTreeClassifier(pruning=None, **QUICK).fit(X, y)
    counts = np.bincount(model.apply(X), minlength=model.tree_.n_nodes)
    leaves = model.tree_.is_leaf
    assert_array_equal(counts[leaves], model.tree_.weight[leaves])


def test_the_same_bits_for_any_number_of_jobs():
    X, y = load_breast_cancer(return_X_y=True)
    one, two = (ObliqueTreeClassifier(**QUICK, n_jobs=n).fit(X, y) for n in (1, 2))
    assert one.tree_ == two.tree_


def test_widening_keeps_the_leaf_of_every_row():
    X, y = load_iris(return_X_y=True)
    narrow = ObliqueTreeClassifier(pruning=None, **QUICK).fit(X, y)
    wide = ObliqueTreeClassifier(pruning=None, widen=True, **QUICK).fit(X, y)
    assert_array_equal(narrow.apply(X), wide.apply(X))
    inner = ~narrow.tree_.is_leaf
    assert (wide.margins_[inner] >= narrow.margins_[inner] * (1 - 1e-12)).all()
    assert wide.margins_[inner].sum() > narrow.margins_[inner].sum()


def test_weights_are_copies():
    X, y = diagonal(120)
    weight = np.random.default_rng(1).integers(0, 3, len(X))
    rows = np.repeat(np.arange(len(X)), weight)
    weighed = ObliqueTreeClassifier(pruning=None, **QUICK).fit(X, y, weight)
    assert weighed.score(X[rows], y[rows]) > 0.99


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[1.0, 2.0], [1.0, 2.0]], [0, 1]),  # two rows, the same but for their labels
        ([[0.0, 1.0], [1.0, 0.0]], [0, 1]),
        (np.ones((30, 3)), np.arange(30) % 2),  # constant columns
        (np.random.default_rng(0).normal(size=(8, 40)), np.arange(8) % 2),  # more columns
        (np.repeat(np.arange(40.0)[:, None], 3, axis=1), np.arange(40) % 3),  # collinear
    ],
)
@pytest.mark.parametrize("objective", ["oc1", "moc1", "moc2"])
def test_awkward_tables(X, y, objective):
    for pruning in (None, "holdout"):
        model = ObliqueTreeClassifier(objective, pruning=pruning, **QUICK).fit(X, y)
        assert np.isfinite(model.predict_proba(X)).all()


def test_files(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = ObliqueTreeClassifier(**QUICK).fit(X, y)
    save(model, tmp_path / "m.softwood")
    again = load(tmp_path / "m.softwood")
    assert again.tree_ == model.tree_
    assert_array_equal(again.margins_, model.margins_)


def test_wrong_options():
    X, y = diagonal(20)
    with pytest.raises(ValueError, match="twoing"):
        ObliqueTreeClassifier("moc2", criterion="gini").fit(X, y)
    with pytest.raises(ValueError, match="margin_weight"):
        ObliqueTreeClassifier("moc1", margin_weight=2.0).fit(X, y)
