"""Where to draw: on the axes given, or on a new figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from softwood.errors import missing_extra

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.text import Text

SMALLEST_LETTERS = 4.0  # points


def axes_or_new(ax: Axes | None, **options: Any) -> Axes:
    """Return ``ax``, or the axes of a new figure.

    Parameters
    ----------
    ax : Axes or None
        What the user gave.
    **options
        For :func:`matplotlib.pyplot.figure`. By default the figure makes room for labels
        and legends.

    Returns
    -------
    Axes

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise missing_extra("matplotlib", "plot") from None
    if ax is not None:
        return ax
    new: Axes = plt.figure(**{"layout": "constrained", **options}).add_subplot()
    return new


def figure_of(artist: Artist) -> Figure:
    """Return the whole figure that an artist is on."""
    figure = artist.get_figure(root=True)
    if figure is None:
        raise ValueError("ax must be part of a figure; make one with matplotlib's subplots")
    return figure


def size_in_inches(artist: Artist) -> tuple[float, float]:
    """Return width and height of axes or of a text, as they are now."""
    box, dpi = artist.get_window_extent(), figure_of(artist).dpi
    return box.width / dpi, box.height / dpi


def settle(ax: Axes) -> None:
    """Let the figure give its axes their places, as far as its labels are there already."""
    figure = figure_of(ax)
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)


def shrink_to_fit(ax: Axes, texts: Sequence[Text], whole: Artist) -> None:
    """Write texts in letters so small that ``whole``, which they are in, fits between the sides."""
    for _ in range(2):  # handles keep their size, so the first guess falls short
        too_wide = size_in_inches(whole)[0] / size_in_inches(ax)[0]
        for text in texts if too_wide > 1.0 else ():
            text.set_fontsize(max(float(text.get_fontsize()) / too_wide, SMALLEST_LETTERS))


def keep_clear(ax: Axes, legend: Legend, bottom: float, top: float) -> None:
    """Show values from ``bottom`` to ``top``, and above them enough nothing for a legend.

    The legend must be at the upper edge of the axes. It gets smaller letters if it is too wide.
    """
    legend.set_in_layout(False)  # it has its room, and the axes must not shrink for it
    settle(ax)
    shrink_to_fit(ax, legend.get_texts(), legend)
    whole, taken = ax.get_window_extent(), legend.get_window_extent()
    share = min(1.05 * (whole.y1 - taken.y0) / whole.height, 0.7)
    ax.set_ylim(bottom, bottom + (top - bottom) / (1.0 - share))
