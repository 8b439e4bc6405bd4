"""Room for labels: moving them apart, as little as can be."""

from __future__ import annotations

import numpy as np

from softwood._types import FloatArray


def spread_out(places: FloatArray, gap: float) -> FloatArray:
    """Return places at least ``gap`` apart, in the same order, close to those given.

    The sum of squared moves is the least possible: with the gaps taken off, it is an
    isotonic regression.
    """
    from scipy.optimize import isotonic_regression

    order = np.argsort(places, kind="stable")
    gaps = gap * np.arange(places.size)
    moved = np.empty(places.size)
    moved[order] = isotonic_regression(places[order] - gaps).x + gaps
    return moved
