"""What the flows are built from: checked input, blocks of rows, sparse results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.tree import NOMINAL, Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from softwood._kernels.flow.gates import Gates

BLOCK_ROWS = 4096  # a long run can be interrupted between blocks
LEAVES_PER_ROW = 8  # room to begin with; it grows
LEAST_DROP = 1e-15  # smaller masses need the kernel that keeps their digits
LARGEST = np.finfo(np.float64).max
SUM_TO_ONE = 1e-6  # shares may miss the sum of 1 by this much

# -- input -------------------------------------------------------------------


def checked_rows(tree: Tree, X: Any) -> FloatArray:
    """Return ``X`` as kernels want it, or complain about its shape."""
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2:
        raise ValueError(f"X must be 2-D, rows by features; got shape {X.shape}")
    if X.shape[1] != tree.n_features:
        raise ValueError(f"X has {X.shape[1]} columns, but the tree reads {tree.n_features}")
    return frozen(X)


def checked_response(tree: Tree, response: Any) -> FloatArray:
    """Return ``response``, or the tree's own, as kernels want it."""
    if response is None:
        return tree.response
    response = np.asarray(response, dtype=np.float64)
    if response.ndim != 2 or response.shape[0] != tree.n_nodes:
        raise ValueError(
            f"response must have one row for each of the {tree.n_nodes} nodes; "
            f"got shape {response.shape}"
        )
    return frozen(response)


