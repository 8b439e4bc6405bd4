"""The paper's ranks and post-hoc test, from the errors that Table 3 prints."""

from __future__ import annotations

import numpy as np

from softwood.papers.findings import Beside, Finding
from softwood.papers.power import LEVEL
from softwood.papers.print_rules import FROM_PRINT, from_print
from softwood.papers.printed import printed
from softwood.papers.rules import (
    beats,
)
from softwood.papers.setting import Setting
from softwood.papers.verdicts import Claim, judge
from softwood.statistics import bonferroni_dunn, friedman_test, iman_davenport_test

CONTROL = "Coalescence"


def run(setting: Setting) -> Finding:
    """Recompute mean errors, mean ranks and the Bonferroni-Dunn test."""
    errors = printed("spectrum", "table3")
    means = printed("spectrum", "table3_means")
    ranks = friedman_test(errors.values).ranks
    ours = np.vstack([errors.values.mean(axis=0), ranks])
    table = Beside(
        "Means over the 45 printed rows",
        ("mean error, %", "mean rank"), errors.columns, means.values, ours, digits=3,
    )  # fmt: skip

    def diagram() -> object:
        from softwood.plot import plot_critical_difference

        axes = plot_critical_difference(
            errors.values, list(errors.columns), test="bonferroni_dunn", control=CONTROL
        )
        return axes.figure

    return Finding(
        (table,),
        _claims(errors.values, errors.columns),
        {"critical_difference": diagram},
        notes=("Computed from the printed errors alone; nothing is trained.",),
    )


def _claims(errors: np.ndarray, names: tuple[str, ...]) -> tuple[Claim, ...]:
    control = names.index(CONTROL)
    chi2, f = friedman_test(errors), iman_davenport_test(errors)
    post = bonferroni_dunn(errors, control=control)
    gap = post.ranks - post.ranks[control]
    beaten = {name for name, d in zip(names, gap, strict=True) if d > post.critical_difference}
    ahead = [name for name, d in zip(names, gap, strict=True) if d > 0]
    rf, agg = names.index("Random forest"), names.index("Aggregating")
    short = post.ranks[agg] - post.ranks[rf]
    return (
        judge(
            "section 6", "the methods differ significantly",
            f"Friedman chi2 {chi2.statistic:.2f} (p {chi2.pvalue:.4f}), "
            f"Iman-Davenport F {f.statistic:.3f} (p {f.pvalue:.4f})",
            from_print(
                f.pvalue < LEVEL, "holds if Iman and Davenport's p is below 5 %",
                f"p {f.pvalue:.4f}",
            ),
        ),
        judge(
            "Fig. 6", "Coalescence significantly beats Aggregating and Bagging, and no other",
            f"critical difference {post.critical_difference:.3f}; beaten: "
            f"{', '.join(sorted(beaten)) or 'none'}",
            beats(beaten, ("Aggregating", "Bagging"), ahead, FROM_PRINT),
        ),
        judge(
            "Fig. 6", "no other method beats Aggregating significantly",
            f"random forest misses it by {post.critical_difference - short:.3f} of a rank",
            from_print(
                short < post.critical_difference,
                "holds if no mean rank is better by the critical difference",
                f"{short:.3f} ranks; critical difference {post.critical_difference:.3f}",
            ),
        ),
    )  # fmt: skip
