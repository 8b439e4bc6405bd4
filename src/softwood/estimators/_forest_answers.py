"""What an ensemble can be asked once it is fitted."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray
from softwood.data.schema import Schema
from softwood.data.training import TrainingSet
from softwood.ensemble import predict
from softwood.ensemble.jobs import Jobs
from softwood.ensemble.out_of_bag import Witnesses, permutation_importances, unseen_gains
from softwood.ensemble.sampling import Sampling, mask_of_bags, rows_in_bag
from softwood.estimators._base import Estimator, ReadRows
from softwood.estimators._evidence import ENOUGH_ROWS, Evidence
from softwood.estimators._sklearn_compat import check_is_fitted
from softwood.flow import Flow
from softwood.forest import Forest
from softwood.tree import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_array


MANY_TREES = 18  # that have not seen a row, on average: they speak for all


class FittedForest(Estimator):
    """Base of the estimators that hold many trees: where rows go, what the trees are like."""

    _importance_criterion = "gini"

    _kept_in = "forest_"

    forest_: Forest
    flow_: Flow
    seed_: int
    n_samples_fit_: int
    # Rows of positive weight, unless that is all; and weights, unless they are all the same.
    _drawn_from: tuple[AnyArray | None, FloatArray | None]
    _witnesses: Witnesses

    def _sampling(self) -> Sampling:
        raise NotImplementedError

    def _read_training_set(
        self, matrix: FloatArray, y: Any, sample_weight: Any, schema: Schema
    ) -> ReadRows:
        raise NotImplementedError

    # -- where rows go ---------------------------------------------------------

    def _flow_of(self, X: Any) -> FloatArray:
        return self._answers(self._rows(X))

    def _answers(
        self, rows: FloatArray, flow: Flow | None = None, use: BoolArray | None = None
    ) -> FloatArray:
        return predict.predict(self.forest_, rows, flow or self.flow_, Jobs(self.n_jobs), use)

    def _scatter(self, rows: FloatArray, use: BoolArray | None = None) -> FloatArray | None:
        if self.forest_.n_trees < 2:
            return None
        return predict.scatter(self.forest_, rows, self.flow_, Jobs(self.n_jobs), use)

    def _scatter_of_all(self, rows: FloatArray, use: BoolArray) -> float:
        return predict.scatter_of_all(self.forest_, rows, self.flow_, Jobs(self.n_jobs), use)

    def apply(self, X: Any) -> IndexArray:
        """Return the leaf each row ends in, in each tree; of several, the heaviest.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_estimators)
            Node ids.
        """
        return predict.leaves(self.forest_, self._rows(X), self.flow_, Jobs(self.n_jobs))

    def decision_path(self, X: Any) -> tuple[csr_array, AnyArray]:
        """Return which nodes each row passes.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        indicator : csr_array of shape (n_samples, n_nodes)
            1 where some of the row's mass passes the node.
        n_nodes_ptr : ndarray of shape (n_estimators + 1,)
            Columns ``n_nodes_ptr[i]`` to ``n_nodes_ptr[i + 1]`` are the nodes of tree i.
        """
        return predict.paths(self.forest_, self._rows(X), self.flow_, Jobs(self.n_jobs))

    def flow(self, X: Any) -> csr_array:
        """Return how the unit mass of each row spreads over the leaves of all trees.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        csr_array of shape (n_samples, n_leaves)
            The leaves of tree after tree, each in the order of its ``leaves``; rows sum
            to 1.
        """
        return predict.masses(self.forest_, self._rows(X), self.flow_, Jobs(self.n_jobs))

    # -- what the trees are like -----------------------------------------------

    @property
    def trees_(self) -> list[Tree]:
        """The trees."""
        check_is_fitted(self)
        return list(self.forest_.trees)

    @property
    def feature_importances_(self) -> FloatArray:
        """Share of each feature in what tests gain on rows that their tree has not seen.

        Where trees see all rows (``sampling="all"``) it is :attr:`impurity_importances_`.
        """
        check_is_fitted(self)
        gains = getattr(self, "oob_importances_", None)
        if gains is None:
            return self.impurity_importances_
        gains = np.maximum(gains, 0.0)  # what says nothing may do so by a little less than 0
        return np.asarray(gains / gains.sum() if gains.any() else gains)

    @cached_property
    def oob_importances_(self) -> FloatArray:
        """What tests on each feature add, on rows their tree has not seen; for bootstraps.

        Classifiers: to the probability of the true class, on average over rows. Regressors: to
        the covariance of answer and target.
        """
        witnesses = getattr(self, "_witnesses", None)
        if witnesses is None:
            raise AttributeError("oob_importances_ is there for samples of rows only")
        _, weight = self._drawn_from
        weight = np.ones(self.n_samples_fit_) if weight is None else weight
        jobs = Jobs(self.n_jobs)
        return unseen_gains(self.forest_, witnesses, self._sampling(), self.seed_, weight, jobs)

    @property
    def impurity_importances_(self) -> FloatArray:
        """Mean over the trees of each feature's share in the decrease of impurity.

        It is measured on the training rows, so columns with many values look better than they are.
        """
        from softwood.refine.gains import feature_importances

        check_is_fitted(self)
        criterion = self._importance_criterion
        shares = [feature_importances(tree, criterion) for tree in self.forest_.trees]
        return np.asarray(np.mean(shares, axis=0))

    @property
    def estimators_samples_(self) -> list[AnyArray]:
        """The training rows of each tree, drawn again; for trees that saw some, fitted here."""
        check_is_fitted(self)
        if not (self._sampling().leaves_out_rows and hasattr(self, "_drawn_from")):
            raise AttributeError(
                "estimators_samples_ is there for samples of rows only, and not in loaded models"
            )
        kept, weight = self._drawn_from
        weight = np.ones(self.n_samples_fit_) if weight is None else weight
        bags = rows_in_bag(self._sampling(), self.seed_, self.forest_.n_trees, weight)
        return [rows if kept is None else kept[rows] for rows in bags]

    def permutation_importances(
        self, X: Any, y: Any, sample_weight: Any = None, *, n_repeats: int = 1
    ) -> Any:
        """Return what trees lose on rows they have not seen when a feature is shuffled.

        Parameters
        ----------
        X, y, sample_weight : array-like
            What the model was fitted to; the samples of the trees are drawn again.
        n_repeats : int, default=1
            How often to shuffle each feature in each tree.

        Returns
        -------
        Bunch
            ``importances_mean`` and ``importances_std`` of shape (n_features,), over trees;
            ``importances`` of shape (n_features, n_estimators). They are in units of error:
            the share of wrong classes, or the squared error.
        """
        from sklearn.utils import Bunch

        check_is_fitted(self)
        if not self._sampling().leaves_out_rows:
            raise ValueError(
                f"with sampling={self._sampling().kind!r} trees have seen all rows: use "
                "sampling='bootstrap', or sklearn.inspection.permutation_importance with new rows"
            )
        data = self._training_set_again(X, y, sample_weight)
        bags = rows_in_bag(self._sampling(), self.seed_, self.forest_.n_trees, data.weight)
        found = permutation_importances(
            self.forest_, data, self.flow_, bags, self.seed_, n_repeats, Jobs(self.n_jobs)
        )
        return Bunch(
            importances_mean=found.mean(axis=1),
            importances_std=found.std(axis=1),
            importances=found,
        )

    # -- rows out of bag -------------------------------------------------------

    def _asks_out_of_bag(self) -> bool:
        return round(self._sampling().share_left_out * self.forest_.n_trees) >= MANY_TREES

    def _hear_out_of_bag(self, evidence: Evidence, X: Any, y: AnyArray, weight: Any) -> None:
        if not self._sampling().leaves_out_rows:
            super()._hear_out_of_bag(evidence, X, y, weight)
        data = self._training_set_again(X, y, weight)
        asked = np.arange(data.n_rows)
        if data.n_rows > ENOUGH_ROWS:
            rng = np.random.default_rng(self.seed_)
            asked = np.sort(rng.choice(data.n_rows, ENOUGH_ROWS, replace=False))
        bags = rows_in_bag(self._sampling(), self.seed_, self.forest_.n_trees, data.weight)
        unseen = ~mask_of_bags(bags, data.n_rows)[asked]
        places = np.flatnonzero(evidence.weight > 0.0)[asked]
        evidence.hear_some_trees(self, data.X[asked], places, unseen)

    def _training_set_again(self, X: Any, y: Any, sample_weight: Any) -> TrainingSet:
        if not hasattr(self, "n_samples_fit_"):
            raise ValueError(
                "this model was grown from parts of a table, so what its trees have seen cannot "
                "be drawn again: give rows that are new to it, to calibrate(X, y) or to "
                "sklearn.inspection.permutation_importance"
            )
        data, known, _ = self._read_training_set(self._rows(X), y, sample_weight, self.schema_)
        same_classes = np.array_equal(known.get("classes", ()), getattr(self, "classes_", ()))
        if data.n_rows != self.n_samples_fit_ or not same_classes:
            raise ValueError(
                f"X, y and sample_weight must be what the model was fitted to, "
                f"{self.n_samples_fit_} rows of positive weight; got {data.n_rows}"
            )
        return data
