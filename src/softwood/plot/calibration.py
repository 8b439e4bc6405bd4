"""Reliability diagrams: how often things happen that were said to be this probable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import BoolArray, FloatArray
from softwood.explain.labels import value_text
from softwood.plot._axes import axes_or_new, keep_clear, settle, shrink_to_fit, size_in_inches
from softwood.plot._palette import INK, MARKERS, PALE, colours
from softwood.plot._probabilities import Probabilities, probabilities_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import ErrorbarContainer

Z = 1.959964  # deviations on either side that hold 95 % of a normal distribution
SIZE = (5.0, 5.2)  # inches of a new figure
COLUMNS = 40  # of the histogram
STRIP = (-0.22, -0.09)  # where the histogram is, below the diagram
TOP = 1.03  # of the diagram; the legend stands above
PERFECT = "as often as said"


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Rows of similar probability: its mean, how often it was so, and how many rows.

    ``low`` and ``high`` are the ends of the interval of Wilson around ``share``.
    """

    mean: FloatArray
    share: FloatArray
    low: FloatArray
    high: FloatArray
    n_rows: FloatArray

    @property
    def error(self) -> float:
        """The expected calibration error: the mean distance of share and mean, by rows."""
        return float(np.average(np.abs(self.share - self.mean), weights=self.n_rows))


