"""Which branches of a tree are shown when there is not room for all: the heavy ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np

from softwood._types import IndexArray
from softwood.tree import Tree

MANY = 2  # children; of more, the light ones may be folded alone


@dataclass(slots=True)
class Folded:
    """The shown part of a tree.

    Attributes
    ----------
    children : dict
        The shown children of each node that is shown open.
    hidden : dict
        Children of such a node that are folded into one line.
    """

    tree: Tree
    n_leaves: IndexArray
    children: dict[int, list[int]] = field(default_factory=dict)
    hidden: dict[int, list[int]] = field(default_factory=dict)

    @property
    def n_lines(self) -> int:
        """Lines that it takes: one for each shown node, and for hidden children together."""
        return 1 + sum(map(len, self.children.values())) + len(self.hidden)

    @property
    def depth(self) -> int:
        """Number of tests above the deepest shown node."""
        return max(depth for _, depth, _ in self.walk())

    def walk(self) -> Iterator[tuple[int, int, list[bool]]]:
        """Yield ``(node, depth, is_last)`` from the top down, ``is_last`` for every level.

        A node below 0 stands for the hidden children of its complement.
        """
        stack: list[tuple[int, int, list[bool]]] = [(0, 0, [])]
        while stack:
            node, depth, lasts = stack.pop()
            yield node, depth, lasts
            shown = list(self.children.get(node, ())) if node >= 0 else []
            if node in self.hidden:
                shown.append(~node)
            rows = [
                (child, depth + 1, [*lasts, place == len(shown) - 1])
                for place, child in enumerate(shown)
            ]
            stack.extend(reversed(rows))


def leaves_below(tree: Tree) -> IndexArray:
    """Return how many leaves hang below each node; 1 at a leaf.

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> tree = CARTClassifier().fit([[1.0], [2.0], [3.0]], ["a", "b", "a"]).tree_
    >>> leaves_below(tree).tolist()
    [3, 1, 2, 1, 1]
    """
    count = tree.is_leaf.astype(np.int32)
    parent = tree.parent
    for start, stop in reversed(list(tree.levels())[1:]):
        np.add.at(count, parent[start:stop], count[start:stop])
    return count


def folded(tree: Tree, max_lines: int | None) -> Folded:
    """Return as much of a tree as so many lines can show.

    The heaviest shown node is opened first, as long as its children have room. Where a test has
    more than two branches and not room for all, the light ones are put together.

    Parameters
    ----------
    tree : Tree
        The tree.
    max_lines : int or None
        Lines for nodes; the root needs one. None shows all.

    Returns
    -------
    Folded

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> tree = CARTClassifier().fit([[1.0], [2.0], [3.0]], ["a", "b", "a"]).tree_
    >>> folded(tree, 3).children, folded(tree, None).children
    ({0: [1, 2]}, {0: [1, 2], 2: [3, 4]})
    """
    found = Folded(tree, leaves_below(tree))
    room = tree.n_nodes if max_lines is None else max_lines - 1
    heap: list[tuple[float, int]] = [(-float(tree.weight[0]), 0)]
    while heap:
        _, node = heappop(heap)
        children = list(tree.children(node))
        if not children:
            continue
        if len(children) > room:
            if len(children) > MANY and room > MANY:
                heavy = sorted(children, key=lambda k: (-tree.weight[k], k))[: room - 1]
                found.hidden[node] = [child for child in children if child not in heavy]
                children, room = sorted(heavy), room - 1
            else:
                continue
        found.children[node] = children
        room -= len(children)
        for child in children:
            heappush(heap, (-float(tree.weight[child]), child))
    return found
