"""The columns that variable-random trees grow on, if they are not the features themselves.

Tests of one category against all others grow on one_hot, and features that are not to be
tested have no column.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from softwood._types import AnyArray, IndexArray
from softwood.data.training import TrainingSet
from softwood.forest.one_hot import OneHotColumns
from softwood.grow.distrusted import trusted_features
from softwood.grow.ranks import MISSING_RANK, RankedTable

ZERO_AND_ONE = np.array([0.0, 1.0])


def columns_to_grow_on(
    data: TrainingSet, ranks: RankedTable, one_vs_rest: bool, distrusts: bool = True
) -> tuple[TrainingSet, RankedTable, OneHotColumns | None]:
    """Return the table, the ranks, and what the columns stand for if they are not the features.

    Parameters
    ----------
    data : TrainingSet
        The table.
    ranks : RankedTable
        Its ranks.
    one_vs_rest : bool
        Whether one category is tested against all others.
    distrusts : bool, default=True
        Whether features that tell no more than chance are left out; see
        :func:`softwood.grow.distrusted.trusted_features`.
    """
    nominal = data.is_nominal.any()
    kept = trusted_features(data) if nominal and distrusts else np.ones(data.X.shape[1], bool)
    if not (nominal and (one_vs_rest or not kept.all())):
        return data, ranks, None
    return with_one_hot(data, ranks, OneHotColumns.of(data.n_categories, kept, one_vs_rest))


def with_one_hot(
    data: TrainingSet, ranks: RankedTable, one_hot: OneHotColumns | None = None
) -> tuple[TrainingSet, RankedTable, OneHotColumns]:
    """Return a table and its ranks with one_hot in place of nominal columns.

    Parameters
    ----------
    data : TrainingSet
        The table.
    ranks : RankedTable
        Its ranks.
    one_hot : OneHotColumns, optional
        What the columns are to stand for; by default one for each category.

    Returns
    -------
    table : TrainingSet
        Its values are not there: trees grow on ranks.
    ranks : RankedTable
        The ranks of its columns.
    one_hot : OneHotColumns
        What the columns stand for.
    """
    one_hot = OneHotColumns.of(data.n_categories) if one_hot is None else one_hot
    columns = zip(one_hot.feature.tolist(), one_hot.category.tolist(), strict=True)
    rank = np.empty((one_hot.n_columns, data.n_rows), dtype=np.int32)
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
        n_categories=np.where(one_hot.is_indicator, 0, data.n_categories[one_hot.feature]),
    )
    left_out = one_hot.n_features > np.unique(one_hot.feature).size
    ranked = RankedTable(
        rank=rank,
        n_levels=np.array(n_levels, dtype=ranks.n_levels.dtype),
        values=np.concatenate(values),
        value_start=np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))),
        has_missing=bool(rank.min() < 0) if left_out else ranks.has_missing,
    )
    return table, ranked, one_hot


def _ranks_of(rank: IndexArray, category: int) -> AnyArray:
    if category < 0:
        return rank
    return np.where(rank < 0, MISSING_RANK, rank == category)
