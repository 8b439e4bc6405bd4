"""Categories that were not seen in training: counted, and told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import BoolArray
from softwood.data.table import Column
from softwood.data.telling import tell
from softwood.errors import UnknownCategoryWarning

SHOWN = 3  # examples for each column
_FATE = {
    "spread": "Their rows are divided among all branches",
    "missing": "They are taken as missing",
    "other": "They are taken as one category, of all others",
}


@dataclass(frozen=True, slots=True)
class Unknown:
    """The categories of one column that training has not seen.

    Attributes
    ----------
    name : str
        The column.
    n_rows : int
        How many rows have one.
    examples : tuple
        Some of them, as they come.
    n_values : int
        How many there are.
    """

    name: str
    n_rows: int
    examples: tuple[Any, ...]
    n_values: int

    @classmethod
    def of(cls, column: Column, rows: BoolArray) -> Unknown:
        """Return what a nominal column holds in ``rows``, which are not known."""
        codes, first = np.unique(column.values[rows], return_index=True)
        values = column.categories or ()
        examples = tuple(values[code] for code in codes[np.argsort(first)[:SHOWN]].tolist())
        return cls(column.name, int(np.count_nonzero(rows)), examples, len(codes))

    def __str__(self) -> str:
        shown = ", ".join(repr(value) for value in self.examples)
        more = f" and {self.n_values - SHOWN} more" if self.n_values > SHOWN else ""
        rows = "1 row" if self.n_rows == 1 else f"{self.n_rows} rows"
        return f"column {self.name!r} in {rows} ({shown}{more})"


def tell_unknown(found: Sequence[Unknown], handle_unknown: str) -> None:
    """Warn, once for all columns, of categories that training has not seen."""
    if not found:
        return
    tell(
        UnknownCategoryWarning(
            f"categories that were not seen in training: {'; '.join(map(str, found))}. "
            f"{_FATE[handle_unknown]} (handle_unknown={handle_unknown!r})"
        )
    )
