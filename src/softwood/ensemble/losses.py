"""How good answers are: one number, the same for all that an ensemble decides by."""

from __future__ import annotations

import numpy as np

from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.refine.losses import OF_CLASSES, OF_NUMBERS


def mean_loss(predicted: FloatArray, data: TrainingSet) -> float:
    """Return the share of wrong classes, by weight, or the mean squared error.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.ensemble.losses import mean_loss
    >>> data = TrainingSet.of_classes(np.zeros((3, 1)), [0, 1, 1], weight=[2.0, 1.0, 1.0])
    >>> mean_loss(np.array([[0.9, 0.1], [0.9, 0.1], [0.2, 0.8]]), data)
    0.25
    """
    loss = OF_NUMBERS["squared_error"] if data.is_regression else OF_CLASSES["error"]
    return float(np.average(loss(predicted, data), weights=data.weight))
