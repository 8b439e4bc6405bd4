"""Room for a picture of a tree: sizes of texts, places of boxes, a key on top."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood.explain.labels import number_text, value_text
from softwood.explain.wording import Subject
from softwood.plot._axes import figure_of, settle, size_in_inches
from softwood.plot._palette import COLOURS, INK, colours
from softwood.plot._tree_layout import LEAST_GAP, Layout, Sizes, lay_out
from softwood.plot._tree_shapes import BAR, LEAST_BAR, PAD, Bar, least_and_greatest
from softwood.plot._tree_view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

LARGEST, SMALLEST = (40.0, 30.0), (2.0, 1.0)  # inches of a new figure
BORDER = 0.08  # inches around the picture
AROUND = 2.0 * 3.0 / 72.0  # inches that the layout of a figure keeps free
FEW_CLASSES = 5  # the names of more stand in two rows
LABEL_GAP = 0.04  # inches around the label of an edge


@dataclass(frozen=True, slots=True)
class Key:
    """What stands above the tree: colours and what they mean, a note, and a title."""

    entries: list[tuple[str, str]] = field(default_factory=list)  # colours and texts
    note: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """Where everything goes, and how much smaller than it should be."""

    layout: Layout
    sizes: Sizes
    scale: float


def key_of(subject: Subject, note: str = "", title: str = "") -> Key:
    """Return which class has which colour, if they are few; or what bars of numbers mean."""
    classes = subject.classes
    if classes is not None:
        few = classes if 1 < len(classes) <= len(COLOURS) else ()
        named = zip(colours(len(few)), map(value_text, few), strict=True)
        return Key(list(named), note, title)
    low, high = least_and_greatest(subject.tree)
    if high <= low:
        return Key([], note, title)
    ends = (number_text(end, subject.decimals) for end in (low, high))
    text = "bar: empty at {} (lowest leaf), full at {} (highest)".format(*ends)
    return Key([(COLOURS[0], text)], note, title)


def prepare(
    ax: Axes,
    is_new: bool,
    view: View,
    words: tuple[list[str], list[str]],
    bars: list[Bar],
    key: Key,
    least_gap: float = LEAST_GAP,
) -> Canvas:
    """Write what is in the boxes and above them, each at its place; give the whole its room.

    ``least_gap`` is the height for edges between two levels, in inches.
    """
    inside, above = (_texts(ax, texts) for texts in words)
    sizes = _sizes(inside, above, bars)
    layout = lay_out(view.first_child, view.n_children, sizes, least_gap)
    scale = _fit(ax, is_new, layout, key)
    for place, (text, label) in enumerate(zip(inside, above, strict=True)):
        x, top, size = layout.x[place], layout.box_top[place], float(text.get_fontsize()) * scale
        height = sizes.box_height[place] - (BAR + PAD if bars[place] else 0.0)
        text.set(position=(x, top - height / 2.0), va="center", fontsize=size)
        label.set(position=(x, top + LABEL_GAP), va="bottom", fontsize=size)
    return Canvas(layout, sizes, scale)


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


def _fit(ax: Axes, is_new: bool, layout: Layout, key: Key) -> float:
    """Give the picture its room, with the key on top; return its scale."""
    title = _add_title(ax, key.title)
    legend = _add_key(ax, key, 1.0)
    width = max(layout.width, legend[0]) + 2.0 * BORDER
    height = layout.height + legend[1] + 2.0 * BORDER
    if is_new:
        scale = min(1.0, LARGEST[0] / width, LARGEST[1] / height)
        whole = (max(width * scale, title[0]) + AROUND, height * scale + title[1] + AROUND)
        figure_of(ax).set_size_inches(*np.maximum(whole, SMALLEST))
    else:
        settle(ax)
        room = size_in_inches(ax)
        scale = min(1.0, room[0] / width, room[1] / height)
        if title[0] > room[0]:
            ax.title.set_fontsize(float(ax.title.get_fontsize()) * room[0] / title[0])
    if scale < 1.0:
        _add_key(ax, key, scale)
    middle = layout.width / 2.0
    ax.set(
        xlim=(middle - width / 2.0, middle + width / 2.0),
        ylim=(-layout.height - BORDER, legend[1] + BORDER),
        aspect="equal",
    )
    ax.set_axis_off()
    return scale


def _add_title(ax: Axes, title: str) -> tuple[float, float]:
    """Write the title; return the inches it takes."""
    if not title:
        return 0.0, 0.0
    text = ax.set_title(title, color=INK, parse_math=False)
    width, height = size_in_inches(text)
    return width + 2.0 * BORDER, height + 0.12


def _add_key(ax: Axes, key: Key, scale: float) -> tuple[float, float]:
    """Put the key on top, inside the axes; return the inches it takes."""
    from matplotlib import rcParams
    from matplotlib.patches import Patch

    if not key.entries and not key.note:
        return 0.0, 0.0
    n_entries, size = len(key.entries), float(rcParams["font.size"]) * scale
    legend = ax.legend(
        handles=[Patch(color=colour) for colour, _ in key.entries],
        labels=[text for _, text in key.entries],
        loc="upper center",
        ncols=n_entries if n_entries <= FEW_CLASSES else (n_entries + 1) // 2,
        frameon=False,
        fontsize=size,
        title=key.note or None,
        title_fontsize=0.9 * size,
        borderaxespad=0.0,
        columnspacing=1.2,
        handlelength=1.0,
        handleheight=0.6,
    )
    legend.set_in_layout(False)  # it has its room in the axes, which must not shrink for it
    for text in (legend.get_title(), *legend.get_texts()):
        text.set(parse_math=False, color=INK)
    return size_in_inches(legend)
