"""How far a changed column may go on, all else being as in the answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from softwood._types import FloatArray
from softwood.explain.counterfactual.domain import Domain
from softwood.explain.counterfactual.goal import Goal
from softwood.flow import Flow
from softwood.forest import Forest
from softwood.tree import NUMERIC, OBLIQUE


def spans_of_changes(
    forest: Forest,
    flow: Flow | Sequence[Flow],
    domain: Domain,
    goal: Goal,
    row: FloatArray,
) -> dict[int, tuple[float, float]]:
    """Return, for changed columns of numbers, between which values the answer stays as wanted.

    The values are above the first number, and up to the second. Only of hard trees without
    oblique tests; of others nothing is said.

    Parameters
    ----------
    forest, flow
        The trees, and how rows flow through them.
    domain : Domain
        The original, and what may become of it.
    goal : Goal
        What is wanted.
    row : ndarray of shape (n_columns,)
        What was found.

    Returns
    -------
    dict
        By column.
    """
    from softwood.explain.counterfactual.search import is_hard

    trees = list(forest.trees)
    if not is_hard(flow, len(trees)) or any((tree.kind == OBLIQUE).any() for tree in trees):
        return {}
    spans = {}
    changed = domain.is_changed(row[None])[0] & ~domain.is_nominal & ~np.isnan(row)
    for j in np.flatnonzero(changed).tolist():
        found = [tree.threshold[(tree.kind == NUMERIC) & (tree.feature == j)] for tree in trees]
        cuts = np.unique(np.concatenate(found))
        above, up_to = np.append(-np.inf, cuts), np.append(cuts, np.inf)
        spans[j] = _span(forest, flow, goal, row, j, above, up_to)
    return spans


def _span(
    forest: Forest,
    flow: Flow | Sequence[Flow],
    goal: Goal,
    row: FloatArray,
    j: int,
    above: FloatArray,
    up_to: FloatArray,
) -> tuple[float, float]:
    """Return the cells around the row's in which the answer is as wanted, as one interval."""
    rows = np.tile(row, (above.size, 1))
    # The last cell has no end, and the number after the last cut is in it.
    rows[:, j] = np.where(np.isinf(up_to), np.nextafter(above, np.inf), up_to)
    if above.size == 1:
        rows[:, j] = row[j]
    wanted = goal.accepts(forest.raw(rows, flow))
    own = int(np.searchsorted(up_to, row[j]))
    wanted[own] = True
    unwanted = np.flatnonzero(~wanted)
    first = int(unwanted[unwanted < own].max(initial=-1)) + 1
    last = int(unwanted[unwanted > own].min(initial=above.size)) - 1
    return float(above[first]), float(up_to[last])
