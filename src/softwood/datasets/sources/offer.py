"""A source's promise to load a data set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from softwood.datasets.dataset import Dataset


@dataclass(frozen=True)
class Offer:
    """A data set that a source has; nothing is read before ``load`` is called."""

    source: str
    where: str  # for people: which file or call
    load: Callable[[], Dataset]
