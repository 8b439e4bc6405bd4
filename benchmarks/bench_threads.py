"""What a second thread is worth: Coalescence with one job and with two, by turns.

    SOFTWOOD_DATA=... python benchmarks/bench_threads.py [NAME ...] [--rounds 20]

The last row is what the machine allows: threads that do nothing but count.
"""

import argparse
from threading import Thread

import numpy as np
from _timing import seconds, table
from bench_ensembles import loaded
from numba import njit

from softwood import CoalescenceClassifier

NAMES = ("spambase", "satimage", "letter", "magic")
MUCH = 100_000_000


@njit(nogil=True)
def count(n):
    word = np.uint64(88172645463325252)
    for _ in range(n):
        word ^= word << np.uint64(13)
        word ^= word >> np.uint64(7)
    return word


def count_in_two():
    threads = [Thread(target=count, args=(MUCH // 2,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def compared(name, one, two, rounds):
    """Return a row: one job over two, by the best and by the median of the turns."""
    one(), two()
    times = np.array([[seconds(one), seconds(two)] for _ in range(rounds)])
    ratios = [times[:, 0].min() / times[:, 1].min(), np.divide(*np.median(times, axis=0))]
    return [name, *(f"{ratio:.2f}" for ratio in ratios)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    rows = []
    for name in options.names:
        X, y = loaded(name)
        one, two = (CoalescenceClassifier(n_jobs=n, random_state=0) for n in (1, 2))
        fits = (lambda m=model: m.fit(X, y) for model in (one, two))
        rows.append(compared(name, *fits, options.rounds))
    rows.append(compared("counting", lambda: count(MUCH), count_in_two, options.rounds))
    print(table("One job over two", ["data", "best turns", "median of turns"], rows))


if __name__ == "__main__":
    main()
