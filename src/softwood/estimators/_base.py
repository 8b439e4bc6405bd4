"""What every single tree can do once it is fitted, and the frame of fitting it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray
from softwood.data.schema import HANDLE_UNKNOWN, Schema
from softwood.data.seeds import drawn_seed
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.estimators._calibrated import Calibrated, PredictsIntervals, PredictsSets
from softwood.estimators._compiling import Compiles
from softwood.estimators._inputs import (
    causes_named,
    read_classes,
    read_rows,
    read_target,
    read_training_rows,
)
from softwood.estimators._sklearn_compat import (
    BaseEstimator,
    ClassifierMixin,
    RegressorMixin,
    StrOptions,
    check_is_fitted,
    fit_context,
)
from softwood.estimators._weights import rows_of_weight, training_weights
from softwood.flow import Flow, leaf_of
from softwood.forest.ties import most_probable
from softwood.learn.fitted import Fitted, Learner
from softwood.learn.oblique import known_rows
from softwood.refine.column_spread import facts_of_columns
from softwood.refine.responses import in_given_units
from softwood.tree import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from softwood.explain.ensemble_explanation import EnsembleExplanation
    from softwood.explain.explanation import Explanation


# The training set, what it says of the target, and its rows, unless these are all.
ReadRows = tuple[TrainingSet, dict[str, Any], AnyArray | None]


class Estimator(Compiles, Calibrated, BaseEstimator):
    """Base of all estimators of trees: how they read rows, and keep what they have learned."""

    _kept_in: ClassVar[str]  # the fitted attribute that is there if anything is
    schema_: Schema

    def _store(self, **fitted: Any) -> None:
        self.__dict__.pop("refreshed_", None)  # of what was there before
        for name, value in fitted.items():
            setattr(self, f"{name}_", value)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, self._kept_in)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _rows(self, X: Any) -> FloatArray:
        return self._completed(self._read(X))

    def _read(self, X: Any) -> FloatArray:
        if not hasattr(self, self._kept_in):
            check_is_fitted(self)
        return read_rows(self, X)

    def _completed(self, rows: FloatArray) -> FloatArray:
        fill = getattr(self, "fill_values_", None)
        return rows if fill is None else known_rows(rows, fill, self.schema_.n_categories)

    def _table_of_folds(self, X: Any, read: FloatArray, y: AnyArray, weight: Any) -> Any:
        return ReadTable(self, read, y, weight)

    def _learn(
        self, matrix: FloatArray, schema: Schema, y: Any, sample_weight: Any, is_fold: bool = False
    ) -> None:
        """Learn from a table that was read; store what was found."""
        raise NotImplementedError


class TreeEstimator(Estimator):
    """Base of the estimators that hold one tree.

    A subclass says how to read its target (``_read_training_set``) and how to grow
    (``_learner``); everything after that is the same for all.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "handle_unknown": [StrOptions(set(HANDLE_UNKNOWN))],
        "random_state": ["random_state"],
    }
    _importance_criterion = "gini"
    _counts_weights: ClassVar[bool] = False  # whether a row of a whole weight w is w cases

    _kept_in = "tree_"

    tree_: Tree
    flow_: Flow

    @fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Numbers, dates, categories, text and booleans; NaN and None are missing.
        y : array-like of shape (n_samples,)
            The target.
        sample_weight : array-like of shape (n_samples,), optional
            Weights; rows of weight 0 are left out. Limits such as ``min_samples_leaf`` count
            rows, whatever these weigh, and the scale of the weights makes no difference. But
            C4.5 and variable-random trees take a row of weight w for w cases if all weights
            are whole numbers; else they scale them to an average of 1.

        Returns
        -------
        self
        """
        with all_or_nothing(self):
            matrix, schema = read_training_rows(self, X)
            self._learn(matrix, schema, y, sample_weight)
            self._remember(X, y, sample_weight, matrix)
        return self

    def _learn(
        self,
        matrix: FloatArray,
        schema: Schema,
        y: Any,
        sample_weight: Any,
        is_fold: bool = False,
        *,
        learner: Learner | None = None,
    ) -> None:
        data, known, _ = self._read_training_set(matrix, y, sample_weight, schema)
        if learner is None:
            learner = self._fold_learner() if is_fold else self._learner()
        with causes_named(schema, data):
            fitted = learner.fit(data, self._seed(), Jobs(self._n_jobs()))
        self._store(schema=schema, **known, **self._found(fitted, data))
        self._store(**facts_of_columns(data))

    def _learner(self) -> Learner:
        """Return what learns the tree, with the parameters of this estimator."""
        raise NotImplementedError

    def _fold_learner(self) -> Learner:
        """Return the same for a fold, in which nobody takes an interest of its own."""
        return self._learner()

    def _seed(self) -> int:
        return drawn_seed(self.random_state)

    def _n_jobs(self) -> int | None:
        return getattr(self, "n_jobs", 1)

    def _found(self, fitted: Fitted, data: TrainingSet) -> dict[str, Any]:
        """Return the fitted attributes, without the underscore at the end of their names."""
        tree = in_given_units(fitted.tree, data)
        return {"tree": tree, "flow": fitted.flow, **fitted.facts}

    def _read_training_set(
        self, matrix: FloatArray, y: Any, sample_weight: Any, schema: Schema
    ) -> ReadRows:
        """Return the training set, what it says of the target, and which rows it has."""
        raise NotImplementedError

    # -- where rows go ---------------------------------------------------------

    def _responses(self) -> FloatArray:
        """Return what each node answers; laplace and shrinkage change it."""
        return self.tree_.response

    def _flow_of(self, X: Any) -> FloatArray:
        return self._answers(self._rows(X))

    def _answers(
        self, rows: FloatArray, flow: Flow | None = None, use: BoolArray | None = None
    ) -> FloatArray:
        return (flow or self.flow_).predict(self.tree_, rows, self._responses())

    def apply(self, X: Any) -> IndexArray:
        """Return the leaf each row ends in; of several, the one that gets most of it.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Node ids.
        """
        rows = self._rows(X)
        return leaf_of(self.tree_, rows, self.flow_)

    def decision_path(self, X: Any) -> csr_array:
        """Return which nodes each row passes.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        csr_array of shape (n_samples, n_nodes)
            1 where some of the row's mass passes the node.
        """
        rows = self._rows(X)
        path = self.flow_.reach(self.tree_, rows)
        path.data = np.ones_like(path.data, dtype=np.int64)
        return path

    def flow(self, X: Any) -> csr_array:
        """Return how the unit mass of each row spreads over the leaves.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        csr_array of shape (n_samples, n_leaves)
            Column j is the leaf ``tree_.leaves[j]``; rows sum to 1.
        """
        rows = self._rows(X)
        return self.flow_.spread(self.tree_, rows)

    def explain(self, x: Any) -> Explanation | EnsembleExplanation:
        """Explain the prediction of one row, in words: the tests on its way.

        Of an ensemble: how its trees' answers scatter, what each column adds to the prediction,
        and the tests in the most typical tree.

        Parameters
        ----------
        x : array-like of shape (n_features,) or a table of one row
            The row.

        Returns
        -------
        Explanation or EnsembleExplanation
            Prints as text; holds the steps and the mass of each leaf.
        """
        from softwood.explain.explanation import explain_row

        check_is_fitted(self)
        return explain_row(self, x)

    # -- what the tree is like -------------------------------------------------

    @property
    def feature_importances_(self) -> FloatArray:
        """Share of each feature in the total decrease of impurity."""
        from softwood.refine.gains import feature_importances

        check_is_fitted(self)
        deviation = getattr(self, "deviations_", None)
        return feature_importances(self.tree_, self._importance_criterion, deviation)

    def get_depth(self) -> int:
        """Return the number of tests on the longest path."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def get_rules(self, max_rules: int | None = None) -> Any:
        """Return rules as a table: one for each leaf, or the most typical ones of an ensemble.

        Parameters
        ----------
        max_rules : int, optional
            Return no more than this many; by default all of a tree, and 20 of an ensemble.

        Returns
        -------
        pandas.DataFrame
            Columns ``rule``, ``prediction``, ``support`` (share of the training weight)
            and ``confidence`` (share of the predicted class there; NaN for regression). Of
            an ensemble also ``effect``, ``n_trees``, ``tree`` and ``score``: see
            :class:`softwood.explain.TypicalRule`.
        """
        from softwood.explain.rules import rules_frame

        check_is_fitted(self)
        return rules_frame(self, max_rules)

    def export_text(self, **options: Any) -> str:
        """Return the model as text; see :func:`softwood.export_text` for the options."""
        from softwood.explain.text import export_text

        check_is_fitted(self)
        return export_text(self, **options)

    def __str__(self) -> str:
        if not self.__sklearn_is_fitted__():
            return repr(self)
        return f"{self!r}\n{self.export_text(max_lines=60)}"


