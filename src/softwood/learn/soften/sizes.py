"""Trees of several sizes, taught alike: what fewer leaves cost, and how many are enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.tree import Tree

SIZES = (4, 8, 16, 32)
CLEARLY = 0.05  # of the loss: by more than that a tree is worse than the best
FEW_ROWS = 1000  # as many tell no finer difference


def clear_difference(n_rows: int) -> float:
    """Return which share of the loss is a difference that counts, by so many rows.

    More rows tell finer differences, as standard errors do.

    Examples
    --------
    >>> from softwood.learn.soften.sizes import clear_difference
    >>> clear_difference(150), clear_difference(100_000)
    (0.05, 0.005)
    """
    return CLEARLY * min(1.0, float(np.sqrt(FEW_ROWS / n_rows)))


@dataclass(frozen=True, eq=False)
class SizePath:
    """Trees from small to large, and how far each is from what it was taught.

    Attributes
    ----------
    trees : tuple of Tree
        The trees, each trained by itself: the chosen one at length, the others as briefly as it
        takes to compare them.
    n_leaves : ndarray of shape (n_trees,)
        Their leaves.
    losses : ndarray of shape (n_trees,)
        Mean log loss, or squared error, on the training rows, where the truth is half what
        was seen and half what a teacher says who has not seen the row.
    chosen : int
        Place of the smallest that is not clearly worse than the best; or of a plain tree, where
        that errs clearly less often out of fold.
    clearly : float
        The share of the best loss by which a tree that is clearly worse loses more.
    """

    trees: tuple[Tree, ...]
    n_leaves: AnyArray
    losses: FloatArray
    chosen: int
    clearly: float

    @classmethod
    def of(
        cls, trees: Sequence[Tree], losses: Sequence[float], clearly: float = CLEARLY
    ) -> SizePath:
        """Return the path of trees, from small to large, and of what each loses.

        Examples
        --------
        >>> from softwood.learn.soften.sizes import SizePath
        >>> from softwood.tree import Tree
        >>> leaf = Tree.from_nodes(
        ...     n_features=1, first_child=[-1], n_children=[0], kind=[0], feature=[-1],
        ...     threshold=[0.0], weight=[4.0], response=[[0.5]])
        >>> SizePath.of([leaf] * 3, [2.0, 1.0, 0.98]).chosen
        1
        """
        found = np.array(losses)
        good = found <= (1.0 + clearly) * found.min(initial=np.inf)
        n_leaves = np.array([tree.n_leaves for tree in trees], dtype=np.int64)
        return cls(tuple(trees), n_leaves, found, int(np.argmax(good)) if trees else -1, clearly)

    def followed_by(self, other: SizePath) -> SizePath:
        """Return the path with those trees of another that are larger than all of this."""
        larger = np.flatnonzero(other.n_leaves > self.n_leaves.max(initial=0))
        trees = [other.trees[place] for place in larger]
        return SizePath.of(
            [*self.trees, *trees], [*self.losses, *other.losses[larger]], self.clearly
        )

    def with_trees(self, trees: Sequence[Tree], losses: Sequence[float]) -> SizePath:
        """Return the path with others in the places of its trees; the choice stays where it was."""
        n_leaves = np.array([tree.n_leaves for tree in trees], dtype=np.int64)
        return SizePath(tuple(trees), n_leaves, np.array(losses), self.chosen, self.clearly)

    def instead(self, tree: Tree, loss: float) -> SizePath:
        """Return the path with one tree more, which was chosen for other reasons."""
        place = int(np.searchsorted(self.n_leaves, tree.n_leaves))
        trees = (*self.trees[:place], tree, *self.trees[place:])
        n_leaves = np.insert(self.n_leaves, place, tree.n_leaves)
        return SizePath(trees, n_leaves, np.insert(self.losses, place, loss), place, self.clearly)

    @property
    def tree(self) -> Tree:
        """The tree that was chosen."""
        return self.trees[self.chosen]

    def at_most(self, n_leaves: int) -> Tree:
        """Return the largest tree of at most so many leaves.

        Raises
        ------
        ValueError
            If all are larger.
        """
        places = np.flatnonzero(self.n_leaves <= n_leaves)
        if places.size == 0:
            raise ValueError(
                f"n_leaves must be at least {self.n_leaves.min()}, the leaves of the smallest "
                f"tree; got {n_leaves}"
            )
        return self.trees[max(places, key=lambda place: self.n_leaves[place])]
