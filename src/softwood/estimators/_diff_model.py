"""One of two models that are compared: how it reads rows, its classes, what its trees say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.identity import places
from softwood.data.telling import untold
from softwood.forest import ALL_OUTPUTS
from softwood.forest.sums import flow_of_trees
from softwood.interop.imported import Imported, import_model
from softwood.refine.gains import feature_importances

ROUNDING = 1e-9  # of what is predicted: less is no change


@dataclass(frozen=True, eq=False)
class Model:
    """One of the two models, and what it is as a forest."""

    fitted: Any
    imported: Imported

    @classmethod
    def of(cls, fitted: Any) -> Model:
        """Import a fitted model."""
        return cls(fitted, import_model(fitted))

    @property
    def kind(self) -> str:
        """The name of its class."""
        return type(self.fitted).__name__

    def read(self, X: Any) -> FloatArray:
        """Return rows as the trees read them; what is unknown in them is told elsewhere."""
        with untold():
            if self.imported.schema.preparation is not None and hasattr(self.fitted, "_rows"):
                return np.asarray(self.fitted._rows(X))
            return self.imported.encode(X)  # names may be lacking in the rows, or in the model

    @cached_property
    def classes(self) -> list[Any] | None:
        """The classes, if it predicts any."""
        classes = self.imported.classes
        return None if classes is None else classes.tolist()

    def importance(self) -> FloatArray:
        """Return the share of each column, by the model itself or by its trees."""
        own = getattr(self.fitted, "feature_importances_", None)
        if own is None:
            trees = self.imported.forest.trees
            own = np.mean([feature_importances(tree, "squared_error") for tree in trees], axis=0)
        own = np.asarray(own, dtype=np.float64)
        total = own.sum()
        return own / total if total > 0.0 else own

    def scatter(self, rows: FloatArray, answer: AnyArray) -> FloatArray | None:
        """Return how the answers of the trees scatter; None of one tree, or of terms of a sum."""
        forest = self.imported.forest
        alone = (
            forest.is_mean and forest.link == "identity" and (forest.output == ALL_OUTPUTS).all()
        )
        if forest.n_trees == 1 or not alone:
            return None
        flows = flow_of_trees(self.imported.flow, forest.n_trees)
        chosen = np.zeros(len(rows), dtype=int)
        if self.classes is not None:
            where = {label: code for code, label in enumerate(self.classes)}
            chosen = np.array([where[label] for label in answer.tolist()], dtype=int)
        said = [
            flow.predict(tree, rows)[np.arange(len(rows)), chosen]
            for tree, flow in zip(forest.trees, flows, strict=True)
        ]
        return np.asarray(np.std(said, axis=0))


def common_classes(old: Model, new: Model) -> tuple[list[Any] | None, list[int] | None]:
    """Return the classes of either, and which of them each class of the new model is."""
    if (old.classes is None) != (new.classes is None):
        tasks = ["numbers" if model.classes is None else "classes" for model in (old, new)]
        raise ValueError(
            f"the models must predict the same thing; {old.kind} predicts {tasks[0]} and "
            f"{new.kind} {tasks[1]}"
        )
    if old.classes is None or new.classes is None:
        return None, None
    place = places(new.classes, old.classes, unknown=-1)
    if max(place) < 0:
        raise ValueError(
            f"the models have no class in common: the old one has {_some(old.classes)}, the new "
            f"one {_some(new.classes)}"
        )
    classes = list(old.classes)
    for code, at in enumerate(place):
        if at < 0:
            place[code] = len(classes)
            classes.append(new.classes[code])
    return classes, place


def _some(values: Sequence[Any], most: int = 5) -> str:
    shown = ", ".join(map(repr, values[:most]))
    return shown if len(values) <= most else f"{shown}, ... ({len(values)} in all)"


def renamed(
    answer: AnyArray, model: Model, classes: list[Any], place: list[int] | None
) -> AnyArray:
    """Return the answers of the new model in the words of the old one."""
    assert model.classes is not None
    assert place is not None
    words = {label: classes[at] for label, at in zip(model.classes, place, strict=True)}
    named = [words[label] for label in answer.tolist()]
    kinds = {type(one) for one in named}
    return np.array(named, dtype=None if len(kinds) == 1 else object)


def moved_share(
    before: FloatArray, after: FloatArray, n_classes: int, place: list[int] | None
) -> FloatArray:
    """Return the probability of each row that has gone to other classes."""
    aligned = np.zeros((2, len(before), n_classes))
    aligned[0, :, : before.shape[1]] = before
    for code, at in enumerate(place or ()):
        aligned[1, :, at] += after[:, code]
    shift = 0.5 * np.abs(aligned[1] - aligned[0]).sum(axis=1)
    return np.where(shift < ROUNDING, 0.0, shift)
