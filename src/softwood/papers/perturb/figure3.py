"""Figure 3: the lambdas that were chosen, against gains, pruning and bagging."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import BoolArray, FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.perturb.runs import Runs, all_runs, describe
from softwood.papers.pictures import panels
from softwood.papers.rules import correlated, everywhere, larger, stated
from softwood.papers.setting import Setting
from softwood.papers.verdicts import Claim, judge

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SMOOTH = ("STd", "PSTd", "TBd")
OUTLIER = "pumadyn-32fh"  # where the paper's pruned tree needs far less smoothing
PRINTED = {"STd": 0.69, "PSTd": 0.24}  # its lambdas, the only ones the text gives
FAR = 0.25  # lambdas that differ by more are not alike
TICKS = (0.0, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0)
LABEL_GAP = 0.045  # of the height of a panel


def run(setting: Setting) -> Finding:
    """Gather the mean lambda of each method on each data set."""
    made, missing = all_runs(setting)
    lambdas = np.array([[runs.mean("smoothing", method) for method in SMOOTH] for runs in made])
    gains = np.array([1.0 - runs.ratio("ST", "STd") for runs in made])
    is_regression = np.array([runs.problem.task == "regression" for runs in made])
    theirs = [
        [PRINTED.get(m, np.nan) if runs.problem.name == OUTLIER else np.nan for m in SMOOTH]
        for runs in made
    ]
    titles = tuple(runs.problem.title for runs in made)
    tables = (
        Beside("Mean lambda", titles, SMOOTH, np.array(theirs), lambdas, digits=2),
        Beside.ours_alone(
            "Full and pruned trees",
            titles, ("gain of STd, %", "leaves of ST", "leaves of PST"),
            np.column_stack([100 * gains, *_leaves(made)]), digits=1,
        ),
    )  # fmt: skip
    return Finding(
        tables,
        tuple(_claims(made, lambdas, gains, is_regression)),
        {"lambdas": lambda: _draw(made, lambdas, gains)},
        missing,
        (describe(setting, made), "Lambda is a mean over the splits."),
    )


def _leaves(made: list[Runs]) -> tuple[FloatArray, FloatArray]:
    full, pruned = (np.array([r.mean("leaves", m) for r in made]) for m in ("ST", "PST"))
    return full, pruned


def _claims(
    made: list[Runs], lambdas: FloatArray, gains: FloatArray, is_regression: BoolArray
) -> Iterator[Claim]:
    full, pruned, bagged = lambdas.T
    classes = ~is_regression
    yield judge(
        "Fig. 3(a)", "in classification a higher lambda goes with a larger gain",
        f"{np.sum(classes)} sets", correlated(full[classes], gains[classes], "sets"),
    )  # fmt: skip
    gain, smooth = ([v[m].mean() for m in (is_regression, classes)] for v in (gains, full))
    yield judge(
        "Fig. 3(a)", "in regression gains are larger, and lambdas nearer to zero",
        f"mean gain {gain[0]:.0%} against {gain[1]:.0%}, "
        f"mean lambda {smooth[0]:.2f} against {smooth[1]:.2f}",
        stated(
            gain[0] > gain[1] and smooth[0] < smooth[1],
            "holds if both means have the direction; one of them is not enough for a sign",
            f"gain {gain[0]:.0%} and {gain[1]:.0%}, lambda {smooth[0]:.2f} and {smooth[1]:.2f}",
            power=larger(gains[is_regression], gains[classes], "sets").number,
        ),
    )  # fmt: skip
    far = [r.problem.title for r, d in zip(made, abs(full - pruned), strict=True) if d > FAR]
    others = len([name for name in far if name != "Pumadyn-32fh"])
    yield judge(
        "Fig. 3(b)", "pruning hardly changes lambda, except on Pumadyn-32fh",
        f"it differs by more than {FAR} on {', '.join(far) or 'no set'} of {len(made)}",
        everywhere(len(made) - others, len(made), "sets"),
    )  # fmt: skip
    yield _claim_about_bags(full, bagged, is_regression)
    yield judge(
        "section 3.3", "the best lambda depends on the problem",
        f"mean lambdas of STd from {full.min():.2f} to {full.max():.2f}",
        stated(
            full.max() > 5 * full.min(),
            "holds if the largest mean lambda is more than five times the least; in sign if more "
            "than twice",
            f"{full.min():.2f} to {full.max():.2f}", in_sign=full.max() > 2 * full.min(),
            power=f"{full.size} sets, means over their splits",
        ),
    )  # fmt: skip


def _claim_about_bags(full: FloatArray, bagged: FloatArray, is_regression: BoolArray) -> Claim:
    change = {}
    for task, mask in (("regression", is_regression), ("classification", ~is_regression)):
        both = mask & ~np.isnan(bagged)
        change[task] = float(np.mean(bagged[both] - full[both])) if both.any() else np.nan
    told = "; ".join(f"{task}: mean change {value:+.2f}" for task, value in change.items())
    in_numbers, in_classes = change["regression"], change["classification"]
    return judge(
        "Fig. 3(c)", "bagging needs less smoothing in regression, and as much in classification",
        told,
        None if np.isnan(list(change.values())).any() else stated(
            in_numbers < 0 and abs(in_classes) < FAR,
            "holds if the mean lambda falls in regression, and changes by less than "
            f"{FAR} in classification; in sign if it falls in regression, and more than in "
            "classification",
            told, in_sign=in_numbers < min(0.0, in_classes),
            power=f"{np.sum(~np.isnan(bagged))} sets have bags",
        ),
    )  # fmt: skip


def _draw(made: list[Runs], lambdas: FloatArray, gains: FloatArray) -> Figure:
    from softwood.plot._palette import PALE

    figure, axes = panels(1, 3, (4.6, 4.6))
    full, pruned, bagged = lambdas.T
    largest = 1.1 * float(np.nanmax(lambdas)) or 1.0
    for ax, title, y in zip(axes, "abc", (100 * gains, pruned, bagged), strict=True):
        ax.set(title=f"({title})", xlabel="λ of STd")
        # Most lambdas are small: the square root gives them room, and 0 a place.
        ax.set_xscale("function", functions=(_root, np.square))
        ax.set_xlim(0.0, largest)
        ax.set_xticks(*_ticks(largest))
        if title != "a":
            ax.set_yscale("function", functions=(_root, np.square))
            ax.set_ylim(0.0, largest)
            ax.set_yticks(*_ticks(largest))
            ax.plot([0.0, largest], [0.0, largest], color=PALE, lw=1, ls=":", zorder=0)
        else:
            ax.margins(y=0.12)
        _scatter(ax, made, full, y)
    axes[0].set_ylabel("error taken off by smoothing, %")
    axes[1].set_ylabel("λ of PSTd")
    axes[2].set_ylabel("λ of TBd")
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, frameon=False, ncols=2, loc="outside upper left")
    return figure


def _ticks(largest: float) -> tuple[list[float], list[str]]:
    places = [tick for tick in TICKS if tick <= largest]
    return places, [f"{tick:g}" for tick in places]


def _root(values: FloatArray) -> FloatArray:
    # The scale is also asked about places left of 0.
    return np.asarray(np.sign(values) * np.sqrt(np.abs(values)))


def _scatter(ax: Axes, made: list[Runs], x: FloatArray, y: FloatArray) -> None:
    """Draw a point for each data set, with its name."""
    from softwood.plot._palette import COLOURS, MARKERS

    for k, task in enumerate(("classification", "regression")):
        here = np.array([runs.problem.task == task for runs in made]) & ~np.isnan(y)
        ax.plot(x[here], y[here], ls="", marker=MARKERS[k], color=COLOURS[k], ms=7, label=task)
    there = np.flatnonzero(~np.isnan(y))
    _name([made[i].problem.title for i in there], ax, x[there], y[there])


def _name(names: list[str], ax: Axes, x: FloatArray, y: FloatArray) -> None:
    """Write names beside points, each at a height of its own so that none hides another."""
    from softwood.plot._labels import spread_out
    from softwood.plot._palette import INK, PALE

    ax.autoscale_view()  # limits that follow the data are settled late, and are needed now
    points = ax.transData.transform(np.column_stack([x, y]))
    across, up = ax.transAxes.inverted().transform(points).T
    heights = spread_out(up, LABEL_GAP)
    for name, point, place, height in zip(
        names, np.column_stack([x, y]), across, heights, strict=True
    ):
        side = -1 if place > 0.75 else 1
        ax.annotate(
            name, point, (place + 0.03 * side, height),
            textcoords="axes fraction", ha="left" if side > 0 else "right", va="center",
            fontsize="x-small", color=INK,
            arrowprops={"arrowstyle": "-", "color": PALE, "lw": 0.6, "shrinkA": 0, "shrinkB": 3},
        )  # fmt: skip
