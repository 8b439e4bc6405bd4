"""Files that are written wholly or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from pathlib import Path

PathLike = str | os.PathLike[str]


def write_atomically(path: PathLike, content: bytes) -> None:
    """Write a file beside its place and move it there; a failure leaves what was there."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(target.parent))
    # Opened by name and not by tempfile, which would hide the file from other users.
    beside = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with open(beside, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
