"""Ctrl-C at a random moment of a long fit: it ends soon, and the estimator is as it was."""

import signal

from tests.fuzz.answers import expect
from tests.interrupts import DELAYS, fits, interrupted

SOON = 5.0  # seconds, on a machine that does other work, too


def prepare():
    """Warm up kernels: compilation is interrupted by the suite's own tests."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs start without it
    named = fits()
    for make, (X, y) in named.values():
        make().fit(X[:2000], y[:2000])
    return named


def case(rng, named):
    """Interrupt one fit."""
    name = list(named)[int(rng.integers(len(named)))]
    make, (X, y) = named[name]
    try:
        seconds = interrupted(make, X, y, float(rng.choice(DELAYS)) * rng.random() * 1.5)
        expect(seconds is None or seconds < SOON, f"{seconds} seconds to stop")
    except BaseException as error:
        error.add_note(name)
        raise
    return "ended before" if seconds is None else "interrupted"
