"""What nodes say when a tree has changed: responses of inner nodes, weights of all."""

from __future__ import annotations

import numpy as np

from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Flow
from softwood.flow.spreading import BLOCK_ROWS
from softwood.refine.soft_targets import SoftTargets
from softwood.tree import Tree

LAST_DIGITS = 1e-12
PASSES, ENOUGH = 20, 1e-3  # at most, and of a row: rows with gaps follow the weights they make


def with_inner_responses(tree: Tree, response: FloatArray) -> Tree:
    """Return the tree with new leaf responses; inner nodes get the mean of their children.

    Parameters
    ----------
    tree : Tree
        The tree.
    response : ndarray of shape (n_nodes, n_outputs)
        What the leaves answer; entries of inner nodes are not read.

    Examples
    --------
    >>> from softwood.tree import Tree
    >>> stump = Tree.from_nodes(
    ...     n_features=1, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[1, 0, 0],
    ...     feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0], weight=[4.0, 1.0, 3.0],
    ...     response=[[0.0], [0.0], [0.0]],
    ... )
    >>> with_inner_responses(stump, [[0.0], [1.0], [5.0]]).response.ravel().tolist()
    [4.0, 1.0, 5.0]
    """
    response = np.array(response, dtype=np.float64)
    for node in range(tree.n_nodes - 1, -1, -1):
        n_children = int(tree.n_children[node])
        if n_children == 0:
            continue
        children = slice(int(tree.first_child[node]), int(tree.first_child[node]) + n_children)
        weight = tree.weight[children]
        shares = weight / weight.sum() if weight.sum() > 0 else np.full(n_children, 1 / n_children)
        response[node] = shares @ response[children]
    return tree.replace(response=response)


def with_flow_weights(tree: Tree, flow: Flow, data: TrainingSet) -> Tree:
    """Return the tree with the weight of ``data`` that flows through each node.

    Parameters
    ----------
    tree : Tree
        The tree; its leaves keep their responses.
    flow : Flow
        How rows flow through it.
    data : TrainingSet
        The rows.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.flow import Ramp
    >>> from softwood.tree import Tree
    >>> stump = Tree.from_nodes(
    ...     n_features=1, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[1, 0, 0],
    ...     feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0], weight=[4.0, 1.0, 3.0],
    ...     below=[1.0, 0.0, 0.0], above=[1.0, 0.0, 0.0], response=[[0.0], [0.0], [1.0]],
    ... )
    >>> data = TrainingSet.of_target(np.array([[0.0], [0.5]]), np.zeros(2))
    >>> with_flow_weights(stump, Ramp(), data).weight.tolist()
    [2.0, 1.25, 0.75]
    """
    enough = ENOUGH * data.weight.sum() / data.n_rows
    for _ in range(PASSES if np.isnan(data.X).any() else 1):
        before, tree = tree.weight, tree.replace(weight=node_weights(tree, flow, data))
        # A row with gaps divides by the weights, so that these change where it goes.
        if np.abs(tree.weight - before).max() <= enough:
            break
    return with_inner_responses(tree, tree.response)


def with_mean_answers(tree: Tree, flow: Flow, rows: SoftTargets) -> Tree:
    """Return the tree whose leaves answer the mean of what is wanted for their rows.

    Parameters
    ----------
    tree : Tree
        The tree; leaves that no row reaches keep their responses.
    flow : Flow
        How rows flow through it.
    rows : SoftTargets
        Rows, and what is wanted for each.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.flow import Hard
    >>> from softwood.refine.soft_targets import SoftTargets
    >>> from softwood.tree import Tree
    >>> leaf = Tree.from_nodes(
    ...     n_features=1, first_child=[-1], n_children=[0], kind=[0], feature=[-1],
    ...     threshold=[0.0], weight=[2.0], response=[[0.0]],
    ... )
    >>> rows = SoftTargets(np.zeros((2, 1)), np.array([[1.0], [4.0]]), np.array([2.0, 1.0]))
    >>> with_mean_answers(leaf, Hard(), rows).response.tolist()
    [[2.0]]
    """
    response = tree.response.copy()
    total = np.zeros((tree.n_leaves, response.shape[1]))
    weight = np.zeros(tree.n_leaves)
    for start in range(0, len(rows.weight), BLOCK_ROWS):
        block = slice(start, start + BLOCK_ROWS)
        share = flow.spread(tree, rows.X[block]) * rows.weight[block, None]
        total += share.T @ rows.target[block]
        weight += share.sum(axis=0)
    is_reached = weight > 0.0
    reached = np.asarray(tree.leaves)[is_reached]
    response[reached] = total[is_reached] / weight[is_reached, None]
    return with_inner_responses(tree, response)


def node_weights(tree: Tree, flow: Flow, data: TrainingSet) -> FloatArray:
    """Return the weight of ``data`` that flows through each node.

    Parameters
    ----------
    tree, flow, data
        As of :func:`with_flow_weights`.

    Returns
    -------
    ndarray of shape (n_nodes,)
        Every node has the sum of its children, and the root that of the rows.
    """
    weight = np.zeros(tree.n_nodes)
    for start in range(0, data.n_rows, BLOCK_ROWS):  # a row may be at every leaf
        rows = slice(start, start + BLOCK_ROWS)
        weight[tree.leaves] += flow.spread(tree, data.X[rows]).T @ data.weight[rows]
    for node in range(tree.n_nodes - 1, -1, -1):
        children = tree.children(node)
        if len(children) > 0:
            weight[node] = weight[children.start : children.stop].sum()
    return weight


def in_given_units(tree: Tree, data: TrainingSet) -> Tree:
    """Return a tree grown on ``data`` with weights in the user's unit.

    Examples
    --------
    >>> from dataclasses import replace
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.refine.responses import in_given_units
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> data = TrainingSet.of_classes(np.array([[1.0], [2.0]]), [0, 1], weight=[0.5, 1.5])
    >>> tree = GreedyGrower(Cart()).grow(data)
    >>> in_given_units(tree, replace(data, unit=4.0)).weight.tolist()
    [8.0, 2.0, 6.0]
    """
    if data.unit == 1.0:
        return tree
    weight = tree.weight * data.unit
    nearest = np.rint(weight)  # scaling and back must not turn 3 rows into 2.9999999999999996
    is_whole = np.abs(weight - nearest) <= LAST_DIGITS * nearest
    return tree.replace(weight=np.where(is_whole, nearest, weight))
