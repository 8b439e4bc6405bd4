"""Whatever joblib is told to run tasks on, models come out the same to the last bit."""

import joblib
import numpy as np
import pytest
from sklearn.base import clone, is_classifier

from softwood import CARTClassifier, Gradient, SoftenedClassifier
from tests.every_estimator import CLASSIFIERS, REGRESSORS, every_model

GRADIENT = SoftenedClassifier(CARTClassifier(max_depth=3), Gradient(teacher=4, n_epochs=2))


def has_jobs(model):
    return "n_jobs" in model.get_params()


MODELS = [
    *every_model(CLASSIFIERS | {"softened by gradients": GRADIENT}, has_jobs),
    *every_model(REGRESSORS, has_jobs),
]


def trees_of(model):
    return getattr(model, "trees_", None) or [model.tree_]


@pytest.mark.parametrize("backend", ["multiprocessing", "loky"])
@pytest.mark.parametrize("model", MODELS)
def test_processes_grow_the_trees_of_threads(model, backend):
    """The teacher of soft trees was grown by a closure, which no process can be sent."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int) if is_classifier(model) else X.sum(axis=1)
    model = clone(model).set_params(random_state=0, n_jobs=2)
    expected = trees_of(model.fit(X, y))
    before = model.predict(X)
    with joblib.parallel_config(backend=backend):
        assert trees_of(model.fit(X, y)) == expected
        np.testing.assert_array_equal(model.predict(X), before)
