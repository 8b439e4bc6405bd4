"""The columns of the table: what they are, what is missing, how their values lie."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from softwood.data.dates import date_text
from softwood.data.table import Column
from softwood.view._page import Page
from softwood.view._sparks import histogram
from softwood.view._subject import Subject
from softwood.view._words import counted, percent, short, shown

TITLE = "The data"
MOST_COLUMNS = 200
MOST_CATEGORIES = 4  # of a column
MOST_CLASSES = 12


@dataclass(frozen=True)
class Bar:
    """A category and its share."""

    name: str
    share: float

    @property
    def text(self) -> str:
        """The share in percent."""
        return percent(self.share, 0 if self.share > 0.1 else 1)


@dataclass(frozen=True)
class Card:
    """What is shown of a column."""

    name: str
    kind: str
    n_missing: int
    n_rows: int
    n_distinct: int
    action: str = ""
    range: str = ""
    picture: Any = None
    bars: list[Bar] = field(default_factory=list)
    more: str = ""

    @property
    def missing(self) -> str:
        """Share of the rows that have a gap."""
        if not self.n_missing:
            return "none"
        return percent(self.n_missing / self.n_rows) if self.n_rows else str(self.n_missing)


def content(page: Page) -> dict[str, Any]:
    """Return the cards of the columns, and the shares of the classes."""
    subject = page.subject
    known = _columns(subject, page.description)
    # Of too many columns those are shown that matter most, in the order of the table.
    most = set(page.by_importance[:MOST_COLUMNS].tolist())
    cards = [
        _card(name, column, described, subject.n_rows)
        for name, place, column, described in known
        if len(known) <= MOST_COLUMNS or place in most
    ]
    return {
        "cards": cards,
        "n_left_out": len(known) - len(cards),
        "has_actions": any(card.action for card in cards),
        "gaps": _gaps(subject),
        **_target(subject),
    }


def _columns(
    subject: Subject, description: Any
) -> list[tuple[str, int | None, Column | None, Any]]:
    """Return name, place in the model's table, column and description of every column.

    They are in the order of the description, in which there may be columns that the model is
    not given; parts of a column, such as the weekday of a date, follow it.
    """
    described = {}
    if description is not None:
        described = {str(column.name): column for column in description.columns}
    own = [
        (column.name, j, column, described.get(column.name))
        for j, column in enumerate(subject.table.columns)
    ]
    names = {subject.target, *(name for name, *_ in own)}
    others = [(name, None, None, one) for name, one in described.items() if name not in names]
    order = {name: place for place, name in enumerate(described)}

    def place_of(known: tuple[str, Any, Any, Any]) -> int:
        name = known[0]
        if name not in order:  # the weekday of a date, say, stands with it
            name = name.rpartition(".")[0]
        return order.get(name, len(order))

    return sorted([*own, *others], key=place_of)


def _gaps(subject: Subject) -> str:
    """Return in a sentence how much is missing."""
    missing = [n_missing(column) for column in subject.table.columns]
    with_gaps = sum(n > 0 for n in missing)
    if not with_gaps:
        return "No values are missing."
    share = sum(missing) / (subject.n_rows * len(missing))
    return f"{percent(share)} of the values are missing, in {counted(with_gaps, 'column')}."


def _target(subject: Subject) -> dict[str, Any]:
    if not subject.is_classes:
        card = _card(subject.target, Column(subject.target, subject.y), None, subject.n_rows)
        return {"target": card, "classes": [], "more_classes": ""}
    order = np.argsort(-subject.shares, kind="stable")
    bars = [Bar(shown(subject.classes[k]), float(subject.shares[k])) for k in order]
    more = len(bars) - MOST_CLASSES
    return {
        "target": None,
        "classes": bars[:MOST_CLASSES],
        "more_classes": counted(more, "more class", "more classes") if more > 0 else "",
    }


def _card(name: str, column: Column | None, described: Any, n_rows: int) -> Card:
    """Return the card of a column; one that the model is not given is only described."""
    known: dict[str, Any] = {}
    if column is None:
        known = {"n_missing": int(described.n_missing), "n_distinct": int(described.n_distinct)}
    elif column.is_nominal:
        known = _of_categories(column)
    else:
        known = _of_numbers(column)
    if described is not None:
        known |= {"kind": shown(described.kind, 20), "action": shown(described.action, 160)}
    return Card(name=shown(name), n_rows=n_rows, **known)


def n_missing(column: Column) -> int:
    """Return how many values of a column are missing."""
    gaps = column.values < 0 if column.is_nominal else np.isnan(column.values)
    return int(np.count_nonzero(gaps))


def _of_numbers(column: Column) -> dict[str, Any]:
    values = column.values[np.isfinite(column.values)]
    known = {
        "kind": "date" if column.is_date else "number",
        "n_missing": n_missing(column),
        "n_distinct": int(np.unique(values).size),
    }
    if not values.size:
        return known
    text = date_text if column.is_date else short
    low, middle, high = (text(float(v)) for v in np.quantile(values, (0.0, 0.5, 1.0)))
    ends = f"{low} to {high}" if low != high else f"always {low}"
    label = f"Histogram of {shown(column.name)}: {ends}, median {middle}"
    return known | {"range": ends, "more": f"median {middle}", "picture": histogram(values, label)}


def _of_categories(column: Column) -> dict[str, Any]:
    assert column.categories is not None
    counts = np.bincount(column.values[column.values >= 0], minlength=len(column.categories))
    order = np.argsort(-counts, kind="stable")
    order = order[counts[order] > 0]
    total = max(int(counts.sum()), 1)
    bars = [
        Bar(shown(column.categories[k], 28), float(counts[k] / total))
        for k in order[:MOST_CATEGORIES]
    ]
    more = order.size - len(bars)
    return {
        "kind": "category",
        "n_missing": n_missing(column),
        "n_distinct": int(order.size),
        "bars": bars,
        "more": counted(more, "more category", "more categories") if more else "",
    }
