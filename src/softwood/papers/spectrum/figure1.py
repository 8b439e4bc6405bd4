"""Figure 1: the error of four kinds of ensembles, from random to deterministic trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.pictures import panels
from softwood.papers.printed import printed
from softwood.papers.rules import alike, everywhere, ordered, paired
from softwood.papers.setting import Setting
from softwood.papers.spectrum.methods import ALPHAS, IN_TABLE3, KINDS, MIDDLE, points
from softwood.papers.spectrum.runs import Runs, all_runs, describe, nothing_to_compare
from softwood.papers.verdicts import Claim, judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AGG_PRINTED = {0.5: 16.0, 1.0: 20.6}  # percent over 45 sets, in the text
ENDS = ("Aggregating", "Bagging", "Subspacing")  # points of the curves that Table 3 prints

Errors = dict[str, FloatArray]  # by kind: data sets by alphas


def run(setting: Setting) -> Finding:
    """Run all four kinds of ensembles over alpha."""
    alphas = setting.pick(**ALPHAS)
    runs = all_runs(setting, [name for kind in KINDS for name in points(kind, setting)])
    if not runs.enough:
        return nothing_to_compare(setting, runs)
    errors = {kind: runs.errors(points(kind, setting)) for kind in KINDS}
    means = np.column_stack([errors[kind].mean(axis=0) for kind in KINDS])
    tables = (
        Beside.ours_alone(
            "Mean error over the data sets, in percent, by alpha",
            tuple(f"{alpha:g}" for alpha in alphas), KINDS, means, digits=2,
        ),
        _ends(runs),
    )  # fmt: skip
    return Finding(
        tables,
        tuple(_claims(errors, np.array(alphas))),
        {"spectrum": lambda: _draw(errors, alphas)},
        runs.missing,
        describe(setting, runs),
    )


def _ends(runs: Runs) -> Beside:
    """Return the points that Table 3 prints, over the same data sets."""
    table = printed("spectrum", "table3")
    rows = [table.rows.index(title) for title in runs.titles]
    names = [IN_TABLE3[column] for column in ENDS]
    theirs = [table.column(column)[rows].mean() for column in ENDS]
    ours = runs.errors(names).mean(axis=0)
    return Beside(
        "Mean error in percent where Table 3 has it, over the same data sets",
        tuple(names), ("mean error",), np.array(theirs)[:, None], ours[:, None], digits=2,
    )  # fmt: skip


def _claims(errors: Errors, alphas: FloatArray) -> Iterator[Claim]:
    mean = {kind: errors[kind].mean(axis=0) for kind in KINDS}
    middle, end = int(np.flatnonzero(alphas == MIDDLE)[0]), alphas.size - 1
    yield judge(
        "section 5.1", "Aggregating gains much as alpha goes from 1 to 0.5",
        f"mean error from {mean['Agg'][end]:.1f} to {mean['Agg'][middle]:.1f} %; in the paper from "
        f"{AGG_PRINTED[1.0]} to {AGG_PRINTED[0.5]} %",
        paired(
            errors["Agg"][:, end] - errors["Agg"][:, middle], "sets",
            expected=AGG_PRINTED[1.0] - AGG_PRINTED[0.5],
        ),
    )  # fmt: skip
    swings = {kind: float(np.ptp(mean[kind])) for kind in KINDS[:3]}
    yield judge(
        "section 5.1", "Aggregating has the largest swing, then Bagging, then Subspacing",
        "; ".join(f"{kind} {swing:.2f} points" for kind, swing in swings.items()),
        ordered({kind: -swing for kind, swing in swings.items()}),
    )  # fmt: skip
    both = mean["Bag+Subspace"]
    worse = (both > mean["Bag"]) & (both > mean["Subspace"])
    yield judge(
        "section 5.1", "Bagging with Subspacing is always worse than either alone",
        f"so it is for {worse.sum()} of {alphas.size} alphas; over all of them "
        f"{both.mean():.2f} % against {mean['Bag'].mean():.2f} and "
        f"{mean['Subspace'].mean():.2f} %",
        everywhere(int(worse.sum()), alphas.size, "alphas"),
    )  # fmt: skip
    half = alphas <= MIDDLE
    agg, bag = (errors[kind][:, half].mean(axis=1) for kind in ("Agg", "Bag"))
    yield judge(
        "section 5.1", "up to alpha 0.5 Aggregating and Bagging do not differ significantly",
        f"{agg.mean():.2f} against {bag.mean():.2f} %", alike(agg - bag, "sets"),
    )  # fmt: skip


def _draw(errors: Errors, alphas: tuple[float, ...]) -> Figure:
    from softwood.plot import plot_spectrum

    figure, (ax,) = panels(1, 1, (7.0, 4.6))
    curves: dict[str, Any] = {kind: (alphas, errors[kind]) for kind in KINDS}
    plot_spectrum(curves, label="mean error, %", ax=ax)
    return figure
