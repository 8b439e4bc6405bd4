"""Oblique trees against scikit-learn's tree: fit with one thread and two, and what they weigh.

Usage: python benchmarks/bench_oblique.py [--rounds 7]

pima and magic come from the extra ``data``, or from the folder in SOFTWOOD_DATA. Kernels are
warm. Ratios are to scikit-learn's tree, fitted in turns with ours.
"""

import argparse
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
from _timing import in_turns, table
from sklearn.tree import DecisionTreeClassifier

from softwood import ObliqueTreeClassifier
from softwood.datasets import load_dataset

MODELS = {
    "OC1": ObliqueTreeClassifier(random_state=0),
    "OC1, two threads": ObliqueTreeClassifier(random_state=0, n_jobs=2),
    "FAT": ObliqueTreeClassifier(random_state=0, widen=True),
    "OC1, classic search": ObliqueTreeClassifier(random_state=0, search="classic"),
    "MOC1": ObliqueTreeClassifier("moc1", random_state=0),
    "MOC2": ObliqueTreeClassifier("moc2", random_state=0),
}
SLOW = ("OC1, classic search", "MOC1", "MOC2")  # once is enough


def data_sets():
    for name, n_rows in (("pima", 768), ("magic", 4000)):
        X, y = load_dataset(name, return_X_y=True)
        rows = np.random.default_rng(0).permutation(len(X))[:n_rows]
        yield f"{name}, {n_rows} rows", X.to_numpy(float)[rows], y.to_numpy(str)[rows]


def fit_rows(rounds: int) -> list[list[str]]:
    rows = []
    for name, X, y in data_sets():
        peer, times = DecisionTreeClassifier(random_state=0), {}
        for label, model in MODELS.items():
            model.fit(X[:200], y[:200])  # compiles what is not compiled yet
            ours, theirs = in_turns(
                lambda: model.fit(X, y), lambda: peer.fit(X, y), 1 if label in SLOW else rounds
            )
            times[label] = ours
            rows.append(
                [
                    name,
                    label,
                    f"{ours:.3f}",
                    f"{theirs:.4f}",
                    f"{ours / theirs:.1f}",
                    f"{times['OC1'] / ours:.2f}",
                    f"{model.get_n_leaves()} / {peer.get_n_leaves()}",
                ]
            )
            print(rows[-1], flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="of which the best counts")
    header = ["data", "model", "softwood, s", "scikit-learn, s", "ratio", "speed-up", "leaves"]
    print(table("Fit of oblique trees", header, fit_rows(parser.parse_args().rounds)))


if __name__ == "__main__":
    main()
