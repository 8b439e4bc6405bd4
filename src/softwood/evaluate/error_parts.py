"""The arithmetic of bias and variance: what many models said, divided row by row."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from softwood._types import AnyArray, FloatArray

Answers = list[tuple[AnyArray, AnyArray]]


class Parts(NamedTuple):
    """Noise, bias and variance of each test row."""

    noise: FloatArray
    bias: FloatArray
    variance: FloatArray


def divide_numbers(answers: Answers, kind: str, y_test: Any, truth: Any) -> Parts:
    """Divide squared error, row by row."""
    target = np.asarray(y_test, dtype=np.float64).reshape(len(y_test), -1)
    true = target if truth is None else _like(target, truth, "the mean of y")
    outputs = np.array([values for _, values in answers]).reshape(-1, *target.shape)
    return _divide_squares(outputs, true, (target - true) ** 2)


def divide_classes(answers: Answers, kind: str, y_test: Any, truth: Any) -> Parts:
    """Divide the error of classes, row by row, in the way called ``kind``."""
    labels = np.unique(np.concatenate([y_test, *(classes for classes, _ in answers)]))
    true = (np.asarray(y_test)[:, None] == labels).astype(np.float64)
    if truth is not None:
        true = _like(true, truth, f"a probability for each of the classes {labels.tolist()}")
        if (true < 0).any() or abs(true.sum(axis=1) - 1).max() > 1e-6:
            raise ValueError("truth must return probabilities, which sum to 1 in each row")
    if kind == "squared":
        outputs = np.zeros((len(answers), *true.shape))
        for output, (classes, shares) in zip(outputs, answers, strict=True):
            output[:, np.searchsorted(labels, classes)] = shares
        return _divide_squares(outputs, true, true * (1 - true))
    votes = np.mean([predicted[:, None] == labels for _, predicted in answers], axis=0)
    if kind == "domingos":
        return _divide_by_main_answer(votes, true)
    spread = votes * (1 - votes) * len(answers) / (len(answers) - 1)
    parts = _parts(votes, spread, len(answers), true, true * (1 - true))
    return Parts(*(part / 2 for part in parts))


def _divide_squares(outputs: FloatArray, true: FloatArray, noise: FloatArray) -> Parts:
    # Distances from the first answer: equal answers have a variance of exactly zero.
    mean = outputs[0] + (outputs - outputs[0]).mean(axis=0)
    spread = ((outputs - mean) ** 2).sum(axis=0) / (len(outputs) - 1)
    return _parts(mean, spread, len(outputs), true, noise)


def _parts(
    mean: FloatArray, spread: FloatArray, n_repeats: int, true: FloatArray, noise: FloatArray
) -> Parts:
    """Return the parts of squared error, from the mean and the variance of each output."""
    bias = (true - mean) ** 2 - spread / n_repeats
    return Parts(noise.sum(axis=1), bias.sum(axis=1), spread.sum(axis=1))


def _divide_by_main_answer(votes: FloatArray, true: FloatArray) -> Parts:
    rows, best = np.arange(len(true)), true.argmax(axis=1)
    bias = (votes.argmax(axis=1) != best).astype(np.float64)
    off = 1 - votes[rows, best]  # how often the answer is not the best
    return Parts(1 - (true * votes).sum(axis=1) - off, bias, off - bias)


def _like(target: FloatArray, truth: Any, what: str) -> FloatArray:
    """Return what the truth said, in the shape of ``target``."""
    values = np.asarray(truth, dtype=np.float64)
    if values.ndim == 1:
        values = values[:, None]
    if values.shape != target.shape:
        raise ValueError(
            f"truth must return {what}, in the shape {target.shape}; got {values.shape}"
        )
    return values
