"""Leaves that are drawn towards the nodes above them, as far as few rows make them doubtful.

A leaf of three rows of one class says that there is no other. Its parent knows more rows, and
the root all of them: each step of the way down counts for less, the fewer rows took it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Flow
from softwood.flow.spreading import BLOCK_ROWS
from softwood.refine.responses import with_inner_responses
from softwood.tree import Tree

STRENGTHS = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)  # in rows
LEAST = 1e-12  # probability


def shrunk(tree: Tree, strength: float) -> Tree:
    """Return the tree with leaves drawn towards the nodes above them.

    Parameters
    ----------
    tree : Tree
        With the weight of the training rows in its nodes, and their responses.
    strength : float
        What a node passes on to a child is the child's difference from it, over
        ``1 + strength / weight`` of the node; 0 changes nothing.

    References
    ----------
    .. [1] A. Agarwal, Y. S. Tan, O. Ronen, C. Singh, B. Yu (2022). Hierarchical shrinkage:
       improving the accuracy and interpretability of tree-based models. ICML.

    Examples
    --------
    >>> from softwood.refine.shrink import shrunk
    >>> from softwood.tree import Tree
    >>> stump = Tree.from_nodes(
    ...     n_features=1, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[1, 0, 0],
    ...     feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0], weight=[4.0, 1.0, 3.0],
    ...     response=[[2.5], [1.0], [3.0]],
    ... )
    >>> shrunk(stump, 4.0).response.ravel().tolist()
    [2.5, 1.75, 2.75]
    """
    if strength == 0.0:
        return tree
    response = tree.response.copy()
    for node in range(tree.n_nodes):  # a node comes before its children
        children = tree.children(node)
        if len(children) == 0 or tree.weight[node] <= 0.0:
            continue
        step = tree.response[children.start : children.stop] - tree.response[node]
        kept = 1.0 / (1.0 + strength / tree.weight[node])
        response[children.start : children.stop] = response[node] + kept * step
    return with_inner_responses(tree, response)


def best_shrunk(
    tree: Tree,
    flow: Flow,
    data: TrainingSet,
    answers: AnyArray,
    strengths: Sequence[float] = STRENGTHS,
) -> Tree:
    """Return the tree, shrunk as far as what was to be learnt for the rows suggests.

    Parameters
    ----------
    tree, flow
        The tree and how rows flow through it.
    data : TrainingSet
        The rows it was learnt from.
    answers : ndarray of shape (n_rows, n_outputs)
        What is right for them: probabilities, or numbers. Where these come in part from those
        who have not seen the row, a leaf that is too sure is found out.
    strengths : sequence of float
        What to choose from, in rows of average weight.
    """
    unit = float(data.weight.sum()) / data.n_rows
    candidates = [shrunk(tree, strength * unit) for strength in strengths]
    lost = np.zeros(len(candidates))
    for start in range(0, data.n_rows, BLOCK_ROWS):
        rows = slice(start, start + BLOCK_ROWS)
        share = flow.spread(tree, data.X[rows])
        for k, candidate in enumerate(candidates):
            said = share @ candidate.response[tree.leaves]
            lost[k] += data.weight[rows] @ distance(said, answers[rows], data.is_regression)
    return candidates[int(np.argmin(lost))]


def distance(said: FloatArray, wanted: AnyArray, is_regression: bool) -> FloatArray:
    """Return how far answers are from those wanted: log loss of each row, or squared error."""
    if is_regression:
        return np.asarray((said[:, 0] - wanted[:, 0]) ** 2)
    return np.asarray(-(wanted * np.log(np.maximum(said, LEAST))).sum(axis=1))
