"""Ranking the columns of a table, once per fit; all trees of an ensemble share it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, CodeArray, FloatArray, IndexArray
from softwood.data.training import TrainingSet

MISSING_RANK = -1


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


def rank_table(data: TrainingSet) -> RankedTable:
    """Rank every column of ``data``."""
    n_rows, n_features = data.X.shape
    rank = np.empty((n_features, n_rows), dtype=np.int32)
    values: list[FloatArray] = []
    n_levels = data.n_categories.copy()
    for feature in range(n_features):
        column = np.ascontiguousarray(data.X[:, feature])
        if data.n_categories[feature]:
            known = ~np.isnan(column)
            rank[feature] = np.where(known, column, -1)
            values.append(np.empty(0))
        else:
            values.append(_rank_numbers(column, rank[feature]))
            n_levels[feature] = values[-1].size
    sizes = [column.size for column in values]
    return RankedTable(
        rank=rank,
        n_levels=n_levels,
        values=np.concatenate([*values, np.empty(0)]),
        value_start=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        has_missing=bool(n_features) and int(rank.min()) < 0,
    )


def _rank_numbers(column: FloatArray, rank: IndexArray) -> FloatArray:
    """Fill ``rank`` and return the distinct values, ascending.

    Small whole numbers are ranked by counting, which needs no sort.
    """
    known = ~np.isnan(column)
    if not known.all():
        rank[:] = MISSING_RANK
        ranks = np.empty(int(np.count_nonzero(known)), dtype=np.int32)
        values = _rank_numbers(column[known], ranks) if ranks.size else np.empty(0)
        rank[known] = ranks
        return values
    low, high = column.min(), column.max()
    if high - low < max(1024, column.size) and (column == np.floor(column)).all():
        slot = (column - low).astype(np.int32)
        present = np.bincount(slot) > 0
        rank[:] = (np.cumsum(present, dtype=np.int32) - 1)[slot]
        return np.asarray(low + np.flatnonzero(present))
    order = np.argsort(column)
    ordered = column[order]
    starts = np.concatenate(([True], ordered[1:] != ordered[:-1]))
    rank[order] = np.cumsum(starts, dtype=np.int32) - 1
    return ordered[starts]


def sorted_entries(ranks: RankedTable, label: CodeArray) -> tuple[AnyArray, IndexArray]:
    """Sort the cases by rank in every feature, as the packed words that growth works on.

    Returns the entries, one line per feature (and one that lists every case, if values
    are missing), and how many each line has. The layout is told in ``_kernels/columns``.
    """
    from softwood._kernels.columns import CASE_BITS, RANK_SHIFT

    n_features, n_rows = ranks.rank.shape
    word = (label.astype(np.int64) << CASE_BITS) | np.arange(n_rows)
    entries = np.empty((n_features + ranks.has_missing, n_rows), dtype=np.int64)
    lengths = np.full(len(entries), n_rows, dtype=np.int32)
    for feature, rank in enumerate(ranks.rank):
        packed = (rank.astype(np.int64) << RANK_SHIFT) | word
        if ranks.has_missing:
            packed = packed[rank >= 0]
            lengths[feature] = packed.size
        entries[feature, : packed.size] = np.sort(packed)
    if ranks.has_missing:
        entries[n_features] = word
    return entries, lengths
