"""Leaves estimated anew on other rows, behind the same tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from softwood._types import BoolArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Flow, Hard
from softwood.refine.responses import ENOUGH, PASSES
from softwood.tree import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_array

STEPS, SETTLED = 30, 1e-6  # at most, and the change of an answer that is none
PRIOR = 0.5  # rows that stand for the plain mean, where answers are solved for
LEAST_ROWS = 1e-3  # soft flows come everywhere: less of a row than this does not count
TINY = 1e-300


class Refreshed(NamedTuple):
    """A tree with new answers, and which of its leaves the new rows have reached.

    Attributes
    ----------
    tree : Tree
        The same tests; responses and weights of all nodes are new.
    reached : ndarray of bool of shape (n_leaves,)
        Whether some row came to the leaf; the others answer as before.
    """

    tree: Tree
    reached: BoolArray


@dataclass(frozen=True, slots=True)
class RefreshLeaves:
    r"""Estimate the answers and weights of all nodes on other rows; the tests stay.

    Parameters
    ----------
    flow : Flow, default=Hard()
        How rows flow to the leaves that they count for.
    keep : float, default=0.0
        What an old row counts, a new one counting 1. At 0 the old rows are forgotten; at 1 both
        count alike.
    solve : bool, default=False
        Whether a row is answered by all leaves it comes to, under the same flow, so that these
        have to be right together. Then leaves answer not the mean of their rows, which would
        blur twice, but what makes the rows most likely (classes), or the squared error least
        (numbers), given half a row more at that mean.

    Notes
    -----
    A row of mass :math:`m_{il}` at leaf :math:`l` counts :math:`w_i m_{il}` there. With
    ``solve`` the shares of classes are those of the mixture :math:`\sum_l m_{il} r_l`, by the EM
    algorithm; of a hard flow they are the same as without.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.refine.refresh import RefreshLeaves
    >>> X = np.arange(6.0)[:, None]
    >>> tree = GreedyGrower(Cart()).grow(TrainingSet.of_classes(X, [0, 0, 0, 1, 1, 1]))
    >>> newer = TrainingSet.of_classes(X, [0, 0, 1, 1, 1, 1])
    >>> RefreshLeaves().refine(tree, newer).response[1].round(3).tolist()
    [0.667, 0.333]
    >>> RefreshLeaves(keep=1.0).refine(tree, newer).response[1].round(3).tolist()
    [0.833, 0.167]
    """

    flow: Flow = field(default_factory=Hard)
    keep: float = 0.0
    solve: bool = False

    def __post_init__(self) -> None:
        if not 0.0 <= self.keep < np.inf:
            raise ValueError(f"keep must be finite and not negative; got {self.keep!r}")

    def refine(self, tree: Tree, data: TrainingSet) -> Tree:
        """Return a new tree; ``data`` has weights in the unit of the tree's."""
        return self.refreshed(tree, data).tree

    def refreshed(self, tree: Tree, data: TrainingSet) -> Refreshed:
        """Return the new tree, and which leaves the rows have reached."""
        spread, weight = self._settled(tree, data)
        row, target = float(data.weight.mean()), _targets(data)
        sums = spread.T @ (data.weight[:, None] * target)
        plain = self.of_sums(tree, weight, sums, LEAST_ROWS * row)
        if not self.solve:
            return plain
        reached, leaves = plain.reached, tree.leaves
        kept, old = self.keep * tree.weight[leaves], tree.response[leaves]
        answer = plain.tree.response[leaves]
        solved = _least_squares if data.is_regression else _most_likely
        prior = Prior(PRIOR * row, answer, kept[:, None], old)
        answer = np.where(reached[:, None], solved(spread, data.weight, target, prior), answer)
        return Refreshed(_with_leaves(tree, plain.tree.weight[leaves], answer), reached)

    def of_sums(
        self, tree: Tree, weight: FloatArray, sums: FloatArray, least: float = 0.0
    ) -> Refreshed:
        """Return the tree whose leaves answer the mean of rows that were added up elsewhere.

        Parameters
        ----------
        tree : Tree
            The tree.
        weight : ndarray of shape (n_leaves,)
            Weight that came to each leaf.
        sums : ndarray of shape (n_leaves, n_outputs)
            Weight of each class there; or of the numbers, times them.
        least : float, default=0.0
            Of flows that come everywhere: less than this is nothing.
        """
        reached = weight > (0.0 if isinstance(self.flow, Hard) else least)
        leaves, old = tree.leaves, tree.response[tree.leaves]
        kept = self.keep * tree.weight[leaves]
        total = (weight + kept)[:, None]
        is_known = reached[:, None] & (total > 0.0)
        answer = np.divide(sums + kept[:, None] * old, total, out=old.copy(), where=is_known)
        return Refreshed(_with_leaves(tree, np.where(reached, weight, 0.0) + kept, answer), reached)

    def _settled(self, tree: Tree, data: TrainingSet) -> tuple[csr_array, FloatArray]:
        """Return where the rows are, and what is at each leaf of them.

        A row with gaps divides by the weights, which are those of all rows that came there.
        """
        enough = ENOUGH * float(data.weight.mean())
        kept, leaves = self.keep * tree.weight[tree.leaves], tree.leaves
        for _ in range(PASSES if np.isnan(data.X).any() else 1):
            spread = self.flow.spread(tree, data.X)
            weight = np.asarray(spread.T @ data.weight)
            before, tree = tree, _with_leaves(tree, weight + kept, tree.response[leaves])
            if np.abs(tree.weight - before.weight).max() <= enough:
                break
        return spread, weight


