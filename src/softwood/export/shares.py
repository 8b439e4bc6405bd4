"""How tests share out mass, as numbers that do not depend on the row."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.tree import NONE, Tree

if TYPE_CHECKING:
    from softwood._kernels.flow.gates import Gates

MIDDLE, DEGREE = (
    3.0,
    24,
)  # of the fit below: with more terms, Horner's scheme loses more than it wins
N_SPECIAL = 2  # codes after the last category: one that nobody knows, and a missing one


def missing_shares(tree: Tree) -> FloatArray:
    """Return the part of its parent's mass that each node gets where the value is missing."""
    parent = np.maximum(tree.parent, 0)
    branch = np.arange(tree.n_nodes) - tree.first_child[parent]
    taken = tree.missing_child[parent]
    return np.where(taken == NONE, branch_shares(tree), taken == branch).astype(float)


def branch_shares(tree: Tree) -> FloatArray:
    """Return the part that each node gets where mass spreads: by training weight."""
    parent = np.maximum(tree.parent, 0)
    total = np.zeros(tree.n_nodes)
    np.add.at(total, parent[1:], tree.weight[1:])
    total, n_children = total[parent], np.maximum(tree.n_children[parent], 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0.0, tree.weight / total, 1.0 / n_children)


def category_parts(tree: Tree, node: int, n_categories: int) -> FloatArray:
    """Return the part of each category, of an unknown and of a missing one, for each child.

    Returns
    -------
    ndarray of shape (n_categories + 2, n_children)
    """
    n_children = int(tree.n_children[node])
    children = tree.first_child[node] + np.arange(n_children)
    taken = np.full(n_categories + 1, NONE)
    known = tree.set_child[tree.set_start[node] : tree.set_start[node + 1]]
    taken[: min(known.size, n_categories)] = known[:n_categories]
    spread = branch_shares(tree)[children]
    parts = np.where(taken[:, None] == NONE, spread, taken[:, None] == np.arange(n_children))
    return np.vstack([parts, missing_shares(tree)[children]])


def redrawn_parts(
    tree: Tree, gates: Gates, node: int, n_categories: int
) -> tuple[FloatArray, FloatArray]:
    """Return what of its feature's draws each child of a redrawing test gets, and the test itself.

    Tests of one feature share the draw, so parts are products along the path.

    Returns
    -------
    parts : ndarray of shape (n_categories + 2, n_children)
        The last row, of missing values, is that of a test without a redraw.
    whole : ndarray of shape (n_categories + 2,)
        The sum of the parts.
    """
    own, below = np.ones((n_categories + N_SPECIAL, 1)), int(gates.home[node])
    while below > 0:
        test = int(tree.parent[below])
        branch = below - int(tree.first_child[test])
        own = own * category_parts(tree, test, n_categories)[:, branch : branch + 1]
        below = int(gates.home[test])
    chance = gates.redraw[node]
    children = tree.first_child[node] + np.arange(tree.n_children[node])
    missing = category_parts(tree, node, n_categories)[-1]
    own = own * category_parts(tree, node, n_categories)
    parts = (1.0 - chance) * own + chance * gates.drawn[children]
    parts[-1] = missing
    return parts, parts.sum(axis=1)


@cache
def tail_polynomial() -> tuple[float, ...]:
    """Return coefficients p, the highest first, that give the normal distribution its tails.

    The mass beyond a >= 0 is ``exp(-a * a / 2) * p(t) / 2`` with t = (a - 3) / (a + 3), within
    2e-15: an exponential and a polynomial are what every place can compute.
    """
    from numpy.polynomial import chebyshev
    from scipy.special import erfcx

    def scaled_tail(t: Any) -> Any:
        return erfcx(MIDDLE * (1.0 + t) / (1.0 - t) * np.sqrt(0.5))

    series = chebyshev.chebinterpolate(scaled_tail, DEGREE)
    fit = chebyshev.cheb2poly(series)
    return tuple(float(part) for part in fit[::-1])
