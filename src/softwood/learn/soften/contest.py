"""A contest of taught trees: of several sizes, straight and oblique, all taught alike.

All of them are cut from one tree that was grown once, and trained briefly: that ranks them as
long training does. The one that is taken is then trained at length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from softwood.data.training import TrainingSet
from softwood.learn.soften.lessons import Lessons
from softwood.learn.soften.method import Setting
from softwood.learn.soften.sizes import SizePath, clear_difference
from softwood.refine.shrink import distance
from softwood.tree import OBLIQUE, Tree

if TYPE_CHECKING:
    from softwood.learn.soften.gradient import Gradient

# Which of the sizes an oblique tree is tried with, before others are trained.
TRIAL, TRIAL_OF_NUMBERS = 2, 1
# Of the squared error of as many straight leaves: at no more, numbers deserve oblique tests.
HALF = 0.5
SHORT = (3, 6)  # terms that a person can read: more of them only where these lose clearly more


class Cut(Protocol):
    """Cuts a tree back to some size."""

    def refine(self, tree: Tree) -> Tree:
        """Return the smaller tree."""


@dataclass(eq=False)
class Contest:
    """Trees of several sizes, trained on the same answers.

    Parameters
    ----------
    method : Gradient
        Trains them.
    data : TrainingSet
        The rows.
    grown : Tree
        The tree that all are cut from, grown on the teacher's verdicts.
    cuts : sequence of Cut
        To the sizes, from small to large.
    lessons : Lessons
        What the teacher has said.
    setting : Setting
        What else the method is told.
    """

    method: Gradient
    data: TrainingSet
    grown: Tree
    cuts: Sequence[Cut]
    lessons: Lessons
    setting: Setting
    _first: dict[int, Tree] = field(default_factory=dict)  # by size
    _started: list[tuple[Tree, Tree, Setting]] = field(default_factory=list)  # trained, from, how

    def winner(self, may_turn: bool) -> SizePath:
        """Return the path of the trees, of which the one that was taken is trained at length.

        Parameters
        ----------
        may_turn : bool
            Whether to take oblique trees instead, if a small one is better than all straight
            ones, or, for numbers, twice as good as a straight one of its size: that, and larger
            ones as long as they are clearly better.
        """
        sizes = self.entries(range(len(self.cuts)), self.setting)
        if may_turn:
            sizes = self._turned(sizes)
        return self._finished(sizes)

    def first(self, place: int) -> Tree:
        """Return the tree of a size before it is trained."""
        if place not in self._first:
            cut = self.cuts[place].refine(self.grown)
            self._first[place] = self.method.without_cheap_tests(cut, self.data, self.lessons)
        return self._first[place]

    def entries(self, places: Sequence[int], setting: Setting) -> SizePath:
        """Return the trees of some sizes, trained briefly, and what each loses."""
        trees: list[Tree] = []
        losses: list[float] = []
        n_leaves = 0
        for place in places:
            first = self.first(place)
            if first.n_leaves <= n_leaves:  # the rows do not allow more
                break
            n_leaves = first.n_leaves
            trees.append(self.method.taught(first, self.data, self.lessons, setting, brief=True))
            self._started.append((trees[-1], first, setting))
            losses.append(self.loss(trees[-1]))
        return SizePath.of(trees, losses, clear_difference(self.data.n_rows))

    def loss(self, tree: Tree) -> float:
        """Return how far a tree is from what it was taught of the rows."""
        wanted = self.lessons.targets.target[: self.data.n_rows]
        answers = self.method.shared_flow.predict(tree, self.data.X)
        lost = distance(answers, wanted, self.data.is_regression)
        return float(np.average(lost, weights=self.data.weight))

    def _turned(self, straight: SizePath) -> SizePath:
        """Return oblique trees, if one of middling size is better than all straight ones."""
        turned = replace(self.setting, oblique=True)
        is_regression = self.data.is_regression
        place = TRIAL_OF_NUMBERS if is_regression else TRIAL
        trial = self.entries([place], turned)
        most = straight.losses.min()
        if is_regression:
            most = max(most, HALF * straight.losses[: place + 1].min())
        if trial.losses.min() >= most or not np.any(trial.tree.kind == OBLIQUE):
            return straight
        sizes = self.entries(() if is_regression else range(place), turned).followed_by(trial)
        for larger in range(place + 1, len(self.cuts)):
            if sizes.chosen < len(sizes.trees) - 1:
                break  # twice as many leaves did not pay
            sizes = sizes.followed_by(self.entries([larger], turned))
        return sizes

    def _finished(self, sizes: SizePath) -> SizePath:
        """Return the path with the tree that was taken trained at length."""
        found = [(first, how) for tree, first, how in self._started if tree is sizes.tree]
        first, setting = found[0]
        tree = self.method.taught(first, self.data, self.lessons, setting)
        return sizes.with_chosen(*self._shortened(tree, (1.0 + sizes.clearly) * self.loss(tree)))

    def _shortened(self, tree: Tree, most: float) -> tuple[Tree, float]:
        """Return a tree of as short sums as the loss allows, and what it loses."""
        terms = np.diff(tree.term_start)[tree.kind == OBLIQUE]
        for n_terms in SHORT:
            if terms.size and np.median(terms) > n_terms:
                short = self.method.shortened(tree, n_terms, self.data, self.lessons, self.setting)
                if (loss := self.loss(short)) <= most:
                    return short, loss
        return tree, self.loss(tree)
