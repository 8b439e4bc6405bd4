"""Hard trees as nested expressions: for each answer a CASE within a CASE."""

from __future__ import annotations

import numpy as np

from softwood._types import FloatArray
from softwood.export.levels import Grove
from softwood.export.shares import category_parts, missing_shares
from softwood.export.sql_algebra import Query, literal, total_of
from softwood.tree import LEAF, NOMINAL, NUMERIC, Tree

DEEP = 8  # levels of a tree in one expression; what is below is a column of its own


def nested_answers(query: Query, grove: Grove) -> list[str]:
    """Return the sums of what the trees answer; a column for each tree and answer."""
    trees = [_Nested(query, grove, k) for k in range(len(grove.trees))]
    deepest = max(int(tree.depth.max()) for tree in trees) // DEEP
    for layer in range(deepest, 0, -1):  # from the leaves up
        columns = [tree.columns(layer) for tree in trees]
        held = query.hold(*columns)
        for tree, names in zip(trees, held, strict=True):
            tree.note(layer, names)
    roots = query.hold(*([tree.value(0, j) for j in range(tree.n_outputs)] for tree in trees))
    return [total_of(parts) for parts in zip(*roots, strict=True)]


class _Nested:
    def __init__(self, query: Query, grove: Grove, k: int) -> None:
        self.query, self.grove, self.tree = query, grove, grove.trees[k]
        self.response: FloatArray = grove.responses[k]
        self.n_outputs = self.response.shape[1]
        self.missing = missing_shares(self.tree)
        self.depth = _depths(self.tree)
        self.known: dict[tuple[int, int], str] = {}

    def roots(self, layer: int) -> list[int]:
        is_root = (self.depth == layer * DEEP) & (self.tree.kind != LEAF)
        return np.flatnonzero(is_root).tolist()

    def columns(self, layer: int) -> list[str]:
        return [self.value(n, j) for n in self.roots(layer) for j in range(self.n_outputs)]

    def note(self, layer: int, names: list[str]) -> None:
        pairs = [(n, j) for n in self.roots(layer) for j in range(self.n_outputs)]
        self.known.update(zip(pairs, names, strict=True))

    def value(self, node: int, j: int) -> str:
        """Return what the tree answers below a node; it is nested no deeper than DEEP."""
        if (node, j) in self.known:
            return self.known[node, j]
        if self.tree.kind[node] == LEAF:
            return literal(self.response[node, j])
        first = int(self.tree.first_child[node])
        children = range(first, first + int(self.tree.n_children[node]))
        values = [self.value(child, j) for child in children]
        if len(set(values)) == 1:
            return values[0]
        if self.tree.kind[node] == NOMINAL:
            return self._nominal(node, values)
        return self._cut(node, values)

    def _cut(self, node: int, values: list[str]) -> str:
        x, cut = self._compared(node), literal(self.tree.threshold[node])
        first = int(self.tree.first_child[node])
        low, high = self.missing[first : first + 2]
        if low in (0.0, 1.0):  # a gap goes one way
            gap = " OR " + f"{x} IS NULL" if low else ""
            return f"CASE WHEN {x} <= {cut}{gap} THEN {values[0]} ELSE {values[1]} END"
        cases = [(literal(low), "<="), (literal(high), ">")]
        share = [
            f"CASE WHEN {x} IS NULL THEN {part} WHEN {x} {sign} {cut} THEN 1e0 ELSE 0e0 END"
            for part, sign in cases
        ]
        return f"({share[0]} * {values[0]} + {share[1]} * {values[1]})"

    def _compared(self, node: int) -> str:
        tree = self.tree
        if tree.kind[node] == NUMERIC:
            return f"x{tree.feature[node]}"
        terms = slice(tree.term_start[node], tree.term_start[node + 1])
        return f"({self.query.sums([(tree.term_feature[terms], tree.term_weight[terms])])[0]})"

    def _nominal(self, node: int, values: list[str]) -> str:
        feature = int(self.tree.feature[node])
        parts = category_parts(self.tree, node, int(self.grove.n_categories[feature]))
        shares = [self.query.case(feature, column) for column in parts.T]
        return "(" + total_of([f"{s} * {v}" for s, v in zip(shares, values, strict=True)]) + ")"


def _depths(tree: Tree) -> np.ndarray:
    depth = np.zeros(tree.n_nodes, dtype=int)
    for node, parent in enumerate(tree.parent[1:], start=1):
        depth[node] = depth[parent] + 1
    return depth
