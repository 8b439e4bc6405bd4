"""A run of evolution: a population that breeds, and what it has come to."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import AnyArray
from softwood.data.training import TrainingSet
from softwood.grow.evolve_front import Candidate, undominated
from softwood.grow.evolve_simplify import simplified
from softwood.grow.evolve_trees import as_tree, read_line, write_line

if TYPE_CHECKING:
    from softwood._kernels.evolve.run import Farm
    from softwood.grow.evolve import Evolution

NO_SEEDS = 0
DESCEND_EVERY = 1000  # breeding events between two descents
ROUNDS_BETWEEN, ROUNDS_AT_END = 10, 100  # of a descent


class Run:
    """A population that breeds.

    Attributes
    ----------
    evolution : Evolution
        The rules.
    data : TrainingSet
        What risks are computed on.
    iteration : int
        Breeding events so far: two children each.
    """

    def __init__(
        self, evolution: Evolution, data: TrainingSet, farm: Farm, iteration: int = 0
    ) -> None:
        self.evolution = evolution
        self.data = data
        self.farm = farm
        self.iteration = iteration
        # Who interrupts a run from another thread waits until its memory is at rest.
        self.rests = Lock()

    def advance(self, n_iter: int) -> None:
        """Breed ``n_iter`` times more; in how many calls does not matter."""
        with self.rests:
            self._advance(self.iteration + n_iter)

    def _advance(self, end: int) -> None:
        from softwood._kernels.evolve.run import NOBODY, ONE_OF_THE_BEST, evolve

        while self.iteration < end:
            stop, descends = end, NOBODY
            if self.evolution.descent:
                stop = min(end, (self.iteration // DESCEND_EVERY + 1) * DESCEND_EVERY)
                if stop % DESCEND_EVERY == 0:
                    descends = ONE_OF_THE_BEST
            n_bred = np.zeros(1, np.int64)
            try:
                evolve(self.farm, NO_SEEDS, stop - self.iteration, descends, ROUNDS_BETWEEN, n_bred)
            finally:  # an interrupted run goes on from there
                self.iteration += int(n_bred[0])

    @property
    def best_risk(self) -> float:
        """Least risk in the population."""
        return float(self.farm.book.risk[self._best_line()])

    @property
    def best_n_nodes(self) -> int:
        """Number of nodes of the tree of least risk."""
        return int(self.farm.book.n_nodes[self._best_line()])

    def best(self) -> Candidate:
        """Return the tree of least risk, of several the smallest."""
        with self.rests:
            return self._finished(self._best_line())

    def front(self) -> list[Candidate]:
        """Return the trees that no other one betters in both risk and number of nodes.

        They come from the smallest to the largest; the risk falls on the way.
        """
        with self.rests:
            return self._front()

    def _front(self) -> list[Candidate]:
        lines = self._lines()
        nodes, risk = self.farm.book.n_nodes[lines], self.farm.book.risk[lines]
        order = np.lexsort((risk, nodes))
        least = np.concatenate(([np.inf], np.minimum.accumulate(risk[order])[:-1]))
        kept = lines[order[risk[order] < least]]
        return undominated([self._finished(int(line)) for line in kept])

    def population(self) -> list[Candidate]:
        """Return all members as they are, the leaves answering with their class alone."""
        found = []
        with self.rests:
            for line in self._lines():
                tree = read_line(self.farm.book, int(line))
                labels = np.eye(self.data.n_classes)[tree.label]
                mass = self.farm.book.mass[line, : tree.n_nodes].sum(axis=1, keepdims=True)
                made = as_tree(tree, labels * (mass * self._unit), self.data)
                found.append(Candidate(made, float(self.farm.book.risk[line]), tree.n_nodes))
        return found

    @property
    def _unit(self) -> float:
        """Weight of a unit of mass."""
        from softwood._kernels.vicinal.columns import UNIT

        return float(self.data.weight.max()) / float(UNIT)

    def _lines(self) -> AnyArray:
        return np.flatnonzero(self.farm.herd.is_member)

    def _best_line(self) -> int:
        lines = self._lines()
        book = self.farm.book
        return int(lines[np.lexsort((book.n_nodes[lines], book.risk[lines]))[0]])

    def _finished(self, line: int) -> Candidate:
        """Return a member as a tree: relabelled, simplified, and descended if it may."""
        from softwood._kernels.evolve.run import evolve

        book, groups = self.farm.book, self.farm.rows.n_groups
        scratch = book.risk.size - 1  # the last spare line
        made = simplified(read_line(book, line), groups)
        for n_rounds in (ROUNDS_AT_END if self.evolution.descent else 0, 0):
            write_line(book, scratch, made)
            evolve(self.farm, NO_SEEDS, 0, scratch, n_rounds, np.zeros(1, np.int64))
            made = simplified(read_line(book, scratch), groups)
        write_line(book, scratch, made)
        evolve(self.farm, NO_SEEDS, 0, scratch, 0, np.zeros(1, np.int64))
        tree = as_tree(made, book.mass[scratch, : made.n_nodes] * self._unit, self.data)
        return Candidate(tree, float(book.risk[scratch]), int(book.n_nodes[line]))
