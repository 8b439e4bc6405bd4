"""When two rules of different trees say the same: the same columns, directions, and near cuts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.explain.conditions import Condition

NEAR_RANK = 0.1  # of all cuts on a column
NEAR_VALUE = 0.02  # of their range
SLACK = 2.0  # how much farther apart the cuts of a rule may be that says no more
SHARED = 0.75  # of the categories of two sets
COMPARED = 1000  # rules of a group that the others are counted against

Conditions = Sequence[Condition]


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """The cuts on each column, sorted: what is near depends on where they lie."""

    of_feature: dict[int, FloatArray]

    @classmethod
    def of(cls, rules: Iterable[Conditions]) -> Cuts:
        """Collect the ends of all conditions on numbers."""
        found: dict[int, list[float]] = {}
        for conditions in rules:
            for one in conditions:
                if one.is_cut:
                    ends = [end for end in (one.low, one.high) if np.isfinite(end)]
                    found.setdefault(one.feature, []).extend(ends)
        return cls({feature: np.sort(own) for feature, own in found.items()})

    def key(self, conditions: Conditions) -> tuple[Any, ...]:
        """Return what rules must have in common to be compared."""
        return tuple(sorted(_skeleton(one) for one in conditions))

    def ranks(self, feature: int, values: FloatArray) -> FloatArray:
        """Return the share of cuts below each value, equal ones by half."""
        own = self.of_feature[feature]
        below, up_to = own.searchsorted(values), own.searchsorted(values, side="right")
        return np.asarray((below + up_to) / (2.0 * own.size))

    def are_near(self, feature: int, a: float, b: float, slack: float = 1.0) -> bool:
        """Return whether two cuts are near each other; no end is near no end."""
        if a == b or not (np.isfinite(a) and np.isfinite(b)):
            return a == b
        first, second = self.ranks(feature, np.array([a, b]))
        in_rank = abs(first - second) <= slack * NEAR_RANK
        return bool(in_rank or abs(a / 2 - b / 2) <= slack * self.reach(feature) / 2)

    def reach(self, feature: int) -> float:
        """Return how far apart two cuts may be to be near, whatever lies between."""
        own = self.of_feature[feature]
        return NEAR_VALUE * float(own[-1] / 2 - own[0] / 2) * 2

    def table(self, rules: Sequence[Conditions]) -> Table:
        """Return rules with the same key as a table, to be compared all at once."""
        ordered = [sorted(conditions, key=_skeleton) for conditions in rules]
        values: list[FloatArray] = []
        ranks: list[FloatArray] = []
        reach: list[float] = []
        sets: list[list[frozenset[int]]] = []
        for place, first in enumerate(ordered[0]):
            own = [conditions[place] for conditions in ordered]
            if first.codes is not None:
                sets.append([frozenset(one.codes or ()) for one in own])
            ends = zip(("low", "high"), first.ends, strict=True) if first.is_cut else ()
            for name in (name for name, is_there in ends if is_there):
                values.append(np.array([getattr(one, name) for one in own]))
                ranks.append(self.ranks(first.feature, values[-1]))
                reach.append(self.reach(first.feature))
        shape = (len(values), len(rules))
        return Table(
            np.reshape(values, shape), np.reshape(ranks, shape), np.array(reach)[:, None], sets
        )


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rules with the same key: the ends of their conditions, one rule in each column."""

    values: FloatArray
    ranks: FloatArray
    reach: FloatArray
    sets: list[list[frozenset[int]]]

    @property
    def size(self) -> int:
        """Number of rules."""
        return int(self.values.shape[1])

    def alike(self, place: int) -> BoolArray:
        """Return which rules are alike to the one at ``place``."""
        column = slice(place, place + 1)
        near = np.abs(self.ranks - self.ranks[:, column]) <= NEAR_RANK
        # Halves, because the difference of two numbers may be none.
        apart = np.abs(self.values / 2 - self.values[:, column] / 2)
        same = np.asarray((near | (apart <= self.reach / 2)).all(axis=0))
        for members in self.sets:
            known = {one: _share_most(one, members[place]) for one in set(members)}
            same &= np.array([known[one] for one in members])
        return same


def most_central_first(table: Table) -> AnyArray:
    """Return the places of rules, those with most others alike first.

    Of equals, those nearest to the median of cuts come first. In large groups, rules are counted
    among some of them.
    """
    step = -(-table.size // COMPARED)
    counts = np.zeros(table.size, dtype=np.int64)
    for place in range(0, table.size, step):
        counts += table.alike(place)
    away = np.abs(table.ranks - np.median(table.ranks, axis=1, keepdims=True)).sum(axis=0)
    return np.lexsort((away, -counts))


def covers(short: Conditions, long: Conditions, cuts: Cuts) -> bool:
    """Return whether every condition of ``short`` is, about, among those of ``long``."""
    return all(any(_implied(one, other, cuts) for other in long) for one in short)


def _implied(wanted: Condition, given: Condition, cuts: Cuts) -> bool:
    if _skeleton(wanted)[:2] != _skeleton(given)[:2]:
        return False
    if wanted.codes is not None:
        return set(given.codes or ()) <= set(wanted.codes) or _share_most(
            frozenset(given.codes or ()), frozenset(wanted.codes)
        )
    if wanted.step is not None:
        return _skeleton(wanted) == _skeleton(given)
    ends = ((wanted.low, given.low), (wanted.high, given.high))
    return all(
        cuts.are_near(wanted.feature, asked, end, SLACK)
        for asked, end in ends
        if np.isfinite(asked)
    )


def _share_most(a: frozenset[int], b: frozenset[int]) -> bool:
    return len(a & b) >= SHARED * len(a | b)


def _skeleton(one: Condition) -> tuple[Any, ...]:
    """Return a condition without its cuts and categories; of an oblique test, all of it."""
    if one.step is not None:
        return (one.feature, "oblique", one.low, one.high, *one.terms)
    if one.codes is not None:
        return (one.feature, "set")
    return (one.feature, "cut", *one.ends)
