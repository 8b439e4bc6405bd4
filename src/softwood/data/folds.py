"""Folds that share every class evenly."""

from __future__ import annotations

import numpy as np

from softwood._types import AnyArray


def shuffled_by_class(codes: AnyArray, rng: np.random.Generator) -> AnyArray:
    """Return the rows, class after class, in random order within each."""
    order = rng.permutation(codes.size)
    return np.asarray(order[np.argsort(codes[order], kind="stable")])


def deal_folds(
    codes: AnyArray, n_folds: int, rng: np.random.Generator
) -> list[tuple[AnyArray, AnyArray]]:
    """Return training and test rows of every fold.

    Rows are dealt like cards, class after class: every fold gets its share of each.

    Parameters
    ----------
    codes : ndarray of shape (n_rows,)
        Class codes; all the same for plain folds.
    n_folds : int
        Number of folds.
    rng : Generator
        Shuffles.

    Examples
    --------
    >>> folds = deal_folds(np.array([0, 0, 0, 0, 1, 1]), 2, np.random.default_rng(0))
    >>> [int((test > 3).sum()) for _, test in folds]
    [1, 1]
    """
    fold = np.empty(codes.size, dtype=np.intp)
    fold[shuffled_by_class(codes, rng)] = np.arange(codes.size) % n_folds
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(n_folds)]
