"""A bounded exchange of rows: every tree grows on a sample that is drawn over all partitions.

A tree that knows one of many partitions is a weak one, and one that knows a part of the world if
the rows are sorted. So every partition deals its rows at random into a few samples, each as large
as a worker can hold. Who deals, where, and how often somebody has tried before makes no difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from softwood._types import AnyArray
from softwood.data.training import TrainingSet

AUTO = "auto"
BYTES_OF_SAMPLE = 1 << 28  # of a sample by default: growing takes about six times as much
MOST_SAMPLES = 16  # more would add little to what so many trees know, and travel all the same
ALL_OF_IT = 0  # of the two numbers in the seed of a partition, the one that no tree has


@dataclass(frozen=True)
class Exchange:
    """What is sent from partitions to samples.

    Attributes
    ----------
    n_samples : int
        How many samples there are. No row is in two of them.
    n_rows : int
        Rows in all of them.
    n_bytes : int
        What these take, in memory and, at most, on the way.
    is_all : bool
        Whether there is one sample, of all rows.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.dask.exchange import Exchange
    >>> Exchange.of(400, np.array([10, 20, 10]), row_bytes=40, n_trees=100)
    Exchange(n_samples=4, n_rows=40, n_bytes=1600, is_all=False)
    """

    n_samples: int
    n_rows: int
    n_bytes: int
    is_all: bool

    @classmethod
    def of(cls, wanted: Any, n_rows: AnyArray, row_bytes: int, n_trees: int) -> Exchange | None:
        """Return the plan; None if rows stay where they are.

        Parameters
        ----------
        wanted : "auto", int or None
            Bytes of a sample. "auto" is as much as the largest partition has, and 256 MiB at
            least; None leaves rows alone.
        n_rows : ndarray of shape (n_partitions,)
            Rows of the partitions.
        row_bytes : int
            What a row takes.
        n_trees : int
            Number of trees: there is no sample without one.
        """
        if wanted is None or n_rows.size == 1:
            return None
        total = int(n_rows.sum())
        if isinstance(wanted, str):
            largest = max(BYTES_OF_SAMPLE // row_bytes, int(n_rows.max()))
        else:
            largest = max(1, int(wanted) // row_bytes)
        n_samples = min(-(-total // largest), MOST_SAMPLES, n_trees)
        sent = min(total, n_samples * largest)
        return cls(n_samples, sent, sent * row_bytes, n_samples == 1 and sent == total)

    def dealt(self, parts: Sequence[Any], n_rows: AnyArray, seed: int) -> list[Any]:
        """Return the samples, each a task that puts pieces of all partitions together.

        Parameters
        ----------
        parts : sequence of Delayed
            Training sets.
        n_rows : ndarray of shape (n_partitions,)
            How many rows each has.
        seed : int
            Seed of the ensemble.
        """
        from dask import delayed

        total = int(n_rows.sum())
        ends = np.concatenate(([0], np.cumsum(n_rows))) * self.n_rows // total  # exact: integers
        deal, join = delayed(deal_rows, nout=self.n_samples), delayed(joined)
        pieces = [
            deal(part, Deal(self.n_samples, j, int(ends[j]), int(ends[j + 1]), seed))
            for j, part in enumerate(parts)
        ]
        return [join([piece[k] for piece in pieces]) for k in range(self.n_samples)]


@dataclass(frozen=True)
class Deal:
    """What a partition is to deal: its rows from ``start`` to ``stop`` of all that are dealt."""

    n_samples: int
    partition: int
    start: int
    stop: int
    seed: int


def deal_rows(data: TrainingSet, deal: Deal) -> list[TrainingSet]:
    """Return what each sample gets of a partition, rows in their order.

    The rows are dealt in turn, after the partition before has dealt its own: samples are of one
    size, but for a row.
    """
    n_dealt = deal.stop - deal.start
    if deal.n_samples == 1 and n_dealt == data.n_rows:
        return [data]
    own = np.random.SeedSequence(deal.seed, spawn_key=(deal.partition, ALL_OF_IT, ALL_OF_IT))
    order = np.random.default_rng(own).permutation(data.n_rows)[:n_dealt]
    sample = np.arange(deal.start, deal.stop) % deal.n_samples
    return [data.take(np.sort(order[sample == k])) for k in range(deal.n_samples)]


def joined(parts: Sequence[TrainingSet]) -> TrainingSet:
    """Return the rows of several sets of one table as one set."""
    first = parts[0]
    return replace(
        first,
        X=np.concatenate([part.X for part in parts]),
        weight=np.concatenate([part.weight for part in parts]),
        label=np.concatenate([part.label for part in parts]),
        target=np.concatenate([part.target for part in parts]),
    )


def bytes_of_row(n_features: int, is_regression: bool) -> int:
    """Return what a row of a training set takes: numbers, weight, label and target.

    Examples
    --------
    >>> from softwood.dask.exchange import bytes_of_row
    >>> bytes_of_row(10, is_regression=False)
    90
    """
    return 8 * n_features + 8 + 2 + 8 * is_regression
