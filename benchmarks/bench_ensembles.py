"""Coalescence beside scikit-learn's forests: fit, predict, threads, memory.

    SOFTWOOD_DATA=... python benchmarks/bench_ensembles.py [NAME ...] [--large] [--n-jobs 1]

Of tables with categories, Coalescence gets the frame and the peers its one-hot columns. 100 trees
each, fewer where ``--trees`` says so. Kernels are warm; times are the best of a few turns, of the
processor with one job and of the clock on the wall with more. Memory is the peak of a fresh
process beyond what it held before the fit.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
import pandas as pd
from _timing import cpu_seconds, seconds, table
from bench_corners import mixed
from pandas.api.types import is_numeric_dtype
from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from softwood import CoalescenceClassifier
from softwood.datasets import load_dataset

NAMES = ("letter", "satimage", "spambase", "magic", "100k x 20", "50 000 x 14 mixed")
MODELS = {
    "Coalescence": CoalescenceClassifier,
    "RandomForest": RandomForestClassifier,
    "ExtraTrees": ExtraTreesClassifier,
}


def loaded(name):
    if name == "100k x 20":
        return make_classification(100_000, 20, n_informative=10, random_state=0)
    if name.endswith("mixed"):
        X, _, y = mixed(50_000, 14)
        return X, y
    if name == "1M x 10":
        return make_classification(1_000_000, 10, n_informative=5, random_state=0)
    X, y = load_dataset(name, return_X_y=True)
    is_numeric = all(is_numeric_dtype(dtype) for dtype in X.dtypes)
    return (X.to_numpy(float) if is_numeric else X), y.to_numpy(str)


def for_peers(X):
    return pd.get_dummies(X).to_numpy(float) if isinstance(X, pd.DataFrame) else X


def many_rows(X):
    """Return 10 000 rows, most of them several times."""
    pick = np.arange(10_000) % len(X)
    return X.iloc[pick] if isinstance(X, pd.DataFrame) else np.ascontiguousarray(X[pick])


def model_of(kind, n_trees, n_jobs):
    return MODELS[kind](n_estimators=n_trees, n_jobs=n_jobs, random_state=0)


def best_times(jobs, rounds, clock):
    """Return the best time of each job; they take turns."""
    turns = [[clock(job) for job in jobs] for _ in range(rounds)]
    return np.min(turns, axis=0)


def timed(name, n_trees, n_jobs, rounds):
    X, y = loaded(name)
    if len(X) >= 1_000_000:
        n_trees, rounds = min(n_trees, 10), 1
    models = [model_of(kind, n_trees, n_jobs) for kind in MODELS]
    tables = [X, for_peers(X), for_peers(X)]
    pairs = list(zip(models, tables, strict=True))
    clock = cpu_seconds if n_jobs == 1 else seconds
    fit = best_times([lambda m=m, T=T: m.fit(T, y) for m, T in pairs], rounds, clock)
    questions = [(m, many_rows(T)) for m, T in pairs[:2]]
    ask = best_times([lambda m=m, T=T: m.predict_proba(T) for m, T in questions], 5, clock)
    ours, forest, extra = fit
    times = [f"{t:.2f}" for t in fit]
    ratios = [f"{ours / forest:.2f}", f"{ours / extra:.2f}"]
    asked = [f"{1e3 * ask[0]:.0f}", f"{1e3 * ask[1]:.0f}", f"{ask[0] / ask[1]:.2f}"]
    return [name, str(n_trees), str(n_jobs), *times, *ratios, *asked]


def resident(field):
    """Return a line of /proc/self/status in MiB: VmRSS is now, VmHWM the peak."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024


def measure_memory(name, kind, n_trees):
    """Print how much the fit adds to what this process holds, at its peak, in MiB."""
    X, y = loaded(name)
    X = X if kind == "Coalescence" else for_peers(X)
    model_of(kind, 2, 1).fit(X[:2000], y[:2000])  # what imports and kernels take is not the fit's
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    before = resident("VmRSS")
    model_of(kind, n_trees, 1).fit(X, y)
    print(resident("VmHWM") - before)


def memory(name, n_trees):
    if name == "1M x 10":
        n_trees = min(n_trees, 10)
    peaks = []
    for kind in ("Coalescence", "RandomForest"):
        command = [sys.executable, __file__, name, "--trees", str(n_trees), "--memory-of", kind]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        peaks.append(float(run.stdout))
    return [name, str(n_trees), *(f"{peak:.0f}" for peak in peaks), f"{peaks[0] / peaks[1]:.2f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--large", action="store_true", help="1M x 10 as well, 10 trees")
    parser.add_argument("--n-jobs", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory-of", help="measure one fit in this process, and nothing else")
    options = parser.parse_args()
    if options.memory_of:
        measure_memory(options.names[0], options.memory_of, options.trees)
        return
    names = [*options.names, *(["1M x 10"] if options.large else [])]
    CoalescenceClassifier(4).fit(*loaded("satimage"))
    rows = []
    for name in names:
        for n_jobs in options.n_jobs:
            rows.append(timed(name, options.trees, n_jobs, options.rounds))
            print(rows[-1], flush=True)
    header = ["data", "trees", "jobs", "Coalescence s", "forest s", "extra trees s"]
    header += ["/ forest", "/ extra", "predict ms", "forest ms", "ratio"]
    print(table("Fit, and probabilities of 10 000 rows", header, rows))
    header = ["data", "trees", "Coalescence MiB", "forest MiB", "ratio"]
    print(table("Memory of the fit", header, [memory(name, options.trees) for name in names]))


if __name__ == "__main__":
    main()
