"""Rows on which the model is least sure, or most surely wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.view._evidence import Evidence
from softwood.view._page import Page
from softwood.view._words import percent, short, shown

TITLE = "Rows worth a second look"
MOST_ROWS, MOST_COLUMNS = 8, 6


@dataclass(frozen=True)
class HardRow:
    """A row: its number, counted from 1, its values, the truth and the answer."""

    number: int
    truth: str
    answer: str
    sureness: str
    values: list[str]


@dataclass(frozen=True)
class Group:
    """Rows that have something in common."""

    title: str
    lead: str
    measure: str
    rows: list[HardRow]


def content(page: Page) -> dict[str, Any]:
    """Return groups of rows, with the columns that matter most."""
    found = page.evidence
    columns = page.by_importance[:MOST_COLUMNS]
    groups = _of_classes(page, found, columns) if page.subject.is_classes else []
    if not page.subject.is_classes:
        groups = [_of_numbers(page, found, columns)]
    return {
        "groups": [group for group in groups if group.rows],
        "columns": [shown(page.names[j], 40) for j in columns],
        "is_number": [not page.subject.shown_table.columns[j].is_nominal for j in columns],
        "is_classes": page.subject.is_classes,
        "n_hidden": len(page.names) - len(columns),
    }


def _of_classes(page: Page, found: Evidence, columns: IndexArray) -> list[Group]:
    if found.probability is None:
        wrong = np.flatnonzero(found.truth != found.labels)[:MOST_ROWS]
        rows = _rows(page, found, wrong, columns, [""] * wrong.size)
        return [Group("Wrong", "The first rows whose class was wrong.", "", rows)]
    unsure, surely_wrong = least_sure(found.probability), _surely_wrong(found)
    top = found.probability.max(axis=1)
    sureness = [percent(float(share), 0) for share in top]
    return [
        Group(
            "Least sure",
            "The probabilities of the classes are closest to each other.",
            "its probability",
            _rows(page, found, unsure, columns, [sureness[i] for i in unsure]),
        ),
        Group(
            "Most surely wrong",
            "Look here for wrong labels in the data, and for what the columns do not tell.",
            "its probability",
            _rows(page, found, surely_wrong, columns, [sureness[i] for i in surely_wrong]),
        ),
    ]


def least_sure(probability: FloatArray) -> IndexArray:
    """Return the rows of largest entropy, the largest first.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.view.sections.hard_rows import least_sure
    >>> least_sure(np.array([[1.0, 0.0], [0.5, 0.5], [0.9, 0.1]])).tolist()
    [1, 2]
    """
    terms = np.where(probability > 0, probability, 1.0)
    entropy = -(probability * np.log(terms)).sum(axis=1)
    order = np.argsort(-entropy, kind="stable")[:MOST_ROWS]
    return np.asarray(order[entropy[order] > 0])


def _surely_wrong(found: Evidence) -> IndexArray:
    assert found.probability is not None
    wrong = np.flatnonzero(found.truth != found.labels)
    top = found.probability.max(axis=1)
    return np.asarray(wrong[np.argsort(-top[wrong], kind="stable")][:MOST_ROWS])


def _of_numbers(page: Page, found: Evidence, columns: IndexArray) -> Group:
    off = np.asarray(found.truth - found.labels, dtype=np.float64)
    order = np.argsort(-np.abs(off), kind="stable")[:MOST_ROWS]
    return Group(
        "Farthest off",
        "Look here for errors in the data, and for what the columns do not tell.",
        "off by",
        _rows(page, found, order, columns, [short(float(off[i])) for i in order]),
    )


def _rows(
    page: Page, found: Evidence, places: AnyArray, columns: IndexArray, sureness: list[str]
) -> list[HardRow]:
    table = page.subject.shown_table
    numbers = found.rows[places]
    values = [table.columns[j].take(numbers).as_objects().tolist() for j in columns]
    return [
        HardRow(
            number=int(number) + 1,
            truth=shown(found.truth[place].item()),
            answer=shown(found.labels[place].item()),
            sureness=sure,
            values=[shown(column[k]) for column in values],
        )
        for k, (number, place, sure) in enumerate(zip(numbers, places, sureness, strict=True))
    ]
