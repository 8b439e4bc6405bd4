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


def plain_folds(n_rows: int, n_folds: int, seed: int) -> list[tuple[AnyArray, AnyArray]]:
    """Return training and test rows of every fold, dealt whatever their classes.

    The folds are those of scikit-learn's ``KFold(n_folds, shuffle=True, random_state=seed)``.

    Examples
    --------
    >>> [test.tolist() for _, test in plain_folds(5, 2, seed=0)]
    [[0, 1, 2], [3, 4]]
    """
    order = np.arange(n_rows)
    np.random.RandomState(seed).shuffle(order)
    is_test = np.zeros(n_rows, dtype=bool)
    folds = []
    for part in np.array_split(order, n_folds):
        is_test[:] = False
        is_test[part] = True
        folds.append((np.flatnonzero(~is_test), np.flatnonzero(is_test)))
    return folds


def plain_holdout(n_rows: int, fraction: float, seed: int) -> tuple[AnyArray, AnyArray]:
    """Return the rows to learn from and those held out, drawn whatever their classes.

    They are those of scikit-learn's ``ShuffleSplit(1, test_size=fraction, random_state=seed)``.

    Raises
    ------
    ValueError
        If there is no row to learn from.

    Examples
    --------
    >>> [part.tolist() for part in plain_holdout(6, 1 / 3, seed=0)]
    [[1, 3, 0, 4], [5, 2]]
    """
    n_held_out = int(np.ceil(fraction * n_rows))
    if n_held_out >= n_rows:
        raise ValueError(
            f"holdout_fraction={fraction:g} of {n_rows} rows leaves no row to learn from: use a "
            "smaller one, or more rows"
        )
    order = np.random.RandomState(seed).permutation(n_rows)
    return order[n_held_out:], order[:n_held_out]
