"""Shapley values of axis-parallel trees: how each feature moves a row away from others.

The mass of a row at a leaf is a product of one factor per feature that the path tests.
Take the features S from the row and the others from a background row, and the mass is
the product of a[j] over S and of b[j] over the rest, a and b being the factors of the
two rows. Its Shapley value for feature j is

    integral over t in [0, 1] of (a[j] - b[j]) * prod over i != j of (t a[i] + (1 - t) b[i])

because the integral over t counts every S by its Shapley weight. In t this is a
polynomial of degree d - 1 for d features, which Gauss-Legendre quadrature with d / 2
points, rounded up, integrates without error.
"""

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, long_kernel
from softwood._kernels.branch import SPREADS, branch_of, branch_share, total_of
from softwood._kernels.flow.gates import NOISE, Gates, part_of_category
from softwood._kernels.flow.spread import curve_share
from softwood._kernels.nodes import LEAF, NUMERIC, NodeTable
from softwood._kernels.normal import mass_between, tail_of
from softwood._kernels.stopping import stop_requested
from softwood._types import AnyArray, FloatArray, IndexArray

NOT_YET = -1.0  # no test of the feature has been met
N_BITS = 63  # of an integer, one for each feature of a path


class Rules(NamedTuple):
    """Quadrature on [0, 1]: row n holds the rule with n points."""

    point: FloatArray  # (n_rules + 1, n_rules)
    weight: FloatArray  # (n_rules + 1, n_rules)


class Path(NamedTuple):
    """The tests above one leaf, the lowest first, and the features they read."""

    test: IndexArray  # (depth,) node of each test
    branch: IndexArray  # (depth,) its branch to the leaf
    place: IndexArray  # (depth,) where its feature stands in ``feature``
    feature: IndexArray  # (depth,) features, each once


class Scratch(NamedTuple):
    """Memory for one leaf, with room for as many features as a path can test."""

    low: FloatArray  # bounds of the noise on each feature
    high: FloatArray
    own: FloatArray  # part of the row's own category
    drawn: FloatArray  # part of the categories drawn anew, or NOT_YET
    apart: IndexArray  # the features in which two rows differ
    start: FloatArray  # b of those
    step: FloatArray  # a - b of those
    blend: FloatArray  # t a + (1 - t) b of those
    before: FloatArray  # product of the blends before each
    phi: FloatArray  # Shapley value of each feature


@borrowing
def trace(nodes: NodeTable, parent: IndexArray, leaf: int, path: Path) -> tuple[int, int]:
    """Fill ``path`` for ``leaf``; return the number of its tests and of their features."""
    n_tests, n_tested, child = 0, 0, leaf
    while child > 0:
        node = parent[child]
        feature, place = nodes.feature[node], 0
        while place < n_tested and path.feature[place] != feature:
            place += 1
        if place == n_tested:
            path.feature[place] = feature
            n_tested += 1
        path.test[n_tests], path.place[n_tests] = node, place
        path.branch[n_tests] = child - nodes.first_child[node]
        n_tests += 1
        child = node
    return n_tests, n_tested


@borrowing
def noise_between(low: float, high: float, span: float) -> float:
    """Return the mass of standard normal noise in an interval; beyond ``span`` is none."""
    if high <= low or low >= span or high <= -span:
        return 0.0
    left = 0.0 if low <= -span else tail_of(low)
    right = 0.0 if high >= span else tail_of(high)
    return mass_between(left, right)


@borrowing
def noise_part(
    nodes: NodeTable,
    gates: Gates,
    node: int,
    branch: int,
    value: float,
    place: int,
    scratch: Scratch,
) -> float:
    """Return the part of the noise that leads down to the leaf, or 1 until it is known.

    Tests that share their noise narrow one interval; the highest of them completes it.
    """
    z = (nodes.threshold[node] - value) / gates.sd[node]
    if branch == 0:
        scratch.high[place] = min(scratch.high[place], z)
    else:
        scratch.low[place] = max(scratch.low[place], z)
    if gates.home[node] != 0:
        return 1.0
    part = noise_between(scratch.low[place], scratch.high[place], gates.span)
    scratch.low[place], scratch.high[place] = -np.inf, np.inf
    return part


@borrowing
def redrawn_part(
    nodes: NodeTable,
    gates: Gates,
    node: int,
    branch: int,
    code: float,
    place: int,
    scratch: Scratch,
) -> float:
    """Return the part of a category that may be drawn anew, or 1 until it is known.

    Tests that share the draw are met from the lowest, which knows the part of all draws,
    to the highest, which completes the part of the row's own category.
    """
    first, chance = nodes.first_child[node], gates.redraw[node]
    if scratch.drawn[place] == NOT_YET:
        scratch.drawn[place], scratch.own[place] = gates.drawn[first + branch], 1.0
    scratch.own[place] *= part_of_category(nodes, node, branch, code)
    if gates.home[node] != 0:
        return 1.0
    part = (1.0 - chance) * scratch.own[place] + chance * scratch.drawn[place]
    scratch.drawn[place] = NOT_YET
    # The shares of the categories need not sum to one to the last digit.
    return part / (1.0 - chance + chance * total_of(gates.drawn, first, nodes.n_children[node]))


@borrowing
def branch_part(nodes: NodeTable, gates: Gates, node: int, branch: int, row: FloatArray) -> float:
    """Return the part that ``branch`` gets of a row at a test on its own."""
    if gates.shape != NOISE and nodes.kind[node] == NUMERIC:
        over = row[nodes.feature[node]] - nodes.threshold[node]
        if not np.isnan(over):
            share = curve_share(over, nodes.below[node], nodes.above[node], gates.shape)
            if share < gates.drop:
                share = 0.0
            elif 1.0 - share < gates.drop:
                share = 1.0
            return share if branch == 0 else 1.0 - share
    taken = branch_of(nodes, node, row)
    if taken == SPREADS:
        return branch_share(nodes, node, branch)
    return 1.0 if taken == branch else 0.0


@borrowing
def write_factors(
    nodes: NodeTable,
    gates: Gates,
    row: FloatArray,
    path: Path,
    n_tests: int,
    scratch: Scratch,
    factor: FloatArray,
) -> None:
    """Write the factor of each feature of ``path``; their product is the mass at the leaf."""
    for place in range(factor.size):
        factor[place] = 1.0
        scratch.low[place], scratch.high[place] = -np.inf, np.inf
        scratch.drawn[place] = NOT_YET
    for step in range(n_tests):
        node, branch, place = path.test[step], path.branch[step], path.place[step]
        value = row[nodes.feature[node]]
        if gates.sd[node] != 0.0 and not np.isnan(value):
            factor[place] *= noise_part(nodes, gates, node, branch, value, place, scratch)
        elif gates.redraw[node] != 0.0 and not np.isnan(value):
            factor[place] *= redrawn_part(nodes, gates, node, branch, value, place, scratch)
        else:
            factor[place] *= branch_part(nodes, gates, node, branch, row)


@borrowing
def zeros_of(factor: FloatArray) -> int:
    """Return the features whose factor is 0, as bits; those that do not fit are left out."""
    bits = np.int64(0)
    for place in range(min(factor.size, N_BITS)):
        if factor[place] == 0.0:
            bits |= np.int64(1) << place
    return bits  # type: ignore[return-value]


@borrowing
def add_pair(a: FloatArray, b: FloatArray, rules: Rules, scratch: Scratch) -> None:
    """Add to ``phi`` the Shapley values of a row with factors ``a`` against one with ``b``."""
    common, n_apart = 1.0, 0
    for place in range(a.size):
        if a[place] == b[place]:
            common *= a[place]
        else:
            scratch.apart[n_apart] = place
            scratch.start[n_apart], scratch.step[n_apart] = b[place], a[place] - b[place]
            n_apart += 1
    n_points = (n_apart + 1) // 2
    for k in range(n_points):
        t, product = rules.point[n_points, k], rules.weight[n_points, k] * common
        for i in range(n_apart):
            scratch.before[i] = product
            scratch.blend[i] = scratch.start[i] + t * scratch.step[i]
            product *= scratch.blend[i]
        after = 1.0
        for i in range(n_apart - 1, -1, -1):
            scratch.phi[scratch.apart[i]] += scratch.step[i] * (scratch.before[i] * after)
            after *= scratch.blend[i]


@borrowing
def add_leaf(
    response: FloatArray,
    feature: IndexArray,
    a: FloatArray,
    b: FloatArray,
    zeros: AnyArray,
    rules: Rules,
    scratch: Scratch,
    out: AnyArray,
) -> None:
    """Add to ``out`` what one leaf contributes, averaged over the background."""
    n_background, n_tested = b.shape
    for j in range(n_background):
        zeros[j] = zeros_of(b[j])
    for i in range(a.shape[0]):
        scratch.phi[:n_tested] = 0.0
        own_zeros = zeros_of(a[i])
        for j in range(n_background):
            # With a zero in common, no mixture of the two rows reaches the leaf.
            if own_zeros & zeros[j] == 0:
                add_pair(a[i], b[j], rules, scratch)
        for place in range(n_tested):
            mean = scratch.phi[place] / n_background
            for k in range(response.size):
                out[i, feature[place], k] += mean * response[k]


@long_kernel
def add_shapley(
    nodes: NodeTable,
    gates: Gates,
    parent: IndexArray,
    response: FloatArray,
    X: FloatArray,
    background: FloatArray,
    rules: Rules,
    depth: int,
    out: AnyArray,
) -> None:
    """Add the Shapley values of the rows of ``X`` to ``out``, rows by features by outputs."""
    path = Path(
        np.empty(depth, np.int32),
        np.empty(depth, np.int32),
        np.empty(depth, np.int32),
        np.empty(depth, np.int32),
    )
    scratch = Scratch(
        np.empty(depth),
        np.empty(depth),
        np.empty(depth),
        np.empty(depth),
        np.empty(depth, np.int32),
        np.empty(depth),
        np.empty(depth),
        np.empty(depth),
        np.empty(depth),
        np.empty(depth),
    )
    zeros = np.empty(background.shape[0], np.int64)
    for leaf in range(nodes.kind.size):
        if nodes.kind[leaf] != LEAF or stop_requested():
            continue
        n_tests, n_tested = trace(nodes, parent, leaf, path)
        a, b = np.empty((X.shape[0], n_tested)), np.empty((background.shape[0], n_tested))
        for i in range(X.shape[0]):
            write_factors(nodes, gates, X[i], path, n_tests, scratch, a[i])
        for j in range(background.shape[0]):
            write_factors(nodes, gates, background[j], path, n_tests, scratch, b[j])
        add_leaf(response[leaf], path.feature, a, b, zeros, rules, scratch, out)
