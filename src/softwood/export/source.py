"""What exporters read of a model: its trees, what its flows make of their tests, and its sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.export.levels import Grove
from softwood.flow import Flow, Gaussian, Hard, Ramp
from softwood.flow.spreading import goes_by_blocks, most_in_blocks
from softwood.forest.sums import flow_of_trees
from softwood.interop.imported import Imported, import_model
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood._kernels.flow.gates import Gates

KNOWN_FLOWS = (Hard, Ramp, Gaussian)


@dataclass(frozen=True, eq=False)
class Source:
    """A model, taken apart for those who write it down.

    Attributes
    ----------
    imported : Imported
        The model as a forest, with the reader of its rows.
    trees : tuple of Tree
        Its trees.
    flows : tuple of Flow
        How rows flow through each.
    """

    imported: Imported
    trees: tuple[Tree, ...]
    flows: tuple[Flow, ...]

    @property
    def gates(self) -> list[Gates]:
        """What the tests of each tree become."""
        return [f._gates(t) for f, t in zip(self.flows, self.trees, strict=True)]  # type: ignore[attr-defined]

    @property
    def is_hard(self) -> bool:
        """Whether no test is soft."""
        return all(isinstance(flow, Hard) for flow in self.flows)

    def most_by_blocks(self, gates: Sequence[Gates]) -> FloatArray:
        """Return up to which size values go by the quick kernel; -1 for trees that never do."""
        return np.array(
            [
                most_in_blocks(tree) if goes_by_blocks(tree, gate) else -1.0
                for tree, gate in zip(self.trees, gates, strict=True)
            ]
        )

    @property
    def divisor(self) -> FloatArray:
        """What each sum over trees is divided by."""
        forest = self.imported.forest
        return forest.divisor() if forest.is_mean else np.ones(forest.n_outputs)

    @property
    def grove(self) -> Grove:
        """The trees with what they add to the answers of the forest, for flows by levels."""
        gates = self.gates
        by_blocks = [bool(most >= 0.0) for most in self.most_by_blocks(gates)]
        responses = [self.response(k) for k in range(len(self.trees))]
        return Grove(self.trees, gates, by_blocks, responses, self.imported.n_categories)

    def response(self, k: int) -> FloatArray:
        """Return what the nodes of a tree add to each output of the forest, base left out."""
        forest, answers = (
            self.imported.forest,
            self.trees[k].response * self.imported.forest.factor[k],
        )
        if forest.output[k] >= 0:
            whole = np.zeros((len(answers), forest.n_outputs))
            whole[:, forest.output[k]] = answers[:, 0]
            answers = whole
        return np.asarray(answers / self.divisor)


def source_of(model: Any) -> Source:
    """Return a model taken apart, or complain that it cannot be written down.

    Parameters
    ----------
    model : estimator or booster
        Whatever :func:`softwood.interop.import_model` takes.
    """
    imported = model if isinstance(model, Imported) else import_model(model)
    flows = tuple(flow_of_trees(imported.flow, imported.forest.n_trees))
    for flow in flows:
        if not isinstance(flow, KNOWN_FLOWS):
            raise ValueError(
                f"this {imported.kind} answers by {type(flow).__name__}, copies of the row at "
                "random, which cannot be written down; soften it with flow='exact', which is "
                "what many copies come to"
            )
    return Source(imported, tuple(imported.forest.trees), flows)
