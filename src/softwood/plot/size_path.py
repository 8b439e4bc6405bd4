"""Error against size: how large a tree, or an ensemble, should be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from softwood.grow.evolve_front import ParetoFront
from softwood.interop.imported import import_model
from softwood.plot._axes import axes_or_new, keep_clear
from softwood.plot._palette import COLOURS, INK, PALE
from softwood.plot._size_curves import Curve, curve_of_forest, curves_of_tree
from softwood.plot.pareto import plot_pareto_front

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_size_path(model: Any, X: Any, y: Any, *, cv: Any = 5, ax: Axes | None = None) -> Axes:
    """Draw the error of a model for each size that it could have.

    A single tree is pruned step by step, by its cost and complexity. Shown is the error
    on the rows that it was grown on, and on others; where the latter is least; and the smallest
    tree within one standard error of that. An ensemble is asked with its first tree only, then
    with more of them. Of an evolved tree the front is drawn, as by :func:`plot_pareto_front`.

    Parameters
    ----------
    model : fitted estimator
        A tree or an ensemble: of softwood, or any that :func:`softwood.soften` takes.
    X, y : array-like
        What the model was fitted to; with ``cv=None``, rows that are new to it.
    cv : int, splitter, iterable or None, default=5
        Folds, as scikit-learn takes them; a number of folds is dealt class by class, in the
        same way each time. A tree is grown anew for each of them, without being pruned. An
        ensemble of bootstraps needs none: its rows ask the trees that have not seen them.
        None takes ``(X, y)`` for new rows and fits nothing.
    ax : Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    Axes
        Leaves, or trees, go to the right on a log scale. The error, the share of wrong classes
        or the mean squared error, goes up; the band is one standard error to either side.

    See Also
    --------
    softwood.prune : Makes a tree smaller.
    plot_pareto_front : The best trees of all sizes that evolution has found.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from softwood import CARTClassifier
    >>> from softwood.plot import plot_size_path
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = CARTClassifier().fit(X, y)
    >>> ax = plot_size_path(model, X, y)
    >>> for text in ax.get_legend().get_texts():
    ...     print(text.get_text())
    on the rows it was grown on
    held out by folds, ± 1 standard error (s. e.)
    least error: 16 leaves
    smallest within 1 s. e.: 7 leaves
    the model: 22 leaves
    """
    if isinstance(getattr(model, "pareto_front_", None), ParetoFront):
        return plot_pareto_front(model, ax)
    imported, y = import_model(model), np.asarray(y)
    if y.ndim != 1 or not y.size:
        raise ValueError(f"y must have one entry for each row; got shape {y.shape}")
    if not imported.is_single_tree:
        name, curve = curve_of_forest(model, imported, X, y, cv)
        ax = axes_or_new(ax)
        _draw_curve(ax, curve, name)
        _dress(ax, curve, "trees", imported.classes is None)
        return ax
    *seen, unseen = curves_of_tree(model, imported, X, y, cv)
    ax = axes_or_new(ax)
    for curve in seen:
        style: dict[str, Any] = {"color": PALE, "marker": ".", "ms": 4, "lw": 1}
        ax.plot(curve.sizes, curve.loss, label="on the rows it was grown on", **style)
    _draw_curve(ax, unseen, "new rows" if cv is None else "held out by folds")
    _mark(ax, unseen, imported.forest.trees[0].n_leaves)
    _dress(ax, unseen, "leaves", imported.classes is None)
    return ax


def _draw_curve(ax: Axes, curve: Curve, name: str) -> None:
    low, high = curve.loss - curve.standard_error, curve.loss + curve.standard_error
    ax.fill_between(curve.sizes, low, high, color=COLOURS[0], alpha=0.15, lw=0)
    label = f"{name}, ± 1 standard error (s. e.)"
    ax.plot(curve.sizes, curve.loss, color=COLOURS[0], marker=".", ms=5, lw=1.5, label=label)


def _mark(ax: Axes, curve: Curve, own: int) -> None:
    """Mark the size with the least error, the smallest that is about as good, and the model's."""
    least, small = curve.least, curve.within_one
    bar = curve.loss[least] + curve.standard_error[least]
    ax.axhline(bar, color=PALE, ls=":", lw=1)
    style: dict[str, Any] = {"ls": "", "mfc": "none", "mew": 2, "ms": 10, "zorder": 4}
    for place, colour, marker, name in (
        (least, COLOURS[1], "o", "least error"),
        (small, COLOURS[2], "s", "smallest within 1 s. e."),
    ):
        text = f"{name}: {_leaves(int(curve.sizes[place]))}"
        ax.plot(curve.sizes[place], curve.loss[place], marker, color=colour, label=text, **style)
    top = float((curve.loss + curve.standard_error).max())  # above is the legend
    ax.plot([own, own], [0.0, top], color=INK, ls="--", lw=1, label=f"the model: {_leaves(own)}")


def _leaves(n: int) -> str:
    return "1 leaf" if n == 1 else f"{n} leaves"


def _dress(ax: Axes, curve: Curve, unit: str, is_regression: bool) -> None:
    ax.set_xscale("log", base=2)
    ticks = 2 ** np.arange(int(np.log2(max(curve.sizes.max(), 1))) + 1)
    ax.set_xticks(ticks, [str(tick) for tick in ticks])
    ax.set_xticks([], minor=True)
    ax.set_xlabel(unit, color=INK)
    what = "mean squared error" if is_regression else "error: share of wrong classes"
    ax.set_ylabel(what, color=INK)
    ax.spines[["top", "right"]].set_visible(False)
    legend = ax.legend(loc="upper right", frameon=False, fontsize="small")
    keep_clear(ax, legend, 0.0, float((curve.loss + curve.standard_error).max()) or 1.0)
