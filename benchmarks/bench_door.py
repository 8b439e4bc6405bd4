"""The front door against polars and arrays: reading, predicting from files, fitting from files.

Every job is a process of its own: its wall time, its processor time and its peak memory count.

Usage: python bench_door.py [--rows 10000000]
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from _timing import table

SOFTWOOD = (
    "import sys; sys.argv[1:] = {words!r}; from softwood.cli.main import main; sys.exit(main())"
)
WRITE = """
import numpy as np, polars as pl
rng = np.random.default_rng(0)
n = {n}
columns = {{f"x{{i}}": rng.normal(size=n).round(4) for i in range({p} - 1)}}
columns["y"] = np.where(columns["x0"] + columns["x1"] + rng.normal(size=n) > 0, "yes", "no")
pl.DataFrame(columns).write_csv({path!r})
"""
READ_POLARS = "import polars as pl; pl.read_csv({path!r})"
READ_OURS = """
from softwood.data.readers import opened
with opened([{path!r}]) as rows:
    rows.collect()
"""
PREPARE_OURS = """
from softwood.cli._training import training_of
training_of([{path!r}], "y")
"""
PREDICT_ARRAY = """
import polars as pl, softwood
model = softwood.load({model!r})
frame = pl.read_csv({path!r})
X = frame.drop("y").to_numpy()
del frame, model.feature_names_in_
model.predict_proba(X)
"""
FIT_ARRAY = """
import polars as pl
from softwood import CoalescenceClassifier
frame = pl.read_csv({path!r})
CoalescenceClassifier(random_state=0).fit(frame.drop("y").to_numpy(), frame["y"].to_numpy())
"""


def measured(code):
    """Return wall seconds, processor seconds and the peak of memory in MiB of some code."""
    begun = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"failed: {code}")
    wall = time.perf_counter() - begun
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def row(name, ours, theirs):
    cells = [f"{mine:.1f} / {other:.1f}" for mine, other in zip(ours, theirs, strict=True)]
    ratios = [f"{mine / other:.2f}" for mine, other in zip(ours, theirs, strict=True)]
    return [name, *(f"{cell} ({ratio})" for cell, ratio in zip(cells, ratios, strict=True))]


def best(code, turns):
    """Return the turn that took least of the processor."""
    return min((measured(code) for _ in range(turns)), key=lambda found: found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows to predict")
    parser.add_argument("--turns", type=int, default=2)
    options = parser.parse_args()
    rows = []
    with TemporaryDirectory() as folder:
        files = {
            name: str(Path(folder, f"{name}.csv")) for name in ("read", "predict", "fit", "train")
        }
        model, answers = str(Path(folder, "m.softwood")), str(Path(folder, "answers.csv"))
        sizes = {"read": (2_000_000, 10), "predict": (options.rows, 10), "fit": (500_000, 7)}
        sizes["train"] = (50_000, 10)
        for name, (n, p) in sizes.items():
            measured(WRITE.format(n=n, p=p, path=files[name]))
        fit = ["fit", files["train"], "--target", "y", "--model", "cart", "--folds", "0"]
        for _ in range(2):  # the first time compiles
            measured(SOFTWOOD.format(words=[*fit, "-o", model]))
        predict = ["predict", model, files["predict"], "-o", answers]
        fit = ["fit", files["fit"], "--target", "y", "--model", "coalescence"]
        measured(SOFTWOOD.format(words=["predict", model, files["train"], "-o", answers]))
        measured(SOFTWOOD.format(words=[*fit[:1], files["train"], *fit[2:]]))
        for name, ours, theirs in (
            (
                "read 2M x 10 / polars",
                READ_OURS.format(path=files["read"]),
                READ_POLARS.format(path=files["read"]),
            ),
            (
                "the same, columns understood and made features",
                PREPARE_OURS.format(path=files["read"]),
                READ_POLARS.format(path=files["read"]),
            ),
            (
                f"predict {options.rows / 1e6:g}M x 10, CART / polars + predict_proba of an array",
                SOFTWOOD.format(words=predict),
                PREDICT_ARRAY.format(path=files["predict"], model=model),
            ),
            (
                "fit Coalescence 500k x 6 / the same from an array",
                SOFTWOOD.format(words=[*fit, "-o", model]),
                FIT_ARRAY.format(path=files["fit"]),
            ),
        ):
            rows.append(row(name, best(ours, options.turns), best(theirs, options.turns)))
    header = ["ours / theirs", "wall s", "CPU s", "MiB"]
    print(table("The front door", header, rows))


if __name__ == "__main__":
    main()
