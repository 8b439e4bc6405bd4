"""Prune a fitted model."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from softwood._types import AnyArray
from softwood.data.folds import plain_folds
from softwood.data.seeds import drawn_seed
from softwood.data.training import TrainingSet
from softwood.estimators._exchange import copy_of, exchange_trees
from softwood.estimators._inputs import read_weights
from softwood.estimators._learners import tree_learner
from softwood.estimators._softened_base import Softened
from softwood.estimators.softened import SoftenedClassifier, SoftenedRegressor
from softwood.flow import Flow, Hard
from softwood.interop.imported import Imported, import_model
from softwood.refine.cost_complexity import (
    choose_by_folds,
    choose_by_validation,
    pruning_sequence,
)
from softwood.refine.pessimistic import PrunePessimistic
from softwood.refine.reduced_error import PruneReducedError
from softwood.tree import Tree

Grow = Callable[[TrainingSet], Tree]
METHODS = ("cost_complexity", "reduced_error", "pessimistic")


def prune(
    model: Any,
    X: Any,
    y: Any,
    method: str = "cost_complexity",
    *,
    alpha: Any = "cv",
    n_standard_errors: float = 0.0,
    n_folds: int = 10,
    confidence: float = 0.25,
    subtree_raising: bool = True,
    sample_weight: Any = None,
    random_state: Any = None,
) -> Any:
    """Return a smaller version of a fitted model.

    Parameters
    ----------
    model : fitted estimator
        A tree, or an ensemble whose answers are the mean of its trees': of softwood, or any
        that :func:`soften` takes. It is not changed. Of an ensemble each tree is pruned.
    X, y : array-like
        The training rows and their target. For ``alpha="holdout"`` and "reduced_error" rows
        that the model has not seen.
    method : {"cost_complexity", "reduced_error", "pessimistic"}, default="cost_complexity"
        "cost_complexity" charges a price for each leaf, as CART does. "reduced_error" turns a
        node into a leaf wherever that loses nothing on (X, y). "pessimistic" is C4.5's way: it
        adds to the training errors what few cases leave open; for classes, and crisp trees.
    alpha : {"cv", "holdout"} or float, default="cv"
        For "cost_complexity": the price of a leaf, in error per unit of weight. "cv" fits
        the model anew to folds and takes the price that loses least on them; "holdout" the
        one that loses least on (X, y).
    n_standard_errors : float, default=0
        Take the smallest tree within so many standard errors of the best; 1 is Breiman's rule.
    n_folds : int, default=10
        Folds of "cv".
    confidence : float, default=0.25
        For "pessimistic": confidence of the estimates, at most 0.5; smaller prunes more.
    subtree_raising : bool, default=True
        For "pessimistic": whether a node may be replaced by its largest branch.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows; those of weight 0 are left out.
    random_state : int, RandomState or None, default=None
        Seed of the folds.

    Returns
    -------
    estimator
        A copy of the model, or, of another library's model, a :class:`SoftenedClassifier` or
        :class:`SoftenedRegressor` that is not soft.

    See Also
    --------
    CARTClassifier : Prunes while it is fitted: ``pruning="cv"``.
    C45Classifier : Prunes pessimistically.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from softwood import prune
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> grown = DecisionTreeClassifier(random_state=0).fit(X[:400], y[:400])
    >>> for options in {}, {"method": "pessimistic"}:
    ...     small = prune(grown, X[:400], y[:400], random_state=0, **options)
    ...     print(grown.get_n_leaves(), "leaves to", small.get_n_leaves())
    18 leaves to 5
    18 leaves to 14
    """
    imported = import_model(model)
    _refuse(imported, method, alpha)
    data = _training_set(model, imported, X, y, sample_weight)
    change: Callable[[Tree], Tree]
    if method == "reduced_error":
        change = partial(PruneReducedError(_flow(imported)).refine, data=data)
    elif method == "pessimistic":
        change = partial(PrunePessimistic(confidence, subtree_raising).refine, data=data)
    elif alpha == "cv":
        seed = drawn_seed(random_state)
        folds = plain_folds(data.n_rows, min(n_folds, data.n_rows), seed)
        grow = _grower(model, seed)
        change = partial(_at_price_of_folds, data, folds, grow, n_standard_errors, _flow(imported))
    elif alpha == "holdout":
        change = partial(_at_price_of_rows, data, n_standard_errors, _flow(imported))
    else:
        change = partial(_at_price, float(alpha), data.is_regression)
    pruned = copy_of(model, X, y)
    exchange_trees(pruned, change, X)
    return pruned


def _training_set(
    model: Any, imported: Imported, X: Any, y: Any, sample_weight: Any
) -> TrainingSet:
    """Return rows and target as the trees of the model read them."""
    reader = (SoftenedRegressor if imported.classes is None else SoftenedClassifier)(model)
    rows, y = imported.encode(X), np.asarray(y)
    reader._check_target(imported, rows, y)
    weight = read_weights(rows, y, sample_weight)
    kept = weight > 0.0
    return reader._training_set(imported, rows[kept], y[kept], weight[kept])


def _grower(model: Any, seed: int) -> Grow:
    """Return what grows trees like that of the model, on parts of its rows."""
    learnt = model.model if isinstance(model, Softened) else model
    if not hasattr(learnt, "get_params"):
        raise ValueError(
            "alpha='cv' fits the model again, and there is none to be fitted: use 'holdout' with "
            "rows that are new to it, or a number"
        )
    learner = tree_learner(learnt, keeps_seed=True)
    return lambda part: learner.fit(part, seed).tree


def _at_price(alpha: float, is_regression: bool, tree: Tree) -> Tree:
    return pruning_sequence(tree, is_regression).at(alpha)


def _at_price_of_rows(data: TrainingSet, n_standard_errors: float, flow: Flow, tree: Tree) -> Tree:
    sequence = pruning_sequence(tree, data.is_regression)
    return sequence.at(choose_by_validation(sequence, data, n_standard_errors, flow))


def _at_price_of_folds(
    data: TrainingSet,
    folds: list[tuple[AnyArray, AnyArray]],
    grow: Grow,
    n_standard_errors: float,
    flow: Flow,
    tree: Tree,
) -> Tree:
    sequence = pruning_sequence(tree, data.is_regression)
    return sequence.at(choose_by_folds(sequence, data, folds, grow, n_standard_errors, flow))


def _refuse(imported: Imported, method: str, alpha: Any) -> None:
    """Complain of what cannot be pruned so."""
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}; got {method!r}")
    if not imported.forest.is_mean:
        raise ValueError(
            f"prune takes trees that answer on their own; those of {imported.kind} add up to a "
            "score, and no row says what one of them should answer"
        )
    if method == "pessimistic":
        if imported.classes is None:
            raise ValueError("method='pessimistic' counts errors, and this model predicts numbers")
        if not isinstance(_flow(imported), Hard):
            raise ValueError(
                "method='pessimistic' counts the cases of crisp leaves, and this model is soft: "
                "harden it first, or use another method"
            )
    if method != "cost_complexity":
        return
    if isinstance(alpha, str) and alpha not in ("cv", "holdout"):
        raise ValueError(f"alpha must be 'cv', 'holdout' or a number; got {alpha!r}")
    if not isinstance(alpha, str) and not 0.0 <= float(alpha) < np.inf:
        raise ValueError(f"alpha must be at least 0 and finite; got {alpha!r}")
    if alpha == "cv" and not imported.is_single_tree:
        raise ValueError(
            f"alpha='cv' is for single trees, and {imported.kind} has {imported.forest.n_trees}: "
            "use 'holdout' with rows it has not seen, or a number"
        )


def _flow(imported: Imported) -> Flow:
    flow: Any = imported.flow  # all trees of one of our models share it
    return flow  # type: ignore[no-any-return]
