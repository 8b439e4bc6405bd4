"""Variable-random forests as learners: one alpha, a search for it, or Coalescence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.ensemble.alphas import (
    coalescing_alphas,
    missing_alphas,
    search_alpha,
)
from softwood.ensemble.shared_data import SampleGrower, grow_trees
from softwood.grow.random import RandomGrower, VariableRandom, check_max_features
from softwood.learn.forest import ForestLearner, Growth, Plan
from softwood.learn.settings import (
    MOST_ROWS,
    Setting,
    n_pilots,
    plan_of_chosen,
    plan_of_more,
)
from softwood.tree import Tree

SEARCH = "search"


@dataclass(frozen=True)
class RandomForestLearner(ForestLearner):
    """Variable-random trees.

    Parameters
    ----------
    policy : VariableRandom
        How nodes find their tests; its alpha is replaced by those of the trees.
    nominal_split : {"multiway", "one_vs_rest"}, default="multiway"
        Whether a test has a branch for each category, or asks for one of them.
    """

    policy: VariableRandom = field(default_factory=VariableRandom)
    nominal_split: str = "multiway"

    @property
    def one_vs_rest(self) -> bool:
        """Whether nodes test one category against all others."""
        return self.nominal_split == "one_vs_rest"

    @property
    def distrusts(self) -> bool:
        """Features of many categories that tell no more than chance are left out."""
        return True

    def check_columns(self, n_columns: int) -> None:
        """Complain if more features are to be looked at than there are."""
        check_max_features(self.policy.max_features, n_columns)

    def growers(self, alphas: Iterable[float]) -> list[SampleGrower]:
        """Return the growers of trees with these alphas."""
        return [RandomGrower(replace(self.policy, alpha=float(alpha))) for alpha in alphas]


@dataclass(frozen=True)
class OneAlphaForest(RandomForestLearner):
    """Trees of one alpha; "search" finds it."""

    alpha: float | str = 0.5

    def plan(self, growth: Growth) -> Plan:
        """Return growers that are all alike."""
        known: Any = () if growth.earlier is None else growth.earlier.facts["alphas"]
        if self.alpha != SEARCH:
            alpha = float(self.alpha)
        elif len(known):
            alpha = float(known[-1])
        else:
            return self._searched(growth)
        alphas = np.full(self.n_trees, alpha)
        alphas[: len(known)] = known
        return Plan(self.growers(alphas), growth.earlier_trees, {"alphas": alphas})

    def _searched(self, growth: Growth) -> Plan:
        shared = growth.shared
        assert shared is not None

        def grow(alpha: float) -> Sequence[Tree]:
            growers = self.growers([alpha] * self.n_trees)
            return grow_trees(growers, shared, growth.jobs, report=growth.report)

        found = search_alpha(grow, shared.data)
        alphas = np.full(self.n_trees, found.alpha)
        losses = dict(zip(found.alphas.tolist(), found.losses.tolist(), strict=True))
        facts = {"alphas": alphas, "alpha_losses": losses}
        return Plan(self.growers(alphas), found.trees, facts)


@dataclass(frozen=True)
class CoalescenceForest(RandomForestLearner):
    """Trees from random to half deterministic, or in several settings.

    Parameters
    ----------
    alpha_range : (float, float), default=(0, 0.5)
        From which alpha to which, in the usual setting.
    settings : tuple of Setting, default=()
        What rows out of bag choose from, where they are to choose.
    of_many_rows : VariableRandom, optional
        The policy in place of ``policy``, where rows are too many to choose.
    """

    alpha_range: tuple[float, float] = (0.0, 0.5)
    settings: tuple[Setting, ...] = ()
    of_many_rows: VariableRandom | None = None

    def plan(self, growth: Growth) -> Plan:
        """Return a grower for each alpha; a warm start fills the gaps between those it has."""
        if growth.earlier is None:
            pilots = n_pilots(self.n_trees, len(self.settings), self.sampling, growth.shared)
            if pilots:
                return plan_of_chosen(self.settings, self.n_trees, pilots, growth)
            return self._usual(coalescing_alphas(self.n_trees, *self.alpha_range), growth)
        choice = growth.earlier.facts.get("choice", {})
        if choice and set(choice) == {setting.name for setting in self.settings}:
            return plan_of_more(self.settings, self.n_trees, growth)
        known = growth.earlier.facts["alphas"]
        wanted = coalescing_alphas(self.n_trees, *self.alpha_range)
        return self._usual(np.concatenate([known, missing_alphas(known, wanted)]), growth)

    def _usual(self, alphas: FloatArray, growth: Growth) -> Plan:
        shared, learner = growth.shared, self
        if self.of_many_rows is not None and shared and shared.data.n_rows > MOST_ROWS:
            learner = replace(self, policy=self.of_many_rows)
        facts = {"alphas": alphas, "choice": {}}
        return Plan(learner.growers(alphas), growth.earlier_trees, facts)
