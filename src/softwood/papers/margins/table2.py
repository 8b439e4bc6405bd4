"""Table 2: accuracy of OC1, FAT, MOC1 and MOC2, and which differences from OC1 are clear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from softwood.papers.findings import Beside, Finding
from softwood.papers.margins.methods import CLASSIC, DEFAULT, EXACT, FAT, NAMES, OC1, RIVALS
from softwood.papers.margins.runs import (
    N_FOLDS,
    Runs,
    all_runs,
    describe,
    printed_for,
    sets_used,
    wins,
)
from softwood.papers.rules import everywhere, most, nowhere
from softwood.papers.setting import Setting
from softwood.papers.verdicts import Claim, judge


def run(setting: Setting) -> Finding:
    """Cross-validate the four methods, and test each against OC1."""
    return _run(setting, CLASSIC)


def run_exact(setting: Setting) -> Finding:
    """Do the same with the search that is softwood's default."""
    return _run(setting, EXACT)


def _run(setting: Setting, search: str) -> Finding:
    made, missing = all_runs(setting, search)
    notes = describe(setting, made)
    if not made:
        return Finding(missing=missing, notes=notes)
    titles = tuple(runs.title for runs in made)
    tables: tuple[Beside, ...] = (
        Beside(
            "Accuracy in percent, mean over the folds",
            titles, NAMES,
            printed_for(made, "table2", NAMES),
            np.array([[runs.accuracy(method) for method in NAMES] for runs in made]), digits=2,
        ),
        Beside(
            "p-values against OC1: of paired t in the paper, of corrected t here",
            titles, RIVALS,
            printed_for(made, "table2", [f"{method} p" for method in RIVALS]),
            np.array([[runs.test(method).pvalue for method in RIVALS] for runs in made]), digits=2,
        ),
    )  # fmt: skip
    if search == CLASSIC:
        tables += (_defaults(made),)
    claims = tuple(_claims(made))
    if search == EXACT:  # the paper's claims, of a search that is not the paper's
        claims = tuple(replace(claim, where=f"{claim.where}, exact search") for claim in claims)
    return Finding(tables, claims, {}, missing, notes, sets_used(made))


def _defaults(made: list[Runs]) -> Beside:
    return Beside.ours_alone(
        f"Accuracy in percent of softwood's defaults, {DEFAULT}",
        tuple(runs.title for runs in made), (DEFAULT, "leaves"),
        np.array([[100 - 100 * runs.scores["error"][len(NAMES)].mean(),
                   runs.scores["leaves"][len(NAMES)].mean()] for runs in made]), digits=2,
    )  # fmt: skip


def _claims(made: list[Runs]) -> Iterator[Claim]:
    for method, printed_wins in zip(RIVALS, (9, 7, 8), strict=True):
        higher, equal, lower = wins(made, method)
        outcomes = [runs.outcome(method) for runs in made]
        yield judge(
            "Table 2",
            f"{method} is more accurate than {OC1} on most sets ({printed_wins} of 10)",
            f"higher on {higher}, equal on {equal}, lower on {lower} of {len(made)} sets; clearly "
            f"better on {outcomes.count(1)}, clearly worse on {outcomes.count(-1)}",
            most(higher, lower, len(made), "sets"),
        )
    worse = [runs.difference(FAT)[:N_FOLDS] < -1e-9 for runs in made]
    never = sum(not folds.any() for folds in worse)
    yield judge(
        "section 4.2", f"but for one set, {FAT} is as good as {OC1} or better in every fold",
        f"so it is on {never} of {len(made)} sets, in ten folds as in the paper; over all sets "
        f"{FAT} is worse in {np.mean(worse):.1%} of the folds",
        everywhere(never, len(made), "sets", but=1),
    )  # fmt: skip
    alone = [runs.title for runs in made if runs.best == (OC1,)]
    yield judge(
        "section 4.6", f"{OC1} is the best method on no set",
        f"it is on {', '.join(alone)}" if alone else "on none",
        nowhere(len(alone), len(made), "sets"),
    )  # fmt: skip
