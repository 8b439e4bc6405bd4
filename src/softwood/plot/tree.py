"""A picture of one tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.explain.labels import value_text
from softwood.explain.wording import Subject, subject_of
from softwood.plot._axes import axes_or_new, figure_of, size_in_inches
from softwood.plot._palette import COLOURS, INK, colours
from softwood.plot._tree_layout import Layout, Sizes, lay_out
from softwood.plot._tree_shapes import (
    BAR,
    LEAST_BAR,
    PAD,
    Bar,
    bars_of,
    draw_bars,
    draw_boxes,
    draw_edges,
)
from softwood.plot._tree_words import words_of
from softwood.refine.widen import node_margins
from softwood.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

LARGEST, SMALLEST = (40.0, 30.0), (2.0, 1.0)  # inches of a new figure
BORDER = 0.08  # inches around the picture
FEW_CLASSES = 5  # the names of more stand in two rows
LABEL_GAP = 0.04  # inches around the label of an edge
SHOWN_TERMS, DECIMALS = 3, 3


def plot_tree(  # noqa: PLR0913  (what to show, and how)
    model: Any,
    *,
    X: Any = None,
    feature_names: Sequence[Any] | None = None,
    class_names: Sequence[Any] | None = None,
    max_depth: int | None = None,
    max_terms: int | None = SHOWN_TERMS,
    decimals: int = DECIMALS,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw a tree: what its tests look at, which way the rows go, and its answers.

    An inner node shows its feature, or the sum of features of an oblique test; a soft test
    shows where it is soft. The edges say which rows go there, and are the thicker, the more
    of the training weight goes there. A leaf shows its answer, its training weight, and a
    bar: the shares of the classes or, for regression, where its value is between the lowest
    and the highest.

    Parameters
    ----------
    model : estimator or Tree
        A fitted softwood estimator with one tree, or a bare tree.
    X : array-like or frame of shape (n_samples, n_features), optional
        Rows, usually those of training. If given, tests of numbers show their margins: how
        far the nearest row is. For a bare tree, as the tree reads them.
    feature_names, class_names : sequence of str, optional
        Names to use in place of the model's own, in the order of its features and of
        ``classes_``.
    max_depth : int, optional
        Show no more than this many tests on a path. A node at which the picture is cut has a
        dashed box, and says how many leaves are below.
    max_terms : int, optional
        Show no more than this many terms of an oblique test, those with the largest
        weights; None shows all. Three by default.
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
    if max_depth is not None and max_depth < 0:
        raise ValueError(f"max_depth must be at least 0; got {max_depth!r}")
    subject = subject_of(model, feature_names, class_names, decimals, max_terms)
    flow = getattr(model, "flow_", None)
    words = words_of(subject, max_depth, flow, _margins(model, subject.tree, X))
    is_new = ax is None
    ax = axes_or_new(ax)
    inside, above = _texts(ax, words.inside), _texts(ax, words.above)
    bars = bars_of(subject, words)
    sizes = _sizes(inside, above, bars)
    n_shown = words.n_children.size
    layout = lay_out(subject.tree.first_child[:n_shown], words.n_children, sizes)
    scale = _fit(ax, is_new, layout, subject)
    _put_texts(inside, above, bars, layout, sizes, scale)
    draw_edges(ax, subject.tree, layout, sizes, scale)
    draw_boxes(ax, subject.tree, words, layout, sizes, scale)
    draw_bars(ax, bars, layout, sizes)
    return ax


def _margins(model: Any, tree: Tree, X: Any) -> FloatArray:
    if X is None:
        return np.full(tree.n_nodes, np.nan)
    return node_margins(tree, X if isinstance(model, Tree) else model._rows(X))


def _texts(ax: Axes, texts: list[str]) -> list[Text]:
    """Return texts that have no place yet. A dollar is a dollar, not the start of a formula."""
    look: dict[str, Any] = {"ha": "center", "color": INK, "parse_math": False, "zorder": 4}
    return [ax.text(0.0, 0.0, text, **look) for text in texts]


def _sizes(inside: list[Text], above: list[Text], bars: list[Bar]) -> Sizes:
    boxes = np.array([size_in_inches(text) for text in inside]) + 2.0 * PAD
    labels = np.array([size_in_inches(text) if text.get_text() else (0.0, 0.0) for text in above])
    labels[labels[:, 1] > 0.0] += 2.0 * LABEL_GAP
    has_bar = np.array([bool(bar) for bar in bars])
    width = np.where(has_bar, np.maximum(boxes[:, 0], LEAST_BAR + 2.0 * PAD), boxes[:, 0])
    height = boxes[:, 1] + np.where(has_bar, BAR + PAD, 0.0)
    return Sizes(width, height, labels[:, 0], labels[:, 1])


def _fit(ax: Axes, is_new: bool, layout: Layout, subject: Subject) -> float:
    """Give the picture its room, with the names of the classes on top; return its scale."""
    key = _add_key(ax, subject, 1.0)
    width = max(layout.width, key[0]) + 2.0 * BORDER
    height = layout.height + key[1] + 2.0 * BORDER
    if is_new:
        figure = figure_of(ax)
        scale = min(1.0, LARGEST[0] / width, LARGEST[1] / height)
        around = 2.0 * 3.0 / 72.0  # what the layout of the figure keeps free
        size = np.maximum(np.array([width, height]) * scale + around, SMALLEST)
        figure.set_size_inches(*size)
    else:
        room = size_in_inches(ax)
        scale = min(1.0, room[0] / width, room[1] / height)
    if scale < 1.0:
        _add_key(ax, subject, scale)
    middle = layout.width / 2.0
    ax.set(
        xlim=(middle - width / 2.0, middle + width / 2.0),
        ylim=(-layout.height - BORDER, key[1] + BORDER),
        aspect="equal",
    )
    ax.set_axis_off()
    return scale


def _add_key(ax: Axes, subject: Subject, scale: float) -> tuple[float, float]:
    """Say which class has which colour, if they are few; return the inches it takes."""
    from matplotlib import rcParams
    from matplotlib.patches import Patch

    classes = subject.classes or []
    n_classes = len(classes)
    if not 1 < n_classes <= len(COLOURS):
        return 0.0, 0.0
    named = zip(classes, colours(n_classes), strict=True)
    patches = [Patch(color=colour, label=value_text(name)) for name, colour in named]
    legend = ax.legend(
        handles=patches,
        loc="upper center",
        ncols=n_classes if n_classes <= FEW_CLASSES else (n_classes + 1) // 2,
        frameon=False,
        fontsize=float(rcParams["font.size"]) * scale,
        borderaxespad=0.0,
        columnspacing=1.2,
        handlelength=1.0,
        handleheight=0.6,
    )
    legend.set_in_layout(False)  # it has its room in the axes, which must not shrink for it
    for text in legend.get_texts():
        text.set(parse_math=False, color=INK)
    return size_in_inches(legend)


def _put_texts(
    inside: list[Text],
    above: list[Text],
    bars: list[Bar],
    layout: Layout,
    sizes: Sizes,
    scale: float,
) -> None:
    for node, (text, label) in enumerate(zip(inside, above, strict=True)):
        x, top, size = layout.x[node], layout.box_top[node], float(text.get_fontsize()) * scale
        height = sizes.box_height[node] - (BAR + PAD if bars[node] else 0.0)
        text.set(position=(x, top - height / 2.0), va="center", fontsize=size)
        label.set(position=(x, top + LABEL_GAP), va="bottom", fontsize=size)
