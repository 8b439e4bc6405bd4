"""Models of anyone's, softened: what :func:`softwood.soften` returns."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.estimators._base import TreeClassifier, TreeRegressor
from softwood.estimators._calibrated import PredictsIntervals, PredictsSets
from softwood.estimators._inputs import read_classes, read_target
from softwood.estimators._sklearn_compat import (
    ClassifierMixin,
    RegressorMixin,
    check_is_fitted,
    column_or_1d,
)
from softwood.estimators._softened_base import Softened
from softwood.estimators.cart import CARTClassifier, CARTRegressor
from softwood.interop.imported import Imported


class SoftenedClassifier(PredictsSets, ClassifierMixin, Softened):
    """A classifier of trees, fitted and softened, or fitted already and only softened.

    ``fit`` fits the model and softens it; :func:`softwood.soften` makes one of a model that
    is fitted already.

    Parameters
    ----------
    model : estimator, optional
        The model: a tree or an ensemble of trees of softwood, scikit-learn, LightGBM or
        XGBoost. By default a :class:`CARTClassifier` pruned by cross-validation.
    method, smoothing, oblique, n_jobs, verbose, random_state
        See :func:`softwood.soften`.

    Attributes
    ----------
    forest_ : Forest
        The trees, and how their answers are added up.
    flow_ : Flow
        How rows flow through them.
    imported_ : Imported
        The softened model: the forest, its flow, how rows are read and classes chosen.
    smoothing_ : float
        The lambda of "perturb".
    smoothing_path_ : SmoothingPath or None
        The loss for every lambda tried; None if none was.
    ranges_ : ndarray of shape (n_features, 2)
        Least and largest values of the columns, between which ramps are printed; not there
        for "perturb", which has none.
    classes_ : ndarray
        The classes of the model.
    tree_, trees_, schema_, n_features_in_, feature_names_in_
        The tree, if there is one; all trees; the columns.

    Notes
    -----
    A model file keeps what was softened and not ``model``, unless it is one of softwood's
    own: loaded again, ``model`` is None, and predictions are the same.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from softwood import SoftenedClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = RandomForestClassifier(10, random_state=0)
    >>> soft = SoftenedClassifier(forest, smoothing=0.1).fit(X, y)
    >>> soft.forest_
    Forest(n_trees=10, n_features=30, n_outputs=2, link='identity')
    >>> len(set(soft.predict_proba(X)[:, 0])) > len(set(forest.fit(X, y).predict_proba(X)[:, 0]))
    True
    """

    @property
    def classes_(self) -> AnyArray:  # type: ignore[override]
        """The classes of the model."""
        check_is_fitted(self)
        return np.asarray(self.imported_.classes)

    def _default_model(self, **parameters: Any) -> Any:
        return CARTClassifier(**parameters)

    def _target(self, y: Any) -> AnyArray:
        read_classes(self, y)
        return np.asarray(column_or_1d(y))

    def _check_target(self, imported: Imported, rows: FloatArray, y: AnyArray) -> None:
        if imported.classes is None:
            raise TypeError(f"{imported.kind} predicts numbers; use SoftenedRegressor")
        if y.shape != (rows.shape[0],):
            raise ValueError(f"y must have one label per row, {rows.shape[0]}; got {y.shape}")
        unknown = ~np.isin(y, imported.classes)
        if unknown.any():
            label = y[unknown].tolist()[0]
            raise ValueError(f"y has the label {label!r}, which the model never saw")

    def _training_set(
        self, imported: Imported, rows: FloatArray, y: AnyArray, weight: FloatArray
    ) -> TrainingSet:
        classes = np.asarray(imported.classes)
        order = np.argsort(classes)
        codes = order[np.searchsorted(classes, y, sorter=order)]
        return TrainingSet.of_classes(
            rows, codes, n_classes=classes.size, weight=weight, n_categories=imported.n_categories
        )

    predict_proba = TreeClassifier.predict_proba
    predict_log_proba = TreeClassifier.predict_log_proba
    predict_confidence = TreeClassifier.predict_confidence

    def predict(self, X: Any) -> AnyArray:
        """Return the class of each row, chosen among equals as the original does.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows, as the model takes them.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        rows = self._rows(X)
        return self.imported_.label_of(self.forest_.raw(rows, self.flow_))


class SoftenedRegressor(PredictsIntervals, RegressorMixin, Softened):
    """A regressor of trees, fitted and softened, or fitted already and only softened.

    Parameters
    ----------
    model : estimator, optional
        The model; see :class:`SoftenedClassifier`. By default a :class:`CARTRegressor`
        pruned by cross-validation.
    method, smoothing, oblique, n_jobs, verbose, random_state
        See :func:`softwood.soften`.

    Attributes
    ----------
    forest_, flow_, imported_, smoothing_, smoothing_path_, ranges_
        As in :class:`SoftenedClassifier`.
    tree_, trees_, schema_, n_features_in_, feature_names_in_
        As in :class:`SoftenedClassifier`.

    Examples
    --------
    >>> from softwood import CARTRegressor, SoftenedRegressor
    >>> from softwood.datasets import make_friedman1
    >>> X, y = make_friedman1(300, random_state=0)
    >>> X_test, y_test = make_friedman1(2000, random_state=1)
    >>> tree = CARTRegressor(min_samples_split=5)
    >>> for model in tree, SoftenedRegressor(tree, random_state=0):
    ...     print(f"{((model.fit(X, y).predict(X_test) - y_test) ** 2).mean():.1f}")
    10.4
    6.3
    """

    def _default_model(self, **parameters: Any) -> Any:
        return CARTRegressor(**parameters)

    def _target(self, y: Any) -> AnyArray:
        return read_target(self, y)

    def _check_target(self, imported: Imported, rows: FloatArray, y: AnyArray) -> None:
        if imported.classes is not None:
            raise TypeError(f"{imported.kind} predicts classes; use SoftenedClassifier")
        if y.shape != (rows.shape[0],):
            raise ValueError(f"y must have one number per row, {rows.shape[0]}; got {y.shape}")
        read_target(self, y)

    def _training_set(
        self, imported: Imported, rows: FloatArray, y: AnyArray, weight: FloatArray
    ) -> TrainingSet:
        return TrainingSet.of_target(rows, y, weight=weight, n_categories=imported.n_categories)

    predict = TreeRegressor.predict