def frozen(array: FloatArray) -> FloatArray:
    """Return a contiguous read-only view: writable arrays would need kernels of their own."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def canonical_scale(scale: Any) -> float | tuple[float, ...]:
    """Return ``scale`` as a float, or a tuple of them, that can be compared and printed."""
    values = np.asarray(scale, dtype=np.float64)
    if values.ndim > 1:
        raise ValueError(
            f"scale must be a number or one for each feature; got shape {values.shape}"
        )
    if not (np.isfinite(values).all() and (values >= 0.0).all()):
        raise ValueError(f"scale must be finite and not negative; got {scale!r}")
    return float(values) if values.ndim == 0 else tuple(values.tolist())


def scale_of_features(scale: float | Sequence[float], tree: Tree) -> FloatArray:
    """Return the scale of each feature of ``tree``."""
    values = np.asarray(scale, dtype=np.float64)
    if values.ndim == 0:
        return np.full(tree.n_features, values)
    if values.size != tree.n_features:
        raise ValueError(
            f"scale has {values.size} entries, but the tree reads {tree.n_features} features"
        )
    return values


def check_drop(drop: float) -> None:
    """Complain unless ``drop`` is a mass that may be neglected."""
    if not 0.0 <= drop < 0.5:
        raise ValueError(f"drop must be at least 0 and less than 0.5; got {drop!r}")


def canonical_marginals(marginals: Any) -> tuple[tuple[float, ...], ...]:
    """Return ``marginals`` as tuples of floats that can be compared and printed."""
    made = tuple(tuple(float(part) for part in shares) for shares in marginals)
    for feature, shares in enumerate(made):
        if shares and not (min(shares) >= 0.0 and abs(sum(shares) - 1.0) <= SUM_TO_ONE):
            raise ValueError(
                f"marginals must be shares that sum to 1 for each feature; got {shares} "
                f"for feature {feature}"
            )
    return made


def checked_redraw(redraw: float, marginals: Sequence[Sequence[float]]) -> float:
    """Return a probability, or complain that it is none, or that nothing can be drawn."""
    if not 0.0 <= redraw <= 1.0:
        raise ValueError(f"redraw must be at least 0 and at most 1; got {redraw!r}")
    if redraw > 0.0 and not marginals:
        raise ValueError(f"redraw {redraw!r} needs marginals, the shares of the categories")
    return float(redraw)


def marginals_of_features(
    marginals: Sequence[Sequence[float]], tree: Tree
) -> Sequence[Sequence[float]]:
    """Return the shares of the categories of each feature of ``tree``, or nothing."""
    if marginals and len(marginals) != tree.n_features:
        raise ValueError(
            f"marginals has {len(marginals)} entries, but the tree reads {tree.n_features} features"
        )
    return marginals


# -- kernels, a block of rows at a time ---------------------------------------


def leaf_or_none(tree: Tree, X: FloatArray) -> tuple[IndexArray, int]:
    """Return the leaf of each row, -1 where the row spreads, and how many do."""
    from softwood._kernels.flow.route import leaf_of_rows

    leaf = np.empty(X.shape[0], np.int32)
    return leaf, leaf_of_rows(tree.nodes, X, leaf)


def predict_softly(tree: Tree, gates: Gates, X: FloatArray, response: FloatArray) -> FloatArray:
    """Return leaf mass @ leaf response."""
    if not goes_by_blocks(tree, gates):
        return _predict_row_by_row(tree, gates, X, response)
    most = most_in_blocks(tree)
    if X.max(initial=0.0) <= most and X.min(initial=0.0) >= -most:  # not so with NaN
        return _predict_by_blocks(tree, gates, X, response)
    ordinary = (np.abs(X) <= most).all(axis=1)
    predicted = np.empty((X.shape[0], response.shape[1]))
    for rows, predict in ((ordinary, _predict_by_blocks), (~ordinary, _predict_row_by_row)):
        predicted[rows] = predict(tree, gates, frozen(X[rows]), response)
    return predicted


def goes_by_blocks(tree: Tree, gates: Gates) -> bool:
    """Whether the faster kernel can do it: binary tests, noise, no need for the last digits."""
    from softwood._kernels.flow.gates import NOISE
    from softwood._kernels.flow.spread_blocks import LEAST_SD

    if gates.shape != NOISE or gates.drop < LEAST_DROP or (tree.kind == NOMINAL).any():
        return False
    # It multiplies by the reciprocal of the noise, so this must be a number.
    return not ((gates.sd != 0.0) & (np.abs(gates.sd) < LEAST_SD)).any()


def most_in_blocks(tree: Tree) -> float:
    """Return up to which size the values of a row are, so that no sum of a test overflows."""
    if not tree.term_weight.size:
        return float(LARGEST / 4.0)
    with np.errstate(over="ignore"):
        total = np.bincount(tree.term_owner, np.abs(tree.term_weight), minlength=tree.n_nodes)
    return float(LARGEST / 4.0 / max(1.0, float(total.max())))


def _predict_by_blocks(tree: Tree, gates: Gates, X: FloatArray, response: FloatArray) -> FloatArray:
    from softwood._kernels.flow.spread_blocks import predict_blocks, shared_cuts
    from softwood._kernels.normal import cdf_table

    predicted, table = np.empty((X.shape[0], response.shape[1])), cdf_table()
    cuts = shared_cuts(tree.nodes, gates.sd, X.shape[0])
    for start in range(0, X.shape[0], BLOCK_ROWS):
        rows = slice(start, start + BLOCK_ROWS)
        predict_blocks(tree.nodes, gates, X[rows], response, table, *cuts, predicted[rows])
    return predicted


def _predict_row_by_row(
    tree: Tree, gates: Gates, X: FloatArray, response: FloatArray
) -> FloatArray:
    from softwood._kernels.flow.spread import predict_rows

    predicted = np.empty((X.shape[0], response.shape[1]))
    for start in range(0, X.shape[0], BLOCK_ROWS):
        rows = slice(start, start + BLOCK_ROWS)
        predict_rows(tree.nodes, gates, X[rows], response, predicted[rows])
    return predicted


def spread_hard(tree: Tree, X: FloatArray) -> csr_array:
    """Return the mass of each row at each leaf of a hard tree."""
    from softwood._kernels.flow.gates import hard_gates

    leaf, n_spreading = leaf_or_none(tree, X)
    if n_spreading:
        return spread_softly(tree, hard_gates(tree.nodes), X)
    return leaf_matrix(tree, np.arange(leaf.size + 1), leaf, np.ones(leaf.size))


def spread_softly(tree: Tree, gates: Gates, X: FloatArray) -> csr_array:
    """Return the mass of each row at each leaf."""
    blocks = range(0, max(X.shape[0], 1), BLOCK_ROWS)
    parts = [_spread_block(tree, gates, X[start : start + BLOCK_ROWS]) for start in blocks]
    counts, leaf, mass = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return leaf_matrix(tree, np.concatenate(([0], np.cumsum(counts))), leaf, mass)


def _spread_block(
    tree: Tree, gates: Gates, X: FloatArray
) -> tuple[AnyArray, IndexArray, FloatArray]:
    """Return the number of leaves of each row, the leaves and their masses."""
    from softwood._kernels.flow.spread import spread_rows

    indptr = np.zeros(X.shape[0] + 1, np.int64)
    room = X.shape[0] * LEAVES_PER_ROW
    leaf, mass, done = np.empty(room, np.int32), np.empty(room), 0
    while (done := spread_rows(tree.nodes, gates, X, done, indptr, leaf, mass)) < X.shape[0]:
        more = leaf.size + tree.n_nodes  # at least doubles, and has room for any one row
        leaf = np.concatenate([leaf, np.empty(more, np.int32)])
        mass = np.concatenate([mass, np.empty(more)])
    return np.diff(indptr), leaf[: indptr[-1]], mass[: indptr[-1]]


def leaf_matrix(tree: Tree, indptr: AnyArray, leaf: IndexArray, mass: FloatArray) -> csr_array:
    """Return the matrix of rows by leaves whose entries are at nodes ``leaf``, ascending."""
    from scipy.sparse import csr_array

    column = np.cumsum(tree.is_leaf, dtype=np.int32) - 1
    matrix = csr_array((mass, column[leaf], indptr), shape=(indptr.size - 1, tree.n_leaves))
    matrix.has_canonical_format = True
    return matrix


def leaves_to_nodes(tree: Tree, used: AnyArray) -> csr_array:
    """Return the matrix of leaves by the nodes on their paths: 1 in the rows of ``used`` leaves.

    Few rows come by few leaves: the paths of all others would be most of the work.
    """
    from scipy.sparse import csr_array

    parent, node, row = tree.parent, tree.leaves[used], used
    rows, nodes = [row[:0]], [node[:0]]
    while node.size:
        rows.append(row)
        nodes.append(node)
        node = parent[node]
        node, row = node[node >= 0], row[node >= 0]
    at = (np.concatenate(rows), np.concatenate(nodes))
    return csr_array((np.ones(at[0].size), at), shape=(tree.n_leaves, tree.n_nodes))


def heaviest(mass: csr_array) -> AnyArray:
    """Return the column of the largest entry of each row, the first among equals."""
    starts = mass.indptr[:-1]
    row = np.repeat(np.arange(starts.size), np.diff(mass.indptr))
    is_largest = mass.data == np.maximum.reduceat(mass.data, starts)[row]
    _, first = np.unique(row[is_largest], return_index=True)
    columns: AnyArray = mass.indices[is_largest][first]
    return columns
