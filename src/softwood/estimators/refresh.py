"""Refresh a fitted model: the same tests, answers from new rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.seeds import drawn_seed
from softwood.data.telling import untold
from softwood.data.training import TrainingSet
from softwood.data.weights import WeightScale
from softwood.ensemble.jobs import Jobs
from softwood.estimators._base import Estimator, TreeEstimator
from softwood.estimators._exchange import copy_of
from softwood.estimators._forest_base import OPTIONAL, ForestEstimator
from softwood.estimators._inputs import read_target, read_weights
from softwood.estimators._refreshing import Smoothing, refresher_of
from softwood.estimators._sklearn_compat import column_or_1d
from softwood.estimators._softened_base import Softened
from softwood.estimators._weights import training_weights
from softwood.estimators.evolved import EvolvedTreeClassifier
from softwood.flow import Flow
from softwood.forest import Forest
from softwood.grow.evolve_front import Candidate, ParetoFront
from softwood.interop.imported import Imported, import_model
from softwood.learn.refresh import Refresher
from softwood.learn.vicinity import vicinity
from softwood.refine.column_spread import ranges_of_columns, spread_of_columns
from softwood.refine.responses import in_given_units
from softwood.refine.widen import node_margins
from softwood.tree import Tree

# Of a bootstrap that the new rows were not part of.
OF_SAMPLES = (*OPTIONAL, "n_samples_fit_", "_drawn_from", "_witnesses")


@dataclass(frozen=True)
class RefreshedLeaves:
    """What :func:`refresh` has found.

    Attributes
    ----------
    n_rows : int
        New rows of positive weight.
    n_leaves : int
        Leaves of all trees.
    n_unreached : int
        Leaves that no new row has reached: they answer as before.
    """

    n_rows: int
    n_leaves: int
    n_unreached: int


def refresh(
    model: Any,
    X: Any,
    y: Any,
    *,
    keep: float = 0.0,
    smoothing: Any = "auto",
    sample_weight: Any = None,
    random_state: Any = None,
) -> Any:
    """Return a model with the same tests, whose answers come from new rows.

    The responses and weights of all nodes are estimated anew, as they were when the model was
    fitted: from blurred rows where it is vicinal, so that all leaves are right together where it
    is soft by gradients, small leaves answering as a node above where it is variable-random. So
    are lambda where a model blurs its rows, and the widths that follow from errors (C5.0's and
    C4.5's rule); widths that were trained or annealed stay, as tests do.

    Parameters
    ----------
    model : fitted estimator
        A tree, or an ensemble whose answers are the mean of its trees': of softwood, or any
        that :func:`soften` takes. It is not changed. All trees of an ensemble see all rows.
    X, y : array-like
        New rows and their target, of classes that the model knows.
    keep : float, default=0
        What a row counts that the model was fitted to, a new one counting 1. At 0 the old rows
        are forgotten, but a leaf that no new row reaches answers as before; at 1 leaves answer
        as if they had seen old and new rows together.
    smoothing : {"auto", "keep"} or float, default="auto"
        Lambda, of models that blur their rows: "auto" chooses it anew, if it was chosen and not
        given, by folds of the new rows; "keep" keeps it, and a number is lambda itself. The
        deviations that it multiplies are those of the new rows.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the new rows; those of weight 0 are left out. ``class_weight`` of the model
        counts, too.
    random_state : int, RandomState or None, default=None
        Seed of the folds.

    Returns
    -------
    estimator
        A copy of the model, or, of another library's model, a :class:`SoftenedClassifier` or
        :class:`SoftenedRegressor` that is not soft. ``refreshed_`` says how many leaves no new
        row has reached.

    Raises
    ------
    ValueError
        If ``y`` has a class that the model does not know; or if the trees add up to a score, as
        those of boosting do: no row says what one of them should answer.

    See Also
    --------
    softwood.diff : What has changed between two models.

    Notes
    -----
    On the rows that it was fitted to, a tree of hard tests gets the answers that it has, unless
    it was grown on a part of them, as for ``pruning="holdout"``, or is one of a bootstrap.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood import CARTRegressor, refresh
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(size=(400, 2))
    >>> model = CARTRegressor(max_leaf_nodes=6).fit(X[:200], 10 * X[:200, 0])
    >>> y = 10 * X[200:, 0] + 3                       # everything has become dearer
    >>> fresh = refresh(model, X[200:300], y[:100])
    >>> for either in model, fresh:
    ...     print(f"{np.abs(either.predict(X[300:]) - y[100:]).mean():.1f}")
    3.0
    0.4
    >>> fresh.refreshed_
    RefreshedLeaves(n_rows=100, n_leaves=6, n_unreached=0)
    """
    imported = import_model(model)
    _refuse(imported, keep, smoothing)
    y = _known_target(model, imported, y)
    with untold():  # of its original, which is not asked for anything
        new = copy_of(model, X, y)
    data = _training_set(new, new._rows(X), y, sample_weight)
    seed, jobs = drawn_seed(random_state), Jobs(getattr(new, "n_jobs", None))
    refresher = refresher_of(new, data, keep)
    before = _in_unit(_forest_of(new), 1.0 / data.unit)
    forest, n_unreached = refresher.refreshed(before, data, jobs)
    blur = Smoothing.of(new, smoothing)
    flow, facts = blur.chosen(new.flow_, refresher, before, data, seed, jobs)
    _put(new, forest.map(lambda tree: in_given_units(tree, data)), flow)
    for name, value in {**facts, **_facts(new, refresher, data)}.items():
        setattr(new, f"{name}_", value)
    new.refreshed_ = RefreshedLeaves(data.n_rows, forest.n_leaves, n_unreached)
    return new


def _refuse(imported: Imported, keep: float, smoothing: Any) -> None:
    """Complain of what cannot be refreshed so."""
    if not 0.0 <= float(keep) < np.inf:
        raise ValueError(f"keep must be finite and not negative; got {keep!r}")
    is_number = isinstance(smoothing, int | float) and not isinstance(smoothing, bool)
    if not (smoothing in ("auto", "keep") if not is_number else 0.0 <= smoothing < np.inf):
        raise ValueError(
            f"smoothing must be 'auto', 'keep' or a number from 0 on; got {smoothing!r}"
        )
    if not imported.forest.is_mean:
        raise ValueError(
            f"refresh takes trees that answer on their own; those of {imported.kind} add up to a "
            "score, and no row says what one of them should answer: fit it again"
        )


def _known_target(model: Any, imported: Imported, y: Any) -> AnyArray:
    """Return the target of the new rows, all classes of which the model knows."""
    if imported.classes is None:
        return read_target(model, y)
    labels = np.asarray(column_or_1d(y, warn=True))
    unknown = np.unique(labels[~np.isin(labels, imported.classes)])
    if unknown.size:
        raise ValueError(
            f"y has {', '.join(map(repr, unknown.tolist()[:5]))}, which the model never saw; its "
            f"classes are {', '.join(map(repr, imported.classes.tolist()))}: fit a model to all"
        )
    return labels


# -- rows and their weights ------------------------------------------------------------


def _training_set(model: Any, rows: FloatArray, y: AnyArray, sample_weight: Any) -> TrainingSet:
    """Return the new rows as the model would be fitted to them."""
    classes = getattr(model, "classes_", None)
    label = y if classes is None else _codes(classes, y)
    weight, unit = _weights(model, rows, label, sample_weight, classes)
    kept = weight > 0.0
    sizes = model.schema_.n_categories
    if classes is None:
        data = TrainingSet.of_target(
            rows[kept], label[kept], weight=weight[kept], n_categories=sizes
        )
    else:
        data = TrainingSet.of_classes(
            rows[kept], label[kept], n_classes=classes.size, weight=weight[kept], n_categories=sizes
        )
    return replace(data, unit=unit)


def _weights(
    model: Any, rows: FloatArray, label: AnyArray, sample_weight: Any, classes: AnyArray | None
) -> tuple[FloatArray, float]:
    """Return weights as the learner of the trees takes them, and what 1 is to the user."""
    while isinstance(model, Softened):
        model = model.model
    if not isinstance(model, Estimator):  # of another library, or not known any more
        weight = read_weights(rows, label, sample_weight)
        scale = WeightScale.of(weight)
        return scale.applied(weight), scale.unit
    if classes is not None and isinstance(model.class_weight, str):
        there, label = np.unique(label, return_inverse=True)
        classes = classes[there]  # "balanced" wants rows of every class
    return training_weights(model, rows, label, sample_weight, classes)


def _codes(classes: AnyArray, labels: AnyArray) -> AnyArray:
    order = np.argsort(classes)
    return np.asarray(order[np.searchsorted(classes, labels, sorter=order)])


def _in_unit(forest: Forest, unit: float) -> Forest:
    if unit == 1.0:
        return forest
    return forest.map(lambda tree: tree.replace(weight=tree.weight * unit))


# -- the model -------------------------------------------------------------------------


def _forest_of(model: Any) -> Forest:
    """Return the trees as they were grown: what corrects their answers comes later."""
    if isinstance(model, TreeEstimator):
        return Forest.average([model.tree_])
    forest: Forest = model.forest_
    return forest


def _put(model: Any, forest: Forest, flow: Flow) -> None:
    """Exchange trees and flow; forget what was known of the rows of the old ones."""
    model._let_go()
    if isinstance(model, Softened):
        model.imported_ = replace(model.imported_, forest=forest, flow=flow, bootstrap_indices=None)
        return
    if isinstance(model, ForestEstimator):
        model.forest_ = forest
        for name in OF_SAMPLES:
            model.__dict__.pop(name, None)
    else:
        model.tree_ = forest.trees[0]
    model.flow_ = flow


def _facts(model: Any, refresher: Refresher, data: TrainingSet) -> dict[str, Any]:
    """Return what else a model has measured on its rows, measured on the new ones."""
    facts: dict[str, Any] = {}
    if hasattr(model, "deviations_"):
        facts["deviations"] = spread_of_columns(data)[1]
    if hasattr(model, "ranges_"):
        facts["ranges"] = ranges_of_columns(data)
    if hasattr(model, "margins_"):
        facts["margins"] = node_margins(model.tree_, data.X)
    if isinstance(model, EvolvedTreeClassifier):
        facts |= _evolved_facts(model, refresher, data)
    return facts


def _evolved_facts(
    model: EvolvedTreeClassifier, refresher: Refresher, data: TrainingSet
) -> dict[str, Any]:
    """Return noise, risk and front; trees that others better on the new rows leave the front."""
    old = _in_unit(Forest.average(model.front_trees_), 1.0 / data.unit)
    trees: Sequence[Tree] = refresher.refreshed(old, data)[0].trees
    found = [
        Candidate(tree, _risk(tree), int(size))
        for tree, size in zip(trees, model.front_n_nodes_evolved_, strict=True)
    ]
    front = ParetoFront.of(found)
    return {
        "noise": vicinity(data, model.sigma2_),
        "risk": _risk(model.tree_),
        "front_trees": tuple(in_given_units(tree, data) for tree in front.trees),
        "front_risks": front.risks,
        "front_n_nodes_evolved": front.n_nodes_evolved,
    }


def _risk(tree: Tree) -> float:
    """Return the share of the weight that is at leaves of other classes."""
    weight, best = tree.weight[tree.leaves], tree.response[tree.leaves].max(axis=1)
    total = float(weight.sum())
    return float(np.clip(weight @ (1.0 - best) / total, 0.0, 1.0)) if total > 0.0 else 0.0
