"""Figure 4: strength and correlation of the trees, over the spectrum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.pictures import panels
from softwood.papers.rules import everywhere, most, stated
from softwood.papers.setting import Setting
from softwood.papers.spectrum.methods import ALPHAS, KINDS, MIDDLE, points
from softwood.papers.spectrum.runs import Runs, all_runs, describe, nothing_to_compare
from softwood.papers.verdicts import Claim, judge

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHOWN = KINDS[:3]
N_PANELS, ACROSS = 8, 4
# The paper's eight sets are lost with its figure: large ones of different kinds first.
PREFERRED = (
    "segment", "waveform21", "satimage", "dna", "abalone", "tic-tac-toe", "vehicle", "glass",
    "balance", "liver", "wine", "iris", "hepatitis", "zoo",
)  # fmt: skip


def run(setting: Setting) -> Finding:
    """Measure strength and correlation of the trees, for all alphas."""
    alphas = setting.pick(**ALPHAS)
    runs = all_runs(setting, [name for kind in SHOWN for name in points(kind, setting)])
    if not runs.enough:
        return nothing_to_compare(setting, runs)
    strength, rho = (
        {kind: runs.votes(what, points(kind, setting)) for kind in SHOWN}
        for what in ("strength", "rho")
    )
    here = [alphas.index(alpha) for alpha in (0.0, MIDDLE, 1.0)]
    table = Beside.ours_alone(
        "Aggregating: strength and correlation at alpha 0, 0.5 and 1",
        runs.titles, tuple(f"{what} {alpha}" for what in ("s", "rho") for alpha in ("0", "0.5", 1)),
        np.hstack([strength["Agg"][:, here], rho["Agg"][:, here]]), digits=3,
    )  # fmt: skip
    return Finding(
        (table,),
        tuple(_claims(strength, rho, alphas.index(MIDDLE))),
        {"strength_correlation": lambda: _draw(setting, runs)},
        runs.missing,
        (*describe(setting, runs), "The text does not say which eight sets the paper shows."),
    )


def _claims(
    strength: dict[str, FloatArray], rho: dict[str, FloatArray], middle: int
) -> Iterator[Claim]:
    s, r = strength["Agg"].mean(axis=0), rho["Agg"].mean(axis=0)
    yield judge(
        "section 5.2",
        "up to alpha 0.5 strength rises and correlation hardly; from there on it is the reverse",
        f"Agg, mean over sets: strength {s[0]:.3f}, {s[middle]:.3f}, {s[-1]:.3f} and correlation "
        f"{r[0]:.3f}, {r[middle]:.3f}, {r[-1]:.3f} at alpha 0, 0.5 and 1",
        stated(
            s[middle] - s[0] > abs(s[-1] - s[middle]) and r[middle] - r[0] < 0.5 * (r[-1] - r[0]),
            "holds if strength changes more below 0.5 than above, and correlation rises by less "
            "than half of its range below; in sign if strength rises below, and correlation above",
            f"strength {s[middle] - s[0]:+.3f} and {s[-1] - s[middle]:+.3f}, correlation "
            f"{r[middle] - r[0]:+.3f} and {r[-1] - r[middle]:+.3f}",
            in_sign=s[middle] > s[0] and r[-1] > r[middle],
            power=f"means over {len(strength['Agg'])} sets",
        ),
    )
    spans = np.column_stack(
        [np.hypot(np.ptp(strength[kind], axis=1), np.ptp(rho[kind], axis=1)) for kind in SHOWN]
    )
    told = ", ".join(f"{x:.2f} ({k})" for k, x in zip(SHOWN, spans.mean(axis=0), strict=True))
    longest = int((spans.argmax(axis=1) == 0).sum())
    yield judge(
        "section 5.2", "Aggregating has the longest span on every set",
        f"so it has on {longest} of {len(spans)}; mean spans {told}",
        everywhere(longest, len(spans), "sets"),
    )  # fmt: skip
    ordered = int((spans[:, 1] > spans[:, 2]).sum())
    yield judge(
        "section 5.2", "Bagging usually has the second longest span",
        f"a longer one than Subspacing on {ordered} of {len(spans)} sets",
        most(ordered, len(spans) - ordered, len(spans), "sets"),
    )  # fmt: skip


def shown_sets(runs: Runs) -> list[str]:
    """Return the data sets to draw: eight of those that were run."""
    preferred = [title for title in PREFERRED if title in runs.titles]
    return [*preferred, *(title for title in runs.titles if title not in PREFERRED)][:N_PANELS]


def share_legend(figure: Figure, axes: list[Axes]) -> None:
    """Put the legend that all panels share above them, where it hides no points."""
    legends = [legend for ax in axes if (legend := ax.get_legend()) is not None]
    names = [text.get_text() for text in legends[0].get_texts()]
    handles = [handle for handle in legends[0].legend_handles if handle is not None]
    figure.legend(handles, names, ncols=len(names), frameon=False, loc="outside upper left")
    for legend in legends:
        legend.remove()


def _draw(setting: Setting, runs: Runs) -> Figure:
    from softwood.plot import plot_strength_correlation

    titles, alphas = shown_sets(runs), setting.pick(**ALPHAS)
    figure, axes = panels(-(-len(titles) // ACROSS), min(ACROSS, len(titles)), (3.6, 3.2))
    for ax, title in zip(axes, titles, strict=False):
        votes = {
            kind: (alphas, [_pair(runs, title, name) for name in points(kind, setting)])
            for kind in SHOWN
        }
        plot_strength_correlation(votes, colour_bar=False, ax=ax)
        ax.set_title(title)
    share_legend(figure, axes)
    for ax in axes[len(titles) :]:
        ax.set_axis_off()
    return figure


def _pair(runs: Runs, title: str, name: str) -> tuple[float, float]:
    votes = runs.scores[title][name].votes
    return votes.rho, votes.strength
