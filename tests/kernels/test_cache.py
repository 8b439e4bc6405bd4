"""Kernels compile where neither the installation nor the home folder can be written."""

import os
import subprocess
import sys

import pytest

from softwood._kernels import _cache

CODE = """
import sys
from numba.core import caching

# What numba finds in a read-only container: no folder of its own can be written.
for kind in (caching.InTreeCacheLocator, caching.UserWideCacheLocator):
    kind.ensure_cache_path = lambda self: (_ for _ in ()).throw(OSError("read-only"))
for name in ("InTreeCacheLocatorFsAgnostic", "IPythonCacheLocator", "ZipCacheLocator"):
    if hasattr(caching, name):
        getattr(caching, name).from_function = classmethod(lambda cls, f, file: None)
import numpy as np
from softwood._kernels.impurity import xlog2_table
print(xlog2_table(2).tolist())
"""


def run(tmp_path, **changes):
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment |= {"TMPDIR": str(tmp_path), **changes}
    return subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, timeout=120, env=environment
    )


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="about compiled kernels")
def test_a_temporary_cache_is_used_and_said_once(tmp_path):
    done = run(tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[0.0, 0.0, 2.0]\n"
    said = [line for line in done.stderr.splitlines() if "kernels are kept in" in line]
    assert len(said) == 1
    assert str(tmp_path) in said[0]
    assert list(tmp_path.rglob("*.nbi"))
    again = run(tmp_path)  # finds what the first one kept
    assert again.returncode == 0
    assert "compiling" not in again.stderr


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owner here")
def test_a_folder_that_others_can_write_is_not_trusted(tmp_path, monkeypatch):
    monkeypatch.setattr(_cache.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(_cache.tempfile, "mkdtemp", lambda prefix: str(tmp_path / "fresh"))
    place = tmp_path / f"softwood-kernels-{os.getuid()}"
    assert _cache._temporary_place() == place
    place.chmod(0o777)
    assert _cache._temporary_place() == tmp_path / "fresh"
    place.rmdir()
    place.symlink_to(tmp_path)
    assert _cache._temporary_place() == tmp_path / "fresh"


SMALL = """
import errno, sys
{before}
from softwood._kernels.impurity import xlog2_table
print(xlog2_table(2).tolist())
"""
FULL = """
from numba.core import caching
def full(self, *arguments):
    raise OSError(errno.ENOSPC, "No space left on device")
caching.IndexDataCacheFile._save_data = full
"""


def run_small(tmp_path, before=""):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    code = SMALL.format(before=before)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env=environment
    )


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="about compiled kernels")
def test_what_an_earlier_version_or_a_torn_write_has_left_is_compiled_anew(tmp_path):
    import pickle

    assert run_small(tmp_path).returncode == 0
    for index in tmp_path.rglob("*.nbi"):
        content = index.read_bytes()
        version = pickle.loads(content)
        of_elsewhere = b"csoftwood._kernels.of_an_earlier_version\nGone\n."
        for damaged in (pickle.dumps(version) + of_elsewhere, content[:-7], b""):
            index.write_bytes(damaged)
            done = run_small(tmp_path)
            assert done.returncode == 0, done.stderr
            assert done.stdout == "[0.0, 0.0, 2.0]\n"
            index.write_bytes(content)
    for data in tmp_path.rglob("*.nbc"):
        data.write_bytes(data.read_bytes()[:100])
    assert run_small(tmp_path).returncode == 0


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="about compiled kernels")
def test_a_full_disk_is_said_and_does_not_end_a_fit(tmp_path):
    done = run_small(tmp_path, FULL)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[0.0, 0.0, 2.0]\n"
    assert "could not be kept: No space left on device" in done.stderr


HELPER = """
from softwood._kernels._jit import borrowing
@borrowing
def step(x):
    return x + {step}
"""
KERNEL = """
from softwood._kernels._jit import kernel
from softwood._kernels.trial_helper import step
@kernel
def stepped(x: int) -> int:
    return step(x)
"""
TRY = """
from numba.core import event
n_compiled = 0
class Watch(event.Listener):
    def on_start(self, event):
        global n_compiled
        n_compiled += 1
    def on_end(self, event):
        pass
event.register("numba:compile", Watch())
from softwood._kernels.trial import stepped
print(stepped(1), n_compiled)
"""


@pytest.fixture
def installed(tmp_path):
    """Return a function that runs a copy of the package, with a kernel and its helper."""
    import shutil

    import softwood

    package = tmp_path / "site" / "softwood"
    source = os.path.dirname(softwood.__file__)
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__", "_compiled"))
    kernels = package / "_kernels"
    (kernels / "trial.py").write_text(KERNEL)

    def run_with(step, **changes):
        (kernels / "trial_helper.py").write_text(HELPER.format(step=step))
        environment = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
        environment |= {"PYTHONPATH": str(tmp_path / "site"), "SOFTWOOD_QUIET": "1"}
        environment |= {"NUMBA_CACHE_DIR": str(tmp_path / "kept")} | changes
        done = subprocess.run(
            [sys.executable, "-c", TRY], capture_output=True, text=True, env=environment, check=True
        )
        return [int(word) for word in done.stdout.split()]

    run_with.kernels = kernels
    run_with.kept = tmp_path / "kept"
    return run_with


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="about compiled kernels")
def test_an_edit_in_another_file_is_noticed(installed):
    assert installed(1) == [2, 2]
    assert installed(1) == [2, 0]
    assert installed(5) == [6, 2]


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="about compiled kernels")
def test_kernels_of_a_wheel_are_used_where_they_fit(installed):
    import shutil

    from softwood._kernels._levels import level_here

    level = level_here()
    if level is None:
        pytest.skip("no level of processors is known for this machine")
    shipped = installed.kernels / "_compiled"
    play = {"NUMBA_CPU_NAME": level.name, "NUMBA_CPU_FEATURES": ""}
    assert installed(1, SOFTWOOD_COMPILE_INTO=str(shipped), **play) == [2, 2]
    assert not list(installed.kept.rglob("*.nbc"))
    assert installed(1)[0] == 2
    from softwood._kernels._levels import usable_level

    if usable_level():
        assert installed(1) == [2, 0]  # the helper was written anew: only what it says counts
    assert installed(1, NUMBA_BOUNDSCHECK="1") == [2, 2]
    assert installed(5) == [6, 2]
    shutil.rmtree(shipped)
    assert installed(1)[0] == 2
