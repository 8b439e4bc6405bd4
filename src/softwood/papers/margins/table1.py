"""Table 1: leaves and depth of the trees."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from softwood.papers.findings import Beside, Finding
from softwood.papers.margins.methods import DEFAULT, FAT, MOC1, MOC2, NAMES, OC1
from softwood.papers.margins.runs import Runs, all_runs, describe, printed_for
from softwood.papers.power import FEWEST, LEVEL
from softwood.papers.rules import (
    stated,
)
from softwood.papers.setting import Setting
from softwood.papers.verdicts import Claim, judge

SHOWN = (OC1, MOC1, MOC2)
WHAT = ("leaves", "depth")


def run(setting: Setting) -> Finding:
    """Measure the trees of all folds."""
    made, missing = all_runs(setting)
    notes = describe(setting, made)
    if not made:
        return Finding(missing=missing, notes=notes)
    tables: tuple[Beside, ...] = tuple(
        Beside(
            f"Mean {what} over the folds",
            tuple(runs.title for runs in made),
            SHOWN,
            printed_for(made, "table1", [f"{method} {what}" for method in SHOWN]),
            np.array([[runs.mean(what, method) for method in SHOWN] for runs in made]),
            digits=2,
        )
        for what in WHAT
    )
    tables += (_defaults(made),)
    return Finding(tables, tuple(_claims(made)), missing=missing, notes=notes)


def _defaults(made: list[Runs]) -> Beside:
    """Return the sizes of softwood's default trees, the last of the methods that were run."""
    sizes = [[runs.scores[what][len(NAMES)].mean() for what in WHAT] for runs in made]
    return Beside.ours_alone(
        f"Mean sizes of softwood's defaults, {DEFAULT}",
        tuple(runs.title for runs in made), WHAT, np.array(sizes), digits=2,
    )  # fmt: skip


def _claims(made: list[Runs]) -> Iterator[Claim]:
    same = all(np.array_equal(*(runs.scores[what][[0, 1]])) for runs in made for what in WHAT)
    yield judge(
        "section 4.5", f"trees of {FAT} have exactly the sizes of those of {OC1}",
        "they do in every fold" if same else "they do not",
        stated(
            same, "holds if leaves and depth are equal in every fold; it has no sign",
            "all are equal" if same else "some differ",
        ),
    )  # fmt: skip
    counts = {method: _counted(made, method) for method in (MOC1, MOC2)}
    told = "; ".join(
        f"{method}: smaller on {smaller}, larger on {larger} of {len(made)} sets"
        for method, (smaller, larger) in counts.items()
    )
    least = {method: _pvalue(*pair) for method, pair in counts.items()}
    yield judge(
        "section 4.5", "there is no consistent pattern of sizes", told,
        stated(
            min(least.values()) >= LEVEL,
            "holds if a sign test over the sets is sure of no direction, for MOC1 and for MOC2; it "
            "has no sign",
            "; ".join(f"{method}: p {p:.2f}" for method, p in least.items()),
            power=f"{len(made)} sets; in the paper's Table 1 p is 1.00 for both",
            enough=len(made) >= FEWEST,
        ),
    )  # fmt: skip


def _pvalue(smaller: int, larger: int) -> float:
    from scipy.stats import binomtest

    return float(binomtest(smaller, smaller + larger).pvalue) if smaller + larger else 1.0


def _counted(made: list[Runs], method: str) -> tuple[int, int]:
    changes = [runs.mean("leaves", method) - runs.mean("leaves", OC1) for runs in made]
    return sum(change < 0 for change in changes), sum(change > 0 for change in changes)
