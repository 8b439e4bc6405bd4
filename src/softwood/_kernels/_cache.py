"""Where compiled kernels are kept: numba's places, or a temporary one if none can be written."""

import os
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from softwood._lean import collection_paused
from softwood._threads import import_aside

with collection_paused():
    import_aside("numba")
    from numba import config, njit

    from softwood._kernels._linking import KERNEL


def compiled_for_python(function: Callable[..., Any]) -> Any:
    """Return the function as numba compiles it, cached where that is possible."""
    try:
        return _forgiving(njit(cache=True, **KERNEL)(function))
    except RuntimeError as error:
        if "no locator" not in str(error):
            raise
    place = None if config.CACHE_DIR else _temporary_place()
    if place is None:
        _say("nowhere to keep compiled kernels: each process compiles its own")
        return _without_cache(function)
    _say(f"the installation and the home folder cannot be written: kernels are kept in {place}")
    config.CACHE_DIR = str(place)
    try:
        return _forgiving(njit(cache=True, **KERNEL)(function))
    except RuntimeError:
        return _without_cache(function)


def _forgiving(compiled: Any) -> Any:
    """Let a cache that cannot be read or written be as good as none.

    What an earlier version has left may name modules that are no more, a file may be torn, and
    a disk full: none of it should end a fit.
    """
    file = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if file is None:
        return compiled
    load_index, load, save = file._load_index, file.load, file.save

    def index_or_none() -> Any:
        try:
            return load_index()
        except Exception:
            return {}

    def loaded_or_none(key: Any) -> Any:
        try:
            return load(key)
        except Exception:
            return None

    def save_if_possible(key: Any, data: Any) -> None:
        try:
            save(key, data)
        except OSError as error:
            _say(f"compiled kernels could not be kept: {error.strerror}")

    file._load_index, file.load, file.save = index_or_none, loaded_or_none, save_if_possible
    return compiled


def _without_cache(function: Callable[..., Any]) -> Any:
    return njit(**KERNEL)(function)


def _temporary_place() -> Path | None:
    """Return a folder that nobody else can write: kernels in it are run as they are."""
    try:
        user = os.getuid() if hasattr(os, "getuid") else "user"
        place = Path(tempfile.gettempdir()) / f"softwood-kernels-{user}"
        place.mkdir(mode=0o700, exist_ok=True)
        return place if _is_ours_alone(place) else Path(tempfile.mkdtemp(prefix="softwood-"))
    except OSError:
        return None


def _is_ours_alone(place: Path) -> bool:
    if not hasattr(os, "getuid"):
        return True
    facts = place.lstat()
    is_folder = stat.S_ISDIR(facts.st_mode)
    return is_folder and facts.st_uid == os.getuid() and not facts.st_mode & 0o022


_told: set[str] = set()


def _say(message: str) -> None:
    """Say it once, unless told to be quiet."""
    if message not in _told and not os.environ.get("SOFTWOOD_QUIET"):
        _told.add(message)
        sys.stderr.write(f"softwood: {message}\n")
