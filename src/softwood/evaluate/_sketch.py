"""What can be compared of the trees of two models: columns, importances, tests at the top."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.interop.imported import import_model
from softwood.refine.gains import feature_importances
from softwood.tree import NUMERIC, Tree

TOP = 3  # levels of tests that count as the top
NO_CUT = float("nan")


@dataclass(frozen=True, slots=True)
class Sketch:
    """The trees of a fitted model in a few strokes.

    Attributes
    ----------
    n_leaves : float
        Leaves of all trees; NaN if the model has none.
    columns : frozenset of int
        The columns that are tested.
    importance : ndarray or None
        Their shares in what the tests gain.
    top : frozenset of (str, tuple of int)
        Of a single tree: places in its first three levels, as the branches that lead there, and
        the columns tested at each.
    root : tuple of int or None
        The columns of the first test of a single tree; empty if it has none.
    cut : float
        Where that cuts, if it is a test of one number.
    left : float
        Share of its training weight that goes to its first branch.
    """

    n_leaves: float = NO_CUT
    columns: frozenset[int] | None = None
    importance: FloatArray | None = None
    top: frozenset[tuple[str, tuple[int, ...]]] | None = None
    root: tuple[int, ...] | None = None
    cut: float = NO_CUT
    left: float = NO_CUT

    @classmethod
    def of(cls, model: Any) -> Sketch:
        """Return the sketch of a fitted model; an empty one if it is not made of trees."""
        try:
            imported = import_model(model)
        except (TypeError, NotImplementedError, ValueError):
            return cls()
        forest = imported.forest
        used = frozenset(c for tree in forest.trees for c in _columns_tested(tree))
        shares = np.mean([feature_importances(tree) for tree in forest.trees], axis=0)
        if not imported.is_single_tree:
            return cls(forest.n_leaves, used, shares)
        tree = forest.trees[0]
        is_cut = tree.kind[0] == NUMERIC
        return cls(
            forest.n_leaves,
            used,
            shares,
            top=_top(tree),
            root=_tested(tree, 0),
            cut=float(tree.threshold[0]) if is_cut else NO_CUT,
            left=float(tree.weight[1] / tree.weight[0]) if tree.n_nodes > 1 else NO_CUT,
        )


def _columns_tested(tree: Tree) -> set[int]:
    return {*tree.feature[tree.feature >= 0].tolist(), *tree.term_feature.tolist()}


def _tested(tree: Tree, node: int) -> tuple[int, ...]:
    if tree.n_children[node] == 0:
        return ()
    feature = int(tree.feature[node])
    return (feature,) if feature >= 0 else tuple(sorted(set(tree.terms(node)[0].tolist())))


def _top(tree: Tree) -> frozenset[tuple[str, tuple[int, ...]]]:
    found = []
    waiting = [(0, "")]
    while waiting:
        node, way = waiting.pop()
        children = tree.children(node)
        if len(children) == 0:
            continue
        found.append((way, _tested(tree, node)))
        if way.count("/") < TOP - 1:
            waiting.extend((child, f"{way}{branch}/") for branch, child in enumerate(children))
    return frozenset(found)


def jaccard(a: frozenset[Any] | None, b: frozenset[Any] | None) -> float:
    """Return what two sets have in common, as a share of what is in either; 1 of empty ones.

    Examples
    --------
    >>> jaccard(frozenset({1, 2}), frozenset({2, 3})), jaccard(frozenset(), frozenset())
    (0.3333333333333333, 1.0)
    """
    if a is None or b is None:
        return float("nan")
    return len(a & b) / len(a | b) if a | b else 1.0


def overlap(a: FloatArray | None, b: FloatArray | None) -> float:
    """Return how much of the importances two models share; 1 if neither has any."""
    if a is None or b is None:
        return float("nan")
    if not a.any() and not b.any():
        return 1.0
    return float(np.minimum(a, b).sum())
