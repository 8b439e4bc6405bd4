"""What a learner returns, and what every learner can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.flow import Flow, Hard
from softwood.forest import Forest
from softwood.tree import Tree

ONE_JOB = Jobs(1)


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Trees, how rows flow through them, and what else was found out.

    Attributes
    ----------
    forest : Forest
        The trees; a single tree is a forest of one.
    flow : Flow
        How rows flow through all of them.
    facts : mapping
        Fitted attributes of the estimator, without the underscore at the end of their names.
    """

    forest: Forest
    flow: Flow = field(default_factory=Hard)
    facts: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_tree(cls, tree: Tree, flow: Flow | None = None, **facts: Any) -> Fitted:
        """Return what was fitted if that is a single tree."""
        return cls(Forest.average([tree]), flow or Hard(), facts)

    @property
    def tree(self) -> Tree:
        """The first tree: the only one of a single tree."""
        return self.forest.trees[0]


class Learner(Protocol):
    """Learns trees from a training set."""

    def fit(self, data: TrainingSet, seed: int, jobs: Jobs = ONE_JOB) -> Fitted:
        """Return what was learned; the same seed gives the same bits, whatever the jobs.

        Parameters
        ----------
        data : TrainingSet
            The rows.
        seed : int
            From which all that is random is drawn.
        jobs : Jobs
            How much may run at once.
        """
        ...
