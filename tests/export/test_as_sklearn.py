import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.tree import export_text

from softwood import (
    BaggedTreesRegressor,
    CARTClassifier,
    CARTRegressor,
    CoalescenceClassifier,
    EvolvedTreeClassifier,
    VRForestClassifier,
    harden,
    to_sklearn,
)
from softwood.interop import import_model
from tests.view.explorer.models import made

CLASSIFIERS = [
    CARTClassifier(),
    EvolvedTreeClassifier(n_iter=200, random_state=0),
    CoalescenceClassifier(7, random_state=0),
    VRForestClassifier(5, random_state=0),
]


def rows_like(X, n_rows=2000):
    """Return rows that scikit-learn does not round, some of their values on cuts."""
    rng = np.random.default_rng(1)
    rows = X[rng.integers(0, len(X), (n_rows, X.shape[1])), np.arange(X.shape[1])]
    return (rows + rng.normal(0, 1e-3, rows.shape) * (rng.random(rows.shape) < 0.5)).astype(
        np.float32
    )


@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda m: type(m).__name__)
def test_classifiers_answer_the_same(model):
    X, y = load_breast_cancer(return_X_y=True)
    labels = np.array(["bad", "good"])[y]
    model = clone(model).fit(X, labels)
    theirs = to_sklearn(model)
    assert type(theirs).__module__.startswith("sklearn.")
    assert theirs.classes_.tolist() == ["bad", "good"]
    rows = rows_like(X)
    np.testing.assert_allclose(
        theirs.predict_proba(rows), model.predict_proba(rows.astype(float)), rtol=0, atol=1e-15
    )
    clear = np.abs(theirs.predict_proba(rows)[:, 0] - 0.5) > 1e-9
    assert np.array_equal(theirs.predict(rows)[clear], model.predict(rows.astype(float))[clear])


@pytest.mark.parametrize("model", [CARTRegressor(), BaggedTreesRegressor(n_estimators=4)])
def test_regressors_answer_the_same(model):
    X, y = load_diabetes(return_X_y=True)
    model.fit(X, y)
    rows = rows_like(X)
    np.testing.assert_allclose(
        to_sklearn(model).predict(rows), model.predict(rows.astype(float)), rtol=1e-14
    )


def test_names_and_tools_of_scikit_learn():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = CARTClassifier(max_leaf_nodes=4).fit(X, y)
    theirs = to_sklearn(model)
    assert theirs.feature_names_in_.tolist() == X.columns.tolist()
    assert theirs.get_n_leaves() == 4
    assert theirs.get_depth() == model.tree_.depth
    assert "worst radius" in export_text(theirs, feature_names=list(X.columns))
    again = pickle.loads(pickle.dumps(theirs))
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))


def test_there_and_back():
    """Bit for bit, for what scikit-learn rounds is undone on the way."""
    theirs, X, _ = made("imported")
    back = to_sklearn(import_model(theirs))
    assert np.array_equal(back.predict_proba(X), theirs.predict_proba(X))
    assert np.array_equal(back.tree_.feature, theirs.tree_.feature)


def test_gaps_that_are_filled_go_where_the_filling_goes():
    X = np.arange(20.0)[:, None]
    model = CARTClassifier().fit(X, X[:, 0] > 4)
    imported = import_model(model)
    for fill in (0.0, 19.0):
        from dataclasses import replace

        filled = replace(imported, reader=replace(imported.reader, fill=(fill,)))
        assert to_sklearn(filled).predict([[np.nan]]) == model.predict([[fill]])


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("m-ary", "column '.*' holds categories"),
        ("oblique", "tests of several columns"),
        ("soft and oblique", "soft splits"),
        ("soft, 1000 leaves", "softwood.harden"),
        ("softened forest", "soft splits"),
        ("boosted elsewhere", "not the mean of its trees"),
    ],
)
def test_what_cannot_be_held_is_named(name, complaint):
    with pytest.raises(ValueError, match=complaint):
        to_sklearn(made(name)[0])


def test_a_hardened_model_can_be_held():
    model, X, _ = made("softened forest")
    hard = harden(model)
    rows = rows_like(np.asarray(X))
    expected = import_model(hard).forest.predict(rows.astype(float))
    np.testing.assert_allclose(to_sklearn(hard).predict_proba(to_frame(rows, X)), expected)


def to_frame(rows, like):
    import pandas as pd

    return pd.DataFrame(rows, columns=like.columns)


def test_a_tree_that_is_a_leaf():
    model, X, _ = made("one leaf")
    assert np.array_equal(to_sklearn(model).predict_proba(X), model.predict_proba(X))
