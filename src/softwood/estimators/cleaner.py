"""Messy tables made ready, as a step of a pipeline."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from softwood.data.columns.apply import prepared
from softwood.data.columns.describe import TableDescription, describe
from softwood.data.columns.plan import Preparation
from softwood.data.columns.polars import as_polars
from softwood.data.encode import is_frame
from softwood.data.readers.formats import frame_of_table
from softwood.data.table import Table
from softwood.estimators._sklearn_compat import validate_data


class TableCleaner(TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """Read the columns of a table as a person would.

    Numbers with per cent signs, currencies, units or separators of thousands become numbers; dates
    become days, with the parts of the calendar that come back; yes and no in any spelling become
    two categories; columns that tell which row is which, and free text, are left out.

    Parameters
    ----------
    keep : collection of str, default=()
        Columns that are not to be left out.
    nominal : collection of str, default=()
        Columns whose values are categories, whatever they look like.
    drop : collection of str, default=()
        Columns to leave out.
    decimal : {".", ","}, default="."
        What stands before fractions where texts could be read either way.

    Attributes
    ----------
    description_ : TableDescription
        What each column is, and what is done with it; prints as a table.
    preparation_ : Preparation
        The same for machines.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Their names, if they have any.

    See Also
    --------
    softwood.data.describe : What would be done, without doing it.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.pipeline import make_pipeline
    >>> from softwood import C45Classifier, TableCleaner
    >>> frame = pd.DataFrame({"price": ["€ 1.200,50", "€ 3,20", "€ 700,00", "€ 12,00"]})
    >>> model = make_pipeline(TableCleaner(), C45Classifier(min_samples_leaf=1))
    >>> print(model.fit(frame, ["dear", "cheap", "dear", "cheap"])[-1].export_text())
    price <= 12: cheap (2.0)
    price > 12: dear (2.0)
    """

    def __init__(
        self,
        *,
        keep: Collection[str] = (),
        nominal: Collection[str] = (),
        drop: Collection[str] = (),
        decimal: str = ".",
    ) -> None:
        self.keep = keep
        self.nominal = nominal
        self.drop = drop
        self.decimal = decimal

    description_: TableDescription
    preparation_: Preparation

    def fit(self, X: Any, y: Any = None) -> TableCleaner:
        """Find out what the columns are.

        Parameters
        ----------
        X : frame or array-like of shape (n_samples, n_columns)
            The table.
        y : ignored

        Returns
        -------
        self
        """
        table = self._checked(X, reset=True)
        if not isinstance(table, np.ndarray):
            self.description_ = describe(
                table, keep=self.keep, nominal=self.nominal, drop=self.drop, decimal=self.decimal
            )
            self.preparation_ = self.description_.preparation()
            if not self.preparation_.features:
                raise ValueError(f"no column is left to learn from:\n{self.description_}")
        return self

    def transform(self, X: Any) -> Any:
        """Return the features: a frame of pandas for one of pandas, else one of polars.

        An array of numbers is returned as it is.
        """
        check_is_fitted(self, "n_features_in_")
        table = self._checked(X, reset=False)
        if isinstance(table, np.ndarray):
            return table
        features = prepared(self.preparation_, as_polars(table))
        is_pandas = type(X).__module__.partition(".")[0] == "pandas"
        return features.to_pandas() if is_pandas else frame_of_table(features)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the features."""
        check_is_fitted(self, "n_features_in_")
        if hasattr(self, "preparation_"):
            return np.array(self.preparation_.features, dtype=object)
        if input_features is None:
            input_features = [f"x{j}" for j in range(self.n_features_in_)]
        return np.array(input_features, dtype=object)

    def _checked(self, X: Any, reset: bool) -> Any:
        if isinstance(X, Table):
            return X
        if is_frame(X):
            validate_data(self, X, skip_check_array=True, reset=reset)
            return X
        return validate_data(self, X, dtype=None, ensure_all_finite=False, reset=reset)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
