"""Table 2: which methods win, by corrected t-tests over random splits.

Sizes of the splits are those of the paper's Table 1 (its two Pumadyn test sizes have two
digits exchanged: 8192 rows less 2000 leave 6192).
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from softwood.papers.findings import Beside, Finding, judge
from softwood.papers.printed import Printed, printed
from softwood.papers.setting import Setting, load_available

QUICK_RUNS = 5


def run(setting: Setting) -> Finding:
    """Compare single trees, full (ST) and pruned by cross-validation (PST)."""
    sizes = printed("perturb", "table1", text=("set", "task"))
    theirs = printed("perturb", "table2")
    sets, missing = load_available(sizes.text["set"])
    counts: dict[str, dict[str, list[int]]] = {"classification": {}, "regression": {}}
    for name, dataset in sets.items():
        i = sizes.text["set"].index(name)
        task = sizes.text["task"][i]
        for pair, outcome in _outcomes(setting, name, dataset, task, sizes, i).items():
            counts[task].setdefault(pair, [0, 0, 0])[1 - outcome] += 1
    pairs = [pair for pair in theirs.rows if pair in counts["classification"]]
    ours = [[*counts["classification"][p], *counts["regression"].get(p, [0] * 3)] for p in pairs]
    rows = [theirs.rows.index(pair) for pair in pairs]
    table = Beside(
        "Win/draw/loss over data sets",
        tuple(pairs), theirs.columns, theirs.values[rows], np.array(ours, dtype=float), digits=0,
    )  # fmt: skip
    note = (
        f"{len(sets)} of the paper's 20 data sets; "
        f"{setting.pick(quick=QUICK_RUNS, full='10 or 50')} splits each; corrected t at 5 %."
    )
    return Finding((table,), tuple(_claims(counts)), missing=missing, notes=(note,))


def _methods(task: str) -> dict[str, Any]:
    from softwood.estimators import CARTClassifier, CARTRegressor

    if task == "classification":
        return {
            "ST": CARTClassifier("entropy"),
            "PST": CARTClassifier("entropy", pruning="cv"),
        }
    return {
        "ST": CARTRegressor(min_samples_split=5),
        "PST": CARTRegressor(min_samples_split=5, pruning="cv"),
    }


def _outcomes(
    setting: Setting, name: str, dataset: Any, task: str, sizes: Printed, i: int
) -> dict[str, int]:
    """Return 1, 0 or -1 for each pair "A against B": A wins, draws or loses."""
    from softwood.evaluate.protocols import RandomSplitsProtocol
    from softwood.statistics import corrected_t_test

    n_train, n_test = int(sizes.column("train")[i]), int(sizes.column("test")[i])
    n_splits = setting.pick(quick=QUICK_RUNS, full=int(sizes.column("runs")[i]))
    protocol = RandomSplitsProtocol(n_splits, train_size=n_train, test_size=n_test)
    methods = _methods(task)
    metric = "error" if task == "classification" else "squared_error"
    comparison = setting.compare(name, methods, {name: dataset}, protocol)
    scores = dict(zip(methods, comparison.split_scores(metric)[0], strict=True))
    outcomes = {}
    for b, a in combinations(methods, 2):
        test = corrected_t_test(scores[a], scores[b], n_train=n_train, n_test=n_test)
        better = -1 if np.mean(scores[a]) > np.mean(scores[b]) else 1
        outcomes[f"{a} against {b}"] = better if test.pvalue < 0.05 else 0
    return outcomes


def _claims(counts: dict[str, dict[str, list[int]]]) -> Any:
    win, draw, loss = np.add(
        counts["classification"].get("PST against ST", [0, 0, 0]),
        counts["regression"].get("PST against ST", [0, 0, 0]),
    )
    yield judge(
        "Table 2", "pruning by cross-validation wins more often than it loses",
        f"wins {win}, draws {draw}, loses {loss}",
        holds=bool(win > loss), in_sign=bool(win >= loss),
    )  # fmt: skip
