"""What a reproduction found: numbers beside the printed ones, verdicts on claims, pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.papers.verdicts import Claim


@dataclass(frozen=True, eq=False)
class Beside:
    """A table of ours beside the paper's.

    Attributes
    ----------
    title : str
        What the numbers are.
    rows, columns : tuple of str
        Their names.
    theirs, ours : ndarray of shape (n_rows, n_columns)
        The numbers; NaN where the paper prints none, or where we ran nothing. A table of
        ours alone, with nothing but NaN in ``theirs``, is printed without them.
    digits : int
        Decimals to print.
    source : str
        What the report calls ``theirs``, if they are not the paper's own.
    """

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    theirs: FloatArray
    ours: FloatArray
    digits: int = 4
    source: str = "theirs"

    def __post_init__(self) -> None:
        shape = (len(self.rows), len(self.columns))
        for name in ("theirs", "ours"):
            if np.shape(getattr(self, name)) != shape:
                raise ValueError(
                    f"{name} of {self.title!r} has shape {np.shape(getattr(self, name))}; "
                    f"its names ask for {shape}"
                )

    @classmethod
    def ours_alone(
        cls,
        title: str,
        rows: tuple[str, ...],
        columns: tuple[str, ...],
        ours: FloatArray,
        digits: int = 4,
    ) -> Beside:
        """Return a table of numbers that the paper does not print."""
        return cls(title, rows, columns, np.full(np.shape(ours), np.nan), ours, digits)


@dataclass(frozen=True, eq=False)
class Finding:
    """All that one table or figure came to.

    Attributes
    ----------
    tables : tuple of Beside
        Ours beside theirs.
    claims : tuple of Claim
        What the paper concludes, and whether it holds here.
    pictures : mapping of str to callable
        File names without ending, and functions that return a matplotlib Figure.
    missing : mapping of str to str
        Data sets that could not be had, and why.
    notes : tuple of str
        How the run differs from the paper's, and other remarks.
    used : (int, int), optional
        How many of the paper's data sets were run, and how many it has: told by its main table.
    """

    tables: tuple[Beside, ...] = ()
    claims: tuple[Claim, ...] = ()
    pictures: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    used: tuple[int, int] | None = None
