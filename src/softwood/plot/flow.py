"""A picture of one row on its way through a tree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.explain.explanation import Explanation, explain_row
from softwood.explain.labels import number_text, value_text
from softwood.explain.wording import Subject, subject_of
from softwood.forest import Forest
from softwood.forest.ties import most_probable
from softwood.plot._axes import axes_or_new
from softwood.plot._tree_canvas import key_of, prepare
from softwood.plot._tree_shapes import LEAST_SHARE, bars_of, draw_bands, draw_bars, draw_boxes
from softwood.plot._tree_view import View, added_up, on_the_way
from softwood.plot._tree_words import (
    answer_text,
    folded,
    head_of,
    leaves_text,
    note_on_sums,
    percent,
    ways_of,
    widths_of,
)
from softwood.plot.tree import DECIMALS, SHOWN_TERMS, deviations
from softwood.tree import NOMINAL, Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN_LEAVES = 12
BAND_GAP = 0.45  # inches between levels, in which bands turn
FAINT = "#6F6F6F"  # letters that stay in the background, and can be read


def plot_flow(
    model: Any,
    x: Any,
    *,
    tree: int | None = None,
    max_leaves: int | None = SHOWN_LEAVES,
    max_terms: int | None = SHOWN_TERMS,
    decimals: int = DECIMALS,
    ax: Axes | None = None,
) -> Axes:
    """Draw how one row flows through a tree, and what each leaf adds to the prediction.

    The bands are as wide as the part of the row that goes along them. It divides at soft tests,
    and where a value is missing or not known. A test shows what the row has there, and
    how much of the row comes; a leaf shows its answer, how much of the row ends there, and what
    that adds: these parts add up to the probability of the predicted class, or to the predicted
    number. Branches that get less than 0.5 % of the row are folded and faint.

    Parameters
    ----------
    model : estimator
        A fitted softwood estimator: one tree, or an ensemble that answers the mean of its trees.
    x : array-like of shape (n_features,), mapping, or table of one row
        The row, as for ``model.explain``.
    tree : int, optional
        Which tree of an ensemble.
    max_leaves : int, optional
        Show no more than this many leaves and folded branches that get a part of the row, those
        with the largest parts; None shows all. 12 by default.
    max_terms : int, optional
        Show no more than this many terms of an oblique test; None shows all. Three by default.
    decimals : int, default=3
        Digits after the point, trailing zeros not shown.
    ax : Axes, optional
        Where to draw, in letters as small as the room requires. By default a new figure.

    Returns
    -------
    Axes
        The title is the prediction.

    See Also
    --------
    plot_tree : The tree as it is for all rows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import C45Classifier
    >>> from softwood.plot import plot_flow
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = C45Classifier(max_depth=2).fit(X, y)
    >>> ax = plot_flow(model, X.iloc[70])
    >>> ax.get_title()
    '2: probability 0.978'
    >>> print(ax.texts[4].get_text())
    2
    100%
    adds 0.978
    """
    if max_leaves is not None and max_leaves < 1:
        raise ValueError(f"max_leaves must be at least 1; got {max_leaves!r}")
    shown = model if tree is None else _member_of(model, tree)
    if isinstance(shown, Tree):
        raise TypeError("model must be a fitted softwood estimator, which can read x; got a Tree")
    subject = subject_of(shown, None, None, decimals, max_terms)
    response = shown._responses()
    subject = replace(subject, tree=subject.tree.replace(response=response))
    told = explain_row(shown, x)
    assert isinstance(told, Explanation)  # subject_of takes single trees only
    mass, answers = _masses(subject, told)
    view = on_the_way(subject.tree, mass, LEAST_SHARE, max_leaves)
    here, answered = view.total(mass), view.total(answers)
    comes = here[:, None] > 0.0
    mean = np.where(comes, answered / np.where(comes, here[:, None], 1.0), view.response)
    view = replace(view, response=mean)
    column = 0 if subject.classes is None else list(subject.classes).index(told.prediction)
    added, is_faint = answered[:, column], here < LEAST_SHARE
    deviation = deviations(shown, None)
    inside = _words(subject, view, told, (here, added, is_faint), shown.flow_, deviation)
    note = note_on_sums(view, subject.tree, deviation)
    key = key_of(subject, note, _title(subject, told, model, tree))
    bars = [
        [] if faint else bar for bar, faint in zip(bars_of(subject, view), is_faint, strict=True)
    ]
    is_new = ax is None
    ax = axes_or_new(ax)
    first = len(ax.texts)
    words = inside, ways_of(subject, view)
    canvas = prepare(ax, is_new, view, words, bars, key, BAND_GAP)
    for place in np.flatnonzero(is_faint).tolist():
        for text in (ax.texts[first + place], ax.texts[first + view.size + place]):
            text.set_color(FAINT)
    draw_bands(ax, view, here, canvas.layout, canvas.sizes, canvas.scale)
    draw_boxes(ax, view, canvas.layout, canvas.sizes, canvas.scale, is_faint)
    draw_bars(ax, bars, canvas.layout, canvas.sizes)
    return ax


class _Member:
    """One tree of an ensemble as a model of its own."""

    def __init__(self, ensemble: Any, tree: Tree, flow: Any) -> None:
        self.tree_, self.flow_ = tree, flow
        self.schema_, self._rows = ensemble.schema_, ensemble._rows
        for name in ("classes_", "feature_names_in_", "ranges_"):
            if hasattr(ensemble, name):
                setattr(self, name, getattr(ensemble, name))

    def _responses(self) -> FloatArray:
        return self.tree_.response

    def predict_proba(self, X: Any) -> FloatArray:
        return np.asarray(self.flow_.predict(self.tree_, self._rows(X)))

    def predict(self, X: Any) -> AnyArray:
        answer, classes = self.predict_proba(X), getattr(self, "classes_", None)
        return answer[:, 0] if classes is None else np.asarray(classes[most_probable(answer)])


def _member_of(model: Any, tree: int) -> _Member:
    forest = getattr(model, "forest_", None)
    if not isinstance(forest, Forest):
        raise TypeError(
            f"tree={tree!r} chooses from an ensemble; {type(model).__name__} is none, or not "
            "fitted yet"
        )
    if not forest.is_mean:
        raise ValueError(
            f"the trees of this {type(model).__name__} add up to a score: one of them alone "
            "predicts nothing that could be drawn"
        )
    if not 0 <= tree < forest.n_trees:
        raise ValueError(f"tree must be from 0 to {forest.n_trees - 1}; got {tree!r}")
    return _Member(model, forest.trees[tree], model.flow_)


def _masses(subject: Subject, told: Explanation) -> tuple[FloatArray, FloatArray]:
    """Return for each node how much of the row comes, and what the leaves below it answer.

    The answers are multiplied by the mass at each leaf, so that those of the root are the
    prediction.
    """
    tree = subject.tree
    mass = np.zeros(tree.n_nodes)
    for leaf in told.leaves:
        mass[leaf.node] = leaf.mass
    return added_up(tree, mass), added_up(tree, mass[:, None] * tree.response)


def _words(
    subject: Subject,
    view: View,
    told: Explanation,
    parts: tuple[FloatArray, FloatArray, BoolArray],
    flow: Any,
    deviation: FloatArray | None,
) -> list[str]:
    values = {step.node: step.value for step in told.steps}
    widths = widths_of(subject, flow)
    inside = []
    for place, (node, *_) in enumerate(view.members):
        here, added, is_faint = (part[place] for part in parts)
        n_folded, share = int(view.n_folded[place]), percent(float(here))
        if view.n_children[place]:
            value = _short(subject, node, values[node])
            head = folded(head_of(subject, node, deviation))
            lines = [head, folded(f"is {value}"), widths[node], share]
        elif is_faint:
            lines = [leaves_text(max(n_folded, 1)), share]
        else:
            answer = answer_text(subject, view.response[place])
            mostly = "mostly " if n_folded and subject.classes is not None else ""
            lines = [folded(mostly + answer), share, f"adds {_added(subject, float(added))}"]
            lines += [f"… {leaves_text(n_folded)}"] if n_folded else []
        inside.append("\n".join(line for line in lines if line))
    return inside


def _short(subject: Subject, node: int, value: str) -> str:
    """Return what the row has at a test with fewer digits, if it is a number."""
    if subject.tree.kind[node] == NOMINAL:
        return value
    try:
        return number_text(float(value), subject.decimals)
    except ValueError:  # a date, or missing
        return value


def _added(subject: Subject, value: float) -> str:
    return number_text(value if subject.classes is None else round(value, 3), subject.decimals)


def _title(subject: Subject, told: Explanation, model: Any, tree: int | None) -> str:
    said = _said(subject, told)
    if tree is None:
        return said
    return f"tree {tree} of {model.forest_.n_trees}: {said}"


def _said(subject: Subject, told: Explanation) -> str:
    if told.probabilities is None:
        return f"prediction {number_text(told.prediction, subject.decimals)}"
    probability = number_text(round(told.probabilities[told.prediction], 3), 3)
    return f"{value_text(told.prediction)}: probability {probability}"
