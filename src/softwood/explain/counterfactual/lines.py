"""A near point by moves along single columns: quick, and good, but perhaps not the nearest.

From the row on, the move that gets most for its cost is made until one leads to what is wanted;
then columns go back as far as they may; then each of them is sent home, to see whether others can
do its part for less.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from softwood._kernels.counterfactual.cells import GAP
from softwood._kernels.counterfactual.lines import add_values, scan_lines
from softwood._types import BoolArray, FloatArray, IndexArray
from softwood.explain.counterfactual.cells import Grid

SURE = 1e-9  # by how much wishes must be exceeded: a tie might be decided otherwise
MORE_STEPS = 40  # besides two for each column
ROUNDS = 4  # of sending columns home
LEADERS = 4  # wishes of which each may do that are tried
THRIFT = (1.0, 0.5)  # powers of the cost that a gain is divided by, to choose a move


@dataclass(frozen=True, slots=True, eq=False)
class _Walk:
    """A search by moves for some of the wishes."""

    grid: Grid
    wishes: IndexArray
    thrift: float

    def lines(self, point: IndexArray) -> FloatArray:
        """Return by how much all points on lines through one exceed the wishes."""
        grid = self.grid
        found = np.empty((grid.values.size, grid.need.size))
        scan_lines(grid.trees, grid.tests, grid.cells, point, found)
        margin: FloatArray = (found - grid.need)[:, self.wishes].min(axis=1)
        margin[~grid.is_possible] = -np.inf
        return margin

    def margin(self, point: IndexArray) -> float:
        """Return by how much a point exceeds the wishes."""
        found = np.zeros((1, self.grid.need.size))
        add_values(self.grid.trees, np.ascontiguousarray(point[None], dtype=np.int32), found)
        return float((found[0] - self.grid.need)[self.wishes].min())

    def moved(self, point: IndexArray, cell: int) -> IndexArray:
        """Return a point that has moved to a cell."""
        column = self.grid.column[cell]
        other = point.copy()
        other[column] = cell - self.grid.cells.start[column]
        return other

    def ahead(self, point: IndexArray, is_free: BoolArray) -> IndexArray | None:
        """Return a point that is wanted, by moves of the free columns; None if they get stuck."""
        grid = self.grid
        margin = self.margin(point)
        for _ in range(2 * point.size + MORE_STEPS):
            if margin >= SURE:
                return point
            margins = np.where(is_free[grid.column], self.lines(point), -np.inf)
            extra = grid.cells.cost - grid.cost_of(point)[grid.column]
            reached = np.flatnonzero(margins >= SURE)
            if reached.size:
                return self.moved(point, int(reached[extra[reached].argmin()]))
            better = np.flatnonzero(margins > margin + SURE)
            if not better.size:
                return None
            worth = (margins[better] - margin) / np.maximum(extra[better], SURE) ** self.thrift
            best = int(better[worth.argmax()])
            point, margin = self.moved(point, best), float(margins[best])
        return None

    def back(self, point: IndexArray) -> IndexArray:
        """Return a wanted point from which no single column can go back any further."""
        grid = self.grid
        while True:
            gone = np.flatnonzero(grid.cells.has_gap & (point != GAP))
            for column in gone:  # a gap that need not be filled
                other = point.copy()
                other[column] = GAP
                if self.margin(other) >= SURE:
                    point = other
            saved = grid.cost_of(point)[grid.column] - grid.cells.cost
            # Costs of huge numbers may be infinite: between two of them nothing is saved.
            pays = (saved > 0.0) & (self.lines(point) >= SURE)
            if not pays.any():
                return point
            point = self.moved(point, int(np.where(pays, saved, -np.inf).argmax()))

    def exchanged(self, point: IndexArray) -> IndexArray:
        """Return a wanted point that is no worse: what columns do is tried to be done by others."""
        grid = self.grid
        for _ in range(ROUNDS):
            cost = grid.cost_of(point)
            best = point
            for column in np.flatnonzero(cost > grid.cost_of(grid.start)):
                other, is_free = point.copy(), np.ones(point.size, dtype=bool)
                other[column], is_free[column] = grid.start[column], False
                found = self.ahead(other, is_free)
                if found is not None:
                    found = self.back(found)
                    if grid.cost_of(found).sum() < grid.cost_of(best).sum():
                        best = found
            if best is point:
                break
            point = best
        return point


def near_point(grid: Grid) -> IndexArray | None:
    """Return a point that seems to be wanted, and is near; None if moves do not get there.

    Parameters
    ----------
    grid : Grid
        What is searched.

    Returns
    -------
    ndarray of int of shape (n_columns,), or None
        The cell of each column.
    """
    is_free = np.ones(grid.start.size, dtype=bool)
    found = []
    for thrift in THRIFT:
        for wishes in _choices(grid, grid.start):
            walk = _Walk(grid, wishes, thrift)
            point = walk.ahead(grid.start, is_free)
            if point is not None:
                found.append(walk.exchanged(walk.back(point)))
    return min(found, key=lambda point: float(grid.cost_of(point).sum()), default=None)


def nearer_point(grid: Grid, point: IndexArray) -> IndexArray:
    """Return a point that is wanted as another is, and is as near or nearer."""
    walk = _Walk(grid, _choices(grid, point)[0], THRIFT[0])
    return walk.exchanged(walk.back(point)) if walk.margin(point) >= SURE else point


def _choices(grid: Grid, point: IndexArray) -> list[IndexArray]:
    """Return what may be wished for: all, or one of those that are nearest to coming true."""
    if not grid.is_any:
        return [np.arange(grid.need.size, dtype=np.int32)]
    found = np.zeros((1, grid.need.size))
    add_values(grid.trees, point[None], found)
    leaders = np.argsort(-(found[0] - grid.need), kind="stable")[:LEADERS]
    return [np.array([wish], dtype=np.int32) for wish in leaders]
