"""Rows to ask trees about when none are at hand, drawn from the leaves of the trees themselves.

A leaf is drawn in proportion to its training weight. What its path says of a column holds of the
row; any other column gets a value near one of the cuts that trees make there, which lie where
the training rows lay. Oblique tests say too little of single columns: with them every column is
drawn by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.explain.conditions import Condition, conditions_of
from softwood.tree import NOMINAL, NUMERIC, OBLIQUE, Tree

LARGEST = float(np.finfo(np.float64).max)
INNER = (0.1, 0.9)  # quantiles between which cuts of oblique tests are believed


def probe_rows(trees: Sequence[Tree], n_rows: int, seed: int = 0) -> FloatArray:
    """Return rows that are like those the trees were grown on, as far as the trees can tell.

    Parameters
    ----------
    trees : sequence of Tree
        At least one.
    n_rows : int
        How many rows.
    seed : int, default=0
        The same seed draws the same rows.

    Returns
    -------
    ndarray of shape (n_rows, n_features)

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> from softwood.explain._probes import probe_rows
    >>> model = CARTClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "a"])
    >>> sorted(set(probe_rows([model.tree_], 50)[:, 0].tolist()))
    [1.0, 2.0, 3.0]
    """
    rng = np.random.default_rng(seed)
    cells, n_categories = _cells(trees), _n_categories(trees)
    rows = np.zeros((n_rows, trees[0].n_features))
    for feature, own in cells.items():
        rows[:, feature] = own[rng.integers(own.size, size=n_rows)]
    for feature, size in n_categories.items():
        rows[:, feature] = rng.integers(size, size=n_rows)
    for i in range(n_rows):
        tree = trees[i % len(trees)]
        for condition in conditions_of(tree, _drawn_leaf(tree, rng), tree.parent):
            if condition.step is None:
                allowed = _allowed(condition, cells)
                rows[i, condition.feature] = allowed[rng.integers(allowed.size)]
    return rows


def _drawn_leaf(tree: Tree, rng: np.random.Generator) -> int:
    leaves = tree.leaves
    total = np.cumsum(tree.weight[leaves])
    return int(leaves[min(np.searchsorted(total, rng.random() * total[-1]), leaves.size - 1)])


def _allowed(condition: Condition, cells: dict[int, FloatArray]) -> AnyArray:
    """Return the values that meet a condition; some do, because its ends are cuts."""
    if condition.codes is not None:
        return np.array(condition.codes or [-1.0], dtype=np.float64)
    values = cells[condition.feature]
    inside = values[(values > condition.low) & (values <= condition.high)]
    return inside if inside.size else np.array([min(condition.high, LARGEST)])


def _n_categories(trees: Sequence[Tree]) -> dict[int, int]:
    sizes: dict[int, int] = {}
    for tree in trees:
        for node in np.flatnonzero(tree.kind == NOMINAL).tolist():
            sizes[int(tree.feature[node])] = tree.branch_of_category(node).size
    return sizes


def _cells(trees: Sequence[Tree]) -> dict[int, FloatArray]:
    """Return for each feature one value between every two neighbouring cuts, and beyond them."""
    kinds = [tree.kind == NUMERIC for tree in trees]
    features = np.concatenate([t.feature[is_cut] for t, is_cut in zip(trees, kinds, strict=True)])
    cuts = np.concatenate([t.threshold[is_cut] for t, is_cut in zip(trees, kinds, strict=True)])
    order = np.argsort(features, kind="stable")
    tested, starts = np.unique(features[order], return_index=True)
    # Without any cut, numpy splits nothing into one part.
    groups = np.split(cuts[order], starts[1:])[: tested.size]
    parts = dict(zip(tested.tolist(), groups, strict=True))
    for feature, more in _oblique_cuts(trees).items():
        parts[feature] = np.concatenate((parts.get(feature, np.zeros(0)), more))
    return {feature: _between(np.unique(own)) for feature, own in parts.items()}


def _between(cuts: FloatArray) -> FloatArray:
    apart = (cuts[-1] / 2 - cuts[0] / 2) / max(cuts.size - 1, 1)  # half of it: it may be vast
    apart = apart or max(0.5, abs(float(cuts[0])) / 2)
    middle = cuts[:-1] / 2 + cuts[1:] / 2
    # Between neighbours among the floats there is nothing but the upper one.
    middle = np.where((middle > cuts[:-1]) & (middle < cuts[1:]), middle, cuts[1:])
    with np.errstate(over="ignore"):
        ends = np.concatenate(([cuts[0] - apart], middle, [cuts[-1] + apart]))
    return np.clip(ends, -LARGEST, LARGEST)


def _oblique_cuts(trees: Sequence[Tree]) -> dict[int, FloatArray]:
    """Return where oblique tests cut each column if the others are at their middle.

    The middle is the point nearest to all hyperplanes: they pass through the training rows.
    """
    tests = [(tree, node) for tree in trees for node in np.flatnonzero(tree.kind == OBLIQUE)]
    if not tests:
        return {}
    weights, cuts = np.zeros((len(tests), trees[0].n_features)), np.zeros(len(tests))
    for i, (tree, node) in enumerate(tests):
        features, own = tree.terms(int(node))
        np.add.at(weights[i], features, own)
        cuts[i] = tree.threshold[node]
    size = np.sqrt((weights**2).sum(axis=1, keepdims=True))
    size[size == 0.0] = 1.0
    middle = np.linalg.lstsq(weights / size, cuts / size[:, 0], rcond=None)[0]
    rest = cuts - weights @ middle
    found = {}
    for feature in np.flatnonzero(weights.any(axis=0)).tolist():
        at = weights[:, feature] != 0.0
        places = middle[feature] + rest[at] / weights[at, feature]
        found[feature] = np.clip(places, *np.quantile(places, INNER))
    return found
