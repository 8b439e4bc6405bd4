"""CART and C4.5 against scikit-learn's tree: fit, predict, one row, growth with size.

Usage: python benchmarks/bench_trees.py [--large]

letter, satimage and magic come from the extra ``data``. Kernels are warm, one thread; times are
the processor's. Of the mixed table half of the columns are categories: ours gets a frame, the
peer codes.
"""

import argparse
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
from _timing import cpu_seconds, in_turns, table
from bench_corners import mixed
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from softwood import C45Classifier, CARTClassifier, CARTRegressor
from softwood.datasets import load_dataset


def data_sets(large: bool):
    for name in ("letter", "satimage", "magic"):
        X, y = load_dataset(name, return_X_y=True)
        X, y = X.to_numpy(float), y.to_numpy(str)
        yield name, X, X, y
    X, y = make_classification(100_000, 20, random_state=0)
    yield "100k x 20", X, X, y
    yield "50 000 x 14 mixed", *mixed(50_000, 14)
    if large:
        X, y = make_classification(1_000_000, 10, random_state=0)
        yield "1M x 10", X, X, y


def warm_up() -> None:
    X, y = make_classification(300, 5, random_state=0)
    frame, _, words = mixed(344, 6)
    for model in (CARTClassifier(), CARTClassifier("entropy"), C45Classifier(), CARTRegressor()):
        model.fit(frame, words).predict(frame)
        model.fit(X, y).predict(X)
    DecisionTreeClassifier().fit(X, y).predict_proba(X)


def fit_rows(large: bool) -> list[list[str]]:
    rows = []
    for name, X, codes, y in data_sets(large):
        rounds = 1 if X.shape[0] >= 1_000_000 else 3 if X.shape[0] >= 100_000 else 7
        for label, model, peer in (
            ("CART gini", CARTClassifier(), DecisionTreeClassifier(random_state=0)),
            (
                "CART entropy",
                CARTClassifier("entropy"),
                DecisionTreeClassifier(criterion="entropy"),
            ),
            ("C4.5, pruned", C45Classifier(), DecisionTreeClassifier(random_state=0)),
        ):
            if large and label == "CART entropy" and X.shape[0] >= 1_000_000:
                continue
            ours, theirs = in_turns(lambda: model.fit(X, y), lambda: peer.fit(codes, y), rounds)
            leaves = f"{model.get_n_leaves()} / {peer.get_n_leaves()}"
            rows.append(
                [name, label, f"{ours:.3f}", f"{theirs:.3f}", f"{ours / theirs:.2f}", leaves]
            )
            print(rows[-1], flush=True)
    X, y = make_classification(100_000, 20, random_state=0)
    target = X[:, 3] * 2 + np.sin(3 * X[:, 1]) + y
    model, peer = CARTRegressor(min_samples_leaf=5), DecisionTreeRegressor(min_samples_leaf=5)
    ours, theirs = in_turns(lambda: model.fit(X, target), lambda: peer.fit(X, target), 2)
    leaves = f"{model.get_n_leaves()} / {peer.get_n_leaves()}"
    label = "CART squared error"
    rows.append(
        ["100k x 20", label, f"{ours:.3f}", f"{theirs:.3f}", f"{ours / theirs:.2f}", leaves]
    )
    return rows


def predict_rows() -> list[list[str]]:
    rows = []
    for name, X, codes, y in data_sets(large=False):
        model = CARTClassifier().fit(X, y)
        peer = DecisionTreeClassifier(random_state=0).fit(codes, y)
        for n, rounds in ((10_000, 30), (1, 300)):
            pick = np.arange(n) % len(codes)
            part = X[pick] if X is codes else X.iloc[pick]
            theirs_part = np.ascontiguousarray(codes[pick])
            ours, theirs = in_turns(
                lambda: model.predict_proba(part), lambda: peer.predict_proba(theirs_part), rounds
            )
            rows.append(
                [name, f"{n}", f"{ours * 1e6:.0f}", f"{theirs * 1e6:.0f}", f"{ours / theirs:.2f}"]
            )
            print(rows[-1], flush=True)
    return rows


def growth_rows(large: bool) -> list[list[str]]:
    """Fit time by size: per n log2 n, and per row, level of the tree and feature."""
    rows = []
    sizes = [1_000, 10_000, 100_000] + ([1_000_000] if large else [])
    X, y = make_classification(sizes[-1], 10, random_state=0)
    for label, model in (
        ("CART, depth 12", CARTClassifier(max_depth=12)),
        ("CART", CARTClassifier()),
        ("C4.5, pruned", C45Classifier()),
    ):
        for n in sizes:
            rounds = 1 if n > 100_000 else 5
            time = min(cpu_seconds(lambda: model.fit(X[:n], y[:n])) for _ in range(rounds))
            tree = model.tree_
            visits = tree.weight[~tree.is_leaf].sum()
            rows.append(
                [
                    label,
                    f"{n}",
                    f"{time:.4f}",
                    f"{1e9 * time / (n * np.log2(n)):.0f}",
                    f"{visits / n:.1f}",
                    f"{1e9 * time / (visits * 10):.1f}",
                ]
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="with 1M rows: some minutes")
    large = parser.parse_args().large
    warm_up()
    print(
        table(
            "Fit, seconds",
            ["data", "model", "softwood", "scikit-learn", "ratio", "leaves"],
            fit_rows(large),
        )
    )
    print(
        table(
            "predict_proba, microseconds",
            ["data", "rows", "softwood", "scikit-learn", "ratio"],
            predict_rows(),
        )
    )
    header = ["model", "rows", "s", "ns / (n log2 n)", "mean depth", "ns / (row level feature)"]
    print(table("Fit time by size (10 features)", header, growth_rows(large)))


if __name__ == "__main__":
    main()
