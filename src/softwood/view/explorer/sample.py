"""Rows that a page brings along: to choose from, and to draw histograms of."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.interop.imported import Imported
from softwood.view.explorer.arrays import Block

MOST_BYTES = 600_000  # of rows, before they are deflated
UNKNOWN = -1  # a class that the model does not know


def chosen_rows(n_rows: int, n_columns: int, most: int, seed: int = 0) -> AnyArray:
    """Return the rows to show, ascending: all, or a random sample of so many as fit.

    Examples
    --------
    >>> chosen_rows(4, 10, most=500).tolist()
    [0, 1, 2, 3]
    >>> chosen_rows(10_000, 10, most=500).size
    500
    """
    most = max(1, min(most, MOST_BYTES // (8 * max(n_columns, 1))))
    if n_rows <= most:
        return np.arange(n_rows)
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(n_rows, most, replace=False))


def sample_of(
    imported: Imported, rows: FloatArray, y: AnyArray | None, most: int, block: Block
) -> dict[str, Any]:
    """Return rows for the page; their numbers are put into ``block``.

    Parameters
    ----------
    imported : Imported
        The model.
    rows : ndarray of shape (n_rows, n_features)
        All rows, as the trees read them.
    y : ndarray or None
        Their classes or numbers.
    most : int
        How many rows to bring along at most.
    block : Block
        Takes the numbers, column by column: so they are deflated best.
    """
    kept = chosen_rows(len(rows), rows.shape[1], most)
    target = None if y is None else block.add(_target(imported, y)[kept], "f8")
    return {
        "nRows": int(kept.size),
        "ofRows": len(rows),
        "numbers": block.add(kept + 1, "i4"),
        "columns": block.add(rows[kept].T, "f8"),
        "target": target,
    }


def _target(imported: Imported, y: AnyArray) -> FloatArray:
    """Return numbers, or the places of classes in the model's list."""
    if imported.classes is None:
        return np.asarray(y, dtype=np.float64)
    place = {value: at for at, value in enumerate(imported.classes.tolist())}
    return np.array([place.get(value, UNKNOWN) for value in np.asarray(y).tolist()], dtype=float)
