"""Whatever joblib is told to run tasks on, models come out the same to the last bit."""

import joblib
import numpy as np
import pytest

from softwood import (
    BaggedTreesClassifier,
    BaggedTreesRegressor,
    CARTClassifier,
    CoalescenceClassifier,
    CoalescenceRegressor,
    EvolvedTreeClassifier,
    Gradient,
    ObliqueTreeClassifier,
    SoftenedClassifier,
    SoftTreeClassifier,
    SoftTreeRegressor,
    VRForestClassifier,
    VRForestRegressor,
)

CLASSIFIERS = [
    SoftTreeClassifier(method=Gradient(teacher=4, n_epochs=2)),
    SoftTreeClassifier(CARTClassifier(max_depth=3), method=Gradient(teacher=4, n_epochs=2)),
    SoftTreeClassifier(method=Gradient(teacher=4, n_epochs=1), oblique=True, max_leaf_nodes=8),
    SoftTreeClassifier(method="perturb", smoothing=0.2),
    SoftenedClassifier(CARTClassifier(max_depth=3), Gradient(teacher=4, n_epochs=2)),
    BaggedTreesClassifier(4),
    BaggedTreesClassifier(4, smoothing="oob"),
    VRForestClassifier(4),
    VRForestClassifier(4, alpha="search"),
    CoalescenceClassifier(4),
    ObliqueTreeClassifier(max_depth=2),
    EvolvedTreeClassifier(n_iter=200, population_size=10, n_runs=2),
]
REGRESSORS = [
    SoftTreeRegressor(method=Gradient(teacher=4, n_epochs=2)),
    BaggedTreesRegressor(4),
    VRForestRegressor(4),
    CoalescenceRegressor(4),
]


def trees_of(model):
    return getattr(model, "trees_", None) or [model.tree_]


@pytest.mark.parametrize("backend", ["multiprocessing", "loky"])
@pytest.mark.parametrize("model", [*CLASSIFIERS, *REGRESSORS], ids=repr)
def test_processes_grow_the_trees_of_threads(model, backend):
    """The teacher of soft trees was grown by a closure, which no process can be sent."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int) if model in CLASSIFIERS else X.sum(axis=1)
    model.set_params(random_state=0, n_jobs=2)
    expected = trees_of(model.fit(X, y))
    before = model.predict(X)
    with joblib.parallel_config(backend=backend):
        assert trees_of(model.fit(X, y)) == expected
        np.testing.assert_array_equal(model.predict(X), before)
