"""Receiver operating characteristics: true against false positives, for every threshold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.plot._axes import axes_or_new
from softwood.plot._palette import PALE, colours, line_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_roc(
    models_or_scores: Any,
    X: Any = None,
    y: Any = None,
    *,
    positive: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the ROC curves of classifiers, with the area under each.

    Parameters
    ----------
    models_or_scores : classifier, or mapping of str to classifier or to (y_true, score)
        Fitted classifiers with ``predict_proba``, by name; or for each name the labels
        and a score that is higher for the positive class.
    X : array or frame, optional
        Test rows, for classifiers.
    y : array of shape (n_rows,), optional
        Their labels, for classifiers.
    positive : label, optional
        The class to find, against all others: by default the second of two classes. With
        more than two it must be given.
    ax : Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    Axes
        One line for each curve, those with the largest area first in the legend.

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> from softwood.datasets import make_twonorm
    >>> from softwood.plot import plot_roc
    >>> X, y = make_twonorm(random_state=0)
    >>> models = {f"depth {d}": CARTClassifier(max_depth=d).fit(X, y) for d in (1, 4)}
    >>> ax = plot_roc(models, *make_twonorm(2000, random_state=1))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['depth 4 (AUC 0.797)', 'depth 1 (AUC 0.634)']
    """
    from sklearn.metrics import auc, roc_curve

    scores, positive = _named_scores(models_or_scores, X, y, positive)
    rates = {name: roc_curve(truth, score)[:2] for name, (truth, score) in scores.items()}
    areas = {name: auc(*curve) for name, curve in rates.items()}
    ax = axes_or_new(ax)
    ax.plot([0, 1], [0, 1], color=PALE, lw=1, ls=":")
    styles = zip(rates.items(), colours(len(rates)), line_styles(len(rates)), strict=True)
    lines = {
        name: ax.plot(*curve, color=colour, ls=style, label=f"{name} (AUC {areas[name]:.3f})")[0]
        for (name, curve), colour, style in styles
    }
    ax.set(
        xlim=(-0.01, 1.01),
        ylim=(-0.01, 1.01),
        aspect="equal",
        xlabel="false positive rate",
        ylabel=f"true positive rate (class {positive})",
    )
    best_first = sorted(lines, key=lambda name: -areas[name])
    ax.legend(handles=[lines[name] for name in best_first], loc="lower right", frameon=False)
    return ax


def _named_scores(
    given: Any, X: Any, y: Any, positive: Any
) -> tuple[dict[str, tuple[BoolArray, FloatArray]], Any]:
    """Return for each name which rows are positive and their scores, and the class."""
    if not isinstance(given, Mapping):
        given = {type(given).__name__: given}
    if not given:
        raise ValueError("models_or_scores must name at least one classifier; got none")
    of_models = [not isinstance(value, tuple) for value in given.values()]
    if any(of_models) and not all(of_models):
        raise ValueError("models_or_scores must be all classifiers or all pairs (y_true, score)")
    if all(of_models):
        if X is None or y is None:
            raise ValueError("X and y must be given with classifiers, to test them on")
        return _scores_of_models(given, X, np.asarray(y), positive)
    if X is not None or y is not None:
        raise ValueError("X and y must be left out if scores are given with their labels")
    labels = np.unique(np.concatenate([np.asarray(truth) for truth, _ in given.values()]))
    positive = _positive(positive, labels)
    scores = {
        str(name): (_is_positive(truth, positive), np.asarray(score, dtype=np.float64))
        for name, (truth, score) in given.items()
    }
    return scores, positive


def _scores_of_models(
    models: Mapping[Any, Any], X: Any, y: AnyArray, positive: Any
) -> tuple[dict[str, tuple[BoolArray, FloatArray]], Any]:
    scores = {}
    for name, model in models.items():
        if not hasattr(model, "predict_proba"):
            raise TypeError(
                f"models_or_scores[{name!r}] must have predict_proba, which "
                f"{type(model).__name__} has not; pass (y_true, score) instead"
            )
        positive = _positive(positive, model.classes_)
        column = model.classes_.tolist().index(positive)
        scores[str(name)] = (_is_positive(y, positive), model.predict_proba(X)[:, column])
    return scores, positive


def _positive(positive: Any, labels: AnyArray) -> Any:
    known = np.asarray(labels).tolist()
    if positive is None:
        if len(known) != 2:
            raise ValueError(
                f"positive must name one of the classes {known}, to be drawn against "
                "all others; by default there must be two classes"
            )
        return known[1]
    if positive not in known:
        raise ValueError(f"positive must be one of the classes {known}; got {positive!r}")
    return positive


def _is_positive(y: Any, positive: Any) -> BoolArray:
    found = np.asarray(np.asarray(y) == positive)
    if found.all() or not found.any():
        raise ValueError(
            f"y must hold rows of class {positive!r} and of others; got "
            f"{int(found.sum())} of {found.size} of that class"
        )
    return found
