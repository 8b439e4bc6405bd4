"""Soften a fitted model, and harden a soft one."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from softwood.estimators._base import TreeEstimator
from softwood.estimators._sklearn_compat import check_is_fitted
from softwood.estimators._softened_base import Softened
from softwood.estimators.fidelity import fidelity
from softwood.estimators.softened import SoftenedClassifier, SoftenedRegressor
from softwood.flow import Hard
from softwood.interop.imported import import_model
from softwood.learn.soften import METHODS, Method
from softwood.refine.crisp import crisp_tree


def soften(
    model: Any,
    X: Any,
    y: Any,
    method: Any = "perturb",
    *,
    smoothing: Any = "auto",
    oblique: bool = False,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    random_state: Any = None,
    **options: Any,
) -> SoftenedClassifier | SoftenedRegressor:
    """Return a soft version of a fitted model.

    Parameters
    ----------
    model : fitted estimator
        A tree or an ensemble of trees: of softwood; of scikit-learn (decision tree, random
        forest, extra trees, bagging of trees, gradient boosting, histogram gradient
        boosting); of LightGBM or XGBoost. It is not changed. The raw scores of boosted
        trees are smoothed before they pass through the link.
    X, y : array-like
        The training rows and their target. For ``smoothing="holdout"`` rows that the model
        has not seen.
    method : {"perturb", "gradient", "anneal", "confidence"} or Method, default="perturb"
        How to soften: a name, or one of :class:`Perturb`, :class:`Gradient`, :class:`Anneal`
        and :class:`Confidence`. All but "perturb" are for single trees, and "anneal" and
        "confidence" for classes; see :class:`SoftTreeClassifier`. A tree that is given is
        softened as it is: "anneal" by name does not try pruned versions of it.
    smoothing : {"auto", "cv", "oob", "holdout"} or float, default="auto"
        For "perturb": "cv" fits the model anew to ten folds, "oob" asks the trees of a bagged
        ensemble about rows they have not seen, "holdout" takes (X, y) as such rows, a number
        is lambda itself; "auto" is "oob" where it can be, else "cv".
    oblique : bool, default=False
        For "gradient": whether tests may become weighted sums of several features.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows; those of weight 0 are left out.
    n_jobs, verbose, random_state
        As in :class:`SoftTreeClassifier`.
    **options
        Options of the method, if it is given by name: ``soften(model, X, y, flow="product")``
        is ``soften(model, X, y, Perturb(flow="product"))``.

    Returns
    -------
    SoftenedClassifier or SoftenedRegressor
        Fitted.

    Notes
    -----
    Smoothing helps single trees most. In forests the averaging has done most of its work
    already: expect a small gain, or lambda = 0. A forest whose lambda was chosen by errors
    can have a worse log loss; choose by ``loss="log_loss"`` if probabilities matter.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from softwood import soften
    >>> X, y = load_iris(return_X_y=True)
    >>> mine = DecisionTreeClassifier(random_state=0).fit(X, y)
    >>> soft = soften(mine, X, y, smoothing=0.2)
    >>> soft.predict_proba(X[70:71]).round(2)
    array([[0.  , 0.51, 0.49]])
    >>> soften(mine, X, y, smoothing=0.0).predict_proba(X[70:71])
    array([[0., 1., 0.]])
    """
    imported = import_model(model)
    kind = SoftenedRegressor if imported.classes is None else SoftenedClassifier
    softened = kind(
        model,
        _method(method, options),
        smoothing=smoothing,
        oblique=oblique,
        n_jobs=n_jobs,
        verbose=verbose,
        random_state=random_state,
    )
    softened._validate_params()
    if np.size(X) == 0:
        raise ValueError(f"X must have rows; got shape {np.shape(X)}")
    return softened._soften_fitted(model, imported, X, y, sample_weight)


def _method(method: Any, options: dict[str, Any]) -> Any:
    """Return the method of a name with its options; what is no name stays as it is."""
    if isinstance(method, Method) and options:
        raise TypeError(
            f"{', '.join(options)}: options of a method that is an object belong into it, as in "
            f"{type(method).__name__}({next(iter(options))}=...)"
        )
    if isinstance(method, Method) or method not in METHODS:
        return method
    if method == "anneal":  # the tree is there: no versions of it compete, unless asked for
        options = {"n_candidates": 1, **options}
    elif not options:
        return method
    return METHODS[method]().set_params(**options)


def harden(model: Any, X: Any = None) -> Any:
    """Return the crisp model with the tests and leaves of a soft one.

    Parameters
    ----------
    model : fitted estimator
        A soft tree, or what :func:`soften` returned.
    X : array-like or frame, optional
        Rows on which to measure ``fidelity_``.

    Returns
    -------
    estimator
        Of the same kind, with ``flow_`` hard, and ``fidelity_`` if rows were given.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import SoftTreeClassifier, harden
    >>> X, y = load_iris(return_X_y=True)
    >>> soft = SoftTreeClassifier(method="perturb", smoothing=0.3).fit(X, y)
    >>> crisp = harden(soft, X)
    >>> crisp.flow_
    Hard()
    >>> crisp.fidelity_.agreement > 0.9
    True
    """
    if not isinstance(model, TreeEstimator | Softened):
        raise TypeError(f"model must be a soft model of softwood; got {type(model).__name__}")
    check_is_fitted(model)
    crisp: Any = copy(model)
    crisp._let_go()  # it was the soft one that was calibrated
    if isinstance(model, TreeEstimator):
        crisp.flow_, crisp.tree_ = Hard(), crisp_tree(model.tree_)
    else:
        crisp.imported_ = replace(
            model.imported_, flow=Hard(), forest=model.forest_.map(crisp_tree)
        )
    if X is not None:
        crisp.fidelity_ = fidelity(model, crisp, X)
    return crisp
