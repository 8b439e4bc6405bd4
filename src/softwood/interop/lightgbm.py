"""LightGBM's models, read from what its boosters dump."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from softwood._types import AnyArray, BoolArray
from softwood.data.schema import Feature, Schema
from softwood.forest import Forest
from softwood.interop._binary import NO_CHILD, BinaryNodes, tree_of_nodes
from softwood.interop._rows import RowReader, with_categories
from softwood.interop.imported import Imported
from softwood.tree import Tree

LINK_OF_OBJECTIVE = {
    "binary": "logistic",
    "cross_entropy": "sigmoid",
    "fair": "identity",
    "gamma": "exponential",
    "huber": "identity",
    "lambdarank": "identity",
    "mape": "identity",
    "multiclass": "softmax",
    "multiclassova": "sigmoid",
    "poisson": "exponential",
    "quantile": "identity",
    "rank_xendcg": "identity",
    "regression": "identity",
    "regression_l1": "identity",
    "tweedie": "exponential",
}
ZERO = float(np.float32(1e-35))  # numbers up to this size do not reach its trees
CLASSIFYING = ("binary", "multiclass", "multiclassova")


def import_fitted(model: Any) -> Imported:
    """Return an LGBMModel or Booster; see :func:`softwood.interop.import_model`.

    As in LightGBM, the trees after the best iteration of an early stop are left out.
    """
    booster = getattr(model, "booster_", model)
    dump = booster.dump_model()
    name, slope = _objective(dump, type(model).__name__)
    nodes = [flat_nodes(info["tree_structure"]) for info in dump["tree_info"]]
    reader = _reader(booster, dump, nodes)
    n_scores = int(dump["num_tree_per_iteration"])
    forest = Forest(
        trees=tuple(_tree_of(flat, reader.schema) for flat in nodes),
        output=np.arange(len(nodes), dtype=np.int32) % n_scores,
        factor=np.ones(len(nodes)),
        base=np.zeros(n_scores),
        link=LINK_OF_OBJECTIVE[name],
        slope=slope,
        is_mean=bool(dump["average_output"]),
    )
    return Imported(
        forest=forest,
        reader=reader,
        classes=_classes(model, name, n_scores),
        kind=type(model).__name__,
    )


def _objective(dump: dict[str, Any], kind: str) -> tuple[str, float]:
    """Return the name of the objective and the slope of its link."""
    name, *options = dump.get("objective", "custom").split()
    if name not in LINK_OF_OBJECTIVE or "sqrt" in options:
        shown = " ".join([name, *options])
        raise NotImplementedError(
            f"the objective {shown!r} of this {kind} has a link that is not known; known are "
            f"{', '.join(LINK_OF_OBJECTIVE)}"
        )
    given = dict(option.split(":") for option in options if ":" in option)
    return name, float(given.get("sigmoid", 1.0))


def _classes(model: Any, objective: str, n_scores: int) -> AnyArray | None:
    if objective not in CLASSIFYING:
        return None
    n_classes = max(2, n_scores)
    classes = np.asarray(getattr(model, "classes_", np.arange(n_classes)))
    if classes.size != n_classes:
        raise NotImplementedError(
            f"this {type(model).__name__} was fitted to {classes.size} class, and at least "
            "2 are needed"
        )
    return classes


# -- nodes -----------------------------------------------------------------------


def flat_nodes(root: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the nodes of a nested tree, parents first, with the places of their children."""
    nodes = [dict(root)]
    for node in nodes:  # grows while we read it
        for side in ("left_child", "right_child"):
            if side in node:
                nodes.append(dict(node[side]))
                node[side] = len(nodes) - 1
        if "leaf_const" in node:
            raise NotImplementedError(
                "linear_tree: the leaves of this LightGBM model hold linear models; "
                "only leaves that hold a number can be imported"
            )
    return nodes


