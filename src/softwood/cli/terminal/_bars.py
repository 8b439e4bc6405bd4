"""Bars of blocks: a share, shares of classes, a value between two others, and changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.text import Text

from softwood.cli.terminal._drawing import Canvas

NEARLY_ALL = 0.995  # of a bar; with less, something of it must be missing


def bar(canvas: Canvas, share: float, width: int, style: str = "") -> Text:
    """Return a bar as long as a share of ``width`` cells.

    Examples
    --------
    >>> from softwood.cli.terminal._drawing import Canvas
    >>> bar(Canvas(80), 0.55, 10).plain, bar(Canvas(80, "ascii"), 0.55, 10).plain
    ('█████▌    ', '######    ')
    """
    eighths = canvas.signs.eighths
    n_parts = len(eighths)
    share = float(np.clip(np.nan_to_num(share), 0.0, 1.0))
    filled = int(share * width * n_parts + 0.5)
    if share > 0.0 and n_parts > 1:
        filled = max(filled, 1)  # a little is not nothing
    blocks = canvas.signs.block * (filled // n_parts)
    blocks += eighths[filled % n_parts] if filled % n_parts else ""
    return canvas.text(blocks.ljust(width), style)


def stacked(canvas: Canvas, shares: Sequence[float], width: int, first: int) -> Text:
    """Return the shares of classes as one bar.

    In colour every class has its part; else the bar is that of class ``first``, and what it
    lacks is dotted.

    Examples
    --------
    >>> from softwood.cli.terminal._drawing import Canvas
    >>> stacked(Canvas(80), [0.25, 0.75], 8, first=1).plain
    '██████░░'
    >>> stacked(Canvas(80, is_coloured=True), [0.25, 0.75], 8, first=1).plain
    '████████'
    """
    cells = whole_cells(shares, width)
    if cells[first] == width and shares[first] < NEARLY_ALL:
        others = [-1.0 if place == first else share for place, share in enumerate(shares)]
        cells[first] -= 1
        cells[int(np.argmax(others))] += 1
    if not canvas.is_coloured:
        own = cells[first]
        return canvas.text(canvas.signs.block * own + canvas.signs.rest * (width - own))
    parts = Text()
    order = [first, *(place for place in range(len(cells)) if place != first)]
    for place in order:
        parts.append_text(canvas.text(canvas.signs.block * cells[place], canvas.colour(place)))
    return parts


def whole_cells(shares: Sequence[float], width: int) -> list[int]:
    """Return whole numbers that add up to ``width``, in proportion to shares.

    The largest remainders are rounded up.

    Examples
    --------
    >>> whole_cells([0.5, 0.3, 0.2], 4)
    [2, 1, 1]
    """
    wanted = np.clip(np.nan_to_num(np.asarray(shares, dtype=np.float64)), 0.0, None)
    if wanted.sum() == 0.0:
        wanted = np.ones_like(wanted)
    wanted = wanted / wanted.sum() * width
    cells = np.floor(wanted + 1e-9).astype(int)
    order = np.argsort(-(wanted - cells), kind="stable")
    cells[order[: width - int(cells.sum())]] += 1
    return [int(n) for n in cells]


def change(canvas: Canvas, amount: float, largest: float, width: int) -> Text:
    """Return a bar to the right of a middle line for what is added, to the left for less.

    Examples
    --------
    >>> from softwood.cli.terminal._drawing import Canvas
    >>> change(Canvas(80), 0.5, 1.0, 9).plain, change(Canvas(80), -1.0, 1.0, 9).plain
    ('    │██  ', '████│    ')
    """
    half = max((width - 1) // 2, 1)
    share = abs(amount) / largest if largest > 0.0 else 0.0
    n = min(int(share * half + 0.5), half)
    blocks = canvas.signs.block * n
    left = canvas.text(blocks.rjust(half) if amount < 0 else " " * half, "red3")
    right = canvas.text(blocks.ljust(half) if amount > 0 else " " * half, "green3")
    return Text.assemble(left, canvas.text(canvas.signs.bar, "dim"), right)
