"""Lazy predictions: a collection of rows becomes a Dask array of answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import AnyArray
from softwood.dask.partitions import check_table, is_array


def ask_later(model: Any, method: str, X: Any, template: AnyArray) -> Any:
    """Return what a model answers, as a Dask array with the partitions of ``X``.

    Parameters
    ----------
    model : estimator
        Fitted; it goes to the workers.
    method : str
        Name of the method that is called for each partition.
    X : Dask array or dataframe
        Rows.
    template : ndarray without rows
        Has the type and the columns of the answers.

    Returns
    -------
    Dask array
    """
    from dask import delayed

    check_table("X", X)
    _check_columns(model, X)
    sent = delayed(model, traverse=False)
    if not is_array(X):
        return X.map_partitions(ask, sent, method, template, meta=template)
    shape: dict[str, Any] = {"drop_axis": 1}
    if template.ndim == 2:
        shape = {"chunks": (X.chunks[0], (template.shape[1],))}
    return X.map_blocks(ask, sent, method, template, dtype=template.dtype, meta=template, **shape)


def ask(rows: Any, model: Any, method: str, template: AnyArray) -> AnyArray:
    """Return what a model answers for one partition, which may be empty."""
    return np.asarray(getattr(model, method)(rows)) if len(rows) else template


def _check_columns(model: Any, X: Any) -> None:
    """Complain now about columns that would make every partition fail later."""
    wanted = getattr(model, "feature_names_in_", None)
    if wanted is not None and not is_array(X) and list(X.columns) != list(wanted):
        raise ValueError(
            f"the columns must be those of training, {list(wanted)}; got {list(X.columns)}"
        )
    n_columns = X.shape[1] if is_array(X) else len(X.columns)
    if n_columns != model.n_features_in_:
        raise ValueError(
            f"X has {n_columns} features, but the model was fitted with {model.n_features_in_}"
        )
