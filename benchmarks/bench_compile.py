"""How long until the first prediction, with nothing compiled: each estimator in a fresh process.

Usage: python benchmarks/bench_compile.py [name ...] [--slowest N]

CPU seconds from the start of Python, imports included; 569 x 30, plain, with gaps, with categories.
The second and third table of an estimator are fitted after the first, in the same process: what
they add is what a table with gaps or categories costs more.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

from _timing import table

NAMES = (
    "C45Classifier",
    "CARTClassifier",
    "BaggedTreesClassifier",
    "EvolvedTreeClassifier",
    "SoftTreeClassifier",
    "ObliqueTreeClassifier",
    "CoalescenceRegressor",
    "VRForestClassifier",
    "CoalescenceClassifier",
)
CODE = """
import json, sys, warnings
from time import process_time, thread_time
import numpy as np, pandas as pd
from sklearn.datasets import load_breast_cancer
import softwood
from numba.core import event

warnings.simplefilter("ignore")
own, open_ones = {}, []

class Watch(event.Listener):
    def on_start(self, event):
        open_ones.append([thread_time(), 0.0])
    def on_end(self, event):
        begun, below = open_ones.pop()
        spent = thread_time() - begun
        function = event.data["dispatcher"].py_func
        name = f"{function.__module__.replace('softwood._kernels', '')}.{function.__name__}"
        own.setdefault(name, []).append(spent - below)
        if open_ones:
            open_ones[-1][1] += spent

event.register("numba:compile", Watch())
X, y = load_breast_cancer(return_X_y=True)
if sys.argv[1].endswith("Regressor"):
    y = X[:, 3] * 1.0
gaps = X.copy()
gaps[::9, 4] = np.nan
mixed = pd.DataFrame(X).rename(columns=str)
mixed["colour"] = np.where(X[:, 0] > 14, "red", np.where(X[:, 1] > 19, "green", "blue"))
seconds, counts = [], []
for rows in (X, gaps, mixed):
    model = getattr(softwood, sys.argv[1])()
    model.fit(rows, y)
    getattr(model, "predict_proba", model.predict)(rows)
    seconds.append(process_time())
    counts.append(sum(map(len, own.values())))
print(json.dumps([seconds, counts, {name: [len(s), sum(s)] for name, s in own.items()}]))
"""


def measured(name: str) -> tuple[list[float], list[int], dict[str, list[float]]]:
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "SOFTWOOD_QUIET": "1"}
        done = subprocess.run(
            [sys.executable, "-c", CODE, name], check=True, env=environment, stdout=subprocess.PIPE
        )
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--slowest", type=int, default=0, help="functions to show of each")
    asked = parser.parse_args()
    rows = []
    for name in asked.names:
        (plain, gaps, mixed), counts, own = measured(name)
        more = [f"{plain:.1f}", f"+{gaps - plain:.1f}", f"+{mixed - gaps:.1f}"]
        rows.append([name, *more, str(counts[0]), str(counts[2])])
        print(rows[-1], flush=True)
        slowest = sorted(own.items(), key=lambda item: -item[1][1])[: asked.slowest]
        for function, (times, seconds) in slowest:
            print(f"    {function:<60} x{times} {seconds:.2f}")
    heads = ["estimator", "plain", "gaps", "categories", "functions", "with all"]
    print(table("Empty cache to first prediction, CPU seconds", heads, rows))


if __name__ == "__main__":
    main()
