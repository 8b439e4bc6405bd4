"""Fitted trees on other rows: the tests stay, leaves, widths and lambda are estimated anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.folds import deal_folds
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.flow import Flow, Hard
from softwood.forest import Forest
from softwood.grow.random import curtailed
from softwood.learn.c45 import laplace_corrected
from softwood.learn.fitted import ONE_JOB
from softwood.refine.perturbation import Perturbation
from softwood.refine.refresh import Refreshed, RefreshLeaves
from softwood.refine.responses import node_weights
from softwood.refine.smoothing import SmoothingPath, tune_smoothing
from softwood.tree import Tree

FOLDS = 10
MOST_JUDGED = 2000  # rows that judge a lambda: more would take long and tell little


@dataclass(frozen=True)
class Refresher:
    """How the trees of a model take their answers from rows: as when it was fitted.

    Parameters
    ----------
    leaves : RefreshLeaves
        How leaves are estimated.
    curtail : float or tuple of float, optional
        A leaf that some rows reach, but weighs no more than this, answers as the nearest node
        above that does; of several, one for each tree.
    laplace : bool, default=False
        Whether nodes answer as if they had one more case of every class.
    rule : {"c50", "c50-cut", "c45"}, optional
        How the widths of tests follow from the rows; by default they stay.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.forest import Forest
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.learn.refresh import Refresher
    >>> X = np.arange(6.0)[:, None]
    >>> tree = GreedyGrower(Cart()).grow(TrainingSet.of_classes(X, [0, 0, 0, 1, 1, 1]))
    >>> newer = TrainingSet.of_classes(X[:3], [0, 0, 1], n_classes=2)
    >>> forest, n_unreached = Refresher().refreshed(Forest.average([tree]), newer)
    >>> forest.trees[0].response.round(3).tolist(), n_unreached
    ([[0.667, 0.333], [0.667, 0.333], [0.0, 1.0]], 1)
    """

    leaves: RefreshLeaves = field(default_factory=RefreshLeaves)
    curtail: float | tuple[float, ...] | None = None
    laplace: bool = False
    rule: str | None = None

    def refreshed(
        self, forest: Forest, data: TrainingSet, jobs: Jobs = ONE_JOB
    ) -> tuple[Forest, int]:
        """Return the forest with new answers, and how many leaves keep their old ones.

        Parameters
        ----------
        forest : Forest
            Whose trees answer on their own.
        data : TrainingSet
            The rows, with weights in the unit of those of the trees.
        jobs : Jobs
            How many trees at once.
        """
        pairs = zip(forest.trees, self.curtail_of_trees(forest.n_trees), strict=True)
        done: list[Refreshed] = jobs.each(lambda pair: self._tree(pair[0], pair[1], data), pairs)
        n_unreached = sum(int(np.count_nonzero(~one.reached)) for one in done)
        return forest.replace(trees=tuple(one.tree for one in done)), n_unreached

    def _tree(self, tree: Tree, curtail: float | None, data: TrainingSet) -> Refreshed:
        new, reached = self.corrected(self.leaves.refreshed(tree, data), curtail)
        if self.rule is not None:
            new = _with_widths(new, data, self.rule)
        return Refreshed(new, reached)

    @property
    def takes_sums(self) -> bool:
        """Whether leaves need no more than the sums of the rows that come to each."""
        return isinstance(self.leaves.flow, Hard) and not self.leaves.solve and self.rule is None

    def curtail_of_trees(self, n_trees: int) -> tuple[float | None, ...]:
        """Return ``curtail`` of each tree."""
        return self.curtail if isinstance(self.curtail, tuple) else (self.curtail,) * n_trees

    def corrected(self, found: Refreshed, curtail: float | None) -> Refreshed:
        """Return a tree whose small leaves answer as they do in the model.

        Parameters
        ----------
        found : Refreshed
            The tree, and which leaves rows have reached.
        curtail : float or None
            That of the tree.
        """
        new, reached = found
        counted = np.ones(new.n_nodes, dtype=bool)
        counted[new.leaves] = reached  # the others answer as before, whatever the rules
        for corrected in self._corrections(curtail):
            new = new.replace(response=np.where(counted[:, None], corrected(new), new.response))
        return Refreshed(new, reached)

    def _corrections(self, curtail: float | None) -> Iterator[Callable[[Tree], FloatArray]]:
        if curtail is not None:
            yield partial(curtailed, least=curtail)
        if self.laplace:
            yield laplace_corrected

    def tuned(
        self,
        forest: Forest,
        data: TrainingSet,
        noise: Perturbation,
        loss: str | None = None,
        rule: str = "best",
        seed: int = 0,
        jobs: Jobs = ONE_JOB,
    ) -> SmoothingPath | None:
        """Choose lambda: leaves that were estimated on nine folds answer the rows of the tenth.

        Parameters
        ----------
        forest, data, jobs
            As of :meth:`refreshed`.
        noise : Perturbation
            What lambda multiplies.
        loss, rule
            As of :func:`softwood.refine.smoothing.tune_smoothing`.
        seed : int
            Draws the folds.

        Returns
        -------
        SmoothingPath or None
            None if there is nothing to smooth, or but one row.
        """
        if not forest.has_tests or data.n_rows < 2:
            return None
        rng = np.random.default_rng(seed)
        folds = deal_folds(data.label, min(FOLDS, data.n_rows), rng)
        judges = _some(data.n_rows, rng)
        parts: list[tuple[Forest, AnyArray]] = []
        for train, test in folds:
            test = test[judges[test]]
            if test.size:
                parts.append((self.refreshed(forest, data.take(train), jobs)[0], test))

        def predict(flow: Flow) -> FloatArray:
            return np.concatenate([part.predict(data.X[rows], flow) for part, rows in parts])

        judged = data.take(np.concatenate([rows for _, rows in parts]))
        return tune_smoothing(predict, judged, noise, loss, rule)


def _some(n_rows: int, rng: np.random.Generator) -> AnyArray:
    """Return the mask of the rows that judge."""
    judges = np.zeros(n_rows, dtype=bool)
    judges[rng.permutation(n_rows)[:MOST_JUDGED]] = True
    return judges


def _with_widths(tree: Tree, data: TrainingSet, rule: str) -> Tree:
    """Return the tree with widths by its errors; tests that no row meets keep theirs."""
    from softwood.refine.confidence import SoftenByConfidence

    soft = SoftenByConfidence(rule).refine(tree, data)
    met = node_weights(tree, Hard(), data) > 0.0
    return soft.replace(
        **{
            name: np.where(met, getattr(soft, name), getattr(tree, name))
            for name in ("threshold", "below", "above")
        }
    )
