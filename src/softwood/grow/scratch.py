"""The scratch: a table, and room to grow variable-random trees from it, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.grow.greedy import (
    cases_of,
    columns_of,
    growth_of,
    mean_target,
    rules_for,
    scratch_of,
)
from softwood.grow.ranks import RankedTable

if TYPE_CHECKING:
    from softwood._kernels.growth.node_buffers import Grown
    from softwood._kernels.packing.packed import Packed
    from softwood.grow.random import VariableRandom

SPARSE = 0.25  # columns with more of their lowest value are scanned without it


class Scratch:
    """A table, and room to grow trees from it one after the other.

    Parameters
    ----------
    data : TrainingSet
        The table.
    ranks : RankedTable
        Its ranks.
    """

    def __init__(self, data: TrainingSet, ranks: RankedTable) -> None:
        from softwood._kernels.growth.random_buffers import random_node_buffers

        self.data, self.ranks, self.offset = data, ranks, mean_target(data)
        self.has_nominal = bool(data.is_nominal.any())
        self._growth = growth_of(data)
        self._columns = columns_of(data, ranks)
        self._cases = cases_of(data, self.offset, not data.is_regression, ranks.has_missing, True)
        self._share = self._cases.share.copy() if ranks.has_missing else self._cases.share
        self._scratch = scratch_of(data, self._growth.n_columns)
        self._sorting = _sorting(data, ranks, self._cases.xlogs)
        can_count = self._growth.unit and self._sorting.quick.fits and not data.is_regression
        self._counts = can_count and not ranks.has_missing and not self.has_nominal
        self._times = np.zeros(data.n_rows, dtype=np.int32)
        self._buffers = random_node_buffers(
            data.X.shape[1], data.n_rows, self._growth.n_columns, ranks.has_missing
        )

    def grown(
        self,
        policy: VariableRandom,
        seed: np.random.SeedSequence,
        rows: AnyArray | None = None,
        features: AnyArray | None = None,
    ) -> Grown:
        """Return the buffers of a tree; the next tree writes over them."""
        of_tree = [None if part is None else np.asarray(part)[None, :] for part in (rows, features)]
        _, grown = self._grow(policy, [policy.alpha], [seed], *of_tree, packs=False)
        return grown

    def packed(
        self,
        policy: VariableRandom,
        alphas: Sequence[float],
        seeds: Sequence[np.random.SeedSequence],
        rows: AnyArray | None = None,
        features: AnyArray | None = None,
    ) -> list[Packed]:
        """Return packed trees of numeric tests, one for each alpha; see :func:`grow_packed`."""
        packed, _ = self._grow(policy, alphas, seeds, rows, features, packs=True)
        return packed

    def _grow(
        self,
        policy: VariableRandom,
        alphas: Sequence[float],
        seeds: Sequence[np.random.SeedSequence],
        rows: AnyArray | None,
        features: AnyArray | None,
        *,
        packs: bool,
    ) -> tuple[list[Packed], Grown]:
        """Return packed trees, if that is wanted, and the last one as it grew."""
        from softwood._kernels.growth.grow_packed import grow_packed
        from softwood._kernels.packing.packed import feature_bits
        from softwood._kernels.randomness import random_state

        n_trees = len(alphas)
        samples = self._samples(rows, n_trees)
        self._make_whole()
        packed, grown, self._buffers = grow_packed(
            samples,
            self._times,
            self._counts,
            self._active(features, n_trees),
            self.ranks.rank,
            self._columns,
            self._cases,
            self._growth,
            self._buffers,
            self._scratch,
            self._sorting,
            self._rules(policy),
            np.array(alphas, dtype=np.float64),
            np.array([random_state(seed) for seed in seeds]),
            self.ranks.has_missing,
            self.offset,
            float(policy.curtail),
            feature_bits(self.data.X.shape[1]),
            packs,
        )
        if packs and len(packed) < n_trees:
            raise _wrong_numbers("rows", samples[len(packed)], self.data.n_rows)
        if len(grown.node) == 0:
            raise _wrong_numbers("rows", samples[0], self.data.n_rows)
        return packed, grown

    def _make_whole(self) -> None:
        """Put the cases together that an earlier tree had in parts."""
        if self.ranks.has_missing:
            self._cases.weight[:], self._cases.share[:] = self.data.weight, self._share

    def _rules(self, policy: VariableRandom) -> Any:
        return rules_for(self.data, policy.rules(self.data.is_regression, self.data.X.shape[1]))

    def _samples(self, rows: AnyArray | None, n_trees: int) -> AnyArray:
        """Return the rows of each tree; no columns for all rows."""
        if rows is None:
            return np.empty((n_trees, 0), dtype=np.int64)
        if not 1 <= rows.shape[1] <= self.data.n_rows:
            raise _wrong_numbers("rows", rows, self.data.n_rows)
        return np.ascontiguousarray(rows, dtype=np.int64)

    def _active(self, features: AnyArray | None, n_trees: int) -> AnyArray:
        """Return the features of each tree, ascending."""
        n = self.data.X.shape[1]
        if features is None:
            return np.tile(np.arange(n, dtype=np.int64), (n_trees, 1))
        # The kernel would trust numbers outside, or more than it has room for.
        if not 1 <= features.shape[1] <= n or np.min(features) < 0 or np.max(features) >= n:
            raise _wrong_numbers("features", features, n)
        return np.sort(features, axis=1).astype(np.int64, copy=False)


def _wrong_numbers(name: str, chosen: AnyArray, n: int) -> ValueError:
    return ValueError(f"{name} must be 1 to {n} numbers from 0 to {n - 1}; got {chosen!r}")


def _sorting(data: TrainingSet, ranks: RankedTable, xlogs: FloatArray) -> Any:
    from softwood._kernels.growth.random_split import SortScratch
    from softwood._kernels.growth.scan_keys import COUNT_BITS, Quick, reach_of_columns
    from softwood._kernels.growth.sort_cases import N_BUCKETS
    from softwood._kernels.growth.sort_keys import KEY_BITS, MOST_BUCKETS

    n_cases, n_classes = data.n_rows, max(data.n_classes, 1)
    most_branches = max(2, int(data.n_categories.max(initial=0)))
    reach = np.zeros(len(ranks.n_levels), dtype=np.int64)
    reach_of_columns(ranks.values, ranks.value_start, reach)
    class_bits = max(1, (n_classes - 1).bit_length())
    quick = Quick(
        xlogs=xlogs,
        values=ranks.values,
        reach=reach,
        fits=int(ranks.n_levels.max(initial=1)) << (class_bits + COUNT_BITS) <= 2**KEY_BITS,
        is_sparse=(ranks.rank == 0).mean(axis=1) > SPARSE,
        here=np.zeros(4, dtype=np.int64),
        held=np.zeros(n_classes + 1, dtype=np.int64),
        code=np.zeros(n_classes, dtype=np.uint32),
        case=np.empty(n_cases, dtype=np.uint32),
        label=np.empty(n_cases, dtype=np.uint32),
        keys=np.empty(n_cases, dtype=np.uint32),
        other=np.empty(n_cases, dtype=np.uint32),
        bins=np.empty(max(MOST_BUCKETS, n_cases) + 1, dtype=np.int32),
        left=np.zeros(n_classes, dtype=np.int64),
        right=np.zeros(n_classes, dtype=np.int64),
    )
    return SortScratch(
        words=np.empty(n_cases, dtype=np.int64),
        other=np.empty(n_cases, dtype=np.int64),
        bins=np.empty(N_BUCKETS, dtype=np.int64),
        around=np.empty((data.X.shape[1], 2), dtype=np.int64),
        tally=np.zeros(2 * n_classes, dtype=np.int64),
        held=np.zeros(n_classes, dtype=np.int64),
        parts=np.zeros(most_branches * max(n_classes, 2)),
        quick=quick,
    )
