"""What evolution has found: trees of all sizes, each the best of its size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.tree import LEAF, Tree


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A tree that evolution has found.

    Attributes
    ----------
    tree : Tree
        The tree, without tests that decide nothing. Its weights and class frequencies are
        the mass that the training rows have there under the flow.
    risk : float
        Share of the mass that is at leaves of other classes.
    n_nodes_evolved : int
        Number of nodes before tests that decide nothing were removed.
    """

    tree: Tree
    risk: float
    n_nodes_evolved: int


def single_leaf(data: TrainingSet) -> Candidate:
    """Return the tree that has no test."""
    count = np.bincount(data.label, data.weight, data.n_classes)
    total = float(count.sum())
    tree = Tree.from_nodes(
        n_features=data.X.shape[1],
        first_child=[-1],
        n_children=[0],
        kind=[LEAF],
        feature=[-1],
        threshold=[0.0],
        weight=[total],
        response=[count / total],
    )
    return Candidate(tree, 1.0 - float(count.max()) / total, 1)


def undominated(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that no other one betters in risk and size, smallest first."""
    kept: list[Candidate] = []
    for one in sorted(candidates, key=lambda c: (c.tree.n_nodes, c.risk)):
        if not kept or one.risk < kept[-1].risk:
            kept.append(one)
    return kept


@dataclass(frozen=True, slots=True, eq=False)
class ParetoFront:
    """Trees none of which is both larger and worse than another, smallest first.

    Attributes
    ----------
    trees : tuple of Tree
        The trees.
    risks : ndarray of shape (n_trees,)
        Their training risks, falling.
    n_nodes_evolved : ndarray of shape (n_trees,)
        Numbers of nodes before tests that decide nothing were removed.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.evolve import Evolution
    >>> X = np.arange(12.0)[:, None]
    >>> data = TrainingSet.of_classes(X, [0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0])
    >>> run = Evolution(population_size=20).start(data, np.random.SeedSequence(0))
    >>> run.advance(500)
    >>> front = ParetoFront.of(run.front())
    >>> front.n_leaves.tolist(), front.risks.round(2).tolist()
    ([1, 2, 3], [0.42, 0.25, 0.0])
    >>> front.select(n_leaves=2)
    Tree(n_nodes=3, n_leaves=2, depth=1, n_features=1, n_outputs=2)
    """

    trees: tuple[Tree, ...]
    risks: FloatArray
    n_nodes_evolved: AnyArray

    @classmethod
    def of(cls, candidates: Sequence[Candidate]) -> ParetoFront:
        """Return the front of some candidates."""
        kept = undominated(candidates)
        return cls(
            trees=tuple(one.tree for one in kept),
            risks=np.array([one.risk for one in kept]),
            n_nodes_evolved=np.array([one.n_nodes_evolved for one in kept], dtype=np.int64),
        )

    def __len__(self) -> int:
        return len(self.trees)

    @property
    def n_leaves(self) -> AnyArray:
        """Number of leaves of each tree, rising."""
        return np.array([tree.n_leaves for tree in self.trees])

    def place(self, n_leaves: int) -> int:
        """Return the place of the tree that :meth:`select` chooses."""
        fitting = np.flatnonzero(self.n_leaves <= n_leaves)
        if fitting.size == 0:
            raise ValueError(
                f"n_leaves must be at least {self.n_leaves[0]}, the size of the smallest tree; "
                f"got {n_leaves!r}"
            )
        return int(fitting[-1])

    def select(self, n_leaves: int) -> Tree:
        """Return the tree of least risk that has at most ``n_leaves`` leaves."""
        return self.trees[self.place(n_leaves)]