def _targets(data: TrainingSet) -> FloatArray:
    """Return what a leaf of each row alone would answer."""
    if data.is_regression:
        return data.target[:, None]
    return np.eye(data.n_classes)[data.label]


def _with_leaves(tree: Tree, weight: FloatArray, answer: FloatArray) -> Tree:
    """Return the tree with these at its leaves; inner nodes sum up, or stay where nothing is."""
    weights, response = np.zeros(tree.n_nodes), tree.response.copy()
    weights[tree.leaves], response[tree.leaves] = weight, answer
    sums, parent = weights[:, None] * response, tree.parent
    for start, stop in reversed(list(tree.levels())[1:]):
        np.add.at(weights, parent[start:stop], weights[start:stop])
        np.add.at(sums, parent[start:stop], sums[start:stop])
    inner = (tree.n_children > 0) & (weights > 0.0)
    response[inner] = sums[inner] / weights[inner, None]
    return tree.replace(weight=weights, response=response)


class Prior(NamedTuple):
    """Rows that count besides those that came: some at the plain mean, and the old ones."""

    rows: float
    mean: FloatArray
    kept: FloatArray
    old: FloatArray

    @property
    def sums(self) -> FloatArray:
        """What they add up to at each leaf."""
        return self.rows * self.mean + self.kept * self.old


def _most_likely(
    spread: csr_array, weight: FloatArray, target: FloatArray, prior: Prior
) -> FloatArray:
    """Return the shares of classes under which the rows are most likely, by EM."""
    share = prior.mean
    for _ in range(STEPS):
        likely = np.maximum(spread @ share, TINY)
        counts = share * (spread.T @ (weight[:, None] * target / likely)) + prior.sums
        before, share = share, counts / counts.sum(axis=1, keepdims=True)
        if np.abs(share - before).max() <= SETTLED:
            break
    return np.asarray(share)


def _least_squares(
    spread: csr_array, weight: FloatArray, target: FloatArray, prior: Prior
) -> FloatArray:
    """Return the numbers with the least squared error over the rows."""
    weighted = spread.multiply(weight[:, None]).tocsr()
    inner = (weighted.T @ spread).toarray()
    inner[np.diag_indices_from(inner)] += prior.rows + prior.kept[:, 0]
    return np.asarray(np.linalg.solve(inner, weighted.T @ target + prior.sums))
