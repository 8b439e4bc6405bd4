"""Figure 6: ranks of Coalescence and its rivals, and which of them differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from softwood._types import FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.power import LEVEL, rank_power
from softwood.papers.rules import (
    beats,
    ordered,
    stated,
)
from softwood.papers.setting import Setting
from softwood.papers.spectrum.methods import IN_TABLE3
from softwood.papers.spectrum.runs import describe, nothing_to_compare
from softwood.papers.spectrum.table3 import errors_of_table3
from softwood.papers.verdicts import Claim, judge

NAMES = tuple(IN_TABLE3)
CONTROL = NAMES.index("Coalescence")
PRINTED_GAP = 4.156 - 2.867  # mean ranks of Aggregating and Coalescence in the paper


def run(setting: Setting) -> Finding:
    """Test our errors as the paper tests its own, without C5.0."""
    from softwood.statistics import holm, mean_ranks, nemenyi

    runs, errors = errors_of_table3(setting)
    if not runs.enough:
        return nothing_to_compare(setting, runs)
    columns = [errors.methods.index(name) for name in NAMES]
    theirs, ours = errors.theirs[:, columns], errors.ours[:, columns]
    ranks = np.column_stack([mean_ranks(theirs), mean_ranks(ours)])
    pairs = nemenyi(ours)
    tables = (
        Beside(
            "Mean rank over the same data sets",
            NAMES, ("mean rank",), ranks[:, :1], ranks[:, 1:], digits=2,
        ),
        Beside.ours_alone(
            "Adjusted p-values of our errors: against Coalescence by Holm, all pairs by Nemenyi",
            NAMES, ("Holm", *NAMES),
            np.column_stack([holm(ours, CONTROL).adjusted, pairs.adjusted]), digits=4,
        ),
    )  # fmt: skip

    def diagram() -> object:
        from softwood.plot import plot_critical_difference

        return plot_critical_difference(ours, list(NAMES)).figure

    notes = (
        *describe(setting, runs),
        f"Nemenyi's critical difference is {pairs.critical_difference:.2f} ranks. The test of "
        "the printed errors, with C5.0, is the part 'statistics'.",
    )
    claims = tuple(_claims(ours))
    return Finding(tables, claims, {"critical_difference": diagram}, runs.missing, notes)


def _claims(errors: FloatArray) -> Iterator[Claim]:
    from softwood.statistics import bonferroni_dunn, friedman_test, iman_davenport_test

    chi2, f = friedman_test(errors), iman_davenport_test(errors)
    power, enough = rank_power(len(errors), len(NAMES), PRINTED_GAP)
    claimed = [NAMES.index(name) for name in ("Coalescence", "Random forest", "Subspacing")]
    yield judge(
        "Fig. 6", "the methods differ significantly",
        f"Friedman chi2 {chi2.statistic:.2f} (p {chi2.pvalue:.2g}), "
        f"Iman-Davenport F {f.statistic:.2f} (p {f.pvalue:.2g})",
        stated(
            f.pvalue < LEVEL, "holds if Iman and Davenport's p is below 5 %; it has no sign",
            f"p {f.pvalue:.2g}", power=power, enough=enough or bool(f.pvalue < LEVEL),
        ),
    )  # fmt: skip
    found = bonferroni_dunn(errors, control=CONTROL)
    order = [NAMES[j] for j in np.argsort(found.ranks, kind="stable")]
    yield judge(
        "Fig. 6", "Coalescence ranks first, then random forests, then Subspacing",
        f"in order: {', '.join(order)}",
        replace(
            ordered({NAMES[j]: float(found.ranks[j]) for j in claimed}), power=power, enough=enough
        ),
    )  # fmt: skip
    worse = found.ranks > found.ranks[CONTROL]
    beaten = {NAMES[j] for j in np.flatnonzero(found.significant(LEVEL) & worse)}
    yield judge(
        "Fig. 6", "Coalescence significantly beats Aggregating (alpha 0) and Bagging, and no other",
        f"beaten: {', '.join(sorted(beaten)) or 'none'}; critical difference "
        f"{found.critical_difference:.2f}",
        beats(
            beaten, ("Aggregating", "Bagging"), [NAMES[j] for j in np.flatnonzero(worse)], power,
            enough,
        ),
    )  # fmt: skip
