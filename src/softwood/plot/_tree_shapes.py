"""Boxes, edges and bars of a picture of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.explain.wording import Subject
from softwood.forest.ties import most_probable
from softwood.plot._palette import INK, PALE, colours, tints
from softwood.plot._tree_layout import Layout, Sizes
from softwood.plot._tree_view import View
from softwood.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Bar = list[tuple[float, str]]  # shares and colours of its parts

PAD, CORNER, BAR, LEAST_BAR = 0.07, 0.05, 0.07, 0.55  # inches of a box
THINNEST, THICKEST = 0.6, 8.0  # points of an edge, for none and for all of the weight
MARKED = 2.4  # points of the line around a box that is marked
LEAST_SHARE = 0.005  # of a class in a leaf, or of a row at a node, to be drawn
POINTS = 72.0  # to an inch
BAND, FLOOD = 0.36, "#B9CBDD"  # inches across and colour of a band, if all of a row is there
WAY_DOWN = (1, 2, 4, 4, 4, 2)  # codes of matplotlib: move, line, curve of three, line


def bars_of(subject: Subject, view: View) -> list[Bar]:
    """Return the parts of the bar of each place, as shares and colours; none at inner nodes."""
    response = view.response
    shares = np.clip(response, 0.0, None)
    if subject.classes is None:
        low, high = least_and_greatest(subject.tree)
        shares = (response[:, :1] - low) / (high - low if high > low else np.inf)
        totals = np.ones(len(shares))
    else:
        totals = shares.sum(axis=1)
    palette = colours(shares.shape[1])
    return [
        [(float(share / total), colour) for share, colour in zip(row, palette, strict=True)]
        if end and total > 0.0
        else []
        for row, total, end in zip(shares, totals, view.is_end, strict=True)
    ]


def least_and_greatest(tree: Tree) -> tuple[float, float]:
    """Return between which numbers the leaves of a tree answer."""
    answers = tree.response[tree.is_leaf, 0]
    return float(answers.min()), float(answers.max())


def draw_edges(ax: Axes, view: View, layout: Layout, sizes: Sizes, scale: float) -> None:
    """Draw each edge from box to label, across only between the levels, where nothing stands."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    share = view.share
    for place in range(1, view.size):
        corners = _way_down(view, layout, sizes, place)
        width = (THINNEST + (THICKEST - THINNEST) * min(float(share[place]), 1.0)) * scale
        curve = Path(corners, WAY_DOWN)
        ax.add_patch(PathPatch(curve, fill=False, edgecolor=PALE, alpha=0.6, lw=width, zorder=1))


def draw_bands(
    ax: Axes, view: View, mass: FloatArray, layout: Layout, sizes: Sizes, scale: float
) -> None:
    """Draw each edge as wide as the mass that goes along it; those of a box are side by side.

    What gets less than ``LEAST_SHARE`` is a dotted line.
    """
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    start = -BAND * mass / 2.0  # where the next band begins, from the middle of its box
    for place in range(1, view.size):
        corners, above = _way_down(view, layout, sizes, place), int(view.parent[place])
        look: dict[str, Any] = {"edgecolor": PALE, "ls": ":", "lw": 0.8 * scale}
        if mass[place] >= LEAST_SHARE:
            width = BAND * mass[place]
            corners[:3, 0] += start[above] + width / 2.0
            start[above] += width
            corners[-1, 1] = layout.box_top[place]  # it goes on behind the label
            look = {"edgecolor": FLOOD, "lw": width * POINTS * scale, "capstyle": "butt"}
        ax.add_patch(PathPatch(Path(corners, WAY_DOWN), fill=False, zorder=1, **look))


def _way_down(view: View, layout: Layout, sizes: Sizes, place: int) -> AnyArray:
    """Return the corners of the edge above a place."""
    above = int(view.parent[place])
    here, there = layout.x[above], layout.x[place]
    start, end = layout.edges_start[place], layout.edges_end[place]
    middle = (start + end) / 2.0
    bottom = layout.box_top[above] - sizes.box_height[above]
    top = layout.box_top[place] + sizes.label_height[place]
    corners = [(here, bottom), (here, start), (here, middle), (there, middle)]
    return np.array([*corners, (there, end), (there, top)])


def draw_boxes(
    ax: Axes,
    view: View,
    layout: Layout,
    sizes: Sizes,
    scale: float,
    is_faint: BoolArray | None = None,
    marks: Sequence[str | None] | None = None,
) -> None:
    """Draw a box for each place: white for a test, in the colour of its class for an answer.

    Those that are faint have no colour; those that are marked have a thick line in this colour.
    """
    from matplotlib.patches import FancyBboxPatch

    n_outputs = view.response.shape[1]
    shades, lines = tints(n_outputs, 0.15), colours(n_outputs)
    for place in range(view.size):
        width, height = sizes.box_width[place], sizes.box_height[place]
        corner = (layout.x[place] - width / 2.0, layout.box_top[place] - height)
        winner = int(most_probable(view.response[place]))
        fill, line = ("white", INK) if view.n_children[place] else (shades[winner], lines[winner])
        if is_faint is not None and is_faint[place]:
            fill, line = "white", PALE
        mark = None if marks is None else marks[place]
        box = FancyBboxPatch(
            corner,
            width,
            height,
            boxstyle=f"round,pad=0,rounding_size={CORNER}",
            facecolor=fill,
            edgecolor=mark or line,
            linestyle="--" if view.n_folded[place] else "-",
            linewidth=(MARKED if mark else 0.8) * scale,
            zorder=2,
        )
        ax.add_patch(box)


def draw_bars(ax: Axes, bars: list[Bar], layout: Layout, sizes: Sizes) -> None:
    """Draw the bars at the bottom of their boxes."""
    for node, bar in enumerate(bars):
        if not bar:
            continue
        room = sizes.box_width[node] - 2.0 * PAD
        left = layout.x[node] - room / 2.0
        bottom = layout.box_top[node] - sizes.box_height[node] + PAD
        shares = np.array([share for share, _ in bar])
        spans = np.column_stack([left + room * (np.cumsum(shares) - shares), room * shares])
        shown = shares >= LEAST_SHARE
        fills = [colour for (_, colour), is_shown in zip(bar, shown, strict=True) if is_shown]
        ax.broken_barh([(left, room)], (bottom, BAR), facecolors="white", zorder=3)
        ax.broken_barh(spans[shown].tolist(), (bottom, BAR), facecolors=fills, zorder=3)
