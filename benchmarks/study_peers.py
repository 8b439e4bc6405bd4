"""One readable model beside others: errors, log loss, calibration, leaves and seconds.

    SOFTWOOD_DATA=... python benchmarks/study_peers.py --store FILE.jsonl [--methods soft EBM ...]
        [--sets NAME ...] [--table]

Classification sets that chose no default: of the odd half of the registry, and of
further_sets.py. Three folds, the same for all, rows shuffled. Peers are at their own defaults;
those that take numbers only get categories one-hot, and medians for gaps if they take none: EBM of
interpret-core, FIGS (12 rules, the default) and HSTree (hierarchical shrinkage of CART, lambda by
cross-validation) of imodels, LightGBM, scikit-learn's forest. Every answer is a line of the store;
what is there is not done again.
"""

import argparse
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from further_sets import further_sets
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from softwood import C45Classifier, CARTClassifier, CoalescenceClassifier, SoftTreeClassifier
from softwood.datasets import load_dataset

REGISTRY = (
    "autos", "bands", "breast-y", "cleveland-297", "crx", "german-numeric", "glass-float",
    "heart-297", "hepatitis-complete", "ionosphere", "pima-ripley", "prognosis", "sonar", "spectf",
)  # fmt: skip
FURTHER = (
    "appendicitis", "cm1", "contraceptive", "dermatology", "ecoli", "pc1", "saheart", "yeast",
)  # fmt: skip
FOLDS, SEED, BINS = 3, 0, 15
LEAST = 1e-15


def numbers(model: Any, gaps: bool) -> Any:
    """Return the model behind one-hot columns, and medians where it takes no gaps."""
    nominal = make_column_selector(dtype_exclude="number")
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), nominal),
        remainder="passthrough" if gaps else SimpleImputer(strategy="median"),
        verbose_feature_names_out=False,
    )
    return make_pipeline(columns, model)


def ebm(**options: Any) -> Any:
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(n_jobs=1, random_state=SEED, **options)


def figs() -> Any:
    from imodels import FIGSClassifier

    return numbers(FIGSClassifier(random_state=SEED), gaps=False)


def hstree() -> Any:
    from imodels import HSTreeClassifierCV

    return numbers(HSTreeClassifierCV(max_leaf_nodes=32), gaps=False)


def lightgbm() -> Any:
    from lightgbm import LGBMClassifier

    model = LGBMClassifier(n_jobs=1, random_state=SEED, verbose=-1)
    return numbers(model.set_params(), gaps=True)


METHODS: dict[str, Callable[[], Any]] = {
    "soft tree": lambda: SoftTreeClassifier(random_state=SEED),
    "Coalescence": lambda: CoalescenceClassifier(random_state=SEED),
    "CART": lambda: CARTClassifier(pruning="cv", random_state=SEED),
    "C4.5": C45Classifier,
    "EBM": ebm,
    "EBM, 2 bags": lambda: ebm(outer_bags=2),  # of 14, in a seventh of the time
    "FIGS": figs,
    "HSTree": hstree,
    "forest": lambda: numbers(RandomForestClassifier(100, random_state=SEED), gaps=True),
    "LightGBM": lightgbm,
}


def tables(names: list[str]) -> dict[str, tuple[Any, Any]]:
    """Return frames and codes of classes, by name."""
    found = {name: load_dataset(name, return_X_y=True) for name in names if name in REGISTRY}
    if set(names) & set(FURTHER):
        more = further_sets(10_000)
        found.update({name: more[name] for name in names if name in FURTHER})
    return {
        name: (X, np.unique(np.asarray(y, dtype=str), return_inverse=True)[1])
        for name, (X, y) in found.items()
    }


def calibration_error(proba: Any, y: Any) -> float:
    """Return how far the probability of the answer is from how often it is right, over bins."""
    sure, right = proba.max(axis=1), proba.argmax(axis=1) == y
    place = np.minimum((sure * BINS).astype(int), BINS - 1)
    gaps = np.bincount(place, sure - right, BINS)
    return float(np.abs(gaps).sum() / y.size)


def n_leaves(model: Any) -> float:
    """Return how many leaves, or rules of FIGS, there are to read; NaN of an ensemble."""
    last = model[-1] if hasattr(model, "steps") else model
    if hasattr(last, "tree_"):
        return float(last.get_n_leaves())
    if hasattr(last, "complexity_"):
        return float(last.complexity_) + 1.0
    inner = getattr(last, "estimator_", None)
    return float(inner.tree_.n_leaves) if hasattr(inner, "tree_") else float("nan")


