"""The critical-difference diagram: mean ranks, and which of them do not differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from softwood._types import FloatArray
from softwood.plot._axes import axes_or_new, figure_of, size_in_inches
from softwood.plot._palette import COLOURS, INK
from softwood.plot._rank_layout import (
    AXIS,
    CAPTION,
    NUMBERS,
    TOP,
    Layout,
    Span,
    inches_per_rank,
    lay_out,
    tick_step,
)
from softwood.statistics import cliques, critical_difference, holm, mean_ranks, score_matrix
from softwood.statistics._checks import check_choice, check_control, check_fraction

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

PostHocTest = Literal["nemenyi", "bonferroni_dunn", "holm"]
TESTS = ("nemenyi", "bonferroni_dunn", "holm")

FONT_SIZE, LEAST_FONT_SIZE = 10.0, 4.0
TICK = 0.05  # inches
NAME_GAP = 0.08  # inches between the end of a leader and its name
AXIS_SHARE = 0.35  # of the width; names that leave less are made smaller
WIDTH, MARGIN = 6.4, 0.02


@dataclass(frozen=True, slots=True, eq=False)
class _Verdict:
    """What the test says: the caption, the length of the difference, and the bars."""

    caption: str
    difference: float | None
    bars: list[Span]

    def all_bars(self) -> list[Span]:
        """Return the bars, and the one that shows the critical difference."""
        return [*self.bars, (1.0, 1.0 + (self.difference or 0.0))]


def plot_critical_difference(
    scores: Any,
    names: Sequence[str] | None = None,
    *,
    alpha: float = 0.05,
    test: PostHocTest = "nemenyi",
    control: int | str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw mean ranks of methods, and bars over those that do not differ (Demšar 2006).

    Parameters
    ----------
    scores : array-like or frame of shape (n_datasets, n_methods), or Comparison
        Scores, lower is better. An object with a method ``table`` is asked for it.
    names : sequence of str, optional
        Names of the methods: by default the columns of the frame.
    alpha : float, default=0.05
        Level of significance.
    test : {"nemenyi", "bonferroni_dunn", "holm"}, default="nemenyi"
        Nemenyi compares all pairs: a bar joins methods that are less than the critical
        difference apart. Bonferroni and Dunn compare with the control: the bar reaches
        one critical difference to either side of it. Holm compares all pairs, or with
        the control if there is one, and has no single critical difference.
    control : int or str, optional
        Column or name of the method with which others are compared.
    ax : Axes, optional
        Where to draw; its own axes are hidden. A new figure by default, as high as
        the methods need.

    Returns
    -------
    Axes
        Ranks go across, the best on the left.

    See Also
    --------
    softwood.statistics.nemenyi, softwood.statistics.cliques : The numbers behind it.

    References
    ----------
    .. [1] J. Demšar (2006). Statistical comparisons of classifiers over multiple data
       sets. Journal of Machine Learning Research 7, section 3.2.4.

    Examples
    --------
    >>> from softwood.plot import plot_critical_difference
    >>> errors = [[0.10, 0.12, 0.20], [0.31, 0.30, 0.42], [0.05, 0.07, 0.06], [0.2, 0.3, 0.4]]
    >>> ax = plot_critical_difference(errors, names=["soft tree", "tree", "stump"])
    >>> [text.get_text() for text in ax.texts if text.get_gid() == "name"]
    ['soft tree', 'tree', 'stump']
    """
    scores, names = _scores_and_names(scores, names)
    position = _position(control, names)
    ranks = mean_ranks(scores)
    verdict = _verdict(scores, ranks, test, alpha, position)
    layout = lay_out(ranks, verdict.bars)
    own_figure = ax is None
    ax = axes_or_new(ax, layout="none")
    texts = _names(ax, layout, names, position)
    scale, size = _fit(ax, layout, texts, verdict, own_figure)
    _place_names(texts, layout, scale, size)
    _draw_axis(ax, ranks.size, scale, size)
    _draw_leaders(ax, layout, ranks)
    _draw_verdict(ax, layout, verdict, size)
    return ax


def _scores_and_names(scores: Any, names: Sequence[str] | None) -> tuple[FloatArray, list[str]]:
    if callable(getattr(scores, "table", None)):
        scores = scores.table()
    columns = getattr(scores, "columns", None)
    matrix = score_matrix(scores)
    n_methods = matrix.shape[1]
    if names is None:
        names = [f"method {j}" for j in range(n_methods)] if columns is None else list(columns)
    if len(names) != n_methods:
        raise ValueError(f"names must have {n_methods} entries, one a method; got {len(names)}")
    return matrix, [" ".join(str(name).split()) for name in names]  # one line for each


def _position(control: int | str | None, names: list[str]) -> int | None:
    if control is None:
        return None
    if not isinstance(control, str):
        return check_control(control, len(names))
    if control not in names:
        raise ValueError(f"control must be one of the methods {names}; got {control!r}")
    return names.index(control)


def _verdict(
    scores: FloatArray, ranks: FloatArray, test: str, alpha: float, control: int | None
) -> _Verdict:
    check_choice("test", test, TESTS)
    check_fraction("alpha", alpha)
    n_datasets, n_methods = scores.shape
    if test == "holm":
        bars = _holm_bars(scores, ranks, alpha, control)
        return _Verdict(f"Holm, $\\alpha$ = {alpha:g}", None, bars)
    if test == "nemenyi":
        if control is not None:
            raise ValueError(
                "control must be left out if test='nemenyi', which compares all pairs; "
                "use 'bonferroni_dunn' or 'holm'"
            )
        difference = critical_difference(n_methods, n_datasets, alpha)
        groups = cliques(ranks, difference)
        bars = [(float(ranks[group[0]]), float(ranks[group[-1]])) for group in groups]
    else:
        if control is None:
            raise ValueError(
                "control must be given if test='bonferroni_dunn', which compares with it"
            )
        difference = critical_difference(n_methods, n_datasets, alpha, "bonferroni_dunn")
        bars = [(float(ranks[control]) - difference, float(ranks[control]) + difference)]
    return _Verdict(f"CD = {difference:.2f}", difference, bars)


