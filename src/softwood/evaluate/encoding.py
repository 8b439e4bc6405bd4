"""Tables with categories and gaps, for estimators that take only numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np

from softwood._types import FloatArray
from softwood.data.encode import is_frame, table_of, with_nominal
from softwood.data.schema import Schema
from softwood.data.table import Table
from softwood.data.telling import untold
from softwood.estimators._sklearn_compat import BaseEstimator, check_is_fitted

KINDS = ("onehot", "ordinal")


class TableEncoder(BaseEstimator):
    """Turn a table into numbers without gaps.

    Parameters
    ----------
    nominal : {"onehot", "ordinal"}, default="onehot"
        One column of 0 and 1 for each category seen in training (all 0 for a missing or
        unseen one), or the code of the category (-1).
    impute : bool, default=True
        Whether missing numbers become the median of the training rows.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.evaluate.encoding import TableEncoder
    >>> X = np.array([["red", 1.0], ["blue", None], ["red", 3.0]], dtype=object)
    >>> TableEncoder().fit_transform(X)
    array([[0., 1., 1.],
           [1., 0., 2.],
           [0., 1., 3.]])
    """

    def __init__(self, nominal: str = "onehot", impute: bool = True) -> None:
        self.nominal = nominal
        self.impute = impute

    def fit(self, X: Any, y: Any = None) -> Self:
        """Note the categories, and the medians of the numbers."""
        if self.nominal not in KINDS:
            raise ValueError(f"nominal must be one of {', '.join(KINDS)}; got {self.nominal!r}")
        table = with_nominal(table_of(_plain(X)), "from_dtype")
        self.schema_ = Schema.of(table)
        self.fill_ = np.zeros(table.shape[1])
        for j, column in enumerate(table.columns):
            if not column.is_nominal and not np.isnan(column.values).all():
                self.fill_[j] = np.nanmedian(column.values)
        self.n_features_in_ = table.shape[1]
        return self

    def fit_transform(self, X: Any, y: Any = None) -> FloatArray:
        """Fit, and return the matrix of numbers."""
        return self.fit(X, y).transform(X)

    def transform(self, X: Any) -> FloatArray:
        """Return the matrix of numbers."""
        check_is_fitted(self)
        with untold():  # unseen categories are no news: they are all 0, or -1
            codes = self.schema_.encode(table_of(_plain(X)))
        parts = []
        for j, feature in enumerate(self.schema_.features):
            values = codes[:, j]
            if feature.categories is None:
                gaps = np.isnan(values) if self.impute else np.zeros(len(values), dtype=bool)
                parts.append(np.where(gaps, self.fill_[j], values)[:, None])
            elif self.nominal == "onehot":
                parts.append((values[:, None] == np.arange(len(feature.categories))).astype(float))
            else:
                parts.append(np.where(values >= 0, values, -1.0)[:, None])
        return np.hstack(parts)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def encoded(estimator: Any, nominal: str = "onehot", impute: bool = True) -> Any:
    """Return a pipeline by which an estimator of numbers takes tables of any kind.

    Parameters
    ----------
    estimator : estimator
        Any scikit-learn classifier or regressor.
    nominal : {"onehot", "ordinal"}, default="onehot"
        How categories become numbers.
    impute : bool, default=True
        Whether missing numbers become the median of the training rows.

    Returns
    -------
    sklearn.pipeline.Pipeline

    See Also
    --------
    compare : Encodes by itself for estimators that need it.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from softwood.datasets import load_dataset
    >>> from softwood.evaluate import encoded
    >>> table = load_dataset("tic-tac-toe").table
    >>> X, y = table.drop(["class"]), table["class"].as_objects().astype(str)
    >>> model = encoded(DecisionTreeClassifier(random_state=0)).fit(X, y)
    >>> model.score(X, y)
    1.0
    """
    from sklearn.pipeline import make_pipeline

    return make_pipeline(TableEncoder(nominal, impute), estimator)


def fitting_for(estimator: Any, nominal: bool, gaps: bool) -> Any:
    """Return the estimator, encoded if it cannot take the categories or gaps of the data.

    A pipeline is taken as it is, and so is an estimator that holds one, or that has a
    parameter ``categorical_features``: they have their own way with categories.

    Parameters
    ----------
    estimator : estimator
        Any.
    nominal, gaps : bool
        Whether the data has categories, and whether numbers are missing.
    """
    if not (hasattr(estimator, "get_params") and hasattr(estimator, "__sklearn_tags__")):
        return estimator
    tags = estimator.__sklearn_tags__().input_tags
    parameters = estimator.get_params(deep=True)
    inside = [estimator, *parameters.values()]
    pipelines = [p for p in inside if hasattr(p, "steps") or hasattr(p, "transformers")]
    if "categorical_features" in parameters or tags.categorical or pipelines:
        return estimator
    if nominal or (gaps and not tags.allow_nan):
        return encoded(estimator, impute=not tags.allow_nan)
    return estimator


def categories_and_gaps(X: Any) -> tuple[bool, bool]:
    """Return whether a table or array has categories, and whether numbers are missing."""
    kind = getattr(X, "dtype", np.dtype(float)).kind
    if is_frame(X) or kind in "OUSb":
        columns = table_of(X).columns
        gaps = any(np.isnan(c.values).any() for c in columns if not c.is_nominal)
        return any(column.is_nominal for column in columns), gaps
    values = X.data if hasattr(X, "tocsr") else X
    return False, bool(kind == "f" and np.isnan(values).any())


def rows_for(estimator: Any, X: Any) -> Any:
    """Return the rows of a table as something the estimator can read.

    Only softwood's own classes read a :class:`Table`; others get an array of numbers or,
    where there are categories, a pandas frame.
    """
    if not isinstance(X, Table) or _reads_tables(estimator):
        return X
    X = Table(tuple(replace(column, is_date=False) for column in X.columns))  # others need numbers
    if any(column.is_nominal for column in X.columns):
        return X.to_pandas()
    return np.column_stack([column.values for column in X.columns])


def _reads_tables(estimator: Any) -> bool:
    first = estimator.steps[0][1] if hasattr(estimator, "steps") else estimator
    return type(first).__module__.split(".")[0] == "softwood"


def _plain(X: Any) -> Any:
    return X if is_frame(X) else np.asarray(X)
