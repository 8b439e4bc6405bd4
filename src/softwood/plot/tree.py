"""A picture of one tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.explain.wording import subject_of
from softwood.plot._axes import axes_or_new
from softwood.plot._tree_canvas import key_of, prepare
from softwood.plot._tree_shapes import bars_of, draw_bars, draw_boxes, draw_edges
from softwood.plot._tree_view import most_important
from softwood.plot._tree_words import note_on_sums, ways_of, words_of_tree
from softwood.refine.column_spread import spread_of_columns
from softwood.refine.widen import node_margins
from softwood.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN_TERMS, SHOWN_LEAVES, DECIMALS = 3, 32, 3


def plot_tree(  # noqa: PLR0913  (what to show, and how)
    model: Any,
    *,
    X: Any = None,
    feature_names: Sequence[Any] | None = None,
    class_names: Sequence[Any] | None = None,
    max_depth: int | None = None,
    max_leaves: int | None = SHOWN_LEAVES,
    max_terms: int | None = SHOWN_TERMS,
    decimals: int = DECIMALS,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw a tree: what its tests look at, which way the rows go, and its answers.

    An inner node shows its feature, or the sum of features of an oblique test; a soft test
    shows where it is soft. The edges say which rows go there, and are the thicker, the more
    of the training weight goes there. A leaf shows its answer, its training weight, and a
    bar: the shares of the classes or, for regression, where its value is between the lowest
    and the highest. Of a large tree the branches that few rows pass are folded.

    Parameters
    ----------
    model : estimator or Tree
        A fitted softwood estimator with one tree, or a bare tree.
    X : array-like or frame of shape (n_samples, n_features), optional
        Rows, usually those of training. If given, tests of numbers show their margins: how
        far the nearest row is. Oblique tests have weights per standard deviation of the
        columns, as they have if the model knows the deviations, so that terms can be
        compared. For a bare tree, as the tree reads them.
    feature_names, class_names : sequence of str, optional
        Names to use in place of the model's own, in the order of its features and of
        ``classes_``.
    max_depth : int, optional
        Show no more than this many tests on a path. A node at which the picture is cut has a
        dashed box, and says how many leaves and which share of the training weight are inside,
        what most of it is, and in its bar the shares of the classes.
    max_leaves : int, optional
        Show no more than this many leaves and folded branches; None shows all. 32 by default.
        If something must be folded, a test that many rows pass is unfolded before one that
        few pass; no path has more than 16 tests; and of very many categories those with the
        fewest rows are folded together.
    max_terms : int, optional
        Show no more than this many terms of an oblique test, the largest ones; None shows
        all. Three by default.
    decimals : int, default=3
        Digits after the point, trailing zeros not shown.
    ax : Axes, optional
        Where to draw, in letters as small as the room requires. By default a new figure,
        as large as the tree requires.

    Returns
    -------
    Axes
        With boxes, edges and texts, one unit an inch of the whole picture at full size.

    See Also
    --------
    softwood.export_text : The same in words.
    plot_margins : Tests and their margins in the plane.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import C45Classifier
    >>> from softwood.plot import plot_tree
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = C45Classifier(max_depth=2).fit(X, y)
    >>> ax = plot_tree(model, class_names=["setosa", "versicolor", "virginica"])
    >>> [text.get_text() for text in ax.texts][:3]
    ['petal width (cm)', 'setosa\nweight 50', 'petal width (cm)']
    """
    for name, limit, least in (("max_depth", max_depth, 0), ("max_leaves", max_leaves, 1)):
        if limit is not None and limit < least:
            raise ValueError(f"{name} must be at least {least}; got {limit!r}")
    subject = subject_of(model, feature_names, class_names, decimals, max_terms)
    tree = subject.tree
    rows = None if X is None else np.asarray(X if isinstance(model, Tree) else model._rows(X))
    margins = np.full(tree.n_nodes, np.nan) if rows is None else node_margins(tree, rows)
    deviation = deviations(model, rows)
    view = most_important(tree, tree.weight, max_leaves, max_depth)
    flow = getattr(model, "flow_", None)
    words = words_of_tree(subject, view, flow, margins, deviation), ways_of(subject, view)
    key = key_of(subject, note_on_sums(view, tree, deviation))
    bars = bars_of(subject, view)
    is_new = ax is None
    ax = axes_or_new(ax)
    canvas = prepare(ax, is_new, view, words, bars, key)
    layout, sizes = canvas.layout, canvas.sizes
    draw_edges(ax, view, layout, sizes, canvas.scale)
    draw_boxes(ax, view, layout, sizes, canvas.scale)
    draw_bars(ax, bars, layout, sizes)
    return ax


def deviations(model: Any, rows: FloatArray | None) -> FloatArray | None:
    """Return the standard deviation of each feature: of rows, or as a model knows it, or None."""
    if rows is None:
        known = getattr(model, "deviations_", None)
        return None if known is None else np.asarray(known, dtype=np.float64)
    data = TrainingSet.of_target(rows, np.zeros(len(rows)))
    return spread_of_columns(data)[1]
