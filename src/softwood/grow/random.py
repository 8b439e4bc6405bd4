"""The variable-random grower: every node tosses a coin between gain and chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.grow.greedy import NO_LIMIT, finished
from softwood.grow.ranks import RankedTable, rank_table
from softwood.grow.scratch import Scratch
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood._kernels.growth.node_buffers import Grown
    from softwood._kernels.packing.packed import Packed


@dataclass(frozen=True, slots=True)
class VariableRandom:
    """How a variable-random tree grows.

    Parameters
    ----------
    alpha : float, default=0.5
        Chance that a node takes the best test, not a random one.
    min_split : float, default=4.0
        Fewest cases of a node that may be split.
    min_leaf : float, default=2.0
        Fewest cases of two branches of a test that is chosen by gain.
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
        from softwood._kernels.growth.policy import RandomGainRules, RandomVarianceRules

        depth = NO_LIMIT if self.max_depth is None else self.max_depth
        limits = (depth, float(self.min_split), float(self.min_leaf))
        n_looked = n_looked_at(self.max_features, n_features)
        common = (*limits, n_looked, int(self.n_random_tests))
        if is_regression:
            return RandomVarianceRules(*common, 0.0)
        return RandomGainRules(*common, self.mdl_correction)


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
        return min(int(max_features), n_features)
    return max(1, int(max_features * n_features))


def check_max_features(max_features: str | float | None, n_features: int) -> None:
    """Complain if a node is to look at more features than there are."""
    if isinstance(max_features, Integral) and max_features > n_features:
        raise ValueError(
            f"max_features must not be larger than the number of features, {n_features}; "
            f"got {max_features}"
        )


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
        scratch = Scratch(data, rank_table(data) if ranks is None else ranks)
        return self._finished(scratch.grown(self.policy, seed, rows, features), scratch)

    def _finished(self, grown: Grown, scratch: Scratch) -> Tree:
        tree = finished(grown, scratch.data, scratch.ranks, scratch.offset)
        return tree.replace(response=curtailed(tree, self.policy.curtail))


def grow_packed(
    growers: Sequence[RandomGrower],
    scratch: Scratch,
    seeds: Sequence[np.random.SeedSequence],
    rows: AnyArray | None = None,
    features: AnyArray | None = None,
) -> list[Packed | Tree]:
    """Return a tree of each grower for a packed forest; on its own if it may have nominal tests.

    Parameters
    ----------
    growers : sequence of RandomGrower
        Trees of growers in line that differ in alpha only grow in one call of the kernel.
    scratch : Scratch
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
        if scratch.has_nominal:
            for k, grower in enumerate(some):
                of_tree = [None if part is None else part[k] for part in (sample, active)]
                grown = scratch.grown(grower.policy, seeds[here][k], *of_tree)
                packed.append(grower._finished(grown, scratch))
        else:
            alphas = [grower.policy.alpha for grower in some]
            packed += scratch.packed(policy, alphas, seeds[here], sample, active)
    return packed


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