def _tree_of(nodes: list[dict[str, Any]], schema: Schema) -> Tree:
    def column(name: str, otherwise: Any) -> AnyArray:
        return np.array([node.get(name, otherwise) for node in nodes])

    nominal = {k for k, node in enumerate(nodes) if node.get("decision_type") == "=="}
    threshold = np.array(
        [0.0 if k in nominal else node.get("threshold", 0.0) for k, node in enumerate(nodes)]
    )
    sizes = schema.n_categories
    count = column("leaf_count", 0.0).astype(np.float64)
    return tree_of_nodes(
        BinaryNodes(
            left=column("left_child", NO_CHILD),
            right=column("right_child", NO_CHILD),
            feature=column("split_feature", 0),
            threshold=threshold,
            missing_left=np.array([_missing_left(node) for node in nodes]),
            # Rows, as of every other tree: its weights are sums of second derivatives.
            weight=count if count.any() else column("leaf_weight", 0.0),
            value=column("leaf_value", 0.0).astype(np.float64),
            goes_left={k: _members(nodes[k], sizes[nodes[k]["split_feature"]]) for k in nominal},
        ),
        n_features=len(schema.features),
    )


def _missing_left(node: dict[str, Any]) -> bool:
    if node.get("decision_type") != "<=":
        return False  # a missing category is in no set
    if node["missing_type"] == "None":
        return bool(node["threshold"] >= 0.0)  # it reads a missing value as 0
    return bool(node["default_left"])


def _codes(node: dict[str, Any]) -> list[int]:
    return [int(code) for code in str(node["threshold"]).split("||")]


def _members(node: dict[str, Any], n_categories: int) -> BoolArray:
    goes_left = np.zeros(n_categories, dtype=bool)
    codes = np.array(_codes(node))
    goes_left[codes[codes < n_categories]] = True
    return goes_left


# -- rows ------------------------------------------------------------------------


def _reader(booster: Any, dump: dict[str, Any], trees: list[list[dict[str, Any]]]) -> RowReader:
    """Return how the model reads rows: its categories, and where zero is missing."""
    tests = [node for nodes in trees for node in nodes if "split_feature" in node]
    named = _named_categories(booster, dump)
    highest: dict[int, int] = dict.fromkeys(_categorical_columns(booster), -1)
    for node in tests:
        if node["decision_type"] == "==":
            j = node["split_feature"]
            highest[j] = max(highest.get(j, -1), *_codes(node))
    features = [Feature(str(name)) for name in dump["feature_names"]]
    return RowReader(
        schema=with_categories(features, highest, named),
        codes_above=-1.0,
        unnamed=tuple(sorted(set(highest) - set(named))),
        unknown="other",
        zero=ZERO,
        zero_is_missing=_zero_is_missing(tests, dump["feature_names"]),
        rounds_integers=True,
    )


def _categorical_columns(booster: Any) -> list[int]:
    """Return the columns that training took for categorical, from the saved parameters."""
    saved = re.search(r"\[categorical_feature: ([\d,]*)\]", booster.model_to_string())
    return [int(column) for column in saved[1].split(",") if column] if saved else []


def _named_categories(booster: Any, dump: dict[str, Any]) -> dict[int, tuple[Any, ...]]:
    """Return the categories of the columns that were categorical in the training frame."""
    names = dump.get("pandas_categorical") or []
    columns = _categorical_columns(booster)
    if names and len(names) != len(columns):
        raise NotImplementedError(
            f"categorical_feature: {len(columns)} columns are categorical and {len(names)} of them "
            "have named categories; LightGBM does not keep which, so make all or none of "
            "them a categorical dtype"
        )
    return {column: tuple(categories) for column, categories in zip(columns, names, strict=False)}


def _zero_is_missing(tests: list[dict[str, Any]], names: list[str]) -> tuple[int, ...]:
    kinds: dict[int, set[str]] = {}
    for node in tests:
        if node["decision_type"] == "<=":
            kinds.setdefault(node["split_feature"], set()).add(node["missing_type"])
    for j, seen in kinds.items():
        if "Zero" in seen and len(seen) > 1:
            raise NotImplementedError(
                f"zero_as_missing: some trees take a zero in column {names[j]!r} for missing and "
                "others do not"
            )
    return tuple(sorted(j for j, seen in kinds.items() if "Zero" in seen))
