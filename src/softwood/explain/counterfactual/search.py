"""Which way to search: exactly where that is possible, downhill where it is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from softwood._types import BoolArray, FloatArray
from softwood.explain.counterfactual.cells import grid_of
from softwood.explain.counterfactual.domain import Domain
from softwood.explain.counterfactual.goal import Goal
from softwood.explain.counterfactual.hard import Found, nearest_in_cells
from softwood.explain.counterfactual.polytopes import nearest_in_polytopes
from softwood.explain.counterfactual.probes import Probe
from softwood.explain.counterfactual.rounding import rounded
from softwood.explain.counterfactual.soft import nearest_by_descent
from softwood.flow import Flow, Gaussian, Hard
from softwood.forest import Forest
from softwood.forest.sums import flow_of_trees
from softwood.tree import OBLIQUE

STRICTER = 1e-6  # how much clearer an answer must be, if the original has not taken the first


def is_hard(flow: Flow | Sequence[Flow], n_trees: int) -> bool:
    """Whether rows flow to one leaf of each tree, as long as nothing is missing."""
    return all(_is_hard(one) for one in flow_of_trees(flow, n_trees))


def _is_hard(flow: Flow) -> bool:
    if isinstance(flow, Gaussian):  # that of a model that was smoothed by nothing
        return not np.any(flow.scale) and flow.redraw == 0.0
    return isinstance(flow, Hard)


def has_oblique_tests(forest: Forest) -> bool:
    """Whether some test looks at several columns."""
    return any((tree.kind == OBLIQUE).any() for tree in forest.trees)


def nearest_row(
    forest: Forest,
    flow: Flow | Sequence[Flow],
    domain: Domain,
    goal: Goal,
    *,
    max_regions: int | None = None,
    examples: FloatArray | None = None,
    verify: Callable[[FloatArray], bool] | None = None,
) -> Found:
    """Return the nearest row that is answered as is wanted.

    Parameters
    ----------
    forest : Forest
        The trees.
    flow : Flow or sequence of Flow
        How rows flow through them.
    domain : Domain
        The row, and what may become of it.
    goal : Goal
        What is wanted.
    max_regions : int, optional
        How many regions an exact search may look at; by default about a second's worth.
    examples : ndarray of shape (n_rows, n_columns), optional
        Rows of any origin, to start from where a model is soft.
    verify : callable, optional
        Takes a row and returns whether the original answers it as is wanted; it is asked last.

    Returns
    -------
    Found
        Of hard forests without oblique tests exact, if the search came to its end; so is that of
        a hard oblique tree. Others are searched by descent.
    """

    def raw(rows: FloatArray) -> FloatArray:
        return forest.raw(rows, flow)

    def accepts(row: FloatArray) -> bool:
        return bool(goal.accepts(raw(row[None]))[0])

    def accepts_truly(row: FloatArray) -> bool:
        return accepts(row) and (verify is None or verify(row))

    hard = is_hard(flow, forest.n_trees)
    oblique = has_oblique_tests(forest)
    if hard and not oblique:
        grid = grid_of(forest, domain, goal)
        found = nearest_in_cells(grid, accepts, max_regions)
        if found.row is not None and not accepts_truly(found.row):
            found = nearest_in_cells(grid, accepts_truly, max_regions)
    elif hard and forest.n_trees == 1 and not _meets_gaps(forest, domain):
        wanted = _wanted_leaves(forest, goal)
        found = nearest_in_polytopes(forest.trees[0], domain, wanted, accepts_truly)
    else:
        found = _by_descent(forest, Probe(domain, goal, raw), examples, verify)
    if found.row is None:
        return found
    return replace(found, row=rounded(domain, found.row, accepts_truly))


def _by_descent(
    forest: Forest,
    probe: Probe,
    examples: FloatArray | None,
    verify: Callable[[FloatArray], bool] | None,
) -> Found:
    domain, goal = probe.domain, probe.goal
    if domain.allows_own.all() and probe.are_wanted(domain.row[None])[0]:
        return Found(domain.row.copy(), True, 0.0)
    row = nearest_by_descent(forest, probe, examples)
    if row is not None and verify is not None and not verify(row):

        def accepts(raw: FloatArray) -> BoolArray:
            return goal.accepts(raw) & (goal.margin(raw) >= STRICTER)

        clearer = replace(goal, need=goal.need + STRICTER, accepts=accepts)
        row = nearest_by_descent(forest, replace(probe, goal=clearer), examples)
        row = row if row is not None and verify(row) else None
    return Found(row, False, 0.0)


def _meets_gaps(forest: Forest, domain: Domain) -> bool:
    """Whether a column that the row lacks is tested by some tree."""
    gaps = np.isnan(domain.row) | domain.has_own
    for tree in forest.trees:
        columns = np.concatenate([tree.feature[tree.feature >= 0], tree.term_feature])
        if gaps[columns].any():
            return True
    return False


def _wanted_leaves(forest: Forest, goal: Goal) -> BoolArray:
    """Return which leaves of the only tree are answered as is wanted."""
    tree = forest.trees[0]
    answers = forest.factor[0] * tree.response[tree.leaves]
    if forest.is_mean:
        answers = answers / forest.divisor()
    return goal.accepts(answers + forest.base)
