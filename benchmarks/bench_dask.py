"""What partitions cost, what the exchange gives, and what both take.

    python benchmarks/bench_dask.py partitions --rows 1000000     # error by partitions and exchange
    python benchmarks/bench_dask.py peers --rows 1000000          # beside LightGBM and scikit-learn
    python benchmarks/bench_dask.py cost                          # what the cost model is fitted to

Two worker processes of one thread each; 64 trees. Error on new rows of the same kind.
"""

from __future__ import annotations

import argparse
import resource
from time import perf_counter

import numpy as np

N_TREES, N_NEW = 64, 50_000


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


def exchange_of(text):
    return text if text == "auto" else None if text == "none" else int(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["partitions"])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--tables", nargs="+", default=["numeric", "mixed"], choices=TABLES)
    parser.add_argument("--orders", nargs="+", default=["shuffled", "sorted"])
    parser.add_argument("--partitions", nargs="+", type=int, default=[1, 4, 16, 64])
    parser.add_argument("--alone", action="store_true", help="fit on one machine, too")
    parser.add_argument("--exchange", nargs="+", type=exchange_of, default=[None, "auto"])
    args = parser.parse_args()

    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit="4GiB", dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        {"partitions": partitions}[args.what](args, client)


if __name__ == "__main__":
    main()
