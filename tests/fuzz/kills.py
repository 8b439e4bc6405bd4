"""Writers that are killed at a random moment, or whose disk is full: nothing half-written stays."""

import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import softwood as sw
from tests.conftest import ROOT
from tests.fuzz.answers import expect
from tests.fuzz.hostile import choose

HEAD = """
import resource, signal, sys, warnings
warnings.simplefilter("ignore")
import numpy as np
import softwood as sw
from sklearn.datasets import load_iris
X, y = load_iris(return_X_y=True)
"""
SAVING = """
small, large = (sw.CoalescenceClassifier(n, random_state=0).fit(X, y) for n in (5, 40))
sw.save(small, sys.argv[1])
print("ready", flush=True)
while True:
    for model in large, small:
        sw.save(model, sys.argv[1])
"""
COMPARING = """
from softwood.evaluate import compare
learners = {"cart": sw.CARTClassifier(), "c45": sw.C45Classifier()}
print("ready", flush=True)
options = {"store": sys.argv[1], "resume": True, "random_state": 0}
result = compare(learners, {"iris": (X, y)}, "kfold:10", **options)
print(result.scores("error").tolist())
"""
EVOLVING = """
print("ready", flush=True)
model = sw.EvolvedTreeClassifier(n_iter=6000, checkpoint=sys.argv[1], random_state=0).fit(X, y)
print(np.round(model.predict_proba(X).sum(axis=0), 12).tolist())
"""
FULL = """
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
small, large = (sw.CoalescenceClassifier(n, random_state=0).fit(X, y) for n in (5, 40))
sw.save(small, sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    sw.save(large, sys.argv[1])
    print("saved")
except OSError as error:
    print("refused", error)
"""


def prepare():
    """Return a folder to write to, and what undisturbed runs say."""
    folder = Path(tempfile.mkdtemp())
    right = {
        code: _whole(code, folder / f"right {k}") for k, code in enumerate((COMPARING, EVOLVING))
    }
    return folder, right


def case(rng, state):
    """Disturb a writer, and look at what it leaves."""
    folder, right = state
    path = folder / f"{rng.integers(2**62)}"
    kind = choose(rng, "save", "store", "checkpoint", "full disk")
    if kind == "full disk":
        return _full_disk(rng, path)
    code = {"save": SAVING, "store": COMPARING, "checkpoint": EVOLVING}[kind]
    for _ in range(choose(rng, 1, 2)):
        _kill(code, path, rng.random() * choose(rng, 0.1, 0.5, 2.0))
    if kind == "save":
        expect(len(sw.load(path).trees_) in (5, 40), "a file of neither model")
    else:
        found = _whole(code, path)
        expect(found == right[code], f"killed and resumed: {found}, undisturbed: {right[code]}")
    if kind == "store":
        with sqlite3.connect(path) as base:
            expect(base.execute("pragma integrity_check").fetchone() == ("ok",), "a broken store")
    return f"{kind}: nothing lost"


def _start(code, path, *more):
    command = [sys.executable, "-c", HEAD + code, str(path), *map(str, more)]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _kill(code, path, delay):
    child = _start(code, path)
    child.stdout.readline()
    time.sleep(delay)
    child.send_signal(signal.SIGKILL)
    child.communicate()


def _whole(code, path):
    child = _start(code, path)
    out, err = child.communicate()
    expect(child.returncode == 0, f"a run ends with {child.returncode}: {err[-1500:]}")
    return out.splitlines()[-1]


def _full_disk(rng, path):
    child = _start(FULL, path, choose(rng, 1, 100, 2000, 5000))
    out, err = child.communicate()
    expect(child.returncode == 0, f"a full disk ends it with {child.returncode}: {err[-1500:]}")
    expect("refused" in out, "a full disk was not noticed")
    expect(len(sw.load(path).trees_) == 5, "the old file is gone")
    left = [each.name for each in path.parent.iterdir() if each.name.endswith(".tmp")]
    expect(not left, f"left over: {left}")
    return "full disk: the old file stays"
