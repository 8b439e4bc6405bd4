"""What is to be put into words: a tree, and what its features and answers are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.explain.labels import (
    DECIMALS,
    SHOWN_TERMS,
    Categories,
    cut_text,
    number_text,
    ramp_text,
    test_text,
    value_text,
)
from softwood.forest.ties import most_probable
from softwood.tree import Tree


@dataclass(frozen=True, slots=True)
class Subject:
    """A tree with the names that belong to it; ``classes`` is None for regression.

    ``ranges`` has the least and the largest training value of each feature, if known.
    """

    tree: Tree
    feature_names: Sequence[Any]
    categories: Categories | None
    classes: Sequence[Any] | None
    decimals: int = DECIMALS
    max_terms: int | None = SHOWN_TERMS
    is_date: Sequence[bool] | None = None
    ranges: FloatArray | None = None

    def ramp(self, node: int) -> str:
        """Return between which values the test of ``node`` is soft; nothing if it is hard."""
        return ramp_text(self.tree, node, self.decimals, self.is_date, self.ranges)

    def test(self, node: int, branch: int) -> str:
        """Return what is true of the rows that take a branch of ``node``."""
        return test_text(
            self.tree,
            node,
            branch,
            self.feature_names,
            self.categories,
            self.decimals,
            self.max_terms,
            self.is_date,
        )

    def value_text(self, feature: int, value: float) -> str:
        """Return a value of a feature of numbers in words."""
        return cut_text(value, feature, self.decimals, self.is_date)

    def answer(self, node: int, response: FloatArray | None = None) -> Any:
        """Return the class, or the number, that ``node`` predicts.

        ``response`` stands for that of the tree, for models that correct it.
        """
        own = (self.tree.response if response is None else response)[node]
        if self.classes is None:
            return float(own[0])
        return self.classes[int(most_probable(own))]

    def answer_text(self, node: int) -> str:
        """Return :meth:`answer` in words."""
        answer = self.answer(node)
        return number_text(answer, self.decimals) if self.classes is None else value_text(answer)


def subject_of(
    model: Any,
    feature_names: Sequence[Any] | None = None,
    class_names: Sequence[Any] | None = None,
    decimals: int = DECIMALS,
    max_terms: int | None = SHOWN_TERMS,
) -> Subject:
    """Return the tree of ``model`` and its names; names given by the caller go first."""
    if decimals < 0:
        raise ValueError(f"decimals must not be negative; got {decimals!r}")
    if max_terms is not None and max_terms < 1:
        raise ValueError(f"max_terms must be at least 1; got {max_terms!r}")
    tree = _tree_of(model)
    categories: Categories | None = None
    is_date: list[bool] | None = None
    classes = getattr(model, "classes_", None)
    if isinstance(model, Tree):
        own_names: Sequence[Any] = [f"x{j}" for j in range(tree.n_features)]
        classes = range(tree.n_outputs) if tree.n_outputs > 1 or class_names is not None else None
    else:
        own_names = model.schema_.names
        classes = None if classes is None else classes.tolist()
        categories = [feature.categories for feature in model.schema_.features]
        is_date = [feature.is_date for feature in model.schema_.features]
    names = checked_names("feature_names", feature_names, own_names)
    if class_names is not None:
        if classes is None:
            raise ValueError("class_names was given, but the tree predicts a number")
        classes = checked_names("class_names", class_names, classes)
    ranges: Any = getattr(model, "ranges_", None)
    if np.shape(ranges) != (tree.n_features, 2):
        ranges = None
    return Subject(tree, names, categories, classes, decimals, max_terms, is_date, ranges)


def checked_names(name: str, given: Sequence[Any] | None, own: Sequence[Any]) -> Sequence[Any]:
    """Return the names that the caller has given, if as many as the model's own; or these."""
    if given is None:
        return own
    if isinstance(given, str) or len(given) != len(own):
        raise ValueError(f"{name} must have {len(own)} entries; got {given!r}")
    return list(given)


def _tree_of(model: Any) -> Tree:
    if isinstance(model, Tree):
        return model
    tree = getattr(model, "tree_", None)
    if isinstance(tree, Tree):
        return tree
    raise not_a_model(model, "a fitted softwood tree or a softwood.Tree")


def not_a_model(model: Any, wanted: str) -> Exception:
    """Return the error that says why ``model`` cannot be put into words."""
    name = type(model).__name__
    if hasattr(model, "trees_"):
        return TypeError(
            f"this {name} has {len(model.trees_)} trees; choose one of them: model.trees_[0], "
            "or the one at softwood.explain.typical_tree(model)"
        )
    if hasattr(model, "__sklearn_is_fitted__") and not model.__sklearn_is_fitted__():
        return ValueError(f"this {name} is not fitted yet; call fit first")
    return TypeError(
        f"expected {wanted}; got {name}. softwood.interop.import_model reads the trees and "
        "forests of scikit-learn, LightGBM and XGBoost"
    )
