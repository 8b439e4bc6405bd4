"""XGBoost's models, read from the JSON its boosters save."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.data.schema import Feature, Schema
from softwood.forest import Forest
from softwood.interop._binary import BinaryNodes, tree_of_nodes
from softwood.interop._rows import RowReader, with_categories
from softwood.interop.imported import Imported
from softwood.interop.sklearn import largest_going_left
from softwood.tree import Tree

LINK_OF_OBJECTIVE = {
    "binary:logistic": "logistic",
    "count:poisson": "exponential",
    "multi:softmax": "softmax",
    "multi:softprob": "softmax",
    "rank:map": "identity",
    "rank:ndcg": "identity",
    "rank:pairwise": "identity",
    "reg:absoluteerror": "identity",
    "reg:gamma": "exponential",
    "reg:logistic": "sigmoid",
    "reg:pseudohubererror": "identity",
    "reg:quantileerror": "identity",
    "reg:squarederror": "identity",
    "reg:squaredlogerror": "identity",
    "reg:tweedie": "exponential",
    "survival:aft": "exponential",
    "survival:cox": "exponential",
}
NEGATIVE = -float(np.finfo(np.float32).smallest_subnormal) / 2  # and not -0, in float32
CLASSIFYING = ("binary:logistic", "multi:softmax", "multi:softprob")


def import_fitted(model: Any) -> Imported:
    """Return an XGBModel or Booster; see :func:`softwood.interop.import_model`.

    As in XGBoost, an XGBModel that stopped early leaves out the trees after its best
    iteration, and a Booster does not.
    """
    booster = model.get_booster() if hasattr(model, "get_booster") else model
    learner = json.loads(bytes(booster.save_raw("json")))["learner"]
    _check_learner(model, learner)
    link = LINK_OF_OBJECTIVE[learner["objective"]["name"]]
    grown, factor = _grown_trees(learner["gradient_booster"])
    n_trees = _n_trees_used(model, learner, grown)
    trees = grown["trees"][:n_trees]
    reader = _reader(model, learner, grown, trees)
    base = _base(learner, link)
    return Imported(
        forest=Forest(
            trees=tuple(_tree_of(tree, reader.schema) for tree in trees),
            output=np.array(grown["tree_info"][:n_trees], dtype=np.int32),
            factor=factor[:n_trees],
            base=base,
            link=link,
        ),
        reader=reader,
        classes=_classes(model, learner, base.size),
        kind=type(model).__name__,
    )


def _check_learner(model: Any, learner: dict[str, Any]) -> None:
    kind = type(model).__name__
    objective = getattr(model, "objective", None)
    name = objective if callable(objective) else learner["objective"]["name"]
    if callable(name) or name not in LINK_OF_OBJECTIVE:
        raise NotImplementedError(
            f"the objective {name!r} of this {kind} has a link that is not known; known are "
            f"{', '.join(LINK_OF_OBJECTIVE)}"
        )
    n_targets = int(learner["learner_model_param"].get("num_target", "1"))
    if n_targets > 1:
        raise NotImplementedError(
            f"this {kind} predicts {n_targets} outputs; fit one model for each"
        )
    booster = learner["gradient_booster"]["name"]
    if booster not in ("gbtree", "dart"):
        raise NotImplementedError(
            f"this {kind} has the booster {booster!r}, which is not made of trees; "
            "gbtree and dart can be imported"
        )


def _grown_trees(booster: dict[str, Any]) -> tuple[dict[str, Any], FloatArray]:
    """Return the model of the trees, and the factor of each."""
    if booster["name"] == "dart":
        return booster["gbtree"]["model"], np.array(booster["weight_drop"], dtype=np.float32)
    return booster["model"], np.ones(len(booster["model"]["trees"]))


def _n_trees_used(model: Any, learner: dict[str, Any], grown: dict[str, Any]) -> int:
    """Return how many trees are asked: those until the best iteration, or all."""
    best = learner.get("attributes", {}).get("best_iteration")
    if best is None or not hasattr(model, "get_booster"):
        return len(grown["trees"])
    return int(grown["iteration_indptr"][int(best) + 1])


def _base(learner: dict[str, Any], link: str) -> FloatArray:
    """Return the raw scores that the sum starts from; they are stored as answers."""
    parameters = learner["learner_model_param"]
    stored = np.atleast_1d(np.array(json.loads(parameters["base_score"]), dtype=np.float32))
    if link in ("logistic", "sigmoid"):
        stored = -np.log(np.float32(1.0) / stored - np.float32(1.0))
    elif link == "exponential":
        stored = np.log(stored)
    n_scores = max(1, int(parameters["num_class"]))
    return np.broadcast_to(stored, n_scores).astype(np.float64)


def _classes(model: Any, learner: dict[str, Any], n_scores: int) -> AnyArray | None:
    if learner["objective"]["name"] not in CLASSIFYING:
        return None
    return np.asarray(getattr(model, "classes_", np.arange(max(2, n_scores))))


# -- nodes -----------------------------------------------------------------------


def _tree_of(tree: dict[str, Any], schema: Schema) -> Tree:
    if int(tree["tree_param"]["size_leaf_vector"]) > 1:
        raise NotImplementedError(
            "multi_strategy='multi_output_tree': the leaves of this XGBoost model hold several "
            "numbers; use 'one_output_per_tree'"
        )
    condition = np.array(tree["split_conditions"], dtype=np.float32)
    feature = np.array(tree["split_indices"])
    # x < t, in float32: the largest x that goes left is the number before t.
    before = np.nextafter(condition, np.float32(-np.inf))
    return tree_of_nodes(
        BinaryNodes(
            left=np.array(tree["left_children"]),
            right=np.array(tree["right_children"]),
            feature=feature,
            threshold=largest_going_left(before),
            missing_left=np.array(tree["default_left"]) != 0,
            weight=np.array(tree["sum_hessian"], dtype=np.float64),
            value=condition.astype(np.float64),
            goes_left={
                node: _others(codes, schema.n_categories[feature[node]])
                for node, codes in _right_codes(tree).items()
            },
        ),
        n_features=len(schema.features),
    )


def _right_codes(tree: dict[str, Any]) -> dict[int, list[int]]:
    """Return the categories that go right, for every node that tests a category."""
    names = ("categories_nodes", "categories_segments", "categories_sizes")
    return {
        node: tree["categories"][start : start + size]
        for node, start, size in zip(*(tree[name] for name in names), strict=True)
    }


def _others(codes: list[int], n_categories: int) -> BoolArray:
    goes_left = np.ones(n_categories, dtype=bool)
    goes_left[codes] = False
    return goes_left


# -- rows ------------------------------------------------------------------------


def _reader(
    model: Any, learner: dict[str, Any], grown: dict[str, Any], trees: list[dict[str, Any]]
) -> RowReader:
    n_features = int(learner["learner_model_param"]["num_feature"])
    names = learner["feature_names"]
    types = learner["feature_types"] or ["float"] * n_features
    named = _named_categories(grown)
    highest = {j: -1 for j, kind in enumerate(types) if kind == "c"}
    for tree in trees:
        for node, codes in _right_codes(tree).items():
            j = tree["split_indices"][node]
            highest[j] = max(highest.get(j, -1), *codes)
    features = [Feature(str(name)) for name in names or [f"x{j}" for j in range(n_features)]]
    return RowReader(
        schema=with_categories(features, highest, named),
        checks_names=bool(names),
        codes_above=NEGATIVE,
        unnamed=tuple(sorted(set(highest) - set(named))),
        unknown="other",
        missing_value=float(getattr(model, "missing", np.nan)),
    )


def _named_categories(grown: dict[str, Any]) -> dict[int, tuple[Any, ...]]:
    """Return the names of categories, where training read them from a frame."""
    named = {}
    for j, column in enumerate(grown.get("cats", {}).get("enc", [])):
        if "offsets" not in column:
            named[j] = tuple(column["values"])
        elif column["values"]:
            named[j] = _names(j, column["values"], column["offsets"])
    return named


def _names(j: int, characters: list[int], ends: list[int]) -> tuple[str, ...]:
    if not all(0 < character < 128 for character in characters):
        # It counts letters where it stores bytes, and so loses some of them.
        raise NotImplementedError(
            f"enable_categorical: column {j} has categories with other letters than those of "
            "ASCII, which XGBoost does not store whole; rename them"
        )
    text = bytes(characters).decode("ascii")
    return tuple(text[start:stop] for start, stop in pairwise(ends))
