"""Ranks: every column is sorted once per fit, and growth works on small integers.

A rank is the position of a value among the distinct values of its column. Columns
of small whole numbers are ranked by counting; the rest by numpy's sort, which is an
order of magnitude faster than one compiled here.
"""

import numpy as np

from softwood._kernels._jit import kernel
from softwood._types import FloatArray, IndexArray

MISSING_RANK = -1


@kernel
def rank_whole_numbers(x: FloatArray, limit: int, rank: IndexArray) -> FloatArray:
    """Rank a column of whole numbers that span fewer than ``limit`` values.

    Returns the distinct values, or an empty array if the column is not such a one;
    ``rank`` is then unspecified.
    """
    nothing = np.empty(0, dtype=np.float64)
    low, high = np.inf, -np.inf
    for i in range(x.size):
        if x[i] != x[i]:
            continue
        if x[i] != np.floor(x[i]):
            return nothing
        low = min(low, x[i])
        high = max(high, x[i])
        if not high - low < limit:
            return nothing
    if not low <= high:
        return nothing
    n_slots = int(high - low) + 1
    slot = np.zeros(n_slots, dtype=np.int32)
    for i in range(x.size):
        if x[i] == x[i]:
            slot[int(x[i] - low)] = 1
    n_distinct = 0
    values = np.empty(n_slots, dtype=np.float64)
    for s in range(n_slots):
        if slot[s]:
            values[n_distinct] = low + s
            slot[s] = n_distinct
            n_distinct += 1
    for i in range(x.size):
        rank[i] = slot[int(x[i] - low)] if x[i] == x[i] else MISSING_RANK
    return values[:n_distinct].copy()


@kernel
def rank_sorted(x: FloatArray, order: np.ndarray, n_known: int, rank: IndexArray) -> FloatArray:
    """Rank a column given its sorted order (NaN last); return its distinct values."""
    values = np.empty(n_known, dtype=np.float64)
    n_distinct = 0
    for i in range(n_known):
        value = x[order[i]]
        if n_distinct == 0 or value != values[n_distinct - 1]:
            values[n_distinct] = value
            n_distinct += 1
        rank[order[i]] = n_distinct - 1
    for i in range(n_known, x.size):
        rank[order[i]] = MISSING_RANK
    return values[:n_distinct]
