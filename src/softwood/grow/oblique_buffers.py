"""The buffers of an oblique tree while it grows, from which the tree is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.tree import LEAF, NOMINAL, NONE, OBLIQUE, Tree

if TYPE_CHECKING:
    from softwood._kernels.oblique.scratch import Finding

_LEAF: dict[str, Any] = {"first": NONE, "kind": LEAF, "feature": NONE, "threshold": 0.0}


class ObliqueNodeBuffers:
    """The nodes of a tree in the order in which they were made, siblings together.

    Parameters
    ----------
    data : TrainingSet
        What the tree grows on.
    """

    def __init__(self, data: TrainingSet) -> None:
        self._data = data
        weight = np.bincount(data.label, weights=data.weight, minlength=data.n_classes)
        self._nodes: list[dict[str, Any]] = [{**_LEAF, "class_weight": weight}]
        self._unit = float(data.weight.mean())  # of the weights that kernels see

    def class_weight(self, node: int) -> FloatArray:
        """Return the weight of each class at a node."""
        return np.asarray(self._nodes[node]["class_weight"])

    def add(self, node: int, table: Any, finding: Finding) -> int:
        """Give a node its test and two children; return the number of the first."""
        from softwood._kernels.oblique.scratch import FEATURE, KIND, THRESHOLD

        first = len(self._nodes)
        kind, feature = int(finding.test[KIND]), int(finding.test[FEATURE])
        terms = np.flatnonzero(finding.weight) if kind == OBLIQUE else np.zeros(0, dtype=np.int64)
        n_levels = int(table.n_levels[feature]) if kind == NOMINAL else 0
        self._nodes[node] |= {
            "first": first,
            "kind": kind,
            "feature": feature,
            "threshold": float(finding.number[THRESHOLD]),
            "term_feature": table.usable[terms],
            "term_weight": finding.weight[terms],
            "set_child": finding.branch[:n_levels].copy(),
        }
        for weights in finding.side:
            self._nodes.append({**_LEAF, "class_weight": weights * self._unit})
        return first

    def finished(self) -> Tree:
        """Return the tree."""
        kind = self._column("kind")
        class_weight = np.array(self._column("class_weight"))
        weight = class_weight.sum(axis=1)
        return Tree.from_nodes(
            n_features=self._data.X.shape[1],
            first_child=self._column("first"),
            n_children=[0 if k == LEAF else 2 for k in kind],
            kind=kind,
            feature=self._column("feature"),
            threshold=self._column("threshold"),
            weight=weight,
            response=class_weight / weight[:, None],
            term_start=self._starts("term_feature"),
            term_feature=self._joined("term_feature").astype(np.int32),
            term_weight=self._joined("term_weight"),
            set_start=self._starts("set_child"),
            set_child=self._joined("set_child").astype(np.int32),
        )

    def _column(self, name: str) -> list[Any]:
        return [node[name] for node in self._nodes]

    def _starts(self, name: str) -> AnyArray:
        return np.cumsum([0, *(len(node.get(name, ())) for node in self._nodes)])

    def _joined(self, name: str) -> AnyArray:
        return np.concatenate([np.zeros(0), *(node[name] for node in self._nodes if name in node)])
