"""Fits beside those that others are proud of: Intel's forest, LightGBM, EBM. CPU and wall seconds.

    SOFTWOOD_DATA=... python benchmarks/bench_anchors.py [TABLE ...] [--turns 3]

Peers are optional; what is not installed is left out. They belong into an environment of their
own, for scikit-learn-intelex changes what scikit-learn does:

    python -m venv peers && peers/bin/pip install scikit-learn-intelex lightgbm interpret-core .

One thread each, kernels warm, 100 trees, the best of turns that are taken in turn. The mixed table
is one as users have it: half of its columns are categories, which ours gets as a frame
and the others as codes.
"""

import argparse
import os
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

from time import perf_counter, process_time

import numpy as np
from _timing import table
from bench_corners import mixed, named
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.model_selection import train_test_split

import softwood as sw

ENSEMBLES = ("letter", "satimage", "spambase", "magic", "100k x 20", "50 000 x 14 mixed")
SINGLE = ("569 x 30", "spambase")


def rows_of(name):
    """Return what ours gets, what peers get, and the classes."""
    if name == "569 x 30":
        X, y = load_breast_cancer(return_X_y=True)
        return X, X, y
    if name == "100k x 20":
        X, y = make_classification(100_000, 20, n_informative=10, random_state=0)
        return X, X, y
    if name.endswith("mixed"):
        return mixed(50_000, 14)
    X, y = named(name)
    return X, X, y


def intelex():
    from sklearnex.ensemble import RandomForestClassifier

    return RandomForestClassifier(100, random_state=0, n_jobs=1)


def lightgbm():
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_estimators=100, n_jobs=1, verbose=-1)


def ebm():
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(n_jobs=1, random_state=0)


def made(make):
    """Return a peer, or None if it is not there."""
    try:
        return make()
    except ImportError:
        return None


def best_of(jobs, turns):
    """Return the least CPU and wall seconds of each job; None for no job."""
    found = [[np.inf, np.inf] if job else None for job in jobs]
    for _ in range(turns):
        for job, best in zip(jobs, found, strict=True):
            if job:
                wall, cpu = perf_counter(), process_time()
                job()
                best[0] = min(best[0], process_time() - cpu)
                best[1] = min(best[1], perf_counter() - wall)
    return found


def shown(seconds):
    return "" if seconds is None else f"{seconds[0]:.2f} ({seconds[1]:.2f})"


def ensembles(names, turns):
    rows, peers = [], [made(intelex), made(lightgbm)]
    for name in names:
        own, theirs, y = rows_of(name)
        ours = sw.CoalescenceClassifier(random_state=0)
        ours.fit(own, y)  # kernels are warm
        jobs = [lambda m=ours, X=own: m.fit(X, y)]
        jobs += [None if m is None else (lambda m=m, X=theirs: m.fit(X, y)) for m in peers]
        found = best_of(jobs, turns)
        ratios = ["" if f is None else f"{found[0][0] / f[0]:.2f}" for f in found[1:]]
        rows.append([name, *map(shown, found), *ratios])
        print(rows[-1], flush=True)
    head = ["data", "Coalescence", "intelex forest", "LightGBM", "/ intelex", "/ LightGBM"]
    return table("Fits of 100 trees, CPU seconds (wall)", head, rows)


def single(names):
    rows, peer = [], made(ebm)
    models = {"C4.5": sw.C45Classifier(), "CART, pruned": sw.CARTClassifier(pruning="cv")}
    models["soft tree"] = sw.SoftTreeClassifier(random_state=0)
    models |= {} if peer is None else {"EBM": peer}
    for name in names:
        X, _, y = rows_of(name)
        X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=1 / 3, random_state=0)
        for label, model in models.items():
            if model is not peer:
                model.fit(X_train[:100], y_train[:100])
            found = best_of([lambda m=model: m.fit(X_train, y_train)], 1)[0]
            error = 1.0 - model.score(X_test, y_test)
            rows.append([name, label, shown(found), f"{100 * error:.1f}"])
            print(rows[-1], flush=True)
    return table("One model that can be read", ["data", "model", "s", "test error, %"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", default=[*ENSEMBLES, *SINGLE])
    parser.add_argument("--turns", type=int, default=3)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    print(ensembles([name for name in ENSEMBLES if name in asked.tables], asked.turns))
    print(single([name for name in SINGLE if name in asked.tables]))


if __name__ == "__main__":
    main()
