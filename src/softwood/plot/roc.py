"""Receiver operating characteristics: true against false positives, for every threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.explain.labels import value_text
from softwood.plot._axes import axes_or_new
from softwood.plot._palette import PALE, colours, line_styles
from softwood.plot._probabilities import Probabilities, probabilities_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEW = 4  # curves whose names are written in full size
Scores = dict[str, tuple[BoolArray, FloatArray]]  # by name: which rows are positive, their scores


def plot_roc(
    models_or_scores: Any,
    X: Any = None,
    y: Any = None,
    *,
    positive: Any = None,
    proba: Any = None,
    classes: Sequence[Any] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the ROC curves of classifiers, with the area under each.

    Parameters
    ----------
    models_or_scores : classifier, mapping of str to classifier or to (y_true, score), or None
        Fitted classifiers with ``predict_proba``, by name; or for each name the labels
        and a score that is higher for the positive class. With ``proba`` one classifier or
        None.
    X : array or frame, optional
        Test rows, for classifiers.
    y : array of shape (n_rows,), optional
        Their labels, for classifiers and for ``proba``.
    positive : label, optional
        The class to find, against all others: by default the second of two classes. With
        more than two, one classifier has by default a curve for each class; for several it
        must be given.
    proba : array of shape (n_rows, n_classes), optional
        Probabilities made before, such as those out of folds or out of bag, in place of
        ``X``. Rows of NaN are left out.
    classes : sequence, optional
        The labels of the columns of ``proba``: by default the model's, else those in ``y``,
        sorted.
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

    Each class against the others, from probabilities:

    >>> proba = [[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.3, 0.5, 0.2]]
    >>> ax = plot_roc(None, y=["a", "b", "c", "c"], proba=proba)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['a (AUC 1.000)', 'b (AUC 0.833)', 'c (AUC 0.750)']
    """
    from sklearn.metrics import auc, roc_curve

    scores, positive = _named_scores(models_or_scores, X, y, positive, proba, classes)
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
    )
    of_class = "each class against the rest" if positive is None else f"class {positive}"
    ax.set_ylabel(f"true positive rate ({of_class})", parse_math=False)
    best_first = sorted(lines, key=lambda name: -areas[name])
    legend = ax.legend(
        handles=[lines[name] for name in best_first],
        loc="lower right",
        frameon=False,
        fontsize="small" if len(lines) > FEW else None,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)
    return ax


def _named_scores(
    given: Any, X: Any, y: Any, positive: Any, proba: Any, classes: Sequence[Any] | None
) -> tuple[Scores, Any]:
    """Return for each name which rows are positive and their scores, and the class if it is one."""
    if proba is not None or _has_more_classes(given, positive):
        if isinstance(given, Mapping):
            raise ValueError("models_or_scores must be one classifier or None if proba is given")
        return _scores_of_classes(probabilities_of(given, X, y, proba, classes), positive)
    if classes is not None:
        raise ValueError("classes must be left out unless proba is given")
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


def _has_more_classes(model: Any, positive: Any) -> bool:
    """Whether this is one classifier of more than two classes, all of which are asked for."""
    return positive is None and len(getattr(model, "classes_", ())) > 2


def _scores_of_classes(given: Probabilities, positive: Any) -> tuple[Scores, Any]:
    """Return the scores of one class under the model's name, or of each under its own."""
    if positive is None and not given.is_binary:
        present = np.unique(given.truth).tolist()  # others have no curve
        if len(present) < 2:
            raise ValueError(f"y must hold rows of two classes or more; got {len(present)}")
        columns = {value_text(given.classes[place]): place for place in present}
    else:
        positive = _positive(positive, given.classes)
        columns = {given.name: given.classes.index(positive)}
    labels = np.array(given.classes, dtype=object)[given.truth]
    scores = {
        name: (_is_positive(labels, given.classes[k]), given.proba[:, k])
        for name, k in columns.items()
    }
    return scores, positive


def _scores_of_models(
    models: Mapping[Any, Any], X: Any, y: AnyArray, positive: Any
) -> tuple[Scores, Any]:
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


def _positive(positive: Any, labels: Any) -> Any:
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
