"""What is known about a data set before its rows are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Task = Literal["classification", "regression"]


@dataclass(frozen=True)
class Card:
    """The facts about a data set.

    Attributes
    ----------
    name : str
        What :func:`softwood.datasets.load_dataset` calls it.
    task : {"classification", "regression"}
        What its target is for.
    n_rows, n_features : int
        Its size; the target is not a feature.
    classes : mapping of str to int, or None
        How many rows each class has, None in place of a count that the random draw decides.
        None for regression, and where we do not know the classes.
    nominal : tuple of str
        The nominal features.
    source : str
        Where the rows came from or, on a card without rows, where they can come from.
    licence, citation : str
        Under which terms the data are published, and whom to cite.
    papers : tuple of str
        Those of the five papers that use it.
    notes : str
        What was left out, repaired or is open to doubt.
    openml : int or None
        Its number at OpenML.
    url : str
        A page about it.
    """

    name: str
    task: Task
    n_rows: int
    n_features: int
    classes: Mapping[str, int | None] | None = None
    nominal: tuple[str, ...] = ()
    source: str = ""
    licence: str = "not stated"
    citation: str = ""
    papers: tuple[str, ...] = ()
    notes: str = ""
    openml: int | None = None
    url: str = ""

    def __post_init__(self) -> None:
        if self.classes is not None:
            frozen = MappingProxyType(dict(self.classes))
            object.__setattr__(self, "classes", frozen)

    def __reduce__(self) -> tuple[type[Card], tuple[object, ...]]:
        # A mapping proxy cannot be pickled, so it travels as a dict.
        state = {**self.__dict__, "classes": None if self.classes is None else dict(self.classes)}
        return Card, tuple(state.values())

    def __str__(self) -> str:
        kind: str = self.task
        if self.classes is not None:
            counts = ", ".join(
                label if count is None else f"{label} {count}"
                for label, count in self.classes.items()
            )
            kind = f"{len(self.classes)} classes: {counts}"
        lines = [
            f"{self.name}: {self.n_rows} rows, {self.n_features} features "
            f"({len(self.nominal)} nominal), {kind}",
            f"source: {self.source}",
            f"licence: {self.licence}",
            f"cite: {self.citation}",
            f"used in: {', '.join(self.papers)}",
            f"notes: {self.notes}",
            f"see: {self.url}",
        ]
        return "\n".join(line for line in lines if not line.endswith(": "))
