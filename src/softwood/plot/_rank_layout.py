"""Where the parts of a critical-difference diagram go; knows no matplotlib.

Across, the unit is a rank. Downwards, the unit is an inch::

    CD = 1.25
    |-------|                      top
    1     2     3     4            numbers
    |--|--+-----+-----+--|         axis
       |  =======     |            bars, one level or more
    A -'  |     |     '- D         rows, best and worst first
    B ----'     '------- C
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from softwood._types import FloatArray

Span = tuple[float, float]

CAPTION, TOP, NUMBERS, AXIS = -0.10, -0.25, -0.42, -0.57
LEVEL, ROW = 0.1, 0.2  # distance of bars, and of rows of names
BAR_GAP = 0.02  # share of the axis that must be free between two bars of one level


@dataclass(frozen=True, slots=True)
class Label:
    """A name beside the diagram: whose, on which side, at which height."""

    method: int
    left: bool
    y: float


@dataclass(frozen=True, slots=True)
class Layout:
    """Heights of bars and labels."""

    bar_heights: tuple[float, ...]
    labels: tuple[Label, ...]
    bottom: float


def lay_out(ranks: FloatArray, bars: Sequence[Span]) -> Layout:
    """Return heights for the bars and for the names of all methods.

    The better half has its names on the left, the best one first; the other half on the
    right, the worst one first. So no leader crosses another.
    """
    levels = bar_levels(bars, BAR_GAP * (ranks.size - 1))
    n_levels = max(levels, default=-1) + 1
    first_row = AXIS - LEVEL * (n_levels + 0.5) - ROW / 2
    order = np.argsort(ranks, kind="stable")
    n_left = (ranks.size + 1) // 2
    sides = ((True, order[:n_left]), (False, order[n_left:][::-1]))
    labels = tuple(
        Label(int(method), left, first_row - ROW * row)
        for left, methods in sides
        for row, method in enumerate(methods)
    )
    heights = tuple(AXIS - LEVEL * (level + 1) for level in levels)
    return Layout(heights, labels, first_row - ROW * (n_left - 0.5))


def bar_levels(bars: Sequence[Span], gap: float) -> list[int]:
    """Return a level for each bar, the lowest at which it touches none before it."""
    ends: list[float] = []
    levels = []
    for low, high in bars:
        free = (level for level, end in enumerate(ends) if end + gap < low)
        level = next(free, len(ends))
        ends[level : level + 1] = [high]
        levels.append(level)
    return levels


def inches_per_rank(width: float, n_methods: int, names: Span, bars: Sequence[Span]) -> float:
    """Return the scale at which everything fits into ``width`` inches.

    Parameters
    ----------
    width : float
        What there is.
    n_methods : int
        The axis goes from 1 to this.
    names : tuple of float
        Inches for the names on the left and on the right.
    bars : sequence of tuple of float
        Ends of the bars, at least one, which may go beyond the axis.

    Returns
    -------
    float
        Inches for one rank; zero or less if the names leave none.
    """
    over_left = max(0.0, *(1.0 - low for low, _ in bars))
    over_right = max(0.0, *(high - n_methods for _, high in bars))
    # On each side either the names or a bar needs more; the tightest case decides.
    lefts = ((names[0], 0.0), (0.0, over_left))
    rights = ((names[1], 0.0), (0.0, over_right))
    return min(
        (width - left[0] - right[0]) / (n_methods - 1 + left[1] + right[1])
        for left in lefts
        for right in rights
    )


def tick_step(scale: float) -> int:
    """Return the distance of numbers on the axis, in ranks, given inches per rank."""
    steps = (1, 2, 5, 10, 20, 50)
    return next((step for step in steps if step * scale >= 0.22), steps[-1])
