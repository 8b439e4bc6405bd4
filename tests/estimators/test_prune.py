"""Pruning of fitted models, ours and those of others."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from softwood import (
    BaggedTreesClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    Gradient,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    load,
    prune,
    save,
    soften,
)
from softwood.interop import import_model
from tests.persist.models import mixed_table


@pytest.fixture(scope="module")
def tumours():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:300], X[300:], y[:300], y[300:]


def test_by_folds_it_is_what_cart_does_itself(tumours):
    X, _, y, _ = tumours
    inside = CARTClassifier(pruning="cv", random_state=3).fit(X, y)
    outside = prune(CARTClassifier().fit(X, y), X, y, random_state=3)
    assert outside.tree_ == inside.tree_


def test_pessimistic_it_is_what_c45_does_itself(tumours):
    X, _, y, _ = tumours
    inside = C45Classifier().fit(X, y)
    outside = prune(C45Classifier(pruning=None).fit(X, y), X, y, "pessimistic")
    assert outside.tree_ == inside.tree_
    rows, labels = mixed_table()
    inside = C45Classifier().fit(rows, labels)
    unpruned = C45Classifier(pruning=None).fit(rows, labels)
    assert prune(unpruned, rows, labels, "pessimistic").tree_ == inside.tree_


@pytest.mark.parametrize("options", [{}, {"alpha": 0.01}, {"method": "pessimistic"}])
@pytest.mark.parametrize(
    "model", [DecisionTreeClassifier(random_state=0), CARTClassifier(), ObliqueTreeClassifier()]
)
def test_trees_get_smaller_and_nothing_else_changes(model, options, tumours):
    X, X_test, y, y_test = tumours
    if isinstance(model, ObliqueTreeClassifier):
        model.set_params(pruning=None, n_restarts=2, random_state=0)
    model.fit(X, y)
    before = model.predict(X_test)
    small = prune(model, X, y, random_state=0, **options)
    assert small.get_n_leaves() <= model.get_n_leaves()
    assert small.score(X_test, y_test) > 0.85
    np.testing.assert_array_equal(model.predict(X_test), before)
    assert getattr(small, "margins_", small.tree_.weight).shape == (small.tree_.n_nodes,)


@pytest.mark.parametrize("method", ["reduced_error", "cost_complexity"])
@pytest.mark.parametrize(
    "model",
    [
        RandomForestClassifier(5, random_state=0),
        BaggedTreesClassifier(5, random_state=0),
        SoftTreeClassifier(method="confidence", random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_held_out_rows_prune_ensembles_and_soft_trees(model, method, tumours, tmp_path):
    X, X_new, y, y_new = tumours
    model.fit(X, y)
    options = {} if method == "reduced_error" else {"alpha": "holdout"}
    small = prune(model, X_new[:130], y_new[:130], method, **options)
    before, after = import_model(model).forest.trees, import_model(small).forest.trees
    assert sum(tree.n_leaves for tree in after) < sum(tree.n_leaves for tree in before)
    rest = X_new[130:], y_new[130:]
    assert small.score(*rest) > model.score(*rest) - 0.04
    save(small, tmp_path / "small.softwood")
    again = load(tmp_path / "small.softwood")
    np.testing.assert_array_equal(again.predict_proba(X_new), small.predict_proba(X_new))


def test_numbers():
    X, y = load_diabetes(return_X_y=True)
    for model in (CARTRegressor(), DecisionTreeRegressor(random_state=0)):
        small = prune(model.fit(X[:300], y[:300]), X[:300], y[:300], random_state=0)
        assert small.get_n_leaves() < 30
        assert small.score(X[300:], y[300:]) > model.score(X[300:], y[300:])


def test_what_cannot_be_pruned_is_refused(tumours):
    X, _, y, _ = tumours
    boosted = GradientBoostingClassifier(n_estimators=3).fit(X, y)
    bagged = BaggedTreesClassifier(3, random_state=0).fit(X, y)
    soft = soften(CARTClassifier(max_depth=3).fit(X, y), X, y, smoothing=0.1)
    number = CARTRegressor(max_depth=2).fit(X, y.astype(float))
    for model, options, said in (
        (boosted, {}, "add up to a score"),
        (bagged, {}, "alpha='cv' is for single trees, and BaggedTreesClassifier has 3"),
        (soft, {"method": "pessimistic"}, "harden it first"),
        (number, {"method": "pessimistic"}, "predicts numbers"),
        (bagged, {"method": "cut"}, "method must be one of"),
        (bagged, {"alpha": -1.0}, "alpha must be at least 0"),
        (bagged, {"alpha": "oob"}, "alpha must be 'cv', 'holdout' or a number"),
    ):
        with pytest.raises(ValueError, match=said):
            prune(model, X, y, **options)


def test_of_a_single_row_there_is_nothing_to_prune_by():
    X, y = np.zeros((1, 2)), np.zeros(1, dtype=int)
    model = SoftTreeClassifier(method=Gradient(teacher=2, n_epochs=1), random_state=0).fit(X, y)
    assert prune(model, X, y, alpha="cv").get_n_leaves() == 1
