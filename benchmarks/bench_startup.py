"""How long until the first tree: imports, a warm cache, a cold cache, in fresh processes.

Usage: python benchmarks/bench_startup.py
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from _timing import table

FIT = """
from softwood import C45Classifier
from softwood.datasets import load_dataset
table = load_dataset("iris").table
C45Classifier().fit(table.drop(["class"]), table["class"].as_objects().astype(str))
"""


def seconds(code: str, cache: str) -> float:
    start = perf_counter()
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    subprocess.run(
        [sys.executable, "-c", code], check=True, env=environment, stderr=subprocess.DEVNULL
    )
    return perf_counter() - start


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        cache = str(Path(folder) / "cache")
        cold = seconds(FIT, cache)
        rows = [
            ["python alone", min(seconds("pass", cache) for _ in range(10))],
            ["import softwood", min(seconds("import softwood", cache) for _ in range(10))],
            ["import numpy", min(seconds("import numpy", cache) for _ in range(5))],
            ["import sklearn.base", min(seconds("import sklearn.base", cache) for _ in range(5))],
            ["first C4.5 fit on iris, warm cache", min(seconds(FIT, cache) for _ in range(5))],
            ["first C4.5 fit on iris, cold cache", cold],
        ]
    print(
        table(
            "Start-up, seconds in a fresh process",
            ["what", "s"],
            [[w, f"{s:.3f}"] for w, s in rows],
        )
    )


if __name__ == "__main__":
    main()
