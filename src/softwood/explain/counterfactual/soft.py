"""Where to start in models that are soft, or oblique and many: well inside of regions."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np

from softwood._types import BoolArray, FloatArray, IndexArray
from softwood.explain.counterfactual.ahead import gone_ahead, values_of_columns
from softwood.explain.counterfactual.cells import grid_of
from softwood.explain.counterfactual.descent import near_row
from softwood.explain.counterfactual.domain import Domain
from softwood.explain.counterfactual.goal import Goal
from softwood.explain.counterfactual.leaves import inner_rows, leaf_regions
from softwood.explain.counterfactual.lines import near_point
from softwood.explain.counterfactual.polytopes import Polytope, polytopes_of
from softwood.explain.counterfactual.probes import Probe
from softwood.forest import ALL_OUTPUTS, Forest
from softwood.tree import OBLIQUE, Tree

LEVELS = (0.0, 0.1, 0.25, 0.5)  # of what hard trees could exceed the wishes by
BEYOND = np.array([1.0, 1.25, 1.5, 2.0, 3.0, 5.0])  # how far to go on in the same direction
DEPTHS = (0.0, 0.03, 0.1, 0.3, 1.0)  # inside of leaves, in scales
MANY_LEAVES = 2000  # of all trees; of more, not all are entered
MOST_PROGRAMS = 24  # leaves of a single oblique tree that are entered, for each depth
FEW_DEPTHS = (0.01, 0.3)


def nearest_by_descent(
    forest: Forest, probe: Probe, examples: FloatArray | None = None
) -> FloatArray | None:
    """Return a row that is wanted and near; None if none was found.

    Parameters
    ----------
    forest : Forest
        The trees, from which starts are taken as if they were hard.
    probe : Probe
        The model, the row and what is wanted.
    examples : ndarray of shape (n_rows, n_columns), optional
        Rows that may be wanted, of any origin.

    Returns
    -------
    ndarray of shape (n_columns,), or None
    """
    trees = list(forest.trees)
    n_leaves = sum(tree.n_leaves for tree in trees)
    is_oblique = any((tree.kind == OBLIQUE).any() for tree in trees)
    starts = [] if is_oblique else [_of_hard(forest, probe)]
    if is_oblique:
        starts.append(_of_programs(trees, forest, probe))
    elif n_leaves <= MANY_LEAVES:
        starts += [_of_leaves(tree, probe.domain, depth) for tree in trees for depth in DEPTHS]
    found = near_row(probe, np.concatenate(starts))
    if found is None:
        rest = _of_leaves_of_many(trees, probe.domain, n_leaves)
        found = near_row(probe, rest if examples is None else np.concatenate([examples, rest]))
    if found is None:
        found = near_row(probe, gone_ahead(probe, values_of_columns(trees, probe.domain)))
    return found


def _of_hard(forest: Forest, probe: Probe) -> FloatArray:
    """Return rows that hard trees would answer as wanted, the more clearly the later ones."""
    domain, x = probe.domain, probe.domain.row
    grid = grid_of(forest, domain, probe.goal)
    rows = []
    if grid.is_empty:
        return np.empty((0, x.size))
    most = _most(grid.trees.value, grid.trees.root)
    for level in LEVELS:
        need = grid.need + level * np.maximum(most - grid.need, 0.0)
        point = near_point(replace(grid, need=need))
        if point is None:
            continue
        row = grid.row_of(point)
        goes = ~domain.is_nominal & ~np.isnan(x) & ~np.isnan(row)
        with np.errstate(invalid="ignore"):
            rows.append(np.where(goes, x + BEYOND[:, None] * (row - x), row))
    return np.concatenate(rows) if rows else np.empty((0, x.size))


def _most(value: FloatArray, root: IndexArray) -> FloatArray:
    """Return what trees could answer together at the most."""
    return np.asarray(np.maximum.reduceat(value, root[:-1], axis=0).sum(axis=0))


def _of_leaves(tree: Tree, domain: Domain, depth: float) -> FloatArray:
    rows = inner_rows(leaf_regions(tree, domain), domain, depth)
    return rows[~np.isnan(rows).all(axis=1)]


def _of_leaves_of_many(trees: list[Tree], domain: Domain, n_leaves: int) -> FloatArray:
    """Return rows in leaves of some trees, no more than can be asked for."""
    n_trees = max(1, len(trees) * MANY_LEAVES // max(n_leaves, MANY_LEAVES))
    some = trees[:: max(1, len(trees) // n_trees)]
    return np.concatenate([_of_leaves(tree, domain, depth) for tree in some for depth in DEPTHS])


def _of_programs(trees: list[Tree], forest: Forest, probe: Probe) -> FloatArray:
    """Return rows well inside of the leaves of oblique trees that speak for what is wanted."""
    domain = probe.domain
    rows = [np.empty((0, domain.row.size))]
    if np.isnan(domain.row[~domain.is_nominal]).any():  # a program knows no gaps
        rows += [_of_leaves(tree, domain, depth) for tree in trees for depth in DEPTHS]
        return np.concatenate(rows)
    for depth in FEW_DEPTHS:
        if len(trees) == 1:
            wanted = speaking_leaves(forest, 0, trees[0], probe.goal)
            nearest = islice(polytopes_of(trees[0], domain, wanted), MOST_PROGRAMS)
            found = [polytope.nearest(domain, depth) for _, polytope in nearest]
            rows += [row[None] for row in found if row is not None]
        else:
            rows += [row[None] for row in _one_after_another(trees, forest, probe, depth)]
    return np.concatenate(rows)


def _one_after_another(
    trees: list[Tree], forest: Forest, probe: Probe, depth: float
) -> list[FloatArray]:
    """Return the nearest rows that win over one tree, two trees, and so on, until it is enough.

    Those that are won over easily come first.
    """
    domain, easiest = probe.domain, []
    for j, tree in enumerate(trees):
        wanted = speaking_leaves(forest, j, tree, probe.goal)
        for _, polytope in islice(polytopes_of(tree, domain, wanted), 1):
            row = polytope.nearest(domain, depth)
            if row is not None:
                easiest.append((float(domain.objective(row[None])[0]), j, polytope))
    found: list[FloatArray] = []
    together: Polytope | None = None
    for _, _, polytope in sorted(easiest, key=lambda one: one[:2]):
        tried = polytope if together is None else together & polytope
        row = tried.nearest(domain, depth)
        if row is not None:
            together = tried
            found.append(row)
            if probe.are_wanted(row[None])[0]:
                break
    return found


def speaking_leaves(forest: Forest, j: int, tree: Tree, goal: Goal) -> BoolArray:
    """Return which leaves of a tree speak for what is wanted, by more than the tree on average.

    If none does, as where the wishes pull both ways, it is all of them.
    """
    output = int(forest.output[j])
    columns = slice(None) if output == ALL_OUTPUTS else slice(output, output + 1)
    said = (tree.response @ goal.weight[:, columns].T) * np.sign(forest.factor[j])
    more = said[tree.leaves] - said[0]
    speaks = (more.max(axis=1) if goal.is_any else more.min(axis=1)) > 0.0
    return np.asarray(speaks if speaks.any() else ~speaks)
