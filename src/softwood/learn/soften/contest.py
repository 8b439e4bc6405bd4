"""A contest of taught trees: of several sizes, straight and oblique, all taught alike.

All of them are cut from one tree that was grown once, and trained briefly: that ranks them as
long training does. The one that is taken is then trained at length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from softwood.data.training import TrainingSet
from softwood.learn.soften.lessons import Lessons
from softwood.learn.soften.method import Setting
from softwood.learn.soften.sizes import SizePath, clear_difference
from softwood.refine.column_spread import spread_of_columns
from softwood.refine.gradient_terms import with_few_terms
from softwood.refine.shrink import distance
from softwood.tree import OBLIQUE, Tree

if TYPE_CHECKING:
    from softwood.learn.soften.gradient import Gradient

# Which of the sizes an oblique tree is tried with, before others are trained.
TRIAL, TRIAL_OF_NUMBERS = 2, 1
# Of the squared error of as many straight leaves: at no more, numbers deserve oblique tests.
HALF = 0.5
SHORT = (3, 6)  # terms that a person can read: more of them only where these lose clearly more


class Entry(NamedTuple):
    """A tree that was trained briefly, what it loses, where it began, and how it was trained."""

    tree: Tree
    loss: float
    first: Tree
    setting: Setting


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
    _entries: dict[tuple[int, bool], Entry] = field(default_factory=dict)  # by size, and if oblique

    def leader(self, may_turn: bool) -> SizePath:
        """Return the path of the trees, all of them trained briefly.

        Parameters
        ----------
        may_turn : bool
            Whether to take oblique trees instead, if a small one is better than the largest
            straight one, or, for numbers, twice as good as a straight one of its size: that, and
            larger ones as long as they are clearly better.
        """
        sizes = self._oblique() if may_turn else None
        if sizes is None:
            return self.entries(range(len(self.cuts)), self.setting)
        return sizes

    def first(self, place: int) -> Tree:
        """Return the tree of a size before it is trained."""
        if place not in self._first:
            cut = self.cuts[place].refine(self.grown)
            self._first[place] = self.method.without_cheap_tests(cut, self.data, self.lessons)
        return self._first[place]

    def entry(self, place: int, setting: Setting) -> Entry:
        """Return the tree of a size, trained briefly."""
        key = place, setting.oblique
        if key not in self._entries:
            first = self.first(place)
            tree = self.method.taught(first, self.data, self.lessons, setting, brief=True)
            self._entries[key] = Entry(tree, self.loss(tree), first, setting)
        return self._entries[key]

    def entries(self, places: Sequence[int], setting: Setting) -> SizePath:
        """Return the trees of some sizes, trained briefly, and what each loses."""
        found: list[Entry] = []
        n_leaves = 0
        for place in places:
            if self.first(place).n_leaves <= n_leaves:  # the rows do not allow more
                break
            found.append(self.entry(place, setting))
            n_leaves = found[-1].first.n_leaves
        trees, losses = [one.tree for one in found], [one.loss for one in found]
        return SizePath.of(trees, losses, clear_difference(self.data.n_rows))

    def loss(self, tree: Tree) -> float:
        """Return how far a tree is from what it was taught of the rows."""
        wanted = self.lessons.targets.target[: self.data.n_rows]
        answers = self.method.shared_flow.predict(tree, self.data.X)
        lost = distance(answers, wanted, self.data.is_regression)
        return float(np.average(lost, weights=self.data.weight))

    def _oblique(self) -> SizePath | None:
        """Return oblique trees, if one of middling size is better than straight ones."""
        turned = replace(self.setting, oblique=True)
        is_regression, last = self.data.is_regression, len(self.cuts) - 1
        place = TRIAL_OF_NUMBERS if is_regression else TRIAL
        trial = self.entry(place, turned)
        if not np.any(trial.tree.kind == OBLIQUE):
            return None
        most = self.entry(last, self.setting).loss
        if is_regression:
            most = max(most, HALF * self.entry(place, self.setting).loss)
        if trial.loss >= most:
            return None
        sizes = self.entries(range(place if is_regression else 0, place + 1), turned)
        for larger in range(place + 1, len(self.cuts)):
            if sizes.chosen < len(sizes.trees) - 1:
                break  # twice as many leaves did not pay
            sizes = sizes.followed_by(self.entries([larger], turned))
        return sizes

    def finished(self, sizes: SizePath) -> SizePath:
        """Return the path with the leading tree trained at length, its sums short if possible."""
        at, taken = sizes.chosen, self._entry_of(sizes.tree)
        trees, whole = list(sizes.trees), None
        start, loss = taken.tree, taken.loss
        if self.method.trains_long(self.data):  # terms that are dropped early are missed then
            start = whole = self._at_length(taken)
            loss = self.loss(whole)
        n_terms, short = self._shortened(start, (1.0 + sizes.clearly) * loss)
        if n_terms is None:
            trees[at] = self._at_length(taken) if whole is None else whole
        else:  # from where it is; smaller trees are to be read as well
            trees[:at] = [self._short(tree, n_terms) for tree in trees[:at]]
            trees[at] = self.method.taught_on(short, self.data, self.lessons, self.setting)
        renewed = [self.loss(tree) for tree in trees[: at + 1]]
        return sizes.with_trees(trees, [*renewed, *sizes.losses[at + 1 :]])

    def _at_length(self, entry: Entry) -> Tree:
        return self.method.taught(entry.first, self.data, self.lessons, entry.setting)

    def _entry_of(self, tree: Tree) -> Entry:
        return next(entry for entry in self._entries.values() if entry.tree is tree)

    def _shortened(self, tree: Tree, most: float) -> tuple[int | None, Tree]:
        """Return how many terms the loss allows, and a tree of sums so short; None for all."""
        terms = np.diff(tree.term_start)[tree.kind == OBLIQUE]
        for n_terms in SHORT:
            if terms.size and np.median(terms) > n_terms:
                short = self._short(tree, n_terms)
                if self.loss(short) <= most:
                    return n_terms, short
        return None, tree

    def _short(self, tree: Tree, n_terms: int) -> Tree:
        """Return the tree with so many terms a test, trained on briefly."""
        short = with_few_terms(tree, n_terms, *spread_of_columns(self.data))
        return self.method.taught_on(short, self.data, self.lessons, self.setting, brief=True)
