"""How a query reads the columns of a table: as numbers, codes of categories, and gaps."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood.data.schema import Feature
from softwood.data.table import UNKNOWN_CODE
from softwood.export.algebra import MOST
from softwood.export.sql_algebra import column_of, literal
from softwood.interop.imported import Imported

DOUBLE = {"duckdb": "DOUBLE", "sqlite": "REAL", "postgres": "DOUBLE PRECISION"}
LARGEST = literal(np.finfo(np.float64).max)


def encoded_columns(imported: Imported, dialect: str) -> dict[str, str]:
    """Return what trees read, as x0, x1 and so on, and whether a row is complete."""
    columns = {
        f"x{j}": _habits(imported, j, _code(imported, j, dialect))
        for j in range(imported.n_features)
    }
    fine = " AND ".join(f"abs({text}) <= {literal(MOST)}" for text in columns.values()) or "1 = 1"
    return columns | {"complete": f"CASE WHEN {fine} THEN 1 ELSE 0 END"}


def refusal(imported: Imported, dialect: str) -> dict[str, str]:
    """Return the column that says whether the model would refuse the row, if it ever does."""
    causes = []
    for j, feature in enumerate(imported.schema.features):
        if not feature.is_nominal:
            causes.append(f"abs({_number(feature, dialect)}) > {LARGEST}")
            if dialect == "sqlite":
                causes.append(_is_no_number(feature))
        elif imported.reader.unknown == "error":
            causes.append(f"({_code(imported, j, dialect)}) = {literal(UNKNOWN_CODE)}")
    return {"refused": f"CASE WHEN {' OR '.join(causes)} THEN 1 ELSE 0 END"} if causes else {}


def _number(feature: Feature, dialect: str) -> str:
    """Return the column as a number; NaN, and in SQLite an empty text, is a gap."""
    column = column_of(feature.name)
    number = f"CAST({column} AS {DOUBLE[dialect]})"
    if dialect == "postgres":
        return f"NULLIF({number}, 'NaN')"
    if dialect == "sqlite":
        text = f"julianday({column}) - 2440587.5" if feature.is_date else number
        text = f"CASE WHEN trim({column}) <> '' THEN {text} END"
        return f"CASE WHEN typeof({column}) = 'text' THEN {text} ELSE {number} END"
    if feature.is_date:  # days, a date, or a text: as text it is known which
        text = f"CAST({column} AS VARCHAR)"
        seconds = f"epoch(CAST({text} AS TIMESTAMP))"
        number = f"COALESCE(TRY_CAST({text} AS DOUBLE), {seconds} / 86400e0)"
    return f"CASE WHEN NOT isnan({number}) THEN {number} END"


def _is_no_number(feature: Feature) -> str:
    """Return the condition that SQLite would read a text as some number that it is not."""
    column = column_of(feature.name)
    bad = (
        f"julianday({column}) IS NULL" if feature.is_date else f"{column} <> CAST({column} AS REAL)"
    )
    return f"(typeof({column}) = 'text' AND trim({column}) <> '' AND {bad})"


def _code(imported: Imported, j: int, dialect: str) -> str:
    feature, reader = imported.schema.features[j], imported.reader
    if feature.categories is None:
        number = _number(feature, dialect)
        if np.isnan(reader.missing_value):
            return number
        mark = literal(reader.missing_value)  # compared as float32, so what rounds to it is it
        step = literal(abs(np.spacing(np.float32(reader.missing_value))) / 2.0)
        return f"CASE WHEN abs({number} - {mark}) > {step} THEN {number} END"
    codes = [(name, code) for code, name in enumerate(feature.categories) if name is not None]
    cases = [f"WHEN {_is(feature, name, dialect)} THEN {code}e0" for name, code in codes]
    n = len(feature.categories)
    missing = f"{n - 1}e0" if None in feature.categories else "NULL"
    unknown = {
        "spread": literal(UNKNOWN_CODE),
        "error": literal(UNKNOWN_CODE),
        "other": f"{n - 1}e0",
    }
    name = column_of(feature.name)
    return (
        f"CASE WHEN {name} IS NULL THEN {missing} {' '.join(cases)} "
        f"ELSE {unknown.get(reader.unknown, missing)} END"
    )


def _is(feature: Feature, category: Any, dialect: str) -> str:
    name = column_of(feature.name)
    if isinstance(category, (bool, np.bool_)):
        return f"CAST({name} AS INTEGER) = {int(category)}"
    if isinstance(category, (int, float, np.number)):
        return f"CAST({name} AS {DOUBLE[dialect]}) = {literal(category)}"
    text = str(category).replace("'", "''")
    return f"CAST({name} AS TEXT) = '{text}'"


def _habits(imported: Imported, j: int, text: str) -> str:
    """Return a value as the reader of the model changes it: small numbers, zeros, gaps."""
    reader, feature = imported.reader, imported.schema.features[j]
    if reader.zero > 0.0:
        text = f"CASE WHEN abs({text}) <= {literal(reader.zero)} THEN 0e0 ELSE {text} END"
    if j in reader.zero_is_missing:
        text = f"NULLIF({text}, 0e0)"
    if reader.fill:
        text = f"COALESCE({text}, {literal(reader.fill[j])})"
        if feature.is_nominal:
            text = f"NULLIF({text}, {literal(UNKNOWN_CODE)})"
    return text
