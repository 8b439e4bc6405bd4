"""Cost-complexity pruning: the nested sequence of trees, and how to choose from it.

A tree costs what its leaves cost (misclassified weight, or squared error) plus alpha
per leaf. Every inner node has the price, the alpha from which on it is better off as a
leaf; so one number per node holds the whole sequence, and the tree for any alpha is a
comparison away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Flow, Hard
from softwood.refine.collapse import leaf_errors
from softwood.refine.gains import split_gain
from softwood.tree import Tree

ROOT_ALONE = 1e300  # a price that no split is worth
SAME_COST = 1e-12  # difference over the largest cost below which two costs are the same


@dataclass(frozen=True, slots=True, eq=False)
class PruningSequence:
    """The nested trees that are best for some price per leaf.

    Attributes
    ----------
    tree : Tree
        The full tree.
    price : ndarray of shape (n_nodes,)
        Alpha from which on each node is a leaf; 0 at the leaves of the full tree.
    alphas : ndarray
        0, then every alpha at which the tree gets smaller, ascending; the last one
        leaves the root alone.
    """

    tree: Tree
    price: FloatArray
    alphas: FloatArray

    def at(self, alpha: float) -> Tree:
        """Return the smallest tree that is best for ``alpha``."""
        # An alpha copied from a printed table is not quite the price it stands for.
        return self.tree.compact(leaves=self.price <= alpha * (1.0 + 1e-9))

    def n_leaves(self) -> AnyArray:
        """Return the number of leaves at each of the alphas."""
        return np.rint(self.total(np.ones(self.tree.n_nodes), self.alphas)).astype(int)

    def total(self, cost: FloatArray, alphas: FloatArray) -> FloatArray:
        """Sum a cost per node over the leaves of the tree for each alpha.

        A node is a leaf from its own price on until its parent's.
        """
        parent = self.tree.parent
        ends = np.where(parent < 0, np.inf, self.price[parent])
        order_in, order_out = np.argsort(self.price), np.argsort(ends)
        sum_in = np.concatenate(([0.0], np.cumsum(cost[order_in])))
        sum_out = np.concatenate(([0.0], np.cumsum(cost[order_out])))
        entered = np.searchsorted(self.price[order_in], alphas, side="right")
        left = np.searchsorted(ends[order_out], alphas, side="right")
        return np.asarray(sum_in[entered] - sum_out[left])


def pruning_sequence(tree: Tree, regression: bool = False) -> PruningSequence:
    """Return the cost-complexity sequence of ``tree``; costs are per unit of weight."""
    from softwood._kernels.pruning.weakest_link import collapse_prices

    cost = _squared_errors(tree) if regression else leaf_errors(tree)
    cost = cost / max(tree.weight[0], np.finfo(float).tiny)
    price = collapse_prices(tree.first_child, tree.n_children, tree.parent, cost)
    inner = price[~tree.is_leaf]
    return PruningSequence(tree, price, np.unique(np.concatenate(([0.0], inner))))


def _squared_errors(tree: Tree) -> FloatArray:
    """Return the squared error of each node, up to what its full subtree leaves over.

    Only differences between a node and its subtree matter, and those are the gains of
    the splits in between.
    """
    cost = split_gain(tree)
    parent = tree.parent
    for start, stop in reversed(list(tree.levels())[1:]):
        np.add.at(cost, parent[start:stop], cost[start:stop])
    return cost


def validation_costs(tree: Tree, data: TrainingSet, flow: Flow | None = None) -> FloatArray:
    """Return what each node costs on ``data`` if it is a leaf.

    A row counts at every node by the mass that reaches it, under ``flow`` or the hard one.
    """
    reach = (flow or Hard()).reach(tree, data.X).T
    if data.is_regression:
        y, w, mean = data.target, data.weight, tree.response[:, 0]
        return np.asarray(
            (reach @ (w * y * y)) - 2 * mean * (reach @ (w * y)) + mean**2 * (reach @ w)
        )
    by_class = np.zeros((data.n_rows, data.n_classes))
    by_class[np.arange(data.n_rows), data.label] = data.weight
    mass = np.asarray(reach @ by_class)
    answer = tree.response.argmax(axis=1)
    return np.asarray(mass.sum(axis=1) - mass[np.arange(tree.n_nodes), answer])


def choose_by_validation(
    sequence: PruningSequence,
    data: TrainingSet,
    n_standard_errors: float = 0.0,
    flow: Flow | None = None,
) -> float:
    """Return the alpha whose tree costs least on held-out ``data``.

    Parameters
    ----------
    sequence : PruningSequence
        Sequence of the tree grown on other rows.
    data : TrainingSet
        The held-out rows.
    n_standard_errors : float, default=0
        Take the smallest tree whose cost is within this many standard errors of the
        least; 1 is the one-standard-error rule.
    flow : Flow, optional
        How the held-out rows reach the nodes; by default hard.

    Returns
    -------
    float
        One of ``sequence.alphas``.
    """
    weight = data.weight.sum()
    costs = sequence.total(validation_costs(sequence.tree, data, flow), sequence.alphas) / weight
    best = _last_least(costs)
    error = 0.0
    if n_standard_errors > 0:
        squares, unit = 0.0, _unit_of_loss(data, sequence.tree)
        if data.is_regression:
            chosen = sequence.at(sequence.alphas[best])
            squares = _sum_of_squared_losses(chosen, data, unit) / weight
        error = _standard_error(costs[best], squares, unit, data)
    return float(sequence.alphas[_last_within(costs, best, n_standard_errors * error)])


def choose_by_folds(
    sequence: PruningSequence,
    data: TrainingSet,
    folds: Sequence[tuple[AnyArray, AnyArray]],
    grow: Callable[[TrainingSet], Tree],
    n_standard_errors: float = 0.0,
    flow: Flow | None = None,
) -> float:
    """Return the alpha that cross-validation prefers.

    Each fold grows and prunes a sequence of its own, judged at the geometric means of
    neighbouring alphas of ``sequence`` (Breiman et al. 1984, section 3.4.2).

    Parameters
    ----------
    sequence : PruningSequence
        Sequence of the tree grown on all of ``data``.
    data : TrainingSet
        All rows.
    folds : sequence of (train, test) index pairs
        The folds.
    grow : callable
        Grows the tree of a training set.
    n_standard_errors, flow
        As in :func:`choose_by_validation`.

    Returns
    -------
    float
        One of ``sequence.alphas``.
    """
    alphas = sequence.alphas
    middle = np.append(np.sqrt(alphas[:-1]) * np.sqrt(alphas[1:]), ROOT_ALONE)
    cost, squares, unit = (
        np.zeros(alphas.size),
        np.zeros(alphas.size),
        _unit_of_loss(data, sequence.tree),
    )
    for train, test in folds:
        if not len(train):  # of a single row nothing is left to grow from
            continue
        held_out = data.take(test)
        own = pruning_sequence(grow(data.take(train)), data.is_regression)
        cost += own.total(validation_costs(own.tree, held_out, flow), middle)
        if data.is_regression and n_standard_errors > 0:
            squares += [_sum_of_squared_losses(own.at(alpha), held_out, unit) for alpha in middle]
    weight = data.weight.sum()
    cost /= weight
    best = _last_least(cost)
    error = 0.0
    if n_standard_errors > 0:
        error = _standard_error(cost[best], squares[best] / weight, unit, data)
    return float(alphas[_last_within(cost, best, n_standard_errors * error)])


def _last_least(costs: FloatArray) -> int:
    """Return the position of the least cost; of equal ones the last, the smallest tree."""
    return int(np.flatnonzero(costs <= costs.min() + SAME_COST * abs(costs).max())[-1])


def _last_within(costs: FloatArray, best: int, slack: float) -> int:
    slack += SAME_COST * float(abs(costs).max())  # costs of a number have its unit
    return max(best, int(np.flatnonzero(costs <= costs[best] + slack)[-1]))


def _standard_error(cost: float, squares: float, unit: float, data: TrainingSet) -> float:
    """Return the standard error of a mean loss; ``squares`` is the mean square over ``unit``."""
    variance = squares - (cost / unit) ** 2 if data.is_regression else cost * (1.0 - cost)
    # Shares of weights that are not whole may add up to a little more than 1.
    return float(np.sqrt(max(variance, 0.0) / data.n_rows)) * unit


def _unit_of_loss(data: TrainingSet, tree: Tree) -> float:
    """Return in which unit losses are squared: fourth powers of a target may have no end."""
    if not data.is_regression:
        return 1.0
    # Rows that were held out may all be alike, and far from what the tree says.
    return float(np.ptp(np.append(data.target, tree.response))) ** 2 or 1.0


def _sum_of_squared_losses(tree: Tree, data: TrainingSet, unit: float) -> float:
    losses = (data.target - Hard().predict(tree, data.X)[:, 0]) ** 2 / unit
    return float(np.sum(data.weight * losses**2))
