"""Peak memory of fitting 1M x 10, in a fresh process.

Usage: python benchmarks/bench_memory.py
"""

import resource
import sys

import numpy as np

from softwood import C45Classifier, CARTClassifier


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def main() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1_000_000, 10))
    y = (X[:, :3].sum(axis=1) + rng.normal(size=len(X)) > 0).astype(int)
    print(f"data made: {peak():.2f} GiB")
    model = C45Classifier if "c45" in sys.argv else CARTClassifier
    tree = model().fit(X, y).tree_
    print(f"{model.__name__} fitted, {tree.n_leaves} leaves: {peak():.2f} GiB")


if __name__ == "__main__":
    main()
