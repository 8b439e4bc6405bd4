"""Columns of a query as vectors: each step is a common table expression on the last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.export.algebra import Algebra

DIALECTS = ("duckdb", "sqlite", "postgres")
SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "below": "<", "at_most": "<="}
NAME = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\b([a-z]\w*)\b(?!\()")
CHAIN = 100  # terms added one after the other in one expression
FEW = 16  # terms of a sum that need no parentheses: a long chain would be a deep expression


def quoted(name: str) -> str:
    """Return a name as every dialect reads it."""
    if "\0" in name:
        raise ValueError(f"a column cannot be called {name!r} in SQL; rename it")
    return '"' + name.replace('"', '""') + '"'


def column_of(name: str) -> str:
    """Return a column of the table with the rows.

    With the table before it: SQLite takes a name that it does not know for a text.
    """
    return f"t.{quoted(name)}"


def literal(value: Any) -> str:
    """Return a number so that the same bits are read; with an exponent, it is no decimal."""
    number = float(value)
    text = repr(number)
    text = text if "e" in text else f"{text}e0"
    return f"({text})" if number < 0.0 or text.startswith("-") else text


def total_of(parts: Sequence[str]) -> str:
    """Return a sum that is nowhere deep."""
    if not parts:
        return "0e0"
    while len(parts) > FEW:
        parts = [f"({' + '.join(parts[at : at + FEW])})" for at in range(0, len(parts), FEW)]
    return " + ".join(parts)


class Query(Algebra):
    """A query under way. Vectors are lists of expressions.

    Parameters
    ----------
    dialect : {"duckdb", "sqlite", "postgres"}
        Whose SQL it is.
    table : str
        Where the rows are, quoted.
    n_categories : ndarray
        Categories of each nominal feature.
    kept : sequence of str
        Columns of the first layer that the last one shows.
    """

    def __init__(
        self, dialect: str, table: str, n_categories: AnyArray, kept: Sequence[str]
    ) -> None:
        self.dialect, self.table, self.n_categories = dialect, table, n_categories
        self.kept = list(kept)
        self.layers: list[dict[str, str]] = []
        self.n_names = 0

    def layer(self, columns: dict[str, str]) -> None:
        """Add a step: new columns, made of what is there."""
        self.layers.append(columns)

    def text(self, shown: dict[str, str]) -> str:
        """Return the query; columns live from the step that makes them to the last that reads."""
        needed = _names_in(shown.values())
        steps: list[str] = []
        for at in range(len(self.layers) - 1, -1, -1):
            new = {name: text for name, text in self.layers[at].items() if name in needed}
            passed = sorted(needed - set(new)) if at else []
            columns = [*passed, *(f"{text} AS {name}" for name, text in new.items())]
            origin = f"step{at - 1}" if at else f"{self.table} AS t"
            listed = ",\n  ".join(columns) or "1 AS nothing"
            # Else steps are written into those that read them, and grow without end.
            steps.append(f"step{at} AS MATERIALIZED (\n  SELECT {listed}\n  FROM {origin}\n)")
            needed = (needed - set(new)) | _names_in(new.values()) if at else needed
        final = ",\n  ".join(f"{text} AS {name}" for name, text in shown.items())
        last = f"SELECT\n  {final}\nFROM step{len(self.layers) - 1}\n"
        return "WITH\n" + ",\n".join(reversed(steps)) + "\n" + last

    # -- what an algebra has ---------------------------------------------------------

    def constant(self, values: AnyArray) -> Any:  # noqa: D102
        return [literal(value) for value in values]

    def row(self, features: AnyArray) -> Any:  # noqa: D102
        return [f"x{feature}" for feature in features]

    def sums(self, terms: Sequence[tuple[AnyArray, FloatArray]]) -> Any:
        """Add term by term, as kernels do: on a cut, another order falls on the other side."""
        products = [[f"{literal(w)} * x{f}" for f, w in zip(*pair, strict=True)] for pair in terms]
        totals = [" + ".join(parts[:CHAIN]) for parts in products]
        for start in range(CHAIN, max(map(len, products)), CHAIN):
            (held,) = self.hold(totals)
            totals = [
                " + ".join([total, *parts[start : start + CHAIN]])
                for total, parts in zip(held, products, strict=True)
            ]
        return totals

    def lookup(self, feature: int, table: FloatArray) -> Any:  # noqa: D102
        return [self.case(feature, column) for column in np.asarray(table).T]

    def case(self, feature: int, values: FloatArray) -> str:
        """Return what belongs to the category; most often this is one of few numbers."""
        *known, unknown, missing = values.tolist()
        codes: dict[float, list[int]] = {}
        for code, value in enumerate(known):
            codes.setdefault(value, []).append(code)
        codes.pop(unknown, None)
        x = f"x{feature}"
        cases = [f"WHEN {x} IS NULL THEN {literal(missing)}"] if missing != unknown else []
        for value, some in codes.items():
            listed = ", ".join(f"{code}e0" for code in some)
            cases.append(f"WHEN {x} IN ({listed}) THEN {literal(value)}")
        return f"CASE {' '.join(cases)} ELSE {literal(unknown)} END" if cases else literal(unknown)

    def is_complete(self, width: int) -> Any:  # noqa: D102
        return ["complete = 1"] * width

    def pick(self, sources: Sequence[Any], picks: Sequence[tuple[int, int]]) -> Any:  # noqa: D102
        return [sources[source][at] for source, at in picks]

    def apply(self, name: str, *operands: Any) -> Any:  # noqa: D102
        rows = self._aligned(*operands)
        if name == "exp":
            return [f"exp({a})" for (a,) in rows]
        if name in ("least", "most"):
            return [f"{self._extreme(name)}({a}, {b})" for a, b in rows]
        return [f"({a} {SIGNS[name]} {b})" for a, b in rows]

    def compare(self, name: str, a: Any, b: Any) -> Any:  # noqa: D102
        return [f"{left} {SIGNS[name]} {right}" for left, right in self._aligned(a, b)]

    def is_missing(self, a: Any) -> Any:  # noqa: D102
        return [f"{value} IS NULL" for (value,) in self._aligned(a)]

    def where(self, condition: Any, a: Any, b: Any) -> Any:  # noqa: D102
        rows = self._aligned(condition, a, b)
        return [f"CASE WHEN {c} THEN {yes} ELSE {no} END" for c, yes, no in rows]

    def hold(self, *vectors: Any) -> list[Any]:  # noqa: D102
        new: dict[str, str] = {}
        names: dict[str, str] = {}
        held = [[self._named(text, new, names) for text in vector] for vector in vectors]
        if new:
            self.layer(new)
        return held

    def weighted(self, vectors: Sequence[Any], weights: Sequence[FloatArray]) -> Any:  # noqa: D102
        texts = [text for vector in vectors for text in vector]
        rows = np.vstack(weights)
        return [
            total_of([f"{t} * {literal(w)}" for t, w in zip(texts, column, strict=True) if w])
            for column in rows.T
        ]

    # -- helpers -----------------------------------------------------------------------

    def clipped(self, text: str, low: float, high: float) -> str:
        """Return a number kept between two others."""
        inner = f"{self._extreme('least')}({text}, {literal(high)})"
        return f"{self._extreme('most')}({inner}, {literal(low)})"

    def largest(self, texts: Sequence[str]) -> str:
        """Return the largest of several numbers."""
        return f"{self._extreme('most')}({', '.join(texts)})" if len(texts) > 1 else texts[0]

    def _extreme(self, name: str) -> str:
        if self.dialect == "sqlite":
            return "min" if name == "least" else "max"
        return "least" if name == "least" else "greatest"

    def _named(self, text: str, new: dict[str, str], names: dict[str, str]) -> str:
        """Return the column that holds an expression; names and numbers need none."""
        if text not in names:
            if re.fullmatch(r"\w+|\(?-?[\d.]+e[-+]?\d+\)?", text):
                return text
            names[text] = f"c{self.n_names}"
            new[names[text]] = text
            self.n_names += 1
        return names[text]

    def _aligned(self, *operands: Any) -> list[tuple[str, ...]]:
        """Return expressions, entry by entry; numbers are the same for every entry."""
        width = max(len(operand) for operand in operands if np.ndim(operand))
        columns = []
        for operand in operands:
            if np.ndim(operand) == 0:
                columns.append([literal(operand)] * width)
            elif isinstance(operand, np.ndarray):
                columns.append([literal(value) for value in operand])
            else:
                columns.append(operand)
        return list(zip(*columns, strict=True))


def _names_in(texts: Any) -> set[str]:
    """Return the columns of steps before that expressions read: x3, c17, k0 and the like."""
    found = {name for text in texts for name in NAME.findall(text)}
    return {name for name in found if re.fullmatch(r"[xck]\d+|complete|refused", name)}
