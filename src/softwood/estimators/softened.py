"""Models of anyone's, softened: what :func:`softwood.soften` returns."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.schema import Schema
from softwood.data.training import TrainingSet
from softwood.estimators._base import TreeEstimator, all_or_nothing
from softwood.estimators._sklearn_compat import (
    BaseEstimator,
    ClassifierMixin,
    HasMethods,
    Interval,
    RegressorMixin,
    StrOptions,
    check_is_fitted,
    fit_context,
)
from softwood.estimators._softening import METHODS
from softwood.estimators.soft import SOFTENING, chosen_smoothing, softening_of
from softwood.flow import Flow
from softwood.forest import Forest
from softwood.interop.imported import Imported, import_model
from softwood.refine.smoothing import SmoothingPath


class _Softened(BaseEstimator):
    """What softened classifiers and regressors share.

    ``fit`` fits the model anew, and then softens it; :func:`softwood.soften` leaves the
    first step out.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SOFTENING,
        "model": [HasMethods("predict"), None],
        "method": [StrOptions(set(METHODS))],
        "smoothing": [
            StrOptions({"auto", "cv", "oob", "holdout"}),
            Interval(Real, 0.0, None, closed="left"),
        ],
        "random_state": ["random_state"],
    }
    # What a single tree can be asked is answered as by our own trees.
    apply, decision_path = TreeEstimator.apply, TreeEstimator.decision_path
    explain, export_text, get_rules = (
        TreeEstimator.explain,
        TreeEstimator.export_text,
        TreeEstimator.get_rules,
    )
    get_depth, get_n_leaves = TreeEstimator.get_depth, TreeEstimator.get_n_leaves
    flow = TreeEstimator.flow

    forest_: Forest
    flow_: Flow
    imported_: Imported
    smoothing_path_: SmoothingPath | None

    def __init__(
        self,
        model: Any = None,
        method: str = "perturb",
        *,
        smoothing: Any = "auto",
        noise: str = "exact",
        loss: str | None = None,
        scale: Any = None,
        shape: str = "logistic",
        n_epochs: int | None = None,
        learning_rate: float = 0.03,
        width_penalty: float = 0.0,
        early_stopping: float | None = None,
        teacher: int = 50,
        schedule: str = "fast",
        n_candidates: int = 1,
        rule: str = "c50",
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.model = model
        self.method = method
        self.smoothing = smoothing
        self.noise = noise
        self.loss = loss
        self.scale = scale
        self.shape = shape
        self.n_epochs = n_epochs
        self.learning_rate = learning_rate
        self.width_penalty = width_penalty
        self.early_stopping = early_stopping
        self.teacher = teacher
        self.schedule = schedule
        self.n_candidates = n_candidates
        self.rule = rule
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=False)  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any) -> Self:
        """Fit the model, and soften it.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            The target.
        """
        from sklearn.base import clone

        return self._soften(clone(self.model).fit(X, y), X, y)

    def _soften(self, fitted: Any, X: Any, y: Any) -> Self:
        from softwood.estimators._ensemble_softening import soften_imported

        with all_or_nothing(self):
            imported = import_model(fitted)
            data = self._training_set(imported, X, y)
            softening = softening_of(self)
            forest, flow, path = soften_imported(softening, imported, data, fitted, X, y)
            self.imported_, self.forest_, self.flow_ = imported, forest, flow
            self.smoothing_path_ = path
            if self.method == "perturb":
                self.smoothing_ = chosen_smoothing(path, self.smoothing)
            self.n_features_in_ = imported.n_features
            if hasattr(fitted, "feature_names_in_"):
                self.feature_names_in_ = fitted.feature_names_in_
        return self

    def _training_set(self, imported: Imported, X: Any, y: Any) -> TrainingSet:
        raise NotImplementedError

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "forest_")

    # -- the one tree, if it is one ----------------------------------------------

    @property
    def tree_(self) -> Any:
        """The tree, if the model is a single one."""
        if not self.__sklearn_is_fitted__() or not self.imported_.is_single_tree:
            raise AttributeError("tree_ is there only if a single tree was softened; see trees_")
        return self.forest_.trees[0]

    @property
    def trees_(self) -> list[Any]:
        """All trees."""
        check_is_fitted(self)
        return list(self.forest_.trees)

    @property
    def schema_(self) -> Schema:
        """Names and categories of the columns."""
        check_is_fitted(self)
        return self.imported_.schema

    def _rows(self, X: Any) -> FloatArray:
        check_is_fitted(self)
        return self.imported_.encode(X)

    def _responses(self) -> FloatArray:
        response: FloatArray = self.tree_.response
        return response

    def harden(self) -> Any:
        """Return the crisp model with the same tests; see :func:`softwood.harden`."""
        from softwood.estimators.soften import harden

        return harden(self)


