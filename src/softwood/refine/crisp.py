"""Take the softness out of a tree: the same tests, without widths."""

from __future__ import annotations

import numpy as np

from softwood.tree import NUMERIC, OBLIQUE, Tree


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


def for_ramps(tree: Tree) -> Tree:
    """Return a crisp tree that answers under ramps as it does under the hard flow.

    At the cut of a ramp without a width each side gets half of a row; a hard test sends it to
    the left. So cuts move up, to the next number there is.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.flow import Hard, Ramp
    >>> from softwood.refine.crisp import for_ramps
    >>> from softwood.tree import Tree
    >>> tree = Tree.from_nodes(
    ...     n_features=1, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[1, 0, 0],
    ...     feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0], weight=[4.0, 1.0, 3.0],
    ...     response=[[0.5], [1.0], [0.0]],
    ... )
    >>> x = np.array([[0.5]])
    >>> [float(flow.predict(grown, x)[0, 0])
    ...  for flow, grown in ((Hard(), tree), (Ramp(), tree), (Ramp(), for_ramps(tree)))]
    [1.0, 0.5, 1.0]
    """
    is_cut = (tree.kind == NUMERIC) | (tree.kind == OBLIQUE)
    return tree.replace(threshold=np.where(is_cut, np.nextafter(tree.threshold, np.inf), 0.0))
