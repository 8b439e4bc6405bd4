"""Random samples from the textbook problems: waveforms, digits, smooth surfaces."""

from __future__ import annotations

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.datasets.generators.randomness import (
    RandomState,
    check_count,
    check_scale,
    check_share,
    generator_from,
)

# Which of the seven segments light up for 0 to 9: top, upper left, upper right, middle,
# lower left, lower right, bottom.
_SEGMENTS = "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011"
_N_IRRELEVANT_BITS = 17
_N_NOISE_WAVES = 19


def make_friedman1(
    n_samples: int = 300,
    *,
    n_features: int = 10,
    noise: float = 1.0,
    random_state: RandomState = None,
) -> tuple[FloatArray, FloatArray]:
    r"""Friedman's first regression problem; only five of the features matter.

    :math:`x` is uniform on the unit cube and
    :math:`y = 10 \sin(\pi x_1 x_2) + 20 (x_3 - 1/2)^2 + 10 x_4 + 5 x_5 + N(0, \sigma^2)`.

    Parameters
    ----------
    n_samples : int, default=300
        Rows in all.
    n_features : int, default=10
        At least 5; those after the fifth are irrelevant.
    noise : float, default=1.0
        Standard deviation :math:`\sigma`.
    random_state : int, Generator, RandomState or None
        Makes the sample repeatable.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)

    Examples
    --------
    >>> X, y = make_friedman1(100_000, random_state=0)
    >>> bool(abs(y.mean() - 14.4) < 0.1)
    True
    """
    check_count("n_samples", n_samples)
    check_count("n_features", n_features, least=5)
    check_scale("noise", noise)
    rng = generator_from(random_state)
    X = rng.random((n_samples, n_features))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    y += 10 * X[:, 3] + 5 * X[:, 4] + noise * rng.standard_normal(n_samples)
    return X, y


def make_waveform(
    n_samples: int = 300, *, noise: bool = False, random_state: RandomState = None
) -> tuple[FloatArray, AnyArray]:
    r"""Breiman's waveforms: random mixtures of two of three triangles, Bayes error 14 %.

    With :math:`h_1(i) = \max(6 - |i - 11|, 0)`, :math:`h_2(i) = h_1(i - 4)` and
    :math:`h_3(i) = h_1(i + 4)`, a row of class 0, 1 or 2 mixes :math:`(h_1, h_2)`,
    :math:`(h_1, h_3)` or :math:`(h_2, h_3)`:
    :math:`x_i = u h_a(i) + (1 - u) h_b(i) + N(0, 1)` for :math:`i = 1, \dots, 21`, with one
    uniform :math:`u` per row. The classes are equally likely.

    Parameters
    ----------
    n_samples : int, default=300
        Rows in all.
    noise : bool, default=False
        Whether to add 19 features of pure N(0, 1) noise, 40 in all.
    random_state : int, Generator, RandomState or None
        Makes the sample repeatable.

    Returns
    -------
    X : ndarray of shape (n_samples, 21) or (n_samples, 40)
    y : ndarray of shape (n_samples,)
        Class, 0, 1 or 2.

    Examples
    --------
    >>> X, y = make_waveform(5, noise=True, random_state=0)
    >>> X.shape
    (5, 40)
    """
    check_count("n_samples", n_samples)
    rng = generator_from(random_state)
    i = np.arange(1, 22)
    triangles = np.array([np.maximum(6 - abs(i - centre), 0) for centre in (11, 15, 7)])
    pairs = np.array([(0, 1), (0, 2), (1, 2)])
    y = rng.integers(0, 3, n_samples)
    u = rng.random((n_samples, 1))
    first, second = triangles[pairs[y, 0]], triangles[pairs[y, 1]]
    X = u * first + (1 - u) * second + rng.standard_normal((n_samples, 21))
    if noise:
        X = np.hstack([X, rng.standard_normal((n_samples, _N_NOISE_WAVES))])
    return X, y


def make_led(
    n_samples: int = 3200,
    *,
    irrelevant: bool = False,
    noise: float = 0.1,
    random_state: RandomState = None,
) -> tuple[AnyArray, AnyArray]:
    """Digits on a faulty seven-segment display, Bayes error 26 %.

    The digits 0 to 9 are equally likely; every segment is inverted with probability ``noise``.

    Parameters
    ----------
    n_samples : int, default=3200
        Rows in all.
    irrelevant : bool, default=False
        Whether to add 17 random bits, 24 features in all.
    noise : float, default=0.1
        Probability that a segment is wrong.
    random_state : int, Generator, RandomState or None
        Makes the sample repeatable.

    Returns
    -------
    X : ndarray of shape (n_samples, 7) or (n_samples, 24)
        Zeros and ones.
    y : ndarray of shape (n_samples,)
        The digit.

    Examples
    --------
    >>> X, y = make_led(1000, noise=0.0, random_state=0)
    >>> X[y == 4][0]
    array([0, 1, 1, 1, 0, 1, 0])
    """
    check_count("n_samples", n_samples)
    check_share("noise", noise)
    rng = generator_from(random_state)
    shapes = np.array([[int(bit) for bit in digit] for digit in _SEGMENTS.split()])
    y = rng.integers(0, 10, n_samples)
    X = shapes[y] ^ (rng.random((n_samples, 7)) < noise)
    if irrelevant:
        X = np.hstack([X, rng.integers(0, 2, (n_samples, _N_IRRELEVANT_BITS))])
    return X, y


def make_hwang(
    function: str = "f5",
    n_samples: int = 2000,
    *,
    noise: float = 0.25,
    random_state: RandomState = None,
) -> tuple[FloatArray, FloatArray]:
    """Five smooth surfaces over the unit square, scaled to a standard deviation near 1.

    Parameters
    ----------
    function : {"f1", "f2", "f3", "f4", "f5"}, default="f5"
        Simple interaction, radial, harmonic, additive, or complicated interaction.
    n_samples : int, default=2000
        Rows in all.
    noise : float, default=0.25
        Standard deviation of the normal noise on ``y``; 0 for none.
    random_state : int, Generator, RandomState or None
        Makes the sample repeatable.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
        Uniform on the unit square.
    y : ndarray of shape (n_samples,)

    References
    ----------
    .. [1] J.-N. Hwang, S.-R. Lay, M. Maechler, R. D. Martin, J. Schimert (1994). Regression
       modeling in back-propagation and projection pursuit learning. IEEE Transactions on
       Neural Networks 5.

    Examples
    --------
    >>> X, y = make_hwang("f5", 50_000, noise=0.0, random_state=0)
    >>> bool(abs(y.std() - 1) < 0.02)
    True
    """
    if function not in _SURFACES:
        raise ValueError(f"function must be one of {sorted(_SURFACES)}; got {function!r}")
    check_count("n_samples", n_samples)
    check_scale("noise", noise)
    rng = generator_from(random_state)
    X = rng.random((n_samples, 2))
    return X, _SURFACES[function](X[:, 0], X[:, 1]) + noise * rng.standard_normal(n_samples)


def _interaction(x1: FloatArray, x2: FloatArray) -> FloatArray:
    return 10.391 * ((x1 - 0.4) * (x2 - 0.6) + 0.36)


def _radial(x1: FloatArray, x2: FloatArray) -> FloatArray:
    squared = (x1 - 0.5) ** 2 + (x2 - 0.5) ** 2
    return 24.234 * squared * (0.75 - squared)


def _harmonic(x1: FloatArray, x2: FloatArray) -> FloatArray:
    u, v = x1 - 0.5, x2 - 0.5
    return 42.659 * (0.1 + u * (0.05 + u**4 - 10 * u**2 * v**2 + 5 * v**4))


def _additive(x1: FloatArray, x2: FloatArray) -> FloatArray:
    first = 1.5 * (1 - x1) + np.exp(2 * x1 - 1) * np.sin(3 * np.pi * (x1 - 0.6) ** 2)
    second = np.exp(3 * (x2 - 0.5)) * np.sin(4 * np.pi * (x2 - 0.9) ** 2)
    return np.asarray(1.3356 * (first + second))


def _complicated(x1: FloatArray, x2: FloatArray) -> FloatArray:
    waves = np.exp(x1) * np.sin(13 * (x1 - 0.6) ** 2) * np.exp(-x2) * np.sin(7 * x2)
    return np.asarray(1.9 * (1.35 + waves))


_SURFACES = {
    "f1": _interaction,
    "f2": _radial,
    "f3": _harmonic,
    "f4": _additive,
    "f5": _complicated,
}
