"""A model as the page reads it: its trees, gates and sums as arrays, the rest as JSON.

``engine/*.js`` runs what is written down here. It is the specification of
:mod:`softwood._kernels.flow.spread`, :mod:`softwood.forest` and :mod:`softwood.interop`, so both
answer alike to the last digits; ``tests/view/explorer`` holds them to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from softwood._types import AnyArray
from softwood.explain.labels import value_text
from softwood.flow import Ramp
from softwood.flow.ramp import SHAPES
from softwood.flow.spreading import goes_by_blocks
from softwood.forest import Forest
from softwood.forest.sums import flow_of_trees
from softwood.interop.imported import Imported
from softwood.tree import Tree
from softwood.view.explorer.arrays import Block
from softwood.view.explorer.columns import ColumnFacts
from softwood.view.explorer.softness import WIDTHS, Softness, softness_of

MOST_BYTES = 24_000_000  # of arrays, before they are deflated

# What is written of each tree, how, and by how many entries per node, term or category.
NODE_ARRAYS = (
    ("nChildren", "i4", "n_children"),
    ("kind", "u1", "kind"),
    ("feature", "i4", "feature"),
    ("threshold", "f8", "threshold"),
    ("missingChild", "i4", "missing_child"),
    ("weight", "f8", "weight"),
    ("response", "f8", "response"),
)


@dataclass(frozen=True, eq=False)
class Shown:
    """A model that a page shows.

    Attributes
    ----------
    name : str
        What it is called there.
    model : object
        The model itself.
    imported : Imported
        The same, as a forest.
    facts : list of ColumnFacts
        What is known of the columns.
    """

    name: str
    model: Any
    imported: Imported
    facts: list[ColumnFacts]


def specification(shown: Shown, block: Block) -> dict[str, Any]:
    """Return a model for the page; its arrays are put into ``block``."""
    imported, forest = shown.imported, shown.imported.forest
    flows = flow_of_trees(imported.flow, forest.n_trees)
    softness = softness_of(shown.model, flows, shown.facts)
    n_shown = _trees_that_fit(forest)
    trees = list(forest.trees[:n_shown])
    return {
        "name": value_text(shown.name),
        "kind": imported.kind,
        "classes": None if imported.classes is None else _texts(imported.classes.tolist()),
        "isSingleTree": forest.n_trees == 1,
        "nTrees": forest.n_trees,
        "nShown": n_shown,
        "rule": imported.rule,
        "reader": _reader(imported),
        "sum": _sum(forest, n_shown),
        "trees": _trees(trees, block),
        "softness": _softness(softness, trees, block),
        "importances": _importances(shown),
    }


def _trees_that_fit(forest: Forest) -> int:
    """Return how many trees a page can hold: all but of very large ensembles."""
    total, n_trees = 0, 0
    for tree in forest.trees:
        total += tree.n_nodes * (50 + 8 * tree.n_outputs)
        if n_trees and total > MOST_BYTES:
            break
        n_trees += 1
    return n_trees


def _texts(values: Sequence[Any]) -> list[str]:
    return [value_text(value) for value in values]


def _reader(imported: Imported) -> dict[str, Any]:
    reader = imported.reader
    return {
        "unknown": reader.unknown,
        "fill": list(reader.fill),
        "zero": reader.zero,
        "zeroIsMissing": list(reader.zero_is_missing),
        "missingValue": None if np.isnan(reader.missing_value) else reader.missing_value,
        "nullCode": [
            len(f.categories) - 1 if f.categories and None in f.categories else None
            for f in imported.schema.features
        ],
    }


def _sum(forest: Forest, n_trees: int) -> dict[str, Any]:
    return {
        "link": forest.link,
        "slope": forest.slope,
        "isMean": forest.is_mean,
        "base": forest.base.tolist(),
        "factor": forest.factor[:n_trees].tolist(),
        "output": forest.output[:n_trees].tolist(),
    }


def _trees(trees: Sequence[Tree], block: Block) -> dict[str, Any]:
    """Return the arrays of all trees, one after the other."""
    written: dict[str, Any] = {
        "nNodes": [tree.n_nodes for tree in trees],
        "nOutputs": [tree.n_outputs for tree in trees],
    }
    for name, kind, attribute in NODE_ARRAYS:
        written[name] = block.add(_joined(trees, lambda t, a=attribute: getattr(t, a)), kind)
    for prefix, names in (("term", ("feature", "weight")), ("set", ("child",))):
        counts = _joined(trees, lambda t, p=prefix: np.diff(getattr(t, f"{p}_start")))
        written[f"{prefix}Count"] = block.add(counts, "i4")
        for name in names:
            kind = "f8" if name == "weight" else "i4"
            values = _joined(trees, lambda t, p=prefix, n=name: getattr(t, f"{p}_{n}"))
            written[f"{prefix}{name.capitalize()}"] = block.add(values, kind)
    return written


def _joined(trees: Sequence[Tree], part: Callable[..., AnyArray]) -> AnyArray:
    return np.concatenate([np.ravel(part(tree)) for tree in trees])


def _softness(softness: Softness, trees: Sequence[Tree], block: Block) -> dict[str, Any]:
    written: dict[str, Any] = {
        "kind": softness.kind,
        "unit": softness.unit,
        "start": softness.start,
        "most": softness.most,
        "confidenceAt": softness.confidence_at,
        "note": softness.note,
        "redraw": softness.redraw,
    }
    flows = list(softness.flows)[: len(trees)]
    if softness.kind == WIDTHS:
        shapes = {flow.shape for flow in flows if isinstance(flow, Ramp)}
        written["shape"] = 1 + SHAPES.index(shapes.pop())
        written["below"] = block.add(_joined(trees, lambda t: t.below), "f8")
        written["above"] = block.add(_joined(trees, lambda t: t.above), "f8")
        gates = [flows[0]._gates(trees[0])]  # type: ignore[attr-defined]
    else:
        gates = [f._gates(t) for f, t in zip(flows, trees, strict=True)]  # type: ignore[attr-defined]
        written["shape"] = 0
        written["sd"] = block.add(np.concatenate([gate.sd for gate in gates]), "f8")
        written["home"] = block.add(np.concatenate([gate.home for gate in gates]), "i4")
        redrawn = np.concatenate([gate.redraw > 0.0 for gate in gates])
        written["redrawn"] = block.add(redrawn, "u1")
        written["byBlocks"] = [
            goes_by_blocks(tree, gate) for tree, gate in zip(trees, gates, strict=True)
        ]
        written["drawn"] = block.add(np.concatenate([gate.drawn for gate in gates]), "f8")
    written["drop"], written["span"] = gates[0].drop, gates[0].span
    return written


def _importances(shown: Shown) -> list[float] | None:
    """Return the share of each column, if the model tells."""
    found = getattr(shown.model, "feature_importances_", None)
    if found is None or np.shape(found) != (shown.imported.n_features,):
        return None
    total = float(np.sum(found))
    return [float(share) / total for share in found] if total > 0.0 else None


def front_of(shown: Shown) -> list[Shown]:
    """Return the models of an evolved tree's front, the chosen one first; or just the model."""
    front = getattr(shown.model, "pareto_front_", None)
    if front is None:
        return [shown]
    own, alike = shown.imported.forest.trees[0], []
    for tree, risk in zip(front.trees, front.risks, strict=True):
        imported = replace(shown.imported, forest=Forest.average([tree]))
        name = f"{tree.n_leaves} leaves, risk {risk:.3f}"
        alike.append(Shown(name, shown.model, imported, shown.facts))
    chosen = [one for one in alike if one.imported.forest.trees[0] == own]
    others = [one for one in alike if one.imported.forest.trees[0] != own]
    return [*(chosen or [shown]), *others]
