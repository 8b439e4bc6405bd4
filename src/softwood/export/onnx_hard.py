"""Hard trees as one TreeEnsemble, which finds the leaf of each tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.export.levels import Grove
from softwood.export.onnx_algebra import ML, Graph, OnnxAlgebra, rounded_down
from softwood.export.shares import category_parts, missing_shares
from softwood.tree import LEAF, NOMINAL, OBLIQUE, Tree

LEQ, EQ = 0, 4  # modes of nodes


def tree_ensemble(graph: Graph, algebra: OnnxAlgebra, grove: Grove) -> str:
    """Return the sum of the answers of trees in which no row spreads.

    A set of categories is a chain of comparisons with each of them: runtimes fail on large
    sets, and join such chains themselves. A leaf has a single answer in an ensemble, so what
    it tells is where the answers are.
    """
    table = _Table(grove)
    rows = algebra.rows
    if table.oblique:
        rows = graph.op("Concat", rows, algebra.sums(table.oblique), axis=1)
    place = graph.op("TreeEnsemble", rows, domain=ML, **table.attributes(graph.dtype))
    answers = np.vstack(table.answers)
    leaves = graph.op(
        "Gather", graph.const(answers, graph.dtype), graph.cast(place, np.int64), axis=0
    )
    return graph.op("ReduceSum", leaves, graph.const([1], np.int64), keepdims=0)


def spreading(grove: Grove) -> tuple[set[int], dict[int, FloatArray]]:
    """Return where rows spread: the features whose gaps do it, and for nominal ones the codes."""
    gaps: set[int] = set()
    codes: dict[int, FloatArray] = {}
    for tree in grove.trees:
        share = missing_shares(tree)
        for node in np.flatnonzero(tree.kind != LEAF).tolist():
            feature = int(tree.feature[node])
            if tree.kind[node] == NOMINAL:
                n = int(grove.n_categories[feature])
                whole = (category_parts(tree, node, n).max(axis=1) < 1.0).astype(float)
                codes[feature] = np.maximum(codes.get(feature, 0.0), whole)
            elif share[tree.first_child[node]] not in (0.0, 1.0):
                terms = slice(tree.term_start[node], tree.term_start[node + 1])
                is_sum = tree.kind[node] == OBLIQUE
                gaps |= set(tree.term_feature[terms].tolist()) if is_sum else {feature}
    return gaps, {feature: codes[feature] for feature in codes if codes[feature].any()}


class _Table:
    """The attributes of a TreeEnsemble, as lists that grow."""

    def __init__(self, grove: Grove) -> None:
        self.grove = grove
        self.n_features = grove.n_categories.size
        self.nodes: list[list[Any]] = []  # mode, feature, cut, true, true is leaf, false, ..., gap
        self.roots: list[int] = []
        self.targets: list[int] = []
        self.answers: list[FloatArray] = []
        self.oblique: list[tuple[Any, Any]] = []
        for k, tree in enumerate(grove.trees):
            self._add(k, tree)

    def attributes(self, dtype: type) -> dict[str, Any]:
        from onnx import numpy_helper

        mode, feature, cut, yes, yes_leaf, no, no_leaf, gap = map(
            list, zip(*self.nodes, strict=True)
        )
        cuts, places = np.array(cut, dtype=float), np.arange(len(self.targets))
        return {
            "n_targets": len(self.roots),
            "tree_roots": self.roots,
            "nodes_modes": numpy_helper.from_array(np.array(mode, np.uint8)),
            "nodes_featureids": feature,
            "nodes_splits": numpy_helper.from_array(rounded_down(cuts, dtype).astype(dtype)),
            "nodes_truenodeids": yes,
            "nodes_trueleafs": yes_leaf,
            "nodes_falsenodeids": no,
            "nodes_falseleafs": no_leaf,
            "nodes_missing_value_tracks_true": gap,
            "leaf_targetids": self.targets,
            "leaf_weights": numpy_helper.from_array(places.astype(dtype)),
        }

    def _add(self, k: int, tree: Tree) -> None:
        """Add a tree: first leaves, then nodes from the last to the root."""
        leaves = tree.leaves.tolist()
        place = {leaf: (len(self.targets) + at, 1) for at, leaf in enumerate(leaves)}
        self.targets += [k] * len(leaves)
        self.answers.append(self.grove.responses[k][leaves])
        for node in np.flatnonzero(tree.kind != LEAF)[::-1].tolist():
            first = int(tree.first_child[node])
            children = [place[first + b] for b in range(int(tree.n_children[node]))]
            if tree.kind[node] == NOMINAL:
                place[node] = self._chain(tree, node, children)
            else:
                gap = int(tree.missing_child[node] == 0)
                cut = float(tree.threshold[node])
                yes, no = children
                place[node] = self._node(LEQ, self._column(tree, node), cut, yes, no, gap)
        if place[0][1]:  # a tree that is a leaf: a test whose outcome does not matter
            place[0] = self._node(LEQ, 0, 0.0, place[0], place[0], 0)
        self.roots.append(place[0][0])

    def _node(
        self,
        mode: int,
        feature: int,
        cut: float,
        yes: tuple[int, int],
        no: tuple[int, int],
        gap: int,
    ) -> tuple[int, int]:
        self.nodes.append([mode, feature, cut, *yes, *no, gap])
        return len(self.nodes) - 1, 0

    def _column(self, tree: Tree, node: int) -> int:
        if tree.kind[node] != OBLIQUE:
            return int(tree.feature[node])
        terms = slice(tree.term_start[node], tree.term_start[node + 1])
        self.oblique.append((tree.term_feature[terms], tree.term_weight[terms]))
        return self.n_features + len(self.oblique) - 1

    def _chain(self, tree: Tree, node: int, children: list[tuple[int, int]]) -> tuple[int, int]:
        """Return the first of comparisons with single categories; the last child takes the rest."""
        taken = tree.set_child[tree.set_start[node] : tree.set_start[node + 1]].tolist()
        counts = [taken.count(branch) for branch in range(len(children))]
        rest = int(np.argmax(counts))
        at, gap = children[rest], int(tree.missing_child[node])
        feature = int(tree.feature[node])
        if gap >= 0 and gap != rest:
            at = self._node(EQ, feature, -9.0, children[gap], at, 1)
        for code in reversed(range(len(taken))):
            if taken[code] not in (rest, -1):
                at = self._node(EQ, feature, float(code), children[taken[code]], at, 0)
        return at
