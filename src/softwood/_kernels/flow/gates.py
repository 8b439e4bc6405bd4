"""Gates: what the tests of a tree become under a flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.branch import SHRINK, SPREADS, branch_share
from softwood._kernels.nodes import NOMINAL, NUMERIC, OBLIQUE, NodeTable
from softwood._kernels.normal import span_of
from softwood._types import AnyArray, FloatArray, IndexArray

SMALLEST = 5e-324  # no mass at all is less than this and nothing else is
LARGEST = np.finfo(np.float64).max
GRID = 1e9  # unit vectors that agree to nine digits are one direction
NO_DIRECTION = -1
NO_NOISE = np.zeros(1)  # at nodes without a feature
NOISE, LINEAR, LOGISTIC, NORMAL = 0, 1, 2, 3


class Gates(NamedTuple):
    """How the numeric and oblique tests of one tree divide a row's mass.

    A test with ``sd`` 0 is hard. Otherwise the row is blurred by normal noise with this
    deviation along the test's direction. Tests of one direction share their noise: each
    narrows the interval in which the noise can lie, and ``home`` says at which node the
    interval is noted: the child of the last test of that direction, or the root. Where
    ``sd`` is negative the noise points the other way, and small noise means the
    right child.

    At a nominal test the category is drawn anew with probability ``redraw``. Tests of one
    feature share the draw; ``home`` is as above. What a category drawn anew contributes to
    a child does not depend on the row: the part of all draws that passes the tests of the
    feature down to there.
    """

    shape: int  # NOISE, or the curve that crosses each threshold in the tree's own widths
    sd: FloatArray  # (n_nodes,)
    home: IndexArray  # (n_nodes,) 0 everywhere: every test has noise of its own
    drop: float  # a branch with less mass is not followed
    span: float  # noise beyond this many deviations has less mass than ``drop``
    redraw: FloatArray  # (n_nodes,) 0: the test sees the category of the row
    drawn: FloatArray  # (n_nodes,) part of all draws, at the children of tests with a redraw


def hard_gates(nodes: NodeTable) -> Gates:
    """Return the gates of a hard tree."""
    return _independent(nodes, NOISE, np.zeros(nodes.kind.size), 0.0)


def ramp_gates(nodes: NodeTable, drop: float, shape: int = LINEAR) -> Gates:
    """Return the gates that follow the ramps of the tree."""
    return _independent(nodes, shape, np.zeros(nodes.kind.size), drop)


def gaussian_gates(
    nodes: NodeTable,
    scale: FloatArray,
    exact: bool,
    drop: float,
    redraw: float = 0.0,
    marginals: Sequence[Sequence[float]] = (),
) -> Gates:
    """Return the gates for normal noise with deviation ``scale[f]`` on feature f.

    ``exact`` shares the noise between tests of one direction. Categories of feature f are
    drawn anew with probability ``redraw``, in the shares ``marginals[f]``, if it has any.
    """
    sd = np.where(nodes.kind == NUMERIC, np.concatenate((scale, NO_NOISE))[nodes.feature], 0.0)
    direction = np.where(sd > 0.0, nodes.feature, NO_DIRECTION)
    oblique = np.flatnonzero(nodes.kind == OBLIQUE)
    if oblique.size:
        sd[oblique], direction[oblique] = _oblique_directions(nodes, oblique, scale)
    redrawn = _redrawn_tests(nodes, marginals) if redraw > 0.0 else oblique[:0]
    # The directions of numeric and oblique tests end before the sum of both numbers.
    direction[redrawn] = nodes.feature[redrawn] + scale.size + nodes.kind.size
    gates = _independent(nodes, NOISE, sd, drop)
    if exact:
        gates = gates._replace(
            home=home_of_tests(nodes.first_child, nodes.n_children, direction.astype(np.int32))
        )
    if redrawn.size:
        gates = _with_redraw(nodes, gates, redrawn, redraw, marginals)
    return gates


def _redrawn_tests(nodes: NodeTable, marginals: Sequence[Sequence[float]]) -> AnyArray:
    has_shares = np.array([*(len(shares) > 0 for shares in marginals), False])
    return np.flatnonzero((nodes.kind == NOMINAL) & has_shares[nodes.feature])


def _with_redraw(
    nodes: NodeTable,
    gates: Gates,
    redrawn: AnyArray,
    redraw: float,
    marginals: Sequence[Sequence[float]],
) -> Gates:
    chance = np.zeros(nodes.kind.size)
    chance[redrawn] = redraw
    start = np.concatenate(([0], np.cumsum([len(shares) for shares in marginals])))
    share = np.array([part for shares in marginals for part in shares])
    drawn = drawn_parts(nodes, gates.home, chance, start, share)
    return gates._replace(redraw=chance, drawn=drawn)


def _independent(nodes: NodeTable, shape: int, sd: FloatArray, drop: float) -> Gates:
    drop = max(float(drop), SMALLEST)
    home, none = np.zeros(nodes.kind.size, np.int32), np.zeros(nodes.kind.size)
    return Gates(shape, sd, home, drop, span_of(drop), none, none)


def _oblique_directions(
    nodes: NodeTable, oblique: AnyArray, scale: FloatArray
) -> tuple[FloatArray, AnyArray]:
    """Return the signed deviation of w @ noise, and an id that collinear tests share."""
    owner = np.repeat(np.arange(oblique.size), np.diff(nodes.term_start)[oblique])
    at, shape = (owner, nodes.term_feature), (oblique.size, scale.size)
    with np.errstate(over="ignore", invalid="ignore"):
        blur = _blur(at, shape, nodes.term_weight, scale)
    beyond = ~np.isfinite(blur).all(axis=1)
    if beyond.any():
        blur[beyond] = _blur(at, shape, nodes.term_weight * SHRINK, scale * SHRINK)[beyond]
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
    with np.errstate(over="ignore"):
        sd[beyond] = sd[beyond] / SHRINK / SHRINK
    np.clip(sd, -LARGEST, LARGEST, out=sd)  # finite, so that infinity over it is no NaN
    direction[soft] = np.where(one_term, first_term, scale.size + ids.ravel())
    return sd, direction


def _blur(
    at: tuple[AnyArray, AnyArray], shape: tuple[int, int], weight: FloatArray, scale: FloatArray
) -> FloatArray:
    """Return how far the noise of each feature moves each test."""
    blur = np.zeros(shape)
    np.add.at(blur, at, weight)
    blur *= scale
    return blur


@borrowing
def part_of_category(nodes: NodeTable, node: int, branch: int, code: float) -> float:
    """Return the part of a category that takes ``branch`` at a nominal test."""
    start = nodes.set_start[node]
    if 0 <= code < nodes.set_start[node + 1] - start:
        taken = nodes.set_child[start + int(code)]
        if taken != SPREADS:
            return 1.0 if taken == branch else 0.0
    return branch_share(nodes, node, branch)


@kernel
def drawn_parts(
    nodes: NodeTable, home: IndexArray, redraw: FloatArray, start: AnyArray, share: FloatArray
) -> FloatArray:
    """Return, for the children of tests with a redraw, the part of all draws that gets there.

    The shares of feature f are ``share[start[f]:start[f + 1]]``. All draws are at the root.
    """
    n_nodes = redraw.size
    parent = np.zeros(n_nodes, np.int32)
    drawn = np.zeros(n_nodes)
    for node in range(n_nodes):
        first = nodes.first_child[node]
        for child in range(first, first + nodes.n_children[node]):
            parent[child] = node
            if redraw[node] == 0.0:
                continue
            base = start[nodes.feature[node]]
            for at in range(base, start[nodes.feature[node] + 1]):
                part, below = share[at], child
                while below > 0 and part > 0.0:  # up, from one test of the feature to the next
                    test = parent[below]
                    branch = below - nodes.first_child[test]
                    part *= part_of_category(nodes, test, branch, float(at - base))
                    below = home[test]
                drawn[child] += part
    return drawn


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
