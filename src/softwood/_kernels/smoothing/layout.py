"""What is known of the nodes of many trees, end to end, before any row comes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import long_kernel
from softwood._kernels.flow.gates import (
    NO_DIRECTION,
    NO_NOISE,
    _oblique_directions,
    _redrawn_tests,
    part_of_category,
)
from softwood._kernels.nodes import LEAF, NUMERIC, OBLIQUE, NodeTable
from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray


class Layout(NamedTuple):
    """For each node of all trees; compare :class:`softwood._kernels.flow.gates.Gates`.

    Slots are two for each depth: of the nodes that are alive at a time in a walk depth first
    there are never more, if tests are binary; ``n_slots`` leaves room for the widest test.
    """

    sd: FloatArray  # deviation of the noise of a numeric or oblique test, for a lambda of 1
    home: IndexArray  # where what the direction of a test has left over is noted
    is_home: BoolArray
    slot: IndexArray
    drawn: FloatArray  # part of all draws, at the children of tests whose category is drawn anew
    is_drawn: BoolArray  # tests whose category is drawn anew
    answer: IndexArray  # row of the table of responses
    only: IndexArray  # per row of that table: the one response that is not zero, or -1


def directions_of_tests(
    nodes: NodeTable, scale: FloatArray, marginals: Sequence[Sequence[float]]
) -> tuple[FloatArray, IndexArray, BoolArray]:
    """Return the deviation of each test, what it shares its randomness by, and which are drawn."""
    sd = np.where(nodes.kind == NUMERIC, np.concatenate((scale, NO_NOISE))[nodes.feature], 0.0)
    direction = np.where(sd > 0.0, nodes.feature, NO_DIRECTION)
    oblique = np.flatnonzero(nodes.kind == OBLIQUE)
    if oblique.size:
        sd[oblique], direction[oblique] = _oblique_directions(nodes, oblique, scale)
    is_drawn = np.zeros(sd.size, dtype=np.bool_)
    is_drawn[_redrawn_tests(nodes, marginals) if marginals else oblique[:0]] = True
    # The directions of numeric and oblique tests end before the sum of both numbers.
    direction[is_drawn] = nodes.feature[is_drawn] + scale.size + nodes.kind.size
    return sd, direction.astype(np.int32), is_drawn


@long_kernel
def lay_out(
    nodes: NodeTable,
    is_root: BoolArray,
    direction: IndexArray,
    exact: bool,
    start: AnyArray,
    share: FloatArray,
    response: FloatArray,
    layout: Layout,
) -> int:
    """Fill home, slots, draws and lone responses of a layout; return the number of slots.

    Tests of one ``direction`` share what is random, if ``exact``; those of -1 have none. The
    shares of the categories of feature f are ``share[start[f]:start[f + 1]]``.
    """
    n_nodes, n_slots = direction.size, 2
    parent = np.zeros(n_nodes, np.int32)
    for node in range(n_nodes):
        first, n_children = nodes.first_child[node], nodes.n_children[node]
        if is_root[node]:
            layout.slot[node] = 0
        if nodes.kind[node] != LEAF:
            below = layout.slot[node]
            if not is_root[node]:  # the first of the slots of its level
                below -= node - nodes.first_child[parent[node]]
                below += nodes.n_children[parent[node]]
            else:
                below = 1
            for child in range(first, first + n_children):
                parent[child] = node
                layout.slot[child] = below + child - first
                n_slots = max(n_slots, layout.slot[child] + 1)
        at = node
        if direction[node] >= 0 and exact:
            while not is_root[at] and direction[parent[at]] != direction[node]:
                at = parent[at]
        else:
            while not is_root[at]:
                at = parent[at]
        layout.home[node] = at
        if nodes.kind[node] != LEAF:
            layout.is_home[at] = True
    for node in range(n_nodes):
        if not layout.is_drawn[node]:
            continue
        first, base = nodes.first_child[node], start[nodes.feature[node]]
        for child in range(first, first + nodes.n_children[node]):
            layout.drawn[child] = 0.0
            for at in range(base, start[nodes.feature[node] + 1]):
                part, below = share[at], child
                while not is_root[below] and part > 0.0:  # from one test of the feature to the next
                    test = parent[below]
                    branch = below - nodes.first_child[test]
                    part *= part_of_category(nodes, test, branch, float(at - base))
                    below = layout.home[test]
                layout.drawn[child] += part
    for row in range(response.shape[0]):
        n_found = 0
        layout.only[row] = -1
        for k in range(response.shape[1]):
            if response[row, k] != 0.0:
                layout.only[row] = k
                n_found += 1
        if n_found != 1:
            layout.only[row] = -1
    return n_slots
