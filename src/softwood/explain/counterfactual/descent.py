"""A near row of a model of any kind: from rows that will do, back towards the row, and downhill.

All that is asked of the model is what it answers: trees may be soft, or oblique and many. What
comes of it is wanted, and no single column can go back any further; but another row may be
nearer.
"""

from __future__ import annotations

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.explain.counterfactual.probes import Probe

CUTS = 32  # parts of a segment that are tried at a time
TIMES = 3  # so often each part is cut again
BACK = np.array([1.0, 0.75, 0.5, 0.25, 0.1, 0.03, 0.01, 0.003, 0.001, 1e-4])  # shares of a move
WORTH = 1e-6  # of distance: less is not gone back for
STEPS = 200  # of going back
STARTS = 3  # rows that are followed up
REACH, SHORTEST = 0.5, 1e-3  # how far to trust a slope, in scales
DESCENTS = 30
PROBE = 1e-4  # how far to go to find a slope, in scales


def near_row(probe: Probe, starts: FloatArray) -> FloatArray | None:
    """Return a row that is wanted and near; None if none of the starts is wanted.

    Parameters
    ----------
    probe : Probe
        The model, the row and what is wanted.
    starts : ndarray of shape (n_starts, n_columns)
        Rows that may be wanted.

    Returns
    -------
    ndarray of shape (n_columns,), or None
    """
    starts = probe.kept(starts)
    starts = starts[probe.domain.allows(starts)]
    if not len(starts):
        return None
    wanted = starts[probe.are_wanted(starts)]
    order = np.argsort(probe.domain.objective(wanted), kind="stable")
    found = [_followed(probe, wanted[place]) for place in order[:STARTS]]
    return probe.nearest_wanted(np.array(found)) if found else None


def _followed(probe: Probe, row: FloatArray) -> FloatArray:
    row = gone_back(probe, drawn_in(probe, row))
    return gone_back(probe, gone_down(probe, row))


def drawn_in(probe: Probe, row: FloatArray) -> FloatArray:
    """Return the first row that is wanted on the straight way from the row to a wanted one."""
    low, high, best = 0.0, 1.0, row
    for _ in range(TIMES):
        shares = np.linspace(low, high, CUTS + 1)
        rows = probe.kept(_between(probe, row, shares))
        wanted = probe.are_wanted(rows) & probe.domain.allows(rows)
        if not wanted.any():
            break
        first = int(wanted.argmax())
        low, high, best = float(shares[max(first - 1, 0)]), float(shares[first]), rows[first]
    return best


def _between(probe: Probe, row: FloatArray, shares: FloatArray) -> FloatArray:
    """Return rows on the way to another: numbers go by shares, all else is there at once."""
    x = probe.domain.row
    goes = ~probe.domain.is_nominal & ~np.isnan(x) & ~np.isnan(row)
    with np.errstate(invalid="ignore"):
        return np.where(goes, x + shares[:, None] * (row - x), row)


def gone_back(probe: Probe, row: FloatArray) -> FloatArray:
    """Return a wanted row from which no single column can go back by more than next to nothing."""
    domain, x = probe.domain, probe.domain.row
    may_return = domain.allows_own
    for _ in range(STEPS):
        changed = np.flatnonzero(domain.is_changed(row[None])[0])
        rows = []
        for j in changed.tolist():
            jumps = domain.is_nominal[j] or np.isnan(x[j])
            shares = BACK[:1] if jumps else BACK
            tried = np.tile(row, (shares.size, 1))
            tried[:, j] = x[j] if jumps else row[j] + shares * (x[j] - row[j])
            if not jumps:
                tried[0, j] = x[j]
            rows.append(tried if may_return[j] else tried[1:])
        if not rows or not sum(map(len, rows)):
            break
        tried = probe.kept(np.concatenate(rows))
        nearer = domain.objective(tried) < domain.objective(row[None]) - WORTH
        found = probe.nearest_wanted(tried[nearer])
        if found is None:
            break
        row = found
    return row


# -- downhill ----------------------------------------------------------------------


