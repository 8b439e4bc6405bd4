"""The nearest row in a hard tree with oblique tests: a mixed-integer linear program for each leaf.

A leaf is an intersection of half-spaces. The nearest of its rows, by a sum of distances along the
columns, is found by scipy's HiGHS; leaves that cannot be near enough are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.explain.counterfactual.domain import Domain
from softwood.explain.counterfactual.hard import Found
from softwood.explain.counterfactual.leaves import LeafRegions, inner_rows, leaf_regions
from softwood.tree import Tree

INSIDE = (1e-6, 1e-5, 1e-4)  # how far from a hyperplane to stay, in scales; solvers err by 1e-7
NOISE = 1e-7  # what a solver may mean by 0
UNLIMITED = 1e20  # what it takes for infinite


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """A side of an oblique test: ``weight @ x`` must not be above ``most``."""

    column: AnyArray
    weight: FloatArray
    most: float

    @classmethod
    def of(cls, tree: Tree, node: int, branch: int) -> Plane:
        """Return the side of a test that a branch is on."""
        terms, weights = tree.terms(node)
        column, place = np.unique(terms, return_inverse=True)  # a column may have several terms
        weight = np.asarray(np.bincount(place, weights, column.size), dtype=np.float64)
        sign = 1.0 if branch == 0 else -1.0
        return cls(column, sign * weight, sign * float(tree.threshold[node]))

    def bound(self, domain: Domain) -> float:
        """Return how far the row is from this side, at least, if any number will do."""
        missing = float(self.weight @ domain.row[self.column]) - self.most
        free = ~(domain.is_fixed | domain.is_nominal)[self.column]
        if missing <= 0.0 or domain.is_nominal[self.column].any():
            return 0.0
        steepest = np.max(np.abs(self.weight * domain.scale[self.column])[free], initial=0.0)
        return missing / steepest if steepest > 0.0 else np.inf


@dataclass(frozen=True, slots=True, eq=False)
class Polytope:
    """What holds of the rows in a leaf, or in leaves of several trees at once.

    Attributes
    ----------
    low, high : ndarray of shape (n_columns,)
        Numbers are above ``low``, and not above ``high``.
    codes : ndarray of bool of shape (n_codes,)
        Which categories of all nominal columns, end to end, there may be.
    is_tested : ndarray of bool of shape (n_columns,)
        Columns of which something holds.
    planes : tuple of Plane
        Sides of oblique tests.
    """

    low: FloatArray
    high: FloatArray
    codes: BoolArray
    is_tested: BoolArray
    planes: tuple[Plane, ...]

    @classmethod
    def of(cls, tree: Tree, regions: LeafRegions, place: int) -> Polytope:
        """Return the polytope of a leaf."""
        planes = tuple(Plane.of(tree, *step) for step in regions.steps[place])
        return cls(
            low=regions.low[place],
            high=regions.high[place],
            codes=regions.codes[place],
            is_tested=regions.is_tested[place],
            planes=planes,
        )

    def __and__(self, other: Polytope) -> Polytope:
        return Polytope(
            np.maximum(self.low, other.low),
            np.minimum(self.high, other.high),
            self.codes & other.codes,
            self.is_tested | other.is_tested,
            self.planes + other.planes,
        )

    def boxed_row(self, domain: Domain) -> FloatArray | None:
        """Return the nearest row if there were no planes; None if there is none."""
        start = np.concatenate(([0], np.cumsum(domain.n_categories)))
        box = LeafRegions(
            leaf=np.zeros(1, np.int32),
            low=self.low[None],
            high=self.high[None],
            codes=self.codes[None],
            code_start=start,
            steps=((),),
            is_tested=self.is_tested[None],
        )
        row = inner_rows(box, domain, 0.0)[0]
        return None if np.isnan(row).all() else row

    def nearest(self, domain: Domain, margin: float) -> FloatArray | None:
        """Return the nearest row, at a margin from all planes; None if there is none."""
        unit = domain.per_unit
        off_grid = (unit > 0.0) & (np.rint(domain.row * unit) != domain.row * unit)
        loose = off_grid & ~domain.is_fixed & ~np.isnan(domain.row)
        return self._nearest(domain, margin, loose)

    def _nearest(self, domain: Domain, margin: float, loose: BoolArray) -> FloatArray | None:
        """Return the nearest row; where ``loose``, a number may stay, or become a whole one.

        That is no program. So any number will do there at first; if it is neither, then both are
        tried.
        """
        boxed = self.boxed_row(domain)
        if boxed is None or not self.planes:
            return boxed
        any_number = replace(domain, per_unit=np.where(loose, 0.0, domain.per_unit))
        row = _Program(any_number, self, boxed).solved(margin)
        if row is None:
            return None
        is_whole = np.rint(row * domain.per_unit) == row * domain.per_unit
        wrong = np.flatnonzero(loose & (row != domain.row) & ~is_whole)
        if wrong.size == 0:
            return row
        here = np.arange(row.size) == wrong[0]
        ways = [domain]
        if domain.allows_own[wrong[0]]:
            ways.append(replace(domain, is_fixed=domain.is_fixed | here))
        rows = [self._nearest(way, margin, loose & ~here) for way in ways]
        found = np.array([one for one in rows if one is not None])
        return found[domain.objective(found).argmin()] if found.size else None


def nearest_in_polytopes(
    tree: Tree, domain: Domain, is_wanted_leaf: BoolArray, accepts: Callable[[FloatArray], bool]
) -> Found:
    """Return the nearest row that falls into a wanted leaf.

    Parameters
    ----------
    tree : Tree
        A hard tree.
    domain : Domain
        The row, without gaps in what the tree tests, and what may become of it.
    is_wanted_leaf : ndarray of bool of shape (n_leaves,)
        Which leaves give the answer.
    accepts : callable
        Takes a row, and returns whether it is answered as is wanted.

    Returns
    -------
    Found
        Exact but for the distance that is kept from hyperplanes, a millionth of the scales.
    """
    best: FloatArray | None = None
    least = np.inf
    if domain.allows_own.all() and accepts(domain.row):
        return Found(domain.row.copy(), True, 0.0)
    for bound, polytope in polytopes_of(tree, domain, is_wanted_leaf):
        if bound >= least:
            break
        for margin in INSIDE:
            row = polytope.nearest(domain, margin)
            if row is not None and accepts(row):
                cost = float(domain.objective(row[None])[0])
                if cost < least:
                    best, least = row, cost
                break
    return Found(best, True, least)


def polytopes_of(
    tree: Tree, domain: Domain, is_wanted_leaf: BoolArray
) -> Iterator[tuple[float, Polytope]]:
    """Yield wanted leaves and what their rows cost at least, those that may be nearest first."""
    regions = leaf_regions(tree, domain)
    boxed = inner_rows(regions, domain, 0.0)
    with np.errstate(invalid="ignore"):
        bound = domain.objective(boxed)
    bound[~is_wanted_leaf | np.isnan(boxed).all(axis=1)] = np.inf
    made = {}
    for place in np.flatnonzero(np.isfinite(bound)).tolist():
        made[place] = Polytope.of(tree, regions, place)
        planes = [plane.bound(domain) for plane in made[place].planes]
        bound[place] = max(bound[place], *planes, 0.0)
    for place in np.argsort(bound, kind="stable").tolist():
        if not np.isfinite(bound[place]):
            return
        yield float(bound[place]), made[place]


class _Program:
    """A linear program, some of whose variables are whole.

    Variables, one block after the other: for each column of numbers the move, in scales, and its
    size; for columns of whole numbers the number; for nominal columns one of 0 and 1 for each
    category.
    """

    def __init__(self, domain: Domain, polytope: Polytope, boxed: FloatArray) -> None:
        self.domain, self.polytope, self.boxed = domain, polytope, boxed
        columns = np.unique(np.concatenate([plane.column for plane in polytope.planes]))
        nominal = domain.is_nominal[columns]
        self.numbers, self.nominal = columns[~nominal], columns[nominal]
        unit = domain.per_unit[self.numbers]
        self.is_held = is_held = domain.is_fixed[self.numbers]
        on_whole = (unit > 0.0) & ~is_held
        self.whole = self.numbers[on_whole]
        n_numbers, n_whole = self.numbers.size, self.whole.size
        sizes = domain.n_categories[self.nominal]
        self.code_start = 2 * n_numbers + n_whole + np.concatenate(([0], np.cumsum(sizes)))
        self.n = int(self.code_start[-1])
        self.cost = np.zeros(self.n)
        self.cost[n_numbers : 2 * n_numbers] = 1.0
        self.low, self.high = np.full(self.n, -np.inf), np.full(self.n, np.inf)
        x, scale = domain.row[self.numbers], domain.scale[self.numbers]
        above = polytope.low[self.numbers]
        above = np.where(np.isinf(above), above, np.nextafter(above, np.inf))
        low = np.maximum(above, domain.low[self.numbers])
        high = np.minimum(polytope.high[self.numbers], domain.high[self.numbers])
        step = np.where(on_whole, unit, 1.0)  # a solver takes what is whole but for 1e-6
        low = np.where(on_whole, np.ceil(low * step) / step, low)
        high = np.where(on_whole, np.floor(high * step) / step, high)
        self.box = (low, high)
        self.low[:n_numbers] = np.where(is_held, 0.0, (low - x) / scale)
        self.high[:n_numbers] = np.where(is_held, 0.0, (high - x) / scale)
        self.integrality = np.zeros(self.n)
        self.integrality[2 * n_numbers :] = 1
        for j, start in zip(self.nominal.tolist(), self.code_start.tolist(), strict=False):
            self._add_codes(j, start)

    def _add_codes(self, j: int, start: int) -> None:
        first = int(self.domain.n_categories[:j].sum())
        codes = self.polytope.codes[first : first + int(self.domain.n_categories[j])]
        leads = codes & self.domain.allowed_codes(j)[:-1]
        block = slice(start, start + leads.size)
        self.low[block], self.high[block], self.cost[block] = 0.0, leads, 1.0
        if not self.domain.has_own[j]:
            self.cost[start + int(self.domain.row[j])] = 0.0

    def solved(self, margin: float) -> FloatArray | None:
        """Return the row that costs least; None if there is none."""
        if (self.low > self.high).any():
            return None
        from scipy.optimize import Bounds, LinearConstraint, milp

        rows, low, high = [], [], []
        for weights, least, most in self._constraints(margin):
            rows.append(weights)
            low.append(least)
            high.append(most)
        bounds = Bounds(np.maximum(self.low, -UNLIMITED), np.minimum(self.high, UNLIMITED))
        answer = milp(
            self.cost,
            constraints=LinearConstraint(np.array(rows), low, high),
            bounds=bounds,
            integrality=self.integrality,
            options={"mip_rel_gap": 1e-9},
        )
        return None if answer.x is None else self._row(answer.x)

    def _constraints(self, margin: float) -> Iterator[tuple[FloatArray, float, float]]:
        n_numbers, domain = self.numbers.size, self.domain
        for k in range(n_numbers):  # the size of a move is not below it, nor below its opposite
            for way in (1.0, -1.0):
                weights = np.zeros(self.n)
                weights[k], weights[n_numbers + k] = -way, 1.0
                yield weights, 0.0, np.inf
        for k, j in enumerate(self.whole.tolist()):
            weights = np.zeros(self.n)
            weights[int(np.searchsorted(self.numbers, j))] = domain.scale[j] * domain.per_unit[j]
            weights[2 * n_numbers + k] = -1.0
            here = -float(domain.row[j] * domain.per_unit[j])
            yield weights, here, here
        for k in range(self.nominal.size):
            weights = np.zeros(self.n)
            weights[self.code_start[k] : self.code_start[k + 1]] = 1.0
            yield weights, 1.0, 1.0
        for plane in self.polytope.planes:
            yield self._side(plane, margin)

    def _side(self, plane: Plane, margin: float) -> tuple[FloatArray, float, float]:
        """Return the constraint to be on a side of a plane, in comparable units."""
        domain, weights = self.domain, np.zeros(self.n)
        here = 0.0
        for j, weight in zip(plane.column.tolist(), plane.weight.tolist(), strict=True):
            if domain.is_nominal[j]:
                k = int(np.searchsorted(self.nominal, j))
                block = slice(int(self.code_start[k]), int(self.code_start[k + 1]))
                weights[block] = weight * np.arange(block.stop - block.start)
            else:
                weights[int(np.searchsorted(self.numbers, j))] = weight * domain.scale[j]
                here += weight * domain.row[j]
        unit = np.abs(weights).sum() or 1.0
        return weights / unit, -np.inf, (plane.most - here) / unit - margin

    def _row(self, solution: FloatArray) -> FloatArray:
        domain, row = self.domain, self.boxed.copy()
        move = solution[: self.numbers.size].copy()
        move[np.abs(move) < NOISE] = 0.0
        x = domain.row[self.numbers]
        row[self.numbers] = np.where(move == 0.0, x, x + move * domain.scale[self.numbers])
        unit = domain.per_unit[self.whole]
        row[self.whole] = np.rint(row[self.whole] * unit) / unit
        low, high = self.box
        # Behind a cut where the row stands, the smallest of moves is none that a solver means.
        moves = (row[self.numbers] != x) | (~self.is_held & ((x < low) | (x > high)))
        row[self.numbers] = np.where(moves, np.clip(row[self.numbers], low, high), x)
        for k, j in enumerate(self.nominal.tolist()):
            row[j] = float(solution[self.code_start[k] : self.code_start[k + 1]].argmax())
        return row
