"""scikit-learn's histogram gradient boosting, categories included."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import AnyArray, BoolArray
from softwood.data.encode import is_missing
from softwood.data.schema import Feature, Schema
from softwood.forest import Forest
from softwood.interop._binary import NO_CHILD, BinaryNodes, tree_of_nodes
from softwood.interop._rows import RowReader
from softwood.interop.imported import Imported
from softwood.interop.sklearn_forest import named_reader
from softwood.tree import Tree

LINK_OF_LOSS = {
    "squared_error": "identity",
    "absolute_error": "identity",
    "quantile": "identity",
    "gamma": "exponential",
    "poisson": "exponential",
    "log_loss": "softmax",
}


def import_fitted(model: Any) -> Imported:
    """Return a fitted HistGradientBoosting*; see :func:`softwood.interop.import_model`."""
    columns, reader = _columns(model)
    n_scores = int(model.n_trees_per_iteration_)
    n_categories = reader.schema.n_categories
    trees = [
        _tree_of(predictor, columns, n_categories)
        for stage in model._predictors
        for predictor in stage
    ]
    forest = Forest(
        trees=tuple(trees),
        output=np.tile(np.arange(n_scores, dtype=np.int32), len(model._predictors)),
        factor=np.ones(len(trees)),
        base=np.asarray(model._baseline_prediction, dtype=np.float64).ravel(),
        link=_link_of(model, n_scores),
    )
    return Imported(
        forest=forest,
        reader=reader,
        classes=getattr(model, "classes_", None),
        kind=type(model).__name__,
        rule="positive",
    )


def _link_of(model: Any, n_scores: int) -> str:
    if not isinstance(model.loss, str) or model.loss not in LINK_OF_LOSS:
        raise NotImplementedError(
            f"the loss {model.loss!r} of this {type(model).__name__} has a link that is not "
            f"known; known are {', '.join(LINK_OF_LOSS)}"
        )
    return "logistic" if model.loss == "log_loss" and n_scores == 1 else LINK_OF_LOSS[model.loss]


def _columns(model: Any) -> tuple[AnyArray, RowReader]:
    """Return the user's column behind each column of the trees, and the reader of rows.

    Where some columns are categorical, the model puts them first.
    """
    reader = named_reader(model)
    is_nominal = model.is_categorical_
    if is_nominal is None:
        return np.arange(int(model.n_features_in_)), reader
    nominal = np.flatnonzero(is_nominal)
    known = model._preprocessor.named_transformers_["encoder"].categories_
    features = list(reader.schema.features)
    for j, categories in zip(nominal, known, strict=True):
        features[j] = Feature(features[j].name, _names_of(categories))
    columns = np.concatenate([nominal, np.flatnonzero(~is_nominal)])
    return columns, RowReader(Schema(tuple(features)), reader.checks_names)


def _names_of(categories: AnyArray) -> tuple[Any, ...]:
    """Return the categories in the order of their codes; a missing one comes last there."""
    known = [category for category in categories.tolist() if not is_missing(category)]
    return tuple(int(one) if isinstance(one, float) and one.is_integer() else one for one in known)


def _tree_of(predictor: Any, columns: AnyArray, n_categories: AnyArray) -> Tree:
    nodes = predictor.nodes
    is_leaf = nodes["is_leaf"] != 0
    feature = columns[np.where(is_leaf, 0, nodes["feature_idx"])]
    nominal = np.flatnonzero(~is_leaf & (nodes["is_categorical"] != 0))
    goes_left = {
        int(node): _members(
            predictor.raw_left_cat_bitsets[nodes["bitset_idx"][node]], n_categories[feature[node]]
        )
        for node in nominal
    }
    return tree_of_nodes(
        BinaryNodes(
            left=np.where(is_leaf, NO_CHILD, nodes["left"].astype(np.int64)),
            right=np.where(is_leaf, NO_CHILD, nodes["right"].astype(np.int64)),
            feature=feature,
            threshold=nodes["num_threshold"],
            missing_left=nodes["missing_go_to_left"] != 0,
            weight=nodes["count"].astype(np.float64),
            value=nodes["value"],
            goes_left=goes_left,
        ),
        n_features=n_categories.size,
    )


def _members(bitset: AnyArray, n_categories: int) -> BoolArray:
    """Return which of the categories are in a set of bits, the lowest first."""
    little = np.ascontiguousarray(bitset).astype("<u4").view(np.uint8)
    return np.unpackbits(little, bitorder="little")[:n_categories].astype(bool)
