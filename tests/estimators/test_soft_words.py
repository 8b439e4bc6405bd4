"""What a trained soft tree prints of itself is true of the user's rows."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.tree import DecisionTreeClassifier

from softwood import (
    Anneal,
    CARTClassifier,
    Gradient,
    SoftTreeClassifier,
    SoftTreeRegressor,
    load,
    save,
    soften,
)
from softwood.flow import Ramp
from softwood.refine.responses import node_weights
from softwood.tree import NUMERIC, OBLIQUE

NAMES = [f"c{j}" for j in range(30)]


def training_rows(model, X):
    """Return the mass that reaches each node, of rows with weight 1."""
    return np.asarray(model.flow_.reach(model.tree_, X).sum(axis=0)).ravel()


def ends_of_tests(tree, X):
    """Yield each test with a cut, and the least and the largest value it finds."""
    for node in np.flatnonzero((tree.kind == NUMERIC) | (tree.kind == OBLIQUE)):
        if tree.kind[node] == NUMERIC:
            values = X[:, tree.feature[node]]
        else:
            features, weights = tree.terms(int(node))
            values = X[:, features] @ weights
        yield node, np.nanmin(values), np.nanmax(values)


@pytest.fixture(scope="module")
def tumours():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:, :10], y


@pytest.fixture(
    scope="module",
    params=[
        {},
        {"method": Gradient(n_epochs=8, teacher=0)},
        {"oblique": True, "max_leaf_nodes": 16},
        {"method": Gradient(n_epochs=8, teacher=10, shape="linear")},
    ],
    ids=str,
)
def soft(request, tumours):
    options = {"method": Gradient(n_epochs=8, teacher=10), **request.param}
    return SoftTreeClassifier(random_state=0, **options).fit(*tumours)


def test_weights_are_those_of_the_users_rows(soft, tumours):
    """The teacher's rows were counted, ten thousand of them where there were 569."""
    X, _ = tumours
    tree = soft.tree_
    assert_allclose(tree.weight, training_rows(soft, X), rtol=1e-9, atol=1e-9)
    assert tree.weight[0] == pytest.approx(len(X))
    for node in np.flatnonzero(tree.n_children):
        assert tree.weight[list(tree.children(int(node)))].sum() == pytest.approx(tree.weight[node])


def test_sample_weights_are_what_is_counted(tumours):
    X, y = tumours
    weight = np.where(y == 1, 3.0, 0.5)
    model = SoftTreeClassifier(method=Gradient(n_epochs=2, teacher=3), random_state=0)
    model.fit(X, y, sample_weight=weight)
    assert model.tree_.weight[0] == pytest.approx(weight.sum())


def test_rows_with_gaps_count_where_they_go(tumours):
    X, y = tumours
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    model = SoftTreeClassifier(method=Gradient(n_epochs=2, teacher=3), random_state=0).fit(X, y)
    assert_allclose(model.tree_.weight, training_rows(model, X), rtol=0, atol=0.01)


def test_cuts_stay_where_rows_are(soft, tumours):
    """There were tests such as "area error <= -9.81"."""
    X, _ = tumours
    for node, low, high in ends_of_tests(soft.tree_, X):
        assert low <= soft.tree_.threshold[node] <= high


def test_ramps_are_printed_as_far_as_rows_go(tumours):
    """There were tests such as "worst area <= 412.3 (soft from -9061.7 to 1454.3)"."""
    X, y = tumours
    method = Gradient(n_epochs=30, teacher=10, test_price=0.0)
    model = SoftTreeClassifier(method=method, max_leaf_nodes=128, random_state=0).fit(X, y)
    tree, lines = model.tree_, model.export_text().splitlines()
    assert (tree.threshold - tree.below < X.min()).any()
    assert len(lines) == tree.n_nodes - 1
    for line in lines:
        name, low, high = re.search(r"x(\d) .*soft from (\S+) to ([^ :)]+)", line).groups()
        column = X[:, int(name)]
        assert column.min() - 1e-6 <= float(low) <= float(high) <= column.max() + 1e-6


def test_a_model_file_keeps_what_is_printed(tumours, tmp_path):
    X, y = tumours
    X = np.column_stack([X, np.full(len(X), np.nan)])  # a column without values has no range
    model = SoftTreeClassifier(method=Gradient(n_epochs=2, teacher=3), random_state=0).fit(X, y)
    save(model, tmp_path / "m.softwood")
    assert load(tmp_path / "m.softwood").export_text() == model.export_text()


def test_no_test_is_left_that_no_row_passes(soft):
    tree = soft.tree_
    assert tree.weight[1:].min() > 0.01


def test_regressors_say_the_same():
    X, y = load_diabetes(return_X_y=True)
    model = SoftTreeRegressor(method=Gradient(n_epochs=5, teacher=5), random_state=0).fit(X, y)
    tree = model.tree_
    assert_allclose(tree.weight, training_rows(model, X), rtol=1e-9, atol=1e-9)
    assert tree.weight[1:].min() > 0.01
    for node, low, high in ends_of_tests(tree, X):
        assert low <= tree.threshold[node] <= high


def test_annealed_trees_count_all_rows(tumours):
    """They counted the two thirds that the tree was grown on."""
    X, y = tumours
    model = SoftTreeClassifier(method=Anneal(n_candidates=2), random_state=0).fit(X, y)
    assert model.tree_.weight[0] == pytest.approx(len(X))
    assert_allclose(model.tree_.weight, training_rows(model, X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("method", ["gradient", "perturb"])
def test_softened_models_of_others_count_the_rows_given(method, tumours):
    X, y = tumours
    theirs = DecisionTreeClassifier(max_leaf_nodes=12, random_state=0).fit(X, y)
    options = {"smoothing": 0.2} if method == "perturb" else {"teacher": 3, "n_epochs": 2}
    model = soften(theirs, X, y, method, random_state=0, **options)
    assert model.tree_.weight[0] == pytest.approx(len(X))
    if method == "gradient":
        assert_allclose(model.tree_.weight, training_rows(model, X), rtol=1e-9, atol=1e-9)


def test_leaves_keep_what_training_found(tumours):
    """Weights near 0 between two descents made leaves forget their answers."""
    X, y = tumours
    model = SoftTreeClassifier(
        CARTClassifier(max_depth=4), method=Gradient(n_epochs=5, teacher=0), random_state=0
    )
    tree = model.fit(X, y).tree_
    again = tree.replace(weight=node_weights(tree, Ramp(shape="logistic"), data_of(X, y)))
    assert_allclose(again.response, tree.response)


def data_of(X, y):
    from softwood.data.training import TrainingSet

    return TrainingSet.of_classes(X, y)


def test_tiny_shares_are_told_as_small(tumours):
    """An explanation had "3e-11% to area error > 0.15"."""
    X, y = tumours
    model = SoftTreeClassifier(method=Gradient(n_epochs=8, teacher=10), random_state=0).fit(X, y)
    texts = [str(model.explain(row)) for row in X[:20]]
    shares = [share for text in texts for share in re.findall(r"(\S+)%", text)]
    assert "(<0.1" in shares or "<0.1" in shares
    assert not [share for share in shares if "e-" in share]
    assert not re.search(r"support \S*e-", model.tree_ and model.get_rules().to_string())