class TreeClassifier(PredictsSets, ClassifierMixin, TreeEstimator):
    """A single tree that predicts classes."""

    classes_: AnyArray

    def _read_training_set(
        self, matrix: FloatArray, y: Any, sample_weight: Any, schema: Schema
    ) -> ReadRows:
        classes, label = read_classes(self, y)
        weight, unit = training_weights(self, matrix, label, sample_weight, classes)
        kept = rows_of_weight(weight)
        if kept is not None:
            matrix, label, weight = matrix[kept], label[kept], weight[kept]
        data = TrainingSet.of_classes(
            matrix,
            label,
            n_classes=classes.size,
            weight=weight,
            n_categories=schema.n_categories,
        )
        return replace(data, unit=unit), {"classes": classes}, kept

    def predict_proba(self, X: Any) -> FloatArray:
        """Return class probabilities.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        return self._flow_of(X)

    def predict_log_proba(self, X: Any) -> FloatArray:
        """Return the logarithms of the class probabilities.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def predict(self, X: Any) -> AnyArray:
        """Return the most probable class of each row; of tied ones the first.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        probability = self.predict_proba(X)
        return np.asarray(self.classes_[most_probable(probability)])

    def predict_confidence(self, X: Any) -> FloatArray:
        """Return how sure each prediction is: the mass of the row that agrees with it.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The probability of the predicted class, 1 minus the risk of the prediction.
        """
        return np.asarray(self.predict_proba(X).max(axis=1))


class TreeRegressor(PredictsIntervals, RegressorMixin, TreeEstimator):
    """A single tree that predicts a number."""

    def _read_training_set(
        self, matrix: FloatArray, y: Any, sample_weight: Any, schema: Schema
    ) -> ReadRows:
        target = read_target(self, y)
        weight, unit = training_weights(self, matrix, target, sample_weight)
        kept = rows_of_weight(weight)
        if kept is not None:
            matrix, target, weight = matrix[kept], target[kept], weight[kept]
        data = TrainingSet.of_target(
            matrix, target, weight=weight, n_categories=schema.n_categories
        )
        return replace(data, unit=unit), {}, kept

    def predict(self, X: Any) -> FloatArray:
        """Return the predicted number of each row.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._flow_of(X)[:, 0]


class ReadTable(NamedTuple):
    """A training table as a model has read it, for :func:`hear_folds`.

    Its columns are those of the model, whatever a part of it looks like.
    """

    model: Estimator
    matrix: FloatArray
    y: AnyArray
    weight: FloatArray | None

    def fitted_to(self, rows: AnyArray) -> Estimator:
        """Return an estimator like the model, fitted to some rows."""
        weight = None if self.weight is None else self.weight[rows]
        made: Estimator = self.model._for_fold()
        made.n_features_in_ = self.matrix.shape[1]
        made._learn(self.matrix[rows], self.model.schema_, self.y[rows], weight, is_fold=True)
        return made

    def rows(self, model: Estimator, rows: AnyArray) -> FloatArray:
        """Return some rows, as a model takes them."""
        return model._completed(self.matrix[rows])


@contextmanager
def all_or_nothing(estimator: Any) -> Iterator[None]:
    """Undo every change to ``estimator`` if the block fails: no half-fitted models."""
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise
