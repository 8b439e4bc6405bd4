"""A picture of what changed between two models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood.errors import missing_extra
from softwood.explain.difference import Difference
from softwood.explain.labels import name_of, number_text, signed_text, value_text
from softwood.explain.tree_changes import ChangeOfTest, TreeChanges
from softwood.explain.tree_pairs import GROWN, MOVED, PARTED, PRUNED, SAME, WIDTH
from softwood.explain.wording import Subject
from softwood.plot._palette import COLOURS, INK, PALE
from softwood.plot._tree_canvas import key_of, prepare
from softwood.plot._tree_shapes import bars_of, draw_bars, draw_boxes, draw_edges
from softwood.plot._tree_view import most_important
from softwood.plot._tree_words import leaves_text, ways_of, words_of_tree
from softwood.tree import OBLIQUE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN_LEAVES = 16
SHOWN_TERMS, DECIMALS = 3, 3
BESIDE = 20.0  # inches: trees that are wider together stand one above the other
MOST_CLASSES = 20  # whose mix-ups can be read
SQUARE = 5.0  # inches of a picture of answers
_BLUE, _RED, _GREEN, _PINK, _ORANGE, *_ = COLOURS
COLOUR_OF = {MOVED: _ORANGE, WIDTH: _ORANGE, GROWN: _GREEN, PRUNED: _PINK}
COLOUR_OF |= dict.fromkeys(PARTED, _RED)


def plot_diff(
    difference: Any,
    *,
    max_leaves: int | None = SHOWN_LEAVES,
    max_depth: int | None = None,
    axes: Sequence[Axes] | None = None,
) -> list[Axes]:
    r"""Draw two trees with what changed marked; of ensembles, how answers changed.

    A test that changed has a thick frame and says how: by how much its cut moved, what column
    took its place, or that it has grown or was pruned. A leaf at the same place that answers
    something else says what it was before.

    Parameters
    ----------
    difference : Difference
        What :func:`softwood.diff` returns.
    max_leaves, max_depth : int, optional
        How much of each tree to show; see :func:`plot_tree`. 16 leaves by default.
    axes : sequence of Axes, optional
        Where to draw: two for single trees, else one. By default a new figure.

    Returns
    -------
    list of Axes
        The old tree and the new one. Of other models a single one: a table of the classes that
        were and are predicted, or old and new numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import CARTClassifier, diff
    >>> from softwood.plot import plot_diff
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> old, new = (CARTClassifier(max_leaf_nodes=n).fit(X, y) for n in (3, 4))
    >>> before, after = plot_diff(diff(old, new, X))
    >>> [text.get_text() for text in after.texts if "grown" in text.get_text()]
    ['petal length (cm)\ngrown']
    """
    if not isinstance(difference, Difference):
        raise TypeError(
            "difference must be what softwood.diff returns; got "
            f"{type(difference).__name__}: use plot_diff(diff(old, new, X))"
        )
    trees = difference.trees
    if trees is None:
        (ax,) = _panels(axes, [(SQUARE, SQUARE)])
        (_draw_numbers if difference.classes is None else _draw_classes)(ax, difference)
        return [ax]
    sides = [_Side(difference, trees, is_new, max_leaves, max_depth) for is_new in (False, True)]
    panels = _panels(axes, None if axes is not None else [side.size() for side in sides])
    if len(panels) != 2:
        raise ValueError(f"axes must have 2 entries, one for each tree; got {len(panels)}")
    for ax, side in zip(panels, sides, strict=True):
        side.draw(ax)
    return panels


class _Side:
    """One of the two trees, ready to be drawn."""

    def __init__(
        self,
        difference: Difference,
        trees: TreeChanges,
        is_new: bool,
        max_leaves: int | None,
        max_depth: int | None,
    ) -> None:
        subject, flow = (trees.new, trees.new_flow) if is_new else (trees.old, trees.old_flow)
        self.subject = replace(subject, decimals=DECIMALS, max_terms=SHOWN_TERMS)
        tree = self.subject.tree
        self.view = most_important(tree, tree.weight, max_leaves, max_depth)
        which, kind = ("new", difference.new_kind) if is_new else ("old", difference.old_kind)
        title = f"{which}: {kind}, {leaves_text(tree.n_leaves)}"
        self.key = key_of(self.subject, title=title)
        self.bars = bars_of(self.subject, self.view)
        marks = _marks(trees, is_new)
        self.colours = [marks.get(nodes[0], ("", None))[1] for nodes in self.view.members]
        margins = np.full(tree.n_nodes, np.nan)
        plain = words_of_tree(self.subject, self.view, flow, margins, None)
        self.words = [
            "\n".join(filter(None, (text, marks.get(nodes[0], ("", None))[0])))
            for text, nodes in zip(plain, self.view.members, strict=True)
        ]

    def draw(self, ax: Axes, is_new: bool = False) -> None:
        """Draw the tree on ``ax``."""
        words = self.words, ways_of(self.subject, self.view)
        canvas = prepare(ax, is_new, self.view, words, self.bars, self.key)
        layout, sizes, scale = canvas.layout, canvas.sizes, canvas.scale
        draw_edges(ax, self.view, layout, sizes, scale)
        draw_boxes(ax, self.view, layout, sizes, scale, marks=self.colours)
        draw_bars(ax, self.bars, layout, sizes)
        ax.set_anchor("N")  # roots on one line

    def size(self) -> tuple[float, float]:
        """Return the inches that the tree takes at full size, found out by drawing it."""
        try:
            from matplotlib.figure import Figure
        except ImportError:
            raise missing_extra("matplotlib", "plot") from None
        figure = Figure(layout="constrained")
        self.draw(figure.add_subplot(), is_new=True)
        width, height = figure.get_size_inches()
        return float(width), float(height)


def _marks(trees: TreeChanges, is_new: bool) -> dict[int, tuple[str, str | None]]:
    """Return what to say of each node that changed, and in which colour."""
    marks: dict[int, tuple[str, str | None]] = {}
    for test in trees.tests:
        node = test.new_node if is_new else test.old_node
        own = test.new_test if is_new else test.old_test
        if node is not None and own is not None and test.change != SAME:
            marks[node] = _words(test, trees, is_new), COLOUR_OF[test.change]
    for leaf in trees.leaves if is_new and trees.old.classes is not None else ():
        if leaf.old_answer != leaf.new_answer:
            marks[leaf.new_node] = f"was {value_text(leaf.old_answer)}", _ORANGE
    return marks


def _words(test: ChangeOfTest, trees: TreeChanges, is_new: bool) -> str:
    if test.change == MOVED:
        by = f" by {signed_text(float(f'{test.by:.3g}'))}" if np.isfinite(test.by) else ""
        return f"{'moved' if is_new else 'moves'}{by}"
    if test.change == WIDTH:
        width = test.old_width if is_new else test.new_width
        return f"width {'was' if is_new else 'becomes'} {number_text(float(f'{width:.3g}'))}"
    if test.change in PARTED:
        other, node = (trees.old, test.old_node) if is_new else (trees.new, test.new_node)
        return f"{'was' if is_new else 'becomes'} {_head(other, node or 0)}"
    return test.change


def _head(subject: Subject, node: int) -> str:
    """Return what a test looks at, in few words."""
    if subject.tree.kind[node] == OBLIQUE:
        return "a weighted sum"
    return name_of(int(subject.tree.feature[node]), subject.feature_names)


def _panels(axes: Sequence[Axes] | None, sizes: Sequence[tuple[float, float]] | None) -> list[Axes]:
    """Return the axes given, or those of a new figure: side by side if there is room."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise missing_extra("matplotlib", "plot") from None
    if axes is not None or sizes is None:
        return list(np.atleast_1d(np.asarray(axes, dtype=object)).ravel())
    widths, heights = np.array(sizes).T
    if widths.sum() <= BESIDE:
        figure = plt.figure(figsize=(widths.sum(), heights.max()), layout="constrained")
        grid = figure.subplots(1, len(sizes), squeeze=False, width_ratios=widths)
    else:
        figure = plt.figure(figsize=(widths.max(), heights.sum()), layout="constrained")
        grid = figure.subplots(len(sizes), 1, squeeze=False, height_ratios=heights)
    return list(grid.ravel())


