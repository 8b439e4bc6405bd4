"""What partitions cost, what the exchange gives, and what both take.

    python benchmarks/bench_dask.py partitions --rows 1000000     # error by partitions and exchange
    python benchmarks/bench_dask.py peers --rows 1000000          # beside LightGBM and scikit-learn
    python benchmarks/bench_dask.py large --gigabytes 4           # Parquet larger than the workers

Two worker processes of one thread each; 64 trees. Error on new rows of the same kind.
"""

from __future__ import annotations

import argparse
import logging
import os
import resource
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from time import perf_counter, sleep

import numpy as np

N_TREES, N_NEW = 64, 50_000
MOST_SENT = 1_000_000  # rows that are made here; workers make more themselves


def smooth(n_rows, seed):
    """Two classes on both sides of a smooth surface; 4 of 10 columns count."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 10))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + np.sin(2 * X[:, 3]) > 0).astype(int)


def mixed(n_rows, seed):
    """The same, one column in twelve categories, one of noise in five, two with gaps, labels of
    one row in twenty wrong."""
    X, y = smooth(n_rows, seed)
    rng = np.random.default_rng(seed + 1)
    X[:, 0] = np.clip(np.round(2 * X[:, 0]), -6, 5) + 6
    X[:, 9] = rng.integers(0, 5, n_rows)
    X[:, [3, 8]] = np.where(rng.random((n_rows, 2)) < 0.05, np.nan, X[:, [3, 8]])
    return X, y ^ (rng.random(n_rows) < 0.05)


TABLES = {"numeric": (smooth, "from_dtype"), "mixed": (mixed, [0, 9])}


def collections(X, y, n_partitions):
    """Return Dask arrays that lie on the workers."""
    import dask.array as da
    from dask.distributed import wait

    chunk = -(-len(X) // n_partitions)
    far = [da.from_array(X, chunks=(chunk, -1)).persist(), da.from_array(y, chunks=chunk).persist()]
    wait(far)
    return far


@contextmanager
def two_workers():
    """Yield a client of a new cluster."""
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            memory_limit="4GiB",
            dashboard_address=":0",
            silence_logs=logging.ERROR,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def spread(n_rows, n_partitions):
    """Return Dask arrays of the smooth surface that the workers make themselves."""
    import dask
    import dask.array as da

    n = n_rows // n_partitions
    parts = [dask.delayed(smooth, nout=2)(n, seed) for seed in range(n_partitions)]
    X = [da.from_delayed(part[0], (n, 10), float) for part in parts]
    y = [da.from_delayed(part[1], (n,), int) for part in parts]
    return da.concatenate(X), da.concatenate(y)


def own_cpu():
    spent = resource.getrusage(resource.RUSAGE_SELF)
    return spent.ru_utime + spent.ru_stime


class Spent:
    """Wall seconds, and CPU seconds of this process and all workers."""

    def __init__(self, client):
        self.client = client

    def __enter__(self):
        self._wall, self._cpu = perf_counter(), self._all_cpu()
        return self

    def __exit__(self, *_):
        self.wall = perf_counter() - self._wall
        self.cpu = self._all_cpu() - self._cpu

    def _all_cpu(self):
        workers = [] if self.client is None else self.client.run(own_cpu).values()
        return own_cpu() + sum(workers)


def peak_of(client):
    """Return the largest resident memory that a worker ever had, in MiB."""
    peaks = client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return max(peaks.values()) / 1024


def partitions(args, client):
    from softwood import CoalescenceClassifier as Local
    from softwood.dask import CoalescenceClassifier

    for table in args.tables:
        make, nominal = TABLES[table]
        new, new_y = make(N_NEW, 10)
        X, y = make(args.rows, 0)
        options = {"n_estimators": N_TREES, "random_state": 0, "categorical_features": nominal}
        if args.alone:
            with Spent(None) as spent:
                alone = Local(**options, n_jobs=2).fit(X, y)
            error = 100 * (alone.predict(new) != new_y).mean()
            print(
                f"{table:8} one machine                  {error:6.2f} %{spent.wall:8.1f} s"
                f"{spent.cpu:8.1f} CPU s",
                flush=True,
            )
        for order in args.orders:
            if order == "sorted":
                rows = np.argsort(X[:, 1], kind="stable")
                X, y = X[rows], y[rows]
            for n_partitions in args.partitions:
                far = collections(X, y, n_partitions)
                for exchange in args.exchange:
                    model = CoalescenceClassifier(**options, exchange=exchange)
                    with Spent(client) as spent:
                        model.fit(*far)
                    error = 100 * (model.predict(new) != new_y).mean()
                    sent = 0 if model.exchange_ is None else model.exchange_.n_bytes / 2**20
                    samples = 0 if model.exchange_ is None else model.exchange_.n_samples
                    print(
                        f"{table:8} {order:8} {n_partitions:3} partitions {error:6.2f} %"
                        f"{spent.wall:8.1f} s{spent.cpu:8.1f} CPU s  exchange {exchange!s:9}"
                        f"{samples:3} samples {sent:6.0f} MiB  peak {peak_of(client):.0f} MiB",
                        flush=True,
                    )


def peers(args):
    """Fit and predict beside LightGBM's Dask estimator and scikit-learn's forest by joblib."""
    import lightgbm
    from sklearn.ensemble import RandomForestClassifier

    from softwood.dask import CoalescenceClassifier

    quiet = {"verbose": -1, "num_leaves": 255, "n_estimators": N_TREES, "random_state": 0}
    models = {
        "softwood, exchange auto": CoalescenceClassifier(N_TREES, random_state=0),
        "softwood, exchange None": CoalescenceClassifier(N_TREES, exchange=None, random_state=0),
        "lightgbm.dask, 255 leaves": lightgbm.DaskLGBMClassifier(**quiet),
        "scikit-learn by joblib": RandomForestClassifier(N_TREES, n_jobs=2, random_state=0),
    }
    for name, model in models.items():
        if not args.peers or any(name.startswith(wanted) for wanted in args.peers):
            with two_workers() as client:  # new ones each time: peaks are of a process so far
                print(f"{name:26}{peer(args, client, model)}", flush=True)


def peer(args, client, model):
    """Return what one of them comes to, in words."""
    from dask.distributed import wait
    from joblib import parallel_config
    from sklearn.ensemble import RandomForestClassifier

    is_far = not isinstance(model, RandomForestClassifier)
    if not is_far:
        table = smooth(args.rows, 0)
    elif args.rows > MOST_SENT:
        table = tuple(part.persist() for part in spread(args.rows, 16))
    else:
        table = collections(*smooth(args.rows, 0), 2)
    with parallel_config("threading" if is_far else "dask"):
        with Spent(client) as fit:
            model.fit(*table)
        with Spent(client) as ask:
            answers = model.predict(table[0])
            if is_far:  # they stay where they are: what is measured is not their way here
                answers = answers.persist()
                wait(answers)
    assert len(answers) == args.rows
    local = model.to_local() if is_far else model
    new, new_y = smooth(N_NEW, 10_000)
    error = 100 * (local.predict(new) != new_y).mean()
    return (
        f"{error:6.2f} %  fit {fit.wall:6.1f} s {fit.cpu:6.1f} CPU s  predict "
        f"{ask.wall:5.1f} s {ask.cpu:5.1f} CPU s  peak {peak_of(client):.0f} MiB"
    )


def large(args, client):
    """Fit, judge and predict Parquet files that do not fit into the workers; measure memory."""
    from tempfile import TemporaryDirectory

    import polars as pl

    with TemporaryDirectory(prefix="softwood-large-", dir=args.folder) as folder:
        X, y = smooth(1_000_000, 0)
        frame = pl.DataFrame({f"x{j}": X[:, j] for j in range(10)}).with_columns(
            y=pl.Series(np.where(y, "yes", "no"))
        )
        frame.write_parquet(f"{folder}/part-0.parquet", row_group_size=100_000)
        del X, y, frame
        size = Path(folder, "part-0.parquet").stat().st_size
        n_files = max(1, round(args.gigabytes * 1e9 / size))
        for k in range(1, n_files):  # the same rows again: memory does not know
            copyfile(f"{folder}/part-0.parquet", f"{folder}/part-{k}.parquet")
        print(f"{n_files} million rows, {n_files * size / 1e9:.1f} GB", flush=True)
        parts, model = f"{folder}/part-*.parquet", f"{folder}/m.softwood"
        address = client.scheduler_info()["address"]
        workers = list(client.run(os.getpid).values())
        options = ["-p", f"n_estimators={args.trees}", "--max-lines", "2"]
        words = ["fit", parts, "--target", "y", "--dask", address, *options, "-o", model]
        watched(words, workers)
        watched(["predict", model, parts, "-o", f"{folder}/answers.csv"], [])


def watched(words, others):
    """Run a command; print seconds, and the largest memory of it and of other processes."""
    command = [sys.executable, "-m", "softwood.cli.main", *words]
    start, peak = perf_counter(), {}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    while process.poll() is None:
        for pid in [process.pid, *others]:
            peak[pid] = max(peak.get(pid, 0), resident(pid))
        sleep(0.2)
    print(process.stdout.read().strip()[-600:])
    shown = ", ".join(f"{peak[pid] / 2**30:.2f}" for pid in peak)
    print(
        f"{words[0]}: {perf_counter() - start:.0f} s, peak GiB of this and the workers: {shown}",
        flush=True,
    )


def resident(pid):
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * resource.getpagesize()


def exchange_of(text):
    return text if text == "auto" else None if text == "none" else int(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "what", nargs="?", default="partitions", choices=["partitions", "peers", "large"]
    )
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--tables", nargs="+", default=["numeric", "mixed"], choices=TABLES)
    parser.add_argument("--orders", nargs="+", default=["shuffled", "sorted"])
    parser.add_argument("--partitions", nargs="+", type=int, default=[1, 4, 16, 64])
    parser.add_argument("--alone", action="store_true", help="fit on one machine, too")
    parser.add_argument("--exchange", nargs="+", type=exchange_of, default=[None, "auto"])
    parser.add_argument("--peers", nargs="+", help="beginnings of their names; by default all")
    parser.add_argument("--gigabytes", type=float, default=4.0)
    parser.add_argument("--trees", type=int, default=16)
    parser.add_argument("--folder", help="where large files are made, and deleted")
    args = parser.parse_args()

    if args.what == "peers":
        peers(args)
        return
    with two_workers() as client:
        {"partitions": partitions, "large": large}[args.what](args, client)


if __name__ == "__main__":
    main()
