"""A bar for everything that takes longer than two seconds: what is done, and the time left."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from softwood._progress import watched
from softwood.cli._screen import SCREEN

SECONDS_BEFORE = 2.0
SECONDS_BETWEEN_LINES = 10.0
COMPILING = "compiling "  # how kernels tell of themselves


class Bar:
    """One line on the terminal; lines now and then where there is none.

    Parameters
    ----------
    what : str
        What is going on.
    n_kernels : int
        About how many functions must be compiled, if none is at hand.
    """

    def __init__(self, what: str, n_kernels: int = 0) -> None:
        self.what = what
        self._n_kernels = n_kernels
        self._n_compiled: int | None = None  # before this began
        self._begun = self._last_line = monotonic()
        self._bar: Any = None
        self._task: Any = None
        self._is_over = False
        self._lock = threading.Lock()  # trees are told of by many threads
        self._is_terminal = sys.stderr.isatty()
        # Where nothing is told, as while a file is read, the bar comes by itself and only moves.
        self._alarm = threading.Timer(SECONDS_BEFORE, self._come)
        self._alarm.daemon = True
        self._alarm.start()

    def tell(self, detail: str, done: int, total: int | None) -> None:
        """Show how far the work is."""
        if SCREEN.is_quiet or SCREEN.is_json or monotonic() - self._begun < SECONDS_BEFORE - 0.01:
            return
        with self._lock:
            if self._is_over:
                return
            if detail.startswith(COMPILING):
                done, total = self._kernels(done)
            if self._is_terminal:
                self._draw(detail, done, total)
            elif monotonic() - self._last_line > SECONDS_BETWEEN_LINES:
                self._last_line = monotonic()
                count = f"{done} of {total}" if total else f"{done}"
                print(f"softwood: {self.what}: {detail}, {count}", file=sys.stderr, flush=True)

    def tell_compiling(self, detail: str, done: int, total: int | None) -> None:
        """Show what is compiled, and nothing else."""
        if detail.startswith(COMPILING):
            self.tell(detail, done, total)

    def _kernels(self, n_compiled: int) -> tuple[int, int]:
        """Return how many functions were compiled since this began, and about how many will be."""
        if self._n_compiled is None:
            self._n_compiled = n_compiled
        done = n_compiled - self._n_compiled
        return done, max(done + 1, self._n_kernels)

    def _draw(self, detail: str, done: int, total: int | None) -> None:
        if self._bar is None:
            self._bar = _rich_bar()
            self._task = self._bar.add_task(self.what, total=total, detail=detail)
            self._bar.start()
        self._bar.update(self._task, completed=done, total=total, detail=detail)

    def _come(self) -> None:
        if self._bar is None and self._is_terminal:
            self.tell("", 0, None)

    def stop(self) -> None:
        """Take the bar away."""
        self._alarm.cancel()
        with self._lock:  # it may be about to come
            self._is_over = True
            if self._bar is not None:
                self._bar.stop()


def _rich_bar() -> Any:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[detail]}", markup=False),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)


@contextmanager
def progress(what: str, n_kernels: int = 0, inner: bool = True) -> Iterator[Bar]:
    """Show how far the work in the block is, once it takes long.

    Where the block itself tells how far it is, ``inner`` work should not: trees of a fold would
    take the place of folds. What is compiled is told all the same.

    Examples
    --------
    >>> from softwood.cli._bar import progress
    >>> with progress("reading") as bar:
    ...     bar.tell("rows", 1000, None)
    """
    bar = Bar(what, n_kernels)
    try:
        with watched(bar.tell if inner else bar.tell_compiling):
            yield bar
    finally:
        bar.stop()
