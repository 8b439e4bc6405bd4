"""Table 2: which methods win, by corrected t-tests over random splits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from softwood.papers.findings import Beside, Finding
from softwood.papers.perturb.methods import DEFAULT, PAIRS
from softwood.papers.perturb.runs import Runs, all_runs, describe
from softwood.papers.power import smallest_shown
from softwood.papers.printed import printed
from softwood.papers.rules import (
    most,
    nowhere,
    stated,
)
from softwood.papers.setting import Setting
from softwood.papers.verdicts import Claim, judge

TASKS = ("classification", "regression")
SHOWN = (*(method for pair in PAIRS for method in pair), DEFAULT)
SETS_IN_PAPER = 20
WINS = (1, 0, -1)  # outcomes, in the order of the columns: win, draw, loss

Counts = dict[str, dict[str, list[int]]]  # by task, by "A against B"


def run(setting: Setting) -> Finding:
    """Compare single trees, full (ST) and pruned (PST), and bags of them (TB), smooth or not."""
    made, missing = all_runs(setting)
    theirs = printed("perturb", "table2")
    counts = count(made)
    pairs = [pair for pair in theirs.rows if any(pair in counts[task] for task in TASKS)]
    ours = [[n for task in TASKS for n in counts[task].get(pair, [0] * 3)] for pair in pairs]
    rows = [theirs.rows.index(pair) for pair in pairs]
    table = Beside(
        "Win/draw/loss over data sets",
        tuple(pairs), theirs.columns, theirs.values[rows],
        np.array(ours, dtype=float).reshape(len(pairs), 6), digits=0,
    )  # fmt: skip
    claims = tuple(_claims(made, counts)) if made else ()
    used = (len(made), SETS_IN_PAPER)
    notes = (
        describe(setting, made),
        "The names and sizes of the paper's last three sets of regression are lost in its text, "
        "which says that they are Torgo's: Ailerons, Elevators and Pole stand in for them. The "
        "sizes of their samples were not verified against the paper; they are those of the two "
        "files in which Torgo gives each set, as far as we remember them, and add up to its rows.",
    )
    return Finding((table, _defaults(made)), claims, {}, missing, notes, used)


def _defaults(made: list[Runs]) -> Beside:
    """Return the errors of softwood's default tree beside those of the paper's methods."""
    asked = [runs for runs in made if DEFAULT in runs.methods]
    shown = [method for method in SHOWN if all(method in runs.methods for runs in asked)]
    errors = [
        [runs.problem.times * float(np.mean(runs.errors[method])) for method in shown]
        for runs in asked
    ]
    return Beside.ours_alone(
        "Mean error, in the paper's units; default: SoftTreeClassifier() or SoftTreeRegressor()",
        tuple(runs.problem.title for runs in asked), tuple(shown),
        np.array(errors).reshape(len(asked), len(shown)), digits=2,
    )  # fmt: skip


def count(made: list[Runs]) -> Counts:
    """Return for each task and pair "A against B" how often A wins, draws and loses."""
    counts: Counts = {task: {} for task in TASKS}
    for runs in made:
        for b, a in combinations([m for m in runs.methods if m != DEFAULT], 2):
            line = counts[runs.problem.task].setdefault(f"{a} against {b}", [0, 0, 0])
            line[WINS.index(runs.outcome(a, b))] += 1
    return counts


def _claims(made: list[Runs], counts: Counts) -> Iterator[Claim]:
    def total(pair: str) -> tuple[int, int, int]:
        return total_of(counts, pair)

    def told(*pairs: str) -> str:
        return _told(counts, *pairs)

    power = _power(made)
    yield _never(
        "smoothing never significantly hurts a single tree",
        ("STd against ST", "PSTd against PST"),
        counts,
        power,
    )
    win, draw, loss = total("PST against ST")
    yield judge(
        "Table 2", "pruning by cross-validation wins more often than it loses",
        told("PST against ST"),
        stated(
            win > loss, "holds if there are more wins than losses; it has no other sign",
            f"{win} and {loss} of {win + draw + loss}", power=power,
        ),
    )  # fmt: skip
    win, draw, loss = total("PSTd against STd")
    yield judge(
        "Table 2",
        "pruning is redundant once a tree is smooth",
        told("PSTd against STd"),
        replace(most(draw, win + loss, win + draw + loss, "sets", share=2 / 3), power=power),
    )
    if not sum(total("TBd against TB")):
        return
    against = tuple(f"TBd against {other}" for other in ("ST", "STd", "PST", "PSTd", "TB"))
    yield _never("smooth bagging never loses against any other method", against, counts, power)
    crisp, smooth = (total(f"TB against {tree}") for tree in ("PST", "PSTd"))
    yield judge(
        "section 3.2", "a smooth pruned tree draws with bagging more often than a crisp one",
        told("TB against PST", "TB against PSTd"),
        stated(
            smooth[1] > crisp[1], "holds if there are more draws; it has no other sign",
            f"{smooth[1]} and {crisp[1]} draws", power=power,
        ),
    )  # fmt: skip


def _never(text: str, pairs: tuple[str, ...], counts: Counts, power: str) -> Claim:
    """Judge that some methods never lose."""
    lines = [(pair, total_of(counts, pair)) for pair in pairs]
    n = sum(sum(line) for _, line in lines)
    ruling = nowhere(sum(line[2] for _, line in lines), n, "comparisons")
    return judge("Table 2", text, _told(counts, *pairs), replace(ruling, power=power))


def total_of(counts: Counts, pair: str) -> tuple[int, int, int]:
    """Return wins, draws and losses over both tasks."""
    win, draw, loss = np.sum([counts[task].get(pair, [0, 0, 0]) for task in TASKS], axis=0)
    return int(win), int(draw), int(loss)


def _told(counts: Counts, *pairs: str) -> str:
    counted = [(pair, total_of(counts, pair)) for pair in pairs]
    return "; ".join(f"{pair}: wins {w}, draws {d}, loses {x}" for pair, (w, d, x) in counted)


def _power(made: list[Runs]) -> str:
    """Return which differences between smooth and crisp trees the splits can tell."""
    shares = []
    for runs in made:
        crisp, smooth = runs.errors["ST"], runs.errors["STd"]
        ratio = runs.problem.n_test / runs.problem.n_train
        shares.append(smallest_shown(crisp - smooth, ratio) / crisp.mean())
    n_splits = len(made[0].errors["ST"])
    return (
        f"{n_splits} splits or more a set: the corrected t-test shows changes of "
        f"{np.median(shares):.0%} of the error of ST, in the median over sets"
    )
