"""The nearest row in a hard forest without oblique tests: near points first, then the proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from softwood._types import FloatArray, IndexArray
from softwood.explain.counterfactual.cells import Grid
from softwood.explain.counterfactual.lines import near_point, nearer_point
from softwood.explain.counterfactual.regions import search_regions

CLOSER = 0.8  # how much nearer the next point is to be, to begin with
CLOSEST = 0.1  # less is not tried
TESTS = (
    10_000_000  # of trees that an exact search may go by, if nobody has said how long it may take
)
LEAST, MOST = 1000, 20_000  # regions, whatever the size of the trees
HOPELESS = 0.5  # if it is not even known that nothing is half as far, no proof will be found


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The row that was found.

    Attributes
    ----------
    row : ndarray of shape (n_columns,), or None
        None if there is none, or none was found.
    is_exact : bool
        Whether it is certain that nothing is nearer, or that there is nothing at all.
    bound : float
        Nothing is nearer than this, if ties count as in :class:`Domain`.
    """

    row: FloatArray | None
    is_exact: bool
    bound: float


def usual_regions(grid: Grid) -> int:
    """Return how many regions to look at if nobody has said: about a second's worth.

    A single tree is always searched to the end: no region is made twice.
    """
    n_nodes = grid.trees.n_children.size
    if grid.trees.root.size == 2 and not grid.cells.has_gap.any():
        return 4 * n_nodes
    return int(np.clip(TESTS // n_nodes, LEAST, MOST))


def nearest_in_cells(
    grid: Grid, accepts: Callable[[FloatArray], bool], max_regions: int | None = None
) -> Found:
    """Return the nearest row that is wanted.

    Parameters
    ----------
    grid : Grid
        The trees, the row and what is wanted, in cells.
    accepts : callable
        Takes a row, and returns whether it is answered as is wanted.
    max_regions : int, optional
        How many regions an exact search may look at; by default about a second's worth.

    Returns
    -------
    Found
    """
    if grid.is_empty:
        return Found(None, True, np.inf)
    seen: dict[bytes, bool] = {}

    def is_wanted(point: IndexArray) -> bool:
        key = point.tobytes()
        if key not in seen:
            seen[key] = accepts(grid.row_of(point))
        return seen[key]

    if max_regions is None:
        return _Search(grid, is_wanted, usual_regions(grid), gives_up=True).run()
    return _Search(grid, is_wanted, max_regions, gives_up=False).run()


class _Search:
    """A search that keeps the best point so far."""

    def __init__(
        self, grid: Grid, is_wanted: Callable[[IndexArray], bool], turns: int, gives_up: bool
    ) -> None:
        self.grid, self.is_wanted, self.turns, self.gives_up = grid, is_wanted, turns, gives_up
        self.best: IndexArray | None = None
        self.cost, self.bound = np.inf, 0.0

    def run(self) -> Found:
        if self.is_wanted(self.grid.start):
            self._keep(self.grid.start)
            return self._found(is_exact=True)
        point = near_point(self.grid)
        if point is not None and self.is_wanted(point):
            self._keep(point)
        if self.grid.trees.root.size == 2:
            return self._found(self._prove())
        self._come_closer()
        is_hopeless = np.isfinite(self.cost) and self.bound < HOPELESS * self.cost
        return self._found(False if is_hopeless and self.gives_up else self._prove())

    def _keep(self, point: IndexArray) -> None:
        self.best, self.cost = point, float(self.grid.cost_of(point).sum())

    def _found(self, is_exact: bool) -> Found:
        row = None if self.best is None else self.grid.row_of(self.best)
        return Found(row, is_exact, self.cost if is_exact else min(self.bound, self.cost))

    def _come_closer(self) -> None:
        """Look for points that are markedly nearer, where most may be hoped for.

        A search for what is much nearer has little to look at. If it ends without success, then
        at least nothing is that near.
        """
        closer, at_a_time = CLOSER, max(1, self.turns // 8)
        while self.turns > 0 and closer > CLOSEST and self.cost > self.bound:
            cutoff = closer * self.cost
            turns = min(at_a_time, self.turns) if np.isfinite(cutoff) else (self.turns + 1) // 2
            outcome = search_regions(self.grid, self.is_wanted, turns, cutoff, by_hope=True)
            self.turns -= outcome.n_looked
            if outcome.point is not None:
                point = nearer_point(self.grid, outcome.point)
                self._keep(point if self.is_wanted(point) else outcome.point)
                closer = CLOSER
            elif outcome.is_complete:
                self.bound = max(self.bound, cutoff)
                break
            elif np.isinf(cutoff):
                break
            else:
                closer = closer**2

    def _prove(self) -> bool:
        """Look at all that may be nearer, the nearest first; return whether that came to an end."""
        outcome = search_regions(self.grid, self.is_wanted, self.turns, self.cost)
        self.bound = max(self.bound, outcome.bound)
        if outcome.point is not None:
            self._keep(outcome.point)
        return outcome.is_complete
