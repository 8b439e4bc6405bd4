"""The frame of the distributed ensembles: how they are fitted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.dask._base import Distributed
from softwood.dask.dealing import deal_trees, say_of_trees
from softwood.dask.exchange import Exchange, bytes_of_row
from softwood.dask.growing import Field, Recipe
from softwood.dask.moments import perturbation_of
from softwood.dask.partitions import Part
from softwood.dask.running import kept_on_workers
from softwood.dask.survey import Survey, survey
from softwood.dask.unseen import score_by_unseen, tuned_by_unseen
from softwood.data.seeds import drawn_seed
from softwood.ensemble.alphas import GRID
from softwood.estimators._base import all_or_nothing
from softwood.estimators._forest_base import ForestEstimator
from softwood.estimators._inputs import tell_of_columns_left_out
from softwood.forest import Forest
from softwood.learn.forest import Growth, Plan


class DistributedForest(Distributed, ForestEstimator):
    """Base of the ensembles that are fitted to Dask collections."""

    _local: ClassVar[type[ForestEstimator]]

    exchange_: Exchange | None

    # -- steps of fitting ------------------------------------------------------

    def _fit_parts(self, parts: Sequence[Part]) -> Self:
        with all_or_nothing(self):
            found = survey(self._unfitted(), parts)
            reader = found.reader
            self.seed_ = drawn_seed(self.random_state)
            recipe = Recipe(reader, self._sampling(), self.seed_, self._learner().one_vs_rest)
            self._check_columns(recipe)
            rows = reader.read_later([parts[number] for number in found.used])
            field, say = self._field(recipe, rows, found)
            self._check_unseen(field)
            self._forget(warm=False)
            self._note_columns(reader.estimator)
            if self.exchange_ is not None and self._learner().distrusts:
                field = self._trusting(field)
            self._store(**({} if reader.classes is None else {"classes": reader.classes}))
            self._grow_on(field, say)
        return self

    def _field(self, recipe: Recipe, rows: list[Any], found: Survey) -> tuple[Field, FloatArray]:
        """Return what trees grow on, and what each of them has to say."""
        is_regression = recipe.reader.classes is None
        row_bytes = bytes_of_row(int(recipe.reader.estimator.n_features_in_), is_regression)
        exchange = Exchange.of(self.exchange, found.n_rows, row_bytes, self.n_estimators)
        self.exchange_ = exchange
        if exchange is None:
            owner = deal_trees(self.n_estimators, found.weight)
            self.partition_of_tree_: AnyArray = found.used[owner]
            return Field(rows, recipe, owner), say_of_trees(owner, found.weight)
        self.__dict__.pop("partition_of_tree_", None)
        samples = kept_on_workers(exchange.dealt(rows, found.n_rows, self.seed_))
        owner = deal_trees(self.n_estimators, np.ones(exchange.n_samples))
        return Field(samples, recipe, owner), np.ones(self.n_estimators)

    def _trusting(self, field: Field) -> Field:
        field = field.trusting()
        self._check_columns(field.recipe)
        if field.recipe.kept is not None:
            tell_of_columns_left_out(self, np.flatnonzero(~field.recipe.kept))
        return field

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

    def _check_columns(self, recipe: Recipe) -> None:
        n_features, columns = int(recipe.reader.estimator.n_features_in_), recipe.one_hot
        self._sampling().check(n_features)
        self._learner().check_columns(n_features if columns is None else columns.n_columns)

    def _check_unseen(self, field: Field) -> None:
        if len(field.parts) > 1 or self._sampling().leaves_out_rows:
            return
        for name, wanted in (("smoothing", "oob"), ("oob_score", True)):
            if getattr(self, name) == wanted:
                raise ValueError(
                    f"{name}={wanted!r} asks the trees about rows they have not seen; that takes "
                    "two partitions with rows and exchange=None, two samples of an exchange, or "
                    "sampling='bootstrap'"
                )

    def _grow_on(self, field: Field, say: FloatArray) -> None:
        learner, plan = self._learner(), self._plan_for(field)
        if learner.fills:
            field = field.filled()
            self._store(fill_values=field.recipe.fill)
        harvest = field.grow(plan.growers, with_facts=self.smoothing is not None)
        forest = Forest.average(harvest.trees, say)
        self._store(**plan.facts)
        self.smoothing_, self.smoothing_path_, self.flow_ = 0.0, None, learner.tree_flow
        if self.smoothing is not None:
            perturbation = perturbation_of(harvest.facts)
            if self.smoothing == "oob":
                loss = getattr(self, "loss", None)
                path = tuned_by_unseen(field, forest, perturbation, loss)
                self.smoothing_path_ = path
                self.smoothing_ = 0.0 if path is None else path.smoothing
            else:
                self.smoothing_ = float(self.smoothing)
            self.flow_ = perturbation.at(self.smoothing_)
        if self.oob_score:
            self.oob_score_ = score_by_unseen(field, forest, self.flow_)
        self._store(forest=forest)

    def _plan_for(self, field: Field) -> Plan:
        """Return a grower for each tree, and what was found out about them."""
        parameters = self._local_parameters()
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

    def permutation_importances(
        self, X: Any, y: Any, sample_weight: Any = None, *, n_repeats: int = 1
    ) -> Any:
        """Not offered: the rows of a tree are those of a partition, drawn elsewhere."""
        raise TypeError(
            "permutation_importances needs all training rows in one place; use "
            "sklearn.inspection.permutation_importance(model.to_local(), X, y) with new rows"
        )
