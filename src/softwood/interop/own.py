"""Our own fitted models, imported like those of others."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood.flow import Hard
from softwood.forest import Forest
from softwood.interop._rows import RowReader
from softwood.interop.imported import Imported


def import_fitted(model: Any) -> Imported:
    """Return a fitted softwood model; see :func:`softwood.interop.import_model`."""
    softened = getattr(model, "imported_", None)
    if isinstance(softened, Imported):  # it reads rows as its original does
        return softened
    return Imported(
        forest=_forest_of(model),
        reader=RowReader(
            schema=model.schema_,
            checks_names=hasattr(model, "feature_names_in_"),
            unknown=getattr(model, "handle_unknown", "spread"),
            fill=tuple(np.asarray(getattr(model, "fill_values_", ())).tolist()),
        ),
        classes=getattr(model, "classes_", None),
        kind=type(model).__name__,
        is_single_tree=hasattr(model, "tree_"),
        flow=getattr(model, "flow_", Hard()),
        bootstrap_indices=getattr(model, "estimators_samples_", None),
        rule="tied",
    )


def _forest_of(model: Any) -> Forest:
    forest = getattr(model, "forest_", None)
    if isinstance(forest, Forest):
        return forest
    if hasattr(model, "trees_"):
        return Forest.average(model.trees_)
    # Corrections such as Laplace's change what the nodes answer, and not the tree.
    response = model._responses() if hasattr(model, "_responses") else model.tree_.response
    return Forest.average([model.tree_.replace(response=response)])
