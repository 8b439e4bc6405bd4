"""What a model holds apart from its JSON, which names it by number."""

from __future__ import annotations

from dataclasses import dataclass, field

from softwood.forest.packed import PackedForest
from softwood.tree import Tree


@dataclass(slots=True)
class Kept:
    """Trees and packed forests of a model, each by its place."""

    trees: list[Tree] = field(default_factory=list)
    forests: list[PackedForest] = field(default_factory=list)
