"""Random samples from clouds of points: two classes, known boundaries."""

from __future__ import annotations

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.datasets.generators.randomness import (
    RandomState,
    check_count,
    check_scale,
    generator_from,
)


def make_separable(
    n_samples: int = 40, *, margin: float = 0.075, random_state: RandomState = None
) -> tuple[FloatArray, AnyArray]:
    r"""Two classes on either side of the diagonal of the unit square.

    Points are uniform on the part of :math:`[0, 1]^2` farther than ``margin`` from the line
    :math:`x_2 = x_1`; class 1 lies above it. Half of the rows belong to each class.

    Parameters
    ----------
    n_samples : int, default=40
        Rows in all.
    margin : float, default=0.075
        Distance from the diagonal that is kept free, below 0.7.
    random_state : int, Generator, RandomState or None
        Makes the sample repeatable.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,)
        Class, 0 or 1.

    Examples
    --------
    >>> X, y = make_separable(6, random_state=0)
    >>> bool(((X[:, 1] > X[:, 0]) == (y == 1)).all())
    True
    """
    check_count("n_samples", n_samples)
    if not 0 <= margin < 0.7:
        raise ValueError(f"margin must be in [0, 0.7), to leave room for points; got {margin!r}")
    rng = generator_from(random_state)
    y = _balanced_labels(n_samples, rng)
    # Uniform on the triangle x2 - x1 >= sqrt(2) * margin: a unit triangle, shrunk and moved.
    gap = np.sqrt(2) * margin
    below, above = np.sort(rng.random((n_samples, 2)), axis=1).T * (1 - gap) + [[0.0], [gap]]
    X = np.column_stack([below, above])
    X[y == 0] = X[y == 0, ::-1]
    return X, y


def make_gaussians(
    n_samples: int = 90, *, n_features: int = 2, random_state: RandomState = None
) -> tuple[FloatArray, AnyArray]:
    r"""Two spherical normal clouds whose means are at distance 1.

    Class 0 is :math:`N(0, I)`, class 1 :math:`N(\mu, I)` with
    :math:`\mu = (1, \dots, 1) / \sqrt p`. Whatever the number of features, no classifier errs
    on less than :math:`\Phi(-1/2)`, 30.85 % of the cases. Half of the rows belong to each class.

    Parameters
    ----------
    n_samples : int, default=90
        Rows in all.
    n_features : int, default=2
        Dimension; 2 and 10 are the usual ones.
    random_state : int, Generator, RandomState or None
        Makes the sample repeatable.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
        Class, 0 or 1.

    Examples
    --------
    >>> X, y = make_gaussians(90, n_features=10, random_state=0)
    >>> X.shape, int(y.sum())
    ((90, 10), 45)
    """
    check_count("n_samples", n_samples)
    check_count("n_features", n_features)
    rng = generator_from(random_state)
    y = _balanced_labels(n_samples, rng)
    X = rng.standard_normal((n_samples, n_features)) + y[:, None] / np.sqrt(n_features)
    return X, y


def make_twonorm(
    n_samples: int = 300, *, random_state: RandomState = None
) -> tuple[FloatArray, AnyArray]:
    r"""Breiman's two-norm: two normal clouds in 20 dimensions, Bayes error 2.3 %.

    Class 0 is :math:`N((a, \dots, a), I)` and class 1 :math:`N((-a, \dots, -a), I)` with
    :math:`a = 2 / \sqrt{20}`, equally likely.

    Parameters
    ----------
    n_samples : int, default=300
        Rows in all.
    random_state : int, Generator, RandomState or None
        Makes the sample repeatable.

    Returns
    -------
    X : ndarray of shape (n_samples, 20)
    y : ndarray of shape (n_samples,)
        Class, 0 or 1.

    Examples
    --------
    The best rule is the sign of the sum:

    >>> X, y = make_twonorm(100_000, random_state=0)
    >>> error = ((X.sum(axis=1) < 0) != (y == 1)).mean()
    >>> bool(abs(error - 0.0228) < 0.002)
    True
    """
    check_count("n_samples", n_samples)
    rng = generator_from(random_state)
    y = rng.integers(0, 2, n_samples)
    centre = np.where(y == 0, 1.0, -1.0) * 2 / np.sqrt(20)
    return rng.standard_normal((n_samples, 20)) + centre[:, None], y


def make_mixture(
    n_samples: int = 200,
    *,
    n_centres: int = 10,
    spread: float = 0.2,
    random_state: RandomState = None,
) -> tuple[FloatArray, AnyArray]:
    r"""Two classes in the plane, each a mixture of small normal clouds.

    The simulation of *The Elements of Statistical Learning*, section 2.3.3: ten centres of
    class 0 are drawn from :math:`N((1, 0), I)` and ten of class 1 from :math:`N((0, 1), I)`;
    a point is a random centre of its class plus :math:`N(0, I / 5)`. Half of the rows belong
    to each class.

    Parameters
    ----------
    n_samples : int, default=200
        Rows in all.
    n_centres : int, default=10
        Clouds per class.
    spread : float, default=0.2
        Variance of a cloud along each axis.
    random_state : int, Generator, RandomState or None
        Makes the sample repeatable. The centres are drawn first: equal seeds give equal
        centres for every ``n_samples``.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,)
        Class, 0 or 1.

    Examples
    --------
    >>> X, y = make_mixture(200, random_state=0)
    >>> X.shape, int(y.sum())
    ((200, 2), 100)
    """
    check_count("n_samples", n_samples)
    check_count("n_centres", n_centres)
    check_scale("spread", spread)
    rng = generator_from(random_state)
    means = np.array([[1.0, 0.0], [0.0, 1.0]])
    centres = means[:, None, :] + rng.standard_normal((2, n_centres, 2))
    y = _balanced_labels(n_samples, rng)
    chosen = centres[y, rng.integers(0, n_centres, n_samples)]
    return chosen + np.sqrt(spread) * rng.standard_normal((n_samples, 2)), y


def _balanced_labels(n_samples: int, rng: np.random.Generator) -> AnyArray:
    """Return zeros and ones, equally many (one more zero if odd), in random order."""
    return rng.permutation(np.arange(n_samples) % 2)
