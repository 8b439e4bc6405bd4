"""What softened classifiers and regressors share."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray
from softwood.data.encode import is_frame
from softwood.data.schema import Schema
from softwood.data.seeds import drawn_seed
from softwood.data.table import Table
from softwood.data.training import TrainingSet
from softwood.data.weights import WeightScale
from softwood.ensemble import predict
from softwood.ensemble.jobs import Jobs
from softwood.estimators._base import TreeEstimator, all_or_nothing
from softwood.estimators._calibrated import Calibrated
from softwood.estimators._compiling import Compiles
from softwood.estimators._inputs import causes_named, read_weights
from softwood.estimators._learners import CLASSIFIER_METHODS, WithMethod, method_of
from softwood.estimators._limits import real_from
from softwood.estimators._refitting import FittedTo, TableOfFolds, fit_again
from softwood.estimators._restored import check_fill, check_ranges, check_sum
from softwood.estimators._settings import check_choice
from softwood.estimators._sklearn_compat import (
    BaseEstimator,
    HasMethods,
    StrOptions,
    check_is_fitted,
    fit_context,
    validate_data,
)
from softwood.flow import Flow
from softwood.forest import Forest
from softwood.interop.imported import Imported, import_model
from softwood.learn.soft_tree import chosen_smoothing
from softwood.learn.soften import Perturb
from softwood.learn.soften.method import Setting
from softwood.learn.soften.of_imported import soften_imported
from softwood.refine.column_spread import facts_of_columns, ranges_of_columns
from softwood.refine.smoothing import SmoothingPath


class Softened(WithMethod, Compiles, Calibrated, BaseEstimator):
    """What softened classifiers and regressors share.

    ``fit`` fits the model anew, and then softens it; :func:`softwood.soften` leaves the
    first step out.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "model": [HasMethods("predict"), None],
        "method": CLASSIFIER_METHODS,
        "smoothing": [StrOptions({"auto", "cv", "oob", "holdout"}), real_from(0.0)],
        "oblique": ["boolean"],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
        "random_state": ["random_state"],
    }
    # What a model can be asked is answered as by our own; some of it only by a single tree.
    decision_path = TreeEstimator.decision_path
    explain, export_text, get_rules = (
        TreeEstimator.explain,
        TreeEstimator.export_text,
        TreeEstimator.get_rules,
    )
    get_depth, get_n_leaves = TreeEstimator.get_depth, TreeEstimator.get_n_leaves
    flow = TreeEstimator.flow

    _saved_attributes: ClassVar[tuple[str, ...]] = (
        "imported_",
        "smoothing_",
        "smoothing_path_",
        "ranges_",
        "choice_",
    )
    _unsaved_attributes: ClassVar[tuple[str, ...]] = ("fidelity_",)
    _foreign_parameters: ClassVar[tuple[str, ...]] = ("model",)
    _frequency_trees: ClassVar[bool] = False  # those of boosted models hold scores

    imported_: Imported
    smoothing_path_: SmoothingPath | None

    def __init__(
        self,
        model: Any = None,
        method: Any = "perturb",
        *,
        smoothing: Any = "auto",
        oblique: bool = False,
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.model = model
        self.method = method
        self.smoothing = smoothing
        self.oblique = oblique
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=False)  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model, and soften it.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows, as the model takes them.
        y : array-like of shape (n_samples,)
            The target.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows: for the softening, and for the model if it takes any.

        Returns
        -------
        self
        """
        with all_or_nothing(self):
            y = self._target(y)
            self._check_columns(X, reset=True)
            fitted = fit_again(self._model(n_rows=y.size), X, y, sample_weight)
            rows = self._soften(fitted, import_model(fitted), X, y, sample_weight)
            self._remember(X, y, sample_weight, rows)
        return self

    def _soften_fitted(
        self, fitted: Any, imported: Imported, X: Any, y: Any, sample_weight: Any = None
    ) -> Self:
        """Soften a model that is fitted already; its columns are ours, as far as it knows them."""
        with all_or_nothing(self):
            self._check_columns(X, reset=True)
            self.n_features_in_ = imported.n_features
            if imported.reader.checks_names:
                self.feature_names_in_ = np.array(imported.feature_names, dtype=object)
            rows = self._soften(fitted, imported, X, y, sample_weight)
            # Rows that are new to the model are no training rows; and some cannot be fitted again.
            if self.smoothing != "holdout" and hasattr(fitted, "fit"):
                self._remember(X, y, sample_weight, rows)
        return self

    def _soften(
        self, fitted: Any, imported: Imported, X: Any, y: Any, sample_weight: Any
    ) -> FloatArray:
        """Soften a fitted model; return the rows as it reads them."""
        for name in ("smoothing_", "fidelity_", "ranges_", "refreshed_", "choice_"):  # of before
            self.__dict__.pop(name, None)
        self._let_go()
        rows, y = imported.encode(X), np.asarray(y)
        self._check_target(imported, rows, y)
        weight = read_weights(rows, y, sample_weight)
        kept = np.flatnonzero(weight > 0.0)
        scale = WeightScale.of(weight)
        data = self._training_set(imported, rows[kept], y[kept], scale.applied(weight[kept]))
        data = replace(data, unit=scale.unit)
        source = FittedTo(fitted, X, y, None if sample_weight is None else weight, kept)
        method, jobs = method_of(self), Jobs(self.n_jobs)
        seed = drawn_seed(self.random_state)
        setting = Setting(self.smoothing, self.oblique, seed, jobs, self.verbose)
        with causes_named(imported.schema, data):
            forest, flow, path = soften_imported(method, setting, imported, data, source)
        self.imported_ = replace(imported, forest=forest, flow=flow)
        if getattr(fitted, "choice_", None):  # how the trees of Coalescence have grown
            self.choice_ = fitted.choice_
        self.smoothing_path_ = path
        for name, fact in facts_of_columns(data).items():
            setattr(self, f"{name}_", fact)
        if isinstance(method, Perturb):
            self.smoothing_ = chosen_smoothing(path, self.smoothing)
        else:
            self.ranges_ = ranges_of_columns(data)
        return rows

    def _table_of_folds(self, X: Any, read: FloatArray, y: AnyArray, weight: Any) -> Any:
        is_default = self.model is None and hasattr(self, "_fitted_rows")
        if not (is_default or hasattr(self.model, "fit")):
            raise ValueError(
                "method='cv' fits the model again, and what was softened is not at hand: call "
                "calibrate(X, y) with rows that are new to it"
            )
        return TableOfFolds(self._for_fold(), X, y, weight)

    # -- the model, its rows and its target ----------------------------------------

    def _model(self, n_rows: int) -> Any:
        """Return the model to be fitted, as new."""
        from sklearn.base import clone

        if self.model is None:
            seed = drawn_seed(self.random_state)
            pruning = "cv" if n_rows > 1 else None  # a single row has no folds
            return self._default_model(pruning=pruning, random_state=seed)
        if not (hasattr(self.model, "fit") and hasattr(self.model, "get_params")):
            raise TypeError(
                f"model must be an estimator, to be fitted; got {type(self.model).__name__}: "
                "soften takes models that are fitted already"
            )
        return clone(self.model)

    def _default_model(self, **parameters: Any) -> Any:
        raise NotImplementedError

    def _target(self, y: Any) -> AnyArray:
        raise NotImplementedError

    def _check_target(self, imported: Imported, rows: FloatArray, y: AnyArray) -> None:
        raise NotImplementedError

    def _training_set(
        self, imported: Imported, rows: FloatArray, y: AnyArray, weight: FloatArray
    ) -> TrainingSet:
        raise NotImplementedError

    def _check_columns(self, X: Any, reset: bool) -> None:
        """Complain as scikit-learn does about the number and the names of columns."""
        if hasattr(X, "toarray"):
            raise TypeError(
                f"X must be dense; got a sparse {type(X).__name__}, so pass X.toarray()"
            )
        if isinstance(X, Table):
            if reset:
                self.n_features_in_ = X.shape[1]
                self.feature_names_in_ = np.array(X.names, dtype=object)
            return
        if not (reset or is_frame(X)) and np.asarray(X).ndim == 1:
            raise ValueError(
                f"X must be 2-D, rows by features; got shape {np.shape(X)}. Reshape your data: "
                "X.reshape(1, -1) if it is one row"
            )
        validate_data(self, X, skip_check_array=True, reset=reset)

    def _rows(self, X: Any) -> FloatArray:
        check_is_fitted(self)
        plain = (
            type(X) is np.ndarray
            and X.dtype == np.float64
            and X.shape[1:] == (self.n_features_in_,)
            and not hasattr(self, "feature_names_in_")
        )
        if not plain:  # a plain row is sent down the trees in less time than this takes
            self._check_columns(X, reset=False)
        return self.imported_.encode(X)

    def _flow_of(self, X: Any) -> FloatArray:
        return self._answers(self._rows(X))

    def _answers(
        self, rows: FloatArray, flow: Flow | None = None, use: BoolArray | None = None
    ) -> FloatArray:
        return self.forest_.predict(rows, flow or self.flow_, use)

    def apply(self, X: Any) -> IndexArray:
        """Return the leaf each row ends in; of several, the one that gets most of it.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows, as the model takes them.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_trees)
            Node ids; of an ensemble, those of each tree.
        """
        rows = self._rows(X)
        leaves = predict.leaves(self.forest_, rows, self.flow_, Jobs(self.n_jobs))
        return leaves[:, 0] if self.imported_.is_single_tree else leaves

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "imported_")

    def _check_restored(self) -> None:
        """Complain about what a model file holds; see :mod:`softwood.persist.format`."""
        imported = self.imported_
        check_sum(imported.forest, is_classifier=imported.classes is not None)
        if imported.reader.fill:
            check_fill(np.array(imported.reader.fill), imported.n_categories)
        check_ranges(self, imported.forest.trees[0].n_features)
        check_choice(getattr(self, "choice_", {}), imported.forest.n_trees)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        model = self._default_model() if self.model is None else self.model
        if hasattr(model, "__sklearn_tags__"):
            theirs = model.__sklearn_tags__().input_tags
            for name in ("allow_nan", "categorical", "string"):
                setattr(tags.input_tags, name, getattr(theirs, name))
        return tags

    # -- what was found ------------------------------------------------------------

    @property
    def forest_(self) -> Forest:
        """The trees, and how their answers are added up."""
        check_is_fitted(self)
        return self.imported_.forest

    @property
    def flow_(self) -> Flow:
        """How rows flow through the trees."""
        check_is_fitted(self)
        flow: Flow = self.imported_.flow  # type: ignore[assignment]
        return flow

    @property
    def tree_(self) -> Any:
        """The tree, if the model is a single one."""
        check_is_fitted(self)
        if not self.imported_.is_single_tree:
            raise AttributeError("tree_ is there only if a single tree was softened; see trees_")
        return self.forest_.trees[0]

    @property
    def trees_(self) -> list[Any]:
        """All trees."""
        return list(self.forest_.trees)

    @property
    def schema_(self) -> Schema:
        """Names and categories of the columns."""
        check_is_fitted(self)
        return self.imported_.schema

    def _responses(self) -> FloatArray:
        response: FloatArray = self.tree_.response
        return response

    def harden(self) -> Any:
        """Return the crisp model with the same tests; see :func:`softwood.harden`."""
        from softwood.estimators.soften import harden

        return harden(self)
