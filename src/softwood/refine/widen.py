"""Widen the margins of a tree: other tests that divide its training rows in the same way.

The margin of a test is the distance of the nearest training row to where it changes sides.
Among all hyperplanes that send the rows of a node where its test sends them, one has the
widest margin; FAT puts it in place of the test (Wu, Bennett, Cristianini and Shawe-Taylor
2000, section 4.2). Leaves, responses and the leaf of every training row stay as they are.

Distances are Euclidean, in the units of the columns: scale columns of very different units
before the tree is grown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import BoolArray, FloatArray, IndexArray
from softwood.refine.max_margin import widest_gap
from softwood.refine.node_rows import NodeRows, compared, weights_of
from softwood.tree import NOMINAL, NONE, NUMERIC, OBLIQUE, Tree

AXES = ("turn", "keep")
WORTH_TURNING = 1e-6  # a margin has to grow by this share of it for a test to turn

Terms = tuple[IndexArray, FloatArray]  # features and weights of an oblique test


def node_margins(tree: Tree, X: Any) -> FloatArray:
    """Return the distance of the nearest row to the threshold of each test.

    Parameters
    ----------
    tree : Tree
        The tree.
    X : array-like of shape (n_rows, n_features)
        Rows; those that reach a node and have the values of its test count there.

    Returns
    -------
    ndarray of shape (n_nodes,)
        Euclidean distances. NaN at leaves and nominal tests; infinite at a test that no row
        gets to.

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> X = [[0.0, 0.0], [1.0, 0.0], [4.0, 0.0]]
    >>> node_margins(CARTClassifier().fit(X, ["a", "a", "b"]).tree_, X)
    array([1.5, nan, nan])
    """
    rows = NodeRows.of(tree, X)
    margins = np.full(tree.n_nodes, np.nan)
    for node, division in _divisions(tree, rows).items():
        margins[node] = division.margin(float(tree.threshold[node]))
    return margins


def widen_tree(tree: Tree, X: Any, *, axis: str = "turn", numeric: Any = None) -> Tree:
    """Return a tree with the widest margins that divides the rows in the same way.

    Every margin is at least what it was. A hyperplane uses the features of the test that it
    replaces, and those that no row at the node lacks. A row that lacks a value of the old
    test has no say in the new one, and goes where it went. Nominal tests stay, as do tests
    with rows on one side only. The widths of soft tests stay, too, as distances.

    Parameters
    ----------
    tree : Tree
        The tree; it is not changed.
    X : array-like of shape (n_rows, n_features)
        The rows, as the tree reads them: those that it was grown on.
    axis : {"turn", "keep"}, default="turn"
        Whether numeric tests become hyperplanes, or stay tests of one feature, with the
        threshold in the middle between the nearest rows. Oblique tests always turn.
    numeric : array-like of bool of shape (n_features,), optional
        Features that hyperplanes may use; by default all that no nominal test reads.

    Returns
    -------
    Tree
        Of the same shape.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood import CARTClassifier
    >>> X = np.array([[0.0, 0.0], [3.0, 4.0]])
    >>> tree = CARTClassifier().fit(X, ["a", "b"]).tree_
    >>> wide = widen_tree(tree, X)
    >>> wide.terms(0)[1].round(6).tolist()
    [0.6, 0.8]
    >>> [float(node_margins(either, X)[0]) for either in (tree, wide)]
    [1.5, 2.5]
    """
    if axis not in AXES:
        raise ValueError(f"axis must be one of {', '.join(AXES)}; got {axis!r}")
    rows = NodeRows.of(tree, X)
    allowed = _allowed(tree, numeric)
    before = {k: division for k, division in _divisions(tree, rows).items() if division.has_both}
    terms: dict[int, Terms] = {}
    for node, division in before.items():
        if axis == "turn" or tree.kind[node] == OBLIQUE:
            found = _widest_terms(tree, rows, node, division, allowed)
            terms |= {node: found} if found is not None else {}
    after = _divisions(_with_terms(tree, terms), rows, before)
    threshold = tree.threshold.copy()
    for node, division in before.items():
        threshold[node] = division.best_of(float(threshold[node]), division.middle)
        least = division.margin(float(threshold[node]))
        # What counts is how the sums of the routing come out, not those of the search.
        if node in terms and after[node].margin(after[node].middle) > least * (1 + WORTH_TURNING):
            threshold[node] = after[node].middle
        else:
            terms.pop(node, None)
    return _with_terms(tree, terms, threshold)


@dataclass(frozen=True, slots=True, eq=False)
class _Division:
    """How the rows at a node are divided, and where the two sides end.

    Attributes
    ----------
    known : ndarray of bool
        The rows that have all values of the test.
    is_left : ndarray of bool
        The known rows that go left.
    low, high : float
        The largest value on the left, and the smallest on the right.
    norm : float
        By how much the value changes over a distance of 1.
    """

    known: BoolArray
    is_left: BoolArray
    low: float
    high: float
    norm: float

    @classmethod
    def of(cls, values: FloatArray, is_left: BoolArray, norm: float) -> _Division:
        known = ~np.isnan(values)
        low = values[known & is_left].max(initial=-np.inf)
        high = values[known & ~is_left].min(initial=np.inf)
        return cls(known, known & is_left, float(low), float(high), norm)

    @property
    def has_both(self) -> bool:
        return bool(np.isfinite(self.low) and np.isfinite(self.high) and self.norm > 0.0)

    @property
    def middle(self) -> float:
        return self.low + (self.high - self.low) / 2.0

    def margin(self, threshold: float) -> float:
        """Return the margin of a threshold; that of one which moves a row is negative."""
        if not self.low <= threshold < self.high:
            return -np.inf
        nearest = min(threshold - self.low, self.high - threshold)
        return nearest / self.norm if self.norm > 0.0 else np.inf

    def best_of(self, old: float, new: float) -> float:
        return new if self.margin(new) >= self.margin(old) else old


def _divisions(
    tree: Tree, rows: NodeRows, as_before: dict[int, _Division] | None = None
) -> dict[int, _Division]:
    """Return how the tests divide their rows; the sides may be those of another tree."""
    values, made = rows.values(tree), {}
    for node in compared(tree) if as_before is None else as_before:
        own = values[rows.part(node)]
        is_left = own <= tree.threshold[node] if as_before is None else as_before[node].is_left
        made[node] = _Division.of(own, is_left, float(np.linalg.norm(weights_of(tree, node))))
    return made


def _allowed(tree: Tree, numeric: Any) -> BoolArray:
    if numeric is None:
        allowed = np.ones(tree.n_features, dtype=bool)
        allowed[tree.feature[tree.kind == NOMINAL]] = False
        return allowed
    allowed = np.asarray(numeric)
    if allowed.shape != (tree.n_features,) or allowed.dtype != np.bool_:
        raise ValueError(
            f"numeric must be {tree.n_features} booleans, one for each feature; got "
            f"{allowed.dtype} of shape {allowed.shape}"
        )
    return allowed


def _widest_terms(
    tree: Tree, rows: NodeRows, node: int, division: _Division, allowed: BoolArray
) -> Terms | None:
    """Return the terms of the hyperplane that keeps both sides of a node farthest apart."""
    weights, X = weights_of(tree, node), rows.X[rows.at(node)]
    used = np.unique(tree.feature[[node]] if tree.kind[node] == NUMERIC else tree.terms(node)[0])
    if np.isinf(X[:, used]).any():
        return None  # there are no distances
    points, is_left = X[division.known], division.is_left[division.known]
    usable = np.isfinite(points).all(axis=0) & np.any(points != points[0], axis=0)
    features = np.flatnonzero(usable & (allowed | (weights != 0.0)))
    points = points[:, features]
    gap = widest_gap(points[is_left], points[~is_left], weights[features])
    widest = np.zeros(tree.n_features)
    widest[features] = gap.direction * division.norm
    # A row that lacked a value of the old test has to lack one of the new test.
    needed = np.zeros(tree.n_features, dtype=bool)
    needed[used] = np.isnan(X[:, used]).any(axis=0)
    kept = np.flatnonzero((widest != 0.0) | needed).astype(np.int32)
    return kept, widest[kept]


def _with_terms(tree: Tree, terms: dict[int, Terms], threshold: FloatArray | None = None) -> Tree:
    """Return the tree with oblique tests in the place of some, and perhaps other thresholds."""
    inner = {k: tree.terms(k) for k in np.flatnonzero(tree.kind == OBLIQUE).tolist()} | terms
    counts = np.zeros(tree.n_nodes, dtype=np.int32)
    kind, feature = tree.kind.copy(), tree.feature.copy()
    for node, (features, _) in inner.items():
        kind[node], feature[node], counts[node] = OBLIQUE, NONE, features.size
    ordered = [inner[node] for node in sorted(inner)]
    return tree.replace(
        kind=kind,
        feature=feature,
        threshold=tree.threshold if threshold is None else threshold,
        term_start=np.concatenate(([0], np.cumsum(counts))),
        term_feature=np.concatenate([tree.term_feature[:0], *(f for f, _ in ordered)]),
        term_weight=np.concatenate([tree.term_weight[:0], *(w for _, w in ordered)]),
    )
