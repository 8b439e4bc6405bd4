r"""Where the nodes of a tree go; knows no matplotlib.

Across, the tidy layout of Reingold and Tilford, for any number of children. Downwards, each
level has room for its labels and its boxes, in inches::

         +-----+
         | box |           the boxes of a level have their tops on one line
         +-----+
        /       \           the gap, where edges run
    label       label      the labels stand on the boxes
   +-----+     +-----+
   | box |     | box |
   +-----+     +-----+
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, FloatArray

BESIDE = 0.14  # inches between neighbours
LEAST_GAP, MOST_GAP, SLOPE = 0.28, 1.0, 0.1  # inches between levels; more under wide edges


@dataclass(slots=True)
class _Side:
    """One side of a subtree: how far across its boxes reach on each level, the deepest first.

    The root of the subtree comes last, so that a new one costs nothing. All places are less
    than they should be by ``shift``, so that moving the whole costs nothing either.
    """

    places: list[float]
    shift: float = 0.0


def tidy_places(
    first_child: AnyArray, n_children: AnyArray, widths: FloatArray | None = None
) -> FloatArray:
    """Return how far across each node of a tree goes, in time linear in the nodes.

    Nodes of a level do not overlap, are in order, and as close as that allows. A parent is
    in the middle between its first and its last child. The layout of the mirrored tree is the
    mirrored layout, and equal subtrees have equal shapes.

    Parameters
    ----------
    first_child, n_children : ndarray of shape (n_nodes,)
        The block of children of each node, after their parent; a leaf has ``n_children`` 0.
    widths : ndarray of shape (n_nodes,), optional
        How much room each node takes; 1 by default.

    Returns
    -------
    ndarray of shape (n_nodes,)
        The middle of each node; the leftmost one is 0.

    Examples
    --------
    >>> import numpy as np
    >>> tidy_places(np.array([1, -1, 3, -1, -1]), np.array([2, 0, 2, 0, 0]))
    array([0.5, 0. , 1. , 0.5, 1.5])
    """
    starts, counts = first_child.tolist(), n_children.tolist()
    blocks = [range(start, start + n) for start, n in zip(starts, counts, strict=True)]
    halves = ([0.5] * len(blocks)) if widths is None else (widths / 2.0).tolist()
    from_left = _packed(blocks, halves)
    # Several children crowd where the packing began. From either end, and the mean of both:
    # distances of at least 1 and middles stay what they are.
    from_right = -_packed([block[::-1] for block in blocks], halves)
    places = (from_left + from_right) / 2.0
    return np.asarray(places - places.min())


def _packed(blocks: list[range], halves: list[float]) -> FloatArray:
    """Return places with each subtree as close to those before it as can be."""
    offsets = np.zeros(len(blocks))  # from the parent
    sides: dict[int, tuple[_Side, _Side]] = {}
    for node in range(len(blocks) - 1, -1, -1):
        if not blocks[node]:
            sides[node] = _Side([-halves[node]]), _Side([halves[node]])
            continue
        children = iter(blocks[node])
        low, high = sides.pop(next(children))
        place = 0.0
        for child in children:
            child_low, child_high = sides.pop(child)
            place = offsets[child] = _least_distance(high, child_low)
            child_low.shift += place
            child_high.shift += place
            low, high = _seen(low, child_low), _seen(child_high, high)
        offsets[blocks[node]] -= place / 2.0
        for side, edge in ((low, -halves[node]), (high, halves[node])):
            side.shift -= place / 2.0
            side.places.append(edge - side.shift)
        sides[node] = low, high
    for node, block in enumerate(blocks):  # parents come before their children
        offsets[block] += offsets[node]
    return offsets


def _least_distance(high: _Side, low: _Side) -> float:
    """Return how far to move a subtree, given its low side and the high side before it."""
    n = min(len(high.places), len(low.places))
    pairs = zip(high.places[-n:], low.places[-n:], strict=True)
    return max(a - b for a, b in pairs) + high.shift - low.shift


def _seen(front: _Side, back: _Side) -> _Side:
    """Return the side made of two: the front one, and what is deeper of the other.

    The longer one is changed in place, so the time is that of the shorter one.
    """
    n = len(front.places)
    if n >= len(back.places):
        return front
    back.places[-n:] = [place + (front.shift - back.shift) for place in front.places]
    return back


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """Widths and heights in inches, of the box of each node and of the label above it."""

    box_width: FloatArray
    box_height: FloatArray
    label_width: FloatArray
    label_height: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Places in inches; the root's top is at 0, and everything else is below.

    Attributes
    ----------
    x, box_top : ndarray of shape (n_nodes,)
        The middle of each box, and its upper edge.
    edges_start, edges_end : ndarray of shape (n_nodes,)
        Between which heights the edges above each node may run across.
    width, height : float
        Of the whole.
    """

    x: FloatArray
    box_top: FloatArray
    edges_start: FloatArray
    edges_end: FloatArray
    width: float
    height: float


def lay_out(
    first_child: AnyArray, n_children: AnyArray, sizes: Sizes, least_gap: float = LEAST_GAP
) -> Layout:
    """Return places for boxes of any size, none of which overlap.

    ``least_gap`` is the height, in inches, for edges between two levels.
    """
    inner = np.flatnonzero(n_children)
    parent = np.full(n_children.size, -1)
    depth = np.zeros(n_children.size, dtype=np.int64)
    for node in inner.tolist():
        block = slice(int(first_child[node]), int(first_child[node] + n_children[node]))
        parent[block], depth[block] = node, depth[node] + 1
    widths = np.maximum(sizes.box_width, sizes.label_width)
    x = tidy_places(first_child, n_children, widths + BESIDE)
    x -= (x - widths / 2.0).min()
    box_top, start, end = np.zeros((3, n_children.size))
    cursor = 0.0
    for level in range(int(depth.max()) + 1):
        here = depth == level
        if level > 0:
            start[here] = cursor
            cursor -= _gap(np.abs(x[here] - x[parent[here]]).max(), least_gap)
        end[here] = cursor
        cursor -= float(sizes.label_height[here].max())
        box_top[here] = cursor
        cursor -= float(sizes.box_height[here].max())
    return Layout(x, box_top, start, end, float((x + widths / 2.0).max()), -cursor)


def _gap(reach: float, least: float) -> float:
    """Return the height for edges that go this far across."""
    return float(np.clip(SLOPE * reach * least / LEAST_GAP, least, MOST_GAP))
