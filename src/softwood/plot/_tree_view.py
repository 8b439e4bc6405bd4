"""Which nodes of a tree a picture shows, and what is folded away."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray
from softwood.tree import Tree

LONGEST = 16  # tests on a path where some are folded: chains would go on and on

Block = list[tuple[int, ...]]  # the places below a node: a child each, or several in one


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The places of a picture, breadth-first; if nothing is folded, they are the nodes.

    Attributes
    ----------
    members : list of tuple of int
        The node at each place; or several, brothers and sisters that are folded together.
    first_child, n_children, parent : ndarray of shape (n_places,)
        Places; ``n_children`` is 0 where the picture ends.
    n_folded : ndarray of shape (n_places,)
        Leaves that are folded away at each place; 0 if it shows what it is.
    weight : ndarray of shape (n_places,)
        Training weight.
    response : ndarray of shape (n_places, n_outputs)
        What a place answers; of several nodes the mean, by weight.
    """

    members: list[tuple[int, ...]]
    first_child: IndexArray
    n_children: IndexArray
    parent: IndexArray
    n_folded: IndexArray
    weight: FloatArray
    response: FloatArray

    @property
    def size(self) -> int:
        """Number of places."""
        return len(self.members)

    @property
    def is_end(self) -> BoolArray:
        """Whether nothing is shown below a place."""
        return np.asarray(self.n_children == 0)

    @property
    def share(self) -> FloatArray:
        """Share of the training weight."""
        return self.weight / self.weight[0] if self.weight[0] > 0.0 else np.zeros(self.size)

    def total(self, value: FloatArray) -> FloatArray:
        """Return for each place the sum of what its nodes have."""
        return np.array([value[list(nodes)].sum(axis=0) for nodes in self.members])


def most_important(
    tree: Tree, importance: FloatArray, max_leaves: int | None, max_depth: int | None
) -> View:
    """Return a view with at most ``max_leaves`` ends, in which what is important stays.

    Of the tests yet folded the most important is unfolded, as long as there is room, and no
    path gets longer than 16 tests. If a test has very many children, those that
    matter least are folded together.

    Parameters
    ----------
    tree : Tree
        The tree.
    importance : ndarray of shape (n_nodes,)
        Of no child more than of its parent.
    max_leaves : int or None
        Most ends; None for all.
    max_depth : int or None
        Most tests on a path; None for all.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import CARTClassifier
    >>> tree = CARTClassifier().fit(*load_iris(return_X_y=True)).tree_
    >>> view = most_important(tree, tree.weight, max_leaves=3, max_depth=None)
    >>> view.members, view.n_folded.tolist()
    ([(0,), (1,), (2,), (3,), (4,)], [0, 0, 0, 5, 3])
    """
    may_open = tree.n_children > 0
    ends = tree.n_leaves
    if max_depth is not None:
        depth = tree.node_depth
        may_open &= depth < max_depth
        ends = int(np.count_nonzero(~may_open & (depth <= max_depth)))
    if max_leaves is None or ends <= max_leaves:
        opened = {node: _each(tree.children(node)) for node in np.flatnonzero(may_open).tolist()}
        return _view(tree, opened)
    may_open &= tree.node_depth < LONGEST
    opened, room, waiting = {}, max_leaves - 1, [(-importance[0], 0)]
    while waiting:
        _, node = heappop(waiting)
        if not may_open[node]:
            continue
        block = _block(tree.children(node), importance, max(max_leaves // 2, 2))
        if len(block) - 1 > room:
            continue
        room -= len(block) - 1
        opened[node] = block
        for nodes in block:
            if len(nodes) == 1:
                heappush(waiting, (-importance[nodes[0]], nodes[0]))
    return _view(tree, opened)


def on_the_way(tree: Tree, mass: FloatArray, least: float, max_leaves: int | None) -> View:
    """Return a view in which all is folded that gets less than ``least`` of a mass of 1.

    ``max_leaves`` ends get more than that at most; None sets no limit.
    """
    opened: dict[int, Block] = {}
    room, waiting = np.inf if max_leaves is None else max_leaves - 1, [(-mass[0], 0)]
    while waiting:
        _, node = heappop(waiting)
        if tree.n_children[node] == 0:
            continue
        kept = [child for child in tree.children(node) if mass[child] >= least]
        if not kept or len(kept) - 1 > room:
            continue
        room -= len(kept) - 1
        opened[node] = _joined(tree.children(node), kept)
        for child in kept:
            heappush(waiting, (-mass[child], child))
    return _view(tree, opened)


def _each(children: range) -> Block:
    return [(child,) for child in children]


def _block(children: range, importance: FloatArray, most: int) -> Block:
    if len(children) <= most:
        return _each(children)
    order = sorted(children, key=lambda child: (-importance[child], child))
    return _joined(children, sorted(order[: most - 1]))


def _joined(children: range, kept: list[int]) -> Block:
    """Return the children with those that are not kept in one place, the last one."""
    rest = tuple(child for child in children if child not in set(kept))
    if len(rest) < 2:
        return _each(children)
    return [(child,) for child in kept] + [rest]


def added_up(tree: Tree, value: AnyArray) -> AnyArray:
    """Return for each node the sum of what it and all nodes below it have."""
    total, parent = value.copy(), tree.parent
    for node in range(tree.n_nodes - 1, 0, -1):
        total[parent[node]] += total[node]
    return total


def _view(tree: Tree, opened: dict[int, Block]) -> View:
    members: list[tuple[int, ...]] = [(0,)]
    first, count, parent = [], [], [-1]
    for place, nodes in enumerate(members):  # it grows as we go
        block = opened.get(nodes[0], []) if len(nodes) == 1 else []
        first.append(len(members) if block else -1)
        count.append(len(block))
        members.extend(block)
        parent.extend([place] * len(block))
    n_children = np.array(count, dtype=np.int32)
    below = added_up(tree, tree.is_leaf.astype(np.int32))
    is_whole = np.array([len(nodes) == 1 and bool(tree.is_leaf[nodes[0]]) for nodes in members])
    hidden = np.array([below[list(nodes)].sum() for nodes in members], dtype=np.int32)
    weight = np.array([tree.weight[list(nodes)].sum() for nodes in members])
    return View(
        members=members,
        first_child=np.array(first, dtype=np.int32),
        n_children=n_children,
        parent=np.array(parent, dtype=np.int32),
        n_folded=np.where((n_children > 0) | is_whole, 0, hidden),
        weight=weight,
        response=np.array([_mean_response(tree, nodes) for nodes in members]),
    )


def _mean_response(tree: Tree, nodes: tuple[int, ...]) -> FloatArray:
    weight = tree.weight[list(nodes)]
    if weight.sum() <= 0.0:
        weight = np.ones(len(nodes))
    return np.asarray(np.average(tree.response[list(nodes)], axis=0, weights=weight))
