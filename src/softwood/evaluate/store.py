"""The results store: a SQLite file that has every cell from the moment it ends.

One row per cell, found by its key; written and committed one at a time, so that a
process may be killed at any moment. Readers and writers of several processes share the
file (write-ahead log); what one experiment needs for itself is its lock, see
:mod:`softwood.evaluate._locks`.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields
from os import PathLike, fspath
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Self

from softwood.errors import StoreError
from softwood.evaluate.cells import Cell, Outcome, Record

SCHEMA_VERSION = 1
APPLICATION = 0x50F7  # marks the file as ours, in its header
BUSY_SECONDS = 60.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS cells (
    key TEXT PRIMARY KEY,
    experiment TEXT NOT NULL, dataset TEXT NOT NULL, digest TEXT NOT NULL,
    method TEXT NOT NULL, parameters TEXT NOT NULL, versions TEXT NOT NULL,
    protocol TEXT NOT NULL, split INTEGER NOT NULL, rows TEXT NOT NULL, seed INTEGER NOT NULL,
    status TEXT NOT NULL, metrics TEXT NOT NULL, seconds REAL NOT NULL,
    error TEXT NOT NULL, trace TEXT NOT NULL, n_warnings INTEGER NOT NULL, warning TEXT NOT NULL,
    finished TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
);
CREATE INDEX IF NOT EXISTS cells_of_experiment ON cells (experiment, dataset, method, split);
CREATE TABLE IF NOT EXISTS experiments (
    name TEXT PRIMARY KEY,
    definition TEXT NOT NULL,
    process TEXT NOT NULL
);
"""
_CELL = tuple(field.name for field in fields(Cell))
_OUTCOME = tuple(field.name for field in fields(Outcome))
_COLUMNS = (*_CELL, *_OUTCOME)
_INSERT = (
    f"INSERT OR REPLACE INTO cells (key, {', '.join(_COLUMNS)}) "
    f"VALUES ({', '.join('?' * (len(_COLUMNS) + 1))})"
)


