"""Take the softness out of a tree: the same tests, without widths."""

from __future__ import annotations

import numpy as np

from softwood.tree import Tree


def crisp_tree(tree: Tree) -> Tree:
    """Return the tree with tests of no width.

    Examples
    --------
    >>> from softwood.refine.crisp import crisp_tree
    >>> from softwood.tree import Tree
    >>> soft = Tree.from_nodes(
    ...     n_features=1, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[1, 0, 0],
    ...     feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0], below=[0.2, 0.0, 0.0],
    ...     above=[0.4, 0.0, 0.0], weight=[4.0, 1.0, 3.0], response=[[0.5], [1.0], [0.0]],
    ... )
    >>> crisp_tree(soft).above.tolist()
    [0.0, 0.0, 0.0]
    """
    if not (tree.below.any() or tree.above.any()):
        return tree
    nothing = np.zeros(tree.n_nodes)
    return tree.replace(below=nothing, above=nothing)
