"""Pictures of several panels, and the few marks that papers' figures share."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from softwood.errors import missing_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

N_COLOURS = 128


def panels(
    n_rows: int, n_columns: int, size: tuple[float, float] = (4.2, 3.4), **shared: Any
) -> tuple[Figure, list[Axes]]:
    """Return a new figure and its panels, row by row.

    The figure is not known to pyplot: nothing shows it, and it goes when it is not used.

    Parameters
    ----------
    n_rows, n_columns : int
        How many panels, down and across.
    size : (float, float)
        Width and height of a panel, in inches.
    **shared
        For :meth:`matplotlib.figure.Figure.subplots`, such as ``sharey``.

    Returns
    -------
    (Figure, list of Axes)

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> figure, (left, right) = panels(1, 2, sharey=True)
    >>> figure.get_size_inches().tolist()
    [8.4, 3.4]
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra("matplotlib", "plot") from None
    figure = Figure(figsize=(size[0] * n_columns, size[1] * n_rows), layout="constrained")
    axes = figure.subplots(n_rows, n_columns, squeeze=False, **shared)
    for ax in axes.ravel():
        ax.spines[["top", "right"]].set_visible(False)
    return figure, list(axes.ravel())


def close(figure: Any) -> None:
    """Forget a figure that pyplot may know of, so that many of them do not pile up."""
    import matplotlib.pyplot as plt

    plt.close(figure)


def in_few_colours(png: bytes) -> bytes:
    """Return a picture with a palette of its own, of a quarter of the size, and no date."""
    from PIL import Image

    picture = Image.open(BytesIO(png)).convert("RGB")
    few = picture.quantize(N_COLOURS, dither=Image.Dither.NONE)
    small = BytesIO()
    few.save(small, format="png", optimize=True)
    return small.getvalue()