class Store:
    """A file of results.

    Parameters
    ----------
    path : path-like
        The file; made if there is none.
    create : bool, default=True
        Whether a missing file may be made.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from softwood.evaluate.store import Store
    >>> with TemporaryDirectory() as folder, Store(Path(folder, "results.sqlite")) as store:
    ...     store.experiments()
    []
    """

    def __init__(self, path: str | PathLike[str], create: bool = True) -> None:
        self.path = Path(fspath(path))
        if self.path.is_dir():
            raise StoreError(f"store {self.path} is a folder; give the path of a file")
        if self.path.exists() and not self.path.is_file():
            raise StoreError(f"store {self.path} is a device or a pipe; give the path of a file")
        if not self.path.is_file() and not create:
            raise StoreError(f"there is no store {self.path}")
        if not self.path.parent.is_dir():
            raise StoreError(f"store {self.path}: there is no folder {self.path.parent}")
        with self._explained():
            # Commits are ours to make: each write is a transaction of its own.
            self._connection = sqlite3.connect(
                self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        try:
            with self._explained():
                self._prepare(create)
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self, create: bool) -> None:
        # A commit survives the death of the process; only a power cut may undo the last ones.
        self._connection.execute("PRAGMA synchronous = NORMAL")
        if create and self._header() == (0, 0, 0):
            self._make_tables()
        application, version, _ = self._header()
        if application != APPLICATION:
            raise StoreError(f"{self.path} is a SQLite file, but not a store of softwood's results")
        if version != SCHEMA_VERSION:
            raise StoreError(
                f"store {self.path} has the format {version}, and this version of softwood reads "
                f"{SCHEMA_VERSION}; use another file, or another version of softwood"
            )

    def _header(self) -> tuple[int, int, int]:
        """Return the marks in the file's header, and the number of tables, of one moment."""
        with self._transaction("DEFERRED"):
            marks = ("PRAGMA application_id", "PRAGMA user_version")
            [application], [version] = (self._connection.execute(m).fetchone() for m in marks)
            [n_tables] = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return application, version, n_tables

    def _make_tables(self) -> None:
        self._switch_to_log()
        with self._transaction("IMMEDIATE"):  # another process may have been faster
            for statement in _SCHEMA.split(";"):
                self._connection.execute(statement)
            self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
            self._connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _switch_to_log(self) -> None:
        deadline = monotonic() + BUSY_SECONDS
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                # Here SQLite does not wait for others by itself.
                if "locked" not in str(error) or monotonic() > deadline:
                    raise
                sleep(0.01)

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[None]:
        self._connection.execute(f"BEGIN {kind}")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    # -- cells -----------------------------------------------------------------

    def write(self, record: Record) -> None:
        """Add a record, or replace that of the same cell; committed when this returns."""
        values = {**asdict(record.cell), **asdict(record.outcome)}
        values["metrics"] = _metrics_text(record.outcome.metrics)
        row = [record.cell.key, *(values[name] for name in _COLUMNS)]
        with self._explained():
            self._connection.execute(_INSERT, row)

    def read(self, experiment: str) -> list[Record]:
        """Return the records of an experiment."""
        query = f"SELECT {', '.join(_COLUMNS)} FROM cells WHERE experiment = ? ORDER BY rowid"
        with self._explained():
            return [_record(row) for row in self._connection.execute(query, (experiment,))]

    def forget(self, keys: Iterable[str]) -> None:
        """Delete the cells with these keys, all or none of them."""
        with self._explained(), self._transaction("IMMEDIATE"):
            statement = "DELETE FROM cells WHERE key = ?"
            self._connection.executemany(statement, [(key,) for key in keys])

    def costs(self, parameters: Mapping[str, str]) -> dict[tuple[str, str], float]:
        """Return the mean seconds of the cells of each data set and method.

        Parameters
        ----------
        parameters : mapping of str to str
            Those of each method now: cells of other parameters tell nothing about its cost.
        """
        query = (
            "SELECT dataset, method, parameters, avg(seconds) FROM cells WHERE status = 'ok' "
            "GROUP BY 1, 2, 3"
        )
        with self._explained():
            rows = self._connection.execute(query).fetchall()
        return {
            (dataset, method): seconds
            for dataset, method, of_cell, seconds in rows
            if parameters.get(method) == of_cell
        }

    # -- experiments -----------------------------------------------------------

    def experiments(self) -> list[str]:
        """Return the names of the experiments."""
        with self._explained():
            rows = self._connection.execute("SELECT name FROM experiments ORDER BY rowid")
            return [name for (name,) in rows]

    def begin(self, experiment: str, definition: dict[str, Any], process: str) -> None:
        """Note what an experiment consists of, and which process runs it."""
        with self._explained():
            self._connection.execute(
                "INSERT INTO experiments VALUES (?, ?, ?) ON CONFLICT (name) "
                "DO UPDATE SET definition = excluded.definition, process = excluded.process",
                (experiment, json.dumps(definition), process),
            )

    def definition(self, experiment: str) -> dict[str, Any]:
        """Return what an experiment consists of."""
        return dict(json.loads(self._of_experiment(experiment, "definition")))

    def process(self, experiment: str) -> str:
        """Return which process ran an experiment last."""
        return self._of_experiment(experiment, "process")

    def _of_experiment(self, experiment: str, column: str) -> str:
        with self._explained():
            row = self._connection.execute(
                f"SELECT {column} FROM experiments WHERE name = ?", (experiment,)
            ).fetchone()
        if row is None:
            known = ", ".join(map(repr, self.experiments())) or "none"
            raise StoreError(f"store {self.path} has no experiment {experiment!r}; it has {known}")
        return str(row[0])

    # -- opening and closing ---------------------------------------------------

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"store {self.path}: {explanation(error)}") from error


_EXPLANATIONS = {
    "is full": "the disk is full; make room and resume",
    "readonly": "the file or its folder cannot be written; check its permissions",
    "read-only": "the file or its folder cannot be written; check its permissions",
    "unable to open": "the file cannot be opened; check that the folder exists and is yours",
    "locked": "another process has been writing for a long time; try again when it is done",
    "not a database": "this is not a SQLite file; give another path",
    "malformed": "the file is damaged; restore a copy, or give another path",
    "disk I/O": "the disk cannot be read or written; check that it is there and not full",
}


def explanation(error: Exception) -> str:
    """Return what a SQLite error means for the user, and what would help."""
    message = str(error)
    for words, meaning in _EXPLANATIONS.items():
        if words in message:
            return f"{meaning} ({message})"
    return message


def _metrics_text(metrics: dict[str, float]) -> str:
    """Return metrics as JSON; what JSON cannot say (NaN, infinity) is said in words."""
    return json.dumps(
        {name: value if math.isfinite(value) else str(value) for name, value in metrics.items()}
    )


def _record(row: tuple[Any, ...]) -> Record:
    values = dict(zip(_COLUMNS, row, strict=True))
    metrics = json.loads(values["metrics"])
    values["metrics"] = {name: float(value) for name, value in metrics.items()}
    return Record(
        Cell(**{name: values[name] for name in _CELL}),
        Outcome(**{name: values[name] for name in _OUTCOME}),
    )
