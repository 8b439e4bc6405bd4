"""Drop idle tests: a tree that learns from a teacher keeps the leaves that are worth it.

A soft_targets with many blurred copies lets a tree grow to any size, however few the rows were
that it comes from. What a test is worth is counted in these rows: by how much it lowers the
deviance of the answers to be learnt (their cross-entropy, or half their squared error over
the variance of the noise), in nats over all training rows. Tests are dropped before
training: trained afterwards, the tests that stay make up for the others, and training a
small tree takes less time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from softwood._types import FloatArray
from softwood.flow import Hard
from softwood.refine.soft_targets import SoftTargets
from softwood.tree import Tree


@dataclass(frozen=True, slots=True)
class DropIdleTests:
    """Prune a tree to the tests that tell enough about the answers of a soft_targets.

    The tree is the one of the cost-complexity sequence at ``price`` per leaf.

    Parameters
    ----------
    price : float, default=0.25
        Nats that a leaf must be worth, over all training rows; 0 keeps every test.

    Examples
    --------
    One feature decides, the others are noise, and the labels are taken at their word:

    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.refine.soft_targets import soft_targets_of
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(400, 3))
    >>> data = TrainingSet.of_classes(X, (X[:, 0] > rng.normal(0, 0.3, 400)).astype(int))
    >>> tree = GreedyGrower(Cart("gini", min_samples_leaf=5)).grow(data)
    >>> soft_targets = soft_targets_of(data)
    >>> [DropIdleTests(p).refine(tree, soft_targets, data.n_rows).n_leaves for p in (0, 2, 5)]
    [21, 14, 5]
    """

    price: float = 0.25

    def __post_init__(self) -> None:
        if not self.price >= 0.0:
            raise ValueError(f"price must be at least 0; got {self.price!r}")

    def refine(
        self, tree: Tree, soft_targets: SoftTargets, n_rows: int, noise: float | None = None
    ) -> Tree:
        """Return the pruned tree.

        Parameters
        ----------
        tree : Tree
            A tree grown on the soft_targets.
        soft_targets : SoftTargets
            What is to be learnt.
        n_rows : int
            Training rows that the soft_targets was made from.
        noise : float, optional
            Variance of the numbers about what can be learnt; None if the answers are
            shares of classes.
        """
        from softwood._kernels.pruning.weakest_link import collapse_prices

        if tree.n_leaves == 1 or self.price == 0.0:
            return tree
        cost = cost_as_leaf(tree, soft_targets, squared=noise is not None)
        worth = collapse_prices(tree.first_child, tree.n_children, tree.parent, cost)
        cost_of_a_nat = 1.0 if noise is None else 2.0 * noise
        return tree.compact(leaves=worth < self.price * cost_of_a_nat / n_rows)


def cost_as_leaf(tree: Tree, soft_targets: SoftTargets, squared: bool) -> FloatArray:
    """Return what each node would cost as a leaf that gives its mean answer.

    Parameters
    ----------
    tree : Tree
        The tree.
    soft_targets : SoftTargets
        The rows and the answers.
    squared : bool
        Squared error, or else cross-entropy.

    Returns
    -------
    ndarray of shape (n_nodes,)
        Sums over the rows that reach a node, per unit of the whole weight.
    """
    reach = Hard().reach(tree, soft_targets.X).T
    share = soft_targets.weight / soft_targets.weight.sum()
    answer = np.asarray(soft_targets.target, dtype=np.float64)
    total = reach @ (share[:, None] * answer)
    mass = np.maximum(reach @ share, np.finfo(np.float64).tiny)[:, None]
    if squared:
        squares = reach @ (share[:, None] * answer**2)
        return np.asarray((squares - total**2 / mass).sum(axis=1))
    logarithm = np.log(total / mass, out=np.zeros_like(total), where=total > 0.0)
    return np.asarray(-(total * logarithm).sum(axis=1))
