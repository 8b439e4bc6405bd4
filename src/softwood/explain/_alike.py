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
                if one.codes is None and one.step is None:
                    ends = [end for end in (one.low, one.high) if np.isfinite(end)]
                    found.setdefault(one.feature, []).extend(ends)
        return cls({feature: np.sort(own) for feature, own in found.items()})

    def key(self, conditions: Conditions) -> tuple[Any, ...]:
        """Return what rules must have in common to be compared."""
        return tuple(sorted(_skeleton(one) for one in conditions))

    def ranks(self, feature: int, values: FloatArray) -> FloatArray:
        """Return the share of cuts below each value, equal ones by half; infinities stay so."""
        own = self.of_feature[feature]
        below, up_to = own.searchsorted(values), own.searchsorted(values, side="right")
        return np.where(np.isfinite(values), (below + up_to) / (2.0 * own.size), values)

    def are_near(self, feature: int, a: FloatArray, b: FloatArray, slack: float = 1.0) -> BoolArray:
        """Return which cuts are near each other; no end is near no end."""
        own = self.of_feature[feature]
        with np.errstate(invalid="ignore", over="ignore"):  # infinity minus itself
            in_rank = np.abs(self.ranks(feature, a) - self.ranks(feature, b)) <= slack * NEAR_RANK
            in_value = np.abs(a - b) <= slack * NEAR_VALUE * (own[-1] - own[0])
        return np.asarray((a == b) | in_rank | (in_value & np.isfinite(a) & np.isfinite(b)))

    def table(self, rules: Sequence[Conditions]) -> Table:
        """Return rules with the same key as a table, to be compared all at once."""
        ordered = [sorted(conditions, key=_skeleton) for conditions in rules]
        features: list[int] = []
        columns: list[FloatArray] = []
        sets: list[list[frozenset[int]]] = []
        for place, first in enumerate(ordered[0]):
            own = [conditions[place] for conditions in ordered]
            if first.codes is not None:
                sets.append([frozenset(one.codes or ()) for one in own])
            elif first.step is None:
                features += [first.feature] * 2
                columns += [np.array([one.low for one in own]), np.array([one.high for one in own])]
        return Table(self, len(rules), features, columns, sets)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rules with the same key: their cuts, and their sets of categories, column by column."""

    cuts: Cuts
    size: int
    features: list[int]
    columns: list[FloatArray]
    sets: list[list[frozenset[int]]]

    def alike(self, place: int) -> BoolArray:
        """Return which rules are alike to the one at ``place``."""
        same = np.ones(self.size, dtype=np.bool_)
        for feature, column in zip(self.features, self.columns, strict=True):
            same &= self.cuts.are_near(feature, column, column[place])
        for members in self.sets:
            known: dict[frozenset[int], bool] = {}
            for one in set(members):
                known[one] = _share_most(one, members[place])
            same &= np.array([known[one] for one in members])
        return same


def most_central_first(table: Table) -> AnyArray:
    """Return the places of rules, those with most others alike first.

    Of equals, those nearest to the median of cuts come first. In large groups, rules are counted
    among some of them.
    """
    some = np.unique(np.linspace(0, table.size - 1, min(table.size, COMPARED)).astype(int))
    counts = np.zeros(table.size, dtype=np.int64)
    for place in some.tolist():
        counts += table.alike(place)
    away = np.zeros(table.size)
    for feature, column in zip(table.features, table.columns, strict=True):
        if np.isfinite(column).all():
            ranks = table.cuts.ranks(feature, column)
            away += np.abs(ranks - np.median(ranks))
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
        bool(cuts.are_near(wanted.feature, np.array(asked), np.array(end), SLACK))
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
