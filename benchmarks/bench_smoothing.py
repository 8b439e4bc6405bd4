"""What smoothing costs: soft prediction beside 50 bagged trees, and the choice of lambda.

    SOFTWOOD_DATA=... python benchmarks/bench_smoothing.py [NAME ...]

The trees are fully grown on half of the rows (10000 at most). Lambda is tuned by ten folds;
prediction is of 10000 rows, with probabilities. The peer is scikit-learn's bagging of 50 of
its trees. Times are the best of several turns.
"""

import argparse

import numpy as np
from _timing import in_turns, seconds, table
from sklearn.ensemble import BaggingClassifier
from sklearn.tree import DecisionTreeClassifier

from softwood.data.training import TrainingSet
from softwood.datasets import load_dataset
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.refine.perturb import tune_by_folds

NAMES = ("letter", "pendigits", "satimage", "spambase", "segment")
N_ROWS, N_FOLDS, N_TREES = 10_000, 10, 50


def halves(name):
    """Return the training half and the other half, as arrays."""
    data = load_dataset(name)
    X = np.ascontiguousarray(data.X, dtype=np.float64)
    y = np.unique(np.asarray(data.y), return_inverse=True)[1]
    order = np.random.default_rng(0).permutation(len(X))
    train, test = order[: len(X) // 2][:N_ROWS], order[len(X) // 2 :]
    return X[train], y[train], X[test], y[test]


def measured(name, rounds):
    X, y, X_test, y_test = halves(name)
    data = TrainingSet.of_classes(X, y, n_classes=int(y.max()) + 1)
    grow = GreedyGrower(Cart()).grow
    fold = np.arange(len(X)) % N_FOLDS
    folds = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(N_FOLDS)]
    tree, path = grow(data), tune_by_folds(grow, data, folds)  # kernels are warm from here on
    trees = [grow(data.take(train)) for train, _ in folds]
    growing = seconds(lambda: [grow(data.take(train)) for train, _ in folds])
    tuning = seconds(lambda: tune_by_folds(trees, data, folds))

    bagged = BaggingClassifier(DecisionTreeClassifier(), N_TREES, random_state=0)
    bagging = seconds(lambda: bagged.fit(X, y))
    rows = np.resize(X_test, (N_ROWS, X.shape[1]))
    flow = path.flow
    ours, theirs = in_turns(
        lambda: flow.predict(tree, rows), lambda: bagged.predict_proba(rows), rounds
    )
    error = np.mean(flow.predict(tree, X_test).argmax(axis=1) != y_test)
    times = [f"{ours * 1e3:.0f}", f"{theirs * 1e3:.0f}", f"{ours / theirs:.2f}"]
    predicting = [name, f"{path.smoothing:.3f}", f"{tree.n_leaves}", *times]
    choosing = [name, f"{growing:.2f}", f"{tuning:.2f}", f"{bagging:.2f}", f"{error:.4f}"]
    return predicting, choosing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    found = [measured(name, options.rounds) for name in options.names]
    header = ["data", "lambda", "leaves", "soft tree ms", "50 bagged trees ms", "ratio"]
    print(table(f"Probabilities of {N_ROWS} rows", header, [row for row, _ in found]))
    header = ["data", "growing the folds s", "tuning s", "fitting 50 bagged trees s", "error"]
    print(table("Choosing lambda by ten folds", header, [row for _, row in found]))


if __name__ == "__main__":
    main()
