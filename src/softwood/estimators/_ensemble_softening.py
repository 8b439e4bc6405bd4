"""Softening of imported models: one tree by any method, ensembles by perturbation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.estimators._sklearn_compat import take_rows
from softwood.estimators._softening import Softening
from softwood.flow import Flow, Hard
from softwood.forest import Forest
from softwood.interop.imported import Imported, import_model
from softwood.refine.perturb import tune_by_holdout, tune_out_of_bag
from softwood.refine.smoothing import SmoothingPath, tune_smoothing
from softwood.tree import Tree

Found = tuple[Forest, Flow, SmoothingPath | None]


def soften_imported(
    softening: Softening, imported: Imported, data: TrainingSet, fitted: Any, X: Any, y: Any
) -> Found:
    """Soften an imported model; ``fitted`` is the original, to be fitted again on folds."""
    if softening.method == "perturb":
        return _perturbed(softening, imported, data, fitted, X, y)
    if not imported.is_single_tree:
        raise ValueError(
            f"method={softening.method!r} softens single trees; {imported.kind} has "
            f"{imported.forest.n_trees}: use method='perturb'"
        )
    tree = imported.forest.trees[0]
    soft = softening.of_tree(tree, data, _never)
    return imported.forest.replace(trees=(soft.tree,)), soft.flow, None


def _never(data: TrainingSet) -> Tree:
    raise AssertionError("only perturbation grows trees on folds")


def _perturbed(
    softening: Softening, imported: Imported, data: TrainingSet, fitted: Any, X: Any, y: Any
) -> Found:
    forest = imported.forest
    how = softening.smoothing
    if how == "auto":
        how = "cv" if imported.bootstrap_indices is None else "oob"
    softening = replace(softening, smoothing=how)
    noise = softening.perturbation(data)
    if all(tree.n_leaves == 1 for tree in forest.trees):
        return forest, Hard(), None
    if not isinstance(how, str):
        return forest, noise.at(float(how)), None
    if how == "holdout":
        path = tune_by_holdout(forest, data, noise, softening.loss)
    elif how == "oob":
        in_bag = _in_bag(imported, data.n_rows)
        path = tune_out_of_bag(forest, data, in_bag, noise, softening.loss)
    else:
        path = _tuned_by_refitting(softening, imported, data, fitted, X, y)
    return forest, path.flow, path


def _in_bag(imported: Imported, n_rows: int) -> Any:
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
    softening: Softening, imported: Imported, data: TrainingSet, fitted: Any, X: Any, y: Any
) -> SmoothingPath:
    """Choose lambda by folds: the original is fitted anew to each of them."""
    if not hasattr(fitted, "get_params"):
        raise ValueError(
            f"smoothing='cv' fits the model again, which a {imported.kind} cannot be: use "
            "'holdout' with rows it has not seen, or a number"
        )
    from sklearn.base import clone

    parts: list[tuple[Imported, FloatArray]] = []
    judged = []
    for train, test in softening.folds(data):
        model = import_model(clone(fitted).fit(take_rows(X, train), take_rows(y, train)))
        parts.append((model, model.encode(take_rows(X, test))))
        judged.append(test)

    def predict(flow: Flow) -> FloatArray:
        return np.concatenate([_aligned(m, m.forest.predict(X, flow), imported) for m, X in parts])

    held_out = data.take(np.concatenate(judged))
    return tune_smoothing(predict, held_out, softening.perturbation(data), softening.loss)


def _aligned(part: Imported, predicted: FloatArray, whole: Imported) -> FloatArray:
    """Return probabilities with a column for every class, also those a fold has not seen."""
    if whole.classes is None or part.classes is None or part.classes.size == whole.classes.size:
        return predicted
    out = np.zeros((predicted.shape[0], whole.classes.size))
    out[:, [int(np.flatnonzero(whole.classes == label)[0]) for label in part.classes]] = predicted
    return out
