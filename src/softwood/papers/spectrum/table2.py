"""Table 2: how far strength and correlation range over the spectrum."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from softwood._types import FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.printed import printed
from softwood.papers.rules import stated
from softwood.papers.setting import Setting
from softwood.papers.spectrum.methods import COALESCENCE, DEFAULT, KINDS, points
from softwood.papers.spectrum.runs import Runs, all_runs, describe, nothing_to_compare
from softwood.papers.verdicts import Claim, judge

SHOWN = KINDS[:3]
BESIDE = (COALESCENCE, DEFAULT)
SEVERAL = 3.0  # times; 4.4 and 7.9 in the paper


def run(setting: Setting) -> Finding:
    """Measure the range over alpha on each data set, and take the mean."""
    spectrum = [name for kind in SHOWN for name in points(kind, setting)]
    runs = all_runs(setting, [*spectrum, *BESIDE])
    if not runs.enough:
        return nothing_to_compare(setting, runs)
    theirs = printed("spectrum", "table2")
    both = np.column_stack([ranges(setting, runs, what) for what in ("strength", "rho")])
    unsquared = ranges(setting, runs, "rho_unsquared")
    tables = (
        Beside(
            "Range over alpha, mean over the data sets",
            SHOWN, theirs.columns, theirs.values, both, digits=3,
        ),
        Beside(
            "The same, with the correlation as equation 5 of the paper has it",
            SHOWN, ("correlation, not squared",), theirs.values[:, 1:], unsquared[:, None],
            digits=3,
        ),
        _beside(runs),
    )  # fmt: skip
    notes = (
        *describe(setting, runs),
        "Equation 5 lacks a square in the denominator. With it, equal trees have correlation 1, "
        "as Agg with alpha 1 should; the paper does not say which of the two it measured.",
    )
    strength, rho = both.T
    claims = tuple(_claims(strength, rho, len(runs.titles)))
    return Finding(tables, claims, missing=runs.missing, notes=notes)


def _beside(runs: Runs) -> Beside:
    """Return where the paper's Coalescence is in these ranges, and where softwood's is."""
    measured = [runs.votes(what, BESIDE).mean(axis=0) for what in ("strength", "rho")]
    return Beside.ours_alone(
        "Beside the ranges: Coalescence as in the paper, and softwood's defaults, means over the "
        "data sets",
        BESIDE, ("strength", "correlation", "error, %"),
        np.column_stack([*measured, runs.errors(BESIDE).mean(axis=0)]), digits=3,
    )  # fmt: skip


def ranges(setting: Setting, runs: Runs, what: str) -> FloatArray:
    """Return for each kind the range of a quantity over alpha, its mean over the data sets."""
    values = [runs.votes(what, points(kind, setting)) for kind in SHOWN]
    return np.array([np.ptp(of_kind, axis=1).mean() for of_kind in values])


def _claims(strength: FloatArray, rho: FloatArray, n: int) -> Iterator[Claim]:
    power = f"means over {n} sets"
    times = rho[0] / rho[1:]
    yield judge(
        "Table 2", "Aggregating ranges over several times more correlation than the others",
        f"{times[0]:.1f} times as much as Bagging, {times[1]:.1f} times as much as Subspacing; "
        "in the paper 4.4 and 7.9",
        stated(
            times.min() >= SEVERAL,
            f"holds if at least {SEVERAL:g} times as much as either; in sign if more than either",
            f"{times.min():.1f} times", in_sign=times.min() > 1, power=power,
        ),
    )  # fmt: skip
    agg, bag, subspace = strength
    yield judge(
        "Table 2",
        "strength ranges as far under Aggregating as under Bagging, and less under Subspacing",
        f"{agg:.3f}, {bag:.3f} and {subspace:.3f}",
        stated(
            abs(agg - bag) < 0.25 * bag and subspace < min(agg, bag),
            "holds if the first two differ by less than a quarter, and Subspacing has less; in "
            "sign if Subspacing has less",
            f"{agg:.3f}, {bag:.3f}, {subspace:.3f}",
            in_sign=subspace < min(agg, bag),
            power=power,
        ),
    )
