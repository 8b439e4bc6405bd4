"""The tests that may differ between processors, under the other kinds that this one can play.

Usage: python -m tests.cpus

OpenBLAS has kernels for many processors, which round in different orders, and numba generates
other code for each. Both can be told to do as on an older one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

# What goes through BLAS, and examples, which print numbers.
THROUGH_BLAS = [
    "src/softwood/refine",
    "src/softwood/learn",
    "src/softwood/estimators",
    "src/softwood/evaluate",
    "src/softwood/explain",
    "src/softwood/statistics",
    "README.md",
    "tests/refine/test_widen.py",
    "tests/refine/test_max_margin.py",
    "tests/refine/test_gradient.py",
    "tests/estimators/test_widen.py",
    "tests/estimators/test_soft_oblique.py",
    "tests/architecture/test_fingerprints.py",
]
# What kernels compute: flows, growth, pruning.
THROUGH_NUMBA = [
    "src/softwood/flow",
    "src/softwood/forest",
    "src/softwood/grow",
    "src/softwood/learn",
    "tests/flow/test_hard.py",
    "tests/flow/test_gaussian.py",
    "tests/flow/test_ramp.py",
    "tests/estimators/test_j48_parity.py",
    "tests/grow/test_greedy.py",
    "tests/architecture/test_fingerprints.py",
]
# Names that OpenBLAS knows, and what the processor must be able to do for each.
KINDS_OF_BLAS = {"Prescott": "pni", "Haswell": "avx2", "SkylakeX": "avx512f"}


def abilities() -> set[str]:
    """Return what the processor can do, by the names of Linux; nothing where they are not told."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return set()
    return {word for line in text.splitlines() if line.startswith("flags") for word in line.split()}


def as_it_is() -> set[str]:
    """Return which kinds OpenBLAS has taken by itself: the ordinary tests run with those."""
    import scipy.linalg  # noqa: F401
    from threadpoolctl import threadpool_info

    return {library.get("architecture", "") for library in threadpool_info()}


def settings() -> list[tuple[dict[str, str], list[str]]]:
    """Return what to set in the environment, and which tests to run then."""
    able = abilities()
    others = [kind for kind, ability in KINDS_OF_BLAS.items() if ability in able]
    kinds = [kind for kind in others if as_it_is() != {kind}]
    found = [({"OPENBLAS_CORETYPE": kind}, THROUGH_BLAS) for kind in kinds]
    return [*found, ({"NUMBA_CPU_NAME": "generic"}, THROUGH_NUMBA)]


def main() -> int:
    """Run them; return 1 if any failed."""
    failed = []
    for changes, paths in settings():
        name = " ".join(f"{key}={value}" for key, value in changes.items())
        print(f"== {name}", flush=True)  # noqa: T201
        command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", *paths]
        if subprocess.run(command, env={**os.environ, **changes}, check=False).returncode:
            failed.append(name)
    for name in failed:
        print(f"failed under {name}")  # noqa: T201
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
