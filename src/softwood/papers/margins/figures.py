"""Figures 2 to 4: mean accuracy of FAT, MOC1 and MOC2 against that of OC1, set by set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from softwood.papers.findings import Beside, Finding
from softwood.papers.margins.methods import FAT, MOC1, MOC2, OC1
from softwood.papers.margins.runs import Runs, all_runs, describe, printed_for, wins
from softwood.papers.pictures import panels
from softwood.papers.rules import most
from softwood.papers.setting import Setting
from softwood.papers.verdicts import judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# As the captions count them, of ten data sets.
PRINTED = {FAT: "better on nine, worse on one", MOC1: "better on six", MOC2: "better on five"}


def run_fat(setting: Setting) -> Finding:
    """Figure 2."""
    return _against_oc1(setting, FAT, "Figure 2")


def run_moc1(setting: Setting) -> Finding:
    """Figure 3."""
    return _against_oc1(setting, MOC1, "Figure 3")


def run_moc2(setting: Setting) -> Finding:
    """Figure 4."""
    return _against_oc1(setting, MOC2, "Figure 4")


def _against_oc1(setting: Setting, method: str, where: str) -> Finding:
    made, missing = all_runs(setting)
    notes = describe(setting, made)
    if not made:
        return Finding(missing=missing, notes=notes)
    theirs = printed_for(made, "table2", [OC1, method])
    gain = np.array([runs.accuracy(method) - runs.accuracy(OC1) for runs in made])
    table = Beside(
        f"Accuracy of {method} less that of OC1, in points",
        tuple(runs.title for runs in made), ("difference",),
        np.diff(theirs, axis=1), gain[:, None], digits=2,
    )  # fmt: skip
    higher, _, lower = wins(made, method)
    claim = judge(
        where, f"most sets are above the line ({PRINTED[method]})",
        f"{higher} of {len(made)} are above, {lower} below; mean difference {gain.mean():+.2f} "
        "points",
        most(higher, lower, len(made), "sets"),
    )  # fmt: skip
    pictures = {method.lower(): lambda: _draw(made, method)}
    return Finding((table,), (claim,), pictures, missing, notes)


def _draw(made: list[Runs], method: str) -> Figure:
    """Draw one point for each data set, and the line on which both are equal."""
    from softwood.plot._palette import COLOURS, PALE

    figure, (ax,) = panels(1, 1, (5.0, 4.6))
    points = np.array([[runs.accuracy(OC1), runs.accuracy(method)] for runs in made])
    clear = np.array([runs.outcome(method) != 0 for runs in made])
    ends = [points.min() - 2.0, min(points.max() + 2.0, 100.0)]
    ax.plot(ends, ends, color=PALE, lw=1)
    for chosen, face, label in ((~clear, "white", "no clear difference"), (clear, None, "clear")):
        if chosen.any():
            ax.plot(
                *points[chosen].T, marker="o", ls="", ms=7, color=COLOURS[0],
                mfc=face or COLOURS[0], label=label,
            )  # fmt: skip
    for (x, y), runs in zip(points, made, strict=True):
        side, offset = ("right", (-6, 3)) if y >= x else ("left", (6, -9))
        ax.annotate(
            runs.title, (x, y), offset, textcoords="offset points", ha=side, fontsize="x-small"
        )
    ax.set(xlabel="accuracy of OC1, %", ylabel=f"accuracy of {method}, %", aspect="equal")
    ax.legend(frameon=False, loc="upper left")
    return figure
