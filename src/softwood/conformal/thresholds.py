"""The score up to which answers are believed, from the scores of rows whose answer is known."""

from __future__ import annotations

import numpy as np

from softwood._types import FloatArray

ROUNDING = 1e-9  # of a share of the weight: (n + 1)(1 - alpha) is often a whole number, but for it


def threshold(scores: FloatArray, weight: FloatArray, alpha: float) -> float:
    r"""Return the score that a new row exceeds with a probability of at most ``alpha``.

    Without weights it is the :math:`\lceil (n + 1)(1 - \alpha) \rceil`-th smallest of the n
    scores: a new row is as likely as any other to be the worst, the second worst, and so on
    [1]_. With weights, the smallest score up to which there is this share of the weight, that
    of the new row included, which weighs 1.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        Scores.
    weight : ndarray of shape (n,)
        Their weights, in rows.
    alpha : float
        Between 0 and 1.

    Returns
    -------
    float
        Infinite if there are too few scores to tell.

    References
    ----------
    .. [1] V. Vovk, A. Gammerman, G. Shafer (2005). Algorithmic learning in a random world.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.conformal import threshold
    >>> threshold(np.arange(9.0), np.ones(9), 0.2), threshold(np.arange(9.0), np.ones(9), 0.05)
    (7.0, inf)
    """
    order = np.argsort(scores, kind="stable")
    up_to = np.cumsum(weight[order])
    total = up_to[-1] + 1.0 if up_to.size else 1.0
    place = int(np.searchsorted(up_to, total * (1.0 - alpha) - ROUNDING * total))
    return float(scores[order[place]]) if place < up_to.size else np.inf


def condensed(scores: FloatArray, weight: FloatArray, most: int) -> tuple[FloatArray, FloatArray]:
    """Return fewer scores that lead to the same thresholds, or hardly larger ones.

    Equal scores become one. If there are still more than ``most``, neighbours of about the same
    weight do, and count as the largest of them: so no threshold gets smaller.

    Parameters
    ----------
    scores, weight : ndarray of shape (n,)
        Scores and their weights.
    most : int
        How many to return at most.

    Returns
    -------
    scores : ndarray
        Ascending.
    weight : ndarray
        Their weights; the sum is the same.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.conformal import condensed
    >>> [part.tolist() for part in condensed(np.array([3.0, 1.0, 1.0, 2.0]), np.ones(4), 2)]
    [[1.0, 3.0], [2.0, 2.0]]
    """
    distinct, group = np.unique(scores, return_inverse=True)
    total: FloatArray = np.bincount(group, weight, distinct.size).astype(np.float64)
    if distinct.size <= most:
        return distinct, total
    share = np.cumsum(total) / total.sum()
    step = np.ceil(share * most - ROUNDING).clip(1, most)
    last = np.flatnonzero(np.append(step[1:] != step[:-1], True))
    return distinct[last], np.add.reduceat(total, np.append(0, last[:-1] + 1))
