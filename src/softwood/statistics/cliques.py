"""Groups of methods that do not differ: the bars of a critical-difference diagram."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.statistics._checks import check_fraction, finite_array


def cliques(
    ranks: Any,
    critical_difference: float | None = None,
    *,
    pvalues: Any | None = None,
    alpha: float = 0.05,
) -> list[tuple[int, ...]]:
    """Return the largest groups of neighbouring methods of which no two differ.

    Give either a critical difference or p-values of all pairs. With p-values, two
    methods may be alike and yet in no group, if one ranked between them differs from
    either: a bar over the line of ranks cannot leave a method out.

    Parameters
    ----------
    ranks : array-like of shape (n_methods,)
        Mean ranks, in any order.
    critical_difference : float, optional
        Methods differ whose mean ranks do by at least this much.
    pvalues : array-like of shape (n_methods, n_methods), optional
        Adjusted p-values of all pairs, symmetric; methods with at most ``alpha`` differ.
        The diagonal is not looked at.
    alpha : float, default=0.05
        Level for ``pvalues``.

    Returns
    -------
    list of tuple of int
        Groups of two methods or more, none within another, the one with the best method
        first. A group lists the positions of its methods in ``ranks``, best first;
        equal ranks keep the order given.

    See Also
    --------
    nemenyi : Provides a critical difference and p-values of all pairs.

    Examples
    --------
    >>> from softwood.statistics import cliques
    >>> cliques([3.2, 1.3, 2.1, 3.4], critical_difference=1.5)
    [(1, 2), (2, 0, 3)]
    """
    means = finite_array("ranks", ranks)
    if (critical_difference is None) == (pvalues is None):
        raise ValueError("give either critical_difference or pvalues, and not both")
    order = np.argsort(means, kind="stable")
    if pvalues is None:
        alike = _within(means[order], critical_difference)
    else:
        alike = _alike(pvalues, means.size, alpha)[np.ix_(order, order)]
    return [tuple(int(i) for i in order[start:stop]) for start, stop in _bars(alike)]


def _within(means: FloatArray, critical_difference: Any) -> BoolArray:
    if not critical_difference > 0:
        raise ValueError(f"critical_difference must be above 0; got {critical_difference!r}")
    return np.asarray(np.abs(np.subtract.outer(means, means)) < critical_difference)


def _alike(pvalues: Any, n_methods: int, alpha: float) -> BoolArray:
    check_fraction("alpha", alpha)
    p = np.array(pvalues, dtype=np.float64)
    if p.shape != (n_methods, n_methods):
        raise ValueError(
            f"pvalues must have shape {(n_methods, n_methods)}, one row and column for each "
            f"of the ranks; got {p.shape}"
        )
    np.fill_diagonal(p, 1.0)
    finite_array("pvalues", p, n_dimensions=2)
    if not np.allclose(p, p.T):
        raise ValueError("pvalues must be symmetric; got other values below the diagonal")
    return np.asarray(p > alpha)


def _bars(alike: AnyArray) -> list[tuple[int, int]]:
    """Return the maximal runs ``start:stop`` of two or more, all alike with each other."""
    bars: list[tuple[int, int]] = []
    reached = stop = 0
    for start in range(len(alike)):
        stop = max(stop, start + 1)
        # What lies between start and stop is alike already, so only newcomers are checked.
        while stop < len(alike) and alike[start:stop, stop].all():
            stop += 1
        if stop > reached and stop - start > 1:
            bars.append((start, stop))
        reached = stop
    return bars
