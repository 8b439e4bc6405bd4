"""Evolution of trees by genetic programming, for the least risk under a flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from softwood.data.training import TrainingSet
from softwood.flow import Gaussian, Hard
from softwood.grow.evolve_buffers import open_farm
from softwood.grow.evolve_rows import choices_of, rows_of
from softwood.grow.evolve_run import Run
from softwood.grow.evolve_seeds import as_line
from softwood.grow.evolve_trees import write_line
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood._kernels.evolve.run import Farm

OBJECTIVES = ("multi", "single")
CUTS = ("uniform", "values")


@dataclass(frozen=True, slots=True)
class Evolution:
    r"""Genetic programming of trees (Cao and Rockett).

    The risk of a tree is the share of the training weight that ends, under a flow, in leaves
    of other classes: the vicinal risk if the flow is Gaussian, the empirical one if it is
    hard. A population breeds in a steady state: two parents, drawn by rank, exchange
    subtrees; in both children a random subtree is replaced and a random node mutated; the
    children join and the two members of the worst rank leave. No flow but the exact Gaussian
    and the hard one can be asked for.

    Parameters
    ----------
    flow : Gaussian or Hard, default=Hard()
        How mass flows.
    objectives : {"multi", "single"}, default="multi"
        Ranks by Pareto dominance of risk and number of nodes; or by risk alone, with a limit
        of depth that only a tree better than all before may exceed.
    population_size : int, default=100
        Members, at least 2.
    max_depth : int, default=10
        Most tests on a path.
    cuts : {"uniform", "values"}, default="uniform"
        Whether a random cut lies anywhere in the range of a feature, or half way between
        the values of two rows.
    descent : bool, default=False
        Whether the tests of some of the best trees are moved now and then, one at a time,
        while that lowers the risk.

    References
    ----------
    .. [1] Y. Cao, P. I. Rockett (2015). The use of vicinal-risk minimization for training
       decision trees. Applied Soft Computing.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.flow import Gaussian
    >>> from softwood.grow.evolve import Evolution
    >>> X = np.array([[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]])
    >>> data = TrainingSet.of_classes(X, [0, 0, 0, 1, 1, 1])
    >>> run = Evolution(Gaussian(1.0), population_size=20).start(data, np.random.SeedSequence(0))
    >>> run.advance(2000)
    >>> best = run.best()
    >>> best.tree.n_leaves, abs(float(best.tree.threshold[0]) - 5.0) < 0.1
    (2, True)
    """

    flow: Gaussian | Hard = field(default_factory=Hard)
    objectives: str = "multi"
    population_size: int = 100
    max_depth: int = 10
    cuts: str = "uniform"
    descent: bool = False

    def __post_init__(self) -> None:
        for name, known in (("objectives", OBJECTIVES), ("cuts", CUTS)):
            if getattr(self, name) not in known:
                raise ValueError(
                    f"{name} must be one of {', '.join(known)}; got {getattr(self, name)!r}"
                )
        for name, least in (("population_size", 2), ("max_depth", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}; got {getattr(self, name)!r}")
        if not isinstance(self.flow, Hard) and not getattr(self.flow, "exact", False):
            raise ValueError(f"flow must be Hard() or an exact Gaussian; got {self.flow!r}")

    def start(
        self, data: TrainingSet, seed: np.random.SeedSequence, seeds: Sequence[Tree] = ()
    ) -> Run:
        """Return a run on ``data`` whose population is founded.

        Parameters
        ----------
        data : TrainingSet
            At least two classes, and a feature that is not constant; see :func:`can_evolve`.
        seed : SeedSequence
            Where all random numbers come from.
        seeds : sequence of Tree
            Trees that belong to the first population, at most as many as it has members.
            What lies deeper than ``max_depth`` is cut off.

        Returns
        -------
        Run
        """
        from softwood._kernels.evolve.run import NOBODY, evolve

        farm = self._farm(data, seed)
        lines = [as_line(tree, data, self.max_depth) for tree in seeds]
        lines = [line for line in lines if line.n_nodes <= farm.book.size.shape[1]]
        lines = lines[: self.population_size]
        for place, line in enumerate(lines):
            write_line(farm.book, place, line)
        evolve(farm, len(lines), 0, NOBODY, 0, np.zeros(1, np.int64))
        return Run(self, data, farm)

    def _farm(self, data: TrainingSet, seed: np.random.SeedSequence) -> Farm:
        from softwood._kernels.evolve.run import Rules
        from softwood._kernels.randomness import random_state

        rules = Rules(int(self.population_size), int(self.max_depth), self.objectives == "multi")
        rows, tests = rows_of(data, self.flow), choices_of(data, self.cuts)
        return open_farm(rows, tests, rules, random_state(seed))


def can_evolve(data: TrainingSet) -> bool:
    """Whether there are two classes and a feature that tells rows apart."""
    varies = np.fmin.reduce(data.X, axis=0) < np.fmax.reduce(data.X, axis=0)
    return bool(np.unique(data.label).size > 1 and varies.any())
