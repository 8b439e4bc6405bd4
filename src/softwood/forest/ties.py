"""The most probable class, where two may be equally probable."""

from __future__ import annotations

from typing import Any

from softwood._types import FloatArray

TIE = 1e-9  # two classes this close in probability are tied: what differs is rounding


def most_probable(probability: FloatArray) -> Any:
    """Return the number of the most probable class, along the last axis; of tied ones the first.

    Parameters
    ----------
    probability : ndarray of shape (..., n_classes)
        Probabilities, or frequencies.

    Returns
    -------
    ndarray of int of shape (...)

    Examples
    --------
    >>> import numpy as np
    >>> most_probable(np.array([[0.5, 0.5], [0.4, 0.6], [0.3, 0.1 + 0.2]])).tolist()
    [0, 1, 0]
    """
    near_best = probability >= probability.max(axis=-1, keepdims=True) - TIE
    return near_best.argmax(axis=-1)
