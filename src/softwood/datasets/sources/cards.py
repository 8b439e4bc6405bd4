"""``NAME.csv`` with a card ``NAME.json`` beside it.

The CSV has a header row, an empty field for a missing value, and a target called ``class``
or, for regression, ``target``. The card is an object with ``task``, ``n`` (rows), ``p``
(features), ``classes`` (label and count, or null), ``nominal`` (names) and, if you like,
``target`` (another name for it), ``source``, ``paper``, ``notes``, ``licence``, ``citation``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from softwood.data.readers import read_table
from softwood.data.table import Table
from softwood.datasets.card import Card
from softwood.datasets.dataset import Dataset, class_counts
from softwood.datasets.registry import Entry
from softwood.datasets.shaping import loaded_card
from softwood.errors import DatasetError

_PAPERS = {
    "000": "vicinal",
    "001": "anneal",
    "002": "perturb",
    "003": "margins",
    "004": "spectrum",
}
_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "task": str,
    "n": int,
    "p": int,
    "classes": (dict, type(None)),
    "nominal": list,
}


def read_with_card(name: str, path: Path, card_path: Path, entry: Entry | None) -> Dataset:
    """Read the CSV as its card says, and check that the two agree."""
    facts = read_facts(card_path)
    is_classification = facts["task"] == "classification"
    target = facts.get("target", "class" if is_classification else "target")
    nominal = [*facts["nominal"], target] if is_classification else facts["nominal"]
    table = read_table(path, nominal=nominal, missing=("",), delimiter=",")
    if target not in table.names:
        raise DatasetError(f"{path} has no column {target!r} to predict; name it so")
    table = Table((*table.drop([target]).columns, table[target]))
    _check(table, facts, path)
    where = f"{path} ({facts['source']})" if facts.get("source") else str(path)
    return Dataset(table, loaded_card(card_of(name, facts, entry), table, where), target)


def read_facts(card_path: Path) -> dict[str, Any]:
    """Return the card's object, checked for what must be in it."""
    try:
        facts = json.loads(card_path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DatasetError(f"{card_path}: not JSON in UTF-8 ({error})") from None
    if not isinstance(facts, dict):
        raise DatasetError(f"{card_path}: expected an object with {', '.join(_TYPES)}")
    for key, kind in _TYPES.items():
        if not isinstance(facts.get(key, ...), kind):
            raise DatasetError(f"{card_path}: {key!r} is missing or of the wrong type")
    if facts["task"] not in ("classification", "regression"):
        raise DatasetError(
            f"{card_path}: task must be classification or regression, not {facts['task']!r}"
        )
    return facts


def card_of(name: str, facts: Mapping[str, Any], entry: Entry | None) -> Card:
    """Return a card with the facts of the file, and of the registry where the file is silent."""
    known = entry.card if entry is not None else Card(name, facts["task"], 0, 0)
    papers = tuple(_PAPERS.get(paper, paper) for paper in facts.get("paper", ()))
    return replace(
        known,
        task=facts["task"],
        n_rows=facts["n"],
        n_features=facts["p"],
        classes=facts["classes"],
        nominal=tuple(facts["nominal"]),
        source=facts.get("source", ""),
        licence=facts.get("licence", known.licence),
        citation=facts.get("citation", known.citation),
        papers=papers or known.papers,
        notes=facts.get("notes", known.notes),
    )


def _check(table: Table, facts: Mapping[str, Any], path: Path) -> None:
    n_rows, n_columns = table.shape
    seen = (n_rows, n_columns - 1)
    if seen != (facts["n"], facts["p"]):
        raise DatasetError(
            f"{path} has {seen[0]} rows and {seen[1]} features, but its card says "
            f"{facts['n']} and {facts['p']}; put one of them right"
        )
    counts = class_counts(table.columns[-1]) if facts["classes"] is not None else None
    if counts is not None and counts != facts["classes"]:
        raise DatasetError(
            f"{path} has the classes {counts}, but its card says {facts['classes']}; "
            "put one of them right"
        )
