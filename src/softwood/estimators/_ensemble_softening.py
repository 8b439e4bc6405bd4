"""Softening of imported models: one tree by any method, ensembles by perturbation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.data.table import Table
from softwood.data.telling import untold
from softwood.data.training import TrainingSet
from softwood.estimators._sklearn_compat import take_rows
from softwood.estimators._softening import Softening
from softwood.flow import Flow, Hard
from softwood.forest import Forest
from softwood.grow.given_units import in_given_units
from softwood.interop.imported import Imported, import_model
from softwood.refine.perturb import tune_by_holdout, tune_out_of_bag
from softwood.refine.smoothing import SmoothingPath, tune_smoothing
from softwood.tree import Tree

Found = tuple[Forest, Flow, SmoothingPath | None]


class Source(NamedTuple):
    """The original, and what it was fitted to: lambda is chosen by fitting it again.

    Attributes
    ----------
    fitted : estimator
        The original.
    X, y : array-like
        All rows, and their target.
    weight : ndarray or None
        Their weights, if any were given.
    kept : ndarray
        The rows with positive weight; the training set has no others.
    """

    fitted: Any
    X: Any
    y: AnyArray
    weight: FloatArray | None
    kept: AnyArray

    def fitted_to(self, rows: AnyArray) -> Any:
        """Return the original, fitted anew to some of the rows that were kept."""
        from sklearn.base import clone

        rows = self.kept[rows]
        weight = None if self.weight is None else self.weight[rows]
        return fit_again(clone(self.fitted), _taken(self.X, rows), self.y[rows], weight)

    def rows(self, rows: AnyArray) -> Any:
        """Return some of the rows that were kept."""
        return _taken(self.X, self.kept[rows])


def fit_again(model: Any, X: Any, y: Any, sample_weight: Any = None) -> Any:
    """Fit a model, with weights if there are any and it takes them; return it."""
    from sklearn.utils.validation import has_fit_parameter

    if sample_weight is None or not has_fit_parameter(model, "sample_weight"):
        return model.fit(X, y)
    return model.fit(X, y, sample_weight=sample_weight)


def _taken(X: Any, rows: AnyArray) -> Any:
    if isinstance(X, Table):
        return X.take(rows)
    return take_rows(X if hasattr(X, "__getitem__") else np.asarray(X), rows)


def soften_imported(
    softening: Softening, imported: Imported, data: TrainingSet, source: Source
) -> Found:
    """Soften an imported model; ``source`` is where it came from."""
    if softening.method == "perturb":
        return _perturbed(softening, imported, data, source)
    if not imported.is_single_tree:
        raise ValueError(
            f"method={softening.method!r} softens single trees; {imported.kind} has "
            f"{imported.forest.n_trees}: use method='perturb'"
        )
    tree = imported.forest.trees[0]
    if softening.method == "gradient":  # it weighs the leaves anew
        soft = softening.of_tree(tree, data, _never)
        weighed = in_given_units(soft.tree, data)
    else:
        unit = _unit_of(tree, data)
        soft = softening.of_tree(tree.replace(weight=tree.weight / unit), data, _never)
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
    softening: Softening, imported: Imported, data: TrainingSet, source: Source
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
        in_bag = _in_bag(imported, source.y.size)[source.kept]
        path = tune_out_of_bag(forest, data, in_bag, noise, softening.loss)
    else:
        path = _tuned_by_refitting(softening, imported, data, source)
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
    softening: Softening, imported: Imported, data: TrainingSet, source: Source
) -> SmoothingPath:
    """Choose lambda by folds: the original is fitted anew to each of them."""
    if not hasattr(source.fitted, "get_params"):
        raise ValueError(
            f"smoothing='cv' fits the model again, which a {imported.kind} cannot be: use "
            "'holdout' with rows it has not seen, or a number"
        )
    parts: list[tuple[Imported, FloatArray]] = []
    judged = []
    for train, test in softening.folds(data):
        with untold():  # a fold may lack categories of the others
            model = import_model(source.fitted_to(train))
            parts.append((model, model.encode(source.rows(test))))
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
