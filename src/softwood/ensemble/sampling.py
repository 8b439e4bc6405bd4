"""Which rows and which features each tree of an ensemble sees.

All that is random about tree ``i`` comes from the child ``i`` of one seed. So trees are the
same in whatever order, thread or process they grow, and what a tree has seen need not be
kept: it can be drawn again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.data.training import TrainingSet

SAMPLINGS = ("all", "bootstrap", "subspace", "bootstrap+subspace")
ROWS, FEATURES, SHUFFLES = range(3)  # the children of a tree's own seed


def seed_of_tree(seed: int, number: int) -> np.random.SeedSequence:
    """Return what ``SeedSequence(seed).spawn`` gives as its child ``number``."""
    return np.random.SeedSequence(seed, spawn_key=(number,))


def generator_for(seed: np.random.SeedSequence, purpose: int) -> np.random.Generator:
    """Return the random numbers that a tree has for one purpose."""
    child = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, purpose))
    return np.random.default_rng(child)


@dataclass(frozen=True, slots=True)
class Sampling:
    """What a tree sees of the table.

    Parameters
    ----------
    kind : {"all", "bootstrap", "subspace", "bootstrap+subspace"}, default="all"
        Everything; as many rows as there are, drawn with replacement; some of the features;
        or both.
    subspace : float or int, default=0.5
        Share of the features, or their number.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.ensemble.sampling import Sampling, seed_of_tree
    >>> half = Sampling("bootstrap+subspace", 0.5)
    >>> half.rows(seed_of_tree(0, 0), np.ones(6)).tolist()
    [0, 3, 5, 5, 5, 2]
    >>> half.features(seed_of_tree(0, 0), 4).tolist()
    [0, 2]
    """

    kind: str = "all"
    subspace: float = 0.5

    @property
    def is_bootstrap(self) -> bool:
        """Whether a tree sees some rows several times and others not at all."""
        return self.kind in ("bootstrap", "bootstrap+subspace")

    @property
    def is_subspace(self) -> bool:
        """Whether a tree sees some of the features only."""
        return self.kind in ("subspace", "bootstrap+subspace")

    def rows(self, seed: np.random.SeedSequence, weight: FloatArray) -> AnyArray | None:
        """Return the rows of a tree, in chances proportional to weight; None for all."""
        if not self.is_bootstrap:
            return None
        rng, n_rows = generator_for(seed, ROWS), weight.size
        if np.all(weight == weight[0]):
            return rng.integers(0, n_rows, n_rows)
        return rng.choice(n_rows, n_rows, p=weight / weight.sum())

    def features(self, seed: np.random.SeedSequence, n_features: int) -> AnyArray | None:
        """Return the features of a tree, ascending; None for all."""
        if not self.is_subspace:
            return None
        shuffled = generator_for(seed, FEATURES).permutation(n_features)
        return np.sort(shuffled[: self.n_chosen(n_features)])

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
        weighs as much as a row does on average.
        """
        if not self.is_bootstrap or np.all(data.weight == data.weight[0]):
            return data
        return replace(data, weight=np.full(data.n_rows, data.weight.mean()))


def rows_in_bag(sampling: Sampling, seed: int, n_trees: int, weight: FloatArray) -> list[AnyArray]:
    """Return the rows that each tree was grown from, drawn again.

    Parameters
    ----------
    sampling : Sampling
        A bootstrap.
    seed : int
        Seed of the ensemble.
    n_trees : int
        Number of trees.
    weight : ndarray of shape (n_rows,)
        Weights of the training rows.
    """
    drawn = (sampling.rows(seed_of_tree(seed, i), weight) for i in range(n_trees))
    return [rows for rows in drawn if rows is not None]


def mask_of_bags(bags: list[AnyArray], n_rows: int) -> BoolArray:
    """Return which rows each tree has seen, rows by trees."""
    in_bag = np.zeros((n_rows, len(bags)), dtype=bool)
    for tree, rows in enumerate(bags):
        in_bag[rows, tree] = True
    return in_bag
