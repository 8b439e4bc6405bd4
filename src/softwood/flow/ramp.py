"""Ramps: soft tests whose widths are part of the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from softwood.flow import spreading as parts
from softwood.flow.base import Gated
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood._kernels.flow.gates import Gates

SHAPES = ("linear", "logistic", "normal")


@dataclass(frozen=True, slots=True)
class Ramp(Gated):
    """Mass falls from the left child to the right, across the threshold.

    At the threshold each child gets half. The half-widths are the tree's ``below`` and
    ``above``; every test divides the mass on its own.

    Parameters
    ----------
    drop : float, default=1e-15
        A branch with less mass is not followed; its sibling gets the mass.
    shape : {"linear", "logistic", "normal"}, default="linear"
        The curve: a straight line from ``t - below`` to ``t + above``, with half of it on
        each side, or a smooth one that has the same slopes at the threshold.
    """

    drop: float = 1e-15
    shape: str = "linear"

    def __post_init__(self) -> None:
        parts.check_drop(self.drop)
        if self.shape not in SHAPES:
            raise ValueError(f"shape must be one of {', '.join(SHAPES)}; got {self.shape!r}")

    def _gates(self, tree: Tree) -> Gates:
        from softwood._kernels.flow.gates import ramp_gates

        return ramp_gates(tree.nodes, self.drop, 1 + SHAPES.index(self.shape))
