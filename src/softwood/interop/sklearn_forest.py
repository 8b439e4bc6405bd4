"""scikit-learn's single trees, forests and bagging: means of class frequencies or numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import IndexArray
from softwood.forest import Forest
from softwood.interop._rows import RowReader, numeric_schema
from softwood.interop.imported import Imported
from softwood.interop.sklearn import from_sklearn
from softwood.tree import Tree


def import_fitted(model: Any) -> Imported:
    """Return a fitted tree or averaging ensemble; see :func:`softwood.interop.import_model`."""
    trees = from_sklearn(model)
    is_single = isinstance(trees, Tree)
    return Imported(
        forest=Forest.average([trees] if isinstance(trees, Tree) else trees),
        reader=named_reader(model),
        classes=getattr(model, "classes_", None),
        kind=type(model).__name__,
        is_single_tree=is_single,
        bootstrap_indices=None if is_single else _bootstrap_indices(model),
    )


def named_reader(model: Any) -> RowReader:
    """Return the reader of numeric columns, with the names that scikit-learn noted."""
    names = getattr(model, "feature_names_in_", None)
    schema = numeric_schema(int(model.n_features_in_), names)
    return RowReader(schema, checks_names=names is not None)


def _bootstrap_indices(model: Any) -> list[IndexArray] | None:
    """Return the training rows of each tree; None if no tree left out any."""
    is_bagging = hasattr(model, "estimators_features_")
    if not (model.bootstrap or is_bagging):
        return None
    samples = [np.asarray(rows, dtype=np.int32) for rows in model.estimators_samples_]
    if not model.bootstrap and len({rows.size for rows in samples}) == 1:
        n_rows = 1 + max(int(rows.max(initial=-1)) for rows in samples)
        if samples[0].size == n_rows:
            return None
    return samples
