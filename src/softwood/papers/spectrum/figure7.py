"""Figure 7: Coalescence beside Aggregating, data set by data set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.pictures import panels
from softwood.papers.rules import stated
from softwood.papers.setting import Setting
from softwood.papers.spectrum.figure4 import ACROSS, shown_sets
from softwood.papers.spectrum.methods import ALPHAS, COALESCENCE, MIDDLE, points
from softwood.papers.spectrum.runs import Runs, all_runs, describe, nothing_to_compare
from softwood.papers.verdicts import Claim, judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CLOSE = 1.0  # points of error
PRINTED = {"Coalescence": 15.6, "oracle": 14.6}  # percent over 45 sets


def run(setting: Setting) -> Finding:
    """Compare Coalescence with the best single alpha of each data set."""
    alphas = np.array(setting.pick(**ALPHAS))
    names = points("Agg", setting)
    runs = all_runs(setting, [COALESCENCE, *names])
    if not runs.enough:
        return nothing_to_compare(setting, runs)
    single, coalescence = runs.errors(names), runs.errors([COALESCENCE])[:, 0]
    table = Beside.ours_alone(
        "Error in percent: Coalescence, and Aggregating with the best alpha of each set",
        runs.titles, ("Coalescence", "best Agg", "its alpha"),
        np.column_stack([coalescence, single.min(axis=1), alphas[single.argmin(axis=1)]]),
        digits=1,
    )  # fmt: skip
    return Finding(
        (table,),
        tuple(_claims(single, coalescence, alphas)),
        {"coalescence": lambda: _draw(setting, runs)},
        runs.missing,
        (*describe(setting, runs), "The text does not say which eight sets the paper shows."),
    )


def _claims(single: FloatArray, coalescence: FloatArray, alphas: FloatArray) -> Iterator[Claim]:
    parents = single[:, alphas <= MIDDLE].min(axis=1)
    better = int((coalescence < parents).sum())
    yield judge(
        "section 5.3", "Coalescence sometimes errs less than any of its parents",
        f"so it does on {better} of {coalescence.size} sets",
        stated(
            better > 0, "holds if on any set; it has no sign", f"{better} of {coalescence.size}",
            power="a single set is enough",
        ),
    )  # fmt: skip
    best = single.min(axis=1)
    close = int((coalescence <= best + CLOSE).sum())
    yield judge(
        "section 5.3", "it often comes close to the best alpha, which only an oracle knows",
        f"within {CLOSE:g} point on {close} of {coalescence.size} sets; mean error "
        f"{coalescence.mean():.1f} against {best.mean():.1f} % "
        f"({PRINTED['Coalescence']} and {PRINTED['oracle']} % in the paper)",
        stated(
            close > coalescence.size / 2,
            f"holds if within {CLOSE:g} point on more than half of the sets; it has no sign",
            f"{close} of {coalescence.size}",
            power="the best alpha is chosen on the test folds: its error has what chance gives",
        ),
    )  # fmt: skip


def _draw(setting: Setting, runs: Runs) -> Figure:
    from softwood.plot import plot_spectrum

    titles, alphas = shown_sets(runs), setting.pick(**ALPHAS)
    figure, axes = panels(-(-len(titles) // ACROSS), min(ACROSS, len(titles)), (3.9, 2.8))
    for ax, title in zip(axes, titles, strict=False):
        scores = runs.scores[title]
        curve = [scores[name].error for name in points("Agg", setting)]
        plot_spectrum(
            {"Agg": (alphas, curve)},
            references={COALESCENCE: scores[COALESCENCE].error},
            label="error, %",
            ax=ax,
        )
        ax.set_title(title)
    for ax in axes[len(titles) :]:
        ax.set_axis_off()
    return figure
