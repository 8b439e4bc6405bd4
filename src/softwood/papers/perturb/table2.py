"""Table 2: which methods win, by corrected t-tests over random splits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from softwood.papers.findings import Beside, Claim, Finding, judge
from softwood.papers.perturb.runs import Runs, all_runs, describe
from softwood.papers.printed import printed
from softwood.papers.setting import Setting

TASKS = ("classification", "regression")
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
    claims = tuple(_claims(counts)) if made else ()
    return Finding((table,), claims, missing=missing, notes=(describe(setting, made),))


def count(made: list[Runs]) -> Counts:
    """Return for each task and pair "A against B" how often A wins, draws and loses."""
    counts: Counts = {task: {} for task in TASKS}
    for runs in made:
        for b, a in combinations(runs.methods, 2):
            line = counts[runs.problem.task].setdefault(f"{a} against {b}", [0, 0, 0])
            line[WINS.index(runs.outcome(a, b))] += 1
    return counts


def _claims(counts: Counts) -> Iterator[Claim]:
    def total(pair: str) -> tuple[int, int, int]:
        win, draw, loss = np.sum([counts[task].get(pair, [0, 0, 0]) for task in TASKS], axis=0)
        return int(win), int(draw), int(loss)

    def told(*pairs: str) -> str:
        counted = [(pair, total(pair)) for pair in pairs]
        return "; ".join(f"{pair}: wins {w}, draws {d}, loses {x}" for pair, (w, d, x) in counted)

    helped = [total(pair) for pair in ("STd against ST", "PSTd against PST")]
    yield judge(
        "Table 2", "smoothing never significantly hurts a single tree",
        told("STd against ST", "PSTd against PST"),
        holds=all(loss == 0 for _, _, loss in helped),
        in_sign=all(win > loss for win, _, loss in helped),
    )  # fmt: skip
    win, _, loss = total("PST against ST")
    yield judge(
        "Table 2", "pruning by cross-validation wins more often than it loses",
        told("PST against ST"), holds=win > loss, in_sign=win >= loss,
    )  # fmt: skip
    win, draw, loss = total("PSTd against STd")
    yield judge(
        "Table 2", "pruning is redundant once a tree is smooth",
        told("PSTd against STd"), holds=draw > 2 * (win + loss), in_sign=draw > win + loss,
    )  # fmt: skip
    if not sum(total("TBd against TB")):
        return
    against = [f"TBd against {other}" for other in ("ST", "STd", "PST", "PSTd", "TB")]
    yield judge(
        "Table 2", "smooth bagging never loses against any other method", told(*against),
        holds=all(total(pair)[2] == 0 for pair in against),
        in_sign=all(total(pair)[0] >= total(pair)[2] for pair in against),
    )  # fmt: skip
    crisp, smooth = (total(f"TB against {tree}") for tree in ("PST", "PSTd"))
    yield judge(
        "section 3.2", "a smooth pruned tree draws with bagging more often than a crisp one",
        told("TB against PST", "TB against PSTd"),
        holds=smooth[1] > crisp[1], in_sign=smooth[1] >= crisp[1],
    )  # fmt: skip
