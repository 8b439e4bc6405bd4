"""Problems: the data sets of a comparison, checked, with a fingerprint of what they hold."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import AnyArray
from softwood.data.encode import is_frame, table_of, with_nominal
from softwood.data.identifiers import tell_of_identifiers
from softwood.data.table import Table
from softwood.datasets.dataset import Dataset
from softwood.evaluate.encoding import categories_and_gaps

TASKS = ("classification", "regression")


@dataclass(frozen=True, eq=False)
class Problem:
    """A data set of a comparison.

    Attributes
    ----------
    name : str
        How tables call it.
    X : table, frame or array
        The features, as the user gave them.
    y : ndarray
        The target.
    task : {"classification", "regression"}
        What is to be predicted.
    classes : ndarray or None
        The classes, sorted.
    digest : str
        Changes when any value of ``X`` or ``y`` does.
    nominal, gaps : bool
        Whether ``X`` has categories, and whether numbers are missing.
    """

    name: str
    X: Any
    y: AnyArray
    task: str
    classes: AnyArray | None
    digest: str
    nominal: bool
    gaps: bool

    @property
    def size(self) -> int:
        """Number of values: a first guess at what a fit costs."""
        return int(np.prod(self.X.shape))

    def __sizeof__(self) -> int:
        # Dask sends an argument to its workers once if this says that it is large.
        return 8 * self.size + sys.getsizeof(self.y)


def problems_of(datasets: Any, task: str | None = None) -> list[Problem]:
    """Return the data sets a user named or gave.

    Parameters
    ----------
    datasets : mapping or sequence
        Name to ``(X, y)``, :class:`~softwood.datasets.Dataset` or the name of a data set
        that :func:`~softwood.datasets.load_dataset` knows; or a sequence of the last two.
    task : {"classification", "regression"}, optional
        What the methods do. By default the data decide.

    Returns
    -------
    list of Problem

    Examples
    --------
    >>> from softwood.evaluate.problems import problems_of
    >>> [problem] = problems_of(["iris"])
    >>> problem.task, problem.classes.tolist()
    ('classification', ['Iris-setosa', 'Iris-versicolor', 'Iris-virginica'])
    """
    if isinstance(datasets, str | Dataset):
        datasets = [datasets]
    if isinstance(datasets, Mapping):
        items = [(str(name), value) for name, value in datasets.items()]
    elif isinstance(datasets, Iterable):
        items = [_item(value) for value in datasets]
    else:
        raise TypeError(
            "datasets must map names to (X, y), or list names of data sets; "
            f"got {type(datasets).__name__}"
        )
    names = [name for name, _ in items]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice or not names:
        raise ValueError(f"datasets names {twice[0]!r} twice" if twice else "datasets is empty")
    return [_problem(name, value, task) for name, value in items]


def take_rows(X: Any, rows: AnyArray) -> Any:
    """Return some rows of an array, a sparse matrix, a table or a frame."""
    if isinstance(X, Table):
        return X.take(rows)
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    return X[rows]


def _item(value: Any) -> tuple[str, Any]:
    if isinstance(value, str):
        return value, value
    if isinstance(value, Dataset):
        return value.card.name, value
    raise TypeError(
        "a sequence of datasets must hold names or Dataset objects; give the others as a "
        f"mapping, name to (X, y); got {type(value).__name__}"
    )


def _problem(name: str, value: Any, task: str | None) -> Problem:
    if isinstance(value, str):
        from softwood.datasets import load_dataset

        value = load_dataset(value)
    known = None
    if isinstance(value, Dataset):
        known = value.card.task
        X, y = _of_dataset(value)
    else:
        X, y = _of_pair(name, value)
    if X.shape[0] != len(y):
        raise ValueError(f"data set {name!r}: X has {X.shape[0]} rows, y has {len(y)}")
    if len(y) < 2 or X.shape[1] == 0:
        raise ValueError(f"data set {name!r}: X has the shape {X.shape}; that is too little")
    if known is not None and task not in (None, known):
        raise ValueError(f"data set {name!r} is for {known}, but the methods do {task}")
    _tell_of_columns(X)
    y, task = _checked_target(name, y, task or known)
    classes = np.unique(y) if task == "classification" else None
    return Problem(name, X, y, task, classes, _digest(X, y), *categories_and_gaps(X))


def _tell_of_columns(X: Any) -> None:
    """Say now, and not in every cell, what learners will make of dates and identifiers."""
    if is_frame(X):
        tell_of_identifiers(with_nominal(table_of(X), "from_dtype"), None)


def _of_dataset(dataset: Dataset) -> tuple[Any, AnyArray]:
    target = dataset.target
    known = target.values >= 0 if target.is_nominal else ~np.isnan(target.values)
    table = dataset.table.take(known)
    y = table[dataset.target_name].as_objects()
    return table.drop([dataset.target_name]), y.astype(str) if target.is_nominal else y


def _of_pair(name: str, value: Any) -> tuple[Any, AnyArray]:
    try:
        X, y = value
    except (TypeError, ValueError):
        raise TypeError(
            f"data set {name!r} must be (X, y), a Dataset or the name of one; "
            f"got {type(value).__name__}"
        ) from None
    X = X if is_frame(X) or hasattr(X, "tocsr") else np.asarray(X)
    X = X.tocsr() if hasattr(X, "tocsr") else X
    y = np.asarray(y)
    if len(X.shape) != 2 or y.ndim != 1:
        raise ValueError(
            f"data set {name!r}: X must have two dimensions and y one; "
            f"got {len(X.shape)} and {y.ndim}"
        )
    return X, y


def _checked_target(name: str, y: AnyArray, task: str | None) -> tuple[AnyArray, str]:
    from sklearn.utils.multiclass import type_of_target

    if y.dtype.kind == "O" and any(value is None or value != value for value in y):
        raise ValueError(f"data set {name!r}: y has missing values; drop those rows")
    if y.dtype.kind == "O" and all(isinstance(value, str) for value in y):
        y = y.astype(str)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError(f"data set {name!r}: y has missing or infinite values; drop those rows")
    kind = type_of_target(y)
    if task is None:
        task = "regression" if kind == "continuous" else "classification"
    if task == "classification" and kind not in ("binary", "multiclass"):
        raise ValueError(f"data set {name!r}: y is {kind}, but the methods predict classes")
    if task == "classification" and np.unique(y).size < 2:
        raise ValueError(f"data set {name!r}: y has only the class {y[0]!r}")
    if task == "regression" and y.dtype.kind not in "iufb":
        raise ValueError(f"data set {name!r}: y holds {y[0]!r}, but the methods predict numbers")
    return (y.astype(np.float64) if task == "regression" else y), task


def _digest(X: Any, y: AnyArray) -> str:
    state = hashlib.sha256(repr(X.shape).encode())
    for array in (*_arrays(X), y):
        state.update(f"{array.dtype.str}{array.shape}".encode())
        if array.dtype.kind == "O":
            state.update(repr(array.tolist()).encode())
        else:
            state.update(np.ascontiguousarray(array).tobytes())
    return state.hexdigest()[:32]


def _arrays(X: Any) -> Iterable[AnyArray]:
    if hasattr(X, "tocsr"):
        yield from (X.data, X.indices, X.indptr)
    elif is_frame(X):
        for column in table_of(X).columns:
            yield np.array([column.name, *map(repr, column.categories or ())], dtype=object)
            yield column.values
    else:
        yield X
