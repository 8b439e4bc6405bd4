"""Soft oblique trees beside soft trees and a forest: the tables of docs/guide/soft-trees.md.

    SOFTWOOD_DATA=... python benchmarks/study_oblique_soft.py [--small] [--seeds 0 7]

MAGIC, splits 2:1: errors, seconds of the processor over those of the forest in the same run,
and how long the sums are. With --small: eleven small data sets, ten folds. Minutes.
"""

import argparse
from time import process_time

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from softwood import CARTClassifier, Gradient, ObliqueTreeClassifier, SoftTreeClassifier
from softwood.datasets import load_dataset
from softwood.evaluate import compare

SMALL = (
    "bupa", "credit-a", "glass", "heart", "ionosphere", "iris", "pima", "sonar", "vehicle",
    "wdbc", "wine",
)  # fmt: skip
METHODS = {
    "forest of 100": RandomForestClassifier(100, random_state=0),
    "pruned": CARTClassifier(pruning="cv", random_state=0),
    "oc1": ObliqueTreeClassifier(random_state=0),
    "soft, 128 leaves": SoftTreeClassifier(random_state=0),
    "oblique, 16": SoftTreeClassifier(oblique=True, max_leaf_nodes=16, random_state=0),
    "oblique, 32": SoftTreeClassifier(oblique=True, max_leaf_nodes=32, random_state=0),
    "oblique, 64": SoftTreeClassifier(oblique=True, max_leaf_nodes=64, random_state=0),
    "oblique, 32, no teacher": SoftTreeClassifier(
        method=Gradient(teacher=0), oblique=True, max_leaf_nodes=32, random_state=0
    ),
}


def terms_of(model: object) -> float:
    """Features per test; NaN for a forest."""
    tree = getattr(model, "tree_", None)
    if tree is None:
        return np.nan
    n_tests = np.count_nonzero(tree.n_children)
    return (tree.term_weight.size + np.count_nonzero(tree.feature >= 0)) / n_tests


def magic(seeds: range) -> None:
    X, y = load_dataset("magic", return_X_y=True)
    X, y = X.to_numpy(float), y.to_numpy(str)
    for model in METHODS.values():
        clone(model).fit(X[::40], y[::40])  # compilation is not counted
    found = []
    for seed in seeds:
        A, B, a, b = train_test_split(X, y, test_size=1 / 3, random_state=seed)
        row = []
        for model in METHODS.values():
            model = clone(model)
            start = process_time()
            model.fit(A, a)
            row.append((1 - model.score(B, b), process_time() - start, terms_of(model)))
        found.append(row)
        print(seed, dict(zip(METHODS, np.round([e for e, *_ in row], 4).tolist(), strict=True)))
    error, seconds, terms = np.transpose(found, (2, 1, 0))
    for k, name in enumerate(METHODS):
        ratio = seconds[k].min() / seconds[0].min()
        print(f"{name:24} {error[k].mean():.4f}  {ratio:5.2f} x  {terms[k].mean():.1f} features")


def small() -> None:
    methods = {name: METHODS[name] for name in ("soft, 128 leaves", "oblique, 32", "forest of 100")}
    result = compare(methods, list(SMALL), "kfold:10", n_jobs=1, verbose=1)
    print(result.to_text("error"))
    print(result.ranks("error"))
    print("errors", result.scores("error").mean(axis=0).round(4))
    print("log loss", result.scores("log_loss").mean(axis=0).round(4))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 7), help="from, and up to")
    options = parser.parse_args()
    if options.small:
        small()
    else:
        magic(range(*options.seeds))
