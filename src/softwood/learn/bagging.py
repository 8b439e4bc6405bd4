"""Bagging: any learner of single trees, on bootstraps of the rows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from softwood._types import AnyArray
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs, Report
from softwood.ensemble.sampling import Sampling
from softwood.ensemble.shared_data import SampleGrower
from softwood.flow import Flow, Hard
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.grow.random import RandomGrower
from softwood.grow.ranks import RankedTable
from softwood.learn.cart import CartLearner
from softwood.learn.fitted import ONE_JOB, Fitted, Learner
from softwood.learn.forest import ForestLearner, Growth, Plan
from softwood.learn.oblique import ObliqueLearner, fill_values, filled
from softwood.learn.random_tree import RandomTreeLearner
from softwood.refine.responses import in_given_units
from softwood.tree import Tree

# What CART may have so that its trees grow on ranks that all samples share.
PLAIN = {"max_leaf_nodes": None, "ccp_alpha": 0.0, "pruning": None, "min_weight_fraction_leaf": 0.0}


@dataclass(frozen=True)
class LearnerOfSample:
    """Grows the trees of any learner from samples of the rows."""

    member: Learner

    def grow(
        self,
        data: TrainingSet,
        seed: np.random.SeedSequence,
        *,
        ranks: RankedTable | None = None,
        rows: AnyArray | None = None,
        features: AnyArray | None = None,
    ) -> Tree:
        """Return a tree; all that is random comes from ``seed``."""
        if rows is not None:
            data, _ = data.drawn(rows)
        number = int(seed.generate_state(1)[0] >> 1)
        tree = self.member.fit(data, number, ONE_JOB).tree
        responses: Any = getattr(self.member, "responses", None)
        if responses is not None:
            tree = tree.replace(response=responses(tree))
        return in_given_units(tree, data)


@dataclass(frozen=True, slots=True)
class CartOfSample:
    """Grow CART trees from samples of the rows."""

    policy: Cart

    def grow(
        self,
        data: TrainingSet,
        seed: np.random.SeedSequence,
        *,
        ranks: RankedTable | None = None,
        rows: AnyArray | None = None,
        features: AnyArray | None = None,
    ) -> Tree:
        """Return a tree; nothing is drawn from ``seed``, and every feature is looked at."""
        if rows is not None:
            data, rows = data.drawn(rows)
            ranks = None if ranks is None else ranks.take(rows)
        return in_given_units(GreedyGrower(self.policy).grow(data, ranks), data)


def _is_plain(member: CartLearner) -> bool:
    plain = all(getattr(member, name) == value for name, value in PLAIN.items())
    return plain and member.criterion != "vicinal"


@dataclass(frozen=True)
class Bagging(ForestLearner):
    """Trees of one learner, each on a bootstrap.

    Parameters
    ----------
    member : Learner
        Learns each tree.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.learn.bagging import Bagging
    >>> from softwood.learn.c45 import C45Learner
    >>> rng = np.random.default_rng(0)
    >>> data = TrainingSet.of_classes(rng.normal(size=(50, 3)), rng.integers(0, 2, 50))
    >>> Bagging(n_trees=3, member=C45Learner()).fit(data, seed=0).forest
    Forest(n_trees=3, n_features=3, n_outputs=2, link='identity')
    """

    sampling: Sampling = field(default_factory=lambda: Sampling("bootstrap"))
    member: Learner = field(default_factory=CartLearner)

    @property
    def tree_flow(self) -> Flow:
        """How rows flow through the trees, as the learner wants it."""
        flow: Flow = getattr(self.member, "shared_flow", Hard())
        return flow

    @property
    def distrusts(self) -> bool:
        """Whether members are C4.5 trees, which do not judge columns by chance themselves."""
        return isinstance(self.member, RandomTreeLearner)

    @property
    def one_vs_rest(self) -> bool:
        """Whether members test one category against all others."""
        return isinstance(self.member, RandomTreeLearner) and self.member.one_vs_rest

    @property
    def fills(self) -> bool:
        """Whether members are oblique: a sum needs all its terms, and the same to all."""
        return isinstance(self.member, ObliqueLearner)

    def check(self) -> None:
        """Complain of members that cannot be in an ensemble, or not in one that is smoothed."""
        soft = not isinstance(self.tree_flow, Hard)
        if soft and self.smoothing is not None:
            raise ValueError(
                f"smoothing={self.smoothing!r} blurs hard trees, and the trees of this estimator "
                "are soft already: use smoothing=None"
            )

    def plan(self, growth: Growth) -> Plan:
        """Return growers that are all alike."""
        return Plan([self._grower()] * self.n_trees, growth.earlier_trees)

    def _grower(self) -> SampleGrower:
        member = self.member
        if isinstance(member, RandomTreeLearner):
            return RandomGrower(member.policy)
        if isinstance(member, CartLearner) and _is_plain(member):
            limits = (member.max_depth, member.min_samples_split, member.min_samples_leaf)
            return CartOfSample(Cart(member.criterion, *limits))
        return LearnerOfSample(member)

    def fit(
        self,
        data: TrainingSet,
        seed: int,
        jobs: Jobs = ONE_JOB,
        *,
        earlier: Fitted | None = None,
        report: Report | None = None,
    ) -> Fitted:
        """Return the forest; see :meth:`ForestLearner.fit`."""
        self.check()
        if not self.fills:
            return super().fit(data, seed, jobs, earlier=earlier, report=report)
        fill = fill_values(data)
        data = replace(data, X=filled(data.X, fill))
        fitted = super().fit(data, seed, jobs, earlier=earlier, report=report)
        return replace(fitted, facts={**fitted.facts, "fill_values": fill})
