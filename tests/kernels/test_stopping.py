"""Kernels look up when their thread is asked to stop; nobody else's do."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from softwood._kernels._jit import long_kernel
from softwood._kernels.stopping import stop_requested
from softwood._stopping import Stopped, ask_to_stop, take_back

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="about compiled kernels"
)


@long_kernel
def count_until_stopped(most: int) -> tuple[int, np.ndarray]:
    n = 0
    while n < most and not stop_requested():
        n += 1
    return n, np.zeros(3)


def test_only_the_thread_that_was_asked_stops():
    count_until_stopped(1)
    counted, most = {}, 10**9

    def run(name):
        try:
            counted[name] = count_until_stopped(most)[0]
        except Stopped:
            counted[name] = "stopped"

    asked = threading.Thread(target=run, args=("asked",))
    asked.start()
    ask_to_stop(asked.ident)
    asked.join(30)
    take_back(asked.ident)
    assert counted == {"asked": "stopped"}
    most, elsewhere = 10**7, 12345
    ask_to_stop(elsewhere)  # somebody is asked, but not this thread
    run("other")
    take_back(elsewhere)
    assert counted["other"] == most


SCRIPT = """
import os, signal, sys, threading, time, warnings
import numpy as np
import softwood as sw

signal.signal(signal.SIGINT, signal.default_int_handler)
rng = np.random.default_rng(0)
X = rng.normal(size=(300_000, 10))
X[:, 9] = rng.integers(0, 5, 300_000)
number = X[:, 0] * X[:, 1] + rng.normal(size=300_000)
label = (number > 0).astype(int)
plain = (X[:, 1] + X[:, 2] + rng.normal(size=300_000) > 0).astype(int)  # C4.5 sees no product
with_gaps = X.copy()
with_gaps[::7, 3] = np.nan
MODELS = {
    "coalescence": (sw.CoalescenceClassifier(), X, label),
    "two threads": (sw.CoalescenceClassifier(n_jobs=2), X, label),
    "gaps": (sw.VRForestClassifier(), with_gaps, label),
    "regressor": (sw.CoalescenceRegressor(), X, number),
    "pruned": (sw.CARTClassifier(pruning="cv"), X, label),
    "c45": (sw.C45Classifier(), with_gaps, plain),
    "bagged": (sw.BaggedTreesClassifier(), X, label),
    "vicinal": (sw.CARTClassifier("vicinal"), X, label),
    "evolved": (sw.EvolvedTreeClassifier(), X[:5000], label[:5000]),
    "oblique": (sw.ObliqueTreeClassifier(), X[:20000], label[:20000]),
    "soft": (sw.SoftTreeClassifier(), X[:60000], label[:60000]),
}
for name in sys.argv[1:]:
    model, rows, y = MODELS[name]
    small = type(model)(**model.get_params())
    if name == "evolved":
        small.set_params(n_iter=100)
    small.fit(rows[:300], y[:300])  # compiles
    before, pressed = dict(vars(model)), []
    def press():
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    timer = threading.Timer(0.2, press)
    timer.start()
    try:
        if name == "evolved":  # keeps the best tree so far
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                model.fit(rows, y)
            assert "interrupted after" in str(told[0].message)
            before = dict(vars(model))
            raise KeyboardInterrupt
        model.fit(rows, y)
        timer.cancel()
        print(name, "was not interrupted")
    except KeyboardInterrupt:
        seconds = time.monotonic() - pressed[0]
        assert vars(model) == before, name
        assert seconds < 3.0, (name, seconds)
        print(name, "stopped")
    small.fit(rows[:300], y[:300])  # and all goes on
"""
NAMES = [
    "coalescence", "two threads", "gaps", "regressor", "pruned", "c45", "bagged", "vicinal",
    "evolved", "oblique", "soft",
]  # fmt: skip


def test_ctrl_c_stops_every_fit_and_nothing_crashes():
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT, *NAMES],
        capture_output=True, text=True, timeout=600, env={**os.environ, "SOFTWOOD_QUIET": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{name} stopped" for name in NAMES]


def test_ctrl_c_while_kernels_are_compiled(tmp_path):
    code = """
import os, signal, threading, time, sys
import numpy as np
import softwood as sw
signal.signal(signal.SIGINT, signal.default_int_handler)
X = np.random.default_rng(0).normal(size=(100, 3))
pressed = []
def press():
    pressed.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
import softwood._kernels.growth.grow  # what is imported is not compiled yet
threading.Timer(1.0, press).start()
try:
    sw.CoalescenceClassifier().fit(X, X[:, 0] > 0)
except KeyboardInterrupt:
    print("stopped", time.monotonic() - pressed[0] < 3.0)
"""
    begun = time.monotonic()
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "SOFTWOOD_QUIET": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env=environment
    )
    # Python remembers an interrupt of exec("text"), which compilers use, and ends by the signal
    # although it was caught.
    assert done.returncode in (0, -signal.SIGINT), done.stderr
    assert done.stdout == "stopped True\n"
    assert time.monotonic() - begun < 60
