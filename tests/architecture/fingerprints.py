"""What every estimator answers about a few rows: kept, so that a change of the code shows.

Usage: python -m tests.architecture.fingerprints

writes ``fingerprints.json`` anew. That is right only if predictions were meant to change, and
CHANGELOG.md says why.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from tests.every_estimator import CLASSIFIERS, REGRESSORS

# Words of the names of cases in which masses meet answers as matrices, or margins are widened.
THROUGH_BLAS = ("soft", "widened", "coalescence oob", "vr forest subspace", "bagged")
KEPT = Path(__file__).with_name("fingerprints.json")


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
    return np.asarray(predict(X[-20::2])).tolist()


def goes_through_blas(name):
    """Whether sums of a case are BLAS's, which adds in another order on other processors."""
    return any(word in name for word in THROUGH_BLAS)


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
