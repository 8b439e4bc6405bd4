"""Boxes, edges and bars of a picture of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from softwood.explain.wording import Subject
from softwood.forest.ties import most_probable
from softwood.plot._palette import INK, PALE, colours, tints
from softwood.plot._tree_layout import Layout, Sizes
from softwood.plot._tree_words import Words
from softwood.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Bar = list[tuple[float, str]]  # shares and colours of its parts

PAD, CORNER, BAR, LEAST_BAR = 0.07, 0.05, 0.07, 0.55  # inches of a box
THINNEST, THICKEST = 0.6, 8.0  # points of an edge, for none and for all of the weight
LEAST_SHARE = 0.005  # of a class in a leaf, to be drawn


def bars_of(subject: Subject, words: Words) -> list[Bar]:
    """Return the parts of the bar of each node, as shares and colours; none at inner nodes."""
    response = subject.tree.response[: words.n_children.size]
    ends = words.n_children == 0
    shares = np.clip(response, 0.0, None)
    if subject.classes is None:
        low, span = response[ends, 0].min(), np.ptp(response[ends, 0])
        shares = (response[:, :1] - low) / (span if span > 0.0 else np.inf)
        totals = np.ones(len(shares))
    else:
        totals = shares.sum(axis=1)
    palette = colours(shares.shape[1])
    return [
        [(float(share / total), colour) for share, colour in zip(row, palette, strict=True)]
        if end and total > 0.0
        else []
        for row, total, end in zip(shares, totals, ends, strict=True)
    ]


def draw_edges(ax: Axes, tree: Tree, layout: Layout, sizes: Sizes, scale: float) -> None:
    """Draw each edge from box to label, across only between the levels, where nothing stands."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    bottom = layout.box_top - sizes.box_height
    top = layout.box_top + sizes.label_height
    share = tree.weight / tree.weight[0] if tree.weight[0] > 0.0 else np.zeros(tree.n_nodes)
    parent = tree.parent
    for node in range(1, layout.x.size):
        above = int(parent[node])
        here, there = layout.x[above], layout.x[node]
        start, end = layout.edges_start[node], layout.edges_end[node]
        middle = (start + end) / 2.0
        corners = [(here, bottom[above]), (here, start), (here, middle), (there, middle)]
        corners += [(there, end), (there, top[node])]
        codes = [Path.MOVETO, Path.LINETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO]
        width = (THINNEST + (THICKEST - THINNEST) * min(float(share[node]), 1.0)) * scale
        curve = Path(np.array(corners), codes)
        ax.add_patch(PathPatch(curve, fill=False, edgecolor=PALE, alpha=0.6, lw=width, zorder=1))


def draw_boxes(
    ax: Axes, tree: Tree, words: Words, layout: Layout, sizes: Sizes, scale: float
) -> None:
    """Draw a box for each node: white for a test, in the colour of its class for an answer."""
    from matplotlib.patches import FancyBboxPatch

    shades = tints(tree.n_outputs, 0.15)
    for node, n_children in enumerate(words.n_children):
        width, height = sizes.box_width[node], sizes.box_height[node]
        corner = (layout.x[node] - width / 2.0, layout.box_top[node] - height)
        winner = int(most_probable(tree.response[node]))
        box = FancyBboxPatch(
            corner,
            width,
            height,
            boxstyle=f"round,pad=0,rounding_size={CORNER}",
            facecolor="white" if n_children else shades[winner],
            edgecolor=INK if n_children else colours(tree.n_outputs)[winner],
            linestyle="--" if words.n_below[node] else "-",
            linewidth=0.8 * scale,
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
