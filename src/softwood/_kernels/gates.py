"""Gates: what the tests of a tree become under a flow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import kernel
from softwood._kernels.branch import NUMERIC, OBLIQUE
from softwood._kernels.nodes import NodeTable
from softwood._kernels.normal import span_of
from softwood._types import AnyArray, FloatArray, IndexArray

SMALLEST = 5e-324  # no mass at all is less than this and nothing else is
GRID = 1e9  # unit vectors that agree to nine digits are one direction
NO_DIRECTION = -1


class Gates(NamedTuple):
    """How the numeric and oblique tests of one tree divide a row's mass.

    A test with ``sd`` 0 is hard. Otherwise the row is blurred by normal noise with this
    deviation along the test's direction. Tests of one direction share their noise: each
    narrows the interval in which the noise can lie, and ``home`` says at which node the
    interval is noted: the child of the last test of that direction, or the root. Where
    ``sd`` is negative the noise points the other way, and small noise means the
    right child.
    """

    ramp: bool  # divide by the ramps of the tree, whatever the rest says
    sd: FloatArray  # (n_nodes,)
    home: IndexArray  # (n_nodes,) 0 everywhere: every test has noise of its own
    drop: float  # a branch with less mass is not followed
    span: float  # noise beyond this many deviations has less mass than ``drop``


def hard_gates(nodes: NodeTable) -> Gates:
    """Return the gates of a hard tree."""
    return _independent(nodes, False, np.zeros(nodes.kind.size), 0.0)


def ramp_gates(nodes: NodeTable, drop: float) -> Gates:
    """Return the gates that follow the ramps of the tree."""
    return _independent(nodes, True, np.zeros(nodes.kind.size), drop)


def gaussian_gates(nodes: NodeTable, scale: FloatArray, exact: bool, drop: float) -> Gates:
    """Return the gates for normal noise with deviation ``scale[f]`` on feature f.

    ``exact`` shares the noise between tests of one direction.
    """
    sd = np.where(nodes.kind == NUMERIC, np.append(scale, 0.0)[nodes.feature], 0.0)
    direction = np.where(sd > 0.0, nodes.feature, NO_DIRECTION)
    oblique = np.flatnonzero(nodes.kind == OBLIQUE)
    if oblique.size:
        sd[oblique], direction[oblique] = _oblique_directions(nodes, oblique, scale)
    gates = _independent(nodes, False, sd, drop)
    if exact:
        gates = gates._replace(
            home=home_of_tests(nodes.first_child, nodes.n_children, direction.astype(np.int32))
        )
    return gates


def _independent(nodes: NodeTable, ramp: bool, sd: FloatArray, drop: float) -> Gates:
    drop = max(float(drop), SMALLEST)
    return Gates(ramp, sd, np.zeros(nodes.kind.size, np.int32), drop, span_of(drop))


def _oblique_directions(
    nodes: NodeTable, oblique: AnyArray, scale: FloatArray
) -> tuple[FloatArray, AnyArray]:
    """Return the signed deviation of w @ noise, and an id that collinear tests share."""
    owner = np.repeat(np.arange(oblique.size), np.diff(nodes.term_start)[oblique])
    blur = np.zeros((oblique.size, scale.size))
    np.add.at(blur, (owner, nodes.term_feature), nodes.term_weight)
    blur *= scale
    largest = np.abs(blur).max(axis=1)
    soft = np.flatnonzero(largest > 0.0)
    # Scaled by the largest term first, the squares cannot overflow.
    unit = blur[soft] / largest[soft, None]
    length = np.sqrt((unit * unit).sum(axis=1))
    grid = np.rint(unit / length[:, None] * GRID).astype(np.int64)
    first_term = (grid != 0).argmax(axis=1)
    sign = np.sign(grid[np.arange(soft.size), first_term])
    _, ids = np.unique(grid * sign[:, None], axis=0, return_inverse=True)
    one_term = np.count_nonzero(grid, axis=1) == 1

    sd, direction = np.zeros(oblique.size), np.full(oblique.size, NO_DIRECTION)
    sd[soft] = sign * length * largest[soft]
    direction[soft] = np.where(one_term, first_term, scale.size + ids.ravel())
    return sd, direction


@kernel
def home_of_tests(
    first_child: IndexArray, n_children: IndexArray, direction: IndexArray
) -> IndexArray:
    """Return for each node the child of the nearest test above of its direction, or 0."""
    n_nodes = direction.size
    parent = np.zeros(n_nodes, np.int32)
    home = np.zeros(n_nodes, np.int32)
    for node in range(n_nodes):
        for child in range(first_child[node], first_child[node] + n_children[node]):
            parent[child] = node
        if direction[node] >= 0:
            below = node
            while below > 0 and direction[parent[below]] != direction[node]:
                below = parent[below]
            home[node] = below
    return home
