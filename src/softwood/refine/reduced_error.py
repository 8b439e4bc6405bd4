"""Reduced-error pruning (Quinlan 1987): a subtree stays if held-out rows are better off with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from softwood.data.training import TrainingSet
from softwood.flow import Flow
from softwood.refine.cost_complexity import SAME_COST, validation_costs
from softwood.tree import Tree


@dataclass(frozen=True, slots=True)
class PruneReducedError:
    """Turn nodes into leaves, from the bottom up, wherever that loses nothing on held-out rows.

    What is lost is misclassified weight, or squared error. Of all pruned versions of the tree that
    lose least there, the result is the smallest.

    Parameters
    ----------
    flow : Flow, optional
        How the held-out rows reach the nodes; by default hard.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.refine.reduced_error import PruneReducedError
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(400, 3))
    >>> data = TrainingSet.of_classes(X, X[:, 0] > rng.normal(0, 0.3, 400))
    >>> tree = GreedyGrower(Cart()).grow(data.take(np.arange(200)))
    >>> tree.n_leaves, PruneReducedError().refine(tree, data.take(np.arange(200, 400))).n_leaves
    (20, 5)
    """

    flow: Flow | None = None

    def refine(self, tree: Tree, data: TrainingSet) -> Tree:
        """Return the pruned tree; ``data`` are rows that it was not grown on."""
        as_leaf = validation_costs(tree, data, self.flow)
        slack = SAME_COST * float(np.abs(as_leaf).max())
        best, becomes_leaf = as_leaf.copy(), tree.is_leaf.copy()
        for node in np.flatnonzero(~tree.is_leaf)[::-1]:  # children come after their parent
            first = tree.first_child[node]
            below = best[first : first + tree.n_children[node]].sum()
            becomes_leaf[node] = as_leaf[node] <= below + slack
            best[node] = as_leaf[node] if becomes_leaf[node] else below
        return tree.compact(leaves=becomes_leaf)
