"""How columns become features, as a model file holds it: plain JSON, checked when it is read."""

from __future__ import annotations

import dataclasses
from typing import Any

from softwood.data.columns.numbers import NumberFormat
from softwood.data.columns.plan import KINDS, ColumnPlan, Preparation
from softwood.errors import ModelFileError

_PARTS = ("hour", "weekday", "day", "month")
_FIELDS = [field.name for field in dataclasses.fields(ColumnPlan)]


def encode_preparation(preparation: Preparation) -> dict[str, Any]:
    """Return a preparation as JSON can hold it."""
    target = preparation.target
    return {
        "columns": [dataclasses.asdict(plan) for plan in preparation.columns],
        "target": None if target is None else dataclasses.asdict(target),
    }


def decode_preparation(said: Any, where: str) -> Preparation:
    """Return the preparation that a file holds; what is not one is refused."""
    if not isinstance(said, dict) or set(said) != {"columns", "target"}:
        raise ModelFileError(f"{where} has a preparation without columns and target")
    if not isinstance(said["columns"], list):
        raise ModelFileError(f"{where} has a preparation whose columns are no list")
    columns = tuple(_plan(plan, where) for plan in said["columns"])
    names = [plan.name for plan in columns]
    if len(set(names)) != len(names):
        raise ModelFileError(f"{where} prepares a column twice")
    target = said["target"]
    return Preparation(columns, None if target is None else _plan(target, where))


def _plan(said: Any, where: str) -> ColumnPlan:
    if not isinstance(said, dict) or set(said) != set(_FIELDS):
        raise ModelFileError(f"{where} has a column that is not prepared as columns are")
    name, kind, is_used = said["name"], said["kind"], said["is_used"]
    if not isinstance(name, str) or kind not in KINDS or not isinstance(is_used, bool):
        raise ModelFileError(f"{where} has a column of a kind that is not known")
    parts = _texts(said["parts"], where)
    if any(part not in _PARTS for part in parts):
        raise ModelFileError(f"{where} takes parts of dates that are not known")
    spellings = said["spellings"]
    if not isinstance(spellings, list):
        raise ModelFileError(f"{where} has spellings that are no list")
    pairs = tuple(_texts(pair, where) for pair in spellings)
    if any(len(pair) != 2 for pair in pairs):
        raise ModelFileError(f"{where} has spellings that are no pairs")
    return ColumnPlan(
        name,
        kind,
        is_used,
        _number(said["number"], where),
        _texts(said["formats"], where),
        parts,
        tuple((pair[0], pair[1]) for pair in pairs),
        _texts(said["missing"], where),
    )


def _number(said: Any, where: str) -> NumberFormat | None:
    if said is None:
        return None
    if not isinstance(said, dict) or set(said) != {"decimal", "thousands", "unit"}:
        raise ModelFileError(f"{where} has numbers written in a way that is not known")
    decimal, thousands, unit = said["decimal"], said["thousands"], said["unit"]
    if decimal not in (".", ",") or thousands not in ("", ".", ",", " ", "'"):
        raise ModelFileError(f"{where} has numbers written in a way that is not known")
    if not isinstance(unit, str) or decimal == thousands:
        raise ModelFileError(f"{where} has numbers written in a way that is not known")
    return NumberFormat(decimal, thousands, unit)


def _texts(said: Any, where: str) -> tuple[str, ...]:
    if not isinstance(said, list) or not all(isinstance(text, str) for text in said):
        raise ModelFileError(f"{where} has a column whose words are no texts")
    return tuple(said)
