import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from softwood.evaluate.cells import run_cell, seed_of
from softwood.evaluate.methods import methods_of
from softwood.evaluate.metrics import Metric
from softwood.evaluate.problems import problems_of

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
EVERY_THIRD = (np.flatnonzero(np.arange(150) % 3), np.arange(0, 150, 3))


class Broken(ClassifierMixin, BaseEstimator):
    def __init__(self, error=RuntimeError):
        self.error = error

    def fit(self, X, y):
        warnings.warn("about to break", UserWarning, stacklevel=1)
        raise self.error("no good")

    def predict(self, X):
        return X


def run(estimator, split=EVERY_THIRD, y=NAMES, **options):
    [problem] = problems_of({"iris": (X, y)})
    [method] = methods_of([estimator])
    return run_cell(problem, method, split, 5, **options)


def test_numbers_are_those_of_plain_scikit_learn():
    train, test = EVERY_THIRD
    model = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X[train], NAMES[train])
    outcome = run(DecisionTreeClassifier(max_depth=3, random_state=0))
    assert outcome.status == "ok"
    assert outcome.metrics["error"] == 1 - model.score(X[test], NAMES[test])
    expected = roc_auc_score(NAMES[test], model.predict_proba(X[test]), multi_class="ovr")
    assert outcome.metrics["auc"] == pytest.approx(expected)
    assert outcome.metrics["leaves"] == model.get_n_leaves()
    assert outcome.metrics["fit_time"] > 0
    assert outcome.seconds >= outcome.metrics["fit_time"] + outcome.metrics["predict_time"]


def test_a_class_that_training_does_not_have():
    train, test = np.arange(50, 150), np.arange(25, 100)  # no setosa, the first class
    outcome = run(DecisionTreeClassifier(), (train, test))
    assert outcome.metrics["error"] == pytest.approx(1 / 3)
    assert outcome.metrics["log_loss"] == pytest.approx(-np.log(np.finfo(float).eps) / 3)


def test_a_decision_function_ranks():
    train, test = (rows[rows < 100] for rows in EVERY_THIRD)
    [problem] = problems_of({"iris": (X[:100], NAMES[:100])})
    [method] = methods_of([RidgeClassifier()])
    outcome = run_cell(problem, method, (train, test), 5)
    model = RidgeClassifier().fit(X[train], NAMES[train])
    expected = roc_auc_score(NAMES[test], model.decision_function(X[test]))
    assert outcome.metrics["auc"] == pytest.approx(expected)
    assert np.isnan(outcome.metrics["log_loss"])
    pairs = run(SVC(decision_function_shape="ovo"), y=np.arange(150) % 4)
    assert np.isnan(pairs.metrics["auc"])


def test_a_failure_is_an_outcome():
    outcome = run(Broken())
    assert outcome.status == "failed"
    assert outcome.error == "RuntimeError: no good"
    assert "in fit" in outcome.trace
    assert (outcome.n_warnings, outcome.warning) == (1, "UserWarning: about to break")
    assert outcome.metrics == {}
    with pytest.raises(KeyboardInterrupt):
        run(Broken(KeyboardInterrupt))


def test_warnings_are_counted_not_printed(capfd):
    outcome = run(MLPClassifier((2,), max_iter=1))
    assert outcome.status == "ok"
    assert outcome.n_warnings >= 1
    assert outcome.warning.startswith("ConvergenceWarning")
    assert capfd.readouterr().err == ""


def test_a_metric_of_the_user():
    metric = Metric("depth", lambda seen: seen.model.get_depth())
    assert run(DecisionTreeClassifier(max_depth=2), extra=[metric]).metrics["depth"] == 2.0


def test_a_metric_that_fails_is_named():
    metric = Metric("depth", lambda seen: 1 / 0)
    outcome = run(DecisionTreeClassifier(), extra=[metric])
    assert outcome.status == "failed"
    assert outcome.error.endswith(
        "metric 'depth' cannot be measured: ZeroDivisionError: division by zero"
    )


def test_seeds_differ_between_cells_and_nowhere_else():
    seeds = {seed_of(s, name, k) for s in (0, 1) for name in ("iris", "wine") for k in range(5)}
    assert len(seeds) == 20
    assert seed_of(0, "iris", 3) == seed_of(0, "iris", 3)
