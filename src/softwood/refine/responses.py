"""Responses of inner nodes, from those of the leaves below them."""

from __future__ import annotations

import numpy as np

from softwood._types import FloatArray
from softwood.tree import Tree


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
