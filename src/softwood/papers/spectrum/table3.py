"""Table 3: errors of the ensembles on every data set, beside those printed.

C5.0 with boosting is not part of this library: its printed errors stand alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from softwood._types import BoolArray, FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.print_rules import agrees
from softwood.papers.printed import printed
from softwood.papers.rules import (
    first_are,
)
from softwood.papers.setting import Setting
from softwood.papers.spectrum.methods import COALESCENCE, DEFAULT, FOREST, IN_TABLE3
from softwood.papers.spectrum.runs import (
    SETS_IN_PAPER,
    Runs,
    all_runs,
    describe,
    nothing_to_compare,
)
from softwood.papers.verdicts import Claim, judge

ACROSS = 3  # columns that fit a page with three numbers each


@dataclass(frozen=True, eq=False)
class Errors:
    """Errors in percent, data sets by methods: the printed ones, and ours of the same."""

    titles: tuple[str, ...]
    methods: tuple[str, ...]
    theirs: FloatArray
    ours: FloatArray


def run(setting: Setting) -> Finding:
    """Cross-validate the ensembles of Table 3."""
    runs, errors = errors_of_table3(setting)
    if not runs.enough:
        return nothing_to_compare(setting, runs)
    rows = (*errors.titles, "mean")
    theirs, ours = (_with_means(values) for values in (errors.theirs, errors.ours))
    tables = tuple(
        Beside(
            "Error in percent", rows, errors.methods[j : j + ACROSS],
            theirs[:, j : j + ACROSS], ours[:, j : j + ACROSS], digits=1,
        )
        for j in range(0, len(errors.methods), ACROSS)
    )  # fmt: skip
    tables += (_defaults(runs),)
    notes = (
        *describe(setting, runs),
        "C5.0 with boosting is not ours; its column is the paper's alone.",
        "The random forest is scikit-learn's, with one column for each category; the paper's "
        "is R's.",
    )
    used = (len(runs.titles), SETS_IN_PAPER)
    return Finding(tables, tuple(_claims(runs, errors)), {}, runs.missing, notes, used)


def errors_of_table3(setting: Setting) -> tuple[Runs, Errors]:
    """Return the runs behind Table 3, and its errors beside ours; NaN where we have none."""
    runs = all_runs(setting, [*IN_TABLE3.values(), DEFAULT])
    table = printed("spectrum", "table3")
    theirs = table.values[[table.rows.index(title) for title in runs.titles]]
    ours = np.full(theirs.shape, np.nan)
    for column, name in IN_TABLE3.items():
        ours[:, table.columns.index(column)] = runs.errors([name])[:, 0]
    return runs, Errors(runs.titles, table.columns, theirs, ours)


def _defaults(runs: Runs) -> Beside:
    shown = (DEFAULT, COALESCENCE, FOREST)
    return Beside.ours_alone(
        f"Error in percent of softwood's defaults, {DEFAULT}",
        (*runs.titles, "mean"), shown, _with_means(runs.errors(shown)), digits=1,
    )  # fmt: skip


def _with_means(errors: FloatArray) -> FloatArray:
    return np.vstack([errors, errors.mean(axis=0)])


def _claims(runs: Runs, errors: Errors) -> Iterator[Claim]:
    known = [errors.methods.index(name) for name in IN_TABLE3]
    ours = dict(zip(IN_TABLE3, errors.ours[:, known].mean(axis=0).tolist(), strict=True))
    theirs = dict(zip(IN_TABLE3, errors.theirs[:, known].mean(axis=0).tolist(), strict=True))
    told = ", ".join(f"{name} {ours[name]:.1f} ({theirs[name]:.1f})" for name in ours)
    ordered = sorted(ours, key=lambda name: ours[name])
    yield judge(
        "Table 3", "Coalescence and random forests have the least mean errors",
        f"ours (printed, on the same sets): {told}",
        first_are(ordered, ("Coalescence", "Random forest"), ours),
    )  # fmt: skip
    yield judge(
        "Table 3", "Aggregating (alpha 0) and Bagging have the largest",
        f"ours in order: {', '.join(ordered)}",
        first_are(ordered[::-1], ("Aggregating", "Bagging"), ours),
    )  # fmt: skip
    alike = agreeing(errors, np.array([runs.n_rows[title] for title in runs.titles]))[:, known]
    yield judge(
        "Table 3", "the printed errors are found again",
        f"{alike.sum()} of {alike.size} cells are within two standard errors; mean difference "
        f"{np.nanmean(errors.ours - errors.theirs):+.2f} points",
        agrees(alike),
    )  # fmt: skip


def agreeing(errors: Errors, n_rows: FloatArray) -> BoolArray:
    """Return which of our errors are within two standard errors of the printed ones.

    Both are shares of the same number of rows, seen by different folds and trees; the rows
    are the same, so the true spread is smaller, and the test is lenient.
    """
    share = np.clip((errors.theirs + errors.ours) / 200, 1 / n_rows[:, None], 1.0)
    spread = 100 * np.sqrt(2 * share * (1 - share) / n_rows[:, None])
    return np.asarray(np.abs(errors.ours - errors.theirs) <= 2 * spread)
