"""A limit on the number of leaves: keep the splits that help most."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from softwood.refine.importance import split_gain
from softwood.tree import Tree


@dataclass(frozen=True, slots=True)
class KeepBestLeaves:
    """Open nodes in the order of their gain until there are ``max_leaves`` leaves.

    What a node chooses does not depend on when it is opened, so taking nodes of the
    full tree in this order gives the tree that best-first growth would have grown.
    """

    max_leaves: int
    criterion: str = "gini"

    def refine(self, tree: Tree) -> Tree:
        """Return a new tree."""
        gain = split_gain(tree, self.criterion)
        closed = np.ones(tree.n_nodes, dtype=bool)
        n_leaves, candidates = 1, [(-gain[0], 0)]
        while candidates:
            _, node = heappop(candidates)
            more = int(tree.n_children[node]) - 1
            if more < 1 or n_leaves + more > self.max_leaves:
                continue
            closed[node] = False
            n_leaves += more
            for child in tree.children(node):
                heappush(candidates, (-gain[child], child))
        return tree.compact(leaves=closed)
