"""Every estimator, with the options that change how it is fitted, small enough to fit in a moment.

A new estimator adds its line here: then its predictions are kept, scikit-learn's checks run on it,
and all that is promised of weights, hard numbers and other processes is asked of it.
"""

import pytest
from sklearn.base import is_regressor

from softwood import (
    BaggedTreesClassifier,
    BaggedTreesRegressor,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CoalescenceClassifier,
    CoalescenceRegressor,
    EvolvedTreeClassifier,
    Gradient,
    ObliqueTreeClassifier,
    SoftenedClassifier,
    SoftenedRegressor,
    SoftTreeClassifier,
    SoftTreeRegressor,
    VRForestClassifier,
    VRForestRegressor,
    VRTreeClassifier,
    VRTreeRegressor,
)
from tests.strategies import WITHOUT_JIT

SEED = {"random_state": 0}
TAUGHT = Gradient(teacher=5, n_epochs=4)
ALONE = Gradient(teacher=0, n_epochs=4, early_stopping=0.2)
QUICK = {"method": TAUGHT, "max_leaf_nodes": 8, **SEED}
BRIEF = {"n_iter": 400, "population_size": 20, **SEED}

CLASSIFIERS = {
    "cart": CARTClassifier(),
    "cart entropy": CARTClassifier("entropy", min_samples_leaf=4, max_depth=4),
    "cart twoing": CARTClassifier("twoing", max_leaf_nodes=6),
    "cart vicinal": CARTClassifier("vicinal", min_samples_leaf=3),
    "cart cv": CARTClassifier(pruning="cv", **SEED),
    "cart holdout": CARTClassifier(pruning="holdout", n_standard_errors=1, **SEED),
    "c4.5": C45Classifier(),
    "c4.5 soft": C45Classifier(laplace=True, soft_thresholds=True),
    "c4.5 unpruned": C45Classifier(pruning=None),
    "oc1": ObliqueTreeClassifier(n_restarts=2, **SEED),
    "moc1 unpruned": ObliqueTreeClassifier("moc1", n_restarts=2, pruning=None, **SEED),
    "moc2 widened": ObliqueTreeClassifier("moc2", n_restarts=2, widen=True, **SEED),
    "evolved": EvolvedTreeClassifier(**BRIEF),
    "evolved single": EvolvedTreeClassifier(objectives="single", n_runs=2, **BRIEF),
    "evolved empirical": EvolvedTreeClassifier(risk="empirical", **BRIEF),
    "soft": SoftTreeClassifier(**QUICK),
    "soft oblique": SoftTreeClassifier(oblique=True, **QUICK),
    "soft without teacher": SoftTreeClassifier(method=ALONE, max_leaf_nodes=8, **SEED),
    "soft of c4.5": SoftTreeClassifier(C45Classifier(), method=TAUGHT, **SEED),
    "soft anneal": SoftTreeClassifier(method="anneal", **SEED),
    "soft perturb": SoftTreeClassifier(method="perturb", **SEED),
    "soft perturb holdout": SoftTreeClassifier(method="perturb", smoothing="holdout", **SEED),
    "soft confidence": SoftTreeClassifier(method="confidence", **SEED),
    "softened cart": SoftenedClassifier(CARTClassifier(max_depth=4), **SEED),
    "softened bagged": SoftenedClassifier(BaggedTreesClassifier(4, **SEED), **SEED),
    "vr tree": VRTreeClassifier(**SEED),
    "vr tree one against rest": VRTreeClassifier(nominal_split="one_vs_rest", **SEED),
    "vr forest": VRForestClassifier(4, **SEED),
    "vr forest search": VRForestClassifier(4, alpha="search", **SEED),
    "vr forest subspace": VRForestClassifier(4, sampling="subspace", smoothing="holdout", **SEED),
    "coalescence": CoalescenceClassifier(5, **SEED),
    "coalescence oob": CoalescenceClassifier(
        5, sampling="bootstrap", smoothing="oob", oob_score=True, **SEED
    ),
    "bagged": BaggedTreesClassifier(4, smoothing="oob", oob_score=True, **SEED),
    "bagged c4.5": BaggedTreesClassifier(4, criterion="gain_ratio", **SEED),
}
REGRESSORS = {
    "cart": CARTRegressor(min_samples_leaf=4),
    "cart cv": CARTRegressor(pruning="cv", **SEED),
    "soft": SoftTreeRegressor(**QUICK),
    "soft oblique": SoftTreeRegressor(oblique=True, **QUICK),
    "soft perturb": SoftTreeRegressor(method="perturb", **SEED),
    "softened cart": SoftenedRegressor(CARTRegressor(max_depth=4), **SEED),
    "vr tree": VRTreeRegressor(**SEED),
    "vr forest": VRForestRegressor(4, **SEED),
    "coalescence": CoalescenceRegressor(4, sampling="bootstrap", oob_score=True, **SEED),
    "bagged": BaggedTreesRegressor(4, smoothing="oob", oob_score=True, **SEED),
}

# In plain Python these would take minutes.
SLOW_WITHOUT_JIT = {
    "evolved",
    "evolved single",
    "evolved empirical",
    "soft",
    "soft oblique",
    "soft without teacher",
    "soft of c4.5",
    "soft anneal",
}


def named(name, model):
    """Return a case of pytest's, under the name that fingerprints have too."""
    return pytest.param(model, id=f"{name}, a number" if is_regressor(model) else name)


def every_model(models, wanted=lambda model: True):
    """Return the models of a dict that are wanted, with names as pytest shows them."""
    return [
        named(name, model)
        for name, model in models.items()
        if wanted(model) and not (WITHOUT_JIT and name in SLOW_WITHOUT_JIT)
    ]


def one_of_each(models):
    """Return the first model of each class."""
    kinds = {}
    for name, model in models.items():
        kinds.setdefault(type(model), named(name, model))
    return list(kinds.values())