def plot_calibration(  # noqa: PLR0913  (a model, or what it said)
    model: Any,
    X: Any,
    y: Any,
    *,
    proba: Any = None,
    classes: Sequence[Any] | None = None,
    n_bins: int = 10,
    label: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw how often what a classifier says is so, against how probable it says it is.

    With two classes it is the second of ``classes_`` that has a probability; with more it is
    the predicted one, whichever that is. Rows are put in order of it and divided into bins of
    about as many rows each; rows of equal probability stay together. Each bin is a point with an
    interval (Wilson's, 95 %). Below is a histogram of the rows.

    Parameters
    ----------
    model : classifier or None
        A fitted classifier with ``predict_proba``. With ``proba`` only its name and classes
        are used, and it may be None.
    X : array or frame of shape (n_rows, n_features), or None
        Rows, best such that the model has not seen; None if ``proba`` is given.
    y : array of shape (n_rows,)
        Their classes.
    proba : array of shape (n_rows, n_classes), optional
        Probabilities made before, such as those out of folds or out of bag. Rows of NaN are
        left out.
    classes : sequence, optional
        The labels of the columns of ``proba``: by default the model's, else those in ``y``,
        sorted.
    n_bins : int, default=10
        Most bins.
    label : str, optional
        Name in the legend; by default that of the model's class.
    ax : Axes, optional
        Where to draw; a new figure by default. A second call on the same axes adds a curve.

    Returns
    -------
    Axes
        The legend has the Brier score (with more than two classes the sum over all of them)
        and the expected calibration error of the bins, ECE.

    See Also
    --------
    plot_roc : How well the classes are told apart.

    Examples
    --------
    >>> from softwood import BaggedTreesClassifier, CARTClassifier
    >>> from softwood.datasets import make_twonorm
    >>> from softwood.plot import plot_calibration
    >>> X, y = make_twonorm(random_state=0)
    >>> model = CARTClassifier(max_depth=4).fit(X, y)
    >>> ax = plot_calibration(model, *make_twonorm(2000, random_state=1))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['CARTClassifier (Brier 0.185, ECE 0.130)', 'as often as said']

    From probabilities out of bag, in the same picture:

    >>> bag = BaggedTreesClassifier(50, oob_score=True, random_state=0).fit(X, y)
    >>> ax = plot_calibration(bag, None, y, proba=bag.oob_decision_function_, ax=ax)
    >>> len(ax.get_legend().get_texts())
    3
    """
    if n_bins < 1:
        raise ValueError(f"n_bins must be at least 1; got {n_bins!r}")
    given = probabilities_of(model, X, y, proba, classes)
    said, is_so = given.claims()
    bins = bins_of(said, is_so, n_bins)
    name = given.name if label is None else value_text(label)
    ax = axes_or_new(ax, figsize=SIZE)
    place = sum(line.get_label() == PERFECT for line in ax.lines) and len(ax.containers)
    if place == 0:
        _prepare(ax, given)
    colour = colours(place + 1)[-1]
    _draw_bins(ax, bins, colour, MARKERS[place % len(MARKERS)]).set_label(
        f"{name} (Brier {given.brier():.3f}, ECE {bins.error:.3f})"
    )
    _draw_rows(ax, said, colour, is_first=place == 0)
    _add_legend(ax)
    return ax


def bins_of(said: FloatArray, is_so: BoolArray, n_bins: int) -> Bins:
    """Return rows in bins of about equal size; equal probabilities are in one bin.

    Examples
    --------
    >>> import numpy as np
    >>> bins = bins_of(np.array([0.1, 0.1, 0.1, 0.9]), np.array([0, 1, 0, 1]) == 1, 2)
    >>> bins.n_rows, bins.share.round(3), round(bins.error, 3)
    (array([3., 1.]), array([0.333, 1.   ]), 0.2)
    """
    cuts = np.unique(np.quantile(said, np.arange(1, n_bins) / n_bins, method="inverted_cdf"))
    place = np.searchsorted(cuts, said, side="left")
    n_rows = np.bincount(place).astype(np.float64)
    some = n_rows > 0.0
    n_rows, total = n_rows[some], np.bincount(place, said)[some]
    share = np.bincount(place, is_so)[some] / n_rows
    low, high = wilson(share, n_rows)
    return Bins(total / n_rows, share, low, high, n_rows)


def wilson(share: FloatArray, n: FloatArray, z: float = Z) -> tuple[FloatArray, FloatArray]:
    """Return the interval of Wilson around shares of ``n`` rows each.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = wilson(np.array([0.0, 0.5]), np.array([10.0, 10.0]))
    >>> low.round(3), high.round(3)
    (array([0.   , 0.237]), array([0.278, 0.763]))
    """
    room = 1.0 + z**2 / n
    centre = (share + z**2 / (2.0 * n)) / room
    half = z * np.sqrt(share * (1.0 - share) / n + (z / (2.0 * n)) ** 2) / room
    return np.clip(centre - half, 0.0, 1.0), np.clip(centre + half, 0.0, 1.0)


def _prepare(ax: Axes, given: Probabilities) -> None:
    ax.plot([0, 1], [0, 1], color=PALE, lw=1, ls="--", label=PERFECT)
    ax.axhline(-0.02, color=PALE, lw=0.6)
    ax.set_xlim(-0.02, 1.02)
    ax.set_yticks(np.linspace(0.0, 1.0, 6))
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines["left"].set_bounds(0.0, 1.0)
    # A dollar in a name is a dollar, not the start of a formula.
    look: dict[str, Any] = {"color": INK, "parse_math": False}
    if given.is_binary:
        positive = value_text(given.classes[1])
        ax.set_xlabel(f"predicted probability of {positive}", **look)
        ax.set_ylabel(f"share of {positive} among such rows", **look)
    else:
        ax.set_xlabel("probability of the predicted class", **look)
        ax.set_ylabel("how often it is right", **look)


def _draw_bins(ax: Axes, bins: Bins, colour: str, marker: str) -> ErrorbarContainer:
    spans = np.stack([bins.share - bins.low, bins.high - bins.share]).clip(0.0)
    style: dict[str, Any] = {"color": colour, "marker": marker, "ms": 5, "lw": 1.5, "zorder": 3}
    return ax.errorbar(bins.mean, bins.share, spans, elinewidth=1, capsize=2, **style)


def _draw_rows(ax: Axes, said: FloatArray, colour: str, is_first: bool) -> None:
    """Draw how many rows have which probability, the most of them as high as the strip."""
    counts, edges = np.histogram(said.clip(0.0, 1.0), COLUMNS, (0.0, 1.0))
    low, high = STRIP
    tops = low + (high - low) * counts / counts.max()
    ax.stairs(
        tops, edges, baseline=low, fill=is_first, color=colour, alpha=0.4 if is_first else 1.0
    )
    if is_first:
        words = f"{said.size:,} rows, at most {counts.max():,} in a column"
        text = ax.text(0.0, -0.03, words, va="top", fontsize="small", color=INK)
        text.set_in_layout(False)


def _add_legend(ax: Axes) -> None:
    """Name the curves above the diagram, in the order they came, the diagonal last."""
    handles, labels = ax.get_legend_handles_labels()
    order = sorted(range(len(labels)), key=lambda place: labels[place] == PERFECT)
    handles, labels = [handles[place] for place in order], [labels[place] for place in order]
    for breaks in (" (Brier", "\n(Brier"):  # scores on a line of their own, if that must be
        texts = [label.replace(" (Brier", breaks) for label in labels]
        legend = ax.legend(handles, texts, loc="upper left", frameon=False, fontsize="small")
        legend.set_in_layout(False)
        for text in legend.get_texts():
            text.set(parse_math=False, color=INK)
        settle(ax)
        if size_in_inches(legend)[0] <= size_in_inches(ax)[0]:
            break
    keep_clear(ax, legend, STRIP[0], TOP)
    shrink_to_fit(ax, ax.texts[:1], ax.texts[0])
