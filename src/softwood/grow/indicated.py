"""Tests of one category against all others: nominal columns are grown on as indicators."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from softwood._indicators import Indicators
from softwood._types import AnyArray, IndexArray
from softwood.data.training import TrainingSet
from softwood.grow.ranks import MISSING_RANK, RankedTable

ZERO_AND_ONE = np.array([0.0, 1.0])


def with_indicators(
    data: TrainingSet, ranks: RankedTable
) -> tuple[TrainingSet, RankedTable, Indicators]:
    """Return a table and its ranks with indicators in place of nominal columns.

    Parameters
    ----------
    data : TrainingSet
        The table.
    ranks : RankedTable
        Its ranks.

    Returns
    -------
    table : TrainingSet
        Its values are not there: trees grow on ranks.
    ranks : RankedTable
        The ranks of its columns.
    indicators : Indicators
        What the columns stand for.
    """
    indicators = Indicators.of(data.n_categories)
    columns = zip(indicators.feature.tolist(), indicators.category.tolist(), strict=True)
    rank = np.empty((indicators.n_columns, data.n_rows), dtype=np.int32)
    values, n_levels = [], []
    for column, (feature, category) in enumerate(columns):
        rank[column] = _ranks_of(ranks.rank[feature], category)
        start, stop = ranks.value_start[feature : feature + 2]
        values.append(ranks.values[start:stop] if category < 0 else ZERO_AND_ONE)
        n_levels.append(ranks.n_levels[feature] if category < 0 else 2)
    sizes = [part.size for part in values]
    table = replace(
        data,
        X=np.broadcast_to(np.nan, rank.shape[::-1]),  # of the right shape, and no memory
        n_categories=np.where(indicators.is_indicator, 0, data.n_categories[indicators.feature]),
    )
    ranked = RankedTable(
        rank=rank,
        n_levels=np.array(n_levels, dtype=ranks.n_levels.dtype),
        values=np.concatenate(values),
        value_start=np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))),
        has_missing=ranks.has_missing,
    )
    return table, ranked, indicators


def _ranks_of(rank: IndexArray, category: int) -> AnyArray:
    if category < 0:
        return rank
    return np.where(rank < 0, MISSING_RANK, rank == category)
