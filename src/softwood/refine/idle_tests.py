"""Remove tests that no row can pass: all that comes to them goes to one side.

Training moves cuts and widths. Some cuts end where no row is, or behind a test that sends no
row there; what such a test says of the data is not true of any of it.
"""

from __future__ import annotations

import numpy as np

from softwood._types import AnyArray
from softwood.data.training import TrainingSet
from softwood.flow import Flow
from softwood.refine.responses import node_weights
from softwood.tree import RAGGED, Tree, take_ragged

# Of a row, from all rows together. Trees trained on ten sets of data erred on other rows
# as before without the sides that get less than this; from a tenth on they erred more.
LEAST_ROWS = 0.01
PER_NODE = ("kind", "feature", "threshold", "below", "above", "missing_child", "response")


def without_idle_tests(
    tree: Tree, flow: Flow, data: TrainingSet, least_rows: float = LEAST_ROWS
) -> Tree:
    """Return the tree without tests of which all sides but one get next to nothing.

    Parameters
    ----------
    tree : Tree
        The tree. Leaves keep their responses.
    flow : Flow
        How rows flow through it.
    data : TrainingSet
        The rows.
    least_rows : float, default=0.01
        A test goes if all its sides but the heaviest get no more than this together, in rows
        of mean weight. Where they get nothing, the rows are answered as before.

    Returns
    -------
    Tree

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.flow import Ramp
    >>> from softwood.refine.idle_tests import without_idle_tests
    >>> from softwood.tree import Tree
    >>> stump = Tree.from_nodes(
    ...     n_features=1, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[1, 0, 0],
    ...     feature=[0, -1, -1], threshold=[-3.0, 0.0, 0.0], weight=[4.0, 1.0, 3.0],
    ...     below=[1.0, 0.0, 0.0], above=[1.0, 0.0, 0.0], response=[[0.5], [0.0], [1.0]],
    ... )
    >>> data = TrainingSet.of_target(np.array([[0.0], [1.0]]), np.zeros(2))
    >>> without_idle_tests(stump, Ramp(), data).response
    array([[1.]])
    """
    least = least_rows * data.weight.sum() / data.n_rows
    while tree.n_nodes > 1:
        heir = _heirs(tree, node_weights(tree, flow, data), least)
        if np.array_equal(heir, np.arange(tree.n_nodes)):
            break
        tree = _taken(tree, heir)
    return tree


def _heirs(tree: Tree, weight: AnyArray, least: float) -> AnyArray:
    """Return the node that takes the place of each: itself, or the end of a way past idle tests."""
    heir = np.arange(tree.n_nodes)
    for node in range(tree.n_nodes - 1, -1, -1):
        children = tree.children(node)
        if len(children) == 0:
            continue
        part = weight[children.start : children.stop]
        heaviest = int(part.argmax())
        if part.sum() - part[heaviest] <= least:
            heir[node] = heir[children.start + heaviest]
    return heir


def _taken(tree: Tree, source: AnyArray) -> Tree:
    """Return the tree in which each node is what ``source`` was, with all that hangs on it.

    Its place keeps the weight, by which rows with gaps divide.
    """
    columns = {name: getattr(tree, name)[source] for name in PER_NODE} | {"weight": tree.weight}
    for prefix, names in RAGGED.items():
        start, picks = take_ragged(getattr(tree, f"{prefix}_start"), source)
        columns |= {name: getattr(tree, name)[picks] for name in names}
        columns[f"{prefix}_start"] = start
    return Tree.from_nodes(
        n_features=tree.n_features,
        first_child=tree.first_child[source],
        n_children=tree.n_children[source],
        **columns,
    )
