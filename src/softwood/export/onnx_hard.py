"""Hard trees as one TreeEnsemble, which finds the leaf of each tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.export.levels import Grove
from softwood.export.onnx_algebra import ML, Graph, OnnxAlgebra, rounded_down
from softwood.export.shares import category_parts, missing_shares
from softwood.tree import LEAF, NOMINAL, OBLIQUE, Tree

LEQ = 0  # the mode of all nodes


def tree_ensemble(graph: Graph, algebra: OnnxAlgebra, grove: Grove) -> str:
    """Return the sum of the answers of trees in which no row spreads.

    Runtimes fail on large sets of categories, and refuse chains of comparisons that lead to the
    same child; so the branch of each category is looked up, and trees compare that: it is a
    further column, as oblique sums are. A leaf has a single answer in an ensemble, so what it
    tells is where the answers are.
    """
    table = _Table(grove)
    parts = [algebra.rows]
    if table.oblique:
        parts.append(algebra.sums(table.oblique))
    parts += [algebra.lookup(feature, branch) for feature, branch in table.lookups()]
    rows = graph.op("Concat", *parts, axis=1) if len(parts) > 1 else algebra.rows
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
        self.nodes: list[list[Any]] = []  # feature, cut, true, true is leaf, false, ..., gap
        self.roots: list[int] = []
        self.targets: list[int] = []
        self.answers: list[FloatArray] = []
        self.oblique: list[tuple[Any, Any]] = []
        self.nominal: dict[int, dict[bytes, int]] = {}  # branches of codes, by feature
        self._waiting: dict[int, tuple[int, int]] = {}  # nodes: their feature, place in nominal
        for k, tree in enumerate(grove.trees):
            self._add(k, tree)
        self._place_columns()

    def attributes(self, dtype: type) -> dict[str, Any]:
        from onnx import numpy_helper

        feature, cut, yes, yes_leaf, no, no_leaf, gap = map(list, zip(*self.nodes, strict=True))
        cuts, places = np.array(cut, dtype=float), np.arange(len(self.targets))
        return {
            "n_targets": len(self.roots),
            "tree_roots": self.roots,
            "nodes_modes": numpy_helper.from_array(np.full(len(cut), LEQ, np.uint8)),
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
                place[node] = self._branches(tree, node, children)
            else:
                gap = int(tree.missing_child[node] == 0)
                cut = float(tree.threshold[node])
                yes, no = children
                place[node] = self._node(self._column(tree, node), cut, yes, no, gap)
        if place[0][1]:  # a tree that is a leaf: a test whose outcome does not matter
            place[0] = self._node(0, 0.0, place[0], place[0], 0)
        elif self._looks_like_a_leaf(place[0][0]):
            place[0] = self._hidden(place[0], k)
        self.roots.append(place[0][0])

    def _looks_like_a_leaf(self, root: int) -> bool:
        """Return whether a leaf and a node of the same number are below: runtimes mix them up."""
        _, _, yes, yes_leaf, no, no_leaf, _ = self.nodes[root]
        return bool(yes == no and yes_leaf != no_leaf)

    def _hidden(self, root: tuple[int, int], k: int) -> tuple[int, int]:
        """Return another root, above, with a leaf that no row reaches."""
        while True:
            self.targets.append(k)
            self.answers.append(np.zeros_like(self.answers[-1][:1]))
            unreached = len(self.targets) - 1
            if unreached != root[0]:
                return self._node(0, -np.inf, (unreached, 1), root, 0)

    def _node(
        self, feature: int, cut: float, yes: tuple[int, int], no: tuple[int, int], gap: int
    ) -> tuple[int, int]:
        self.nodes.append([feature, cut, *yes, *no, gap])
        return len(self.nodes) - 1, 0

    def _column(self, tree: Tree, node: int) -> int:
        if tree.kind[node] != OBLIQUE:
            return int(tree.feature[node])
        terms = slice(tree.term_start[node], tree.term_start[node + 1])
        self.oblique.append((tree.term_feature[terms], tree.term_weight[terms]))
        return self.n_features + len(self.oblique) - 1

    def _branches(self, tree: Tree, node: int, children: list[tuple[int, int]]) -> tuple[int, int]:
        """Return the first of comparisons that find the child by its branch."""
        feature = int(tree.feature[node])
        parts = category_parts(tree, node, int(self.grove.n_categories[feature]))
        branch = parts.argmax(axis=1).astype(float)  # rows that spread do not come here
        known = self.nominal.setdefault(feature, {})
        at = children[-1]
        for b in reversed(range(len(children) - 1)):
            at = self._node(-1, b + 0.5, children[b], at, 0)
            self._waiting[at[0]] = feature, known.setdefault(branch.tobytes(), len(known))
        return at

    def _place_columns(self) -> None:
        """Say in which columns the branches are: after the rows and the oblique sums."""
        first, start = self.n_features + len(self.oblique), {}
        for feature, known in self.nominal.items():
            start[feature] = first
            first += len(known)
        for node, (feature, at) in self._waiting.items():
            self.nodes[node][0] = start[feature] + at

    def lookups(self) -> list[tuple[int, FloatArray]]:
        """Return features of categories, and their branches: a row for each code."""
        return [
            (feature, np.column_stack([np.frombuffer(branch) for branch in known]))
            for feature, known in self.nominal.items()
        ]
