"""C4.5's error-based pruning, with subtree raising."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.flow.spreading import frozen
from softwood.tree import LEAF, NONE, RAGGED, Tree, take_ragged


@dataclass(frozen=True, slots=True)
class PrunePessimistic:
    """Replace subtrees by leaves or by their largest branch where few errors are expected.

    Parameters
    ----------
    confidence : float, default=0.25
        Confidence of the upper limit of the error; smaller prunes more.
    subtree_raising : bool, default=True
        Whether a node may be replaced by its largest branch.
    """

    confidence: float = 0.25
    subtree_raising: bool = True

    def refine(self, tree: Tree, data: TrainingSet) -> Tree:
        """Return the pruned tree; ``data`` is what the tree was grown on."""
        confidence = float(np.float32(self.confidence))  # J48 keeps it in single precision
        z = NormalDist().inv_cdf(1.0 - confidence)
        cases = tree.nodes, frozen(data.X), data.label, data.weight
        limits = confidence, z, self.subtree_raising
        if not np.isnan(data.X).any():
            from softwood._kernels.pruning.complete_rows import prune_whole_cases, pruning_buffers

            buffers = pruning_buffers(tree.n_nodes, data.n_rows, data.n_classes)
            whole, pruned = prune_whole_cases(*cases, buffers, *limits)
            if whole:
                return _assembled(tree, *pruned)
        from softwood._kernels.pruning.fractional_rows import prune_spread_cases

        return _assembled(tree, *prune_spread_cases(*cases, data.n_classes, *limits))


def _assembled(
    tree: Tree, first_child: AnyArray, n_children: AnyArray, source: AnyArray, value: FloatArray
) -> Tree:
    """Return the tree in which each node makes the test of its ``source``."""
    leaf = n_children == 0
    weight = value.sum(axis=1)
    response = value / np.where(weight > 0, weight, 1.0)[:, None]
    inner = np.flatnonzero(~leaf)
    for k in range(int(n_children.max())):  # a branch without cases answers as its parent
        wide = inner[n_children[inner] > k]
        child = first_child[wide] + k
        empty = weight[child] <= 0
        response[child[empty]] = response[wide[empty]]
    columns: dict[str, Any] = {
        "kind": np.where(leaf, LEAF, tree.kind[source]),
        "feature": np.where(leaf, NONE, tree.feature[source]),
        "missing_child": np.where(leaf, NONE, tree.missing_child[source]),
    }
    for name in ("threshold", "below", "above"):
        columns[name] = np.where(leaf, 0.0, getattr(tree, name)[source])
    for prefix, names in RAGGED.items():
        start, picks = take_ragged(getattr(tree, f"{prefix}_start"), source)
        kept = np.repeat(~leaf, np.diff(start))
        counts = np.where(leaf, 0, np.diff(start))
        columns[f"{prefix}_start"] = np.concatenate(([0], np.cumsum(counts)))
        columns |= {name: getattr(tree, name)[picks][kept] for name in names}
    return Tree.from_nodes(
        n_features=tree.n_features,
        first_child=first_child,
        n_children=n_children,
        weight=weight,
        response=response,
        **columns,
    )
