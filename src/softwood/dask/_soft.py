"""The frame of distributed soft trees: an ensemble grows, and teaches one tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from softwood._types import AnyArray
from softwood.dask._base import EXCHANGE, Distributed
from softwood.dask.dealing import deal_trees
from softwood.dask.exchange import AUTO, Exchange, bytes_of_row, joined
from softwood.dask.growing import Field, Recipe
from softwood.dask.leaves import with_leaves_of_all
from softwood.dask.partitions import Part
from softwood.dask.reading import Reader
from softwood.dask.running import computed, kept_on_workers
from softwood.dask.survey import Survey, survey
from softwood.dask.teaching import set_apart, taught
from softwood.data.seeds import drawn_seed
from softwood.data.training import TrainingSet
from softwood.ensemble.sampling import seed_of_tree
from softwood.estimators._base import all_or_nothing
from softwood.estimators._limits import limit_of
from softwood.estimators.soft import _SoftTree
from softwood.forest import Forest
from softwood.learn.bagging import Bagging
from softwood.learn.fitted import Fitted
from softwood.learn.forest import ForestLearner, Growth
from softwood.learn.soften import Gradient
from softwood.learn.soften.ensembles import N_BAGGED, fully_grown, spectrum

ENOUGH = 100_000  # rows for a tree of at most 32 leaves
LARGEST_SHARE = 0.5  # of the rows that the teacher is not to see


class DistributedSoftTree(Distributed, _SoftTree):
    """Base of the soft trees that are fitted to Dask collections."""

    _own_parameters: ClassVar[dict[str, tuple[Any, list[Any]]]] = {
        **EXCHANGE,
        "n_taught": (ENOUGH, [limit_of(2)]),
    }

    exchange_: Exchange | None

    def _check_parameters(self) -> None:
        method = self._learner().method
        if self.estimator is not None or not isinstance(method, Gradient) or method.teacher != AUTO:
            raise ValueError(
                "a soft tree of Dask collections is taught by an ensemble that grows on them: use "
                "estimator=None and method='gradient', or Gradient(...) with teacher='auto'"
            )

    def _fit_parts(self, parts: Sequence[Part]) -> Self:
        with all_or_nothing(self):
            found = survey(self._unfitted(), parts)
            reader, seed = found.reader, drawn_seed(self.random_state)
            rows = reader.read_later([parts[number] for number in found.used])
            fitted = self._taught(found, rows, seed)
            self._let_go()
            self.__dict__.pop("size_path_", None)
            self._note_columns(reader.estimator)
            self._store(**({} if reader.classes is None else {"classes": reader.classes}))
            self._store(tree=fitted.tree, flow=fitted.flow, **fitted.facts)
        return self

    def _taught(self, found: Survey, rows: list[Any], seed: int) -> Fitted:
        from dask import delayed

        n_rows, learner = int(found.n_rows.sum()), delayed(self._learner(), traverse=False)
        teach = delayed(taught)
        self.exchange_ = None
        if n_rows <= self.n_taught:
            return only(computed([teach(learner, (), delayed(joined)(rows), seed)], "trees"))
        n_apart = min(self.n_taught, max(2, int(LARGEST_SHARE * n_rows)))
        apart, rest, n_left = set_apart(rows, found.n_rows, n_apart, seed)
        (apart,) = kept_on_workers([apart])
        teachers = self._teachers(found.reader, rest, n_left, seed)
        sent = delayed(teachers, traverse=False)
        fitted = only(computed([teach(learner, sent, apart, seed)], "trees"))
        return with_leaves_of_all(fitted, rows)

    def _teachers(
        self, reader: Reader, rest: list[Any], n_left: AnyArray, seed: int
    ) -> tuple[Forest, ...]:
        """Return ensembles of all other rows, those that the tree has in memory by default."""
        some = np.flatnonzero(n_left)
        rest, n_left = [rest[j] for j in some], n_left[some]
        learners = ensembles_of(reader)
        own = int(seed_of_tree(seed, 0).generate_state(1)[0] >> 1)  # not the pupil's numbers
        row_bytes = bytes_of_row(int(reader.estimator.n_features_in_), reader.classes is None)
        n_trees = min(learner.n_trees for learner in learners)
        self.exchange_ = Exchange.of(self.exchange, n_left, row_bytes, n_trees)
        if self.exchange_ is not None:
            rest = kept_on_workers(self.exchange_.dealt(rest, n_left, own))
            n_left = np.ones(len(rest))
        grown = []
        for learner in learners:
            recipe = Recipe(reader, learner.sampling, own, learner.one_vs_rest)
            owner = deal_trees(learner.n_trees, n_left.astype(np.float64))
            field = Field(rest, recipe, owner)
            if self.exchange_ is not None and learner.distrusts:
                field = field.trusting()
            grown.append(field.grow(learner.plan(Growth()).growers, with_facts=False))
        return tuple(Forest.average(harvest.trees) for harvest in grown)


def ensembles_of(reader: Reader) -> tuple[ForestLearner, ...]:
    """Return bagged trees and Coalescence, as :class:`Teacher` has them."""
    X = np.empty((0, int(reader.estimator.n_features_in_)))
    if reader.classes is None:
        like = TrainingSet.of_target(X, np.empty(0))
    else:
        like = TrainingSet.of_classes(X, np.empty(0, dtype=int), n_classes=reader.classes.size)
    return Bagging(N_BAGGED, member=fully_grown(like)), spectrum(like)


def only(found: list[Fitted]) -> Fitted:
    """Return the one thing in a list."""
    (fitted,) = found
    return fitted
