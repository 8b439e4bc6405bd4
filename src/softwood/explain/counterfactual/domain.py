"""What a row may become: which columns may change, and to what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray
from softwood.explain.counterfactual.distance import FILL, distances, parts_of_distances

TIE = 1e-9  # rows that are nearer by less, for each column that they change, are as near


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """A row, and what may become of it.

    A value may always stay as it is, also a gap or a category that nobody knows; unless it is
    outside of what its column may hold. No value may become missing.

    Attributes
    ----------
    row : ndarray of shape (n_columns,)
        Numbers, codes of categories, NaN for what is missing.
    n_categories : ndarray of shape (n_columns,)
        Number of categories of nominal columns, 0 for others.
    scale : ndarray of shape (n_columns,)
        What counts as a distance of 1 in a column of numbers.
    is_fixed : ndarray of bool of shape (n_columns,)
        Columns that must not change.
    low, high : ndarray of shape (n_columns,)
        Between which numbers a column must be.
    per_unit : ndarray of shape (n_columns,)
        How many values there are from one whole number to the next: 1 for whole numbers, 0
        if any number will do.
    codes : sequence of ndarray of bool, or None
        Which categories a nominal column may have; None for columns of numbers.
    middle : ndarray of shape (n_columns,)
        Where to look first for the value of a gap.
    """

    row: FloatArray
    n_categories: IndexArray
    scale: FloatArray
    is_fixed: BoolArray
    low: FloatArray
    high: FloatArray
    per_unit: FloatArray
    codes: Sequence[BoolArray | None]
    middle: FloatArray

    @classmethod
    def of(cls, row: FloatArray, n_categories: AnyArray, scale: FloatArray) -> Domain:
        """Return the domain of a row in which everything may become anything."""
        n_columns = row.size
        sizes = np.asarray(n_categories, dtype=np.int32)
        return cls(
            row=row,
            n_categories=sizes,
            scale=scale,
            is_fixed=np.zeros(n_columns, dtype=bool),
            low=np.full(n_columns, -np.inf),
            high=np.full(n_columns, np.inf),
            per_unit=np.zeros(n_columns),
            codes=tuple(np.ones(size, dtype=bool) if size else None for size in sizes.tolist()),
            middle=np.zeros(n_columns),
        )

    @property
    def is_nominal(self) -> BoolArray:
        """Which columns have categories."""
        return np.asarray(self.n_categories > 0)

    @property
    def has_own(self) -> BoolArray:
        """Which nominal columns of the row hold no category: a gap, or one that nobody knows."""
        row = self.row
        known = (row >= 0) & (row < self.n_categories) & (row == np.floor(row))
        return np.asarray(self.is_nominal & ~known)

    @property
    def allows_own(self) -> BoolArray:
        """Which columns may stay as they are."""
        with np.errstate(invalid="ignore"):
            outside = (self.row < self.low) | (self.row > self.high)
        for j in np.flatnonzero(self.is_nominal & ~self.has_own).tolist():
            codes = self.codes[j]
            outside[j] = codes is not None and not codes[int(self.row[j])]
        return np.asarray(self.is_fixed | ~outside)

    def allowed_codes(self, j: int) -> BoolArray:
        """Return which codes a nominal column may have; the last is for what is no category."""
        codes = self.codes[j]
        assert codes is not None
        own = int(codes.size if self.has_own[j] else self.row[j])
        allowed = np.append(codes, own == codes.size)
        if self.is_fixed[j]:
            allowed[:] = False
            allowed[own] = True
        return allowed

    def nearest(self, j: int, above: FloatArray, up_to: FloatArray) -> FloatArray:
        """Return the nearest numbers in intervals that a column may have; NaN if there is none.

        Parameters
        ----------
        j : int
            A column of numbers.
        above, up_to : ndarray of shape (n,)
            The ends of intervals; the upper end belongs to them.
        """
        x, low, high = float(self.row[j]), float(self.low[j]), float(self.high[j])
        bottom = np.maximum(np.nextafter(above, np.inf), low)
        top = np.minimum(up_to, high)
        if self.per_unit[j] > 0.0:
            bottom, top = (
                _multiple(bottom, self.per_unit[j], 1),
                _multiple(top, self.per_unit[j], -1),
            )
        start = float(self.middle[j]) if np.isnan(x) else x
        found = np.where(bottom <= top, np.clip(start, bottom, np.maximum(bottom, top)), np.nan)
        if self.is_fixed[j]:
            found = np.full(found.shape, np.nan)
        stays = (above < x) & (x <= up_to) & ((low <= x <= high) | bool(self.is_fixed[j]))
        return np.where(stays, x, found)

    def distance(self, rows: FloatArray) -> FloatArray:
        """Return how far rows are from the row."""
        return distances(self.row, rows, self.scale, self.n_categories)

    def is_changed(self, rows: FloatArray) -> BoolArray:
        """Return which values of rows are not those of the row."""
        return np.asarray((rows != self.row) & ~(np.isnan(rows) & np.isnan(self.row)))

    def objective(self, rows: FloatArray) -> FloatArray:
        """Return what is to be small: the distance, and in a tie the columns that change."""
        parts = parts_of_distances(self.row, rows, self.scale, self.n_categories)
        return np.asarray((parts + TIE * self.is_changed(rows)).sum(axis=1))

    def costs(self, j: int, values: FloatArray) -> FloatArray:
        """Return what values of a column of numbers add to the objective."""
        if np.isnan(self.row[j]):
            return np.full(values.shape, FILL + TIE)
        with np.errstate(over="ignore"):
            moved = np.abs(values - self.row[j]) / self.scale[j]
        return np.asarray(moved + TIE * (values != self.row[j]))

    def allows(self, rows: FloatArray) -> BoolArray:
        """Return which rows are such that the row may become them."""
        stays = ~self.is_changed(rows)
        fine = np.ones(rows.shape, dtype=bool)
        for j in range(self.row.size):
            x = rows[:, j]
            codes = self.codes[j]
            if codes is not None:
                inside = (x >= 0) & (x < codes.size)
                own = self.allowed_codes(j)[-1]
                fine[:, j] = np.where(inside, codes[np.where(inside, x, 0).astype(int)], False)
                fine[:, j] |= stays[:, j] & bool(own)
            else:
                fine[:, j] = (x >= self.low[j]) & (x <= self.high[j])
                unit = self.per_unit[j]
                if unit > 0.0:
                    fine[:, j] &= stays[:, j] | (np.rint(x * unit) / unit == x)
                fine[:, j] |= stays[:, j] & np.isnan(x)
        return np.asarray(np.where(self.is_fixed, stays, fine).all(axis=1))


def _multiple(value: FloatArray, per_unit: float, way: int) -> FloatArray:
    """Return the nearest multiple of ``1 / per_unit`` that is not below, or with -1 not above."""
    with np.errstate(over="ignore"):
        count = np.ceil(way * value * per_unit)
        # Rounding may have put it one too far, or not far enough.
        count = np.where(way * value <= (count - 1.0) / per_unit, count - 1.0, count)
        count = np.where(count / per_unit < way * value, count + 1.0, count)
    return np.asarray(way * count / per_unit)
