"""What users wish of another row: the answer, columns that stay, and what others may hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import AnyArray
from softwood.data.dates import days_of_object, days_of_text, is_date
from softwood.data.identity import places
from softwood.data.objects import is_missing
from softwood.data.schema import Schema
from softwood.explain.labels import number_text

RULE = re.compile(r"\s*(<=|>=|<|>)\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*")
WAYS = ("increase", "decrease", "whole")
NONE = -1


@dataclass(frozen=True, slots=True)
class ClassWish:
    """A class that is wanted, by its number, or any but the present one."""

    target: int | None
    now: int

    def takes(self, answer: float) -> bool:
        """Whether an answer, the number of a class, is as wanted."""
        return answer != self.now if self.target is None else answer == self.target

    def words(self, classes: AnyArray | None) -> str:
        """Return what is wanted in words."""
        assert classes is not None
        names = classes.tolist()
        return (
            f"other than {names[self.now]!r}" if self.target is None else repr(names[self.target])
        )


@dataclass(frozen=True, slots=True)
class NumberWish:
    """Numbers that are wanted: between two ends, which may be infinite, or left out."""

    low: float
    high: float
    is_open: tuple[bool, bool] = (False, False)

    def takes(self, answer: float) -> bool:
        """Whether an answer is as wanted."""
        over = answer > self.low if self.is_open[0] else answer >= self.low
        return over and (answer < self.high if self.is_open[1] else answer <= self.high)

    def words(self, classes: AnyArray | None) -> str:
        """Return what is wanted in words."""
        words = []
        if self.low > -np.inf:
            words.append(f"{'above' if self.is_open[0] else 'at least'} {number_text(self.low)}")
        if self.high < np.inf:
            words.append(f"{'below' if self.is_open[1] else 'at most'} {number_text(self.high)}")
        return " and ".join(words)


Wish = ClassWish | NumberWish


def read_class(target: Any, classes: AnyArray) -> int:
    """Return the number of the class that is wanted."""
    known = classes.tolist()
    place = places([target.item() if isinstance(target, np.generic) else target], known, NONE)[0]
    if place == NONE:
        raise ValueError(f"target must be one of the classes {known}; got {target!r}")
    return place


def read_interval(target: Any, now: float = 0.0) -> NumberWish:
    """Return the numbers that are wanted; a single one is to be reached from what is predicted now.

    Examples
    --------
    >>> from softwood.estimators._wishes import read_interval
    >>> read_interval("> 10")
    NumberWish(low=10.0, high=inf, is_open=(True, False))
    >>> read_interval((None, 5))
    NumberWish(low=-inf, high=5.0, is_open=(False, False))
    >>> read_interval(10, now=7.5)
    NumberWish(low=10.0, high=inf, is_open=(False, False))
    """
    wanted = (
        'target must be a number, a pair (low, high), None for no end, or a rule such as ">= 10"'
    )
    if target is None:
        raise ValueError(f"{wanted}, for a model that predicts numbers; got None")
    if isinstance(target, str):
        found = RULE.fullmatch(target)
        if found is None:
            raise ValueError(f"{wanted}; got {target!r}")
        sign, number = found[1], float(found[2])
        if sign[0] == ">":
            return NumberWish(number, np.inf, (sign == ">", False))
        return NumberWish(-np.inf, number, (False, sign == "<"))
    if isinstance(target, int | float | np.number) and np.isfinite(target):
        number = float(target)
        return NumberWish(number, np.inf) if now < number else NumberWish(-np.inf, number)
    try:
        low, high = target
        ends = (-np.inf if low is None else float(low), np.inf if high is None else float(high))
    except (TypeError, ValueError):
        raise ValueError(f"{wanted}; got {target!r}") from None
    if not ends[0] <= ends[1] or ends == (-np.inf, np.inf):
        raise ValueError(f"{wanted}, of which the first is not the larger; got {target!r}")
    return NumberWish(*ends)


def read_columns(columns: Any, schema: Schema, name: str) -> list[int]:
    """Return the places of columns, given by name or number; parts of a date go with it."""
    if isinstance(columns, str | int | np.integer):
        columns = (columns,)
    if not isinstance(columns, Iterable):
        raise ValueError(f"{name} must be names or numbers of columns; got {columns!r}")
    return [j for column in columns for j in places_of_column(column, schema, name)]


def places_of_column(column: Any, schema: Schema, name: str) -> list[int]:
    """Return the features that are made of a column."""
    names = schema.names
    if isinstance(column, str) and column in names:
        parts = [j for j, other in enumerate(names) if other.startswith(f"{column}.")]
        derived = set(derived_columns(schema))
        return [names.index(column), *(j for j in parts if j in derived)]
    is_number = isinstance(column, int | np.integer) and not isinstance(column, bool)
    if is_number and -len(names) <= column < len(names):
        return [int(column) % len(names)]
    raise ValueError(
        f"{name} has {column!r}; the columns are {names}, or 0 to {len(names) - 1} by number"
    )


def derived_columns(schema: Schema) -> list[int]:
    """Return dates that others were made of, and these others: one cannot change without them."""
    if schema.preparation is None:
        return []
    made = {
        name
        for plan in schema.preparation.used
        if plan.parts
        for name in (plan.name, *(f"{plan.name}.{part}" for part in plan.parts))
    }
    return [j for j, name in enumerate(schema.names) if name in made]


# -- what columns may hold -----------------------------------------------------------


class Limits:
    """What the columns of a row may hold, as far as it was said."""

    def __init__(self, schema: Schema, row: AnyArray) -> None:
        n = len(schema.features)
        self.schema, self.row = schema, row
        self.low, self.high = np.full(n, -np.inf), np.full(n, np.inf)
        self.is_whole = np.zeros(n, dtype=bool)
        self.codes = [_known_codes(feature.categories) for feature in schema.features]
        self.named: set[int] = set()

    def read(self, ranges: Mapping[Any, Any] | None) -> None:
        """Take in what users say of columns."""
        if ranges is None:
            return
        if not isinstance(ranges, Mapping):
            raise ValueError(
                "ranges must be a mapping from columns to what they may hold; "
                f"got {type(ranges).__name__}"
            )
        for column, said in ranges.items():
            j = places_of_column(column, self.schema, "ranges")[0]
            self.named.add(j)
            if self.codes[j] is not None:
                self._take_categories(j, column, said)
            else:
                self._take_numbers(j, column, said)

    def _take_categories(self, j: int, column: Any, said: Any) -> None:
        categories = self.schema.features[j].categories or ()
        if isinstance(said, str) or not isinstance(said, Iterable):
            raise ValueError(
                f"ranges[{column!r}] must be a list of categories, some of {list(categories)}; "
                f"got {said!r}"
            )
        wanted = list(said)
        found = places(wanted, categories, NONE)
        if NONE in found:
            raise ValueError(
                f"ranges[{column!r}] has {wanted[found.index(NONE)]!r}, which is none of "
                f"{list(categories)}"
            )
        allowed = np.zeros(len(categories), dtype=bool)
        allowed[found] = True
        self.codes[j] = allowed

    def _take_numbers(self, j: int, column: Any, said: Any) -> None:
        if isinstance(said, str) and said in WAYS:
            if said == "whole":
                self.is_whole[j] = True
            elif not np.isnan(self.row[j]):
                ends = self.low if said == "increase" else self.high
                ends[j] = self.row[j]
            return
        if isinstance(said, range) and abs(said.step) == 1 and len(said):
            self.is_whole[j] = True
            said = (min(said), max(said))
        if not isinstance(said, Sequence | np.ndarray) or isinstance(said, str) or len(said) != 2:
            raise ValueError(
                f"ranges[{column!r}] must be a pair (low, high), None for no end, a range of whole "
                f"numbers, or one of {', '.join(WAYS)}; got {said!r}"
            )
        low, high = (self._number(j, column, end) for end in said)
        self.low[j] = -np.inf if np.isnan(low) else low
        self.high[j] = np.inf if np.isnan(high) else high
        if self.low[j] > self.high[j]:
            raise ValueError(f"ranges[{column!r}] must not begin above its end; got {said!r}")

    def _number(self, j: int, column: Any, end: Any) -> float:
        """Return an end of a range, NaN for none; dates in days."""
        if is_missing(end):
            return np.nan
        found: Any = None
        if is_date(end):
            found = days_of_object(end)
        elif isinstance(end, str):
            found = days_of_text(end)
        elif isinstance(end, int | float | np.number):
            found = float(end)
        if found is None or (is_date(end) and not self.schema.features[j].is_date):
            raise ValueError(f"ranges[{column!r}] must have numbers for ends; got {end!r}")
        return float(found)


def _known_codes(categories: tuple[Any, ...] | None) -> AnyArray | None:
    """Return which categories may be gone to: all but that of what is missing."""
    if categories is None:
        return None
    return np.array([category is not None for category in categories], dtype=bool)
