"""How badly an answer fits a row: what is compared between rows of calibration and new ones."""

from __future__ import annotations

import numpy as np

from softwood._types import FloatArray


def class_scores(share: FloatArray, blurred: FloatArray | None = None) -> FloatArray:
    r"""Return how badly each class fits each row: 1 minus its probability.

    Of all scores this one gives the smallest sets on average, if the probabilities are right
    [1]_. A crisp tree gives all rows of a leaf the same ones, so that no threshold divides
    them; then what it answers for blurred rows counts for half, and rows near a cut fit worse.

    Parameters
    ----------
    share : ndarray of shape (n_rows, n_classes)
        Probabilities.
    blurred : ndarray of shape (n_rows, n_classes), optional
        Those of the same rows with noise on them.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)

    References
    ----------
    .. [1] M. Sadinle, J. Lei, L. Wasserman (2019). Least ambiguous set-valued classifiers with
       bounded error levels. Journal of the American Statistical Association 114.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.conformal import class_scores
    >>> class_scores(np.array([[0.75, 0.25]])).tolist()
    [[0.25, 0.75]]
    >>> class_scores(np.array([[1.0, 0.0]]), np.array([[0.5, 0.5]])).tolist()
    [[0.25, 0.75]]
    """
    return 1.0 - (share if blurred is None else 0.5 * (share + blurred))


def relative_spread(spread: FloatArray, average: float) -> FloatArray:
    """Return how much wider than on average the interval of each row is to be.

    Parameters
    ----------
    spread : ndarray of shape (n_rows,)
        How far apart the trees' answers are.
    average : float
        The same on average over the rows of calibration. If it is 0, rows are all alike.

    Returns
    -------
    ndarray of shape (n_rows,)
        At least a half: where the trees happen to agree, they can still be wrong.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.conformal import relative_spread
    >>> relative_spread(np.array([0.0, 2.0, 6.0]), 2.0).tolist()
    [0.5, 1.0, 2.0]
    """
    if average == 0.0:
        return np.ones_like(spread)
    return np.asarray(0.5 * (1.0 + spread / average))
