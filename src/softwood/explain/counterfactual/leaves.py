"""The regions of leaves: intervals and sets of categories, and the oblique tests on the way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.explain.counterfactual.domain import Domain
from softwood.tree import NOMINAL, Tree


@dataclass(frozen=True, slots=True, eq=False)
class LeafRegions:
    """What holds of the rows in the leaves of a tree.

    Attributes
    ----------
    leaf : ndarray of int of shape (n_leaves,)
        The nodes.
    low, high : ndarray of shape (n_leaves, n_columns)
        Numbers are above ``low``, and not above ``high``.
    codes : ndarray of bool of shape (n_leaves, n_codes)
        Which categories of all nominal columns, end to end, lead there.
    code_start : ndarray of int of shape (n_columns + 1,)
        Where the categories of each column start.
    steps : tuple of tuples of (int, int)
        Node and branch of the oblique tests on the way to each leaf.
    is_tested : ndarray of bool of shape (n_leaves, n_columns)
        Which columns are tested on the way.
    """

    leaf: AnyArray
    low: FloatArray
    high: FloatArray
    codes: BoolArray
    code_start: AnyArray
    steps: tuple[tuple[tuple[int, int], ...], ...]
    is_tested: BoolArray


def leaf_regions(tree: Tree, domain: Domain) -> LeafRegions:
    """Return what holds of the rows in the leaves of a tree.

    Parameters
    ----------
    tree : Tree
        Any tree.
    domain : Domain
        Says how many categories the columns have.
    """
    code_start = np.concatenate(([0], np.cumsum(domain.n_categories)))
    shape = (tree.n_nodes, tree.n_features)
    low, high = np.full(shape, -np.inf), np.full(shape, np.inf)
    codes = np.ones((tree.n_nodes, int(code_start[-1])), dtype=bool)
    is_tested = np.zeros(shape, dtype=bool)
    steps: list[tuple[tuple[int, int], ...]] = [()] * tree.n_nodes
    for node in np.flatnonzero(tree.n_children).tolist():  # parents first
        j, cut = int(tree.feature[node]), float(tree.threshold[node])
        for branch, child in enumerate(tree.children(node)):
            low[child], high[child], codes[child] = low[node], high[node], codes[node]
            is_tested[child], steps[child] = is_tested[node], steps[node]
            if j < 0:
                steps[child] = (*steps[node], (node, branch))
                is_tested[child, tree.terms(node)[0]] = True
                continue
            is_tested[child, j] = True
            part = slice(int(code_start[j]), int(code_start[j + 1]))
            if tree.kind[node] == NOMINAL:
                codes[child, part] &= _taken(tree, node, branch, part.stop - part.start)
            elif domain.n_categories[j]:  # codes as numbers
                codes[child, part] &= (np.arange(part.stop - part.start) > cut) == branch
            elif branch == 0:
                high[child, j] = min(high[child, j], cut)
            else:
                low[child, j] = max(low[child, j], cut)
    leaf = tree.leaves
    return LeafRegions(
        leaf=leaf,
        low=low[leaf],
        high=high[leaf],
        codes=codes[leaf],
        code_start=code_start,
        steps=tuple(steps[node] for node in leaf.tolist()),
        is_tested=is_tested[leaf],
    )


def _taken(tree: Tree, node: int, branch: int, n_categories: int) -> BoolArray:
    table = tree.branch_of_category(node)[:n_categories]
    taken = np.zeros(n_categories, dtype=bool)
    taken[: table.size] = table == branch
    return taken


def inner_rows(regions: LeafRegions, domain: Domain, depth: float) -> FloatArray:
    """Return for each leaf the nearest row that is well inside; NaN all over if there is none.

    Oblique tests are not looked at.

    Parameters
    ----------
    regions : LeafRegions
        The leaves.
    domain : Domain
        The row, and what may become of it.
    depth : float
        How far inside, in units of the columns' scales; no farther than the middle.
    """
    n_leaves, n_columns = regions.low.shape
    rows = np.tile(domain.row, (n_leaves, 1))
    is_empty = np.zeros(n_leaves, dtype=bool)
    for j in range(n_columns):
        tested = regions.is_tested[:, j]
        if domain.n_categories[j]:
            found = _inner_codes(regions, domain, j)
        else:
            low, high = regions.low[:, j], regions.high[:, j]
            room = np.minimum(depth * domain.scale[j], (high - low) / 2.0)
            found = domain.nearest(
                j, low + room, np.maximum(high - room, np.nextafter(low, np.inf))
            )
            narrow = np.isnan(found)
            found[narrow] = domain.nearest(j, low[narrow], high[narrow])
        must = tested | ~domain.allows_own[j]
        is_empty |= must & np.isnan(found)
        rows[:, j] = np.where(must, found, domain.row[j])
    rows[is_empty] = np.nan
    return rows


def _inner_codes(regions: LeafRegions, domain: Domain, j: int) -> FloatArray:
    """Return a category that leads to each leaf, the row's own if it does; NaN if none does."""
    part = slice(int(regions.code_start[j]), int(regions.code_start[j + 1]))
    allowed = domain.allowed_codes(j)
    leads = regions.codes[:, part] & allowed[:-1]
    found = np.where(leads.any(axis=1), leads.argmax(axis=1), np.nan)
    if not domain.has_own[j]:
        own = int(domain.row[j])
        found = np.where(leads[:, own], float(own), found)
    return np.asarray(found)
