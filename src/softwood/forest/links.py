"""Links: what turns the sum over the trees into an answer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from softwood._types import FloatArray


def _identity(score: FloatArray) -> FloatArray:
    return score


def _logistic(score: FloatArray) -> FloatArray:
    second = _sigmoid(score)
    return np.concatenate([1.0 - second, second], axis=1)


def _sigmoid(score: FloatArray) -> FloatArray:
    from scipy.special import expit

    return np.asarray(expit(score))


def _softmax(score: FloatArray) -> FloatArray:
    from scipy.special import softmax

    return np.asarray(softmax(score, axis=1))


def _exponential(score: FloatArray) -> FloatArray:
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(score))


LINKS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "identity": _identity,
    "logistic": _logistic,
    "sigmoid": _sigmoid,
    "softmax": _softmax,
    "exponential": _exponential,
}
