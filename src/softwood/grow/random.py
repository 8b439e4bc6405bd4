"""The variable-random grower: every node tosses a coin between merit and chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.grow.greedy import (
    NO_LIMIT,
    cases_of,
    columns_of,
    finished,
    growth_of,
    mean_target,
    workspace_of,
)
from softwood.grow.ranks import RankedTable, rank_table
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood._kernels.growth.books import Grown
    from softwood._kernels.packing.packed import Packed


SPARSE = 0.25  # columns with more of their lowest value are scanned without it


@dataclass(frozen=True, slots=True)
class VariableRandom:
    """How a variable-random tree grows.

    Parameters
    ----------
    alpha : float, default=0.5
        Chance that a node takes the best test, not a random one.
    min_split : float, default=4.0
        Least weight of a node that may be split; for regression, its least size.
    min_leaf : float, default=2.0
        Least weight (or size) of two branches of a test that is chosen by merit.
    max_depth : int, optional
        Most tests on a path.
    mdl_correction : bool, default=True
        Whether the gain of a cut pays for the number of cuts it was chosen from.
    curtail : float, default=1.0
        A leaf that does not weigh more answers as the nearest node above that does.
    max_features : {"sqrt", "log2"}, int, float or None, default=None
        Of how many features, drawn anew at every node, the best test is taken.
    n_random_tests : int, default=1
        Of how many random tests a node takes the one that tells most, if it tosses for chance.
    """

    alpha: float = 0.5
    min_split: float = 4.0
    min_leaf: float = 2.0
    max_depth: int | None = None
    mdl_correction: bool = True
    curtail: float = 1.0
    max_features: str | float | None = None
    n_random_tests: int = 1

    def rules(self, is_regression: bool, n_features: int) -> Any:
        """Return all but alpha as the rules whose type picks the compiled policy."""
        from softwood._kernels.growth.coin import CoinGainRules, CoinVarianceRules

        depth = NO_LIMIT if self.max_depth is None else self.max_depth
        limits = (depth, float(self.min_split), float(self.min_leaf))
        n_looked = n_looked_at(self.max_features, n_features)
        common = (*limits, n_looked, int(self.n_random_tests))
        if is_regression:
            return CoinVarianceRules(*common, 0.0)
        return CoinGainRules(*common, self.mdl_correction)


def n_looked_at(max_features: str | float | None, n_features: int) -> int:
    """Return of how many features a node takes the best.

    Examples
    --------
    >>> [n_looked_at(m, 60) for m in (None, "sqrt", "log2", 0.5, 7)]
    [60, 7, 5, 30, 7]
    """
    if max_features is None:
        return n_features
    if isinstance(max_features, str):
        root_or_log = {"sqrt": np.sqrt, "log2": np.log2}[max_features]
        return max(1, int(root_or_log(n_features)))
    if isinstance(max_features, Integral):
        if max_features > n_features:
            raise ValueError(
                f"max_features must not be larger than the number of features, {n_features}; "
                f"got {max_features}"
            )
        return int(max_features)
    return max(1, int(max_features * n_features))


@dataclass(frozen=True, slots=True)
class RandomGrower:
    """Grow variable-random trees from one table.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.random import RandomGrower, VariableRandom
    >>> X = np.arange(8.0).reshape(8, 1)
    >>> data = TrainingSet.of_classes(X, [0, 0, 0, 0, 1, 1, 1, 1])
    >>> tree = RandomGrower(VariableRandom(alpha=1.0)).grow(data, np.random.SeedSequence(0))
    >>> tree.threshold.tolist()
    [3.0, 0.0, 0.0]
    """

    policy: VariableRandom

    def grow(
        self,
        data: TrainingSet,
        seed: np.random.SeedSequence,
        *,
        ranks: RankedTable | None = None,
        rows: AnyArray | None = None,
        features: AnyArray | None = None,
    ) -> Tree:
        """Return a tree.

        Parameters
        ----------
        data : TrainingSet
            The table.
        seed : SeedSequence
            Where the tree's random numbers come from.
        ranks : RankedTable, optional
            Ranks of the table, if they are known already.
        rows : ndarray of int, optional
            Rows to grow from, some perhaps several times; by default all.
        features : ndarray of int, optional
            Features to test; by default all.

        Returns
        -------
        Tree
        """
        bench = Bench(data, rank_table(data) if ranks is None else ranks)
        return self._finished(bench.grown(self.policy, seed, rows, features), bench)

    def _finished(self, grown: Grown, bench: Bench) -> Tree:
        tree = finished(grown, bench.data, bench.ranks, bench.offset)
        return tree.replace(response=curtailed(tree, self.policy.curtail))


def grow_packed(
    growers: Sequence[RandomGrower],
    bench: Bench,
    seeds: Sequence[np.random.SeedSequence],
    rows: AnyArray | None = None,
    features: AnyArray | None = None,
) -> list[Packed | Tree]:
    """Return a tree of each grower for a stack; on its own if it may have nominal tests.

    Parameters
    ----------
    growers : sequence of RandomGrower
        Trees of growers in line that differ in alpha only grow in one call of the kernel.
    bench : Bench
        Where the trees grow.
    seeds : sequence of SeedSequence
        Where the random numbers of each come from.
    rows : ndarray of int, optional
        A line of rows for each; by default all.
    features : ndarray of int, optional
        A line of features for each; by default all.

    Returns
    -------
    list of Packed or Tree
    """
    packed: list[Packed | Tree] = []
    for policy, alike in groupby(growers, lambda grower: replace(grower.policy, alpha=0.0)):
        some = list(alike)
        here = slice(len(packed), len(packed) + len(some))
        sample = None if rows is None else rows[here]
        active = None if features is None else features[here]
        if bench.has_nominal:
            for k, grower in enumerate(some):
                of_tree = [None if part is None else part[k] for part in (sample, active)]
                grown = bench.grown(grower.policy, seeds[here][k], *of_tree)
                packed.append(grower._finished(grown, bench))
        else:
            alphas = [grower.policy.alpha for grower in some]
            packed += bench.packed(policy, alphas, seeds[here], sample, active)
    return packed


class Bench:
    """A table, and room to grow trees from it one after the other.

    Parameters
    ----------
    data : TrainingSet
        The table.
    ranks : RankedTable
        Its ranks.
    """

    def __init__(self, data: TrainingSet, ranks: RankedTable) -> None:
        from softwood._kernels.growth.random_books import open_random_books

        self.data, self.ranks, self.offset = data, ranks, mean_target(data)
        self.has_nominal = bool(data.is_nominal.any())
        self._growth = growth_of(data)
        self._columns = columns_of(data, ranks)
        self._cases = cases_of(data, self.offset, not data.is_regression, ranks.has_missing)
        self._work = workspace_of(data, self._growth.n_columns)
        self._room = _room(data, ranks, self._cases.xlogs)
        can_count = self._growth.unit and self._room.quick.fits and not data.is_regression
        self._counts = can_count and not ranks.has_missing and not self.has_nominal
        self._times = np.zeros(data.n_rows, dtype=np.int32)
        self._books = open_random_books(
            data.X.shape[1], data.n_rows, self._growth.n_columns, ranks.has_missing
        )

    def grown(
        self,
        policy: VariableRandom,
        seed: np.random.SeedSequence,
        rows: AnyArray | None = None,
        features: AnyArray | None = None,
    ) -> Grown:
        """Return the books of a tree; the next tree writes over them."""
        from softwood._kernels.growth.grow_random import grow_random
        from softwood._kernels.randomness import random_state

        chosen = np.arange(self.data.n_rows) if rows is None else self._sample(rows)
        active = self._active(None if features is None else features[None, :], 1)[0]
        if self.ranks.has_missing:  # cases in parts have changed these
            self._cases.weight[:], self._cases.share[:] = self.data.weight, 1.0
        grown, self._books = grow_random(
            chosen.astype(np.int64, copy=False)[None, :],
            active,
            self.ranks.rank,
            self._columns,
            self._cases,
            self._growth,
            self._books,
            self._work,
            self._room,
            policy.rules(self.data.is_regression, self.data.X.shape[1]),
            float(policy.alpha),
            random_state(seed),
            self.ranks.has_missing,
        )
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
        from softwood._kernels.growth.grow_packed import grow_packed
        from softwood._kernels.packing.packed import feature_bits
        from softwood._kernels.randomness import random_state

        n_trees, n_features = len(alphas), self.data.X.shape[1]
        samples = np.empty((n_trees, 0), dtype=np.int64) if rows is None else rows
        if rows is not None and not 1 <= rows.shape[1] <= self.data.n_rows:
            raise _wrong_numbers("rows", rows, self.data.n_rows)
        packed, self._books = grow_packed(
            samples,
            self._times,
            self._counts,
            self._active(features, n_trees),
            self.ranks.rank,
            self._columns,
            self._cases,
            self._growth,
            self._books,
            self._work,
            self._room,
            policy.rules(self.data.is_regression, n_features),
            np.array(alphas, dtype=np.float64),
            np.array([random_state(seed) for seed in seeds]),
            self.ranks.has_missing,
            self.offset,
            float(policy.curtail),
            feature_bits(n_features),
        )
        if len(packed) < n_trees:
            raise _wrong_numbers("rows", samples[len(packed)], self.data.n_rows)
        return packed

    def _sample(self, rows: AnyArray) -> AnyArray:
        """Return the rows in order; where the kernel can count, each of them once."""
        from softwood._kernels.growth.draws import count_draws

        n_rows = self.data.n_rows
        entry = np.empty(len(rows), dtype=np.int64)
        rows = np.asarray(rows, dtype=np.int64)
        if not 1 <= rows.size <= n_rows:
            raise _wrong_numbers("rows", rows, n_rows)
        n_entries = count_draws(rows, self._times, self._counts, entry)
        if n_entries < 0:
            raise _wrong_numbers("rows", rows, n_rows)
        return entry[:n_entries]

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


def _room(data: TrainingSet, ranks: RankedTable, xlogs: FloatArray) -> Any:
    from softwood._kernels.growth.coin import Room
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
    return Room(
        words=np.empty(n_cases, dtype=np.int64),
        other=np.empty(n_cases, dtype=np.int64),
        bins=np.empty(N_BUCKETS, dtype=np.int64),
        around=np.empty((data.X.shape[1], 2), dtype=np.int64),
        tally=np.zeros(2 * n_classes, dtype=np.int64),
        held=np.zeros(n_classes, dtype=np.int64),
        parts=np.zeros(most_branches * max(n_classes, 2)),
        quick=quick,
    )


def curtailed(tree: Tree, least: float) -> FloatArray:
    """Return responses in which leaves that do not weigh more than ``least`` answer as above.

    Parents come before their children, so one step up is enough.
    """
    small = np.flatnonzero(tree.is_leaf & (tree.weight <= least))
    parent = tree.parent
    climbing = small[parent[small] >= 0]
    response = tree.response.copy()
    above = parent[climbing]
    while True:
        light = (tree.weight[above] <= least) & (parent[above] >= 0)
        if not light.any():
            break
        above = np.where(light, parent[above], above)
    response[climbing] = tree.response[above]
    return response
