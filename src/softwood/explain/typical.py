"""The tree of an ensemble that is most like the whole of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.explain._ensembles import Ensemble, ensemble_of
from softwood.explain._probes import probe_rows
from softwood.explain.wording import not_a_model

N_PROBES = 200  # rows drawn from the leaves


def typical_tree(model: Any, X: Any = None) -> int:
    """Return which tree of an ensemble answers most like the ensemble.

    Parameters
    ----------
    model : estimator, Imported or Forest
        A fitted ensemble.
    X : array-like or frame of shape (n_rows, n_features), optional
        Rows to compare answers on, such as the training rows. By default 200 rows are drawn
        from the leaves of the trees: a leaf in proportion to its training weight, values
        that its path allows, and in columns that the path does not test values near the cuts
        of other trees. The draw is the same every time.

    Returns
    -------
    int
        Its place in ``model.trees_``. Where trees vote or are averaged, it is the tree with the
        least mean squared distance between its answers (class frequencies, or numbers) and
        those of the ensemble. Where they are terms of a sum, as in boosting, no tree is like the
        whole: it is the one whose answers, times its factor, vary most with the score that it
        adds to (the largest covariance). Of equals it is the first.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import VRForestClassifier
    >>> from softwood.explain.typical import typical_tree
    >>> X, y = load_iris(return_X_y=True)
    >>> model = VRForestClassifier(25, random_state=0).fit(X, y)
    >>> 0 <= typical_tree(model) < 25
    True
    """
    ensemble = ensemble_of(model)
    if ensemble is None:
        raise not_a_model(model, "a fitted ensemble")
    return typical_of(ensemble, None if X is None else _rows(ensemble, X))


def typical_of(ensemble: Ensemble, rows: FloatArray | None = None) -> int:
    """Return :func:`typical_tree` of what ``ensemble_of`` has found; rows are numbers."""
    forest, trees = ensemble.forest, list(ensemble.forest.trees)
    if rows is None:
        rows = probe_rows(trees, N_PROBES)
    raw = forest.raw(rows, ensemble.flows)
    pairs = zip(trees, ensemble.flows, strict=True)
    answers = [flow.predict(tree, rows) for tree, flow in pairs]
    if ensemble.is_mean:
        distance = [float(((own - raw) ** 2).sum(axis=1).mean()) for own in answers]
        return int(np.argmin(distance))
    centred = raw - raw.mean(axis=0)
    covariance = [
        share * float((own * centred[:, ensemble.columns(j)]).mean(axis=0).sum())
        for j, (own, share) in enumerate(zip(answers, forest.factor.tolist(), strict=True))
    ]
    return int(np.argmax(covariance))


def _rows(ensemble: Ensemble, X: Any) -> FloatArray:
    rows = np.asarray(X, dtype=np.float64) if ensemble.read is None else ensemble.read(X)
    if rows.shape[0] == 0:
        raise ValueError(f"X must have at least one row; got shape {rows.shape}")
    return rows