def gone_down(probe: Probe, row: FloatArray) -> FloatArray:
    """Return a wanted row that is no farther: columns are exchanged by slopes of the answers."""
    domain, reach = probe.domain, REACH
    free = np.flatnonzero(
        ~(domain.is_fixed | domain.is_nominal | np.isnan(row) | (domain.per_unit > 0.0))
        & ~np.isnan(domain.row)
    )
    for _ in range(DESCENTS):
        if reach < SHORTEST or not free.size:
            break
        excess, slopes = _slopes(probe, row, free)
        if not slopes.any():
            break
        move = _best_move(probe, row, free, excess, slopes, reach)
        if move is None:
            break
        # Slopes promise too much or too little: take the nearest wanted row on the way back.
        shares = np.linspace(0.0, 1.0, CUTS + 1)[1:]
        rows = np.tile(row, (CUTS, 1))
        rows[:, free] += shares[:, None] * move
        found = probe.nearest_wanted(probe.kept(rows))
        cost = float(domain.objective(row[None])[0])
        if found is not None and float(domain.objective(found[None])[0]) < cost - WORTH:
            row, reach = found, min(1.5 * reach, REACH)
        else:
            reach /= 3.0
    return row


def _slopes(probe: Probe, row: FloatArray, free: AnyArray) -> tuple[FloatArray, FloatArray]:
    """Return by how much wishes are exceeded, and how that changes per scale of each column."""
    domain, goal = probe.domain, probe.goal
    step = PROBE * domain.scale[free]
    rows = np.tile(row, (2 * free.size + 1, 1))
    places = np.arange(free.size)
    rows[places, free] += step
    rows[free.size + places, free] -= step
    excess = goal.excess(probe.raw(rows))
    slopes = (excess[: free.size] - excess[free.size : -1]) / (2.0 * PROBE)
    here = excess[-1]
    if goal.is_any:
        best = int(here.argmax())
        return here[best : best + 1], slopes[:, best : best + 1]
    return here, slopes


def _best_move(
    probe: Probe,
    row: FloatArray,
    free: AnyArray,
    excess: FloatArray,
    slopes: FloatArray,
    reach: float,
) -> FloatArray | None:
    """Return the move of the free columns that saves most, if the slopes were straight."""
    domain = probe.domain
    scale, x = domain.scale[free], domain.row[free]
    away = (row[free] - x) / scale
    low = np.maximum((domain.low[free] - x) / scale, away - reach)
    high = np.minimum((domain.high[free] - x) / scale, away + reach)
    # Up and down from the row are two variables; both are never used.
    least = np.column_stack([np.maximum(low, 0.0), np.maximum(-high, 0.0)])
    most = np.column_stack([np.maximum(high, 0.0), np.maximum(-low, 0.0)])
    least, most = least.T.ravel(), np.maximum(most, least).T.ravel()
    weights = np.concatenate([slopes, -slopes])
    moves = _cheapest(weights, slopes.T @ away - excess, least, most)
    if moves is None:
        return None
    up, down = moves[: free.size], moves[free.size :]
    return np.asarray((up - down - away) * scale)


def _cheapest(
    weights: FloatArray, needs: FloatArray, least: FloatArray, most: FloatArray
) -> FloatArray | None:
    """Return the smallest moves, between two bounds, that add up to all needs; None if none do."""
    if needs.size > 1:
        from scipy.optimize import linprog

        bounds = np.column_stack([least, most])
        answer = linprog(np.ones(least.size), A_ub=-weights.T, b_ub=-needs, bounds=bounds)
        return None if answer.x is None else np.asarray(answer.x)
    # All cost the same: those that add most are used first, as far as they may.
    weight = weights[:, 0]
    order = np.argsort(-weight, kind="stable")
    order = order[weight[order] > 0.0]
    room = (most - least)[order] * weight[order]
    missing = max(0.0, float(needs[0] - weight @ least))
    used = np.clip(missing - (np.cumsum(room) - room), 0.0, room)
    moves = least.copy()
    moves[order] += used / weight[order]
    return moves
