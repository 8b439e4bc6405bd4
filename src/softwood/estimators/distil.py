"""Distil any fitted model into one tree that can be read."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from softwood._types import AnyArray, FloatArray
from softwood.data.schema import Schema
from softwood.estimators._base import all_or_nothing
from softwood.estimators._inputs import read_training_rows
from softwood.estimators._sklearn_compat import check_is_fitted, take_rows
from softwood.estimators.fidelity import fidelity
from softwood.estimators.rows_again import rows_again
from softwood.estimators.soft import SoftTreeClassifier, SoftTreeRegressor
from softwood.estimators.soften import harden
from softwood.learn.soften import Gradient
from softwood.learn.soften.teacher import FittedTeacher


def distil(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    soft: bool = True,
    max_leaf_nodes: Any = "auto",
    oblique: Any = "auto",
    sample_weight: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    random_state: Any = None,
) -> SoftTreeClassifier | SoftTreeRegressor:
    """Return one tree that answers as nearly as it can what a fitted model answers.

    The model is asked about the rows and about blurred copies of them, and a tree is trained on
    its answers, as the ensembles teach :class:`SoftTreeClassifier`.

    Parameters
    ----------
    model : fitted estimator
        Anything with ``predict_proba`` or ``predict`` that takes rows like ``X``: an ensemble of
        softwood or scikit-learn, LightGBM, a network, a pipeline.
    X : array-like or frame
        Rows such as the model is asked about.
    y : array-like, optional
        What was seen for them. On the rows themselves, labels and answers then count alike;
        without, and between the rows, only answers do.
    soft : bool, default=True
        Whether tests may be soft. A hard tree has the tests of the soft one, and follows the
        model less closely.
    max_leaf_nodes, oblique, n_jobs, verbose, random_state
        As in :class:`SoftTreeClassifier`.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows; those of weight 0 are left out.

    Returns
    -------
    SoftTreeClassifier or SoftTreeRegressor
        Fitted. ``fidelity_`` says how closely it follows the model on the rows given:
        rows that it has not seen tell more, by :func:`softwood.estimators.fidelity.fidelity`.
        Fitting it again learns from labels.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from softwood import distil
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> black_box = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    >>> tree = distil(black_box, X, random_state=0)
    >>> tree.fidelity_.agreement > 0.95
    True
    """
    check_is_fitted(model)
    X, y, sample_weight = _rows_that_count(X, y, sample_weight)
    answers = _Answers(model, X)
    options = {"max_leaf_nodes": max_leaf_nodes, "oblique": oblique, "n_jobs": n_jobs}
    kind = SoftTreeClassifier if answers.is_classifier else SoftTreeRegressor
    tree = kind(**options, verbose=verbose, random_state=random_state)
    tree._validate_params()
    target = answers.predicted if y is None else np.asarray(y)
    with all_or_nothing(tree):
        matrix, schema = read_training_rows(tree, X)
        ask = answers.in_order_of(np.unique(target) if answers.is_classifier else None, schema)
        learner = tree._learner()
        teacher = FittedTeacher(ask, trust=1.0 if y is None else 0.5)
        learner = replace(learner, method=Gradient(teacher=teacher))
        tree._learn(matrix, schema, target, sample_weight, learner=learner)
    found = tree if soft else harden(tree)
    found.fidelity_ = fidelity(model, found, X)
    return found


def _rows_that_count(X: Any, y: Any, weight: Any) -> tuple[Any, Any, Any]:
    """Return rows, labels and weights without those that weigh nothing."""
    if weight is None:
        return X, y, None
    weight = np.asarray(weight, dtype=np.float64)
    kept = np.flatnonzero(weight)
    if kept.size == weight.size:
        return X, y, weight
    return take_rows(X, kept), None if y is None else np.asarray(y)[kept], weight[kept]


class _Answers:
    """What a model of anyone's says about rows, in our order of the classes."""

    def __init__(self, model: Any, X: Any) -> None:
        self.model, self.X = model, X
        self.predicted = np.asarray(model.predict(X))
        self.is_classifier = hasattr(model, "classes_") or is_classifier(model)
        if self.predicted.ndim != 1:
            raise ValueError(
                "model must answer with one value for a row; its predict gave an array of shape "
                f"{self.predicted.shape}"
            )

    def in_order_of(self, classes: AnyArray | None, schema: Schema) -> Any:
        """Return what answers for a matrix of rows, or of blurred copies of them."""
        if classes is not None:
            self._say_what_is_left_out(classes)

        def ask(matrix: FloatArray) -> FloatArray:
            rows = rows_again(self.X, schema, matrix)
            if classes is None:
                return np.asarray(self.model.predict(rows), dtype=np.float64).reshape(-1, 1)
            return self._shares(rows, classes)

        return ask

    def _shares(self, rows: Any, classes: AnyArray) -> FloatArray:
        if not hasattr(self.model, "predict_proba"):
            said = np.asarray(self.model.predict(rows))
            return np.asarray(said[:, None] == classes, dtype=np.float64)
        proba = np.asarray(self.model.predict_proba(rows), dtype=np.float64)
        shares = np.zeros((len(proba), classes.size))
        known, ours = np.nonzero(np.asarray(self.model.classes_)[:, None] == classes)
        shares[:, ours] = proba[:, known]
        total = shares.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, shares / np.where(total > 0.0, total, 1.0), 1 / classes.size)

    def _say_what_is_left_out(self, classes: AnyArray) -> None:
        left_out = [each for each in self.model.classes_ if each not in classes]
        if left_out:
            names = ", ".join(map(str, left_out[:5]))
            warnings.warn(
                f"no row of X has {names}: the tree will not know "
                f"{'it' if len(left_out) == 1 else 'them'}; give rows, or y, that do",
                UserWarning,
                stacklevel=4,
            )
