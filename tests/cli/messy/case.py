"""What a messy file is, and the plain table that most are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

N_ROWS = 24
NUMBER, CATEGORY, YES_NO, DATE = "number", "category", "yes or no", "date"
Cell = Callable[[int], Any]


@dataclass(frozen=True)
class Messy:
    """A file; the kinds of its columns; of some features, the first values.

    ``says`` are words that must be on standard error.
    """

    file: str
    raw: bytes
    kinds: dict[str, str]
    values: dict[str, list[Any]] = field(default_factory=dict)
    says: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    target: str = "y"
    n_rows: int = N_ROWS
    classes: tuple[Any, ...] = ("a", "b")


@dataclass(frozen=True)
class Refused:
    """A file that nobody could read, and words of the sentence that says so."""

    file: str
    raw: bytes
    words: tuple[str, ...]
    options: tuple[str, ...] = ()


def y(i: int) -> str:
    return "ab"[i % 2]


def size(i: int) -> int:
    return i * 5 % 11


def wood(i: int) -> str:
    return ("oak", "fir", "elm")[i % 3]


def lines(columns: dict[str, Cell], delimiter: str = ",", n_rows: int = N_ROWS) -> list[str]:
    rows = [delimiter.join(columns)]
    return rows + [delimiter.join(str(cell(i)) for cell in columns.values()) for i in range(n_rows)]


def text(columns: dict[str, Cell], delimiter: str = ",", end: str = "\n", above: str = "") -> bytes:
    return (above + end.join(lines(columns, delimiter)) + end).encode()


PLAIN: dict[str, Cell] = {"size": size, "wood": wood, "y": y}
KINDS = {"size": NUMBER, "wood": CATEGORY}
VALUES = {"size": [0.0, 5.0, 10.0], "wood": ["oak", "fir", "elm"]}


def plain(file: str, raw: bytes, *says: str, **changes: Any) -> Messy:
    return Messy(
        file, raw, changes.pop("kinds", KINDS), changes.pop("values", VALUES), says, **changes
    )


def one(
    file: str, cell: Cell, kind: str, values: list[Any], delimiter: str = ",", **more: Any
) -> Messy:
    """Return a file with one column of interest, ``v``."""
    raw = text({"v": cell, "size": size, "y": y}, delimiter)
    return Messy(file, raw, {"v": kind, "size": NUMBER}, {"v": values}, **more)
