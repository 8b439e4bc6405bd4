"""The frame of the distributed ensembles: how they are fitted, and what they answer."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.dask.answers import ask_later
from softwood.dask.dealing import deal_trees, say_of_trees
from softwood.dask.growing import Field, Recipe
from softwood.dask.moments import perturbation_of
from softwood.dask.partitions import is_collection, need_dask, partitions_of
from softwood.dask.survey import survey
from softwood.dask.unseen import score_by_unseen, tuned_by_unseen
from softwood.data.seeds import drawn_seed
from softwood.ensemble.alphas import GRID
from softwood.estimators._base import all_or_nothing
from softwood.estimators._forest_base import (
    ForestClassifier,
    ForestEstimator,
    ForestRegressor,
)
from softwood.estimators._sklearn_compat import check_is_fitted, fit_context
from softwood.forest import Forest
from softwood.learn.forest import Growth, Plan


class DistributedForest(ForestEstimator):
    """Base of the ensembles that are fitted to Dask collections.

    A subclass also inherits from the estimator of the same name for tables in memory,
    ``_local``, which says how its trees grow.
    """

    _local: ClassVar[type[ForestEstimator]]
    _only_here: ClassVar[tuple[str, ...]] = ("partition_of_tree_",)

    partition_of_tree_: AnyArray

    @fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees, each on the rows of one partition.

        The partitions are read once to compare them, and once to grow trees; once more for
        ``alpha="search"``, ``smoothing="oob"`` and ``oob_score=True`` each. If they fit into
        the memory of the cluster, ``X.persist()`` spares the work of loading them again.

        Parameters
        ----------
        X : Dask array or dataframe of shape (n_samples, n_features)
            Numbers, dates, categories, text and booleans; NaN and None are missing. Empty
            partitions are skipped.
        y : Dask array or series of shape (n_samples,)
            The target, partitioned like X.
        sample_weight : Dask array or series of shape (n_samples,), optional
            Weights, partitioned like X; rows of weight 0 are left out.

        Returns
        -------
        self
        """
        need_dask()
        self._check_parameters()
        parts = partitions_of(X, y, sample_weight)
        with all_or_nothing(self):
            found = survey(self._unfitted(), parts)
            reader = found.reader
            self.seed_ = drawn_seed(self.random_state)
            owner = deal_trees(self.n_estimators, found.weight)
            self._sampling().check(reader.estimator.n_features_in_)
            recipe = Recipe(reader, self._sampling(), self.seed_, self._learner().one_vs_rest)
            columns = recipe.one_hot
            n_features = int(reader.estimator.n_features_in_)
            n_columns = n_features if columns is None else columns.n_columns
            self._learner().check_columns(n_columns)
            field = Field([parts[number] for number in found.used], recipe, owner)
            self._check_unseen(field)
            self._forget(warm=False)
            self._note_columns(reader.estimator)
            self._store(partition_of_tree=found.used[owner])
            self._store(**({} if reader.classes is None else {"classes": reader.classes}))
            self._grow_on(field, say_of_trees(owner, found.weight))
        return self

    # -- steps of fitting ------------------------------------------------------

    def _unfitted(self) -> Any:
        """Return the estimator that workers read rows with."""
        parameters = {**self.get_params(deep=False), "n_jobs": 1, "random_state": None}
        return self._local(**parameters)

    def _check_parameters(self) -> None:
        self._learner().check()
        if self.warm_start:
            raise ValueError(
                "warm_start=True is not for Dask collections; fit all trees at once, or go on "
                "from to_local() with a table in memory"
            )
        if self.smoothing == "holdout":
            raise ValueError(
                "smoothing='holdout' is not for Dask collections; use 'oob', which asks the "
                "trees of other partitions, or a number"
            )

    def _check_unseen(self, field: Field) -> None:
        if len(field.parts) > 1 or self._sampling().leaves_out_rows:
            return
        for name, wanted in (("smoothing", "oob"), ("oob_score", True)):
            if getattr(self, name) == wanted:
                raise ValueError(
                    f"{name}={wanted!r} asks the trees about rows they have not seen; that takes "
                    "two partitions with rows, or sampling='bootstrap'"
                )

    def _note_columns(self, estimator: Any) -> None:
        self.__dict__.pop("feature_names_in_", None)
        for name in ("n_features_in_", "feature_names_in_", "schema_"):
            if hasattr(estimator, name):
                setattr(self, name, getattr(estimator, name))

    def _grow_on(self, field: Field, say: FloatArray) -> None:
        learner, plan = self._learner(), self._plan_for(field)
        if learner.fills:
            field = field.filled()
            self._store(fill_values=field.recipe.fill)
        harvest = field.grow(plan.growers, with_facts=self.smoothing is not None)
        self._store(forest=Forest.average(harvest.trees, say), **plan.facts)
        self.smoothing_, self.smoothing_path_, self.flow_ = 0.0, None, learner.tree_flow
        if self.smoothing is not None:
            perturbation = perturbation_of(harvest.facts)
            if self.smoothing == "oob":
                loss = getattr(self, "loss", None)
                path = tuned_by_unseen(field, self.forest_, perturbation, loss)
                self.smoothing_path_ = path
                self.smoothing_ = 0.0 if path is None else path.smoothing
            else:
                self.smoothing_ = float(self.smoothing)
            self.flow_ = perturbation.at(self.smoothing_)
        if self.oob_score:
            self.oob_score_ = score_by_unseen(field, self.forest_, self.flow_)

    def _plan_for(self, field: Field) -> Plan:
        """Return a grower for each tree, and what was found out about them."""
        parameters = self.get_params(deep=False)
        if parameters.get("alpha") != "search":
            return self._plan_of(parameters)
        plans = [self._plan_of({**parameters, "alpha": alpha}) for alpha in GRID]
        losses = field.losses([plan.growers for plan in plans])
        found = plans[int(np.argmin(losses))]
        found.facts["alpha_losses"] = dict(zip(GRID, losses.tolist(), strict=True))
        return found

    def _plan_of(self, parameters: dict[str, Any]) -> Plan:
        # Without a search, the plan of an ensemble depends on its parameters alone.
        return self._local(**parameters)._learner().plan(Growth())

    # -- answers ---------------------------------------------------------------

    def to_local(self) -> ForestEstimator:
        """Return the ordinary estimator with the same trees, for tables in memory.

        It predicts the same, and :func:`softwood.save` writes it.

        Returns
        -------
        estimator
            The estimator of the same name in :mod:`softwood`, fitted.
        """
        check_is_fitted(self)
        local = self._local(**self.get_params(deep=False))
        for name, value in vars(self).items():
            if name not in self._only_here:
                setattr(local, name, value)
        return local

    def _ask_later(self, method: str, X: Any, template: AnyArray) -> Any:
        model = self.to_local()
        model.n_jobs = 1  # workers have their own idea of how much runs at once
        return ask_later(model, method, X, template)

    def _rows(self, X: Any) -> FloatArray:
        if is_collection(X):
            raise TypeError(
                "only predictions are lazy; for other answers use a table in memory, or call "
                "X.map_partitions or X.map_blocks with a method of to_local()"
            )
        return super()._rows(X)

    def _table_of_folds(self, X: Any, read: FloatArray, y: AnyArray, weight: Any) -> Any:
        # A table in memory is one partition, and its models are better than this one.
        raise ValueError(
            "method='cv' is not for models of Dask collections; call calibrate(X, y) with rows "
            "that are new to the model"
        )

    def permutation_importances(
        self, X: Any, y: Any, sample_weight: Any = None, *, n_repeats: int = 1
    ) -> Any:
        """Not offered: the rows of a tree are those of a partition, drawn elsewhere."""
        raise TypeError(
            "permutation_importances needs all training rows in one place; use "
            "sklearn.inspection.permutation_importance(model.to_local(), X, y) with new rows"
        )


class DistributedClassifier(DistributedForest, ForestClassifier):
    """Many trees that predict classes of Dask collections."""

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


class DistributedRegressor(DistributedForest, ForestRegressor):
    """Many trees that predict numbers for Dask collections."""

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
