"""Concepts A and B: one boundary across the axes, one along them."""

from __future__ import annotations

from math import isqrt

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.datasets.generators.randomness import (
    RandomState,
    check_count,
    check_share,
    generator_from,
)


def make_concept(
    concept: str = "A",
    n_samples: int = 1024,
    *,
    n_irrelevant: int = 0,
    noise: float = 0.0,
    lattice: bool = False,
    random_state: RandomState = None,
) -> tuple[FloatArray, AnyArray]:
    r"""Two concepts on :math:`[-1, 1]^2`: A, class 1 iff :math:`x_1 > x_2`; B, iff :math:`x_1 > 0`.

    Axis-parallel trees draw B with a single split and can only approximate A by steps.

    Parameters
    ----------
    concept : {"A", "B"}, default="A"
        Which one.
    n_samples : int, default=1024
        Rows in all.
    n_irrelevant : int, default=0
        Features to add that are uniform on [-1, 1] and say nothing.
    noise : float, default=0.0
        Probability with which each label is flipped.
    lattice : bool, default=False
        Whether ``x1`` and ``x2`` are the cell centres of a square grid, as for testing,
        instead of uniform; ``n_samples`` must then be a square, such as 10 000.
    random_state : int, Generator, RandomState or None
        Makes the sample repeatable.

    Returns
    -------
    X : ndarray of shape (n_samples, 2 + n_irrelevant)
    y : ndarray of shape (n_samples,)
        Class, 0 or 1.

    References
    ----------
    .. [1] F. T. Liu, K. M. Ting, Y. Yu, Z.-H. Zhou (2008). Spectrum of variable-random trees.
       JAIR 32.

    Examples
    --------
    >>> X, y = make_concept("B", 16, n_irrelevant=8, lattice=True, random_state=0)
    >>> X.shape, int(y.sum())
    ((16, 10), 8)
    """
    if concept not in ("A", "B"):
        raise ValueError(f"concept must be 'A' or 'B'; got {concept!r}")
    check_count("n_samples", n_samples)
    check_count("n_irrelevant", n_irrelevant, least=0)
    check_share("noise", noise)
    rng = generator_from(random_state)
    plane = _lattice(n_samples) if lattice else rng.uniform(-1, 1, (n_samples, 2))
    X = np.hstack([plane, rng.uniform(-1, 1, (n_samples, n_irrelevant))])
    holds = X[:, 0] > (X[:, 1] if concept == "A" else 0.0)
    flipped = rng.random(n_samples) < noise
    return X, (holds ^ flipped).astype(np.int64)


def _lattice(n_samples: int) -> FloatArray:
    side = isqrt(n_samples)
    if side * side != n_samples:
        raise ValueError(f"a lattice needs a square number of points; got n_samples={n_samples}")
    centres = (2 * np.arange(side) + 1) / side - 1
    return np.stack(np.meshgrid(centres, centres, indexing="ij"), axis=-1).reshape(-1, 2)
