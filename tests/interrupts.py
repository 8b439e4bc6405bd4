"""Ctrl-C at random moments of long fits of every estimator: how soon does it end, what is left?

Usage: python -m tests.interrupts [N] [SEED]

Kernels are warmed up first, for compilation is interrupted by the suite's own tests. A fit that
ends before the signal comes does not count. Every interrupted estimator must be as it was.
"""

import os
import random
import signal
import sys
import threading
import time
import warnings

import numpy as np

import softwood as sw

DELAYS = (0.02, 0.1, 0.3, 1.0, 2.0, 3.0)  # seconds, of which a random part up to 1.5 is waited


def table(n_rows, number=False):
    """Rows of ten numbers, and two classes or a number that three of them decide."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 10))
    score = X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=n_rows)
    return X, score if number else (score > 0).astype(int)


def fits():
    """Return long fits by name: how to make the estimator, and its table."""
    huge, large, middle, small = (table(n) for n in (600_000, 200_000, 60_000, 5_000))
    numbers, fewer = table(200_000, number=True), table(20_000, number=True)
    found = {
        "vr forest, a number": (sw.VRForestRegressor, numbers),
        "bagged, a number": (sw.BaggedTreesRegressor, fewer),
        "vicinal": (lambda: sw.CARTClassifier("vicinal"), middle),
        "cart cv": (lambda: sw.CARTClassifier(pruning="cv"), large),
        "cart": (sw.CARTClassifier, huge),
        "cart cv, a number": (lambda: sw.CARTRegressor(pruning="cv"), numbers),
        "c4.5": (sw.C45Classifier, huge),
        "vr tree": (sw.VRTreeClassifier, huge),
        "soft, a number": (sw.SoftTreeRegressor, fewer),
        "anneal": (lambda: sw.SoftTreeClassifier(method="anneal"), middle),
        "perturb": (lambda: sw.SoftTreeClassifier(method="perturb"), middle),
        "oob": (lambda: sw.CoalescenceClassifier(smoothing="oob"), small),
        "moc2": (lambda: sw.ObliqueTreeClassifier("moc2", widen=True), small),
        "bagged oblique": (
            lambda: sw.BaggedTreesClassifier(estimator=sw.ObliqueTreeClassifier()),
            small,
        ),
    }
    for n in (1, 2):
        found |= {
            f"coalescence, {n} jobs": (lambda n=n: sw.CoalescenceClassifier(n_jobs=n), large),
            f"verbose, {n} jobs": (
                lambda n=n: sw.CoalescenceClassifier(n_jobs=n, verbose=1),
                large,
            ),
            f"numbers, {n} jobs": (lambda n=n: sw.CoalescenceRegressor(n_jobs=n), numbers),
            f"bagged, {n} jobs": (lambda n=n: sw.BaggedTreesClassifier(n_jobs=n), middle),
            f"oblique, {n} jobs": (lambda n=n: sw.ObliqueTreeClassifier(n_jobs=n), small),
            f"soft, {n} jobs": (lambda n=n: sw.SoftTreeClassifier(n_jobs=n), middle),
        }
    return found


def interrupted(make, X, y, delay):
    """Return how many seconds a fit took to end after the signal; None if it ended before."""
    model, sent = make(), []
    before = dict(vars(model))

    def fire():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(delay, fire)
    timer.start()
    try:
        model.fit(X, y)
        timer.cancel()
        timer.join()
        if sent:
            time.sleep(0.1)  # the signal may come after the fit
    except KeyboardInterrupt:
        late = time.perf_counter() - sent[0]
        assert vars(model) == before, sorted(vars(model))
        return late
    return None


def main(n_interrupts=100, seed=0):
    """Interrupt fits in turn until enough were; say the longest times."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs start without it
    warnings.simplefilter("ignore")
    chosen, late, turn = random.Random(seed), [], 0
    named = fits()
    for make, (X, y) in named.values():
        make().fit(X[:2000], y[:2000])
    while len(late) < n_interrupts:
        name = list(named)[turn % len(named)]
        make, (X, y) = named[name]
        seconds = interrupted(make, X, y, chosen.choice(DELAYS) * chosen.random() * 1.5)
        turn += 1
        if seconds is not None:
            late.append((seconds, name))
    worst = ", ".join(f"{name} {seconds:.2f} s" for seconds, name in sorted(late)[-5:])
    sys.stdout.write(f"{len(late)} interrupts, the longest times to stop: {worst}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
