"""The numbers a paper prints, kept as CSV files beside its module."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from softwood._types import FloatArray


@dataclass(frozen=True, eq=False)
class Printed:
    """A printed table: names of rows and columns, and numbers; NaN where there is none."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: FloatArray
    text: dict[str, tuple[str, ...]]

    def column(self, name: str) -> FloatArray:
        """Return one column of numbers."""
        values: FloatArray = self.values[:, self.columns.index(name)]
        return values


def printed(paper: str, table: str, text: tuple[str, ...] = ()) -> Printed:
    """Read ``papers/<paper>/<table>.csv``; the first column names the rows.

    Parameters
    ----------
    paper, table : str
        Which file.
    text : tuple of str
        Columns that are words, not numbers.

    Examples
    --------
    >>> table = printed("vicinal", "table3")
    >>> table.rows
    ('Separable', '2-D Gaussian', '10-D Gaussian')
    >>> table.column("C4.5 error").tolist()
    [0.1064, 0.3683, 0.3941]
    """
    source = files("softwood.papers") / paper / f"{table}.csv"
    with source.open(encoding="utf-8") as file:
        head, *body = list(csv.reader(file))
    columns = tuple(name for name in head[1:] if name not in text)
    numbers = [[_number(row[head.index(name)]) for name in columns] for row in body]
    words = {name: tuple(row[head.index(name)] for row in body) for name in text}
    return Printed(tuple(row[0] for row in body), columns, np.array(numbers, dtype=float), words)


def _number(cell: str) -> float:
    return float(cell) if cell else float("nan")
