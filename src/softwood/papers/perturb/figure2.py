"""Figure 2: errors on every data set, crisp and smooth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.perturb.methods import PAIRS
from softwood.papers.perturb.runs import Runs, all_runs, describe
from softwood.papers.pictures import panels
from softwood.papers.rules import larger, ordered, stated
from softwood.papers.setting import Setting
from softwood.papers.verdicts import Claim, judge

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

METHODS = tuple(method for pair in PAIRS for method in pair)
ACROSS = 4  # panels in a row


def run(setting: Setting) -> Finding:
    """Compare the errors of crisp and smooth models."""
    made, missing = all_runs(setting)
    names = tuple(runs.problem.title for runs in made)
    errors = [[_scaled(runs, method).mean() for method in METHODS] for runs in made]
    ratios = np.array([[runs.ratio(*pair) for pair in PAIRS] for runs in made])
    tables = (
        Beside.ours_alone(
            "Mean error: percent, or squared error times the factor of Table 1",
            names, METHODS, np.array(errors), digits=2,
        ),
        Beside.ours_alone(
            "Error of the smooth model by that of the crisp one",
            names, tuple(f"{smooth}/{crisp}" for crisp, smooth in PAIRS), ratios, digits=3,
        ),
    )  # fmt: skip
    pictures = {"errors": lambda: _draw_errors(made), "ratios": lambda: _draw_ratios(made)}
    notes = (describe(setting, made), "The paper prints no numbers for this figure.")
    return Finding(tables, tuple(_claims(made, ratios)), pictures, missing, notes)


def _scaled(runs: Runs, method: str) -> FloatArray:
    """Return the errors over the splits as the paper shows them; NaN if there are none."""
    found = runs.errors.get(method, np.array([np.nan]))
    return runs.problem.times * found


def _claims(made: list[Runs], ratios: FloatArray) -> Iterator[Claim]:
    is_regression = np.array([runs.problem.task == "regression" for runs in made])
    classes, numbers = (_typical(ratios[mask, 0]) for mask in (~is_regression, is_regression))
    logs = np.log(ratios[:, 0])
    yield judge(
        "section 3.2", "smoothing helps single trees more in regression than in classification",
        f"STd/ST, geometric mean: {numbers:.3f} in regression, {classes:.3f} in classification",
        larger(-logs[is_regression], -logs[~is_regression], "sets, logarithms of the ratios"),
    )  # fmt: skip
    has_bags = ~np.isnan(ratios).any(axis=1)
    overall, in_regression = (
        [_typical(ratios[mask, j]) for j in range(len(PAIRS))]
        for mask in (has_bags, has_bags & is_regression)
    )
    yield judge(
        "section 3.2", "it helps full trees more than pruned trees, and these more than bags",
        f"STd/ST, PSTd/PST, TBd/TB on the {has_bags.sum()} sets with bags: {_told(overall)}; on "
        f"the {np.sum(has_bags & is_regression)} of regression: {_told(in_regression)}",
        ordered(dict(zip(("STd/ST", "PSTd/PST", "TBd/TB"), overall, strict=True)), ratios[has_bags])
        if has_bags.sum() > 1 else None,
    )  # fmt: skip
    yield _claim_of_the_best([runs for runs in made if "TBd" in runs.methods])


def _claim_of_the_best(made: list[Runs]) -> Claim:
    best = [runs.best(METHODS) for runs in made]
    wins = {method: best.count(method) for method in METHODS}
    own = wins["TBd"]
    return judge(
        "section 3.2", "smooth bagging is the most accurate method",
        f"it has the least mean error on {own} of {len(made)} sets",
        stated(
            own > len(made) / 2,
            "holds if it has the least mean error on more than half of the sets; in sign if on "
            "more of them than any other method",
            f"{own} of {len(made)}",
            in_sign=own > max(n for method, n in wins.items() if method != "TBd"),
            power=f"six methods on {len(made)} sets: by chance it were {len(made) / 6:.1f}",
        ) if made else None,
    )  # fmt: skip


def _typical(ratios: FloatArray) -> float:
    return float(np.exp(np.mean(np.log(ratios)))) if ratios.size else float("nan")


def _told(ratios: list[float]) -> str:
    return ", ".join(f"{ratio:.3f}" for ratio in ratios)


def _draw_errors(made: list[Runs]) -> Figure:
    """Draw the figure as the paper has it: a panel of bars for each data set."""
    figure, axes = panels(-(-len(made) // ACROSS), ACROSS, (2.9, 2.1))
    for ax, runs in zip(axes, made, strict=False):
        _draw_bars(ax, runs)
    for ax in axes[len(made) :]:
        ax.set_axis_off()
    figure.suptitle(
        "Mean error over the splits, and its standard deviation; "
        "a cross: the smooth model is significantly better",
        fontsize="medium",
    )
    return figure


def _draw_bars(ax: Axes, runs: Runs) -> None:
    from softwood.plot._palette import COLOURS, INK, PALE

    shown = [method for method in METHODS if method in runs.methods]
    errors = [_scaled(runs, method) for method in shown]
    heights = np.array([error.mean() for error in errors])
    spread = np.array([error.std(ddof=1) for error in errors])
    places = [METHODS.index(method) for method in shown]
    colours = [COLOURS[0] if method.endswith("d") else COLOURS[5] for method in shown]
    ax.bar(places, heights, yerr=spread, color=colours, ecolor=INK, error_kw={"lw": 1})
    for crisp, smooth in PAIRS:
        if smooth in shown and runs.outcome(smooth, crisp) > 0:
            middle = 0.5 * heights[shown.index(smooth)]
            ax.plot([METHODS.index(smooth)], [middle], marker="x", ms=7, mew=2, color="white")
    if "TB" not in shown:
        ax.text(4.5, 0.0, "not run", ha="center", va="bottom", fontsize="x-small", color=PALE)
    ax.set_xticks(range(len(METHODS)), METHODS, fontsize="x-small")
    ax.set_xlim(-0.6, len(METHODS) - 0.4)
    ax.margins(y=0.12)
    unit = "error, %" if runs.problem.task == "classification" else _unit(runs.problem.times)
    ax.set_title(runs.problem.title, fontsize="small")
    ax.set_ylabel(unit, fontsize="x-small")
    ax.tick_params(axis="y", labelsize="x-small")


def _unit(times: float) -> str:
    return "squared error" if times == 1 else f"squared error times {times:g}"


def _draw_ratios(made: list[Runs]) -> Figure:
    """Draw for each data set how much of the crisp model's error is left."""
    from softwood.plot._palette import COLOURS, MARKERS, PALE

    figure, (ax,) = panels(1, 1, (7.0, 0.38 * len(made) + 1.6))
    rows = np.arange(len(made))
    ax.axvline(1.0, color=PALE, lw=1)
    offsets = np.linspace(-0.22, 0.22, len(PAIRS))
    for k, (crisp, smooth) in enumerate(PAIRS):
        ratios = np.array([runs.ratio(crisp, smooth) for runs in made])
        clear = [smooth in runs.methods and runs.outcome(smooth, crisp) != 0 for runs in made]
        style: dict[str, Any] = {"marker": MARKERS[k], "ls": "", "color": COLOURS[k], "ms": 7}
        ax.plot(ratios, rows + offsets[k], mfc="white", label=f"{smooth} / {crisp}", **style)
        ax.plot(ratios[clear], (rows + offsets[k])[clear], **style)
    ax.set_yticks(rows, [runs.problem.title for runs in made])
    for tick, runs in zip(ax.get_yticklabels(), made, strict=True):
        tick.set_fontstyle("italic" if runs.problem.task == "regression" else "normal")
    ax.set_ylim(len(made) - 0.5, -0.5)
    ax.set_xlabel(
        "error of the smooth model / error of the crisp one\n"
        "filled: significant; italic: regression"
    )
    ax.grid(axis="y", color=PALE, lw=0.3)
    ax.legend(frameon=False, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=len(PAIRS))
    return figure
