"""A small comparison, to be run here or in a process of its own; light, so that it starts fast."""

import os
import signal
import time

import numpy as np

from softwood.estimators._sklearn_compat import BaseEstimator, ClassifierMixin
from softwood.evaluate import compare


class Coin(ClassifierMixin, BaseEstimator):
    """A coin toss that takes its time; the coin is seeded by the cell."""

    def __init__(self, seconds=0.0, random_state=None):
        self.seconds = seconds
        self.random_state = random_state

    def fit(self, X, y):
        time.sleep(self.seconds)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        rng = np.random.default_rng(self.random_state)
        return rng.choice(self.classes_, len(X))


class Nearest(ClassifierMixin, BaseEstimator):
    """The class whose mean is nearest, with probabilities."""

    def __init__(self, sharpness=1.0):
        self.sharpness = sharpness

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([X[y == label].mean(axis=0) for label in self.classes_])
        return self

    def predict_proba(self, X):
        distance = ((X[:, None, :] - self.means_) ** 2).sum(axis=2)
        share = np.exp(-self.sharpness * distance)
        return share / share.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class Fussy(ClassifierMixin, BaseEstimator):
    """Fails on data of a size it does not like."""

    def __init__(self, hated=60):
        self.hated = hated

    def fit(self, X, y):
        if len(X) == self.hated * 4 // 5:
            raise ValueError(f"{len(X)} rows: no")
        self.label_ = y[0]
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.label_)


class Deadly(Fussy):
    """Kills its process on data of a size it does not like."""

    def fit(self, X, y):
        try:
            return super().fit(X, y)
        except ValueError:
            os.kill(os.getpid(), signal.SIGKILL)


def data():
    rng = np.random.default_rng(7)
    sets = {}
    for name, n_rows in (("small", 40), ("medium", 60), ("large", 90)):
        X = rng.normal(size=(n_rows, 3))
        sets[name] = (X, np.where(X[:, 0] + rng.normal(size=n_rows) > 0, "yes", "no"))
    return sets


def study(store=None, seconds=0.0, **options):
    methods = {"coin": Coin(seconds), "near": Nearest(), "nearer": Nearest(3.0)}
    return compare(methods, data(), "repeated_kfold:2x5", store=store, **options)
