"""A lock that one process holds on an experiment, and that its death releases.

It is a SQLite file of its own, beside the store, on which the holder keeps an exclusive
transaction: SQLite knows the ways of every system, and systems drop the locks of
processes that die.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from softwood.errors import StoreError
from softwood.evaluate.store import explanation


@contextmanager
def held(store: Path, experiment: str) -> Iterator[bool]:
    """Hold the lock of an experiment; yields False if another process does."""
    name = hashlib.sha256(experiment.encode()).hexdigest()[:12]
    path = store.with_name(f"{store.name}-{name}.lock")
    connection = _acquired(path)
    try:
        yield connection is not None
    finally:
        if connection is not None:
            with suppress(OSError):
                path.unlink()
            connection.close()


def _acquired(path: Path) -> sqlite3.Connection | None:
    while True:
        connection = None
        try:
            path.touch()
            before = _identity(path)
            connection = sqlite3.connect(
                path, timeout=0, isolation_level=None, check_same_thread=False
            )
            connection.execute("BEGIN EXCLUSIVE")
        except (sqlite3.Error, OSError) as error:
            if connection is not None:
                connection.close()
            if "locked" in str(error):
                return None
            raise StoreError(f"lock {path}: {explanation(error)}") from error
        # The last holder removes the file: make sure that what we hold is still there.
        if before is not None and before == _identity(path):
            return connection
        connection.close()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
