"""Softening by simulated annealing (Dvořák and Savický)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from softwood.data.folds import deal_folds
from softwood.data.training import TrainingSet
from softwood.flow import Ramp
from softwood.learn.soften.method import Grow, Method, Setting, Soft
from softwood.refine.responses import with_flow_weights
from softwood.tree import Tree

MIN_HELD_OUT = 30  # rows from which on a third can be spared


@dataclass
class Anneal(Method):
    """Choose the widths of all tests together, by simulated annealing.

    Parameters
    ----------
    schedule : {"fast", "sann"}, default="fast"
        How the temperature falls; "sann" is the paper's own.
    n_candidates : int, default=10
        A tree is grown on two thirds of the rows; its pruned versions are softened on all of
        them until so many have become better, and the best is taken. 1 softens the tree
        as it is.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import Anneal, SoftTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> SoftTreeClassifier(method=Anneal(n_candidates=1), random_state=0).fit(X, y).flow_
    Ramp(drop=1e-15, shape='linear')
    """

    name: ClassVar[str] = "anneal"

    schedule: str = "fast"
    n_candidates: int = 10

    @property
    def grows_large(self) -> bool:  # type: ignore[override]
        """Whether versions of a large tree compete."""
        return self.n_candidates > 1

    def learn(self, data: TrainingSet, grow: Grow, setting: Setting) -> Soft:
        """Grow on a part of the rows, and soften pruned versions of the tree on all.

        Leaves that have seen a row already are surer of it than of others; a third of the
        rows that the tree has not seen keeps the widths honest (section 5.2 of the paper).
        """
        if self.n_candidates == 1:
            return super().learn(data, grow, setting)
        parts = deal_folds(data.label, 3, np.random.default_rng(setting.seed))
        tree = grow(data.take(parts[0][0]) if data.n_rows >= MIN_HELD_OUT else data)
        soft = tree if tree.n_leaves == 1 else self._annealed(tree, data, setting)
        return Soft(with_flow_weights(soft, Ramp(), data), Ramp())

    def _softened(self, tree: Tree, data: TrainingSet, grow: Grow, setting: Setting) -> Soft:
        return Soft(self._annealed(tree, data, setting), Ramp())

    def _annealed(self, tree: Tree, data: TrainingSet, setting: Setting) -> Tree:
        from softwood.refine.anneal import SoftenByAnnealing, soften_sequence

        annealing = SoftenByAnnealing(self.schedule, random_state=setting.seed)
        if self.n_candidates == 1:
            return annealing.refine(tree, data)
        return soften_sequence(tree, data, annealing, n_candidates=self.n_candidates)
