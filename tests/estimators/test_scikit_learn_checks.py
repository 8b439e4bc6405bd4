"""scikit-learn's own battery, and the promises every estimator makes beyond it."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from softwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    EvolvedTreeClassifier,
    Gradient,
    ObliqueTreeClassifier,
    SoftenedClassifier,
    SoftenedRegressor,
    SoftTreeClassifier,
    SoftTreeRegressor,
)
from tests.strategies import WITHOUT_JIT

QUICK = {"method": Gradient(teacher=5), "max_leaf_nodes": 16}
SHORT = {"n_iter": 500, "population_size": 20}
COUNTS_ROWS = "a leaf costs half a row, whatever the rows weigh"
DRAWS_ROWS = "folds, bootstrap samples and limits count rows, whatever these weigh"
TAKES_ITS_WAY = "evolution takes another way at the last digit of a risk"

EVOLVED = [  # in plain Python it would take minutes
    EvolvedTreeClassifier(**SHORT, random_state=0),
    EvolvedTreeClassifier(**SHORT, objectives="single", prediction="soft", random_state=0),
]
ESTIMATORS = [
    CARTClassifier(),
    CARTClassifier("entropy", max_depth=5),
    CARTClassifier("twoing", max_leaf_nodes=20),
    CARTClassifier("vicinal"),
    CARTRegressor(),
    CARTRegressor(max_leaf_nodes=8),
    C45Classifier(),
    C45Classifier(pruning=None, laplace=True),
    C45Classifier(soft_thresholds=True),
    ObliqueTreeClassifier(random_state=0),
    ObliqueTreeClassifier("moc1", widen=True, n_restarts=3, random_state=0),
    *([] if WITHOUT_JIT else EVOLVED),
    SoftTreeClassifier(**QUICK, random_state=0),
    SoftTreeClassifier(**QUICK, oblique=True, random_state=0),
    SoftTreeClassifier(method="perturb", random_state=0),
    SoftTreeClassifier(method="anneal", random_state=0),
    SoftTreeClassifier(method="confidence", random_state=0),
    SoftTreeRegressor(**QUICK, random_state=0),
    SoftTreeRegressor(**QUICK, oblique=True, random_state=0),
    SoftTreeRegressor(method="perturb", random_state=0),
]
SOFTENED = [
    SoftenedClassifier(CARTClassifier(max_depth=2), random_state=0),
    SoftenedClassifier(RandomForestClassifier(3, random_state=0), random_state=0),
    SoftenedRegressor(CARTRegressor(), smoothing=0.2, random_state=0),
    SoftenedRegressor(RandomForestRegressor(3, random_state=0), random_state=0),
]


def expected_failures(estimator):
    if type(estimator).__name__.startswith("Evolved"):
        return {"check_sample_weight_equivalence_on_dense_data": TAKES_ITS_WAY}
    if getattr(estimator, "criterion", None) == "vicinal":
        return {"check_sample_weight_equivalence_on_dense_data": COUNTS_ROWS}
    if type(estimator).__name__.startswith(("Soft", "Oblique")):
        return {"check_sample_weight_equivalence_on_dense_data": DRAWS_ROWS}
    return {}


@parametrize_with_checks(ESTIMATORS + SOFTENED, expected_failed_checks=expected_failures)
def test_scikit_learn_check(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_clone_pickle_and_refit_give_the_same_bits(estimator):
    X, y = load_iris(return_X_y=True)
    model = clone(estimator).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert again.tree_ == model.tree_ == clone(model).fit(X, y).tree_
    assert np.array_equal(again.predict(X), model.predict(X))


@pytest.mark.parametrize("estimator", SOFTENED, ids=repr)
def test_so_it_is_with_softened_models(estimator):
    X, y = load_iris(return_X_y=True)
    model = clone(estimator).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert again.forest_ == model.forest_ == clone(model).fit(X, y).forest_
    assert again.flow_ == model.flow_
    assert np.array_equal(again.predict(X), model.predict(X))


def test_it_lives_in_scikit_learns_tools():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(make_pipeline(C45Classifier()), {"c45classifier__confidence": [0.1, 0.4]})
    assert search.fit(X, y).best_score_ > 0.9
    assert cross_val_score(CARTClassifier(random_state=0), X, y, cv=3).mean() > 0.9


def test_unknown_parameter_values_name_the_parameter():
    X, y = load_iris(return_X_y=True)
    for model, name in (
        (CARTClassifier("jini"), "criterion"),
        (CARTClassifier(pruning="yes"), "pruning"),
        (CARTClassifier(min_samples_leaf=0), "min_samples_leaf"),
        (C45Classifier(confidence=0.7), "confidence"),
        (C45Classifier(handle_unknown="guess"), "handle_unknown"),
        (C45Classifier(laplace="yes"), "laplace"),
    ):
        with pytest.raises(ValueError, match=f"'{name}' parameter"):
            model.fit(X, y)
        assert not hasattr(model, "tree_")
        assert not hasattr(model, "n_features_in_")
