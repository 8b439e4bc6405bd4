"""Rows to be tried: kept to what they may be, and asked of the model many at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from softwood._types import BoolArray, FloatArray
from softwood.explain.counterfactual.domain import Domain
from softwood.explain.counterfactual.goal import Goal


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """A model of any kind, the row, and what is wanted.

    Attributes
    ----------
    domain : Domain
        The row, and what may become of it.
    goal : Goal
        What is wanted.
    raw : callable
        Takes rows, and returns their raw scores.
    """

    domain: Domain
    goal: Goal
    raw: Callable[[FloatArray], FloatArray]

    def are_wanted(self, rows: FloatArray) -> BoolArray:
        """Return which rows are answered as is wanted."""
        return self.goal.accepts(self.raw(rows))

    def nearest_wanted(self, rows: FloatArray) -> FloatArray | None:
        """Return the nearest of rows that are wanted; None if none is."""
        if not len(rows):
            return None
        cost = np.where(self.are_wanted(rows), self.domain.objective(rows), np.inf)
        best = int(cost.argmin())
        return rows[best] if np.isfinite(cost[best]) else None

    def kept(self, rows: FloatArray) -> FloatArray:
        """Return rows as they may be: numbers in their limits, whole ones away from the row."""
        domain, x = self.domain, self.domain.row
        rows = np.where(domain.is_fixed, x, rows)
        moved = domain.is_changed(rows) & ~domain.is_nominal & ~np.isnan(rows)
        kept = rows.copy()
        for j in np.flatnonzero(moved.any(axis=0)):
            kept[:, j] = np.where(moved[:, j], self._kept_numbers(int(j), rows[:, j]), rows[:, j])
        return kept

    def _kept_numbers(self, j: int, values: FloatArray) -> FloatArray:
        """Return numbers of a column, each at the next value that is allowed away from the row."""
        domain = self.domain
        start = domain.middle[j] if np.isnan(domain.row[j]) else domain.row[j]
        low, high = domain.low[j], domain.high[j]
        values = np.clip(values, low, high)
        unit = domain.per_unit[j]
        if unit == 0.0:
            return values
        # What solvers and sums leave beside a whole number is not to make it the next one.
        count = np.round(values * unit, 6)
        count = np.where(values > start, np.ceil(count), np.floor(count))
        top, bottom = np.floor(high * unit), np.ceil(low * unit)
        return np.asarray(np.clip(count, bottom, top) / unit)
