"""The vicinity of training rows: the noise of vicinal risk, as a flow."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Gaussian
from softwood.refine.perturbation import deviations, redraw_of, shares_of_categories

DROP = 1e-6  # mass of a row that may be neglected on the way to a leaf
LEAF_IN_ROWS = 0.5  # the price of a leaf that did best on eighteen data sets


def vicinity(data: TrainingSet, sigma2: Any) -> Gaussian:
    """Return the flow that blurs rows with the variance ``sigma2``.

    Parameters
    ----------
    data : TrainingSet
        Rows, whose columns give the unit of variance.
    sigma2 : float or sequence of float
        Variance of the noise over that of the column, one for all or one for each. A
        nominal value is drawn anew with half this chance, which moves a number as far in
        the mean square.

    Returns
    -------
    Gaussian

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.learn.vicinity import vicinity
    >>> X = np.array([[1.0, 7.0], [2.0, 7.0], [3.0, 7.0]])
    >>> vicinity(TrainingSet.of_classes(X, [0, 1, 1]), sigma2=0.25)
    Gaussian(scale=(0.5, 0.0), exact=True, drop=1e-06, redraw=0.0, marginals=())
    """
    variance = _by_column(sigma2, data.X.shape[1])
    redraws = np.unique(variance[data.is_nominal & (variance > 0.0)])
    if redraws.size > 1:
        raise ValueError(
            "sigma2 must be the same for all nominal columns, or 0 for those that are not to be "
            f"blurred; got {redraws.tolist()}"
        )
    shares = shares_of_categories(data) if redraws.size else ()
    return Gaussian(
        scale=tuple((np.sqrt(variance) * deviations(data)).tolist()),
        drop=DROP,
        redraw=redraw_of(float(np.sqrt(redraws[0]))) if redraws.size else 0.0,
        marginals=tuple(
            part if own > 0.0 else () for part, own in zip(shares, variance, strict=False)
        ),
    )


def _by_column(sigma2: Any, n_features: int) -> FloatArray:
    variance = np.asarray(sigma2, dtype=np.float64)
    if variance.ndim > 1 or (variance.ndim == 1 and variance.size != n_features):
        raise ValueError(
            f"sigma2 must be a number or one for each of the {n_features} columns; got shape "
            f"{variance.shape}"
        )
    if not (np.isfinite(variance).all() and (variance >= 0.0).all()):
        raise ValueError(f"sigma2 must be finite and not negative; got {sigma2!r}")
    return np.broadcast_to(variance, (n_features,))