def _draw_classes(ax: Axes, difference: Difference) -> None:
    """Draw how many rows of each class that was predicted are of which class now."""
    classes = list(difference.classes or ())[:MOST_CLASSES]
    place = {label: code for code, label in enumerate(classes)}
    counts = np.zeros((len(classes), len(classes)))
    both = zip(difference.old_answer.tolist(), difference.new_answer.tolist(), strict=True)
    for old, new in both:
        if old in place and new in place:
            counts[place[old], place[new]] += 1
    moved = counts - np.diag(np.diag(counts))  # what stays would outshine the rest
    ax.imshow(moved, cmap="Oranges", vmin=0.0, vmax=max(1.0, 1.5 * moved.max()))
    for (row, column), count in np.ndenumerate(counts):
        colour = INK if count else PALE
        ax.text(column, row, f"{count:.0f}", ha="center", va="center", color=colour)
    names = [value_text(label) for label in classes]
    ax.set_xticks(range(len(names)), names, rotation=45 if len(names) > 4 else 0, parse_math=False)
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set(xlabel=f"new: {difference.new_kind}", ylabel=f"old: {difference.old_kind}")
    n_left = len(difference.classes or ()) - len(classes)
    left = f"\n(without {n_left} further classes)" if n_left else ""
    ax.set_title(_counted(difference) + left, color=INK)


def _draw_numbers(ax: Axes, difference: Difference) -> None:
    """Draw old and new numbers; what has not changed lies on the diagonal."""
    old, new = difference.old_answer, difference.new_answer
    ends = [float(min(old.min(), new.min())), float(max(old.max(), new.max()))]
    ax.plot(ends, ends, color=PALE, lw=1.0, zorder=1)
    shades = np.where(difference.changed, _RED, PALE)
    ax.scatter(old, new, s=14, c=shades.tolist(), alpha=0.6, linewidths=0.0, zorder=2)
    ax.set(xlabel=f"old: {difference.old_kind}", ylabel=f"new: {difference.new_kind}")
    ax.set_title(_counted(difference), color=INK)


def _counted(difference: Difference) -> str:
    return f"{difference.n_changed} of {difference.n_rows} answers change"
