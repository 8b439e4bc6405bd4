"""Records as arrays of scores: data sets by methods by splits."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.evaluate.cells import OK, Record


def _sample_deviation(scores: FloatArray, axis: int) -> FloatArray:
    """Return the standard deviation over n - 1; NaN of a single score, which has none."""
    return np.asarray(np.std(scores, axis=axis, ddof=1))


STATISTICS: dict[str, Callable[..., Any]] = {
    "mean": np.mean,
    "median": np.median,
    "std": _sample_deviation,
}


def belonging(definition: dict[str, Any], records: Sequence[Record]) -> list[Record]:
    """Return the records that are of this very comparison.

    An experiment of the store may also have those of other parameters, data or versions.
    """
    return [
        record
        for record in records
        if _matches(record, definition["datasets"], definition["methods"])
        and record.cell.protocol == definition["protocol"]
        and record.cell.seed == definition["seed"]
    ]


def _matches(record: Record, datasets: dict[str, Any], methods: dict[str, Any]) -> bool:
    cell = record.cell
    method, dataset = methods.get(cell.method), datasets.get(cell.dataset)
    return (
        method is not None
        and dataset is not None
        and (method["parameters"], method["versions"]) == (cell.parameters, cell.versions)
        and dataset["digest"] == cell.digest
        and dataset["rows"][cell.split : cell.split + 1] == [cell.rows]
    )


def split_scores(
    records: Sequence[Record], datasets: Sequence[str], methods: Sequence[str], metric: str
) -> FloatArray:
    """Return an array, data sets by methods by splits; NaN where there is no such number."""
    n_splits = 1 + max((record.cell.split for record in records), default=0)
    cube = np.full((len(datasets), len(methods), n_splits), np.nan)
    row = {name: i for i, name in enumerate(datasets)}
    column = {name: j for j, name in enumerate(methods)}
    for record in records:
        cell = record.cell
        if record.outcome.status == OK:
            value = record.outcome.metrics.get(metric, np.nan)
            cube[row[cell.dataset], column[cell.method], cell.split] = value
    return cube


def summarised(cube: FloatArray, statistic: str) -> FloatArray:
    """Return one number for each data set and method.

    A split that has no number for any method counts for none of them: the metric is not
    defined there. A method without a number where another has one (it failed) has none
    for the data set either: means over different splits cannot be compared.
    """
    if statistic not in STATISTICS:
        raise ValueError(f"statistic must be one of {', '.join(STATISTICS)}; got {statistic!r}")
    table = np.full(cube.shape[:2], np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the spread of infinite scores, or of one
        for i, block in enumerate(cube):
            defined = ~np.isnan(block).all(axis=0)
            if defined.any():
                table[i] = STATISTICS[statistic](block[:, defined], axis=1)
    return table
