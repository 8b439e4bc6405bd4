"""What each case loses by a prediction: the losses that smoothing is tuned for."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.forest.ties import most_probable

SURROGATE = 0.001  # how much of the Brier score breaks the ties of counted errors


class CaseLosses(NamedTuple):
    """The loss of each case, and what to compare predictions by.

    The share of errors is a step function of any parameter. It is compared with a little
    of the Brier score added, which tells predictions with equally many errors apart.
    """

    plain: FloatArray
    judged: FloatArray


def error(predicted: FloatArray, data: TrainingSet) -> FloatArray:
    """Return 1 for each case whose class is wrong; of tied classes the first is the answer."""
    return np.asarray(most_probable(predicted) != data.label, dtype=np.float64)


def log_loss(predicted: FloatArray, data: TrainingSet) -> FloatArray:
    """Return the negative log probability of the true classes, clipped near 0 and 1."""
    tiny = np.finfo(np.float64).eps
    of_truth = predicted[np.arange(data.n_rows), data.label]
    return np.asarray(-np.log(np.clip(of_truth, tiny, 1.0 - tiny)))


def brier(predicted: FloatArray, data: TrainingSet) -> FloatArray:
    """Return the squared distance of the probabilities to the truth; half of it for two classes."""
    difference = predicted.copy()
    difference[np.arange(data.n_rows), data.label] -= 1.0
    squares = np.einsum("ij,ij->i", difference, difference)
    return np.asarray(squares / 2.0 if predicted.shape[1] == 2 else squares)


def squared_error(predicted: FloatArray, data: TrainingSet) -> FloatArray:
    """Return the squared error of each case."""
    return np.asarray((predicted[:, 0] - data.target) ** 2)


Loss = Callable[[FloatArray, TrainingSet], FloatArray]
OF_CLASSES: dict[str, Loss] = {"error": error, "log_loss": log_loss, "brier": brier}
OF_NUMBERS: dict[str, Loss] = {"squared_error": squared_error}


def loss_name(loss: str | None, data: TrainingSet) -> str:
    """Return the name of the loss to use: the one asked for, or the usual one.

    Parameters
    ----------
    loss : {"error", "log_loss", "brier", "squared_error"} or None
        What the user asked for. None is "squared_error" for numbers, else "error".
    data : TrainingSet
        The cases.

    Returns
    -------
    str
    """
    known = OF_NUMBERS if data.is_regression else OF_CLASSES
    if loss is None:
        return next(iter(known))
    if loss not in known:
        task = "regression" if data.is_regression else "classification"
        raise ValueError(f"loss must be one of {', '.join(known)} for {task}; got {loss!r}")
    return loss


def case_losses(name: str, predicted: FloatArray, data: TrainingSet) -> CaseLosses:
    """Return the loss of each case of ``data``.

    Parameters
    ----------
    name : str
        What :func:`loss_name` returned.
    predicted : ndarray of shape (n_rows, n_outputs)
        Class probabilities, or numbers in one column.
    data : TrainingSet
        The truth.

    Returns
    -------
    CaseLosses

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.refine.losses import case_losses
    >>> data = TrainingSet.of_classes(np.zeros((2, 1)), [0, 1])
    >>> case_losses("error", np.array([[0.5, 0.5], [0.9, 0.1]]), data).plain.tolist()
    [0.0, 1.0]
    """
    plain = {**OF_CLASSES, **OF_NUMBERS}[name](predicted, data)
    if name == "error":
        return CaseLosses(plain, plain + SURROGATE * brier(predicted, data))
    return CaseLosses(plain, plain)


def mean_loss(predicted: FloatArray, data: TrainingSet) -> float:
    """Return the share of wrong classes, by weight, or the mean squared error.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.refine.losses import mean_loss
    >>> data = TrainingSet.of_classes(np.zeros((3, 1)), [0, 1, 1], weight=[2.0, 1.0, 1.0])
    >>> mean_loss(np.array([[0.9, 0.1], [0.9, 0.1], [0.2, 0.8]]), data)
    0.25
    """
    loss = OF_NUMBERS["squared_error"] if data.is_regression else OF_CLASSES["error"]
    return float(np.average(loss(predicted, data), weights=data.weight))
