"""How columns become features, as a model file holds it: plain JSON, checked when it is read."""

from __future__ import annotations

import dataclasses
from typing import Any

from softwood.data.columns.moments import MOST_FORMATS, known_clocks, known_formats
from softwood.data.columns.numbers import NumberFormat
from softwood.data.columns.plan import (
    CATEGORY,
    DATE,
    KINDS,
    LEFT_OUT,
    TIME,
    YES_NO,
    ColumnPlan,
    Preparation,
)
from softwood.errors import ModelFileError

_PARTS = ("hour", "weekday", "month")
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
    target = None if said["target"] is None else _plan(said["target"], where)
    names = [plan.name for plan in (*columns, *((target,) if target else ()))]
    if len(set(names)) != len(names):
        raise ModelFileError(f"{where} prepares a column twice")
    preparation = Preparation(columns, target)
    if len(set(preparation.features)) != len(preparation.features):
        raise ModelFileError(f"{where} prepares a feature twice")
    return preparation


def _plan(said: Any, where: str) -> ColumnPlan:
    if not isinstance(said, dict) or set(said) != set(_FIELDS):
        raise ModelFileError(f"{where} has a column that is not prepared as columns are")
    kind, is_used = said["kind"], said["is_used"]
    if not isinstance(kind, str) or kind not in KINDS or not isinstance(is_used, bool):
        raise ModelFileError(f"{where} has a column of a kind that is not known")
    plan = ColumnPlan(
        _text(said["name"], where),
        kind,
        is_used,
        _number(said["number"], where),
        _texts(said["formats"], where),
        _texts(said["parts"], where),
        _spellings(said["spellings"], where),
        _texts(said["missing"], where),
    )
    _check_plan(plan, where)
    return plan


def _check_plan(plan: ColumnPlan, where: str) -> None:
    """Refuse what no column of its kind has."""
    where = f"{where} has a column {plan.name!r} of kind {plan.kind}"
    if plan.is_used and plan.kind in LEFT_OUT:
        raise ModelFileError(f"{where} that is used")
    if len(set(plan.parts)) != len(plan.parts) or not set(plan.parts) <= set(_PARTS):
        raise ModelFileError(f"{where} with parts of dates that are not known")
    if plan.parts and plan.kind != DATE:
        raise ModelFileError(f"{where} with parts of dates")
    known = {DATE: known_formats(), TIME: known_clocks()}.get(plan.kind, frozenset())
    if not set(plan.formats) <= known or len(plan.formats) > MOST_FORMATS:
        raise ModelFileError(f"{where} with formats that it cannot have")
    if plan.spellings and plan.kind not in (CATEGORY, YES_NO):
        raise ModelFileError(f"{where} with spellings")


def _spellings(said: Any, where: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(said, list):
        raise ModelFileError(f"{where} has spellings that are no list")
    pairs = [_texts(pair, where) for pair in said]
    if any(len(pair) != 2 for pair in pairs):
        raise ModelFileError(f"{where} has spellings that are no pairs")
    found = {pair[0]: pair[1] for pair in pairs}
    if len(found) != len(pairs):
        raise ModelFileError(f"{where} has a spelling twice")
    return tuple(found.items())


def _number(said: Any, where: str) -> NumberFormat | None:
    if said is None:
        return None
    if not isinstance(said, dict) or set(said) != {"decimal", "thousands", "unit"}:
        raise ModelFileError(f"{where} has numbers written in a way that is not known")
    decimal, thousands, unit = said["decimal"], said["thousands"], said["unit"]
    if decimal not in (".", ",") or thousands not in ("", ".", ",", " ", "'"):
        raise ModelFileError(f"{where} has numbers written in a way that is not known")
    if decimal == thousands:
        raise ModelFileError(f"{where} has numbers written in a way that is not known")
    return NumberFormat(decimal, thousands, _text(unit, where))


def _texts(said: Any, where: str) -> tuple[str, ...]:
    if not isinstance(said, list):
        raise ModelFileError(f"{where} has a column whose words are no list")
    return tuple(_text(text, where) for text in said)


def _text(said: Any, where: str) -> str:
    """Return a text that frames can hold: halves of characters are none."""
    if not isinstance(said, str) or any("\ud800" <= sign <= "\udfff" for sign in said):
        raise ModelFileError(f"{where} has a column whose words are no texts")
    return said
