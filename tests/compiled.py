"""Every estimator on every kind of table: which kernels that takes, and whether a wheel has them.

Usage: python -m tests.compiled             say what is compiled; fails if anything was
       python -m tests.compiled --into DIR  compile for the level of this machine, into DIR

``make wheel`` fills a folder with kernels by the second and puts it into the wheel; the first
is for a place where such a wheel is installed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

ASKED = ("predict", "predict_proba", "apply", "predict_confidence", "explain", "get_rules")


def say(line: str) -> None:
    """Write a line at once: several processes do."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def tables() -> list[tuple[str, Any, Any, Any]]:
    """Return tables with their classes and numbers: plain, with gaps, with categories, with all."""
    from tests.architecture.fingerprints import mixed, numbers

    X, label, target = numbers()
    frame, words, _ = mixed()
    gaps = X.copy()
    gaps[::7, 2] = float("nan")
    whole = frame.assign(colour=frame["colour"].fillna("none"), c=frame["c"].fillna(0.0))
    read_only = X.astype("float32")
    read_only.flags.writeable = False
    return [
        ("numbers", X, label, target),
        ("gaps", gaps, label, target),
        ("categories", whole, words, target),
        ("mixed", frame, words, target),
        ("read-only float32", read_only, label == 1, target),
    ]


def cases() -> list[tuple[str, Any, Any, Any]]:
    """Return a name, a model, a table and its target, for every estimator and kind of table."""
    from tests.every_estimator import CLASSIFIERS, REGRESSORS

    return [
        (f"{kind}: {name}", model, X, y)
        for kind, X, label, target in tables()
        for models, y in ((CLASSIFIERS, label), (REGRESSORS, target))
        for name, model in models.items()
    ]


def use(model: Any, X: Any, y: Any, folder: Path) -> None:
    """Fit a model, with and without weights, ask it all it can answer, save it and ask again."""
    import numpy as np
    from sklearn.base import clone

    from softwood import load, save

    uneven = np.linspace(0.5, 1.5, len(y))
    for weight in (None, uneven):
        try:
            fitted = clone(model).fit(X, y, sample_weight=weight)
        except (TypeError, ValueError):  # it takes no weights, or not these
            continue
        ask(fitted, X)
    path = folder / "model.softwood"
    save(fitted, path)
    ask(load(path), X)


def ask(fitted: Any, X: Any) -> None:
    """Ask a model about all rows, and about one."""
    for name in ASKED:
        method = getattr(fitted, name, None)
        if method is None:
            continue
        for rows in (X, X[:1]):
            try:
                method(rows) if name != "get_rules" else method()
            except (TypeError, ValueError, AttributeError, NotImplementedError):
                break  # not of this model, or not of more than one row


def compiled_by(part: int, n_parts: int) -> list[str]:
    """Use one of so many parts of all cases; return the kernels that were compiled."""
    from numba.core import event

    found: list[str] = []

    class Watch(event.Listener):
        def on_start(self, event):
            function = event.data["dispatcher"].py_func
            found.append(f"{function.__module__}.{function.__qualname__}")

        def on_end(self, event):
            pass

    event.register("numba:compile", Watch())
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        for name, model, X, y in cases()[part::n_parts]:
            n_before = len(found)
            use(model, X, y, Path(folder))
            if len(found) > n_before:
                say(f"{name}: {', '.join(sorted(set(found[n_before:])))}")
    return found


def compile_into(folder: Path) -> int:
    """Compile in several processes; then look through all cases in one: it adds what got lost."""
    from softwood._kernels._levels import level_here

    level = level_here()
    if level is None:
        say("no level of processors is known for this machine")
        return 2
    settings = {
        "SOFTWOOD_COMPILE_INTO": str(folder.absolute()),
        "NUMBA_CPU_NAME": level.name,
        "NUMBA_CPU_FEATURES": "",
        "SOFTWOOD_QUIET": "1",
    }
    command = [sys.executable, "-m", "tests.compiled", "--part"]
    n_parts = os.cpu_count() or 1
    for parts in ([f"{k}/{n_parts}" for k in range(n_parts)], ["0/1"]):
        running = [
            subprocess.Popen([*command, part], env={**os.environ, **settings}) for part in parts
        ]
        if any([process.wait() for process in running]):
            return 1
    size = sum(path.stat().st_size for path in folder.rglob("*.nb?"))
    say(f"{size / 1e6:.1f} MB of kernels for {level.name} in {folder}")
    return 0


def main() -> int:
    """Compile, or look whether that is needed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", type=Path)
    parser.add_argument("--part", help="used by itself")
    asked = parser.parse_args()
    if asked.into:
        return compile_into(asked.into)
    if asked.part:
        part, n_parts = asked.part.split("/")
        compiled_by(int(part), int(n_parts))
        return 0
    found = compiled_by(0, 1)
    say(f"{len(found)} functions were compiled")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
