"""Figure 2: mean ranks of the alphas, for each kind of ensemble."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import BoolArray, FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.pictures import panels
from softwood.papers.rules import beats, stated
from softwood.papers.setting import Setting
from softwood.papers.spectrum.methods import ALPHAS, KINDS, MIDDLE, points
from softwood.papers.spectrum.runs import all_runs, describe, nothing_to_compare
from softwood.papers.verdicts import Claim, judge

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from softwood.statistics import PostHocResult

SHOWN = KINDS[:3]
# Where the paper finds the best alphas, the one with the best rank, and the usual one.
BEST = {"Agg": (0.1, 0.6, 0.4), "Bag": (0.1, 0.6, 0.6), "Subspace": (0.4, 0.8, 0.5)}
USUAL = {"Agg": 0.0, "Bag": 1.0, "Subspace": 1.0}
NAMES = {"Agg": "Aggregating", "Bag": "Bagging", "Subspace": "Subspacing"}

Ranked = dict[str, "PostHocResult"]


def run(setting: Setting) -> Finding:
    """Rank the alphas of each kind of ensemble over the data sets."""
    from softwood.statistics import bonferroni_dunn

    alphas = np.array(setting.pick(**ALPHAS))
    runs = all_runs(setting, [name for kind in SHOWN for name in points(kind, setting)])
    if not runs.enough:
        return nothing_to_compare(setting, runs)
    ranked = {kind: bonferroni_dunn(runs.errors(points(kind, setting)), 0) for kind in SHOWN}
    table = Beside.ours_alone(
        "Mean rank among the alphas of one kind",
        tuple(f"{alpha:g}" for alpha in alphas), SHOWN,
        np.column_stack([ranked[kind].ranks for kind in SHOWN]), digits=2,
    )  # fmt: skip
    return Finding(
        (table,),
        tuple(_claims(ranked, alphas)),
        {"ranks": lambda: _draw(ranked, alphas)},
        runs.missing,
        (*describe(setting, runs), "The paper prints no ranks."),
    )


def _claims(ranked: Ranked, alphas: FloatArray) -> Iterator[Claim]:
    difference = _difference(ranked["Agg"])
    power = f"ranks that differ by {difference:.2f} are told apart"
    for kind, (low, high, top) in BEST.items():
        ranks = ranked[kind].ranks
        best, inside = float(alphas[ranks.argmin()]), (alphas >= low) & (alphas <= high)
        yield judge(
            "Fig. 2", f"the best alphas of {NAMES[kind]} are from {low} to {high}, above all {top}",
            f"alpha {best:g} has the best mean rank, {ranks.min():.2f}; "
            f"the usual {USUAL[kind]:g} has {ranks[alphas == USUAL[kind]][0]:.2f}",
            stated(
                low <= best <= high,
                "holds if the best mean rank is in this range; in sign if the mean rank there is "
                "better than elsewhere",
                f"best at {best:g}; mean rank {ranks[inside].mean():.2f} there, "
                f"{ranks[~inside].mean():.2f} elsewhere",
                in_sign=ranks[inside].mean() < ranks[~inside].mean(), power=power,
            ),
        )  # fmt: skip
    behind = {kind: _behind(ranked[kind], alphas == MIDDLE) for kind in SHOWN}
    yield judge(
        "section 5.1", "alpha 0.5 is the best or not significantly worse, for every kind",
        f"it is behind by {_told(behind)} ranks; critical difference {difference:.2f}",
        stated(
            max(behind.values()) < difference,
            "holds if it is behind the best by less than the critical difference; it has no sign",
            f"behind by up to {max(behind.values()):.2f}", power=power,
        ),
    )  # fmt: skip
    lost = {kind: _behind(ranked[kind], alphas == USUAL[kind]) for kind in SHOWN}
    yield judge(
        "section 7", "the usual ends of the spectrum are significantly worse than its inside",
        f"they are behind the best by {_told(lost)} ranks; critical difference {difference:.2f}",
        beats(
            [kind for kind in SHOWN if lost[kind] > difference], SHOWN,
            [kind for kind in SHOWN if lost[kind] > 0], power,
        ),
    )  # fmt: skip


def _behind(ranked: PostHocResult, here: BoolArray) -> float:
    """Return by how many ranks an alpha is behind the best one."""
    return float(ranked.ranks[here][0] - ranked.ranks.min())


def _difference(ranked: PostHocResult) -> float:
    assert ranked.critical_difference is not None  # Bonferroni and Dunn have one
    return ranked.critical_difference


def _told(ranks: dict[str, float]) -> str:
    return ", ".join(f"{rank:.2f} ({kind})" for kind, rank in ranks.items())


def _draw(ranked: Ranked, alphas: FloatArray) -> Figure:
    figure, axes = panels(1, len(SHOWN), (3.4, 4.2), sharey=True)
    for ax, kind in zip(axes, SHOWN, strict=True):
        _draw_bars(ax, ranked[kind], alphas)
        ax.set_title(NAMES[kind])
    axes[0].set_ylabel("alpha")
    figure.suptitle(
        "Bars that do not overlap: significantly different. "
        "Blue: not worse than the best; dotted: worse",
        fontsize="medium",
    )
    return figure


def _draw_bars(ax: Axes, ranked: PostHocResult, alphas: FloatArray) -> None:
    """Draw each mean rank with half a critical difference to either side, as the paper does."""
    from softwood.plot._palette import COLOURS, INK

    half = _difference(ranked) / 2
    worse = ranked.ranks - ranked.ranks.min() > 2 * half
    for rank, alpha, is_worse in zip(ranked.ranks, alphas, worse, strict=True):
        colour, style = (COLOURS[1], ":") if is_worse else (COLOURS[0], "-")
        ax.plot([rank - half, rank + half], [alpha, alpha], color=colour, ls=style, lw=2)
        ax.plot([rank], [alpha], "o", color=colour, ms=5)
    ax.set_xlabel("mean rank", color=INK)
    ax.set_yticks(alphas)