def cell(make: Callable[[], Any], X: Any, y: Any) -> dict[str, float]:
    """Return what a method does on a table: by its answers to rows of the other folds."""
    proba, leaves, seconds = np.zeros((y.size, y.max() + 1)), [], 0.0
    rng = np.random.default_rng(SEED)
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(X, y):
        train = rng.permutation(train)  # HSTree's folds are taken as rows come, class by class
        model, start = make(), process_time()
        model.fit(X.iloc[train], y[train])
        seconds += process_time() - start
        classes = np.asarray(getattr(model, "classes_", np.unique(y[train]))).astype(int)
        proba[np.ix_(test, classes)] = model.predict_proba(X.iloc[test])
        leaves.append(n_leaves(model))
    told = np.clip(proba[np.arange(y.size), y], LEAST, 1.0)
    return {
        "error": float(np.mean(proba.argmax(axis=1) != y)),
        "log loss": float(-np.log(told).mean()),
        "calibration error": calibration_error(proba, y),
        "leaves": float(np.mean(leaves)),
        "seconds": seconds / FOLDS,
    }


def run(store: Path, methods: list[str], names: list[str]) -> None:
    """Do what the store lacks."""
    done = {(line["table"], line["method"]) for line in read(store)}
    for method in methods:
        for name, (X, y) in tables(names).items():
            if (name, method) in done:
                continue
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found = cell(METHODS[method], X, y)
            except Exception as error:  # a peer that refuses a table has no number for it
                print(f"{method} on {name}: {error}")
                found = {}
            with store.open("a") as file:
                file.write(json.dumps({"table": name, "method": method, **found}) + "\n")
            print(name, method, {key: round(value, 4) for key, value in found.items()}, flush=True)


def read(store: Path) -> list[dict[str, Any]]:
    """Return the lines of the store."""
    return [json.loads(line) for line in store.read_text().splitlines()] if store.exists() else []


def show(store: Path, methods: list[str]) -> None:
    """Print means over the tables that all methods have, and errors table by table."""
    lines = [line for line in read(store) if "error" in line and line["method"] in methods]
    by_table: dict[str, dict[str, Any]] = {}
    for line in lines:
        by_table.setdefault(line["table"], {})[line["method"]] = line
    full = {name: row for name, row in by_table.items() if len(row) == len(methods)}
    print(f"{len(full)} tables\n")
    keys = ("error", "log loss", "calibration error", "leaves", "seconds")
    print("| | " + " | ".join(keys) + " | mean rank, error | log loss |")
    print("|---" * (len(keys) + 3) + "|")
    ranks = {key: mean_ranks(full, methods, key) for key in keys[:2]}
    for place, method in enumerate(methods):
        means = [np.mean([row[method][key] for row in full.values()]) for key in keys]
        shown = [f"{100 * means[0]:.1f}", f"{means[1]:.3f}", f"{means[2]:.3f}"]
        shown += ["" if np.isnan(means[3]) else f"{means[3]:.0f}", f"{means[4]:.2f}"]
        shown += [f"{ranks[key][place]:.2f}" for key in keys[:2]]
        print(f"| {method} | " + " | ".join(shown) + " |")
    print(
        "\n| error / log loss | " + " | ".join(methods) + " |\n|---" + "|---" * len(methods) + "|"
    )
    for name, row in sorted(full.items()):
        cells = [f"{100 * row[m]['error']:.1f} / {row[m]['log loss']:.2f}" for m in methods]
        print(f"| {name} | " + " | ".join(cells) + " |")


def mean_ranks(full: dict[str, dict[str, Any]], methods: list[str], key: str) -> Any:
    """Return the mean rank of each method."""
    from softwood.statistics import mean_ranks as ranks_of

    if len(methods) < 2:
        return np.ones(1)
    return ranks_of(np.array([[row[m][key] for m in methods] for row in full.values()]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--sets", nargs="+", default=[*REGISTRY, *FURTHER])
    parser.add_argument("--table", action="store_true", help="only print what is there")
    options = parser.parse_args()
    if not options.table:
        run(options.store, options.methods, options.sets)
    show(options.store, options.methods)
