"""What the trees of an ensemble grow on, one table that they share, and how they grow on it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from softwood._types import AnyArray
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs, Report
from softwood.ensemble.sampling import Sampling, Seeds, seed_of_tree
from softwood.forest.one_hot import OneHotColumns
from softwood.forest.packed import PackedForest, PackedTrees
from softwood.grow.one_hot import columns_to_grow_on
from softwood.grow.random import RandomGrower, grow_packed
from softwood.grow.ranks import RankedTable, rank_table
from softwood.grow.scratch import Scratch
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood._kernels.packing.packed import Packed

MOST_IN_BATCH = 4  # trees that one task grows; the last one should not keep the others waiting
ROWS_IN_BATCH = 100_000  # that they see together: large trees do not wait for others


class SampleGrower(Protocol):
    """Grows a tree from a part of a table."""

    def grow(
        self,
        data: TrainingSet,
        seed: np.random.SeedSequence,
        *,
        ranks: RankedTable | None = None,
        rows: AnyArray | None = None,
        features: AnyArray | None = None,
    ) -> Tree:
        """Return a tree; see :class:`softwood.grow.random.RandomGrower`."""
        ...


class ScratchPool:
    """Scratches that are not in use: each serves one task at a time, and the next one after it.

    Another process makes its own.
    """

    def __init__(self) -> None:
        self._idle: deque[Scratch] = deque()

    @contextmanager
    def lend(self, data: TrainingSet, ranks: RankedTable) -> Iterator[Scratch]:
        """Lend a scratch; it is made if all are in use."""
        try:
            scratch = self._idle.pop()
        except IndexError:
            scratch = Scratch(data, ranks)
        yield scratch
        self._idle.append(scratch)

    def __reduce__(self) -> tuple[Any, ...]:
        return ScratchPool, ()


@dataclass(frozen=True, slots=True, eq=False)
class SharedTrainingData:
    """What all trees of an ensemble grow on.

    Attributes
    ----------
    data : TrainingSet
        The table.
    weighed : TrainingSet
        The table with the weights that the trees see; see :meth:`Sampling.weighed`.
    ranks : RankedTable
        The order of its columns, found once.
    sampling : Sampling
        What a tree sees of it.
    seed : int
        From whose children all trees get their random numbers.
    one_hot : OneHotColumns, optional
        What the columns of ``weighed`` and ``ranks`` stand for, if they are not the features:
        one category is tested against all others, or some feature is not tested at all.
    one_vs_rest, distrusts : bool
        By what rules these were chosen.
    scratch_pool : ScratchPool
        Where variable-random trees grow.
    """

    data: TrainingSet
    weighed: TrainingSet
    ranks: RankedTable
    sampling: Sampling
    seed: int
    one_hot: OneHotColumns | None = None
    one_vs_rest: bool = False
    distrusts: bool = False
    scratch_pool: ScratchPool = field(default_factory=ScratchPool)

    @classmethod
    def of(
        cls,
        data: TrainingSet,
        sampling: Sampling,
        seed: int,
        jobs: Jobs | None = None,
        one_vs_rest: bool = False,
        distrusts: bool = False,
    ) -> SharedTrainingData:
        """Return what trees share of a table.

        Parameters
        ----------
        data, sampling, seed
            As they will be.
        jobs : Jobs, optional
            How many columns are ranked at once.
        one_vs_rest : bool, default=False
            Whether variable-random trees test one category against all others; else they
            have a branch for each.
        distrusts : bool, default=False
            Whether they leave out features of many categories that tell no more than chance;
            see :func:`softwood.grow.distrusted.trusted_features`.
        """
        sampling.check(data.X.shape[1])
        ranks = rank_table(data, (jobs or Jobs()).at_once)
        weighed: TrainingSet = sampling.weighed(data)
        one_hot: OneHotColumns | None = None
        if one_vs_rest or distrusts:
            columns = columns_to_grow_on(weighed, ranks, one_vs_rest, distrusts)
            weighed, ranks, one_hot = columns
        return cls(data, weighed, ranks, sampling, seed, one_hot, one_vs_rest, distrusts)

    def again(self, data: TrainingSet) -> SharedTrainingData:
        """Return what trees share of another table, with the same seed and rules."""
        rules = (self.one_vs_rest, self.distrusts)
        return SharedTrainingData.of(data, self.sampling, self.seed, None, *rules)

    def grow_batch(self, batch: Sequence[tuple[int, SampleGrower]]) -> list[Packed | Tree]:
        """Return the trees of some numbers, each by the grower that comes with it.

        Variable-random trees are packed.
        """
        most = most_in_batch(self.data.n_rows)
        parts = (batch[start : start + most] for start in range(0, len(batch), most))
        return [tree for part in parts for tree in self._grow_part(part)]

    def _grow_part(self, batch: Sequence[tuple[int, SampleGrower]]) -> list[Packed | Tree]:
        """Return the trees of so few numbers that their rows may be in memory together."""
        seeds = [seed_of_tree(self.seed, number) for number, _ in batch]
        rows = self.sampling.rows(seeds, self.data.weight)
        features = self._features(seeds)
        random = [grower for _, grower in batch if isinstance(grower, RandomGrower)]
        if len(random) == len(batch):
            with self.scratch_pool.lend(self.weighed, self.ranks) as scratch:
                return self._grow_random(random, scratch, seeds, rows, features)
        return [
            grower.grow(
                self.weighed,
                seeds[k],
                ranks=self.ranks,
                rows=None if rows is None else rows[k],
                features=None if features is None else features[k],
            )
            for k, (_, grower) in enumerate(batch)
        ]

    def _features(self, seeds: Seeds) -> AnyArray | None:
        """Return a line of features for each tree, of those that are tested; None for all."""
        if self.one_hot is None:
            return self.sampling.features(seeds, self.data.X.shape[1])
        tested = np.unique(self.one_hot.feature)
        places = self.sampling.features(seeds, tested.size)
        return None if places is None else tested[places]

    def _grow_random(
        self,
        growers: Sequence[RandomGrower],
        scratch: Scratch,
        seeds: Seeds,
        rows: AnyArray | None,
        features: AnyArray | None,
    ) -> list[Packed | Tree]:
        """Return trees that are packed, or test features and not columns."""
        if self.one_hot is None:
            return grow_packed(growers, scratch, seeds, rows, features)
        if features is None:
            grown = grow_packed(growers, scratch, seeds, rows)
        else:  # as many features as another tree has may be more columns
            grown = []
            for k, grower in enumerate(growers):
                sample = None if rows is None else rows[k : k + 1]
                columns = self.one_hot.columns_of(features[k])[None, :]
                grown += grow_packed([grower], scratch, seeds[k : k + 1], sample, columns)
        return [self.one_hot.tree(tree) if isinstance(tree, Tree) else tree for tree in grown]

    def assembled(self, grown: Iterable[Packed | Tree], n_trees: int) -> Sequence[Tree]:
        """Return so many grown trees as a sequence."""
        n_columns, is_regression = self.weighed.X.shape[1], self.data.is_regression
        return assembled(grown, n_columns, is_regression, n_trees, self.one_hot)


def most_in_batch(n_rows: int) -> int:
    """Return how many trees on so many rows grow one after the other in one task."""
    return max(1, min(MOST_IN_BATCH, ROWS_IN_BATCH // n_rows))


def batched(items: Sequence[Any], most: int, at_once: int) -> list[Sequence[Any]]:
    """Return items in batches: the last ones are small, so that all tasks end together.

    Examples
    --------
    >>> [len(batch) for batch in batched(range(20), 4, at_once=2)]
    [4, 4, 3, 3, 2, 1, 1, 1, 1]
    """
    batches, start = [], 0
    while start < len(items):
        left = len(items) - start
        size = max(1, min(most, -(-left // (2 * at_once))))
        batches.append(items[start : start + size])
        start += size
    return batches


def assembled(
    grown: Iterable[Packed | Tree],
    n_columns: int,
    is_regression: bool,
    n_trees: int,
    one_hot: OneHotColumns | None = None,
) -> Sequence[Tree]:
    """Return packed trees as a packed forest, and others as they are.

    Whether trees are packed depends on the columns of the table: all are, or none.
    """
    trees: Any = iter(grown)
    first = next(trees, None)
    if first is None:
        return []
    trees = chain([first], trees)
    if isinstance(first, Tree):
        return list(trees)
    return PackedTrees(PackedForest.of_packed(trees, n_columns, is_regression, n_trees, one_hot))


def grow_trees(
    growers: Sequence[SampleGrower],
    shared: SharedTrainingData,
    jobs: Jobs | None = None,
    *,
    first: int = 0,
    report: Report | None = None,
) -> Sequence[Tree]:
    """Return one tree of each grower.

    Parameters
    ----------
    growers : sequence
        The growers; they may all be the same.
    shared : SharedTrainingData
        What the trees grow on.
    jobs : Jobs, optional
        How many grow at once.
    first : int, default=0
        Number of the first tree, which is that of its seed.
    report : callable, optional
        Called for each tree that has grown.

    Returns
    -------
    sequence of Tree

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.ensemble.shared_data import SharedTrainingData, grow_trees
    >>> from softwood.ensemble.sampling import Sampling
    >>> from softwood.grow.random import RandomGrower, VariableRandom
    >>> rng = np.random.default_rng(0)
    >>> data = TrainingSet.of_classes(rng.normal(size=(50, 3)), rng.integers(0, 2, 50))
    >>> shared = SharedTrainingData.of(data, Sampling("bootstrap"), seed=0)
    >>> growers = [RandomGrower(VariableRandom(alpha)) for alpha in (0.0, 0.5, 1.0)]
    >>> trees = grow_trees(growers, shared)
    >>> trees[1:] == tuple(grow_trees(growers[1:], shared, first=1))
    True
    """
    numbered = [(first + i, grower) for i, grower in enumerate(growers)]
    jobs = jobs or Jobs()
    batches = batched(numbered, most_in_batch(shared.data.n_rows), jobs.at_once)
    sizes = iter([len(batch) for batch in batches])

    def tell() -> None:
        for _ in range(next(sizes)):
            assert report is not None
            report()

    told = None if report is None else tell
    grown = (tree for batch in jobs.stream(shared.grow_batch, batches, told) for tree in batch)
    return shared.assembled(grown, len(numbered))
