"""What an evolved tree must have that comes from a model file."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood.estimators._restored import check_array, check_number, check_numbers
from softwood.flow import Gaussian
from softwood.tree import Tree

MOST = 2**53


def check_evolved(model: Any) -> None:
    """Complain unless front, history and noise are those of an evolved tree."""
    check_number(model, "risk_", float, 0.0, 1.0)
    check_number(model, "n_nodes_evolved_", int, 1, MOST)
    _check_front(model, getattr(model, "front_trees_", None))
    if type(getattr(model, "noise_", None)) is not Gaussian:
        raise ValueError("the attribute 'noise_' must be a Gaussian flow")
    check_array(model, "sigma2_", (model.n_features_in_,), np.nextafter(0.0, 1.0))
    path = getattr(model, "sigma2_path_", None)
    if path is not None:
        _check_table(path, "sigma2_path_", {"sigma2": 1, "error": 1}, np.inf)
    history = getattr(model, "history_", None)
    if history != {}:  # of a tree that had nothing to learn
        _check_history(history)


def _check_front(model: Any, trees: Any) -> None:
    if not isinstance(trees, tuple) or not trees or any(type(tree) is not Tree for tree in trees):
        raise ValueError("the attribute 'front_trees_' must be a tuple of trees")
    check_array(model, "front_risks_", (len(trees),), 0.0, 1.0)
    check_array(model, "front_n_nodes_evolved_", (len(trees),), 1, MOST, kind="i")
    n_leaves = [tree.n_leaves for tree in trees]
    if (np.diff(n_leaves) <= 0).any() or (np.diff(model.front_risks_) >= 0.0).any():
        raise ValueError("trees of the front must get larger, and their risks smaller")


def _check_history(history: Any) -> None:
    _check_table(history, "history_", {"iteration": 1, "risk": 2, "n_nodes": 2}, MOST)
    if history["risk"].shape != history["n_nodes"].shape or history["risk"].max() > 1.0:
        raise ValueError("the attribute 'history_' must have risks and sizes of the same runs")


def _check_table(table: Any, name: str, wanted: dict[str, int], most: float) -> None:
    """Complain unless ``table`` has these arrays, of so many dimensions, equally long."""
    where = f"the attribute {name!r}"
    if not isinstance(table, dict) or set(table) != set(wanted):
        raise ValueError(f"{where} must have {', '.join(wanted)}")
    length = np.shape(table[next(iter(wanted))])[:1]
    for key, n_dimensions in wanted.items():
        shape = np.shape(table[key])
        kind = "i" if key in ("iteration", "n_nodes") else "f"
        if len(shape) != n_dimensions or shape[:1] != length or 0 in shape:
            raise ValueError(f"{where} must have equally many {', '.join(wanted)}")
        check_numbers(table[key], f"{key} of {where}", shape, 0.0, most, kind)
