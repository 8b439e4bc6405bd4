"""Forests as learners: grow all trees on one table that they share, and smooth them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs, Report
from softwood.ensemble.sampling import Sampling
from softwood.ensemble.shared_data import SampleGrower, SharedTrainingData, grow_trees
from softwood.ensemble.smoothing import perturbed, tuned_by_holdout, tuned_out_of_bag
from softwood.flow import Flow, Hard
from softwood.forest import Forest
from softwood.forest.packed import joined
from softwood.learn.fitted import ONE_JOB, Fitted
from softwood.tree import Tree


@dataclass(frozen=True)
class Plan:
    """A grower for each tree, the trees that are there already, and what was found out."""

    growers: list[SampleGrower]
    grown: Sequence[Tree] = ()
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Growth:
    """How a forest is to grow: on what table, side by side, from which trees on.

    Attributes
    ----------
    shared : SharedTrainingData
        What the trees grow on; None if the plan does not depend on it.
    jobs : Jobs
        How many grow at once.
    earlier : Fitted, optional
        The forest that a warm start goes on from.
    report : callable, optional
        Called for each tree.
    """

    shared: SharedTrainingData | None = None
    jobs: Jobs = ONE_JOB
    earlier: Fitted | None = None
    report: Report | None = None

    @property
    def earlier_trees(self) -> Sequence[Tree]:
        """The trees of the forest to go on from."""
        return () if self.earlier is None else self.earlier.forest.trees


@dataclass(frozen=True)
class ForestLearner:
    """Many trees whose answers are averaged; a subclass says how they grow, in ``plan``.

    Parameters
    ----------
    n_trees : int, default=100
        Number of trees.
    sampling : Sampling
        What a tree sees of the table.
    smoothing : {"oob", "holdout"}, float or None
        How to blur the rows, or by how much.
    loss : str, optional
        What the smoothing is chosen by.
    """

    n_trees: int = 100
    sampling: Sampling = field(default_factory=Sampling)
    smoothing: Any = None
    loss: str | None = None

    def plan(self, growth: Growth) -> Plan:
        """Return how the trees grow."""
        raise NotImplementedError

    @property
    def one_vs_rest(self) -> bool:
        """Whether nodes test one category against all others."""
        return False

    @property
    def distrusts(self) -> bool:
        """Whether features of many categories that tell no more than chance are left out."""
        return False

    @property
    def fills(self) -> bool:
        """Whether a missing value counts as a certain one, the same to all trees."""
        return False

    @property
    def tree_flow(self) -> Flow:
        """How rows flow through the trees as they have grown."""
        return Hard()

    def check(self) -> None:
        """Complain of options that do not go together."""

    def check_columns(self, n_columns: int) -> None:
        """Complain of options that do not suit so many features, or one-hot columns."""

    def fit(
        self,
        data: TrainingSet,
        seed: int,
        jobs: Jobs = ONE_JOB,
        *,
        earlier: Fitted | None = None,
        report: Report | None = None,
    ) -> Fitted:
        """Return the forest; see :class:`softwood.learn.fitted.Learner`.

        Parameters
        ----------
        data, seed, jobs
            The rows, the seed, and how many trees grow at once.
        earlier : Fitted, optional
            A forest of the same learner, seed and rows, but fewer trees, to go on from.
        report : callable, optional
            Called for each tree that has grown.
        """
        shared = self._shared(data, seed, jobs)
        growth = Growth(shared, jobs, earlier, report)
        plan = self.plan(growth)
        forest = self._grown(plan, growth)
        smoothed = self._smoothed(forest, plan, growth)
        one_hot = shared.one_hot
        left_out = np.empty(0, dtype=int) if one_hot is None else one_hot.left_out
        return Fitted(
            forest, smoothed.pop("flow"), {**plan.facts, **smoothed, "left_out": left_out}
        )

    def _shared(self, data: TrainingSet, seed: int, jobs: Jobs) -> SharedTrainingData:
        rules = (self.one_vs_rest, self.distrusts)
        shared = SharedTrainingData.of(data, self.sampling, seed, jobs, *rules)
        self.check_columns(max(data.X.shape[1], shared.weighed.X.shape[1]))
        return shared

    def _grown(self, plan: Plan, growth: Growth) -> Forest:
        first = len(plan.grown)
        assert growth.shared is not None
        new = grow_trees(
            plan.growers[first:], growth.shared, growth.jobs, first=first, report=growth.report
        )
        # Trees that are packed are left so: most fits have but one kind.
        return Forest.average(joined(plan.grown, new))

    def _smoothed(self, forest: Forest, plan: Plan, growth: Growth) -> dict[str, Any]:
        """Return the flow, the smoothing and how it was chosen."""
        shared, path = growth.shared, None
        assert shared is not None

        def grow_again(part: SharedTrainingData) -> Forest:
            again = grow_trees(plan.growers, part, growth.jobs, report=growth.report)
            return Forest.average(again)

        if self.smoothing is None:
            return {"flow": self.tree_flow, "smoothing": 0.0, "smoothing_path": None}
        if self.smoothing == "oob":
            path = tuned_out_of_bag(forest, shared, self.loss)
        elif self.smoothing == "holdout":
            path = tuned_by_holdout(grow_again, shared, self.loss)
        given = 0.0 if isinstance(self.smoothing, str) else float(self.smoothing)
        return {
            "flow": perturbed(shared.data, given) if path is None else path.flow,
            "smoothing": given if path is None else path.smoothing,
            "smoothing_path": path,
        }
