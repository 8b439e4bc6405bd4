"""The last resort: moves along single columns, to values that may matter, until they get there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from softwood._types import FloatArray
from softwood.explain.counterfactual.domain import Domain
from softwood.explain.counterfactual.probes import Probe
from softwood.tree import NUMERIC, Tree

MOST_VALUES = 24  # of a column
AROUND = np.array([-4.0, -2.0, -1.0, -0.5, -0.25, 0.25, 0.5, 1.0, 2.0, 4.0])  # in scales
MORE_STEPS = 40  # besides two for each column


def values_of_columns(trees: Sequence[Tree], domain: Domain) -> list[FloatArray]:
    """Return the values of each column that may be gone to.

    Some of the cuts, and beyond the outermost; around the row, for the sake of oblique tests; all
    categories that are allowed.
    """
    cuts: list[list[FloatArray]] = [[] for _ in range(domain.row.size)]
    for tree in trees:
        for j in np.unique(tree.feature[tree.kind == NUMERIC]).tolist():
            cuts[j].append(tree.threshold[(tree.kind == NUMERIC) & (tree.feature == j)])
    values = []
    for j, found in enumerate(cuts):
        if domain.is_nominal[j]:
            values.append(np.flatnonzero(domain.allowed_codes(j)[:-1]).astype(np.float64))
            continue
        start = domain.middle[j] if np.isnan(domain.row[j]) else domain.row[j]
        around = start + AROUND * domain.scale[j]
        if found:
            cut = np.unique(np.concatenate(found))
            places = np.linspace(0, cut.size - 1, min(cut.size, MOST_VALUES)).astype(int)
            ends = np.array([cut[0] - domain.scale[j], cut[-1] + domain.scale[j]])
            around = np.concatenate([cut[places], np.nextafter(cut[places], np.inf), ends, around])
        values.append(around)
    return values


def gone_ahead(probe: Probe, values: Sequence[FloatArray]) -> FloatArray:
    """Return the rows on a way that leads to what is wanted, if it gets there; the last is.

    Each move is the one that gets most for its cost.

    Parameters
    ----------
    probe : Probe
        The model, the row and what is wanted.
    values : sequence of ndarray
        The values of each column that may be gone to.
    """
    domain = probe.domain
    row = domain.row
    column = np.repeat(np.arange(row.size), [one.size for one in values])
    value = np.concatenate(values)
    margin = float(probe.goal.margin(probe.raw(row[None]))[0])
    way = [row]
    for _ in range(2 * row.size + MORE_STEPS):
        rows = np.tile(row, (value.size, 1))
        rows[np.arange(value.size), column] = value
        rows = probe.kept(rows)
        rows = rows[domain.is_changed(rows).any(axis=1)]
        raw = probe.raw(rows)
        cost = domain.objective(rows) - float(domain.objective(row[None])[0])
        wanted = np.flatnonzero(probe.goal.accepts(raw) & domain.allows(rows))
        if wanted.size:
            way.append(rows[wanted[cost[wanted].argmin()]])
            break
        gain = probe.goal.margin(raw) - margin
        worth = np.where(gain > 0.0, gain / np.maximum(cost, 1e-9), -np.inf)
        if not worth.size or np.isinf(worth.max()):
            break
        best = int(worth.argmax())
        row, margin = rows[best], margin + float(gain[best])
        way.append(row)
    return np.array(way)
