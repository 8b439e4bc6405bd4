"""Ranking the columns of a table, once per fit; all trees of an ensemble share it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from softwood._threads import side_by_side
from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.data.training import TrainingSet

FEW_ROWS = 1000  # numpy ranks them as fast, and saves the first fit compiling two kernels
MISSING_RANK = -1
WORTH_THREADS = 1_000_000  # values; fewer are ranked before a second thread has started


@dataclass(frozen=True, slots=True, eq=False)
class RankedTable:
    """Ranks in place of values: the order of every column without the numbers.

    Attributes
    ----------
    rank : ndarray of shape (n_features, n_rows)
        Position of each value among the distinct values of its column, or the code of
        a category; -1 where missing.
    n_levels : ndarray of shape (n_features,)
        Number of distinct values, or of categories.
    values : ndarray
        Distinct values of the numeric columns, ascending, column after column.
    value_start : ndarray of shape (n_features + 1,)
        Where each column's values begin.
    has_missing : bool
        Whether any value is missing.
    """

    rank: IndexArray
    n_levels: IndexArray
    values: FloatArray
    value_start: AnyArray
    has_missing: bool

    def take(self, rows: AnyArray) -> RankedTable:
        """Return the ranks of some rows, perhaps several times, in the order of all."""
        rank = np.ascontiguousarray(self.rank[:, rows])
        has_missing = self.has_missing and int(rank.min()) < 0
        return replace(self, rank=rank, has_missing=has_missing)


def rank_table(data: TrainingSet, n_threads: int = 1) -> RankedTable:
    """Rank every column of ``data``, so many at once."""
    n_rows, n_features = data.X.shape
    rank = np.empty((n_features, n_rows), dtype=np.int32)
    # Room for all to be distinct; what is not written to costs nothing, and is given back.
    values, end = np.empty(n_rows * int(np.sum(data.n_categories == 0))), 0
    value_start = np.zeros(n_features + 1, dtype=np.int64)
    n_levels = data.n_categories.copy()

    def rank_column(feature: int) -> FloatArray:
        column = np.ascontiguousarray(data.X[:, feature])
        if data.n_categories[feature]:
            rank[feature] = np.where(np.isnan(column), MISSING_RANK, column)
            return np.empty(0)
        return _rank_numbers(column, rank[feature])

    for feature, distinct in enumerate(_each(rank_column, n_features, data.X.size, n_threads)):
        if not data.n_categories[feature]:
            n_levels[feature] = distinct.size
        values[end : end + distinct.size] = distinct
        end += distinct.size
        value_start[feature + 1] = end
    values.resize(end, refcheck=False)
    return RankedTable(
        rank=rank,
        n_levels=n_levels,
        values=values,
        value_start=value_start,
        has_missing=bool(n_features) and int(rank.min()) < 0,
    )


def _each(
    task: Callable[[int], FloatArray], n_features: int, size: int, n_threads: int
) -> Iterator[FloatArray]:
    """Yield what the task returns for each feature, in their order."""
    if n_threads == 1 or size < WORTH_THREADS:
        yield from map(task, range(n_features))
        return
    yield from side_by_side(task, range(n_features), n_threads)


def _rank_numbers(column: FloatArray, rank: IndexArray) -> FloatArray:
    """Fill ``rank`` and return the distinct values, ascending."""
    if column.size <= FEW_ROWS:
        known = ~np.isnan(column)
        values, rank_of_known = np.unique(column[known], return_inverse=True)
        rank[:] = MISSING_RANK
        rank[known] = rank_of_known
        return np.asarray(values)
    from softwood._kernels.growth.ranking import rank_sorted, rank_whole_numbers

    values = rank_whole_numbers(column, max(1024, column.size), rank)
    if values.size:
        return values
    n_missing = int(np.count_nonzero(np.isnan(column)))
    return rank_sorted(column, _sorted_order(column), column.size - n_missing, rank)


def _sorted_order(column: FloatArray) -> AnyArray:
    """Return the order of a column, NaN last; what is lowest, if it is much, is not sorted."""
    is_lowest = column == column.min()  # nothing is, if there is a NaN
    if 2 * np.count_nonzero(is_lowest) < column.size:
        return np.argsort(column)
    others = np.flatnonzero(~is_lowest)
    return np.concatenate((np.flatnonzero(is_lowest), others[np.argsort(column[others])]))
