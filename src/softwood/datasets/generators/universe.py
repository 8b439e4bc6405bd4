"""Data sets that are complete: every combination of some values, labelled by a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from softwood._types import AnyArray

Row = tuple[str, ...]


@dataclass(frozen=True)
class Universe:
    """All rows over ``levels``, the last attribute changing fastest, and their labels.

    Attributes
    ----------
    levels : mapping of str to tuple of str
        The attributes and their values, in documented order.
    classes : tuple of str
        The labels, in documented order.
    label : callable
        From a row to its class, or to None where there is no such row.
    """

    levels: Mapping[str, tuple[str, ...]]
    classes: tuple[str, ...]
    label: Callable[[Row], str | None]

    def rows(self) -> Iterator[tuple[Row, str]]:
        """Yield every row with its class."""
        for row in product(*self.levels.values()):
            label = self.label(row)
            if label is not None:
                yield row, label

    def arrays(self) -> tuple[AnyArray, AnyArray]:
        """Return ``(X, y)`` as arrays of strings."""
        rows, labels = zip(*self.rows(), strict=True)
        return np.array(rows), np.array(labels)
