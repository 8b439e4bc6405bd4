"""Where compiled kernels are kept: in the wheel, in numba's places, or in a temporary one.

numba's own cache looks at the time or the content of one file, and at the name of the processor.
A kernel here is as fresh as all sources of kernels are, for it consists of helpers
from many files; and those of a wheel are for a level of processors.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from softwood._lean import collection_paused
from softwood._threads import import_aside

with collection_paused():
    import_aside("numba")
    from llvmlite.binding import get_process_triple
    from numba import config, njit
    from numba.core import caching

    from softwood._kernels._levels import settings, usable_level
    from softwood._kernels._linking import KERNEL

_HERE = Path(__file__).parent
# What kernels take from elsewhere: numbers that are compiled into them.
_SOURCES_BESIDE = ("_types.py", "_stopping.py")
_SHIPPED = _HERE / "_compiled"
_WRITE_INTO = os.environ.get("SOFTWOOD_COMPILE_INTO")  # set when a wheel is made


@lru_cache(maxsize=1)
def source_stamp() -> str:
    """Return a hash of the sources of all kernels: what they say, wherever they are."""
    content = hashlib.sha256()
    beside = [_HERE.parent / name for name in _SOURCES_BESIDE]
    for path in sorted(_HERE.rglob("*.py")) + beside:
        content.update(path.relative_to(_HERE.parent).as_posix().encode())
        content.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return content.hexdigest()


class _Stamped:
    """A place of numba's for what is compiled, with our stamp; and numba's for files elsewhere."""

    _py_file: str

    def get_source_stamp(self) -> Any:
        if Path(self._py_file).is_relative_to(_HERE):
            return source_stamp()
        return source_stamp(), super().get_source_stamp()  # type: ignore[misc]


class _InGivenFolder(_Stamped, caching.UserProvidedCacheLocator):  # type: ignore[misc]
    pass


class _BesideSource(_Stamped, caching.InTreeCacheLocator):  # type: ignore[misc]
    pass


class _InHome(_Stamped, caching.UserWideCacheLocator):  # type: ignore[misc]
    pass


class _Kept(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """How a kernel is written and read: as numba does."""

    _locator_classes = (_InGivenFolder, _BesideSource, _InHome)


class KernelCache(caching.FunctionCache):  # type: ignore[misc]
    """numba's cache of one kernel, which knows the kernels of a wheel, and forgives.

    What an earlier version has left may name modules that are no more, a file may be torn, and
    a disk full: none of it should end a fit.
    """

    _impl_class = _Kept

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        package = Path(function.__code__.co_filename).parent
        inside = package.relative_to(_HERE) if package.is_relative_to(_HERE) else Path(package.name)
        self._shipped = caching.IndexDataCacheFile(
            cache_path=str(Path(_WRITE_INTO or _SHIPPED) / inside),
            filename_base=self._impl.filename_base,
            source_stamp=source_stamp(),
        )

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            shipped = self._load_shipped(sig, target_context)
            return shipped or super()._load_overload(sig, target_context)
        except Exception:
            return None

    def _load_shipped(self, sig: Any, target_context: Any) -> Any:
        level = usable_level() if self._enabled else None
        data = self._shipped.load(self._shipped_key(sig, level)) if level else None
        return None if data is None else self._impl.rebuild(target_context, data)

    def _save_overload(self, sig: Any, data: Any) -> None:
        level = usable_level()
        try:
            if _WRITE_INTO and level and self._enabled and self._impl.check_cachable(data):
                os.makedirs(self._shipped._cache_path, exist_ok=True)
                self._shipped.save(self._shipped_key(sig, level), self._impl.reduce(data))
            else:
                super()._save_overload(sig, data)
        except OSError as error:
            _say(f"compiled kernels could not be kept: {error.strerror}")
        except Exception:  # the index cannot be read: begin another
            self._save_alone(sig, data)

    def _save_alone(self, sig: Any, data: Any) -> None:
        try:
            self.flush()
            super()._save_overload(sig, data)
        except Exception as error:
            _say(f"compiled kernels could not be kept: {error}")

    def _shipped_key(self, sig: Any, level: str) -> tuple[Any, ...]:
        """Return the key in a wheel: the sources are in the stamp, numba's version in the file."""
        return sig, get_process_triple(), level

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return (*super()._index_key(sig, codegen), settings())


def compiled_for_python(function: Callable[..., Any]) -> Any:
    """Return the function as numba compiles it, cached where that is possible."""
    compiled = njit(**KERNEL)(function)
    if compiled is function:  # compilation is switched off
        return function
    try:
        compiled._cache = KernelCache(function)
        return compiled
    except RuntimeError as error:
        if "no locator" not in str(error):
            raise
    place = None if config.CACHE_DIR else _temporary_place()
    if place is None:
        _say("nowhere to keep compiled kernels: each process compiles its own")
        return compiled
    _say(f"the installation and the home folder cannot be written: kernels are kept in {place}")
    config.CACHE_DIR = str(place)
    try:
        compiled._cache = KernelCache(function)
    except RuntimeError:
        _say("nowhere to keep compiled kernels: each process compiles its own")
    return compiled


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
