"""Ctrl-C ends a command with one line and code 130, and leaves no file."""

import os
import signal
import subprocess
import sys
import time

import numpy as np

# A process that was started in the background ignores the signal.
COMMAND = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from softwood.cli.main import main
print("ready", flush=True)
sys.exit(main())
"""


def test_ctrl_c_during_a_fit(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300_000, 8)).round(4)
    rows = np.column_stack((X, X[:, 0] * X[:, 1] + rng.normal(size=300_000) > 0))
    names = ",".join([*"abcdefgh", "y"])
    np.savetxt(tmp_path / "t.csv", rows, "%g", delimiter=",", header=names, comments="")
    words = ["fit", "t.csv", "--target", "y", "--model", "coalescence", "-o", "m.softwood"]
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *words],
        cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "SOFTWOOD_QUIET": "1"},
    )  # fmt: skip
    assert process.stdout.readline() == "ready\n"
    time.sleep(3.0)  # it is reading, compiling or growing by now
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert err == "softwood: interrupted\n"
    assert "saved" not in out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.csv"]
