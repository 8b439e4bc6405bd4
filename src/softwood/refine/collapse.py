"""Collapse: a subtree that makes no fewer training errors than one leaf is one leaf."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from softwood._types import FloatArray
from softwood.tree import Tree

SLACK = 1e-3  # J48's: a subtree must save more than this many errors


def leaf_errors(tree: Tree) -> FloatArray:
    """Return the training weight each node would misclassify as a leaf."""
    return np.asarray(tree.weight * (1.0 - tree.response.max(axis=1)))


def sum_over_leaves(tree: Tree, value: FloatArray) -> FloatArray:
    """Return for each node the sum of ``value`` over the leaves below it."""
    total = np.where(tree.is_leaf, value, 0.0)
    parent = tree.parent
    for start, stop in reversed(list(tree.levels())[1:]):
        np.add.at(total, parent[start:stop], total[start:stop])
    return total


@dataclass(frozen=True, slots=True)
class Collapse:
    """Replace by a leaf, from the top down, what does not reduce training error."""

    def refine(self, tree: Tree) -> Tree:
        """Return a new tree."""
        as_leaf = leaf_errors(tree)
        as_subtree = sum_over_leaves(tree, as_leaf)
        return tree.compact(leaves=as_subtree >= as_leaf - SLACK)
