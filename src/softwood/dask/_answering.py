"""What distributed ensembles answer: lazily about Dask collections, at once about tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood.dask._base import Distributed
from softwood.dask.partitions import is_collection
from softwood.estimators._sklearn_compat import check_is_fitted


class LazyClassifier(Distributed):
    """Predicts classes of Dask collections."""

    def predict_proba(self, X: Any) -> Any:
        """Return class probabilities.

        Parameters
        ----------
        X : Dask array or dataframe, or a table in memory
            Rows.

        Returns
        -------
        Dask array of shape (n_samples, n_classes), not computed yet
            An ndarray for a table in memory. Columns in the order of ``classes_``.
        """
        return self._answer("predict_proba", X, is_wide=True)

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithms of the class probabilities; as :meth:`predict_proba`."""
        return self._answer("predict_log_proba", X, is_wide=True)

    def predict_confidence(self, X: Any) -> Any:
        """Return the probability of each predicted class; as :meth:`predict`."""
        return self._answer("predict_confidence", X)

    def predict(self, X: Any) -> Any:
        """Return the most probable class of each row; of tied ones the first.

        Parameters
        ----------
        X : Dask array or dataframe, or a table in memory
            Rows.

        Returns
        -------
        Dask array of shape (n_samples,), not computed yet
            An ndarray for a table in memory.
        """
        return self._answer("predict", X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of right classes; of collections only classes are brought here."""
        from sklearn.metrics import accuracy_score

        y, predicted, weight = _brought(y, self.predict(X), sample_weight)
        return float(accuracy_score(y, predicted, sample_weight=weight))

    def _answer(self, method: str, X: Any, is_wide: bool = False) -> Any:
        check_is_fitted(self)
        if not is_collection(X):
            return getattr(super(), method)(X)
        dtype = self.classes_.dtype if method == "predict" else np.dtype(np.float64)
        return self._ask_later(
            method, X, np.empty((0, self.classes_.size) if is_wide else 0, dtype)
        )


class LazyRegressor(Distributed):
    """Predicts numbers for Dask collections."""

    def predict(self, X: Any) -> Any:
        """Return the predicted number of each row.

        Parameters
        ----------
        X : Dask array or dataframe, or a table in memory
            Rows.

        Returns
        -------
        Dask array of shape (n_samples,), not computed yet
            An ndarray for a table in memory.
        """
        check_is_fitted(self)
        return (
            self._ask_later("predict", X, np.empty(0)) if is_collection(X) else super().predict(X)
        )

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R²; of collections only the numbers are brought here."""
        from sklearn.metrics import r2_score

        y, predicted, weight = _brought(y, self.predict(X), sample_weight)
        return float(r2_score(y, predicted, sample_weight=weight))


def _brought(*columns: Any) -> tuple[Any, ...]:
    """Return the columns in memory, all from one look at the rows."""
    if not any(is_collection(column) for column in columns):
        return columns
    from dask import compute

    return tuple(compute(*columns))
