"""What every estimator answers about a few rows: kept, so that a change of the code shows.

Usage: python -m tests.architecture.fingerprints

writes ``fingerprints.json`` anew. That is right only if predictions were meant to change, and
CHANGELOG.md says why.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd

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

KEPT = Path(__file__).with_name("fingerprints.json")
SEED = {"random_state": 0}
TAUGHT = Gradient(teacher=5, n_epochs=4)
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
    "soft without teacher": SoftTreeClassifier(
        method=Gradient(teacher=0, n_epochs=4, early_stopping=0.2), max_leaf_nodes=8, **SEED
    ),
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


def numbers(n_rows=200):
    """Rows of numbers, three classes, and a number to predict."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n_rows, 5)).round(2)
    score = X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(0, 0.3, n_rows)
    return X, np.digitize(score, [-0.5, 0.7]), score.round(3)


def mixed(n_rows=200):
    """Numbers, categories and gaps."""
    X, label, target = numbers(n_rows)
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(X, columns=list("abcde"))
    frame["colour"] = np.array(["red", "green", "blue", "black"])[
        (X[:, 0] > 0) + 2 * (rng.random(n_rows) < 0.4)
    ]
    frame["town"] = [f"t{k}" for k in rng.integers(0, 12, n_rows)]
    frame.loc[rng.random(n_rows) < 0.1, "c"] = np.nan
    frame.loc[rng.random(n_rows) < 0.1, "colour"] = None
    return frame, np.array(["no", "some", "yes"])[label], target


def answers(model, X, y):
    """Return what a model, fitted to all rows but the last twenty, says of every other of these."""
    fitted = model.fit(X[:-20], y[:-20])
    predict = getattr(fitted, "predict_proba", fitted.predict)
    return np.asarray(predict(X[-20::2])).round(9).tolist()


def every_case():
    """Yield the name of each case, its model, its table and its target."""
    for table, make in (("numbers", numbers), ("mixed", mixed)):
        X, label, target = make()
        for name, model in CLASSIFIERS.items():
            yield f"{table}: {name}", model, X, label
        for name, model in REGRESSORS.items():
            yield f"{table}: {name}, a number", model, X, target


if __name__ == "__main__":
    found = {name: answers(model, X, y) for name, model, X, y in every_case()}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(found[name])}" for name in found)
    KEPT.write_text(f"{{\n{lines}\n}}\n")
