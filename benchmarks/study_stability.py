"""How much trees change with their sample: the table of docs/guide/what-changed.md.

    SOFTWOOD_DATA=... python benchmarks/study_stability.py [--pairs 20] [--store FILE] [--jobs 1]

For every learner and data set, pairs of models of half samples, compared on the quarter of the
rows that neither has seen (see ``softwood.stability``). The same seed gives all learners the same
samples. Results are kept line by line in FILE, from which a run that was stopped goes on. About
a quarter of an hour, a third of it for soft trees.
"""

import argparse
import json
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from softwood import (
    BaggedTreesClassifier,
    C45Classifier,
    CARTClassifier,
    CoalescenceClassifier,
    EvolvedTreeClassifier,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    VRTreeClassifier,
    stability,
)
from softwood.papers.setting import load_available
from softwood.papers.vicinal.table4 import as_numbers
from softwood.statistics import holm, iman_davenport_test, mean_ranks

SETS = (
    "breast-w",
    "german",
    "glass",
    "heart",
    "ionosphere",
    "pima",
    "segment",
    "sonar",
    "vehicle",
    "wine",
)
SHORT = {"n_iter": 20_000}
METHODS = {
    "scikit-learn's tree": DecisionTreeClassifier(),
    "CART": CARTClassifier(),
    "CART, pruned": CARTClassifier(pruning="cv"),
    "CART, vicinal": CARTClassifier("vicinal"),
    "CART, vicinal, pruned": CARTClassifier("vicinal", pruning="cv"),
    "C4.5": C45Classifier(),
    "C4.5, soft thresholds": C45Classifier(soft_thresholds=True),
    "soft tree": SoftTreeClassifier(),
    "soft tree, perturbed": SoftTreeClassifier(method="perturb"),
    "OC1": ObliqueTreeClassifier(),
    "OC1, widened": ObliqueTreeClassifier(widen=True),
    "MOC1": ObliqueTreeClassifier("moc1"),
    "MOC2": ObliqueTreeClassifier("moc2"),
    "evolved, empirical": EvolvedTreeClassifier("empirical", **SHORT),
    "evolved, vicinal": EvolvedTreeClassifier(**SHORT),
    "variable-random tree": VRTreeClassifier(),
    "Coalescence": CoalescenceClassifier(),
    "bagged CART": BaggedTreesClassifier(),
    "scikit-learn's forest": RandomForestClassifier(),
}
MEASURES = (
    "disagreement",
    "variation",
    "error",
    "columns",
    "importances",
    "top",
    "root",
    "root_cut_spread",
    "n_leaves",
    "n_leaves_spread",
)


def kept(path: Path) -> dict:
    lines = path.read_text().splitlines() if path.exists() else []
    return {(one["set"], one["method"]): one for one in map(json.loads, lines)}


def run(path: Path, n_pairs: int, n_jobs: int) -> dict:
    done = kept(path)
    sets, missing = load_available(SETS)
    for name, why in missing.items():
        print(f"without {name}: {why}")
    for name, dataset in sets.items():
        table, y = as_numbers(dataset)
        X = np.column_stack([column.values for column in table.columns])
        for method, learner in METHODS.items():
            if (name, method) in done:
                continue
            start = process_time()
            found = stability(learner, X, y, n_pairs=n_pairs, random_state=0, n_jobs=n_jobs)
            cell = {"set": name, "method": method, "seconds": process_time() - start}
            cell |= {measure: getattr(found, measure) for measure in MEASURES}
            done[name, method] = cell
            with path.open("a") as file:
                file.write(json.dumps(cell) + "\n")
            print(f"{name:12}{method:24}{found!r}, {cell['seconds']:.0f} s", flush=True)
    return done


def show(done: dict) -> None:
    sets = sorted({name for name, _ in done})
    whole = [name for name in sets if all((name, method) in done for method in METHODS)]
    print(f"\nmeans over {len(whole)} sets: {', '.join(whole)}")
    print("| | " + " | ".join(MEASURES) + " | rank |")
    table = np.array(
        [[[done[n, m][measure] for measure in MEASURES] for m in METHODS] for n in whole]
    )
    ranks = mean_ranks(table[:, :, 0])
    for method, means, rank in zip(METHODS, table.mean(axis=0), ranks, strict=True):
        print(f"| {method} | " + " | ".join(f"{v:.3f}" for v in means) + f" | {rank:.2f} |")
    print("Iman-Davenport", iman_davenport_test(table[:, :, 0]).pvalue)
    for control in ("CART, pruned", "C4.5"):
        place = list(METHODS).index(control)
        adjusted = holm(table[:, :, 0], control=place).adjusted
        print("Holm, against", control, adjusted)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--store", type=Path, default=Path("stability.jsonl"))
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    show(run(options.store, options.pairs, options.jobs))
