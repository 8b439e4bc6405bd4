"""Colours that readers with any colour vision can tell apart."""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import FloatArray

if TYPE_CHECKING:
    from matplotlib.colors import Colormap

# The palette of Okabe and Ito; the yellow, weak on white, comes last.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
LINE_STYLES = ("-", "--", ":", "-.")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
INK, PALE = "#333333", "#999999"  # lines and text; what stays in the background


def colours(n: int) -> list[str]:
    """Return ``n`` colours; after the eighth they repeat."""
    return list(islice(cycle(COLOURS), n))


def line_styles(n: int) -> list[str]:
    """Return a line style for each of ``n`` colours; it changes where colours repeat."""
    return [LINE_STYLES[i // len(COLOURS) % len(LINE_STYLES)] for i in range(n)]


def markers(n: int) -> list[str]:
    """Return a marker for each of ``n`` colours; it changes where colours repeat."""
    return [MARKERS[i // len(COLOURS) % len(MARKERS)] for i in range(n)]


def tints(n: int, strength: float = 0.5) -> FloatArray:
    """Return ``n`` colours mixed with white, as rows of red, green and blue."""
    from matplotlib.colors import to_rgb

    return 1.0 - strength * (1.0 - np.array([to_rgb(colour) for colour in colours(n)]))


def shares_of(shown: int, n_classes: int) -> Colormap:
    """Return colours for the share of one class: from the other over white to its own.

    Where there are several others, these are grey.
    """
    from matplotlib.colors import LinearSegmentedColormap, to_rgb

    shades = tints(max(n_classes, 2), 0.8)
    others = tuple(shades[1 - shown]) if n_classes == 2 else to_rgb(PALE)
    ends = [others, (1.0, 1.0, 1.0), tuple(shades[shown])]
    return LinearSegmentedColormap.from_list("softwood_shares", ends)
