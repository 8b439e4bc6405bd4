"""Variable-random trees as learners: the members of forests, and on their own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.grow.one_hot import columns_to_grow_on
from softwood.grow.random import RandomGrower, VariableRandom, check_max_features
from softwood.grow.ranks import rank_table
from softwood.learn.fitted import ONE_JOB, Fitted


@dataclass(frozen=True)
class RandomTreeLearner:
    """A single variable-random tree.

    Parameters
    ----------
    policy : VariableRandom
        How a node finds its test.
    one_vs_rest : bool, default=False
        Whether one category is tested against all others; else there is a branch for each.
    """

    policy: VariableRandom
    one_vs_rest: bool = False

    def fit(self, data: TrainingSet, seed: int, jobs: Jobs = ONE_JOB) -> Fitted:
        """Return the tree; ``facts["left_out"]`` are the features that were not tested."""
        table, ranks, one_hot = columns_to_grow_on(data, rank_table(data), self.one_vs_rest)
        check_max_features(self.policy.max_features, max(data.X.shape[1], table.X.shape[1]))
        tree = RandomGrower(self.policy).grow(table, np.random.SeedSequence(seed), ranks=ranks)
        left_out = np.empty(0, dtype=int) if one_hot is None else one_hot.left_out
        tree = tree if one_hot is None else one_hot.tree(tree)
        return Fitted.of_tree(tree, left_out=left_out)
