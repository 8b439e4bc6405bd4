"""Small pictures for cells of a table: cheap, as there may be hundreds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from softwood._types import FloatArray

if TYPE_CHECKING:
    from markupsafe import Markup

WIDTH, HEIGHT, BINS = 120, 28, 20


def histogram(values: FloatArray, label: str) -> Markup:
    """Return a histogram of finite numbers as an SVG element.

    Parameters
    ----------
    values : ndarray
        At least one, all finite.
    label : str
        What it shows, for those who cannot see it.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.view._sparks import histogram
    >>> "<path" in histogram(np.array([1.0, 2.0, 2.5]), "sizes <b>") and "&lt;b&gt;"
    '&lt;b&gt;'
    """
    from markupsafe import Markup

    counts = _counts(values)
    heights = np.where(counts > 0, np.maximum(counts / counts.max() * HEIGHT, 1.0), 0.0)
    step = WIDTH / counts.size
    bars = "".join(
        f"M{_text(k * step + 0.5)} {HEIGHT}v-{_text(height)}h{_text(step - 1)}v{_text(height)}z"
        for k, height in enumerate(heights.tolist())
        if height > 0
    )
    return Markup(
        '<svg class="spark" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-label="{label}"><path d="{bars}"/></svg>'
    ).format(width=WIDTH, height=HEIGHT, label=label, bars=bars)


def _counts(values: FloatArray) -> FloatArray:
    """Return how many values there are in each bin; few different values get bins of their own."""
    distinct, counts = np.unique(values, return_counts=True)
    if distinct.size <= BINS:
        return np.asarray(counts, dtype=float)
    # Halved, and scaled below, for the range of the largest numbers would overflow.
    if distinct[-1] / 2 - distinct[0] / 2 < BINS and (distinct == np.round(distinct)).all():
        # Bins of uneven numbers of whole numbers would show what is not there.
        return np.bincount((values - distinct[0]).astype(int)).astype(float)
    scale = float(np.abs(distinct[[0, -1]]).max())
    return np.asarray(np.histogram(values / scale, bins=BINS)[0], dtype=float)


def _text(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
