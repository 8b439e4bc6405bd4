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
    """Compare single trees, full (ST) and pruned (PST), and bags of them (TB), smooth or not."""
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
        f"{'' if setting.full else 'Without bagging. '}{len(sets)} of the paper's 20 data sets; "
        f"{setting.pick(quick=QUICK_RUNS, full='10 or 50')} splits each; corrected t at 5 %."
    )
    return Finding((table,), tuple(_claims(counts)), missing=missing, notes=(note,))


def _methods(task: str, with_bagging: bool) -> dict[str, Any]:
    """Return ST, STd, PST, PSTd and, if wanted, TB and TBd: d is for the paper's smoothing."""
    from sklearn.ensemble import BaggingClassifier, BaggingRegressor
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    from softwood.estimators import CARTClassifier, CARTRegressor
    from softwood.estimators.soft import SoftTreeClassifier, SoftTreeRegressor
    from softwood.estimators.softened import SoftenedClassifier, SoftenedRegressor

    how: dict[str, Any] = {"method": "perturb", "noise": "product"}
    soft_tree: Any
    soft_bag: Any
    if task == "classification":
        full, pruned = CARTClassifier("entropy"), CARTClassifier("entropy", pruning="cv")
        soft_tree, soft_bag = SoftTreeClassifier, SoftenedClassifier
        bag = BaggingClassifier(DecisionTreeClassifier(criterion="entropy"), 50)
    else:
        full = CARTRegressor(min_samples_split=5)
        pruned = CARTRegressor(min_samples_split=5, pruning="cv")
        soft_tree, soft_bag = SoftTreeRegressor, SoftenedRegressor
        bag = BaggingRegressor(DecisionTreeRegressor(min_samples_split=5), 50)
    methods = {
        "ST": full,
        "STd": soft_tree(full, **how),
        "PST": pruned,
        "PSTd": soft_tree(pruned, **how),
    }
    if with_bagging:
        methods |= {"TB": bag, "TBd": soft_bag(bag, smoothing="oob", **how)}
    return methods


def _outcomes(
    setting: Setting, name: str, dataset: Any, task: str, sizes: Printed, i: int
) -> dict[str, int]:
    """Return 1, 0 or -1 for each pair "A against B": A wins, draws or loses."""
    from softwood.evaluate.protocols import RandomSplitsProtocol
    from softwood.statistics import corrected_t_test

    n_train, n_test = int(sizes.column("train")[i]), int(sizes.column("test")[i])
    n_splits = setting.pick(quick=QUICK_RUNS, full=int(sizes.column("runs")[i]))
    protocol = RandomSplitsProtocol(n_splits, train_size=n_train, test_size=n_test)
    methods = _methods(task, setting.full)
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
    def total(pair: str) -> tuple[int, int, int]:
        win, draw, loss = np.add(
            counts["classification"].get(pair, [0, 0, 0]), counts["regression"].get(pair, [0, 0, 0])
        )
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
    if sum(total("TBd against TB")):
        win, _, loss = total("TBd against TB")
        yield judge(
            "Table 2", "smooth bagging never loses against bagging",
            told("TBd against TB"), holds=loss == 0, in_sign=win > loss,
        )  # fmt: skip
