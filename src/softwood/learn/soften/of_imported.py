"""Softening of models that are fitted already: trees by any method, ensembles by perturbation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.data.telling import untold
from softwood.data.training import TrainingSet
from softwood.flow import Flow, Hard
from softwood.forest import Forest
from softwood.interop.imported import Imported, import_model
from softwood.learn.soften.method import Method, Setting
from softwood.learn.soften.perturb import Perturb
from softwood.refine.perturb import tune_by_holdout, tune_out_of_bag
from softwood.refine.responses import in_given_units
from softwood.refine.smoothing import SmoothingPath, tune_smoothing
from softwood.tree import Tree

Found = tuple[Forest, Flow, SmoothingPath | None]


class Source(Protocol):
    """The original, and what it was fitted to: lambda is chosen by fitting it again."""

    @property
    def fitted(self) -> Any:
        """The original."""

    @property
    def kept(self) -> AnyArray:
        """The rows with positive weight; the training set has no others."""

    @property
    def n_rows(self) -> int:
        """Number of all rows."""

    def fitted_to(self, rows: AnyArray) -> Any:
        """Return the original, fitted anew to some of the rows that were kept."""

    def rows(self, rows: AnyArray) -> Any:
        """Return some of the rows that were kept."""


def soften_imported(
    method: Method, setting: Setting, imported: Imported, data: TrainingSet, source: Source
) -> Found:
    """Soften an imported model; ``source`` is where it came from."""
    if isinstance(method, Perturb):
        return _perturbed(method, setting, imported, data, source)
    if not imported.is_single_tree:
        raise ValueError(
            f"method={method.name!r} softens single trees; {imported.kind} has "
            f"{imported.forest.n_trees}: use method='perturb'"
        )
    tree = imported.forest.trees[0]
    if method.name == "gradient":  # it weighs the leaves anew
        soft = method.soften(tree, data, _never, setting)
        weighed = in_given_units(soft.tree, data)
    else:
        unit = _unit_of(tree, data)
        soft = method.soften(tree.replace(weight=tree.weight / unit), data, _never, setting)
        weighed = soft.tree.replace(weight=soft.tree.weight * unit)
    return imported.forest.replace(trees=(weighed,)), soft.flow, None


def _unit_of(tree: Tree, data: TrainingSet) -> float:
    """Return what a weight of 1 in ``data`` is to a tree that was grown on the same rows."""
    if data.unit == 1.0 or tree.weight[0] <= 0.0:
        return 1.0
    return float(tree.weight[0] / data.weight.sum())


def _never(data: TrainingSet) -> Tree:
    raise AssertionError("only perturbation grows trees on folds")


def _perturbed(
    method: Perturb, setting: Setting, imported: Imported, data: TrainingSet, source: Source
) -> Found:
    forest, how = imported.forest, setting.smoothing
    if how == "auto":
        how = "cv" if imported.bootstrap_indices is None else "oob"
    noise = method.perturbation(data, setting.seed)
    if all(tree.n_leaves == 1 for tree in forest.trees):
        return forest, Hard(), None
    if not isinstance(how, str):
        return forest, noise.at(float(how)), None
    if how == "holdout":
        path = tune_by_holdout(forest, data, noise, method.loss)
    elif how == "oob":
        in_bag = _in_bag(imported, source.n_rows)[source.kept]
        path = tune_out_of_bag(forest, data, in_bag, noise, method.loss)
    else:
        path = _tuned_by_refitting(method, replace(setting, smoothing=how), imported, data, source)
    return forest, path.flow, path


def _in_bag(imported: Imported, n_rows: int) -> BoolArray:
    if imported.bootstrap_indices is None:
        raise ValueError(
            f"smoothing='oob' needs the bootstrap samples of the trees, which {imported.kind} "
            "does not have: use 'cv', 'holdout' or a number"
        )
    in_bag = np.zeros((n_rows, imported.forest.n_trees), dtype=bool)
    for tree, rows in enumerate(imported.bootstrap_indices):
        if rows.size and rows.max() >= n_rows:
            raise ValueError(
                f"smoothing='oob' needs the rows that the model was fitted to: it saw row "
                f"{int(rows.max())}, X has {n_rows}"
            )
        in_bag[rows, tree] = True
    return in_bag


def _tuned_by_refitting(
    method: Perturb, setting: Setting, imported: Imported, data: TrainingSet, source: Source
) -> SmoothingPath:
    """Choose lambda by folds: the original is fitted anew to each of them."""
    if not hasattr(source.fitted, "get_params"):
        raise ValueError(
            f"smoothing='cv' fits the model again, which a {imported.kind} cannot be: use "
            "'holdout' with rows it has not seen, or a number"
        )
    parts: list[tuple[Imported, FloatArray]] = []
    held_out = []
    for train, test in setting.folds(data):
        with untold():  # a fold may lack categories of the others
            model = import_model(source.fitted_to(train))
            parts.append((model, model.encode(source.rows(test))))
        held_out.append(test)

    def predict(flow: Flow) -> FloatArray:
        return np.concatenate([_aligned(m, m.forest.predict(X, flow), imported) for m, X in parts])

    rows = data.take(np.concatenate(held_out))
    return tune_smoothing(predict, rows, method.perturbation(data, setting.seed), method.loss)


def _aligned(part: Imported, predicted: FloatArray, whole: Imported) -> FloatArray:
    """Return probabilities with a column for every class, also those a fold has not seen."""
    if whole.classes is None or part.classes is None or part.classes.size == whole.classes.size:
        return predicted
    out = np.zeros((predicted.shape[0], whole.classes.size))
    out[:, [int(np.flatnonzero(whole.classes == label)[0]) for label in part.classes]] = predicted
    return out
