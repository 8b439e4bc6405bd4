"""What fitted attributes must be that a model file has brought: nothing else looks at them again.

See :mod:`softwood.persist.format`: an estimator calls these in ``_check_restored``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import FloatArray, IndexArray
from softwood.forest import ALL_OUTPUTS, Forest
from softwood.persist.trees import are_frequencies


def check_array(
    model: Any,
    name: str,
    shape: tuple[int, ...],
    least: float = -np.inf,
    most: float = np.inf,
    kind: str = "f",
) -> None:
    """Complain unless an attribute is an array of this shape and kind, in these limits."""
    check_numbers(getattr(model, name, None), f"the attribute {name!r}", shape, least, most, kind)


def check_numbers(
    value: Any, where: str, shape: tuple[int, ...], least: float, most: float, kind: str = "f"
) -> None:
    """Complain unless ``value`` is an array of this shape and kind, finite and in these limits."""
    kinds = {"f": "f", "i": "iu"}[kind]
    if not isinstance(value, np.ndarray) or value.dtype.kind not in kinds or value.shape != shape:
        raise ValueError(f"{where} must be an array of numbers of shape {shape}")
    if not (np.isfinite(value).all() and (value >= least).all() and (value <= most).all()):
        raise ValueError(f"{where} must hold finite numbers from {least} to {most}")


def check_number(model: Any, name: str, kind: Any, least: float, most: float) -> None:
    """Complain unless an attribute is a number of this type, in these limits."""
    value: Any = getattr(model, name, None)
    if type(value) is not kind or not least <= value <= most:
        wanted = f"of type {kind.__name__}, {least} to {most}"
        raise ValueError(f"the attribute {name!r} must be {wanted}")


def check_ranges(model: Any, n_features: int) -> None:
    """Complain unless ``ranges_``, if there, has two numbers for each column, or NaN."""
    ranges = getattr(model, "ranges_", None)
    if ranges is not None and (
        not isinstance(ranges, np.ndarray)
        or ranges.dtype.kind != "f"
        or ranges.shape != (n_features, 2)
    ):
        wanted = f"numbers of shape {(n_features, 2)}"
        raise ValueError(f"the attribute 'ranges_' must be {wanted}")


def check_mean(forest: Any) -> None:
    """Complain unless a forest answers the plain mean of its trees."""
    is_plain = (
        isinstance(forest, Forest)
        and (forest.link, forest.slope, forest.is_mean) == ("identity", 1.0, True)
        and (forest.output == ALL_OUTPUTS).all()
        and (forest.factor == 1.0).all()
        and (forest.base == 0.0).all()
    )
    if not is_plain:
        raise ValueError("the attribute 'forest_' must be a forest that answers a mean")


def check_sum(forest: Forest, is_classifier: bool) -> None:
    """Complain about a forest whose sum may overflow, or makes no probabilities of classes."""
    # No row can get more from a tree than its largest answer.
    raw = np.abs(forest.base).max() + np.abs(forest.factor) @ forest.largest_answers()
    total = np.abs(forest.factor).sum()
    if not np.isfinite([raw, forest.slope * raw, total]).all():
        raise ValueError("the answers of the trees must have a finite sum")
    if forest.is_mean and forest.factor[forest.factor > 0.0].min() < 1e-100 * total:
        raise ValueError("the trees of a mean must have factors that can be compared")
    if not is_classifier or forest.link in ("logistic", "sigmoid", "softmax"):
        return
    if forest.link != "identity" or forest.slope != 1.0 or forest.base.any():
        raise ValueError("a forest that answers no probabilities cannot have classes")
    if not forest.is_mean or (forest.output != ALL_OUTPUTS).any():
        raise ValueError("class frequencies must be averaged over the trees")
    if not all(are_frequencies(response) for response in forest.responses()):
        raise ValueError("a tree has class frequencies that are negative or do not sum to 1")


def check_fill(fill: FloatArray, n_categories: IndexArray) -> None:
    """Complain about what is filled in for missing values, if it is no code of its column."""
    is_code = (fill >= 0.0) & (fill < np.maximum(n_categories, 1)) & (fill == np.floor(fill))
    if np.any((n_categories > 0) & ~is_code):
        raise ValueError("what is filled in for a missing category must be one of the column's")
