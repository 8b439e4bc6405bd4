"""A teacher: bagged trees, whose answers tell a single tree more than bare labels do.

A label says which class a row had; the teacher says how likely each class is there. On
rows it has seen it answers out of bag. Between them it is asked about blurred rows, of
which there are as many as one likes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from softwood._types import FEW_CATEGORIES, AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Hard
from softwood.refine.soft_targets import SoftTargets, soft_targets_of
from softwood.tree import Tree

LARGEST = np.finfo(np.float64).max
Grow = Callable[[TrainingSet], Tree]
Map = Callable[[Callable[[int], tuple[Tree, AnyArray]], range], list[tuple[Tree, AnyArray]]]


@dataclass(frozen=True)
class Teacher:
    """Ask bagged trees what to learn.

    Parameters
    ----------
    n_trees : int, default=50
        Trees of the teacher.
    trust : float, default=0.5
        Weight of its out-of-bag answers against the labels, on the rows themselves.
    n_copies : int, default=1
        Blurred copies of each row, answered by the teacher alone. Columns of many categories
        are dealt anew among them.
    blur : float, default=0.3
        Deviation of their normal noise, in deviations of the features.
    seed : int, default=0
        Makes samples and noise repeatable.
    """

    n_trees: int = 50
    trust: float = 0.5
    n_copies: int = 1
    blur: float = 0.3
    seed: int = 0

    def soft_targets(
        self, grow: Grow, data: TrainingSet, deviation: FloatArray, run: Map | None = None
    ) -> SoftTargets:
        """Return what the teacher has to say about ``data``.

        Parameters
        ----------
        grow : callable
            Grows a tree of the teacher.
        data : TrainingSet
            The rows.
        deviation : ndarray of shape (n_features,)
            Of each feature; 0 for those that are not blurred.
        run : callable, optional
            Runs a function over numbers of trees, perhaps in parallel.
        """
        sequence = np.random.SeedSequence(self.seed)
        seeds = sequence.spawn(self.n_trees + 1)
        bagged = _Bagged(grow, data, seeds[:-1])
        grown = list((run or map)(bagged, range(self.n_trees)))
        own = soft_targets_of(data)
        target = (1.0 - self.trust) * own.target + self.trust * _out_of_bag(grown, data, own)
        X, targets, weights = [data.X], [target], [data.weight]
        rng = np.random.default_rng(seeds[-1])
        for _ in range(self.n_copies):
            with np.errstate(over="ignore"):
                blurred = data.X + self.blur * deviation * rng.standard_normal(data.X.shape)
            np.clip(blurred, -LARGEST, LARGEST, out=blurred)
            for feature in np.flatnonzero(data.n_categories > FEW_CATEGORIES):
                # Else a category of one row would pass for one of many rows that agree.
                blurred[:, feature] = rng.permutation(blurred[:, feature])
            answers = [Hard().predict(tree, blurred) for tree, _ in grown]
            X.append(blurred)
            targets.append(np.mean(answers, axis=0))
            weights.append(data.weight)
        return SoftTargets(np.vstack(X), np.vstack(targets), np.concatenate(weights))


@dataclass(frozen=True, eq=False)
class _Bagged:
    """Grows the k-th tree on the rows it draws; an object, as processes take no closures."""

    grow: Grow
    data: TrainingSet
    seeds: list[np.random.SeedSequence]

    def __call__(self, k: int) -> tuple[Tree, AnyArray]:
        drawn = _draw(self.data.weight, np.random.default_rng(self.seeds[k]))
        # A heavy row is drawn more often, and must not count twice for it.
        sample, _ = replace(self.data, weight=np.ones(self.data.n_rows)).drawn(drawn)
        return self.grow(sample), drawn


def _draw(weight: FloatArray, rng: np.random.Generator) -> AnyArray:
    """Return as many rows as there are, drawn with chances in proportion to weight."""
    n_rows = weight.size
    if np.all(weight == weight[0]):
        return rng.integers(0, n_rows, n_rows)
    return rng.choice(n_rows, n_rows, p=weight / weight.sum())


def _out_of_bag(
    grown: list[tuple[Tree, AnyArray]], data: TrainingSet, own: SoftTargets
) -> FloatArray:
    """Return the mean answer of the trees that have not seen a row; its own if all have."""
    total, count = np.zeros(own.target.shape), np.zeros(data.n_rows)
    for tree, drawn in grown:
        unseen = np.ones(data.n_rows, dtype=bool)
        unseen[drawn] = False
        total[unseen] += Hard().predict(tree, data.X[unseen])
        count[unseen] += 1
    never = count == 0
    total[never], count[never] = own.target[never], 1
    return total / count[:, None]
