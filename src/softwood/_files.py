"""Files that are written wholly or not at all: the one door for all that softwood writes.

A file is written beside its place and then moved there. While that goes on the writer holds
a lock on it, which the system drops with the writer: who writes to the same place later can
tell what a dead one has left, and removes it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Any

_fcntl: Any
try:
    import fcntl as _fcntl
except ImportError:  # Windows: what was left cannot be told from what is being written, and stays
    _fcntl = None

PathLike = str | os.PathLike[str]

UNFINISHED = ".softwood-unfinished"  # ends the name of a file that is still being written
WRITER = re.compile(r"\d+-[0-9a-f]{8}")  # its process, and a random number
LONGEST_NAME, ROOM_FOR_WRITER = 255, 32  # bytes, on nearly all systems
MOST_LINKS = 40


def check_place(path: PathLike, inputs: Iterable[PathLike] = (), streams: bool = True) -> None:
    """Complain now, not after minutes of work, that a file cannot be written.

    Parameters
    ----------
    path : str or path-like
        Where a file is to be written.
    inputs : iterable of path-like
        Files that are read: none of them may be written, under whatever name.
    streams : bool, default=True
        Whether a terminal, a pipe or ``/dev/null`` will do; they are written into.

    Raises
    ------
    OSError
        Of the fitting kind, if the folder is not there, or nothing can be written there.
    ValueError
        If the place is that of an input.

    Examples
    --------
    >>> from softwood._files import check_place
    >>> check_place("nowhere/model.softwood")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] there is no folder nowhere for: 'nowhere/model.softwood'
    """
    target, found = _target_of(path)
    for other in inputs:
        if found is not None and stat.S_ISREG(found.st_mode) and _is_file(other, found):
            raise ValueError(
                f"{os.fspath(path)} is read as well ({os.fspath(other)}), and writing would "
                "replace it; name another file to write"
            )
    if found is not None and not stat.S_ISREG(found.st_mode):
        _check_stream(path, found.st_mode, streams)
    elif _descriptor_of(path) is not None and not streams:
        raise _error(OSError, errno.EINVAL, "it must be a file, not a stream", path)
    elif _descriptor_of(path) is None:
        _check_folder(path, target)
    if found is not None and not os.access(path, os.W_OK):
        raise _error(PermissionError, errno.EACCES, "there is no permission to write", path)


def write_atomically(
    path: PathLike, content: bytes | Iterable[bytes], inputs: Iterable[PathLike] = ()
) -> None:
    """Write a file beside its place and move it there; a failure leaves what was there.

    Links are followed. A file that is replaced keeps its permissions; if it has other names
    (hard links), these keep the old content. What is no file, such as a terminal, a pipe or
    ``/dev/null``, is never replaced: it is written into.

    Parameters
    ----------
    path : str or path-like
        Where to write.
    content : bytes, or iterable of bytes
        What to write, at once or by and by.
    inputs : iterable of path-like
        Files that were read; see :func:`check_place`, which is called first.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from softwood._files import write_atomically
    >>> with TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder, "answers.csv"), b"prediction")
    ...     [(path.name, path.read_bytes()) for path in Path(folder).iterdir()]
    [('answers.csv', b'prediction')]
    """
    check_place(path, inputs)
    target, found = _target_of(path)
    parts = [content] if isinstance(content, bytes) else content
    if is_stream(path):
        _write_into(path, parts)
        return
    _remove_unfinished(target)
    with _beside(target) as (file, beside):
        try:
            _take_after(file, found)
            _write_all(file, parts)
            os.fsync(file.fileno())
            if sys.platform == "win32":
                file.close()  # an open file cannot be moved there
            os.replace(beside, target)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
    _sync_folder(target.parent)


def is_stream(path: PathLike) -> bool:
    """Whether what is written to ``path`` runs into something, and cannot be read back."""
    _, found = _target_of(path)
    is_special = found is not None and not stat.S_ISREG(found.st_mode)
    return is_special or _descriptor_of(path) is not None


# -- the place -------------------------------------------------------------------


def _target_of(path: PathLike) -> tuple[Path, os.stat_result | None]:
    """Return the place that links lead to, and what is there."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        found = None
    except NotADirectoryError:  # a file stands where a folder is asked for
        raise _no_folder(path, Path(path).parent) from None
    return Path(os.path.realpath(path)), found


def _is_file(path: PathLike, found: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(path), found)
    except OSError:
        return False


def _check_stream(path: PathLike, mode: int, streams: bool) -> None:
    if stat.S_ISDIR(mode):
        raise _error(IsADirectoryError, errno.EISDIR, "a file is asked for, not a folder", path)
    if not streams or not (stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)):
        raise _error(OSError, errno.EINVAL, "it must be a file, not a device or a socket", path)


