"""Which rows and which features each tree of an ensemble sees.

All that is random about tree ``i`` comes from the child ``i`` of one seed. So trees are the
same in whatever order, thread or process they grow, and what a tree has seen need not be
kept: it can be drawn again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.data.training import TrainingSet

BOOTSTRAP, SUBSAMPLE, SUBSPACE = "bootstrap", "subsample", "subspace"
SAMPLINGS = (
    "all", BOOTSTRAP, SUBSAMPLE, SUBSPACE, f"{BOOTSTRAP}+{SUBSPACE}", f"{SUBSAMPLE}+{SUBSPACE}",
)  # fmt: skip
AS_GOOD_AS_NONE = 1e-5  # a difference of scale; rows that weigh exactly 1 can be counted
ROWS, FEATURES, SHUFFLES = range(3)  # the children of a tree's own seed
Seeds = Sequence[np.random.SeedSequence]


def seed_of_tree(seed: int, number: int) -> np.random.SeedSequence:
    """Return what ``SeedSequence(seed).spawn`` gives as its child ``number``."""
    return np.random.SeedSequence(seed, spawn_key=(number,))


def child_of(seed: np.random.SeedSequence, purpose: int) -> np.random.SeedSequence:
    """Return the seed that a tree has for one purpose."""
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, purpose))


def generator_for(seed: np.random.SeedSequence, purpose: int) -> np.random.Generator:
    """Return the random numbers that a tree has for one purpose."""
    return np.random.default_rng(child_of(seed, purpose))


@dataclass(frozen=True, slots=True)
class Sampling:
    """What a tree sees of the table.

    Parameters
    ----------
    kind : str, default="all"
        One of :data:`SAMPLINGS`. Everything; as many rows as there are, drawn with replacement
        (a bootstrap); some of the rows (a subsample); some of the features (a subspace); or
        one of both.
    subspace : float or int, default=0.5
        Share of the features, or their number.
    max_samples : float or (float, float), default=0.8
        Share of the rows in a subsample. Of two, every tree draws a share between them; the
        rows of a small subsample come again until it has as many as the largest: the limits
        of a node mean the same in all trees.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.ensemble.sampling import Sampling, seed_of_tree
    >>> half = Sampling("bootstrap+subspace", 0.5)
    >>> seeds = [seed_of_tree(0, number) for number in (0, 1)]
    >>> half.rows(seeds, np.ones(6)).tolist()
    [[2, 5, 0, 3, 4, 1], [5, 4, 4, 2, 0, 1]]
    >>> half.features(seeds, 4).tolist()
    [[0, 2], [2, 3]]
    """

    kind: str = "all"
    subspace: float = 0.5
    max_samples: float | tuple[float, float] = 0.8

    @property
    def is_bootstrap(self) -> bool:
        """Whether a tree sees some rows several times and others not at all."""
        return BOOTSTRAP in self.kind

    @property
    def is_subsample(self) -> bool:
        """Whether a tree sees some of the rows, each once."""
        return SUBSAMPLE in self.kind

    @property
    def leaves_out_rows(self) -> bool:
        """Whether there are rows out of bag, which a tree has not seen."""
        return self.is_bootstrap or self.is_subsample

    @property
    def share_left_out(self) -> float:
        """Share of the trees, on average, that have not seen a row of many."""
        if self.is_subsample:
            return 1.0 - float(np.mean(self.max_samples))
        return float(np.exp(-1.0)) if self.is_bootstrap else 0.0

    @property
    def is_subspace(self) -> bool:
        """Whether a tree sees some of the features only."""
        return SUBSPACE in self.kind

    def rows(self, seeds: Seeds, weight: FloatArray) -> AnyArray | None:
        """Return a line of rows for each tree; None for all.

        The chances of a bootstrap are proportional to weight. Those of a subsample are equal:
        a heavy row counts for more where it is drawn.
        """
        from softwood._kernels.growth.draws import draw_rows, draw_some_rows
        from softwood._kernels.randomness import random_state

        if not self.leaves_out_rows:
            return None
        # Not numpy's generator, where it can be: it holds the GIL, and other trees wait for it.
        states = np.array([random_state(child_of(seed, ROWS)) for seed in seeds])
        if self.is_subsample:
            return draw_some_rows(states, weight.size, *self.n_sampled(weight.size))
        if _is_even(weight):
            return draw_rows(states, weight.size)
        n_rows, odds = weight.size, weight / weight.sum()
        return np.stack(
            [generator_for(seed, ROWS).choice(n_rows, n_rows, p=odds) for seed in seeds]
        )

    def features(self, seeds: Seeds, n_features: int) -> AnyArray | None:
        """Return a line of features for each tree, ascending; None for all."""
        if not self.is_subspace:
            return None
        n_chosen = self.n_chosen(n_features)
        shuffled = [generator_for(seed, FEATURES).permutation(n_features) for seed in seeds]
        return np.stack([np.sort(features[:n_chosen]) for features in shuffled])

    def n_sampled(self, n_rows: int) -> tuple[int, int]:
        """Return how few and how many rows may be in a subsample: at least one.

        If all trees have the same number, it is less than all, where there are two rows.
        """
        if isinstance(self.max_samples, tuple):
            shares, limit = self.max_samples, n_rows
        else:
            shares, limit = (self.max_samples, self.max_samples), n_rows - 1
        fewest, most = (max(1, min(limit, round(share * n_rows))) for share in shares)
        return fewest, most

    def n_chosen(self, n_features: int) -> int:
        """Return how many of the features a tree sees; of a share, halves are rounded up."""
        if isinstance(self.subspace, Integral):
            return int(self.subspace)
        return max(1, int(np.floor(self.subspace * n_features + 0.5)))

    def check(self, n_features: int) -> None:
        """Complain if a tree is to see more features than there are."""
        if self.is_subspace and self.n_chosen(n_features) > n_features:
            raise ValueError(
                f"subspace must not be larger than the number of features, {n_features}; "
                f"got {self.subspace}"
            )

    def weighed(self, data: TrainingSet) -> TrainingSet:
        """Return the set whose weights the trees see.

        A heavy row is drawn more often and must not count twice for it: then every draw
        weighs as much as a row does on average, as good as 1 for most tables.
        """
        if not self.is_bootstrap or _is_even(data.weight):
            return data
        average = float(data.weight.mean())
        if abs(average - 1.0) < AS_GOOD_AS_NONE:
            return replace(data, weight=np.ones(data.n_rows), unit=data.unit * average)
        return replace(data, weight=np.full(data.n_rows, average))


def _is_even(weight: FloatArray) -> bool:
    return bool(weight.min() == weight.max())


def rows_in_bag(sampling: Sampling, seed: int, n_trees: int, weight: FloatArray) -> list[AnyArray]:
    """Return the rows that each tree was grown from, drawn again.

    Parameters
    ----------
    sampling : Sampling
        One that leaves out rows.
    seed : int
        Seed of the ensemble.
    n_trees : int
        Number of trees.
    weight : ndarray of shape (n_rows,)
        Weights of the training rows.
    """
    drawn = sampling.rows([seed_of_tree(seed, number) for number in range(n_trees)], weight)
    return [] if drawn is None else list(drawn)


def mask_of_bags(bags: Sequence[AnyArray | slice], n_rows: int) -> BoolArray:
    """Return which rows each tree has seen, rows by trees.

    Parameters
    ----------
    bags : sequence of ndarray or slice
        The rows of each tree.
    n_rows : int
        How many rows there are.

    Examples
    --------
    >>> mask_of_bags([np.array([0, 0]), slice(None)], 2).tolist()
    [[True, True], [False, True]]
    """
    in_bag = np.zeros((n_rows, len(bags)), dtype=bool)
    for tree, rows in enumerate(bags):
        in_bag[rows, tree] = True
    return in_bag
