import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as theirs
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from softwood.evaluate.metrics import METRICS, Metric, Prediction, metrics_of


def measured(name, seen):
    return METRICS[name].measure(seen)


@st.composite
def class_predictions(draw):
    """Draw a prediction of classes: probabilities with ties, zeros and ones."""
    n_classes = draw(st.integers(2, 4))
    n_rows = draw(st.integers(n_classes, 15))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    truth = rng.permutation(
        np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n_rows - n_classes)])
    )
    raw = rng.integers(0, 4, (n_rows, n_classes)).astype(float)
    raw[raw.sum(axis=1) == 0] = 1.0
    probability = raw / raw.sum(axis=1, keepdims=True)
    classes = np.array(["a", "b", "c", "d"])[:n_classes]
    labels = classes[probability.argmax(axis=1)]
    return Prediction(None, None, classes[truth], labels, classes, probability, probability)


@given(class_predictions())
def test_classes_as_scikit_learn_measures_them(seen):
    assert measured("error", seen) == pytest.approx(
        1 - theirs.accuracy_score(seen.truth, seen.labels)
    )
    expected = theirs.log_loss(seen.truth, seen.probability, labels=seen.classes)
    assert measured("log_loss", seen) == pytest.approx(expected, rel=1e-12)
    binary = len(seen.classes) == 2
    score = seen.probability[:, 1] if binary else seen.probability
    if binary:
        expected = theirs.brier_score_loss(seen.truth, score, pos_label="b")
    else:  # which scikit-learn has from 1.7 on
        indicator = seen.truth[:, None] == seen.classes
        expected = np.mean(np.sum((indicator - score) ** 2, axis=1))
    assert measured("brier", seen) == pytest.approx(expected, abs=1e-15)
    options = {} if binary else {"multi_class": "ovr", "labels": seen.classes}
    expected = theirs.roc_auc_score(seen.truth, score, **options)
    assert measured("auc", seen) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=2, max_size=20))
def test_numbers_as_scikit_learn_measures_them(pairs):
    truth, labels = np.array(pairs).T
    seen = Prediction(None, None, truth, labels)
    assert measured("squared_error", seen) == pytest.approx(
        theirs.mean_squared_error(truth, labels)
    )
    assert measured("absolute_error", seen) == pytest.approx(
        theirs.mean_absolute_error(truth, labels)
    )
    if np.ptp(truth) > 1e-3:
        assert measured("r2", seen) == pytest.approx(theirs.r2_score(truth, labels))
    constant = Prediction(None, None, np.ones(3), np.ones(3))
    assert np.isnan(measured("r2", constant))


def test_what_is_not_defined_is_nan():
    truth = np.array(["a", "a"])
    seen = Prediction(None, None, truth, truth, np.array(["a", "b"]), None, np.eye(2))
    assert np.isnan(measured("auc", seen))  # one class among the test rows
    assert np.isnan(measured("log_loss", seen))
    assert np.isnan(measured("brier", seen))
    assert np.isnan(measured("leaves", Prediction(LogisticRegression(), None, truth, truth)))


def test_a_class_absent_from_the_test_rows_does_not_count():
    rng = np.random.default_rng(0)
    truth, score = np.repeat(["a", "b"], 5), rng.dirichlet(np.ones(3), 10)
    seen = Prediction(None, None, truth, truth, np.array(["a", "b", "c"]), score, score)
    parts = [theirs.roc_auc_score(truth == label, score[:, k]) for k, label in enumerate("ab")]
    assert measured("auc", seen) == pytest.approx(np.mean(parts))


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(max_leaf_nodes=4),
        make_pipeline(StandardScaler(), DecisionTreeClassifier(max_leaf_nodes=4)),
        GridSearchCV(DecisionTreeClassifier(), {"max_leaf_nodes": [4]}, cv=2),
    ],
)
def test_leaves_of_a_tree(model):
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    seen = Prediction(model.fit(X, y), None, y, y)
    assert measured("leaves", seen) == 4


@pytest.mark.parametrize(
    "model",
    [
        RandomForestClassifier(5, max_leaf_nodes=3, random_state=0),
        BaggingClassifier(DecisionTreeClassifier(max_leaf_nodes=3), 5, random_state=0),
        GradientBoostingClassifier(n_estimators=5, max_leaf_nodes=3),
        AdaBoostClassifier(DecisionTreeClassifier(max_leaf_nodes=3), n_estimators=5),
    ],
)
def test_leaves_of_an_ensemble_are_the_sum(model):
    X = np.random.default_rng(0).normal(size=(80, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
    trees = np.ravel(model.estimators_)
    assert measured("leaves", Prediction(model, None, y, y)) == sum(t.get_n_leaves() for t in trees)


def misses(y_true, y_pred):
    return np.sum(y_true != y_pred)


def test_metrics_of_users():
    truth, labels = np.array([0, 1, 1]), np.array([0, 0, 1])
    seen = Prediction(None, None, truth, labels)
    [own, score] = metrics_of([misses, theirs.accuracy_score], "classification")
    assert (own.name, own.greater_is_better, own.measure(seen)) == ("misses", False, 1.0)
    assert (score.name, score.greater_is_better) == ("accuracy_score", True)
    [renamed] = metrics_of({"wrong": misses}, "classification")
    assert renamed.name == "wrong"
    [given_as_is] = metrics_of(Metric("x", lambda seen: 3.0), "regression")
    assert given_as_is.measure(seen) == 3.0
    X = np.array([[0.0], [1.0], [2.0]])
    model = DecisionTreeClassifier().fit(X, truth)
    [scorer] = metrics_of("balanced_accuracy", "classification")
    assert scorer.measure(Prediction(model, X, truth, labels)) == 1.0
    assert [metric.name for metric in metrics_of(None, "regression")] == ["squared_error"]


@pytest.mark.parametrize(
    ("wanted", "task", "words"),
    [
        ("eror", "classification", "did you mean 'error'"),
        ("xyzzy", "classification", "there are error, .* and the scorers"),
        ("auc", "regression", "not for regression; those for it are squared_error"),
        ({"error": misses}, "classification", "give yours another name"),
    ],
)
def test_wrong_names(wanted, task, words):
    with pytest.raises(ValueError, match=words):
        metrics_of(wanted, task)
    with pytest.raises(TypeError, match="got 3"):
        metrics_of([3], task)
