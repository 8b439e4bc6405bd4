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
    BaggedTreesClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    EvolvedTreeClassifier,
    ObliqueTreeClassifier,
    SoftenedClassifier,
    SoftenedRegressor,
)
from tests.every_estimator import CLASSIFIERS, REGRESSORS, every_model
from tests.strategies import WITHOUT_JIT

COUNTS_ROWS = "a leaf costs half a row, whatever the rows weigh"
DRAWS_ROWS = "folds, bootstrap samples, random cuts and limits count rows, whatever these weigh"
TAKES_ITS_WAY = "evolution takes another way at the last digit of a risk"

# Options that make no difference to the checks, or that are too rough for them (moc1, evolved).
ALIKE = {
    "cart cv",
    "cart holdout",
    "c4.5 unpruned",
    "moc1 unpruned",
    "evolved",
    "evolved single",
    "evolved empirical",
    "soft without teacher",
    "soft of c4.5",
    "soft perturb holdout",
    "softened bagged",
    "vr tree one against rest",
    "vr forest search",
    "vr forest subspace",
    "coalescence",
    "bagged c4.5",
}
SHORT = {"n_iter": 500, "population_size": 20, "random_state": 0}
MORE = {
    "the usual oblique": ObliqueTreeClassifier(random_state=0),
    "the usual bag": BaggedTreesClassifier(2, random_state=0),
    "a regressor of leaves": CARTRegressor(max_leaf_nodes=8),
    "softened forest": SoftenedClassifier(RandomForestClassifier(3, random_state=0)),
    "softened number": SoftenedRegressor(CARTRegressor(), smoothing=0.2, random_state=0),
    "softened forest of numbers": SoftenedRegressor(RandomForestRegressor(3, random_state=0)),
}
EVOLVED = [  # in plain Python it would take minutes
    EvolvedTreeClassifier(**SHORT),
    EvolvedTreeClassifier(**SHORT, objectives="single", prediction="soft"),
]
ESTIMATORS = [
    case.values[0]
    for models in (CLASSIFIERS, REGRESSORS, MORE)
    for case in every_model({name: models[name] for name in models if name not in ALIKE})
] + ([] if WITHOUT_JIT else EVOLVED)


def expected_failures(estimator):
    check = "check_sample_weight_equivalence_on_dense_data"
    if isinstance(estimator, EvolvedTreeClassifier):
        return {check: TAKES_ITS_WAY}
    if getattr(estimator, "criterion", None) == "vicinal":
        return {check: COUNTS_ROWS}
    is_cart = isinstance(estimator, CARTClassifier | CARTRegressor)
    if is_cart and estimator.pruning is None and estimator.min_samples_leaf == 1:
        return {}
    return {} if isinstance(estimator, C45Classifier) else {check: DRAWS_ROWS}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_check(estimator, check):
    check(estimator)


def learned(model):
    return model.tree_ if hasattr(model, "tree_") else model.forest_


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_clone_pickle_and_refit_give_the_same_bits(estimator):
    X, y = load_iris(return_X_y=True)
    model = clone(estimator).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert learned(again) == learned(model) == learned(clone(model).fit(X, y))
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