class SoftenedClassifier(ClassifierMixin, _Softened):
    """A classifier of trees, softened; :func:`softwood.soften` makes it.

    Parameters
    ----------
    model : estimator
        The model: a tree or an ensemble of trees of softwood, scikit-learn, LightGBM or
        XGBoost.
    method, smoothing, noise, loss, scale, shape, n_epochs, learning_rate
        See :func:`softwood.soften`.
    width_penalty, early_stopping, teacher, schedule, n_candidates, rule
        See :func:`softwood.soften`.
    n_jobs, verbose, random_state
        See :func:`softwood.soften`.

    Attributes
    ----------
    forest_ : Forest
        The trees, and how their answers are added up.
    flow_ : Flow
        How rows flow through them.
    smoothing_, smoothing_path_
        The lambda of "perturb", and the loss for every lambda tried.
    classes_ : ndarray
        The classes of the model.
    tree_, trees_, schema_, n_features_in_
        The tree, if there is one; all trees; the columns.
    """

    @property
    def classes_(self) -> AnyArray:
        """The classes of the model."""
        check_is_fitted(self)
        return np.asarray(self.imported_.classes)

    def _training_set(self, imported: Imported, X: Any, y: Any) -> TrainingSet:
        if imported.classes is None:
            raise TypeError(f"{imported.kind} predicts numbers; use SoftenedRegressor")
        rows, labels = imported.encode(X), np.asarray(y)
        if labels.shape != (rows.shape[0],):
            raise ValueError(f"y must have one label per row, {rows.shape[0]}; got {labels.shape}")
        unknown = ~np.isin(labels, imported.classes)
        if unknown.any():
            label = labels[unknown].tolist()[0]
            raise ValueError(f"y has the label {label!r}, which the model never saw")
        order = np.argsort(imported.classes)
        codes = order[np.searchsorted(imported.classes, labels, sorter=order)]
        return TrainingSet.of_classes(
            rows, codes, n_classes=imported.classes.size, n_categories=imported.n_categories
        )

    def predict_proba(self, X: Any) -> FloatArray:
        """Return class probabilities, columns in the order of ``classes_``."""
        rows = self._rows(X)
        return self.forest_.predict(rows, self.flow_)

    def predict(self, X: Any) -> AnyArray:
        """Return the class of each row, chosen among equals as the original does."""
        rows = self._rows(X)
        return self.imported_.label_of(self.forest_.raw(rows, self.flow_))

    def predict_confidence(self, X: Any) -> FloatArray:
        """Return the probability of the predicted class."""
        return np.asarray(self.predict_proba(X).max(axis=1))


class SoftenedRegressor(RegressorMixin, _Softened):
    """A regressor of trees, softened; :func:`softwood.soften` makes it.

    Parameters
    ----------
    model : estimator
        The model; see :class:`SoftenedClassifier`.
    method, smoothing, noise, loss, scale, shape, n_epochs, learning_rate
        See :func:`softwood.soften`.
    width_penalty, early_stopping, teacher, schedule, n_candidates, rule
        See :func:`softwood.soften`.
    n_jobs, verbose, random_state
        See :func:`softwood.soften`.

    Attributes
    ----------
    forest_, flow_, smoothing_, smoothing_path_, tree_, trees_, schema_, n_features_in_
        As in :class:`SoftenedClassifier`.
    """

    def _training_set(self, imported: Imported, X: Any, y: Any) -> TrainingSet:
        if imported.classes is not None:
            raise TypeError(f"{imported.kind} predicts classes; use SoftenedClassifier")
        rows, target = imported.encode(X), np.asarray(y, dtype=np.float64)
        if target.shape != (rows.shape[0],):
            raise ValueError(f"y must have one number per row, {rows.shape[0]}; got {target.shape}")
        return TrainingSet.of_target(rows, target, n_categories=imported.n_categories)

    def predict(self, X: Any) -> FloatArray:
        """Return the predicted number of each row."""
        rows = self._rows(X)
        return self.forest_.predict(rows, self.flow_)[:, 0]
