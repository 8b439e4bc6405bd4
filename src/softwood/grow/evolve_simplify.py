"""Removal of tests that decide nothing: evolved trees are full of them.

A test decides nothing if the tests above it leave only one side to be reached, or if both
its subtrees are the same. No row with all its values is answered differently without it,
hard or soft.
"""

from __future__ import annotations

import numpy as np

from softwood._types import AnyArray, IndexArray
from softwood.grow.evolve_trees import ENDS, Line

ALL_GROUPS = 2**64 - 1
Bounds = dict[int, tuple[float, float, int]]  # by feature: lowest, highest, categories
Node = tuple[int, float, int, int, int]  # feature, cut, subset, and two subtrees; or a label


def simplified(line: Line, n_groups: IndexArray) -> Line:
    """Return the tree without tests that decide nothing.

    Parameters
    ----------
    line : Line
        The tree.
    n_groups : ndarray of shape (n_features,)
        Number of groups of categories of each feature; 0 for numeric ones.

    Examples
    --------
    Nothing above 3 gets to the test at 5, and then both leaves are of one class:

    >>> import numpy as np
    >>> from softwood.grow.evolve_trees import Line
    >>> line = Line(
    ...     feature=np.array([0, 0, -1, -1, -1]),
    ...     cut=np.array([3.0, 5.0, 0.0, 0.0, 0.0]),
    ...     subset=np.zeros(5, np.uint64),
    ...     label=np.array([0, 0, 1, 0, 1]),
    ... )
    >>> simplified(line, np.zeros(1, np.int32)).label.tolist()
    [1]
    """
    kept = _reachable(line, n_groups)
    known: dict[Node, int] = {}
    nodes: list[Node] = []
    name: dict[int, int] = {}
    for node, left, right in reversed(kept):
        if left < 0:
            made = (ENDS, 0.0, 0, int(line.label[node]), 0)
        elif name[left] == name[right]:
            name[node] = name[left]
            continue
        else:
            test = (int(line.feature[node]), float(line.cut[node]), int(line.subset[node]))
            made = (*test, name[left], name[right])
        if made not in known:
            known[made] = len(nodes)
            nodes.append(made)
        name[node] = known[made]
    return _unfolded(nodes, name[kept[0][0]])


def _reachable(line: Line, n_groups: IndexArray) -> list[tuple[int, int, int]]:
    """Return the nodes that can be reached with their children, parents first.

    A test with one side only is passed over: its child stands in its place. The children of
    a leaf are -1.
    """
    right = line.right
    kept: list[list[int]] = []
    # A node to come, the place of its parent among those kept, which child it is, and bounds.
    todo: list[tuple[int, int, int, Bounds]] = [(0, -1, 0, {})]
    while todo:
        node, parent, side, bounds = todo.pop()
        feature = int(line.feature[node])
        while feature != ENDS:
            below, above = _bounds_below(line, node, bounds, bool(n_groups[feature]))
            if below is not None and above is not None:
                break
            node = node + 1 if above is None else int(right[node])
            feature = int(line.feature[node])
        if parent >= 0:
            kept[parent][1 + side] = node
        kept.append([node, -1, -1])
        if feature != ENDS:
            assert above is not None  # or the test would have been passed over
            assert below is not None
            place = len(kept) - 1
            todo.append((int(right[node]), place, 1, {**bounds, feature: above}))
            todo.append((node + 1, place, 0, {**bounds, feature: below}))
    return [(node, left, right) for node, left, right in kept]


def _bounds_below(
    line: Line, node: int, bounds: Bounds, is_nominal: bool
) -> tuple[tuple[float, float, int] | None, tuple[float, float, int] | None]:
    """Return what is left of the feature in the left and right subtree; None if nothing is."""
    low, high, groups = bounds.get(int(line.feature[node]), (-np.inf, np.inf, ALL_GROUPS))
    if is_nominal:
        subset = int(line.subset[node])
        inside, outside = groups & subset, groups & ~subset
        return (
            (low, high, inside) if inside else None,
            (low, high, outside) if outside else None,
        )
    cut = float(line.cut[node])
    return (
        (low, min(cut, high), groups) if cut > low else None,
        (max(cut, low), high, groups) if cut < high else None,
    )


def _unfolded(nodes: list[Node], top: int) -> Line:
    """Return the tree below ``top``; subtrees that were found equal are written each time."""
    order, todo = [], [top]
    while todo:
        name = todo.pop()
        order.append(nodes[name])
        if nodes[name][0] != ENDS:
            todo += [nodes[name][4], nodes[name][3]]
    feature = np.array([node[0] for node in order], dtype=np.int32)
    label: AnyArray = np.array([node[3] for node in order], dtype=np.int32)
    return Line(
        feature=feature,
        cut=np.array([node[1] for node in order]),
        subset=np.array([node[2] for node in order], dtype=np.uint64),
        label=np.where(feature == ENDS, label, 0).astype(np.int32),
    )