def _check_folder(path: PathLike, target: Path) -> None:
    if target.is_dir():  # the name is empty
        raise _error(IsADirectoryError, errno.EISDIR, "a file is asked for, not a folder", path)
    folder = target.parent
    if not folder.is_dir():
        raise _no_folder(path, folder)
    if not os.access(folder, os.W_OK | os.X_OK):
        message = f"there is no permission to write to the folder {folder} for"
        raise _error(PermissionError, errno.EACCES, message, path)


def _no_folder(path: PathLike, folder: Path) -> OSError:
    shown = Path(path).parent if not os.path.islink(path) else folder
    return _error(FileNotFoundError, errno.ENOENT, f"there is no folder {shown} for", path)


def _error(kind: type[OSError], number: int, message: str, path: PathLike) -> OSError:
    return kind(number, message, os.fspath(path))


def _descriptor_of(path: PathLike) -> int | None:
    """Return the number of the open file of ours that ``path`` names, as /dev/stdout does."""
    ours = {Path("/dev/fd"), *(Path(f"/proc/{pid}/fd") for pid in ("self", os.getpid()))}
    place = Path(os.path.abspath(path))
    for _ in range(MOST_LINKS):
        folder = Path(os.path.realpath(place.parent))
        if place.name.isdecimal() and {folder, place.parent} & ours:
            return int(place.name)
        if not place.is_symlink():
            return None
        place = folder / os.readlink(place)
    return None


# -- writing ---------------------------------------------------------------------


def _write_into(path: PathLike, parts: Iterable[bytes]) -> None:
    number = _descriptor_of(path)
    if number is None:
        number = os.open(path, os.O_WRONLY)
    else:  # opening it by name would begin at the start again, over what was printed
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        number = os.dup(number)
    with FileIO(number, "w") as file:
        _write_all(file, parts)


def _write_all(file: FileIO, parts: Iterable[bytes]) -> None:
    for part in parts:
        rest = memoryview(part)
        while rest:
            rest = rest[file.write(rest) :]


def _take_after(file: FileIO, found: os.stat_result | None) -> None:
    """Give a new file owner and permissions of the one that it will replace."""
    if found is None or sys.platform == "win32":
        return
    now = os.fstat(file.fileno())
    if (now.st_uid, now.st_gid) != (found.st_uid, found.st_gid):
        with contextlib.suppress(OSError):  # only the administrator may
            os.fchown(file.fileno(), found.st_uid, found.st_gid)
    os.fchmod(file.fileno(), stat.S_IMODE(found.st_mode))


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where a folder can be synchronised."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


# -- files that are being written ---------------------------------------------------


@contextlib.contextmanager
def _beside(target: Path) -> Iterator[tuple[FileIO, Path]]:
    """Open and lock a new file beside ``target``."""
    while True:
        writer = f"{os.getpid()}-{secrets.token_hex(4)}"
        beside = target.with_name(f"{_prefix(target)}{writer}{UNFINISHED}")
        # By name and not by tempfile, which would hide the file from other users.
        with FileIO(beside, "x") as file:
            # Another writer may have found the file before it was locked, and removed it.
            if not _lock(file) or _is_file(beside, os.fstat(file.fileno())):
                yield file, beside
                return


def _prefix(target: Path) -> str:
    """Return how the names begin of files that are to be ``target``: with its name."""
    name = f".{target.name}."
    if len(os.fsencode(name)) + ROOM_FOR_WRITER + len(UNFINISHED) <= LONGEST_NAME:
        return name
    return f".{sha256(os.fsencode(name)).hexdigest()[:32]}."


def _remove_unfinished(target: Path) -> None:
    """Remove what writers have left who died on the way to ``target``."""
    prefix = _prefix(target)
    for name in os.listdir(target.parent):
        writer = name.removeprefix(prefix).removesuffix(UNFINISHED)
        if name != f"{prefix}{writer}{UNFINISHED}" or not WRITER.fullmatch(writer):
            continue
        # Not to be found, or not ours to remove: then it is not ours to complain of either.
        with contextlib.suppress(OSError), FileIO(target.with_name(name), "r+") as file:
            if _lock(file, wait=False):
                target.with_name(name).unlink()


def _lock(file: FileIO, wait: bool = True) -> bool:
    """Lock an open file until it is closed; False where others hold it, or nobody can."""
    if _fcntl is None:
        return False
    try:
        _fcntl.flock(file.fileno(), _fcntl.LOCK_EX | (0 if wait else _fcntl.LOCK_NB))
    except OSError:
        return False
    return True