def _holm_bars(
    scores: FloatArray, ranks: FloatArray, alpha: float, control: int | None
) -> list[Span]:
    found = holm(scores, control)
    if control is None:
        groups = cliques(ranks, pvalues=found.adjusted, alpha=alpha)
        return [(float(ranks[group[0]]), float(ranks[group[-1]])) for group in groups]
    # The control's own p-value is 1, so it is one of those that do not differ from it.
    alike = ranks[~found.significant(alpha)]
    return [(float(alike.min()), float(alike.max()))] if alike.size > 1 else []


def _names(ax: Axes, layout: Layout, names: list[str], control: int | None) -> list[Text]:
    """Write the names, to be measured and put in place later."""
    return [
        ax.text(
            0.0,
            label.y,
            names[label.method],
            ha="right" if label.left else "left",
            va="center",
            fontsize=FONT_SIZE,
            fontweight="bold" if label.method == control else "normal",
            color=INK,
            gid="name",
            parse_math=False,
        )
        for label in layout.labels
    ]


def _fit(
    ax: Axes, layout: Layout, texts: list[Text], verdict: _Verdict, own_figure: bool
) -> tuple[float, float]:
    """Set limits so that all fits; return inches for one rank, and the size of letters."""
    n_methods, needed = len(texts), -layout.bottom
    left, right = _widths(layout, texts)
    if own_figure:
        ax.set_position((MARGIN, MARGIN, 1 - 2 * MARGIN, 1 - 2 * MARGIN))
        wide = max(WIDTH, (left + right) / (1 - AXIS_SHARE) / (1 - 2 * MARGIN))
        figure_of(ax).set_size_inches(wide, needed / (1 - 2 * MARGIN))
    width, height = size_in_inches(ax)
    shrink = min(1.0, height / needed, (1 - AXIS_SHARE) * width / (left + right))
    size = max(LEAST_FONT_SIZE, FONT_SIZE * shrink)
    names = (left * size / FONT_SIZE, right * size / FONT_SIZE)
    bars = verdict.all_bars()
    # However long the names, some of the width is for the ranks.
    scale = max(
        inches_per_rank(width, n_methods, names, bars),
        AXIS_SHARE / 2 * width / (n_methods - 1),
    )
    low = min(1.0 - names[0] / scale, *(low for low, _ in bars))
    high = max(n_methods + names[1] / scale, *(high for _, high in bars))
    side, above = (width / scale - (high - low)) / 2, max(0.0, height - needed) / 2
    ax.set_axis_off()
    ax.set_xlim(low - side, high + side)
    ax.set_ylim(layout.bottom - above, above)
    return scale, size


def _widths(layout: Layout, texts: list[Text]) -> Span:
    """Return the inches that names need on the left and on the right."""
    widths = {True: 0.0, False: 0.0}
    for label, text in zip(layout.labels, texts, strict=True):
        widths[label.left] = max(widths[label.left], size_in_inches(text)[0])
    return widths[True] + NAME_GAP, widths[False] + NAME_GAP


def _place_names(texts: list[Text], layout: Layout, scale: float, size: float) -> None:
    for label, text in zip(layout.labels, texts, strict=True):
        end, outwards = (1.0, -1.0) if label.left else (float(len(texts)), 1.0)
        text.set_x(end + outwards * NAME_GAP / 2 / scale)
        text.set_fontsize(size)


def _draw_axis(ax: Axes, n_methods: int, scale: float, size: float) -> None:
    ax.plot([1, n_methods], [AXIS, AXIS], color=INK, lw=1.2, gid="axis", solid_capstyle="butt")
    for rank in range(1, n_methods + 1):
        ax.plot([rank, rank], [AXIS, AXIS + TICK], color=INK, lw=1.0, gid="tick")
    step = tick_step(scale)
    for rank in sorted({1, *range(step, n_methods + 1, step)}):
        ax.text(rank, NUMBERS, str(rank), ha="center", va="center", fontsize=size, color=INK)


def _draw_leaders(ax: Axes, layout: Layout, ranks: FloatArray) -> None:
    for label in layout.labels:
        rank, end = ranks[label.method], 1.0 if label.left else float(ranks.size)
        ax.plot([rank, rank, end], [AXIS, label.y, label.y], color=INK, lw=0.8, gid="leader")


def _draw_verdict(ax: Axes, layout: Layout, verdict: _Verdict, size: float) -> None:
    ax.text(1.0, CAPTION, verdict.caption, ha="left", va="center", fontsize=size, color=INK)
    if verdict.difference is not None:
        ends = [1.0, 1.0 + verdict.difference]
        ax.plot(ends, [TOP, TOP], color=INK, lw=1.2, marker="|", gid="critical difference")
    for (low, high), y in zip(verdict.bars, layout.bar_heights, strict=True):
        # A bar ends where its last rank is; only that of equal ranks needs a width.
        cap: Literal["butt", "round"] = "butt" if high > low else "round"
        ax.plot([low, high], [y, y], color=COLOURS[0], lw=4.0, solid_capstyle=cap, gid="bar")
