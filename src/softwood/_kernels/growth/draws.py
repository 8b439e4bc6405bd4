"""The rows that were drawn for a tree, as the entries that it grows from."""

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.growth.columns import RANK_SHIFT
from softwood._kernels.growth.scan_keys import MOST_COUNTED
from softwood._kernels.randomness import StateArray, below
from softwood._types import AnyArray, IndexArray


@kernel
def draw_rows(states: StateArray, n_rows: int) -> AnyArray:
    """Draw as many rows as there are, with replacement, once for each of the states."""
    rows = np.empty((states.shape[0], n_rows), np.int64)
    for t in range(states.shape[0]):
        for i in range(n_rows):
            rows[t, i] = below(states[t], n_rows)
    return rows


@kernel
def draw_some_rows(states: StateArray, n_rows: int, fewest: int, most: int) -> AnyArray:
    """Draw from ``fewest`` to ``most`` of the rows for each of the states.

    Every number of rows has the same chance, and so has every set of so many. Rows of a smaller
    set come again until there are ``most`` entries, no row more than once more than another.
    """
    rows = np.empty((states.shape[0], most), np.int64)
    for t in range(states.shape[0]):
        n_drawn = fewest + below(states[t], most - fewest + 1)
        _draw_subset(states[t], n_rows, n_drawn, rows[t, :n_drawn])
        n_there = n_drawn
        while n_there < most:
            n_more = min(n_drawn, most - n_there)
            _draw_subset(states[t], n_drawn, n_more, rows[t, n_there : n_there + n_more])
            for i in range(n_there, n_there + n_more):
                rows[t, i] = rows[t, rows[t, i]]
            n_there += n_more
    return rows


@borrowing
def _draw_subset(state: StateArray, n_all: int, n_wanted: int, chosen: AnyArray) -> None:
    """Write so many of the numbers from 0 on, ascending, each set with the same chance."""
    n_there = 0
    for number in range(n_all):
        if n_there < n_wanted and below(state, n_all - number) < n_wanted - n_there:
            chosen[n_there] = number
            n_there += 1


@kernel
def count_draws(rows: AnyArray, times: IndexArray, can_count: bool, entry: AnyArray) -> int:
    """Write the rows in their order; return how many entries that makes, or -1.

    A third of a bootstrap are rows that it holds already. They need not be sorted again: an
    entry says how often its row counts, unless it counts too often for that, or nobody could
    read it; then it comes as often. ``times`` has a zero for every row, before and after. The
    answer is -1 if some row does not exist.
    """
    most, n_entries = 0, 0
    for i in range(rows.size):
        if not 0 <= rows[i] < times.size:
            times[:] = 0
            return -1
        times[rows[i]] += 1
        most = max(most, times[rows[i]])
    if can_count and most <= MOST_COUNTED:
        for row in range(times.size):
            if n_entries < entry.size:
                entry[n_entries] = np.int64(times[row] - 1) << RANK_SHIFT | row
            n_entries += 1 if times[row] > 0 else 0
            times[row] = 0
        return n_entries
    for row in range(times.size):
        for _ in range(times[row]):
            entry[n_entries] = row
            n_entries += 1
        times[row] = 0
    return n_entries
