"""Exact search in a hard forest: the kernels look at regions, and every offer is checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from softwood._kernels.counterfactual import regions as kernels
from softwood._kernels.counterfactual.cells import GAP
from softwood._types import IndexArray
from softwood.explain.counterfactual.cells import Grid
from softwood.explain.counterfactual.goal import SLACK

AT_ONCE = 2000  # regions that a kernel looks at before Python may be interrupted
ROOM = 1024  # regions to begin with


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a search over regions has found.

    Attributes
    ----------
    point : ndarray of int, or None
        The cell of each column; None if nothing was found.
    bound : float
        Nothing costs less than this.
    is_complete : bool
        Whether the search came to its end: then the point is the nearest, or there is none.
    n_looked : int
        How many regions it has looked at.
    """

    point: IndexArray | None
    bound: float
    is_complete: bool
    n_looked: int


def search_regions(
    grid: Grid,
    is_wanted: Callable[[IndexArray], bool],
    max_regions: int,
    cutoff: float = np.inf,
    by_hope: bool = False,
) -> Outcome:
    """Return the cheapest point that is wanted.

    Parameters
    ----------
    grid : Grid
        What is searched.
    is_wanted : callable
        Takes a point that seems to do, and returns whether it does.
    max_regions : int
        How many regions to look at.
    cutoff : float, default=inf
        What costs as much is of no use.
    by_hope : bool, default=False
        Whether to look first where most may be hoped for: that finds some point, soon.

    Returns
    -------
    Outcome
    """
    regions, scratch = _room_for(grid, ROOM), _scratch_for(grid)
    counters = np.zeros(kernels.N_COUNTERS, np.int64)
    counters[kernels.CURRENT] = -1
    wishes = kernels.Wishes(grid.need, grid.is_any)
    while True:
        looked = int(counters[kernels.N_LOOKED])
        status = kernels.search(
            grid.trees,
            grid.cells,
            wishes,
            regions,
            counters,
            scratch,
            by_hope,
            float(cutoff),
            SLACK,
            min(looked + AT_ONCE, max_regions),
        )
        looked, current = int(counters[kernels.N_LOOKED]), int(counters[kernels.CURRENT])
        if status == kernels.EXHAUSTED:
            return Outcome(None, cutoff, True, looked)
        if status == kernels.OFFERS:
            point = _point_of(grid, regions, current)
            if is_wanted(point):
                cost = float(regions.cost[current])
                return Outcome(point, 0.0 if by_hope else cost, not by_hope, looked)
        elif status == kernels.OUT_OF_ROOM:
            regions = _grown(regions)
        elif looked >= max_regions:
            waiting = regions.heap[: counters[kernels.N_WAITING]]
            bound = regions.cost[np.append(waiting, current)].min()
            return Outcome(None, min(float(bound), cutoff), False, looked)


def _point_of(grid: Grid, regions: kernels.Regions, region: int) -> IndexArray:
    point = np.empty(grid.cells.home.size, np.int32)
    kernels.write_point(grid.cells, regions, region, point)
    return point


def _room_for(grid: Grid, n_regions: int) -> kernels.Regions:
    """Return room for regions, of which the first is all that is allowed."""
    cells, n_columns = grid.cells, grid.cells.home.size
    regions = kernels.Regions(
        low=np.empty((n_regions, n_columns), np.int32),
        high=np.empty((n_regions, n_columns), np.int32),
        codes=np.empty((n_regions, cells.is_allowed.size), bool),
        cost=np.empty(n_regions),
        rank=np.empty(n_regions),
        test=np.empty(n_regions, np.int32),
        is_offer=np.empty(n_regions, bool),
        heap=np.empty(n_regions, np.int32),
    )
    regions.low[0] = np.where(cells.has_gap, GAP, 0)
    regions.high[0] = np.diff(cells.start) - 1
    regions.codes[0] = cells.is_allowed
    return regions


def _grown(regions: kernels.Regions) -> kernels.Regions:
    """Return room for twice as many."""
    return kernels.Regions(*(np.concatenate([array, np.empty_like(array)]) for array in regions))


def _scratch_for(grid: Grid) -> kernels.Scratch:
    n_nodes, n_wishes = grid.trees.value.shape
    return kernels.Scratch(
        point=np.empty(grid.cells.home.size, np.int32),
        queue=np.empty(n_nodes, np.int32),
        way=np.empty(n_nodes, np.int32),
        on_way=np.empty(n_nodes, bool),
        is_open=np.empty(n_nodes, bool),
        may_spread=np.empty(n_nodes, bool),
        price=np.empty(n_nodes),
        dear=np.empty(n_nodes),
        hope=np.empty((n_nodes, n_wishes)),
        answer=np.empty((n_nodes, n_wishes)),
        test=np.empty(grid.trees.root.size - 1, np.int32),
        total_hope=np.empty(n_wishes),
        total_answer=np.empty(n_wishes),
    )
