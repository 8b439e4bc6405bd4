"""Dask collections as lists of partitions: what a row needs stands side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood.errors import missing_extra

Part = tuple[Any, Any, Any]  # X, y and the weights of the same rows; not computed yet


def need_dask() -> None:
    """Complain if Dask is not installed."""
    try:
        import dask.array  # noqa: F401
    except ImportError:
        raise missing_extra("dask", "dask") from None


def is_collection(X: Any) -> bool:
    """Whether ``X`` is a Dask collection; Dask need not be there to know."""
    return hasattr(type(X), "__dask_graph__")


def is_array(X: Any) -> bool:
    """Whether a collection is an array, and not a frame or a series."""
    from dask.array import Array

    return isinstance(X, Array)


def partitions_of(X: Any, y: Any, sample_weight: Any = None) -> list[Part]:
    """Return the partitions of a training table.

    Parameters
    ----------
    X : Dask array or dataframe
        Not cut along its columns.
    y : Dask array or series
        Partitioned like X; an array whose length is known is rechunked if need be.
    sample_weight : Dask array or series, optional
        As y.

    Returns
    -------
    list of (Delayed, Delayed, Delayed or None)
        That their lengths agree is known only when they are computed.
    """
    check_table("X", X)
    columns = [_delayed_rows(X)]
    for name, column in (("y", y), ("sample_weight", sample_weight)):
        if column is None and name == "sample_weight":
            columns.append([None] * len(columns[0]))
        else:
            _check_column(name, column)
            columns.append(_delayed_rows(_aligned(name, column, X)))
    return list(zip(*columns, strict=True))


def check_table(name: str, X: Any) -> None:
    """Complain unless ``X`` is a table whose rows are whole."""
    if not is_collection(X) or not (is_array(X) or hasattr(X, "columns")):
        raise TypeError(
            f"{name} must be a Dask array or dataframe; got {type(X).__name__}. "
            "For a table in memory use the estimator of the same name in softwood"
        )
    if X.ndim != 2:
        raise ValueError(f"{name} must be 2-D, rows by features; got {X.ndim} dimension(s)")
    if is_array(X) and len(X.chunks[1]) > 1:
        raise ValueError(
            f"{name} is cut along its columns, into {len(X.chunks[1])} chunks, and a tree needs "
            f"whole rows: use {name}.rechunk({{1: -1}})"
        )


def _check_column(name: str, column: Any) -> None:
    if not is_collection(column) or not hasattr(column, "ndim"):
        raise TypeError(
            f"{name} must be a Dask array or series, partitioned like X; "
            f"got {type(column).__name__}"
        )
    if column.ndim != 1:
        raise ValueError(f"{name} must be 1-D; got {column.ndim} dimension(s)")


def _aligned(name: str, column: Any, X: Any) -> Any:
    """Return the column with the partitions of X, as far as can be told without computing."""
    if is_array(X) and is_array(column):
        n_rows, n_here = X.shape[0], column.shape[0]
        known = not (np.isnan(n_rows) or np.isnan(n_here))
        if known and n_rows != n_here:
            raise ValueError(f"{name} must have as many rows as X, {n_rows}; got {n_here}")
        if known and X.chunks[0] != column.chunks[0]:
            return column.rechunk((X.chunks[0],))
    if X.npartitions != column.npartitions:
        raise ValueError(
            f"{name} must be partitioned like X, into {X.npartitions}; it has "
            f"{column.npartitions} partition(s)"
        )
    return column


def _delayed_rows(collection: Any) -> list[Any]:
    return list(np.ravel(collection.to_delayed()))
