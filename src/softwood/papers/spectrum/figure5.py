"""Figure 5: Coalescence against single points of the random half of the spectrum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from softwood.papers.findings import Beside, Finding
from softwood.papers.power import rank_power
from softwood.papers.rules import (
    everywhere,
)
from softwood.papers.setting import Setting
from softwood.papers.spectrum.methods import ALPHAS, COALESCENCE, MIDDLE, point
from softwood.papers.spectrum.runs import all_runs, describe, nothing_to_compare
from softwood.papers.verdicts import Claim, judge

if TYPE_CHECKING:
    from softwood._types import FloatArray


def run(setting: Setting) -> Finding:
    """Rank Coalescence among Aggregating with alphas up to 0.5."""
    from softwood.statistics import mean_ranks

    half = [alpha for alpha in setting.pick(**ALPHAS) if alpha <= MIDDLE]
    names = (COALESCENCE, *(point("Agg", alpha) for alpha in half))
    runs = all_runs(setting, names)
    if not runs.enough:
        return nothing_to_compare(setting, runs)
    errors = runs.errors(names)
    table = Beside.ours_alone(
        "Mean rank and mean error in percent",
        names, ("mean rank", "mean error"),
        np.column_stack([mean_ranks(errors), errors.mean(axis=0)]), digits=2,
    )  # fmt: skip

    def diagram() -> object:
        from softwood.plot import plot_critical_difference

        axes = plot_critical_difference(
            errors, list(names), test="bonferroni_dunn", control=COALESCENCE
        )
        return axes.figure

    notes = (
        *describe(setting, runs),
        "The paper shows five of these points and does not say which.",
    )
    claims = tuple(_claims(errors, names))
    return Finding((table,), claims, {"critical_difference": diagram}, runs.missing, notes)


def _claims(errors: FloatArray, names: tuple[str, ...]) -> Iterator[Claim]:
    from softwood.statistics import bonferroni_dunn

    found = bonferroni_dunn(errors, control=0)
    beaten = [name for name, p in zip(names, found.adjusted, strict=True) if p <= 0.05]
    order = [names[j] for j in np.argsort(found.ranks, kind="stable")]
    power = rank_power(len(errors), len(names))
    yield judge(
        "Fig. 5", "Coalescence ranks before every single alpha up to 0.5",
        f"in order of mean ranks: {', '.join(order)}; significantly worse than Coalescence: "
        f"{', '.join(beaten) or 'none'}",
        replace(
            everywhere(len(order) - 1 - order.index(COALESCENCE), len(order) - 1, "alphas"),
            power=power[0], enough=power[1],
        ),
    )  # fmt: skip
